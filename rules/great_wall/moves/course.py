"""What a seat asks for in the course of a year: choices, cards, tactics, shame and requests."""

from rules.great_wall.kinds import Advisor, Clan, General, Request, Resource, Sealed, Strategy, Tactic
from rules.great_wall.moves.base import Asked, Shamed


class ChooseGeneral(Asked, frozen=True):
    """Keep a general."""

    general: General | Sealed


class ChooseActive(Asked, frozen=True):
    """Make a dealt advisor active."""

    advisor: Advisor | Sealed


class Pick(Asked, frozen=True):
    """Pick a strategy card in secret."""

    card: Strategy | Sealed


class Place(Asked, frozen=True):
    """Place the card on a space of the track."""

    space: int


class TakeResource(Asked, frozen=True):
    """Take a unit."""

    resource: Resource


class Copy(Asked, frozen=True):
    """Copy the card of a clan."""

    clan: Clan


class PlaceShame(Asked, frozen=True):
    """Place a gained token."""

    token: Shamed


class Shed(Asked, frozen=True):
    """Give up honour instead of placing the token."""


class Cleanse(Asked, frozen=True):
    """Return a token to the pool."""

    token: Shamed


class Absolve(Asked, frozen=True):
    """Return a token to the pool by Reed's clerk in the temple."""

    token: Shamed


class PlayTactic(Asked, frozen=True):
    """Play a tactic."""

    tactic: Tactic
    boosted: bool


class DiscardTactic(Asked, frozen=True):
    """Discard a tactic over the limit."""

    tactic: Tactic


class RecoverAll(Asked, frozen=True):
    """Take back all strategy cards."""


class TakeHonour(Asked, frozen=True):
    """Take honour for discarded strategy cards."""


class RecoverOne(Asked, frozen=True):
    """Take back one strategy card."""

    card: Strategy


class Enlist(Asked, frozen=True):
    """Give Qin an advisor."""

    advisor: Advisor


class Fulfil(Asked, frozen=True):
    """Fulfil a request, or propose to."""

    request: Request


class Agree(Asked, frozen=True):
    """Agree to a request."""


class Refuse(Asked, frozen=True):
    """Refuse a request."""


class Done(Asked, frozen=True):
    """Do nothing more."""
