"""What is secret: hands, and the cards that go into them."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.views import Views, hidden, secret
from rules.khan.cards import UNKNOWN, Hand
from rules.khan.events import CardDrawn, Event
from rules.khan.moves import DrawCard, Move
from rules.khan.state import Drawing, State


def _face_down(hand: Hand) -> Hand:
    return bytes((UNKNOWN,)) * len(hand)


def _drawing(state: State, _: DrawCard) -> Seat | None:
    return state.turn.seat if isinstance(state.turn, Drawing) else None


VIEWS: Final[Views[State, Move, Event]] = Views(
    State,
    hidden("hands", _face_down),
    secret(DrawCard, "card", _drawing),
    secret(CardDrawn, "card", lambda _, event: event.seat),
)
