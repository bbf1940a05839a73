"""What happens to clerks and at locations."""

from rules.great_wall.events.base import Happening, Way
from rules.great_wall.kinds import Advisor, Clan, Kind, Location, Resource, Role, Section, Token
from rules.kernel.actors import Seat


class ClerkMoved(Happening, frozen=True):
    """A clerk has gone from the reserve (None) or a location to a location."""

    clan: Clan
    source: Location | None
    target: Location


class LocationActivated(Happening, frozen=True):
    """A location is activated."""

    location: Location
    advanced: bool


class Collected(Happening, frozen=True):
    """A seat has collected."""

    seat: Seat
    resource: Resource
    n: int


class ForemanUpgraded(Happening, frozen=True):
    """A foreman has risen; a figure of this kind is the new one."""

    clan: Clan
    location: Location
    kind: Kind | None


class Donated(Happening, frozen=True):
    """A unit lies in the warehouse."""

    clan: Clan
    resource: Resource


class ClerksReturned(Happening, frozen=True):
    """Clerks have gone home; Reed's stay."""

    location: Location


class TokenAdvanced(Happening, frozen=True):
    """A token lies on the highest space of Qin's track."""

    token: Token


class TeaRose(Happening, frozen=True):
    """A marker has risen some places."""

    clan: Clan
    places: int


class ClerkHired(Happening, frozen=True):
    """A seat has one clerk more."""

    seat: Seat


class AdvisorHired(Happening, frozen=True):
    """A seat has one advisor more."""

    seat: Seat
    advisor: Advisor
    role: Role


class AdvisorDismissed(Happening, frozen=True):
    """An advisor of the track is discarded."""

    advisor: Advisor


class SoldiersMoved(Happening, frozen=True):
    """Soldiers have marched."""

    seat: Seat
    kind: Kind
    n: int
    origin: Section
    goal: Section
    way: Way
