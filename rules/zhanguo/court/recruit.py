"""Recruiting an official (ZHG-CRT-10, -11), and recruiting by an effect."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import ActDue, Frame, RecruitDue
from rules.zhanguo.moves import Recruit
from rules.zhanguo.pieces import OFFICIALS, REGIONS, Action
from rules.zhanguo.queries import acting, awaits_seat, passes_test
from rules.zhanguo.resolve import recruited
from rules.zhanguo.state import State


def possible(state: State, seat: Seat) -> bool:
    """Whether anybody is left to recruit."""
    return any(state.players[seat].reserve(official) for official in OFFICIALS)


def _none_in_reserve(case: TaskCase[State, object, Recruit]) -> Breach | None:
    if case.state.players[acting(case.state)].reserve(case.move.official):
        return None
    return Breach(f"no {case.move.official.word} is left in reserve", (case.move.region.word,))


CHECKS: Final = ((Check(rulebook.CRT_10, _none_in_reserve),),)


def moves(state: State, due: ActDue) -> Iterator[Recruit]:
    """Every official in reserve, to every region."""
    for official in OFFICIALS:
        if state.players[due.seat].reserve(official):
            for region in REGIONS:
                yield Recruit(official, region)


def done(case: TaskCase[State, ActDue, Recruit]) -> tuple[e.Event, ...]:
    """One official comes."""
    seat, move = case.task.seat, case.move
    return (
        e.ActionTaken(seat, Action.RECRUIT, passes_test(case.state, Action.RECRUIT)),
        e.OfficialsRecruited(seat, move.official, move.region, 1),
    )


# By an effect


def _not_allowed(case: TaskCase[State, RecruitDue, Recruit]) -> Breach | None:
    if case.move.official not in case.task.types:
        return Breach(f"the effect brings no {case.move.official.word}")
    if case.move.region not in case.task.regions:
        return Breach(f"the effect brings nobody to {case.move.region.title}", (case.move.region.word,))
    return None


def _candidates(state: State, due: RecruitDue) -> Iterator[Recruit]:
    player = state.players[acting(state)]
    for official in due.types:
        if player.reserve(official):
            for region in due.regions:
                yield Recruit(official, region)


def _recruited(case: TaskCase[State, RecruitDue, Recruit]) -> tuple[e.Event, ...]:
    """All of one type at once; else one, and the next ones into the same region (AMB-53)."""
    due, move, seat = case.task, case.move, acting(case.state)
    rest: tuple[Frame, ...] = ()
    count = due.count
    if len(due.types) > 1:
        count = 1
        if due.count > 1:
            rest = (RecruitDue(due.types, (move.region,), due.count - 1),)
    wanted = e.OfficialsRecruited(seat, move.official, move.region, count)
    return (e.ChoiceMade(rest), *recruited(case.state, seat, wanted))


RECRUIT: Final = task(
    State, RecruitDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    Recruit,
    (Check(rulebook.STM_01, _not_allowed),),
    *CHECKS,
    each=_candidates,
    then=_recruited,
    exact=True,
)
