"""Steps that every clan at a place does: one after the other in tea order, or in co-op as seats like."""

from typing import assert_never

from rules.great_wall.kinds import QIN, Clan, Location, Script, Section, seat_of, seats_of
from rules.great_wall.pending import (
    BuildDue,
    ClanPlaces,
    Do,
    DonateDue,
    FireDue,
    Free,
    HireDue,
    MarchDue,
    PlaceDue,
    QinAt,
    QinFires,
    RecruitDue,
    ReedAt,
    Settle,
    Step,
    StudyDue,
    Task,
    UpgradeDue,
)
from rules.great_wall.state import State
from rules.kernel.actors import Seat


def in_turn(  # noqa: PLR0913, PLR0917 - a step has one of the last three, as its kind needs
    state: State,
    step: Step,
    clans: tuple[Clan, ...],
    location: Location | None = None,
    section: Section | None = None,
    script: Script | None = None,
) -> tuple[Task, ...]:
    """The tasks of some clans in tea order; in co-op the seats answer in any order, then Reed (AMB-54)."""
    ordered = state.in_tea_order(clans)
    seats = seats_of(ordered)
    if not state.table.coop or not seats:
        return tuple(
            task for clan in ordered for task in _tasks(state, step, clan, location, section, script)
        )
    rest = [clan for clan in ordered if seat_of(clan) is None]
    free = Free(step, seats, location, section, script)
    return (free, *(task for clan in rest for task in _tasks(state, step, clan, location, section, script)))


def begun(state: State, free: Free, seat: Seat) -> tuple[Task, ...]:
    """What a seat does of a step that is free, and what is left for the others."""
    left = tuple(other for other in free.seats if other != seat)
    mine = _tasks(state, free.step, Clan(seat), free.location, free.section, free.script)
    rest = (Free(free.step, left, free.location, free.section, free.script),) if left else ()
    return mine + rest


def _tasks(  # noqa: PLR0913, PLR0917 - what a step is done with
    state: State,
    step: Step,
    clan: Clan,
    location: Location | None,
    section: Section | None,
    script: Script | None,
) -> tuple[Task, ...]:
    seat = seat_of(clan)
    if script is not None:
        return (Do(clan, script, 0),)
    if seat is None:
        return _of_clan(clan, step, location, section)
    if section is not None:
        return (FireDue(seat, section, state.section(section).firing[clan]),)
    if location is None:
        return (PlaceDue(seat),)
    return _at_location(seat, step, location, state.clerks(location, clan))


def _of_clan(clan: Clan, step: Step, location: Location | None, section: Section | None) -> tuple[Task, ...]:
    if section is not None:
        return (QinFires(section),)
    if location is None:
        return (ClanPlaces(clan),)
    if clan == QIN:
        return (QinAt(location),)
    return () if step is Step.UPGRADE else (ReedAt(location),)


def _at_location(seat: Seat, step: Step, location: Location, clerks: int) -> tuple[Task, ...]:
    match step:
        case Step.UPGRADE:
            return (UpgradeDue(seat, location),)
        case Step.DONATE:
            return (DonateDue(seat, location),)
        case Step.RECRUIT:
            return (RecruitDue(seat, clerks), Settle(seat))
        case Step.BUILD:
            return (BuildDue(seat, clerks, ()), Settle(seat))
        case Step.HIRE:
            return (HireDue(seat, clerks),)
        case Step.MARCH:
            return (MarchDue(seat, clerks),)
        case Step.STUDY:
            return (StudyDue(seat, clerks),)
        case Step.FIRE | Step.OTHERS | Step.PLACE:
            return ()
        case _:
            assert_never(step)
