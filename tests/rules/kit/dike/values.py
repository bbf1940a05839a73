"""The values of the dike: seats lay stones on it or fish, and the river rises after every round."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey, Option, OptionValue, Reading, Ruling, chosen, chosen_options
from rules.kernel.setup import Setup

DIKE_1: Final = EditionKey("dike/1")
TOGETHER_1: Final = EditionKey("dike-together/1")

HEIGHT: Final = 2
"""Stones of the dike at the start."""
HIGHEST: Final = 6
LENGTH: Final = Option(
    "length",
    "The rounds of a match.",
    (OptionValue("3", "A short match."), OptionValue("5", "A long match.")),
    "p. 2",
)
SPEED: Final = Option(
    "current",
    "How quickly the river rises.",
    (OptionValue("slow", "By one after each round."), OptionValue("fast", "By two after each round.")),
    "p. 3",
)
OPTIONS: Final = (LENGTH, SPEED)
LEVEL: Final = Ruling(
    "level-water",
    "AMB-01",
    "Is there a flood where the river is as high as the dike?",
    (Reading("dry", "No: the dike holds it."), Reading("flood", "Yes: it spills over.")),
    "The dike holds what it is as high as.",
)
RIVER: Final = "river"
"""The owner that is no seat."""


@dataclass(frozen=True, slots=True)
class Table:
    """The setup as it is in a header, and what follows from its options and rulings."""

    setup: Setup
    rounds: int = field(init=False)
    rise: int = field(init=False)
    """By how much the river rises after a round."""
    spills: bool = field(init=False)
    """Whether a river as high as the dike is a flood."""

    def __post_init__(self) -> None:
        options = chosen_options(OPTIONS, self.setup.options).in_force
        rulings = chosen((LEVEL,), self.setup.rulings).in_force
        object.__setattr__(self, "rounds", int(options["length"]))
        object.__setattr__(self, "rise", 2 if options["current"] == "fast" else 1)
        object.__setattr__(self, "spills", rulings["level-water"] == "flood")

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at in range(len(self.setup.seats)))


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
        return self.river > self.dike or (self.table.spills and self.river == self.dike)


def start(table: Table) -> State:
    a_round: tuple[Task, ...] = (*(Act(seat) for seat in table.seats), Rise())
    return State(table, HEIGHT, 0, (Player(0, 0),) * len(table.seats), a_round * table.rounds)


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
