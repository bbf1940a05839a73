"""The events of the game: facts that are applied to a state without judging."""

from typing import Final, TypeAlias, final

from mypy_extensions import mypyc_attr

from rules.kernel.actors import Seat
from rules.kernel.value import Value
from rules.qin.board import CellSet
from rules.qin.moves import Half
from rules.qin.state import EndReason
from rules.qin.tiles import Colour, Kind


@final
@mypyc_attr(acyclic=True)
class TilesDealt(Value):
    """A seat took its first hand."""

    __match_args__ = ("seat", "tiles")
    __slots__ = __match_args__

    def __init__(self, seat: Seat, tiles: tuple[Kind | None, ...]) -> None:
        self.seat: Final = seat
        self.tiles: Final = tiles


@final
@mypyc_attr(acyclic=True)
class TileDrawn(Value):
    """A seat refilled its hand."""

    __match_args__ = ("seat", "tile", "pile")
    __slots__ = __match_args__

    def __init__(self, seat: Seat, tile: Kind | None, pile: int | None) -> None:
        self.seat: Final = seat
        self.tile: Final = tile
        self.pile: Final = pile


@final
@mypyc_attr(acyclic=True)
class TilePlaced(Value):
    """A tile was placed on the board. If draws are not recorded, its seat has refilled its hand as well."""

    __match_args__ = ("seat", "first", "second")
    __slots__ = __match_args__

    def __init__(self, seat: Seat, first: Half, second: Half) -> None:
        self.seat: Final = seat
        self.first: Final = first
        self.second: Final = second


@final
@mypyc_attr(acyclic=True)
class ProvinceFounded(Value):
    """Territories without an owner became a province."""

    __match_args__ = ("owner", "colour", "cells", "placed")
    __slots__ = __match_args__

    def __init__(self, owner: Seat, colour: Colour, cells: CellSet, placed: int) -> None:
        self.owner: Final = owner
        self.colour: Final = colour
        self.cells: Final = cells
        self.placed: Final = placed
        """Pagodas that its owner placed; fewer than due only if the last pagoda ended the match."""


@final
@mypyc_attr(acyclic=True)
class ProvinceExpanded(Value):
    """A province grew; its owner is unchanged."""

    __match_args__ = ("owner", "colour", "cells", "placed")
    __slots__ = __match_args__

    def __init__(self, owner: Seat, colour: Colour, cells: CellSet, placed: int) -> None:
        self.owner: Final = owner
        self.colour: Final = colour
        self.cells: Final = cells
        self.placed: Final = placed
        """1 if it became major."""


@final
@mypyc_attr(acyclic=True)
class ProvincesJoined(Value):
    """Several provinces became one, which is major."""

    __match_args__ = ("owner", "colour", "cells", "placed", "returned")
    __slots__ = __match_args__

    def __init__(
        self, owner: Seat, colour: Colour, cells: CellSet, placed: int, returned: tuple[int, ...]
    ) -> None:
        self.owner: Final = owner
        self.colour: Final = colour
        self.cells: Final = cells
        self.placed: Final = placed
        self.returned: Final = returned
        """Pagodas that went back to their supply, by seat."""


@final
@mypyc_attr(acyclic=True)
class VillageConnected(Value):
    """A vacant village got its first pagoda."""

    __match_args__ = ("owner", "village")
    __slots__ = __match_args__

    def __init__(self, owner: Seat, village: int) -> None:
        self.owner: Final = owner
        self.village: Final = village
        """Its place among the board's villages, by letter, from 0."""


@final
@mypyc_attr(acyclic=True)
class VillageConquered(Value):
    """A village's pagoda went back to its owner's supply and another's took its place."""

    __match_args__ = ("owner", "loser", "village", "placed")
    __slots__ = __match_args__

    def __init__(self, owner: Seat, loser: Seat, village: int, placed: int) -> None:
        self.owner: Final = owner
        self.loser: Final = loser
        self.village: Final = village
        self.placed: Final = placed
        """1, or 0 where the last pagoda elsewhere ended the match before this one was put down."""


@final
@mypyc_attr(acyclic=True)
class TurnPassed(Value):
    """A seat had nothing to place."""

    __match_args__ = ("seat",)
    __slots__ = __match_args__

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


@final
@mypyc_attr(acyclic=True)
class MatchEnded(Value):
    """Nothing more can happen."""

    __match_args__ = ("reason", "winners")
    __slots__ = __match_args__

    def __init__(self, reason: EndReason, winners: tuple[Seat, ...]) -> None:
        self.reason: Final = reason
        self.winners: Final = winners


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
