"""Events of rounds and turns, and choices that are due."""

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.events.base import OfSeat
from rules.zhanguo.frames import Frame
from rules.zhanguo.pieces import Action, Card, Region

# Rounds.


class RoundBegan(Struct, frozen=True):
    """A round begins."""

    round: int


class HandsDealt(Struct, frozen=True):
    """Everybody has drawn six cards that the record does not show."""


class CardDrawn(OfSeat, frozen=True):
    """A seat drew a card; None where it is not shown."""

    card: Card | None


class TurnBegan(OfSeat, frozen=True):
    """A seat plays."""


class WindowClosed(OfSeat, frozen=True):
    """A seat places no more soldiers for now."""


class RoundEnded(Struct, frozen=True):
    """A round is over."""


# Playing a card.


class CardUnified(OfSeat, frozen=True):
    """A card of the hand lies above the board."""

    card: Card
    region: Region


class CardPlayedAtCourt(OfSeat, frozen=True):
    """A card of the hand lies at Court."""

    card: Card


class PlayForfeited(OfSeat, frozen=True):
    """A card lies at Court without an action."""

    card: Card


class ActionTaken(OfSeat, frozen=True):
    """A Court action is taken, and the number test passed or not."""

    action: Action
    test: bool


class AbilityActivated(OfSeat, frozen=True):
    """The ability of a card is used."""

    card: Card


class ActivationEnded(OfSeat, frozen=True):
    """The activation step is over."""


# Choices.


class ChoicesDue(Struct, frozen=True):
    """Choices are pending, in this order, before everything else."""

    frames: tuple[Frame, ...]


class ChoiceMade(Struct, frozen=True):
    """The choice that was pending is made; this is what is left of it."""

    rest: tuple[Frame, ...]


class ChoiceLapsed(Struct, frozen=True):
    """The choice that was pending could not be made."""


# End.


class MatchEnded(Struct, frozen=True):
    """The match is scored: points by seat, and the winners."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
