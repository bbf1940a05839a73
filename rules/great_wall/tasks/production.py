"""Production locations: collecting, foremen and donations."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.events import Collected, Donated, ForemanUpgraded, Paid
from rules.great_wall.kinds import (
    HIGHEST,
    KINDS,
    PRODUCTION,
    QIN,
    Cause,
    Holdings,
    Kind,
    Location,
    Occasion,
    Window,
    of_seat,
    seat_of,
)
from rules.great_wall.moves import Donate, Done, Upgrade
from rules.great_wall.occasions import has, honour, on_occasion, only, short_of
from rules.great_wall.parts import resource_of
from rules.great_wall.pending import (
    AbsolveDue,
    Collect,
    DonateDue,
    Donating,
    Step,
    UpgradeDue,
    UpgradesDue,
    Upgrading,
)
from rules.great_wall.rounds import in_turn
from rules.great_wall.rulebook import clerks, course
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    in_window,
    only_done,
    playing,
    then,
)
from rules.great_wall.turns import active
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

# Collecting.


def _collect(state: State, due: Collect) -> Events:
    """One unit per clerk and the foreman's level; Reed in the temple absolves at its place."""
    found: Events = ()
    for place, clan in enumerate(due.clans):
        n, level = state.clerks(due.location, clan), state.foreman_level(clan, due.location)
        seat = seat_of(clan)
        if seat is not None:
            found += (Collected(seat, resource_of(due.location), n + level),)
        elif clan == QIN:
            found += honour(QIN, n * level, Cause.PRODUCTION)
        elif due.location is Location.TEMPLE:
            turn = active(state)
            lord = None if turn is None else seat_of(turn)
            if lord is not None:
                rest = Collect(due.location, due.clans[place + 1 :])
                return (*found, then(AbsolveDue(lord), rest))
    return (*found, FINISHED)


COLLECT: Final = automatic(State, Collect, clerks.PRD_01, _collect)


# Foremen.


def _upgrading(state: State, due: Upgrading) -> Events:
    clans = tuple(of_seat(seat) for seat in state.table.seats if state.clerks(due.location, of_seat(seat)))
    return (then(*in_turn(state, Step.UPGRADE, clans, due.location)),)


UPGRADING: Final = automatic(State, Upgrading, clerks.PRD_02, _upgrading)


def can_rise(state: State, seat: Seat, location: Location) -> bool:
    """Whether a seat's foreman could be raised, as everybody sees."""
    level = state.foreman_level(of_seat(seat), location)
    usable = any(state.usable(seat, kind) > 0 for kind in KINDS)
    return 0 < level < HIGHEST or (not level and usable)


def _cost(state: State, seat: Seat, location: Location) -> Holdings:
    level = state.foreman_level(of_seat(seat), location)
    costs = state.table.board.places[location].foreman
    return costs[level] if level < len(costs) else (0, 0, 0, 0)


def _is_top(state: State, seat: Seat, location: Location) -> Breach | None:
    level = state.foreman_level(of_seat(seat), location)
    return breach_if(level >= HIGHEST, f"the foreman at the {location.word} has the highest level")


def _wrong_figure(state: State, seat: Seat, move: Upgrade) -> Breach | None:
    level = state.foreman_level(of_seat(seat), move.location)
    if level and move.kind is not None:
        return Breach(f"a foreman stands at the {move.location.word}; no figure is named")
    return breach_if(not level and move.kind is None, "the first foreman is a figure of the reserve")


def _not_usable(state: State, seat: Seat, move: Upgrade) -> Breach | None:
    wrong = move.kind is not None and state.usable(seat, move.kind) <= 0
    if not wrong or move.kind is None:
        return None
    return Breach(f"{state.table.names[seat]} has no usable {move.kind.word} in reserve")


def _too_dear(state: State, seat: Seat, move: Upgrade) -> Breach | None:
    cost = _cost(state, seat, move.location)
    return None if has(state, seat, cost) else Breach(short_of(state, seat, cost))


def _raised(state: State, seat: Seat, move: Upgrade) -> Events:
    cost = _cost(state, seat, move.location)
    paid: Events = (Paid(seat, cost),) if any(cost) else ()
    return (
        *paid,
        ForemanUpgraded(of_seat(seat), move.location, move.kind),
        *on_occasion(state, of_seat(seat), Occasion.UPGRADE),
    )


def _upgrades(state: State, seat: Seat, location: Location) -> Iterator[Upgrade]:
    kinds: tuple[Kind | None, ...] = (None,) if state.foreman_level(of_seat(seat), location) else KINDS
    return (Upgrade(location, kind) for kind in kinds)


def _cannot_rise(state: State, due: UpgradeDue) -> Events:
    return () if can_rise(state, due.seat, due.location) else (FINISHED,)


def _not_here(case: Case[UpgradeDue, Upgrade]) -> Breach | None:
    wrong = case.move.location is not case.task.location
    return breach_if(wrong, f"the {case.task.location.word} is activated", case.move.location.word)


UPGRADE: Final = (
    playing(task(State, UpgradeDue, course.ASK_03, its_seat, happens=_cannot_rise), in_window(Window.RESOLVE))
    .takes(
        Upgrade,
        (Check(clerks.PRD_02, _not_here),),
        (Check(clerks.PRD_06, lambda case: _is_top(case.state, case.task.seat, case.move.location)),),
        (Check(clerks.PRD_02, lambda case: _wrong_figure(case.state, case.task.seat, case.move)),),
        (Check(clerks.PRD_04, lambda case: _not_usable(case.state, case.task.seat, case.move)),),
        (Check(clerks.PRD_02, lambda case: _too_dear(case.state, case.task.seat, case.move)),),
        each=lambda state, due: _upgrades(state, due.seat, due.location),
        then=lambda case: caused(*_raised(case.state, case.task.seat, case.move), FINISHED),
    )
    .takes(Done, each=only_done, then=declined)
)


def _not_produced(case: Case[UpgradesDue, Upgrade]) -> Breach | None:
    location = case.move.location
    if location not in PRODUCTION:
        return Breach(f"no foreman works at the {location.word}", (location.word,))
    return breach_if(location in case.task.used, f"the foreman at the {location.word} has been raised")


def _raised_by_card(case: Case[UpgradesDue, Upgrade]) -> Events:
    due = case.task
    used = tuple(sorted((*due.used, case.move.location)))
    rest = (UpgradesDue(due.seat, due.left - 1, used),) if due.left > 1 else ()
    return (*_raised(case.state, due.seat, case.move), then(*rest))


def _by_card(state: State, due: UpgradesDue) -> Iterator[Upgrade]:
    for location in state.table.board.order:
        if location in PRODUCTION and location not in due.used:
            yield from _upgrades(state, due.seat, location)


UPGRADES: Final = (
    task(State, UpgradesDue, course.ASK_03, its_seat)
    .takes(
        Upgrade,
        (Check(clerks.PRD_02, _not_produced),),
        (Check(clerks.PRD_06, lambda case: _is_top(case.state, case.task.seat, case.move.location)),),
        (Check(clerks.PRD_02, lambda case: _wrong_figure(case.state, case.task.seat, case.move)),),
        (Check(clerks.PRD_04, lambda case: _not_usable(case.state, case.task.seat, case.move)),),
        (Check(clerks.PRD_02, lambda case: _too_dear(case.state, case.task.seat, case.move)),),
        each=_by_card,
        then=_raised_by_card,
    )
    .takes(Done, each=only_done, then=declined)
)


# Donations.


def _donating(state: State, due: Donating) -> Events:
    there = [clan for clan in state.table.clans if clan != QIN and state.clerks(due.location, clan)]
    return (then(*in_turn(state, Step.DONATE, tuple(there), due.location)),)


DONATING: Final = automatic(State, Donating, clerks.PRD_07, _donating)


def _holds_none(case: Case[DonateDue, Donate]) -> Breach | None:
    resource = resource_of(case.task.location)
    held = has(case.state, case.task.seat, only(resource, 1))
    return None if held else Breach(f"{case.state.table.names[case.task.seat]} holds no {resource.word}")


def _donated(case: Case[DonateDue, Donate]) -> Events:
    state, clan = case.state, of_seat(case.task.seat)
    n = max(0, state.table.parts.prices.donation + state.passive("donation"))
    return (
        Donated(clan, resource_of(case.task.location)),
        *honour(clan, n, Cause.DONATION),
        *on_occasion(state, clan, Occasion.DONATE),
        FINISHED,
    )


DONATE: Final = (
    playing(task(State, DonateDue, course.ASK_03, its_seat), in_window(Window.RESOLVE))
    .takes(Donate, (Check(clerks.PRD_07, _holds_none),), each=lambda _, __: (Donate(),), then=_donated)
    .takes(Done, each=only_done, then=declined)
)
