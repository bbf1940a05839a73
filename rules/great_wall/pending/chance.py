"""What chance is asked for."""

from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class ArtefactsDue(Pending, frozen=True):
    """Artefacts are laid out."""


class RequestsDue(Pending, frozen=True):
    """Requests are laid out."""

    left: int


class TopDue(Pending, frozen=True):
    """The back of the top horde card is shown."""


class HordesDue(Pending, frozen=True):
    """Hordes are drawn."""

    left: int


class DealDue(Pending, frozen=True):
    """A seat is dealt generals."""

    seat: Seat


class AdviseDue(Pending, frozen=True):
    """A seat is dealt advisors."""

    seat: Seat


class AdvisorsDue(Pending, frozen=True):
    """The advisor track is filled."""

    left: int


class DrawDue(Pending, frozen=True):
    """A seat draws tactics."""

    seat: Seat
    left: int


class QinTrackDue(Pending, frozen=True):
    """Qin's location track is laid."""


class SoloDue(Pending, frozen=True):
    """Qin's strategy card is turned."""


class EventDue(Pending, frozen=True):
    """An event is revealed."""
