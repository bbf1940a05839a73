"""The state of a match: an immutable, compact value."""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import UNRECORDED, Draws
from rules.qin.board import Board, CellSet
from rules.qin.rulings import Rulings
from rules.qin.tiles import EACH, KINDS, UNKNOWN, Colour, Counts, Hand, Kind

MAJOR: Final = 5
"""Cells that make a province major (QIN-MAJOR-1)."""

ALLOTMENT: Final = {2: 24, 3: 19, 4: 15}
"""Pagodas a seat, by the number of seats (QIN-SETUP-3)."""

VACANT: Final = 0
"""In State.villages; an owner stands there as his seat plus one."""

MOST_SEATS: Final = max(ALLOTMENT)


@dataclass(frozen=True, slots=True)
class Table:
    """What never changes in a match."""

    edition: EditionKey
    board: Board
    names: tuple[str, ...]
    """The seats, in turn order."""
    draws: Draws
    rulings: Rulings

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat, in turn order."""
        return tuple(Seat(number) for number in range(len(self.names)))


class Province(Struct, frozen=True, gc=False):
    """Two or more territories of one colour, and who owns them."""

    cells: CellSet
    owner: Seat
    pagodas: int
    """What stands there: one, or two on a major; fewer only where the last pagoda ended the match."""

    @property
    def size(self) -> int:
        """How many territories."""
        return self.cells.bit_count()

    @property
    def major(self) -> bool:
        """Whether it is protected and carries a double pagoda."""
        return self.cells.bit_count() >= MAJOR


def due(cells: CellSet) -> int:
    """How many pagodas a province of these cells carries (QIN-PROV-2)."""
    return 2 if cells.bit_count() >= MAJOR else 1


class EndReason(enum.Enum):
    """Why a match is over."""

    LAST_PAGODA = "last-pagoda"
    NO_PLACEMENT = "no-placement"


LAST_PAGODA: Final = EndReason.LAST_PAGODA


class Dealing(Struct, frozen=True, gc=False):
    """Chance owes somebody a first hand."""


class Placing(Struct, frozen=True, gc=False):
    """A seat must place a tile."""

    seat: Seat


class Drawing(Struct, frozen=True, gc=False):
    """Chance owes this seat a tile."""

    seat: Seat


class Over(Struct, frozen=True, gc=False):
    """Nobody acts any more."""

    reason: EndReason


Turn: TypeAlias = Dealing | Placing | Drawing | Over

DEALING: Final = Dealing()
PLACING: Final = tuple(Placing(Seat(number)) for number in range(MOST_SEATS))
DRAWING: Final = tuple(Drawing(Seat(number)) for number in range(MOST_SEATS))

Thing = TypeVar("Thing")
ByColour: TypeAlias = tuple[Thing, Thing, Thing]
Provinces: TypeAlias = ByColour[tuple[Province, ...]]


class State(Struct, frozen=True, gc=False):
    """Everything that the next move is judged by."""

    table: Table
    free: CellSet
    """Steppe without a tile."""
    territories: ByColour[CellSet]
    """By colour, starts included."""
    provinces: Provinces
    """By colour, then by first cell."""
    villages: bytes
    """By village: VACANT, or the owner's seat plus one."""
    supplies: Counts
    """By seat."""
    placed: Counts
    """By kind: tiles on the board."""
    hands: tuple[Hand, ...]
    """By seat."""
    stock: int
    """Tiles in the piles."""
    drawn: bytes
    """By pile: tiles that the record says were drawn from it."""
    turn: Turn
    passes: int
    """How many seats in a row have just passed."""

    @property
    def taken(self) -> CellSet:
        """Every territory."""
        return self.table.board.land ^ self.free

    def colour_at(self, cells: CellSet) -> Colour | None:
        """The colour of one cell, given as its bit; None where no territory is."""
        for colour in Colour:
            if self.territories[colour] & cells:
                return colour
        return None

    def province_at(self, cells: CellSet) -> Province | None:
        """The province that has one of these cells."""
        for of_colour in self.provinces:
            for province in of_colour:
                if province.cells & cells:
                    return province
        return None

    def village_owner(self, village: int) -> Seat | None:
        """Whose pagoda stands on a village."""
        return Seat(self.villages[village] - 1) if self.villages[village] else None

    def unseen(self, kind: int) -> int:
        """How many tiles of a kind are neither on the board nor known to be in a hand."""
        left = EACH - self.placed[kind]
        for hand in self.hands:
            left -= hand[kind]
        return left

    def may_hold(self, seat: Seat, kind: Kind) -> bool:
        """Whether a seat is known to hold a tile of this kind, or an unknown one that can be of this kind."""
        hand = self.hands[seat]
        if hand[UNKNOWN]:
            if self.table.draws is UNRECORDED:
                return self.placed[kind] < EACH
            return hand[kind] > 0 or self.unseen(kind) > 0
        return hand[kind] > 0

    def possibly_held(self, seat: Seat) -> int:
        """The kinds that a seat may hold, as bits by kind."""
        return sum(1 << kind for kind in KINDS if self.may_hold(seat, kind))

    def surely_held(self, seat: Seat) -> int:
        """The kinds that a seat is known to hold, as bits by kind."""
        hand = self.hands[seat]
        return sum(1 << kind for kind in KINDS if hand[kind])

    def on_board(self, seat: Seat) -> int:
        """How many of a seat's pagodas stand on the board."""
        on_provinces = sum(p.pagodas for of_colour in self.provinces for p in of_colour if p.owner == seat)
        return on_provinces + self.villages.count(seat + 1)
