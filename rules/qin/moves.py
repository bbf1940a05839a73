"""What an actor can ask for."""

from typing import TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.qin.tiles import KIND, Colour, Kind


class Half(Struct, frozen=True, gc=False):
    """A half of a tile on a cell."""

    colour: Colour
    cell: Cell


class PlaceTile(Struct, frozen=True, gc=False):
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


class Pass(Struct, frozen=True, gc=False):
    """Place nothing, for want of a tile that can be placed (AMB-27)."""


class DeclareEnd(Struct, frozen=True, gc=False):
    """The table's word, by the seat to act, that nobody can place a tile (QIN-END-3)."""


class DealTiles(Struct, frozen=True, gc=False):
    """Chance gives a seat its first hand; None is a tile that the record does not tell."""

    seat: Seat
    tiles: tuple[Kind | None, ...]
    """Canonical: in the order of kinds, unknown ones last."""


class DrawTile(Struct, frozen=True, gc=False):
    """Chance gives a tile to the seat that has just placed one."""

    tile: Kind | None
    pile: int | None = None
    """From which pile, from 1; None where the record does not tell (AMB-02)."""


Move: TypeAlias = PlaceTile | Pass | DeclareEnd | DealTiles | DrawTile
