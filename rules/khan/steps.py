"""The moves that each step allows, and the rule that any other move breaks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Breach, Check
from rules.khan import rulebook
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Explore,
    Finish,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    Pass,
    PlaceYurt,
    RaiseMorale,
    Refuse,
    TurnCard,
)
from rules.khan.state import (
    ACTIONS,
    Acting,
    Beginning,
    Choosing,
    Conquering,
    Discarding,
    Drawing,
    Opening,
    Over,
    State,
    Turn,
    Turning,
)
from rules.khan.waiting import awaiting, told

_CHANCE: Final = (DrawFirstPlayer, TurnCard, DrawCard)
_ANSWERS: Final = (Agree, Refuse)
_ACTIONS: Final = (Invade, Chase, Conquer, InvadeAnywhere, Pass)

TAKES: Final[dict[type[Turn], tuple[type[Move], ...]]] = {
    Beginning: (DrawFirstPlayer,),
    Opening: (PlaceYurt,),
    Drawing: (DrawCard,),
    Turning: (TurnCard,),
    Acting: _ACTIONS,
    Discarding: (Discard, Finish),
    Choosing: (RaiseMorale, InvokeProtection, InvokeSupport, Explore, Finish),
    Conquering: (Conquer, Pass),
    Over: (),
}
"""By what is awaited, while no proposal is open."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A request of an actor."""

    state: State
    actor: Actor
    move: Move

    @property
    def by_chance(self) -> bool:
        """Whether the move is one of chance."""
        return isinstance(self.move, _CHANCE)

    @property
    def answers(self) -> bool:
        """Whether the move answers a proposal."""
        return isinstance(self.move, _ANSWERS)


def fits(case: Asking) -> bool:
    """Whether the actor is awaited, and for such a move."""
    state, move = case.state, case.move
    if case.actor not in awaiting(state):
        return False
    if state.proposal is not None:
        return isinstance(move, _ANSWERS)
    if isinstance(move, InvadeAnywhere) and (state.morale or state.left < ACTIONS):
        return False
    return isinstance(move, TAKES[type(state.turn)])


def _acts_out_of_turn(case: Asking) -> Breach | None:
    return None if case.actor in awaiting(case.state) else Breach(told(case.state))


TURN: Final = (Check(rulebook.TURN_1, _acts_out_of_turn),)


def _has_no_such_power(case: Asking) -> Breach | None:
    if case.by_chance == (case.actor is CHANCE):
        return None
    return Breach(
        "that comes by chance, not by a seat's wish" if case.by_chance else "chance only deals and draws"
    )


POWER: Final = (Check(rulebook.TURN_1, _has_no_such_power),)


def _answers_amiss(case: Asking) -> Breach | None:
    if case.state.proposal is not None:
        return None if case.answers else Breach("an answer to the proposal is due: agree or refuse")
    # Before the first turn a yurt is due, and an answer is no worse than any other move (KHAN-SETUP-6).
    amiss = case.answers and not isinstance(case.state.turn, Opening)
    return Breach("nothing was proposed") if amiss else None


ANSWER: Final = (Check(rulebook.CONSENT_1, _answers_amiss),)


def _unless(
    turn: type[Turn], why: str, applies: Callable[[Asking], bool]
) -> Callable[[Asking], Breach | None]:
    """The test that in such a step only its own moves are made."""

    def test(case: Asking) -> Breach | None:
        now = case.state.turn
        if not isinstance(now, turn) or isinstance(case.move, TAKES[turn]) or not applies(case):
            return None
        return Breach(why)

    return test


def _always(_: Asking) -> bool:
    return True


def _in_the_deal(case: Asking) -> bool:
    return case.state.is_dealing


def _in_step_1(case: Asking) -> bool:
    return isinstance(case.state.turn, Turning) and case.state.turn.leader is None


def _asks_to_act(case: Asking) -> bool:
    return isinstance(case.move, _ACTIONS)


def _doubles_high_morale(case: Asking) -> Breach | None:
    if isinstance(case.state.turn, Acting) and isinstance(case.move, InvadeAnywhere) and case.state.morale:
        return Breach("High Morale gives a single action, and this is a double one")
    return None


def _lacks_an_action(case: Asking) -> Breach | None:
    state = case.state
    spent = isinstance(state.turn, Acting) and not state.morale and state.left < ACTIONS
    if spent and isinstance(case.move, InvadeAnywhere):
        return Breach("one action is spent, and this takes both")
    return None


STEP: Final = (
    Check(rulebook.SETUP_5, _unless(Beginning, "the first player is to be drawn before any card", _always)),
    Check(rulebook.SETUP_6, _unless(Opening, "an opening yurt is to be placed", _always)),
    Check(rulebook.SETUP_7, _unless(Drawing, "a card is to be dealt", _in_the_deal)),
    Check(rulebook.HAND_1, _unless(Drawing, "a hand is to be refilled", lambda case: not _in_the_deal(case))),
    Check(rulebook.CHASE_1, _unless(Turning, "a card is to be turned for step 1", _in_step_1)),
    Check(
        rulebook.ACT_B,
        _unless(Turning, "a card is to be turned for the leader named", lambda case: not _in_step_1(case)),
    ),
    Check(rulebook.SPEC_M, _doubles_high_morale),
    Check(rulebook.ACT_D, _lacks_an_action),
    Check(rulebook.TURN_1, _unless(Acting, "an action is due", _always)),
    Check(rulebook.TURN_1, _unless(Discarding, "first say which cards to discard, or done", _always)),
    Check(
        rulebook.TURN_2,
        _unless(Choosing, "the actions are spent, and another one takes High Morale", _asks_to_act),
    ),
    Check(
        rulebook.TURN_1,
        _unless(Choosing, "a special card may be used now, or none", lambda case: not _asks_to_act(case)),
    ),
    Check(rulebook.FINAL_1, _unless(Conquering, "in the final phase there are only conquests", _always)),
)
