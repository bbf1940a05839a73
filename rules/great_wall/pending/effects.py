"""What effects of cards ask for."""

from rules.great_wall.kinds import Clan, Location, Script, Tactic
from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class Others(Pending, frozen=True):
    """A block for every clan but this one."""

    clan: Clan
    script: Script


class Do(Pending, frozen=True):
    """The operations of a list, from a place in it, for a clan."""

    clan: Clan
    script: Script
    at: int


class ClerksDue(Pending, frozen=True):
    """Clerks of a clan may be moved, to locations not used before."""

    seat: Seat
    clan: Clan
    left: int
    used: tuple[Location, ...]


class TakeDue(Pending, frozen=True):
    """A seat takes resources of its choice."""

    seat: Seat
    left: int
    chi_too: bool


class CopyDue(Pending, frozen=True):
    """A seat copies a card of the track, or does another list."""

    seat: Seat
    otherwise: Script


class AdvanceDue(Pending, frozen=True):
    """A seat may activate a location in advance."""

    seat: Seat


class OrderDue(Pending, frozen=True):
    """A seat's soldiers may attack; by section, archers in slots that have."""

    seat: Seat
    shot: tuple[int, ...]


class UpgradesDue(Pending, frozen=True):
    """A seat may raise foremen that were not raised before."""

    seat: Seat
    left: int
    used: tuple[Location, ...]


class BarricadesDue(Pending, frozen=True):
    """A seat may build barricades free of cost."""

    seat: Seat
    left: int


class WoundsDue(Pending, frozen=True):
    """A seat may wound hordes of the first lines."""

    seat: Seat
    left: int
    line: int


class FreesDue(Pending, frozen=True):
    """A seat may return shame tokens free of cost."""

    seat: Seat
    left: int


class LimitDue(Pending, frozen=True):
    """A seat with too many tactics discards one."""

    seat: Seat


class TacticEnd(Pending, frozen=True):
    """The effect of a tactic is finished."""

    seat: Seat
    tactic: Tactic
