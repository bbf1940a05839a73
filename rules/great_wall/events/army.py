"""What happens to soldiers, hordes and the wall."""

from rules.great_wall.events.base import Happening
from rules.great_wall.kinds import Cell, Clan, Figures, Horde, Kind, Section
from rules.great_wall.moves import Pay
from rules.kernel.actors import Seat


class Recruited(Happening, frozen=True):
    """A new soldier stands in a rest zone."""

    seat: Seat
    kind: Kind
    section: Section


class Covered(Happening, frozen=True):
    """A soldier moves from the rest zone onto a horde; a soldier of Reed or Qin comes from their reserve."""

    clan: Clan
    kind: Kind
    section: Section
    line: int
    cells: tuple[Cell, ...]


class ArcherPosted(Happening, frozen=True):
    """An archer moves from the rest zone into a firing slot; an archer of Qin comes from the reserve."""

    clan: Clan
    section: Section


class Wounded(Happening, frozen=True):
    """A spot has a wound."""

    clan: Clan
    section: Section
    line: int
    cell: Cell


class BarricadeBuilt(Happening, frozen=True):
    """A section has one barricade more."""

    clan: Clan
    section: Section


class WallBuilt(Happening, frozen=True):
    """A section has risen one level."""

    clan: Clan
    section: Section


class WarehouseUsed(Happening, frozen=True):
    """Units are taken from the warehouse."""

    units: Pay


class HordeDefeated(Happening, frozen=True):
    """A horde is defeated."""

    horde: Horde


class SoldiersLost(Happening, frozen=True):
    """Soldiers on a horde, or (None) archers in slots, are killed or saved."""

    clan: Clan
    section: Section
    horde: Horde | None
    killed: Figures
    saved: Figures


class SoldiersRested(Happening, frozen=True):
    """The soldiers that are still on a horde go to the rest zone, those of Reed and Qin home."""

    section: Section
    horde: Horde


class HordeClaimed(Happening, frozen=True):
    """A clan has claimed a horde, and the others close up."""

    clan: Clan
    section: Section
    horde: Horde


class HordeDiscarded(Happening, frozen=True):
    """A defeated horde is discarded, and the others close up."""

    section: Section
    horde: Horde


class SectionHeld(Happening, frozen=True):
    """A section has held."""

    section: Section
    defence: int
    power: int


class SectionBreached(Happening, frozen=True):
    """A section is breached."""

    section: Section
    defence: int
    power: int


class BarricadesCleared(Happening, frozen=True):
    """All barricades are gone."""
