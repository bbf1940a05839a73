"""Recruits and attack orders."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.aim import AIMED, archers_may_wound, faults, spot_faults, targets
from rules.great_wall.attacks import attack, shot
from rules.great_wall.events import Paid, Recruited
from rules.great_wall.kinds import KINDS, SECTIONS, Kind, Occasion, Section, Window, of_seat
from rules.great_wall.moves import Attack, Done, Recruit, Rest, Shoot
from rules.great_wall.occasions import has, on_occasion, short_of
from rules.great_wall.parts import cost_of
from rules.great_wall.pending import OrderDue, RecruitDue
from rules.great_wall.rulebook import cards, course, places, wall
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Due,
    Events,
    breach_if,
    caused,
    declined,
    in_window,
    only_done,
    playing,
    then,
)
from rules.great_wall.turns import strategy_window
from rules.great_wall.wall import soldiers_on
from rules.kernel.rule import Breach, Check, Rule
from rules.kernel.tasks import TaskCase, its_seat, task

# Recruits.


def _no_figure(case: Case[RecruitDue, Recruit]) -> Breach | None:
    usable = case.state.usable(case.task.seat, case.move.kind)
    if usable > 0:
        return None
    return Breach(f"{case.state.table.names[case.task.seat]} has no usable {case.move.kind.word} in reserve")


def _cannot_pay(case: Case[RecruitDue, Recruit]) -> Breach | None:
    cost = cost_of(case.state.table.parts, case.move.kind)
    return (
        None if has(case.state, case.task.seat, cost) else Breach(short_of(case.state, case.task.seat, cost))
    )


def _closed(case: Case[RecruitDue, Recruit]) -> Breach | None:
    target = case.move.target
    closed = isinstance(target, Rest) and case.state.sections[target.section] is None
    return breach_if(closed, f"the {target.section.word} section is closed", target.section.letter)


def _recruit_aim(rule: Rule) -> Check[TaskCase[State, RecruitDue, Recruit]]:
    def wrong(case: TaskCase[State, RecruitDue, Recruit]) -> Breach | None:
        if isinstance(case.move.target, Rest):
            return None
        return faults(case.state, case.move.kind, case.move.target).get(rule)

    return Check(rule, wrong)


def _recruits(state: State, due: RecruitDue) -> Iterator[Recruit]:
    parts = state.table.parts
    kinds = tuple(
        kind
        for kind in KINDS
        if state.usable(due.seat, kind) > 0 and has(state, due.seat, cost_of(parts, kind))
    )
    for section in state.table.sections:
        yield from (Recruit(kind, target) for kind, target in targets(state, section, kinds))
        yield from (Recruit(kind, Rest(section)) for kind in kinds)


def _recruited(case: Case[RecruitDue, Recruit]) -> Events:
    state, due, move = case.state, case.task, case.move
    seat, target = due.seat, move.target
    sent: Events = () if isinstance(target, Rest) else attack(state, seat, move.kind, target)
    rest = (RecruitDue(seat, due.left - 1),) if due.left > 1 else ()
    return (
        Paid(seat, cost_of(state.table.parts, move.kind)),
        Recruited(seat, move.kind, target.section),
        *on_occasion(state, of_seat(seat), Occasion.RECRUIT),
        *sent,
        then(*rest),
    )


RECRUIT: Final = (
    playing(task(State, RecruitDue, course.ASK_03, its_seat), in_window(Window.RESOLVE))
    .takes(
        Recruit,
        (Check(places.BAR_01, _no_figure),),
        (Check(places.BAR_02, _cannot_pay),),
        (Check(places.BAR_03, _closed), *map(_recruit_aim, AIMED)),
        each=_recruits,
        then=_recruited,
        exact=True,
    )
    .takes(Done, each=only_done, then=declined)
)


# Attack orders.


def _resting(state: State, due: OrderDue, section: Section, kind: Kind) -> int:
    wall_section = state.sections[section]
    return 0 if wall_section is None else wall_section.rest[due.seat][kind]


def _to_shoot(state: State, due: OrderDue, section: Section) -> int:
    """Archers in slots that have not attacked under this order."""
    wall_section = state.sections[section]
    return 0 if wall_section is None else wall_section.firing[due.seat] - due.shot[section]


def _attacks(state: State, due: OrderDue) -> Iterator[Attack]:
    for section in SECTIONS:
        kinds = tuple(kind for kind in KINDS if _resting(state, due, section, kind))
        for kind, target in targets(state, section, kinds):
            if not isinstance(target, Rest):
                yield Attack(kind, target)


def _shots(state: State, due: OrderDue) -> Iterator[Shoot]:
    for section in SECTIONS:
        if _to_shoot(state, due, section) > 0:
            yield from map(Shoot, archers_may_wound(state, section))


def _no_attack(state: State, due: OrderDue) -> Events:
    some = next(_attacks(state, due), None) is not None or next(_shots(state, due), None) is not None
    return () if some else (FINISHED,)


def _not_resting(case: Case[OrderDue, Attack]) -> Breach | None:
    section, kind = case.move.target.section, case.move.kind
    resting = _resting(case.state, case.task, section, kind)
    return breach_if(not resting, f"no {kind.word} rests in {section.letter}", section.letter)


def _on_a_horde(case: Case[OrderDue, Attack]) -> Breach | None:
    section, kind = case.move.target.section, case.move.kind
    wall_section = case.state.sections[section]
    if wall_section is None or _resting(case.state, case.task, section, kind):
        return None
    clan = of_seat(case.task.seat)
    stands = any(soldiers_on(lying.marks, clan)[kind] for lying in wall_section.hordes)
    return breach_if(stands, f"the {kind.word} on a horde cannot attack again", section.letter)


def _order_aim(rule: Rule) -> Check[TaskCase[State, OrderDue, Attack]]:
    return Check(rule, lambda case: faults(case.state, case.move.kind, case.move.target).get(rule))


def _attacked(case: Case[OrderDue, Attack]) -> Events:
    due, move = case.task, case.move
    posted = move.kind is Kind.ARCHER
    return (
        *attack(case.state, due.seat, move.kind, move.target),
        then(_after(due, move.target.section) if posted else due),
    )


def _after(due: OrderDue, section: Section) -> OrderDue:
    """One archer of the section more has attacked."""
    return OrderDue(due.seat, tuple(n + (each == section) for each, n in enumerate(due.shot)))


def shot_aim(rule: Rule, case: TaskCase[State, Due, Shoot]) -> Breach | None:
    """Why an archer in a slot cannot wound a spot."""
    return spot_faults(case.state, Kind.ARCHER, case.move.target).get(rule)


def _none_left(case: Case[OrderDue, Shoot]) -> Breach | None:
    section = case.move.target.section
    left = _to_shoot(case.state, case.task, section)
    return breach_if(left <= 0, f"no archer is left to fire in {section.letter}", section.letter)


ORDER: Final = (
    playing(
        task(State, OrderDue, course.ASK_03, its_seat, happens=_no_attack),
        lambda state, due: strategy_window(state, due.seat),
    )
    .takes(
        Attack,
        (Check(wall.ATK_02, _not_resting), Check(wall.ATK_03, _on_a_horde)),
        tuple(map(_order_aim, AIMED)),
        each=_attacks,
        then=_attacked,
        exact=True,
    )
    .takes(
        Shoot,
        (Check(wall.ATK_08, _none_left),),
        (
            Check(wall.ATK_08, lambda case: shot_aim(wall.ATK_08, case)),
            Check(cards.CRD_13, lambda case: shot_aim(cards.CRD_13, case)),
        ),
        each=_shots,
        then=lambda case: caused(
            *shot(case.state, of_seat(case.task.seat), case.move.target),
            then(_after(case.task, case.move.target.section)),
        ),
        exact=True,
    )
    .takes(Done, each=only_done, then=declined)
)
