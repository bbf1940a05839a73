"""What happens at an activated location."""

from rules.great_wall.kinds import Clan, Location, Section
from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class StartActs(Pending, frozen=True):
    """The activation step of a clan's turn begins."""

    clan: Clan


class ActsDue(Pending, frozen=True):
    """The activation step of a clan's turn: what was activated, and what Qin's order still has."""

    clan: Clan
    done: tuple[Location, ...]
    fixed: tuple[Location, ...]


class Activate(Pending, frozen=True):
    """A location is activated."""

    location: Location
    advanced: bool


class Collect(Pending, frozen=True):
    """The first step of a production location: these clans still collect."""

    location: Location
    clans: tuple[Clan, ...]


class Upgrading(Pending, frozen=True):
    """Its second step."""

    location: Location


class Donating(Pending, frozen=True):
    """Its third step."""

    location: Location


class Home(Pending, frozen=True):
    """Clerks go home."""

    location: Location
    advanced: bool


class UpgradeDue(Pending, frozen=True):
    """A seat may upgrade its foreman."""

    seat: Seat
    location: Location


class DonateDue(Pending, frozen=True):
    """A seat may donate."""

    seat: Seat
    location: Location


class RiseDue(Pending, frozen=True):
    """A seat's tea marker may rise, to the top where the tea house is its own."""

    seat: Seat
    alone: bool


class RecruitDue(Pending, frozen=True):
    """A seat may recruit."""

    seat: Seat
    left: int


class BuildDue(Pending, frozen=True):
    """A seat may build; sections whose wall it has built already."""

    seat: Seat
    left: int
    built: tuple[Section, ...]


class AgainDue(Pending, frozen=True):
    """In co-op a builder may take back a strategy card."""

    seat: Seat


class HireDue(Pending, frozen=True):
    """A seat may hire."""

    seat: Seat
    left: int


class MarchDue(Pending, frozen=True):
    """A seat may march."""

    seat: Seat
    left: int


class ShiftDue(Pending, frozen=True):
    """A seat that marches moves soldiers from one section to another."""

    seat: Seat
    origin: Section
    goal: Section


class StudyDue(Pending, frozen=True):
    """A seat may draw tactics."""

    seat: Seat
    most: int


class Settle(Pending, frozen=True):
    """A seat is credited what it is owed."""

    seat: Seat


class ReedAt(Pending, frozen=True):
    """What Reed's clerk does at a location."""

    location: Location


class QinAt(Pending, frozen=True):
    """What Qin's clerks do at a location."""

    location: Location


class ReedSpearDue(Pending, frozen=True):
    """The overlord places a Reed spearman."""

    seat: Seat


class ReedBarricadeDue(Pending, frozen=True):
    """The overlord places a barricade for Reed."""

    seat: Seat


class DismissDue(Pending, frozen=True):
    """The overlord discards an advisor."""

    seat: Seat


class AbsolveDue(Pending, frozen=True):
    """The active player returns a shame token free of cost."""

    seat: Seat
