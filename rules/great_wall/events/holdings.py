"""What happens to resources, honour, shame and tactics."""

from rules.great_wall.events.base import Happening
from rules.great_wall.kinds import Cause, Clan, Figures, Holdings, Request, Resource, Tactic
from rules.great_wall.moves import Shamed
from rules.kernel.actors import Seat


class Gained(Happening, frozen=True):
    """A seat has gained resources."""

    seat: Seat
    resource: Resource
    n: int
    cause: Cause


class RewardOwed(Happening, frozen=True):
    """A seat will be credited resources when the resolution ends."""

    seat: Seat
    resource: Resource
    n: int
    cause: Cause


class OwedCredited(Happening, frozen=True):
    """A seat has what it was owed."""

    seat: Seat


class Paid(Happening, frozen=True):
    """A seat has paid."""

    seat: Seat
    resources: Holdings


class Lost(Happening, frozen=True):
    """A seat has lost resources."""

    seat: Seat
    resource: Resource
    n: int


class HonourGained(Happening, frozen=True):
    """A clan has more honour."""

    clan: Clan
    n: int
    cause: Cause


class HonourLost(Happening, frozen=True):
    """A clan has less honour."""

    clan: Clan
    n: int
    cause: Cause


class ShameGained(Happening, frozen=True):
    """A seat has a token of the pool in hand."""

    seat: Seat


class ShamePlaced(Happening, frozen=True):
    """The token lies under a figure or on a claimed horde."""

    seat: Seat
    token: Shamed


class ShameShed(Happening, frozen=True):
    """The token is back in the pool."""

    seat: Seat


class ShameRemoved(Happening, frozen=True):
    """The token has left the game."""

    seat: Seat


class ShameReturned(Happening, frozen=True):
    """A token that lay somewhere is back in the pool."""

    seat: Seat
    token: Shamed


class TacticPlayed(Happening, frozen=True):
    """A seat has played a tactic."""

    seat: Seat
    tactic: Tactic
    boosted: bool


class TacticSpent(Happening, frozen=True):
    """A played tactic is discarded."""

    seat: Seat
    tactic: Tactic


class TacticDiscarded(Happening, frozen=True):
    """A seat has discarded a tactic from its hand."""

    seat: Seat
    tactic: Tactic


class SavesGranted(Happening, frozen=True):
    """A seat may save soldiers without chi."""

    seat: Seat
    n: int


class SavesUsed(Happening, frozen=True):
    """A seat has saved soldiers without chi."""

    seat: Seat
    n: int


class SavesLapsed(Happening, frozen=True):
    """Free saves that are left are gone."""


class RequestProposed(Happening, frozen=True):
    """A seat has proposed a request that everybody pays for."""

    seat: Seat
    request: Request


class RequestAgreed(Happening, frozen=True):
    """A seat has agreed to a request."""

    seat: Seat
    request: Request


class RequestRefused(Happening, frozen=True):
    """A seat has refused a request, which ends the proposal."""

    seat: Seat
    request: Request


class RequestFulfilled(Happening, frozen=True):
    """A request is fulfilled."""

    request: Request


class SacrificeMade(Happening, frozen=True):
    """Figures of a seat's reserve have left the game."""

    seat: Seat
    figures: Figures


class Declined(Happening, frozen=True):
    """A seat does nothing more."""

    seat: Seat
