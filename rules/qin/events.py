"""What happened, as facts that fold into a state without judging."""

from typing import TypeAlias, final

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.moves import Half
from rules.qin.state import EndReason
from rules.qin.tiles import Colour, Kind


@final
class TilesDealt(Struct, frozen=True, gc=False):
    """A seat took its first hand."""

    seat: Seat
    tiles: tuple[Kind | None, ...]


@final
class TileDrawn(Struct, frozen=True, gc=False):
    """A seat refilled its hand."""

    seat: Seat
    tile: Kind | None
    pile: int | None


@final
class TilePlaced(Struct, frozen=True, gc=False):
    """A tile now lies on the board. Where draws are not recorded its seat has refilled its hand as well."""

    seat: Seat
    first: Half
    second: Half


@final
class ProvinceFounded(Struct, frozen=True, gc=False):
    """Territories without an owner became a province."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    """Pagodas its owner put down; fewer than due only where the last pagoda ended the match."""


@final
class ProvinceExpanded(Struct, frozen=True, gc=False):
    """A province grew; its owner is who it was."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    """1 where it became major."""


@final
class ProvincesJoined(Struct, frozen=True, gc=False):
    """Several provinces became one, which is major."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    returned: tuple[int, ...]
    """Pagodas that went back to their supply, by seat."""


@final
class VillageConnected(Struct, frozen=True, gc=False):
    """A vacant village got its first pagoda."""

    owner: Seat
    village: int
    """Its place among the board's villages, by letter, from 0."""


@final
class VillageConquered(Struct, frozen=True, gc=False):
    """A village's pagoda went back to its owner's supply and another's took its place."""

    owner: Seat
    loser: Seat
    village: int
    placed: int
    """1, or 0 where the last pagoda elsewhere ended the match before this one was put down."""


@final
class TurnPassed(Struct, frozen=True, gc=False):
    """A seat had nothing to place."""

    seat: Seat


@final
class MatchEnded(Struct, frozen=True, gc=False):
    """Nothing more can happen."""

    reason: EndReason
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    TilesDealt
    | TileDrawn
    | TilePlaced
    | ProvinceFounded
    | ProvinceExpanded
    | ProvincesJoined
    | VillageConnected
    | VillageConquered
    | TurnPassed
    | MatchEnded
)
