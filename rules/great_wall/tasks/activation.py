"""The activation step: which locations activate, and what each activation consists of."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.events import ClerksReturned, LocationActivated, OwedCredited, TokenAdvanced
from rules.great_wall.kinds import (
    NOTHING,
    PRODUCTION,
    QIN,
    REED,
    Clan,
    Location,
    Token,
    of_seat,
    seat_of,
)
from rules.great_wall.moves import ActivateLocation, Done
from rules.great_wall.pending import (
    Activate,
    ActsDue,
    AdvanceDue,
    Collect,
    Donating,
    Home,
    ReedAt,
    RiseDue,
    Settle,
    StartActs,
    Step,
    TakeShame,
    Task,
    Upgrading,
)
from rules.great_wall.qin import qin_order
from rules.great_wall.rounds import in_turn
from rules.great_wall.rulebook import cards, clerks, course, reed
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    only_done,
    playing,
    then,
)
from rules.great_wall.turns import chooser, overlord, strategy_window
from rules.kernel.actors import Actor
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

_STEPS: Final = {
    Location.BARRACKS: Step.RECRUIT,
    Location.BUILDERS: Step.BUILD,
    Location.EMBASSY: Step.HIRE,
    Location.LOGISTICS: Step.MARCH,
    Location.ACADEMY: Step.STUDY,
}


def clans_at(state: State, location: Location) -> tuple[Clan, ...]:
    """The clans with clerks at a location."""
    return tuple(clan for clan in state.table.clans if state.clerks(location, clan))


def _only_reed(state: State, location: Location) -> bool:
    """Whether it is a special location with a clerk of Reed and none else (GW-2P-10)."""
    special = state.table.board.places[location].slots is None
    return special and clans_at(state, location) == (REED,)


def _ready(state: State, location: Location) -> bool:
    if state.table.board.places[location].slots is not None:
        return state.is_full(location)
    return any(clan != REED for clan in clans_at(state, location))


def eligible(state: State, done: tuple[Location, ...]) -> tuple[Location, ...]:
    """Locations that must activate in this step, in the order of the set (GW-LOC-03)."""
    return tuple(
        location for location in state.table.board.order if location not in done and _ready(state, location)
    )


# The step.


def _start(state: State, due: StartActs) -> Events:
    """Where Qin decides, his own locations come first, in an order that is fixed now (GW-SOL-25)."""
    lord = overlord(state) if due.clan == REED else due.clan
    fixed = qin_order(state, eligible(state, ())) if lord == QIN else ()
    return (then(ActsDue(due.clan, (), fixed)),)


START_ACTS: Final = automatic(State, StartActs, clerks.LOC_03, _start)


def _chosen(due: ActsDue, location: Location) -> Events:
    done = tuple(sorted((*due.done, location)))
    fixed = tuple(other for other in due.fixed if other != location)
    return (
        LocationActivated(location, advanced=False),
        then(Activate(location, advanced=False), ActsDue(due.clan, done, fixed)),
    )


def _no_choice(state: State, due: ActsDue) -> Events:
    ready = eligible(state, due.done)
    if not ready:
        return (FINISHED,)
    fixed = next((location for location in due.fixed if location in ready), None)
    if fixed is not None:
        return _chosen(due, fixed)
    return _chosen(due, ready[0]) if len(ready) == 1 else ()


def _not_ready(case: Case[ActsDue, ActivateLocation]) -> Breach | None:
    state, location = case.state, case.move.location
    if _only_reed(state, location) or location in eligible(state, case.task.done):
        return None
    if location in case.task.done:
        return Breach(f"the {location.word} was activated in this step", (location.word,))
    slots = state.table.board.places[location].slots
    if slots is None:
        return Breach(f"no clerk is at the {location.word}", (location.word,))
    filled = f"{sum(state.at[location])} of {slots} slots of the {location.word} are filled"
    return Breach(filled, (location.word,))


def _reed_alone(state: State, location: Location) -> Breach | None:
    why = f"only Reed's clerk is at the {location.word}"
    return breach_if(_only_reed(state, location), why, location.word)


def _choosing(state: State, due: ActsDue) -> tuple[Actor, ...]:
    return (chooser(state, due.clan),)


ACTS: Final = task(State, ActsDue, course.ASK_03, _choosing, happens=_no_choice).takes(
    ActivateLocation,
    (
        Check(clerks.LOC_03, _not_ready),
        Check(reed.TWO_10, lambda case: _reed_alone(case.state, case.move.location)),
    ),
    each=lambda state, due: map(ActivateLocation, eligible(state, due.done)),
    then=lambda case: _chosen(case.task, case.move.location),
)


# Advanced activation.


def _own(state: State, due: AdvanceDue) -> Iterator[Location]:
    for location in state.table.board.order:
        if state.clerks(location, of_seat(due.seat)):
            yield location


def _nowhere(state: State, due: AdvanceDue) -> Events:
    return () if next(_own(state, due), None) is not None else (FINISHED,)


def _no_own_clerk(case: Case[AdvanceDue, ActivateLocation]) -> Breach | None:
    location = case.move.location
    if _only_reed(case.state, location) or location in _own(case.state, case.task):
        return None
    name = case.state.table.names[case.task.seat]
    return Breach(f"{name} has no clerk at the {location.word}", (location.word,))


ADVANCE: Final = (
    playing(
        task(State, AdvanceDue, course.ASK_03, its_seat, happens=_nowhere),
        lambda state, due: strategy_window(state, due.seat),
    )
    .takes(
        ActivateLocation,
        (
            Check(clerks.ADV_04, _no_own_clerk),
            Check(reed.TWO_10, lambda case: _reed_alone(case.state, case.move.location)),
        ),
        each=lambda state, due: map(ActivateLocation, _own(state, due)),
        then=lambda case: caused(
            LocationActivated(case.move.location, advanced=True),
            then(Activate(case.move.location, advanced=True)),
        ),
    )
    .takes(Done, each=only_done, then=declined)
)


# One activation.


def _activate(state: State, due: Activate) -> Events:
    location = due.location
    home = Home(location, due.advanced)
    clans = clans_at(state, location)
    if location in PRODUCTION:
        donating = () if location is Location.TEMPLE else (Donating(location),)
        collect = Collect(location, state.in_tea_order(clans))
        return (then(collect, Upgrading(location), *donating, home),)
    if location is Location.TEA_HOUSE:
        return (then(*_rising(state, clans), home),)
    return (then(*in_turn(state, _STEPS[location], clans, location), home),)


def _rising(state: State, clans: tuple[Clan, ...]) -> Iterator[Task]:
    """In the order that the stack has now (GW-TEH-01, -03)."""
    alone = len(clans) == 1 and state.is_full(Location.TEA_HOUSE)
    for clan in state.in_tea_order(clans):
        seat = seat_of(clan)
        if seat is not None:
            yield RiseDue(seat, alone)
        elif clan == REED:
            yield ReedAt(Location.TEA_HOUSE)


ACTIVATE: Final = automatic(State, Activate, clerks.LOC_04, _activate)


def _home(state: State, due: Home) -> Events:
    """Clerks go home, Qin's token moves to the front, and a lone colour takes shame (GW-LOC-07, -08)."""
    location, clans = due.location, clans_at(state, due.location)
    found: Events = (ClerksReturned(location),)
    if QIN in clans and location <= Location.BARRACKS:
        found += (TokenAdvanced(Token(location)),)
    lone = seat_of(clans[0]) if len(clans) == 1 else None
    icon = state.table.board.places[location].shame and not due.advanced
    shame = (TakeShame(lone, 1),) if icon and lone is not None else ()
    return (*found, then(*shame))


HOME: Final = automatic(State, Home, clerks.LOC_07, _home)


def _settle(state: State, due: Settle) -> Events:
    owed: Events = (OwedCredited(due.seat),) if state.owed_to(due.seat) != NOTHING else ()
    return (*owed, FINISHED)


SETTLE: Final = automatic(State, Settle, cards.EFX_04, _settle)
