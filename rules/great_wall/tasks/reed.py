"""What the clerks of Reed and Qin do at an activated location."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.aim import AIMED, spot_faults, targets
from rules.great_wall.events import AdvisorDismissed, BarricadeBuilt, Covered, Donated, TeaRose
from rules.great_wall.kinds import QIN, REED, SLOTS, Kind, Location, seat_of
from rules.great_wall.moves import Dismiss, ReedBarricade, ReedSpearman, Spots
from rules.great_wall.parts import resource_of
from rules.great_wall.pending import (
    AdvisorsDue,
    DismissDue,
    QinAt,
    ReedAt,
    ReedBarricadeDue,
    ReedSpearDue,
)
from rules.great_wall.qin import barricade_by_qin, qin_recruits, reed_spearman_by_qin
from rules.great_wall.rulebook import course, reed, solo
from rules.great_wall.state import State
from rules.great_wall.tasks.builders import with_room
from rules.great_wall.tasks.common import FINISHED, Case, Events, breach_if, caused, not_on_track, then
from rules.great_wall.turns import overlord
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check, Rule
from rules.kernel.tasks import TaskCase, automatic, its_seat, task


def _reed_at(state: State, due: ReedAt) -> Events:
    lord = seat_of(overlord(state))
    match due.location:
        case Location.SAWMILL | Location.QUARRY | Location.GOLD_MINE:
            return (Donated(REED, resource_of(due.location)), FINISHED)
        case Location.TEA_HOUSE:
            return _reed_rises(state)
        case Location.BARRACKS | Location.BUILDERS | Location.EMBASSY:
            return _sent_by_qin(state, due.location) if lord is None else _asked(lord, due.location)
        case _:
            return (FINISHED,)


def _reed_rises(state: State) -> Events:
    """One place as for any clan, or to the top where its clerk fills the only slot (GW-2P-21, GW-TEH-03)."""
    above = state.tea.index(REED)
    alone = state.table.board.places[Location.TEA_HOUSE].slots == state.clerks(Location.TEA_HOUSE, REED)
    return (TeaRose(REED, above if alone else 1), FINISHED) if above else (FINISHED,)


def _asked(lord: Seat, location: Location) -> Events:
    if location is Location.BARRACKS:
        return (then(ReedSpearDue(lord)),)
    return (then(ReedBarricadeDue(lord) if location is Location.BUILDERS else DismissDue(lord)),)


def _sent_by_qin(state: State, location: Location) -> Events:
    if location is Location.BARRACKS:
        return (*reed_spearman_by_qin(state), FINISHED)
    if location is Location.BUILDERS:
        return (*barricade_by_qin(state), FINISHED)
    leftmost = tuple(map(AdvisorDismissed, state.advisors.track[:1]))
    return (*leftmost, then(AdvisorsDue(1)))


REED_AT: Final = automatic(State, ReedAt, reed.TWO_12, _reed_at)


def _qin_at(state: State, due: QinAt) -> Events:
    if due.location is not Location.BARRACKS:
        return (FINISHED,)
    return (*qin_recruits(state, state.clerks(due.location, QIN)), FINISHED)


QIN_AT: Final = automatic(State, QinAt, solo.SOL_24, _qin_at)


# Reed's spearman.


def _spots(state: State, __: ReedSpearDue) -> Iterator[Spots]:
    for section in state.table.sections if state.reed else ():
        for _, target in targets(state, section, (Kind.SPEARMAN,)):
            if isinstance(target, Spots):
                yield target


def _no_spot(state: State, due: ReedSpearDue) -> Events:
    return () if next(_spots(state, due), None) is not None else (FINISHED,)


def _aim(rule: Rule) -> Check[TaskCase[State, ReedSpearDue, ReedSpearman]]:
    return Check(rule, lambda case: spot_faults(case.state, Kind.SPEARMAN, case.move.target).get(rule))


def _spear(case: Case[ReedSpearDue, ReedSpearman]) -> Events:
    target = case.move.target
    return (Covered(REED, Kind.SPEARMAN, target.section, target.line, target.cells), FINISHED)


REED_SPEAR: Final = task(State, ReedSpearDue, course.ASK_03, its_seat, happens=_no_spot).takes(
    ReedSpearman,
    tuple(map(_aim, AIMED)),
    each=lambda state, due: map(ReedSpearman, _spots(state, due)),
    then=_spear,
)


# Reed's barricade.


def _no_room(case: Case[ReedBarricadeDue, ReedBarricade]) -> Breach | None:
    section = case.move.section
    wall = case.state.sections[section]
    if wall is None:
        return Breach(f"the {section.word} section is closed", (section.letter,))
    return breach_if(wall.barricades >= SLOTS, f"{section.letter} has {SLOTS} barricades", section.letter)


def _no_section(state: State, _: ReedBarricadeDue) -> Events:
    return () if next(with_room(state), None) is not None else (FINISHED,)


REED_BARRICADE: Final = task(State, ReedBarricadeDue, course.ASK_03, its_seat, happens=_no_section).takes(
    ReedBarricade,
    (Check(reed.TWO_18, _no_room),),
    each=lambda state, _: map(ReedBarricade, with_room(state)),
    then=lambda case: caused(BarricadeBuilt(REED, case.move.section), FINISHED),
)


# An advisor is dismissed.


def _no_advisor(state: State, _: DismissDue) -> Events:
    return () if state.advisors.track else (FINISHED,)


def _not_on_track(case: Case[DismissDue, Dismiss]) -> Breach | None:
    return not_on_track(case.state, case.move.advisor)


DISMISS: Final = task(State, DismissDue, course.ASK_03, its_seat, happens=_no_advisor).takes(
    Dismiss,
    (Check(reed.TWO_17, _not_on_track),),
    each=lambda state, _: map(Dismiss, state.advisors.track),
    then=lambda case: caused(AdvisorDismissed(case.move.advisor), then(AdvisorsDue(1))),
)
