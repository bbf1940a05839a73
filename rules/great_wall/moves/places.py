"""What a seat asks for at locations, for itself or for the Reed Clan."""

from rules.great_wall.kinds import Advisor, Kind, Location, Role, Section
from rules.great_wall.moves.base import Asked


class MoveClerk(Asked, frozen=True):
    """Move a clerk from the reserve (None) or a location to a location."""

    source: Location | None
    target: Location


class ActivateLocation(Asked, frozen=True):
    """Activate a location."""

    location: Location


class Upgrade(Asked, frozen=True):
    """Raise a foreman; a figure is named for the first level."""

    location: Location
    kind: Kind | None


class Donate(Asked, frozen=True):
    """Put a unit into the warehouse."""


class Rise(Asked, frozen=True):
    """Let the tea marker rise."""


class Study(Asked, frozen=True):
    """Draw tactics."""

    n: int


class HireClerk(Asked, frozen=True):
    """Hire a clerk."""


class HireAdvisor(Asked, frozen=True):
    """Hire an advisor of the track."""

    advisor: Advisor
    role: Role


class March(Asked, frozen=True):
    """March from one section to another."""

    origin: Section
    goal: Section


class Shift(Asked, frozen=True):
    """Move soldiers from rest zone to rest zone."""

    kind: Kind
    n: int


class Lower(Asked, frozen=True):
    """Move archers from slots to the rest zone."""

    n: int


class Cross(Asked, frozen=True):
    """Move archers from slots to slots."""

    n: int


class MoveReed(Asked, frozen=True):
    """Move a Reed clerk."""

    source: Location
    target: Location


class Dismiss(Asked, frozen=True):
    """Discard an advisor of the track for Reed."""

    advisor: Advisor
