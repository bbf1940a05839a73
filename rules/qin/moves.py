"""The moves of the game."""

from typing import Final, TypeAlias, final

from mypy_extensions import mypyc_attr

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.value import Value
from rules.qin.tiles import KIND, Colour, Kind


@final
@mypyc_attr(acyclic=True)
class Half(Value):
    """A half of a tile on a cell."""

    __match_args__ = ("colour", "cell")
    __slots__ = __match_args__

    def __init__(self, colour: Colour, cell: Cell) -> None:
        self.colour: Final = colour
        self.cell: Final = cell


@final
@mypyc_attr(acyclic=True)
class PlaceTile(Value):
    """Place a tile. Either half may come first; canonically the one nearer the top, then the left, does."""

    __match_args__ = ("first", "second")
    __slots__ = __match_args__

    def __init__(self, first: Half, second: Half) -> None:
        self.first: Final = first
        self.second: Final = second

    # Written out, since the bytes of a placement are looked up by it.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceTile) and self._laid() == other._laid()

    def __hash__(self) -> int:
        return hash(self._laid())

    def _laid(self) -> tuple[int, int, int, int]:
        return self.first.colour, self.first.cell, self.second.colour, self.second.cell

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


@final
@mypyc_attr(acyclic=True)
class Pass(Value):
    """Place nothing, because no tile can be placed (AMB-27)."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


@final
@mypyc_attr(acyclic=True)
class DeclareEnd(Value):
    """The seat to act declares, for all players, that nobody can place a tile (QIN-END-3)."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


@final
@mypyc_attr(acyclic=True)
class DealTiles(Value):
    """Chance deals a seat its first hand; None is a tile that is not recorded."""

    __match_args__ = ("seat", "tiles")
    __slots__ = __match_args__

    def __init__(self, seat: Seat, tiles: tuple[Kind | None, ...]) -> None:
        self.seat: Final = seat
        self.tiles: Final = tiles
        """Canonical: in the order of kinds, unknown ones last."""


@final
@mypyc_attr(acyclic=True)
class DrawTile(Value):
    """Chance deals a tile to the seat that has just placed one."""

    __match_args__ = ("tile", "pile")
    __slots__ = __match_args__

    def __init__(self, tile: Kind | None, pile: int | None = None) -> None:
        self.tile: Final = tile
        self.pile: Final = pile
        """The pile, from 1; None if it is not recorded (AMB-02)."""


Move: TypeAlias = PlaceTile | Pass | DeclareEnd | DealTiles | DrawTile
