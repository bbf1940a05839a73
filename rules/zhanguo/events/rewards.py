"""Events of phase 3."""

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.events.base import OfSeat


class RewardsBegan(Struct, frozen=True):
    """Nobody has a card left: rewards are offered."""


class RewardOffered(OfSeat, frozen=True):
    """A reward is offered."""

    row: int


class RewardPassed(OfSeat, frozen=True):
    """A reward was passed on, by choice or because it cannot be taken in full."""

    row: int
    forced: bool


class RewardAccepted(OfSeat, frozen=True):
    """A reward is taken."""

    row: int


class MarkerMoved(OfSeat, frozen=True):
    """The turn-order marker stands in a cell of the round."""

    row: int


class RowClosed(Struct, frozen=True):
    """Nobody else is offered the reward of a row."""

    row: int


class TurnOrderSet(Struct, frozen=True):
    """The turn order of the next round."""

    order: tuple[Seat, ...]


class PaymentOpened(OfSeat, frozen=True):
    """A seat may unlock soldiers."""


class SoldierPaid(OfSeat, frozen=True):
    """A seat has paid for one more soldier."""


class PaymentClosed(OfSeat, frozen=True):
    """A seat pays no more."""


class LimitsBegan(Struct, frozen=True):
    """Large tokens are back, and small ones are counted."""


class ReturnAsked(OfSeat, frozen=True):
    """A seat has too many tokens."""


class LimitKept(OfSeat, frozen=True):
    """A seat has returned enough."""
