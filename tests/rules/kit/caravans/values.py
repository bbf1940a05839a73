"""The values of the caravans: routes, favours, stages of the road, what is owned and what is due."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias, assert_never

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.forms import Names
from rules.kernel.setup import Setup

Route = NewType("Route", int)
Favour = NewType("Favour", int)
Stage = NewType("Stage", int)


class Resource(enum.Enum):
    SILVER = "silver"
    CLOTH = "cloth"


class Sealed(enum.Enum):
    """A choice that is made and not yet known."""

    SEALED = "?"


SEALED: Final = Sealed.SEALED
ROUTES: Final = Names(["coast", "desert", "river"], Route, "caravans-0")
FAVOURS: Final = Names(["water", "guide"], Favour, "caravans-0")
STAGES: Final = Names(["L", "C", "R"], Stage, "caravans-0")
COAST, DESERT, RIVER = (Route(at) for at in range(3))
COPIES: Final = 6
"""Of each favour."""
YEARS: Final = 3
HIGHEST: Final = 2
"""Of a stage."""
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
    """Asked of every seat, whether it can pay or not: else everybody would learn whether it can."""

    seat: Seat


class GuildBuilds(Struct, frozen=True, tag=True, array_like=True):
    """The guild is never awaited: its host answers."""

    host: Seat


class GuildTurn(Struct, frozen=True, tag=True, array_like=True):
    pass


class YearEnd(Struct, frozen=True, tag=True, array_like=True):
    pass


Task: TypeAlias = Deal | Pick | Turn | Take | UpgradeDue | GuildBuilds | GuildTurn | YearEnd


# Moves.


class DealFavour(Struct, frozen=True):
    favour: Favour | None


class PickRoute(Struct, frozen=True):
    route: Route | Sealed


class PlayFavour(Struct, frozen=True):
    favour: Favour
    boosted: bool


class TakeResource(Struct, frozen=True):
    resource: Resource


class Upgrade(Struct, frozen=True):
    pass


class MoveGuild(Struct, frozen=True):
    stage: Stage


class Done(Struct, frozen=True):
    pass


Move: TypeAlias = DealFavour | PickRoute | PlayFavour | TakeResource | Upgrade | MoveGuild | Done


# Events.


class FavourDrawn(Struct, frozen=True):
    seat: Seat
    favour: Favour | None


class RoutePicked(Struct, frozen=True):
    seat: Seat
    route: Route | Sealed


class RoutesRevealed(Struct, frozen=True):
    routes: tuple[Route, ...]


class TasksDue(Struct, frozen=True):
    """What was due has led to these."""

    tasks: tuple[Task, ...]


class FavourPlayed(Struct, frozen=True):
    seat: Seat
    favour: Favour
    boosted: bool


class ResourceTaken(Struct, frozen=True):
    seat: Seat
    resource: Resource


class Upgraded(Struct, frozen=True):
    seat: Seat


class GuildBuilt(Struct, frozen=True):
    stage: Stage


class GuildScored(Struct, frozen=True):
    fame: int


class YearEnded(Struct, frozen=True):
    pass


Event: TypeAlias = (
    FavourDrawn
    | RoutePicked
    | RoutesRevealed
    | TasksDue
    | FavourPlayed
    | ResourceTaken
    | Upgraded
    | GuildBuilt
    | GuildScored
    | YearEnded
)


# States.


class Player(Struct, frozen=True, array_like=True):
    silver: int | None
    cloth: int | None
    favours: tuple[Favour | None, ...]
    routes: tuple[Route, ...]
    fame: int
    pick: Route | Sealed | None


class State(Struct, frozen=True):
    table: Table
    year: int
    road: tuple[int, ...]
    guild: int
    played: tuple[Favour, ...]
    track: tuple[Route, ...]
    """Revealed in this year, by seat."""
    players: tuple[Player, ...]
    agenda: tuple[Task, ...]


def new_year(table: Table) -> tuple[Task, ...]:
    return (
        *(Deal(seat) for seat in table.seats),
        Pick(),
        *(Turn(seat) for seat in table.seats),
        GuildTurn(),
        YearEnd(),
    )


def start(table: Table) -> State:
    player = Player(3, 0, (), tuple(ROUTES.number_of.values()), 0, None)
    return State(table, 1, (0, 0, 0), 0, (), (), (player,) * len(table.seats), new_year(table))


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    rest = state.agenda[1:]
    match event:
        case FavourDrawn():
            hand = sorted((*state.players[event.seat].favours, event.favour), key=order)
            return with_player(state, event.seat, rest, favours=tuple(hand))
        case RoutePicked():
            return with_player(state, event.seat, state.agenda, pick=event.route)
        case RoutesRevealed():
            for seat, route in enumerate(event.routes):
                left = tuple(each for each in state.players[seat].routes if each != route)
                state = with_player(state, Seat(seat), rest, routes=left, pick=None)
            return structs.replace(state, track=event.routes)
        case TasksDue():
            return structs.replace(state, agenda=event.tasks + rest)
        case FavourPlayed():
            return _favour_played(state, event)
        case ResourceTaken():
            return _taken(state, event)
        case Upgraded():
            player = state.players[event.seat]
            silver = None if player.silver is None else player.silver - BOOST
            return with_player(state, event.seat, rest, silver=silver, fame=player.fame + 3)
        case GuildBuilt():
            road = tuple(high + (at == event.stage) for at, high in enumerate(state.road))
            return structs.replace(state, road=road, agenda=rest)
        case GuildScored():
            return structs.replace(state, guild=state.guild + event.fame, agenda=rest)
        case YearEnded():
            agenda = new_year(state.table) if state.year < YEARS else ()
            return structs.replace(state, year=state.year + 1, track=(), agenda=agenda)
        case _:
            assert_never(event)


def order(favour: Favour | None) -> int:
    return COPIES if favour is None else favour


def _favour_played(state: State, event: FavourPlayed) -> State:
    player, due = state.players[event.seat], state.agenda[0]
    left = list(player.favours)
    left.remove(event.favour if event.favour in left else None)
    silver = player.silver
    if event.boosted and silver is not None:
        silver -= BOOST
    agenda = state.agenda
    if isinstance(due, Take):
        agenda = (Take(due.seat, due.left, played=True), *agenda[1:])
    fame = player.fame + 1 + event.boosted
    after = with_player(state, event.seat, agenda, favours=tuple(left), silver=silver, fame=fame)
    return structs.replace(after, played=(*state.played, event.favour))


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
