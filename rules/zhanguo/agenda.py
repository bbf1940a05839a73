"""Zhanguo's agenda: every kind of frame, and what a move breaks that the frame does not take (ZHG-CHK)."""

from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.agenda import Agenda
from rules.kernel.rule import Violation
from rules.kernel.tasks import AnyTask, TaskCase
from rules.zhanguo import rulebook
from rules.zhanguo.awaited import awaited
from rules.zhanguo.court import elixir, governor, hire, palace, recruit, wall
from rules.zhanguo.events import Event
from rules.zhanguo.evolve import fold
from rules.zhanguo.frames import Frame, SoldiersDue, Window
from rules.zhanguo.moves import Move
from rules.zhanguo.rival import soldiers as rival_soldiers
from rules.zhanguo.rival import turn as rival_turn
from rules.zhanguo.state import State
from rules.zhanguo.tasks import calming, dealing, limits, moving, playing, rewards, rounds, soldiers


def _not_now(kind: AnyTask[State, Move, Event], case: TaskCase[State, Frame, Move]) -> tuple[Violation, ...]:
    """A move of the wrong kind breaks the rule of the frame; windows of phase 3 have one of their own."""
    in_phase_3 = isinstance(case.task, SoldiersDue) and case.task.window is not Window.TURN
    return (Violation(rulebook.MAU_06 if in_phase_3 else kind.rule, awaited(case.state)),)


def _out_of_turn(state: State, _: Actor) -> Violation:
    return Violation(rulebook.STM_03, awaited(state))


def _unchanged(state: State) -> State:
    """No choice that is made or lapses by itself reads a hand, so the state serves as its public view."""
    return state


AGENDA: Final[Agenda[State, Frame, Move, Event]] = Agenda(
    Frame,
    dealing.FIRST,
    dealing.DEAL,
    rounds.START,
    rounds.DRAW,
    rounds.ROUND,
    playing.PLAY,
    playing.ACT,
    playing.STEP,
    playing.TURN,
    soldiers.SOLDIERS,
    soldiers.SOLDIER,
    rewards.ROW,
    rewards.OFFER,
    rewards.REWARD,
    limits.PAY,
    limits.PAYMENT,
    limits.LIMIT,
    limits.RETURN,
    recruit.RECRUIT,
    elixir.SYMBOL,
    elixir.MASTER,
    elixir.PLACE,
    governor.INSTALL,
    hire.HIRE,
    palace.PALACE,
    palace.TILE,
    palace.LARGE,
    wall.WALL,
    wall.EMPEROR,
    moving.OFFICIAL_STEPS,
    moving.WORKER_STEPS,
    calming.CALM,
    calming.RESET,
    calming.TAKE,
    rival_turn.REVEAL,
    rival_turn.RIVAL,
    rival_turn.CARD,
    rival_turn.RIVAL_ALCHEMIST,
    rival_turn.RIVAL_MASTER,
    rival_soldiers.RIVAL_SOLDIER,
    pending=lambda state: state.agenda,
    fold=fold,
    public=_unchanged,
    out_of_turn=_out_of_turn,
    not_now=_not_now,
)
