"""Set-up and the course of the year."""

from rules.great_wall.kinds import Clan
from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class GeneralDue(Pending, frozen=True):
    """Everybody keeps a general."""


class ActiveDue(Pending, frozen=True):
    """Everybody makes an advisor active."""


class OpenGeneralDue(Pending, frozen=True):
    """A seat keeps a general, where deals are not recorded."""

    seat: Seat


class OpenActiveDue(Pending, frozen=True):
    """A seat makes an advisor active, where deals are not recorded."""

    seat: Seat


class SetOut(Pending, frozen=True):
    """The tea markers are stacked and the generals' resources taken."""


class Spring(Pending, frozen=True):
    """Spring begins."""


class EnlistDue(Pending, frozen=True):
    """In solo the player gives Qin an advisor."""


class DropAdvisors(Pending, frozen=True):
    """The leftmost advisors of the track go to the discard."""

    n: int


class Summer(Pending, frozen=True):
    """Summer begins."""


class CleanseDue(Pending, frozen=True):
    """A seat may discard shame."""

    seat: Seat


class ClearTrack(Pending, frozen=True):
    """The strategy track is cleared, and cards may be recovered."""


class RecoverDue(Pending, frozen=True):
    """A seat recovers its strategy cards or takes honour."""

    seat: Seat


class Autumn(Pending, frozen=True):
    """Autumn begins."""


class PickDue(Pending, frozen=True):
    """Everybody picks a strategy card in secret."""


class Places(Pending, frozen=True):
    """The revealed cards are to be placed on the track."""


class PlaceDue(Pending, frozen=True):
    """A seat places its card."""

    seat: Seat


class ClanPlaces(Pending, frozen=True):
    """Reed or Qin takes the first free space."""

    clan: Clan


class Turns(Pending, frozen=True):
    """The turns of the placed cards begin."""


class Turn(Pending, frozen=True):
    """The turn of the card on a space."""

    space: int


class TurnOver(Pending, frozen=True):
    """The end of a clan's turn."""

    clan: Clan


class Winter(Pending, frozen=True):
    """Winter begins."""


class YearEnd(Pending, frozen=True):
    """The year ends."""


class EndCheck(Pending, frozen=True):
    """The end conditions are tested."""


class NextYear(Pending, frozen=True):
    """What follows a year that did not end the match."""
