"""What an actor can ask for."""

from dataclasses import dataclass
from typing import TypeAlias

from rules.kernel.actors import Seat
from rules.qin.board import Cell
from rules.qin.tiles import KIND, Colour, Kind


@dataclass(frozen=True, slots=True)
class Half:
    """A half of a tile on a cell."""

    colour: Colour
    cell: Cell


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Lay a tile. Either half may be called the first; canonical is the one nearer the top, then the left."""

    first: Half
    second: Half

    @property
    def kind(self) -> Kind:
        """Which kind of tile it takes."""
        return KIND[self.first.colour][self.second.colour]

    @property
    def canonical(self) -> "PlaceTile":
        """The same placement, the half nearer the top (then the left) first."""
        if self.second.cell < self.first.cell:
            return PlaceTile(self.second, self.first)
        return self


@dataclass(frozen=True, slots=True)
class Pass:
    """Place nothing, for want of a tile that can be placed (AMB-27)."""


@dataclass(frozen=True, slots=True)
class DeclareEnd:
    """The table's word, by the seat to act, that nobody can place a tile (QIN-END-3)."""


@dataclass(frozen=True, slots=True)
class DealTiles:
    """Chance gives a seat its first hand; None is a tile that the record does not tell."""

    seat: Seat
    tiles: tuple[Kind | None, ...]
    """Canonical: in the order of kinds, unknown ones last."""


@dataclass(frozen=True, slots=True)
class DrawTile:
    """Chance gives a tile to the seat that has just placed one."""

    tile: Kind | None
    pile: int | None = None
    """From which pile, from 1; None where the record does not tell (AMB-02)."""


Move: TypeAlias = PlaceTile | Pass | DeclareEnd | DealTiles | DrawTile
