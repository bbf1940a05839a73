"""What is awaited, how moves are judged and which are legal: from Khan's tasks."""

from collections.abc import Callable
from typing import Final, TypeAlias

from rules.kernel.actors import CHANCE
from rules.kernel.agenda import Agenda, by_checks
from rules.kernel.rule import Breach, Check, Violation
from rules.kernel.tasks import TaskCase
from rules.khan import moves as m
from rules.khan import rulebook, tasks
from rules.khan import state as s
from rules.khan.events import Event
from rules.khan.evolve import fold
from rules.khan.state import State
from rules.khan.view import VIEWS

Task: TypeAlias = s.Proposal | s.Step


def pending(state: State) -> tuple[Task, ...]:
    """What is due: an answer to the proposal before anything else."""
    turn = state.turn
    if isinstance(turn, s.Over):
        return ()
    return (turn,) if state.proposal is None else (state.proposal, turn)


def awaited(state: State) -> str:
    """What is awaited, in words."""
    names, turn = state.table.names, state.turn
    if state.proposal is not None:
        return f"{' and '.join(names[seat] for seat in state.proposal.waiting)} must answer the proposal"
    seat = "" if isinstance(turn, s.Beginning | s.Over) else names[turn.seat]
    return _AWAITED_TEXTS[type(turn)].format(seat)


_AWAITED_TEXTS: Final[dict[type[s.Turn], str]] = {
    s.Beginning: "the first player is to be drawn",
    s.Opening: "{} is to place an opening yurt",
    s.Drawing: "{} is to be given a card",
    s.Turning: "a card is to be turned for {}",
    s.Acting: "{} is to act",
    s.Discarding: "{} may discard cards",
    s.Choosing: "{} may use a special card",
    s.Conquering: "{} is to conquer",
    s.Over: "the match is over",
}


# What a move breaks that the step does not take.

_Attempt: TypeAlias = TaskCase[State, Task, object]


def _has_no_such_power(case: _Attempt) -> Breach | None:
    by_chance = isinstance(case.move, m.ChanceMove)
    if by_chance == (case.actor is CHANCE):
        return None
    return Breach(
        "that comes by chance, not by a seat's wish" if by_chance else "chance only deals and draws"
    )


def _answers_nothing(case: _Attempt) -> Breach | None:
    # Before the first turn a yurt is due, and an answer is no worse than any other move (KHAN-SETUP-6).
    refused = isinstance(case.move, m.Agree | m.Refuse) and not isinstance(case.task, s.Opening)
    return Breach("nothing was proposed") if refused else None


def _in(
    kind: type[Task], why: str, when: Callable[[_Attempt], bool] = lambda _: True
) -> Callable[[_Attempt], Breach | None]:
    """The test that in such a step only its own moves are made."""
    return lambda case: Breach(why) if isinstance(case.task, kind) and when(case) else None


def _in_step_1(case: _Attempt) -> bool:
    return isinstance(case.task, s.Turning) and case.task.leader is None


def _asks_to_act(case: _Attempt) -> bool:
    return isinstance(case.move, m.Action)


POWER: Final = (Check(rulebook.TURN_1, _has_no_such_power),)
ANSWER: Final = (
    Check(rulebook.CONSENT_1, _in(s.Proposal, "an answer to the proposal is due: agree or refuse")),
    Check(rulebook.CONSENT_1, _answers_nothing),
)
STEP: Final = (
    Check(rulebook.SETUP_5, _in(s.Beginning, "the first player is to be drawn before any card")),
    Check(rulebook.SETUP_6, _in(s.Opening, "an opening yurt is to be placed")),
    Check(rulebook.SETUP_7, _in(s.Drawing, "a card is to be dealt", lambda case: case.state.is_dealing)),
    Check(
        rulebook.HAND_1, _in(s.Drawing, "a hand is to be refilled", lambda case: not case.state.is_dealing)
    ),
    Check(rulebook.CHASE_1, _in(s.Turning, "a card is to be turned for step 1", _in_step_1)),
    Check(
        rulebook.ACT_B,
        _in(s.Turning, "a card is to be turned for the leader named", lambda case: not _in_step_1(case)),
    ),
    Check(rulebook.TURN_1, _in(s.Acting, "an action is due")),
    Check(rulebook.TURN_1, _in(s.Discarding, "first say which cards to discard, or done")),
    Check(
        rulebook.TURN_2,
        _in(s.Choosing, "the actions are spent, and another one takes High Morale", _asks_to_act),
    ),
    Check(
        rulebook.TURN_1,
        _in(s.Choosing, "a special card may be used now, or none", lambda case: not _asks_to_act(case)),
    ),
    Check(rulebook.FINAL_1, _in(s.Conquering, "in the final phase there are only conquests")),
)


AGENDA: Final[Agenda[State, Task, m.Move, Event]] = Agenda(
    Task,
    tasks.CONSENT,
    tasks.BEGINNING,
    tasks.OPENING,
    tasks.DRAWING,
    tasks.TURNING,
    tasks.ACTING,
    tasks.DISCARDING,
    tasks.CHOOSING,
    tasks.CONQUERING,
    pending=pending,
    fold=fold,
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(rulebook.TURN_1, awaited(state)),
    not_now=by_checks(POWER, ANSWER, STEP),
)
