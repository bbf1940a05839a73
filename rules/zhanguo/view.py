"""What a viewer may see: everything but the fronts of other hands (ZHG-HID-01, -04)."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED
from rules.kernel.views import Views, hidden, secret
from rules.zhanguo.events import CardDrawn, Event
from rules.zhanguo.frames import DrawDue
from rules.zhanguo.moves import DrawCard, Move
from rules.zhanguo.player_board import Hand
from rules.zhanguo.state import State


def _backs(hand: Hand) -> Hand:
    return hand.backs


def _drawing(state: State, _: DrawCard) -> Seat | None:
    top = state.agenda[0] if state.agenda else None
    return top.seat if isinstance(top, DrawDue) else None


VIEWS: Final[Views[State, Move, Event]] = Views(
    State,
    hidden("players.hand", _backs),
    secret(DrawCard, "card", _drawing),
    secret(CardDrawn, "card", lambda _, event: event.seat),
)


def has_secrets(state: State) -> bool:
    """Where draws are recorded, hands are secret."""
    return state.table.draws is RECORDED
