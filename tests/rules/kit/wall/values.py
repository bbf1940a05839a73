"""A slice of The Great Wall: sealed picks, a window for tactics, hidden totals and an automaton (GW 25)."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias, assert_never

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.forms import Names
from rules.kernel.setup import Setup

Strategy = NewType("Strategy", int)
Tactic = NewType("Tactic", int)
Section = NewType("Section", int)


class Resource(enum.Enum):
    CHI = "chi"
    WOOD = "wood"


class Sealed(enum.Enum):
    """A choice that is made and not yet known."""

    SEALED = "?"


SEALED: Final = Sealed.SEALED
STRATEGIES: Final = Names(["economy", "drill", "betrayal"], Strategy, "wall-0")
TACTICS: Final = Names(["retreat", "harvest"], Tactic, "wall-0")
SECTIONS: Final = Names(["L", "C", "R"], Section, "wall-0")
ECONOMY, DRILL, BETRAYAL = (Strategy(at) for at in range(3))
COPIES: Final = 6
"""Of each tactic."""
YEARS: Final = 3
HIGHEST: Final = 2
"""Of a section."""
BOOST: Final = 2


@dataclass(frozen=True, slots=True)
class Table:
    setup: Setup

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at in range(len(self.setup.seats)))


# Tasks.


class Deal(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class Pick(Struct, frozen=True, tag=True, array_like=True):
    pass


class Turn(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class Take(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat
    left: int
    played: bool


class UpgradeDue(Struct, frozen=True, tag=True, array_like=True):
    """Asked of every seat, whether it can pay or not (GW-ASK-01)."""

    seat: Seat


class ReedBuilds(Struct, frozen=True, tag=True, array_like=True):
    """Reed is never awaited: its overlord answers."""

    overlord: Seat


class ReedTurn(Struct, frozen=True, tag=True, array_like=True):
    pass


class YearEnd(Struct, frozen=True, tag=True, array_like=True):
    pass


Task: TypeAlias = Deal | Pick | Turn | Take | UpgradeDue | ReedBuilds | ReedTurn | YearEnd


# Moves.


class DealTactic(Struct, frozen=True):
    tactic: Tactic | None


class PickStrategy(Struct, frozen=True):
    strategy: Strategy | Sealed


class PlayTactic(Struct, frozen=True):
    tactic: Tactic
    boosted: bool


class TakeResource(Struct, frozen=True):
    resource: Resource


class Upgrade(Struct, frozen=True):
    pass


class MoveReed(Struct, frozen=True):
    section: Section


class Done(Struct, frozen=True):
    pass


Move: TypeAlias = DealTactic | PickStrategy | PlayTactic | TakeResource | Upgrade | MoveReed | Done


# Events.


class TacticDrawn(Struct, frozen=True):
    seat: Seat
    tactic: Tactic | None


class StrategyPicked(Struct, frozen=True):
    seat: Seat
    strategy: Strategy | Sealed


class StrategiesRevealed(Struct, frozen=True):
    strategies: tuple[Strategy, ...]


class TasksDue(Struct, frozen=True):
    """What was due has led to these."""

    tasks: tuple[Task, ...]


class TacticPlayed(Struct, frozen=True):
    seat: Seat
    tactic: Tactic
    boosted: bool


class ResourceTaken(Struct, frozen=True):
    seat: Seat
    resource: Resource


class Upgraded(Struct, frozen=True):
    seat: Seat


class ReedBuilt(Struct, frozen=True):
    section: Section


class ReedScored(Struct, frozen=True):
    honour: int


class YearEnded(Struct, frozen=True):
    pass


Event: TypeAlias = (
    TacticDrawn
    | StrategyPicked
    | StrategiesRevealed
    | TasksDue
    | TacticPlayed
    | ResourceTaken
    | Upgraded
    | ReedBuilt
    | ReedScored
    | YearEnded
)


# States.


class Player(Struct, frozen=True, array_like=True):
    chi: int | None
    wood: int | None
    tactics: tuple[Tactic | None, ...]
    strategies: tuple[Strategy, ...]
    honour: int
    pick: Strategy | Sealed | None


class State(Struct, frozen=True):
    table: Table
    year: int
    wall: tuple[int, ...]
    reed: int
    played: tuple[Tactic, ...]
    track: tuple[Strategy, ...]
    """Revealed in this year, by seat."""
    players: tuple[Player, ...]
    agenda: tuple[Task, ...]


def new_year(table: Table) -> tuple[Task, ...]:
    return (
        *(Deal(seat) for seat in table.seats),
        Pick(),
        *(Turn(seat) for seat in table.seats),
        ReedTurn(),
        YearEnd(),
    )


def start(table: Table) -> State:
    player = Player(3, 0, (), tuple(STRATEGIES.number_of.values()), 0, None)
    return State(table, 1, (0, 0, 0), 0, (), (), (player,) * len(table.seats), new_year(table))


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    rest = state.agenda[1:]
    match event:
        case TacticDrawn():
            hand = sorted((*state.players[event.seat].tactics, event.tactic), key=order)
            return with_player(state, event.seat, rest, tactics=tuple(hand))
        case StrategyPicked():
            return with_player(state, event.seat, state.agenda, pick=event.strategy)
        case StrategiesRevealed():
            for seat, strategy in enumerate(event.strategies):
                left = tuple(each for each in state.players[seat].strategies if each != strategy)
                state = with_player(state, Seat(seat), rest, strategies=left, pick=None)
            return structs.replace(state, track=event.strategies)
        case TasksDue():
            return structs.replace(state, agenda=event.tasks + rest)
        case TacticPlayed():
            return _tactic_played(state, event)
        case ResourceTaken():
            return _taken(state, event)
        case Upgraded():
            player = state.players[event.seat]
            chi = None if player.chi is None else player.chi - BOOST
            return with_player(state, event.seat, rest, chi=chi, honour=player.honour + 3)
        case ReedBuilt():
            wall = tuple(high + (at == event.section) for at, high in enumerate(state.wall))
            return structs.replace(state, wall=wall, agenda=rest)
        case ReedScored():
            return structs.replace(state, reed=state.reed + event.honour, agenda=rest)
        case YearEnded():
            agenda = new_year(state.table) if state.year < YEARS else ()
            return structs.replace(state, year=state.year + 1, track=(), agenda=agenda)
        case _:
            assert_never(event)


def order(tactic: Tactic | None) -> int:
    return COPIES if tactic is None else tactic


def _tactic_played(state: State, event: TacticPlayed) -> State:
    player, due = state.players[event.seat], state.agenda[0]
    left = list(player.tactics)
    left.remove(event.tactic if event.tactic in left else None)
    chi = player.chi
    if event.boosted and chi is not None:
        chi -= BOOST
    agenda = state.agenda
    if isinstance(due, Take):
        agenda = (Take(due.seat, due.left, played=True), *agenda[1:])
    honour = player.honour + 1 + event.boosted
    after = with_player(state, event.seat, agenda, tactics=tuple(left), chi=chi, honour=honour)
    return structs.replace(after, played=(*state.played, event.tactic))


def _taken(state: State, event: ResourceTaken) -> State:
    due, name = state.agenda[0], event.resource.value
    agenda = state.agenda
    if isinstance(due, Take):
        agenda = ((Take(due.seat, due.left - 1, due.played),) if due.left > 1 else ()) + agenda[1:]
    held = getattr(state.players[event.seat], name)
    return with_player(state, event.seat, agenda, **{name: None if held is None else held + 1})


def with_player(state: State, seat: Seat, agenda: tuple[Task, ...], **parts: object) -> State:
    players = list(state.players)
    players[seat] = structs.replace(players[seat], **parts)
    return structs.replace(state, players=tuple(players), agenda=agenda)
