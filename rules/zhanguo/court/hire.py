"""Hiring two workers (ZHG-CRT-40, -41), and hiring by an effect."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import ActDue, HireDue
from rules.zhanguo.moves import Hire
from rules.zhanguo.pieces import REGIONS, UNREST, Action, Official, Region
from rules.zhanguo.queries import acting, awaits_seat, passes_test
from rules.zhanguo.state import State

WORKERS: Final = 2


def _fits(state: State, seat: Seat, region: Region) -> bool:
    domain = state.players[seat].domains[region]
    return domain.officials[Official.GENERAL] > 0 and domain.unrest < UNREST


def possible(state: State, seat: Seat) -> bool:
    """Whether some region has a general and takes more unrest."""
    return any(_fits(state, seat, region) for region in REGIONS)


def _cannot_hire(case: TaskCase[State, ActDue, Hire]) -> Breach | None:
    region = case.move.region
    domain = case.state.players[case.task.seat].domains[region]
    if not domain.officials[Official.GENERAL]:
        return Breach(f"no general is in {region.title}", (region.word,))
    if domain.unrest >= UNREST:
        return Breach(f"{region.title} is at unrest {UNREST}", (region.word,))
    return None


def _too_restless(case: TaskCase[State, ActDue, Hire]) -> Breach | None:
    region = case.move.region
    if case.state.players[case.task.seat].domains[region].unrest < UNREST:
        return None
    return Breach(f"{region.title} would be at unrest {UNREST + 1}", (region.word,))


CHECKS: Final = ((Check(rulebook.CRT_40, _cannot_hire), Check(rulebook.UNR_02, _too_restless)),)


def moves(state: State, due: ActDue) -> Iterator[Hire]:
    """Every region that takes workers."""
    return (Hire(region) for region in REGIONS if _fits(state, due.seat, region))


def done(case: TaskCase[State, ActDue, Hire]) -> tuple[e.Event, ...]:
    """Two workers come, and unrest rises."""
    seat, region = case.task.seat, case.move.region
    return (
        e.ActionTaken(seat, Action.HIRE, passes_test(case.state, Action.HIRE)),
        e.WorkersHired(seat, region, WORKERS),
        e.UnrestRaised(seat, region, 1),
    )


def _not_allowed(case: TaskCase[State, HireDue, Hire]) -> Breach | None:
    if case.move.region in case.task.regions:
        return None
    return Breach(f"the effect brings nobody to {case.move.region.title}", (case.move.region.word,))


def _hired(case: TaskCase[State, HireDue, Hire]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.WorkersHired(acting(case.state), case.move.region, case.task.count)


HIRE: Final = task(
    State, HireDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    Hire,
    (Check(rulebook.STM_01, _not_allowed),),
    each=lambda _, due: (Hire(region) for region in due.regions),
    then=_hired,
    exact=True,
)
