"""Events of the set-up."""

from msgspec import Struct

from rules.zhanguo.events.base import OfSeat
from rules.zhanguo.pieces import (
    Card,
    EmperorTile,
    Face,
    GovernorTile,
    MausoleumTile,
    Region,
    Section,
    Spot,
    StartTile,
    Target,
    TileKind,
)


class FirstPlayerDrawn(OfSeat, frozen=True):
    """The turn order begins with this seat."""


class TargetDealt(Struct, frozen=True):
    """A Mausoleum token lies on a spot."""

    spot: Spot
    target: Target


class MausoleumTileDealt(Struct, frozen=True):
    """A Mausoleum tile lies on a spot."""

    spot: Spot
    tile: MausoleumTile


class WallTileDealt(Struct, frozen=True):
    """A wall tile lies on a section."""

    section: Section
    face: Face


class EmperorTileDealt(Struct, frozen=True):
    """An Emperor tile lies under the pile of its site."""

    tile: EmperorTile


class PalaceTileDealt(Struct, frozen=True):
    """A palace tile lies in a region."""

    region: Region
    kind: TileKind


class GovernorTileDealt(Struct, frozen=True):
    """A governor tile lies in a region."""

    region: Region
    tile: GovernorTile


class MasterDealt(Struct, frozen=True):
    """A Master lies beside the board."""

    card: Card


class StartTileDealt(OfSeat, frozen=True):
    """A seat was dealt a start tile."""

    tile: StartTile


class StartTileChosen(OfSeat, frozen=True):
    """A seat keeps a start tile."""

    tile: StartTile


class StartTileSettled(OfSeat, frozen=True):
    """Everything that a start tile gives is settled."""
