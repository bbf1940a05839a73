"""What lies between the players: the map, the wall, the Mausoleum."""

from collections.abc import Iterator

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.pieces import Face, GovernorTile, MausoleumTile, Target, TileKind

SPACES = 2
"""Spaces of a governor tile."""


class GovernorSpot(Struct, frozen=True, array_like=True):
    """A governor tile with its two spaces."""

    tile: GovernorTile
    spaces: tuple[Seat | None, ...]


class MapRegion(Struct, frozen=True, array_like=True):
    """A region of the map: palace tiles from the left, palaces by seat, governor tiles, governors by seat."""

    tiles: tuple[TileKind, ...]
    palaces: tuple[int, ...]
    spots: tuple[GovernorSpot, ...]
    area: tuple[int, ...]

    def governors(self, seat: Seat) -> int:
        """Those of a seat, on spaces and in the area."""
        return self.area[seat] + sum([spot.spaces.count(seat) for spot in self.spots])

    def spaces(self) -> Iterator[tuple[int, GovernorSpot, int]]:
        """Every space from the left: its number from 1, its tile, and which half of it."""
        for at, spot in enumerate(self.spots):
            for half in range(SPACES):
                yield at * SPACES + half + 1, spot, half


class WallSection(Struct, frozen=True, array_like=True):
    """A section of the wall: its face, and who has a wall on each slot from the left."""

    face: Face | None
    slots: tuple[Seat | None, ...]


class MausoleumSpot(Struct, frozen=True, array_like=True):
    """A spot of the Mausoleum: its target, its tile, and whose soldier is on each slot from the top."""

    target: Target | None
    tile: MausoleumTile | None
    slots: tuple[Seat | None, ...]
