"""The moves of the game."""

from typing import TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.khan.cards import CardKind, Leader, Region
from rules.khan.shapes import ShapeKind

# By chance.


class DrawFirstPlayer(Struct, frozen=True, gc=False):
    """Chance names the seat that begins."""

    seat: Seat


class TurnCard(Struct, frozen=True, gc=False):
    """Chance turns the top card of the draw pile."""

    card: CardKind


class DrawCard(Struct, frozen=True, gc=False):
    """Chance deals a card to the seat whose hand is being filled; None is one that is not recorded."""

    card: CardKind | None


# By a seat.


class PlaceYurt(Struct, frozen=True, gc=False):
    """Put down an opening yurt (KHAN-SETUP-6)."""

    cell: Cell


class Invade(Struct, frozen=True, gc=False):
    """Action A: put a yurt where a card of the hand allows it."""

    cell: Cell
    card: CardKind


class Chase(Struct, frozen=True, gc=False):
    """Action B: name the leader who will flee by the next card."""

    leader: Leader


class Conquer(Struct, frozen=True, gc=False):
    """Action C: place a piece."""

    shape: ShapeKind
    cells: tuple[Cell, ...]
    """In any order; they are written from the top, then from the left."""


class InvadeAnywhere(Struct, frozen=True, gc=False):
    """Action D: put a yurt on any free cell, for both actions."""

    cell: Cell


class Discard(Struct, frozen=True, gc=False):
    """Discard a card during action D."""

    card: CardKind


class Finish(Struct, frozen=True, gc=False):
    """Discard no more cards; or use no special card."""


class RaiseMorale(Struct, frozen=True, gc=False):
    """Use High Morale: one more single action follows."""


class InvokeProtection(Struct, frozen=True, gc=False):
    """Use the Great Khan's Protection."""


class InvokeSupport(Struct, frozen=True, gc=False):
    """Use the Support of the Gods; for a region with four seats, and only then."""

    region: Region | None


class Explore(Struct, frozen=True, gc=False):
    """Use Exploration: reserve a piece."""

    shape: ShapeKind


class Agree(Struct, frozen=True, gc=False):
    """Consent to a proposed conquest."""


class Refuse(Struct, frozen=True, gc=False):
    """Withhold consent from a proposed conquest."""


class Pass(Struct, frozen=True, gc=False):
    """Do nothing, because no action or conquest is possible."""


ChanceMove: TypeAlias = DrawFirstPlayer | TurnCard | DrawCard
Action: TypeAlias = Invade | Chase | Conquer | InvadeAnywhere | Pass
SpecialMove: TypeAlias = RaiseMorale | InvokeProtection | InvokeSupport | Explore
SeatMove: TypeAlias = PlaceYurt | Action | Discard | Finish | SpecialMove | Agree | Refuse
Move: TypeAlias = ChanceMove | SeatMove
