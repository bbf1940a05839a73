"""What happened, as facts that fold into a state without judging."""

from dataclasses import dataclass
from typing import TypeAlias

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.moves import Half
from rules.qin.state import EndReason
from rules.qin.tiles import Colour, Kind


@dataclass(frozen=True, slots=True)
class TilesDealt:
    """A seat took its first hand."""

    seat: Seat
    tiles: tuple[Kind | None, ...]


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A seat refilled its hand."""

    seat: Seat
    tile: Kind | None
    pile: int | None


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A tile now lies on the board. Where draws are not recorded its seat has refilled its hand as well."""

    seat: Seat
    first: Half
    second: Half


@dataclass(frozen=True, slots=True)
class ProvinceFounded:
    """Territories without an owner became a province."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    """Pagodas its owner put down; fewer than due only where the last pagoda ended the match."""


@dataclass(frozen=True, slots=True)
class ProvinceExpanded:
    """A province grew; its owner is who it was."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    """1 where it became major."""


@dataclass(frozen=True, slots=True)
class ProvincesJoined:
    """Several provinces became one, which is major."""

    owner: Seat
    colour: Colour
    cells: CellSet
    placed: int
    returned: tuple[int, ...]
    """Pagodas that went back to their supply, by seat."""


@dataclass(frozen=True, slots=True)
class VillageConnected:
    """A vacant village got its first pagoda."""

    owner: Seat
    village: int
    """Its place among the board's villages, by letter, from 0."""


@dataclass(frozen=True, slots=True)
class VillageConquered:
    """A village's pagoda went back to its owner's supply and another's took its place."""

    owner: Seat
    loser: Seat
    village: int
    placed: int
    """1, or 0 where the last pagoda elsewhere ended the match before this one was put down."""


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A seat had nothing to place."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MatchEnded:
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
