"""The state of a match: an immutable, compact value."""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, final

from mypy_extensions import mypyc_attr

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import UNRECORDED, Draws
from rules.kernel.value import Value
from rules.qin.board import Board, CellSet
from rules.qin.rulings import Rulings
from rules.qin.tiles import EACH, KINDS, UNKNOWN, Colour, Counts, Hand, Kind

MAJOR: Final = 5
"""Cells that make a province major (QIN-MAJOR-1)."""

ALLOTMENT: Final = {2: 24, 3: 19, 4: 15}
"""Pagodas per seat, by the number of seats (QIN-SETUP-3)."""

VACANT: Final = 0
"""The value of a vacant village in State.villages; an owner is stored as the seat plus one."""

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


@final
@mypyc_attr(acyclic=True)
class Province(Value):
    """Two or more territories of one colour, and who owns them."""

    __match_args__ = ("cells", "owner", "pagodas")
    __slots__ = __match_args__

    def __init__(self, cells: CellSet, owner: Seat, pagodas: int) -> None:
        self.cells: Final = cells
        self.owner: Final = owner
        self.pagodas: Final = pagodas
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


@final
@mypyc_attr(acyclic=True)
class Dealing(Value):
    """Chance owes somebody a first hand."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


@final
@mypyc_attr(acyclic=True)
class Placing(Value):
    """A seat must place a tile."""

    __match_args__ = ("seat",)
    __slots__ = __match_args__

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


@final
@mypyc_attr(acyclic=True)
class Drawing(Value):
    """Chance owes this seat a tile."""

    __match_args__ = ("seat",)
    __slots__ = __match_args__

    def __init__(self, seat: Seat) -> None:
        self.seat: Final = seat


@final
@mypyc_attr(acyclic=True)
class Over(Value):
    """Nobody acts any more."""

    __match_args__ = ("reason",)
    __slots__ = __match_args__

    def __init__(self, reason: EndReason) -> None:
        self.reason: Final = reason


Turn: TypeAlias = Dealing | Placing | Drawing | Over

DEALING: Final = Dealing()
PLACING: Final = tuple(Placing(Seat(number)) for number in range(MOST_SEATS))
DRAWING: Final = tuple(Drawing(Seat(number)) for number in range(MOST_SEATS))
OVER: Final = {reason: Over(reason) for reason in EndReason}

Thing = TypeVar("Thing")
ByColour: TypeAlias = tuple[Thing, ...]
"""Three of them, in the order of Colour; mypyc would take a tuple of known length apart at every use."""
Provinces: TypeAlias = ByColour[tuple[Province, ...]]


@final
@mypyc_attr(acyclic=True)
class State(Value):
    """Everything that the next move is judged by."""

    __match_args__ = (
        "table",
        "free",
        "territories",
        "provinces",
        "villages",
        "supplies",
        "placed",
        "hands",
        "stock",
        "drawn",
        "turn",
        "passes",
    )
    __slots__ = __match_args__

    def __init__(  # noqa: PLR0913, PLR0917 - one argument per part of the state
        self,
        table: Table,
        free: CellSet,
        territories: ByColour[CellSet],
        provinces: Provinces,
        villages: bytes,
        supplies: tuple[int, ...],
        placed: Counts,
        hands: tuple[Hand, ...],
        stock: int,
        drawn: bytes,
        turn: Turn,
        passes: int,
    ) -> None:
        self.table: Final = table
        self.free: Final = free
        """Steppe without a tile."""
        self.territories: Final = territories
        """By colour, starts included."""
        self.provinces: Final = provinces
        """By colour, then by first cell."""
        self.villages: Final = villages
        """By village: VACANT, or the owner's seat plus one."""
        self.supplies: Final = supplies
        """By seat; between the events of one move one may be below 0, until pagodas go back (AMB-23)."""
        self.placed: Final = placed
        """By kind: tiles on the board."""
        self.hands: Final = hands
        """By seat."""
        self.stock: Final = stock
        """Tiles in the piles."""
        self.drawn: Final = drawn
        """By pile: tiles that the record says were drawn from it."""
        self.turn: Final = turn
        self.passes: Final = passes
        """How many seats in a row have just passed."""

    def with_hands(self, hands: tuple[Hand, ...]) -> "State":
        """The state with other hands."""
        return State(
            self.table,
            self.free,
            self.territories,
            self.provinces,
            self.villages,
            self.supplies,
            self.placed,
            hands,
            self.stock,
            self.drawn,
            self.turn,
            self.passes,
        )

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
        """Whether a seat is known to hold a tile of this kind, or an unknown one that can be of this kind.

        Asks nothing of hands that the seat cannot see: the answer would tell of them.
        """
        hand = self.hands[seat]
        if hand[UNKNOWN]:
            if self.table.draws is UNRECORDED or not self.table.rulings.open_hands:
                return self.placed[kind] < EACH
            return hand[kind] > 0 or self.unseen(kind) > 0
        return hand[kind] > 0

    def possibly_held(self, seat: Seat) -> int:
        """The kinds that a seat may hold, as bits by kind."""
        return sum(1 << kind for kind in KINDS if self.may_hold(seat, kind))

    def conceivably_held(self, seat: Seat) -> int:
        """The kinds that a seat may hold by everything in the record, hidden hands included, as bits."""
        hand, left = self.hands[seat], self.unseen
        return sum(1 << kind for kind in KINDS if hand[kind] or (hand[UNKNOWN] and left(kind) > 0))

    def surely_held(self, seat: Seat) -> int:
        """The kinds that a seat is known to hold, as bits by kind."""
        hand = self.hands[seat]
        return sum(1 << kind for kind in KINDS if hand[kind])

    def on_board(self, seat: Seat) -> int:
        """How many of a seat's pagodas stand on the board."""
        on_provinces = sum(p.pagodas for of_colour in self.provinces for p in of_colour if p.owner == seat)
        return on_provinces + self.villages.count(seat + 1)
