"""The values of the dike: seats lay stones on it or fish, and the river rises after every round."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Setup

DIKE_1: Final = EditionKey("dike/1")
TOGETHER_1: Final = EditionKey("dike-together/1")

HEIGHT: Final = 2
"""Stones of the dike at the start."""
HIGHEST: Final = 6
ROUNDS: Final = 3
RIVER: Final = "river"
"""The owner that is no seat."""


@dataclass(frozen=True, slots=True)
class Table:
    setup: Setup

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at in range(len(self.setup.seats)))

    @property
    def rounds(self) -> int:
        return ROUNDS

    @property
    def rise(self) -> int:
        """By how much the river rises after a round."""
        return 1


class Act(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class Rise(Struct, frozen=True, tag=True, array_like=True):
    pass


Task: TypeAlias = Act | Rise


class Build(Struct, frozen=True):
    pass


class Fish(Struct, frozen=True):
    pass


Move: TypeAlias = Build | Fish


class StoneLaid(Struct, frozen=True):
    seat: Seat


class FishCaught(Struct, frozen=True):
    seat: Seat


class RiverRose(Struct, frozen=True):
    by: int


Event: TypeAlias = StoneLaid | FishCaught | RiverRose


class Player(Struct, frozen=True, array_like=True):
    fish: int
    stones: int


class State(Struct, frozen=True):
    table: Table
    dike: int
    river: int
    players: tuple[Player, ...]
    agenda: tuple[Task, ...]

    @property
    def flooded(self) -> bool:
        return self.river > self.dike


def start(table: Table) -> State:
    a_round: tuple[Task, ...] = (*(Act(seat) for seat in table.seats), Rise())
    return State(table, HEIGHT, 0, (Player(0, 0),) * len(table.seats), a_round * table.rounds)


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    rest = state.agenda[1:]
    match event:
        case StoneLaid():
            player = state.players[event.seat]
            after = _with_player(state, event.seat, structs.replace(player, stones=player.stones + 1))
            return structs.replace(after, dike=state.dike + 1, agenda=rest)
        case FishCaught():
            player = state.players[event.seat]
            after = _with_player(state, event.seat, structs.replace(player, fish=player.fish + 1))
            return structs.replace(after, agenda=rest)
        case RiverRose():
            after = structs.replace(state, river=state.river + event.by, agenda=rest)
            return structs.replace(after, agenda=()) if after.flooded else after
        case _:
            assert_never(event)


def _with_player(state: State, seat: Seat, player: Player) -> State:
    players = list(state.players)
    players[seat] = player
    return structs.replace(state, players=tuple(players))
