"""Events of Li Si's turns."""

from msgspec import Struct

from rules.zhanguo.events.base import OfSeat
from rules.zhanguo.pieces import ActionCard, Card, EmperorTile, Region, TileKind


class RivalTurnBegan(Struct, frozen=True):
    """Li Si's turn."""


class ActionRevealed(Struct, frozen=True):
    """Li Si's Action card is revealed, and discarded or removed."""

    card: ActionCard


class RivalCardUnified(OfSeat, frozen=True):
    """One of Li Si's six cards is placed above the board of Li Si."""

    card: Card
    region: Region


class RivalCardAtCourt(OfSeat, frozen=True):
    """One of Li Si's six cards is played at Court."""

    card: Card


class RivalTileKept(OfSeat, frozen=True):
    """Li Si keeps the leftmost palace tile of a region."""

    region: Region
    kind: TileKind


class EmperorTileRemoved(OfSeat, frozen=True):
    """The top Emperor tile of a site left the game."""

    tile: EmperorTile


class RivalTurnEnded(OfSeat, frozen=True):
    """Li Si's Action card is settled."""


class ActionDeckRebuilt(Struct, frozen=True):
    """Li Si's discarded Action cards return to the Action deck."""
