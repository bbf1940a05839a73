"""Events on player boards and the main board."""

from rules.zhanguo.events.base import OfSeat, Source
from rules.zhanguo.pieces import Aspect, Card, EmperorTile, Official, Region, Section, Spot, TileKind

# Player boards.


class UnrestRaised(OfSeat, frozen=True):
    """Unrest went up."""

    region: Region
    by: int


class UnrestLowered(OfSeat, frozen=True):
    """Unrest went down."""

    region: Region
    by: int


class OfficialsRecruited(OfSeat, frozen=True):
    """Officials came from the reserve."""

    official: Official
    region: Region
    count: int


class OfficialReturned(OfSeat, frozen=True):
    """An official went back to the reserve."""

    official: Official
    region: Region


class OfficialMoved(OfSeat, frozen=True):
    """An official went to a neighbouring region."""

    official: Official
    origin: Region
    to: Region


class WorkersHired(OfSeat, frozen=True):
    """Workers came."""

    region: Region
    count: int


class WorkersSpent(OfSeat, frozen=True):
    """Workers were paid."""

    region: Region
    count: int


class WorkerMoved(OfSeat, frozen=True):
    """A worker went to a neighbouring region."""

    origin: Region
    to: Region


class AlchemistPlaced(OfSeat, frozen=True):
    """A card that was set aside lies above the board."""

    card: Card
    region: Region


class MasterTaken(OfSeat, frozen=True):
    """A Master was set aside."""

    card: Card


class EmperorTileTaken(OfSeat, frozen=True):
    """The top Emperor tile of a site was taken."""

    tile: EmperorTile


class EmperorTilePlaced(OfSeat, frozen=True):
    """An Emperor tile lies on a card."""

    tile: EmperorTile
    card: Card


# Tokens and points.


class TokensGained(OfSeat, frozen=True):
    """Tokens came from the supply."""

    aspect: Aspect
    count: int


class TokensReturned(OfSeat, frozen=True):
    """Tokens went back to the supply."""

    aspect: Aspect
    count: int


class LargeTaken(OfSeat, frozen=True):
    """A large token was taken from the board."""

    aspect: Aspect


class LargeReturned(OfSeat, frozen=True):
    """A large token went back to the board."""

    aspect: Aspect


class PointsScored(OfSeat, frozen=True):
    """Points were scored."""

    vp: int
    source: Source


# Main board.


class BoatMoved(OfSeat, frozen=True):
    """A boat moved on."""

    origin: int
    to: int


class GovernorInstalled(OfSeat, frozen=True):
    """A governor stands on a space, counted from 1, or in the area."""

    region: Region
    space: int | None


class PalaceBuilt(OfSeat, frozen=True):
    """A palace stands in a region."""

    region: Region


class PalaceTileTaken(OfSeat, frozen=True):
    """The leftmost palace tile of a kind was taken."""

    region: Region
    kind: TileKind


class WallBuilt(OfSeat, frozen=True):
    """A wall stands on a slot, counted from 1."""

    section: Section
    slot: int


class SoldiersUnlocked(OfSeat, frozen=True):
    """Locked soldiers went to the entrance."""

    count: int


class SoldierPlaced(OfSeat, frozen=True):
    """A soldier stands on a slot of a spot, counted from 1."""

    spot: Spot
    slot: int
