"""The state of a match: an immutable, compact value."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.seated import Seated
from rules.kernel.setup import Draws
from rules.khan.board import CellSet
from rules.khan.cards import ALLOTMENT, CardKind, Hand, Leader, Region, Special
from rules.khan.parts import Parts
from rules.khan.rulings import Rulings
from rules.khan.shapes import ShapeKind

MOST_SEATS: Final = max(ALLOTMENT)
CAMP: Final = 5
"""Neutral yurts beside each portrait (KHAN-SETUP-1)."""

ACTIONS: Final = 2
"""Single actions of a turn, and conquests of a turn in the final phase."""

DEPARTED: Final = 5
"""Leaders that leave before the final phase is prepared (KHAN-REMOVE-3)."""

ROUNDS: Final = {3: 2, 4: 1}
"""Rounds of opening yurts, by the number of seats; with two it is a ruling (KHAN-SETUP-6)."""


@dataclass(frozen=True, slots=True)
class Table(Seated):
    """What never changes in a match."""

    edition: EditionKey
    parts: Parts
    names: tuple[str, ...]
    """The seats, in turn order."""
    draws: Draws
    rulings: Rulings
    openings: tuple[CellSet, ...] = field(compare=False, repr=False)
    """By face: the land that a card opens."""

    @property
    def rounds(self) -> int:
        """Rounds of opening yurts."""
        return ROUNDS.get(len(self.names), self.rulings.rounds_of_two)


class Site(Struct, frozen=True, gc=False):
    """A shape on cells: what a conquest asks for."""

    shape: ShapeKind
    cells: CellSet


class Piece(Struct, frozen=True, gc=False):
    """A piece on the board."""

    site: Site
    owners: tuple[Seat, ...]

    @property
    def shape(self) -> ShapeKind:
        """Its shape."""
        return self.site.shape

    @property
    def cells(self) -> CellSet:
        """The cells under it."""
        return self.site.cells


class Proposal(Struct, frozen=True, gc=False):
    """A conquest that waits for consent."""

    site: Site
    waiting: tuple[Seat, ...]
    """Those who have still to answer."""


class Laid(Struct, frozen=True, gc=False):
    """A card laid aside since the last shuffle, of which an equal card makes it open when it was drawn."""

    seat: Seat
    card: CardKind
    most: int
    """How many of this card and of those that the seat laid aside before can have been drawn since."""


# Restrictions in force: what a special card of a seat forbids to the others.


class Protection(Struct, frozen=True, gc=False):
    """Nobody else may cover the seat's yurts."""


class Support(Struct, frozen=True, gc=False):
    """Nobody else may cover neutral yurts, in one region or anywhere."""

    region: Region | None


class Reservation(Struct, frozen=True, gc=False):
    """A piece of this shape is kept for the seat."""

    shape: ShapeKind


Restriction: TypeAlias = Protection | Support | Reservation


IMPOSED_BY: Final[dict[type[Restriction], Special]] = {
    Protection: Special.PROTECTION,
    Support: Special.SUPPORT,
    Reservation: Special.EXPLORATION,
}


# Whose move it is, and for what.


class Beginning(Struct, frozen=True, gc=False):
    """Chance owes the table a first player."""


class TurnOfSeat(Struct, frozen=True, gc=False):
    """A step of a seat's turn."""

    seat: Seat


class Opening(TurnOfSeat, frozen=True, gc=False):
    """A seat must place an opening yurt."""


class Drawing(TurnOfSeat, frozen=True, gc=False):
    """Chance owes this seat a card, in the deal or in step 5."""


class Turning(TurnOfSeat, frozen=True, gc=False):
    """Chance must turn a card: in step 1, or for the leader of action B."""

    leader: Leader | None


class Acting(TurnOfSeat, frozen=True, gc=False):
    """A seat must take an action: step 2, or by High Morale in step 4."""


class Discarding(TurnOfSeat, frozen=True, gc=False):
    """A seat may discard cards in the course of action D."""


class Choosing(TurnOfSeat, frozen=True, gc=False):
    """A seat may use a special card: step 4."""


class Conquering(TurnOfSeat, frozen=True, gc=False):
    """A seat must conquer: a turn of the final phase."""


class Over(Struct, frozen=True, gc=False):
    """Nobody acts any more."""


SeatTurn: TypeAlias = Opening | Drawing | Acting | Discarding | Choosing | Conquering
Step: TypeAlias = Beginning | SeatTurn | Turning
Turn: TypeAlias = Step | Over

REASON: Final = "no-conquest"
"""Why a match is over (KHAN-END-1)."""


class State(Struct, frozen=True, gc=False, kw_only=True):
    """Everything that the next move is judged by."""

    table: Table
    free: CellSet
    """Land without a yurt, a leader or a piece (KHAN-FREE-1)."""
    yurts: tuple[CellSet, ...]
    """By seat; the neutral ones last."""
    covered: CellSet = 0
    """Cells under a piece."""
    leaders: tuple[CellSet, ...]
    """By leader: its cell, or nothing once it has left."""
    camps: bytes
    """By leader: neutral yurts beside its portrait."""
    supply: bytes
    """By shape: pieces left."""
    placed: tuple[Piece, ...] = ()
    """In the order in which they were placed."""
    specials: tuple[bytes, ...]
    """By seat, then by special card: how many it has left."""
    active: tuple[Restriction | None, ...]
    """By seat."""
    hands: tuple[Hand, ...]
    """By seat."""
    pile: int
    """Cards in the draw pile."""
    discard: bytes
    """By face: cards in the discard pile."""
    apart: bytes
    """By face: cards that have not been seen since before the last shuffle, so they are in hands."""
    old: bytes
    """By seat: cards held since before the last shuffle."""
    shuffles: int = 0
    """How often the discards have become a new draw pile."""
    turn: Turn
    left: int = 0
    """Actions or conquests that the turn has left, the one under way included."""
    morale: bool = False
    """Whether the action is the one of High Morale."""
    proposal: Proposal | None = None
    refused: tuple[Site, ...] = ()
    """Proposals refused in this turn."""
    retired: Special | None = None
    """The Protection or Support that this turn's step 3 has retired."""
    either: tuple[Laid, ...] = ()
    """In the order in which they were laid aside; they still count in apart and old."""

    @property
    def neutral(self) -> CellSet:
        """Every neutral yurt."""
        return self.yurts[-1]

    @property
    def occupied(self) -> CellSet:
        """Every cell with a yurt."""
        cells = 0
        for of_one in self.yurts:
            cells |= of_one
        return cells

    @property
    def triggered(self) -> bool:
        """Whether five leaders have left; then none is on the board."""
        return not any(self.leaders)

    @property
    def is_dealing(self) -> bool:
        """Whether no card has been laid open yet."""
        return not any(self.discard) and not any(self.old)

    def held(self, seat: Seat) -> int:
        """How many cards a seat has."""
        return len(self.hands[seat])

    def fresh(self, card: CardKind) -> int:
        """How many cards of a face have not been seen since they were shuffled into the current pile.

        It may be fewer than none while it is open which of equal cards was laid aside.
        """
        return self.table.parts.copies[card] - self.discard[card] - self.apart[card]

    def unseen(self, card: CardKind) -> int:
        """How many cards of a face are neither discarded nor known to be in a hand."""
        left = self.table.parts.copies[card] - self.discard[card]
        for hand in self.hands:
            left -= hand.count(card)
        return left
