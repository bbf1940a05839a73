"""Unrest that is lowered, and tokens of choice (ZHG-ABL-24, ZHG-UNI-05)."""

from typing import Final

from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import CalmDue, ResetDue, TakeDue
from rules.zhanguo.moves import Calm, Done, Reset, TakeToken
from rules.zhanguo.pieces import ASPECTS, REGIONS
from rules.zhanguo.queries import acting, awaits_seat, can_calm
from rules.zhanguo.state import State


def _calm_already(case: TaskCase[State, object, Calm | Reset]) -> Breach | None:
    region = case.move.region
    if isinstance(case.task, CalmDue) and region in case.task.apart:
        return Breach(f"{region.title} was chosen before", (region.word,))
    if not can_calm(case.state, acting(case.state), region):
        return Breach(f"{region.title} has no unrest", (region.word,))
    return None


def _calmed(case: TaskCase[State, CalmDue, Calm]) -> tuple[e.Event, ...]:
    due, region = case.task, case.move.region
    rest = (CalmDue(due.times - 1, (*due.apart, region)),) if due.times > 1 else ()
    return e.ChoiceMade(rest), e.UnrestLowered(acting(case.state), region, 1)


CALM: Final = task(
    State, CalmDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    Calm,
    (Check(rulebook.ABL_24, _calm_already),),
    each=lambda state, due: (
        Calm(region)
        for region in REGIONS
        if region not in due.apart and can_calm(state, acting(state), region)
    ),
    then=_calmed,
    exact=True,
)


def _reset(case: TaskCase[State, ResetDue, Reset]) -> tuple[e.Event, ...]:
    seat, region = acting(case.state), case.move.region
    rest = (ResetDue(case.task.most - 1),) if case.task.most > 1 else ()
    unrest = case.state.players[seat].domains[region].unrest
    return e.ChoiceMade(rest), e.UnrestLowered(seat, region, unrest)


RESET: Final = (
    task(State, ResetDue, rulebook.STM_01, awaits_seat, forced=True)
    .takes(
        Reset,
        (Check(rulebook.ABL_24, _calm_already),),
        each=lambda state, _: (Reset(region) for region in REGIONS if can_calm(state, acting(state), region)),
        then=_reset,
        exact=True,
    )
    .takes(Done, each=lambda _, __: (Done(),), then=lambda _: (e.ChoiceMade(()),), exact=True)
)


def _none_left(case: TaskCase[State, TakeDue, TakeToken]) -> Breach | None:
    if case.state.supply(case.move.aspect):
        return None
    return Breach(f"no token of {case.move.aspect.word} is left")


def _taken(case: TaskCase[State, TakeDue, TakeToken]) -> tuple[e.Event, ...]:
    rest = (TakeDue(case.task.count - 1),) if case.task.count > 1 else ()
    return e.ChoiceMade(rest), e.TokensGained(acting(case.state), case.move.aspect, 1)


TAKE: Final = task(
    State, TakeDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    TakeToken,
    (Check(rulebook.UNI_05, _none_left),),
    each=lambda state, _: (TakeToken(aspect) for aspect in ASPECTS if state.supply(aspect)),
    then=_taken,
    exact=True,
)
