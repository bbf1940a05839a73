"""The events of the game: facts that are applied to a state without judging."""

import enum
from typing import TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.khan.board import CellSet
from rules.khan.cards import CardKind, Leader, Region, Special
from rules.khan.shapes import ShapeKind


class OfSeat(Struct, frozen=True, gc=False):
    """Something that a seat did, or that happened to it."""

    seat: Seat


class FirstPlayerDrawn(OfSeat, frozen=True, gc=False):
    """A seat was named to begin."""


class OpeningYurtPlaced(OfSeat, frozen=True, gc=False):
    """An opening yurt stands on the board."""

    cell: Cell


class CardDrawn(OfSeat, frozen=True, gc=False):
    """A card went to a hand, as recorded."""

    card: CardKind | None


class CardsDrawn(OfSeat, frozen=True, gc=False):
    """Cards went to a hand; only if draws are not recorded."""

    count: int


class DeckReshuffled(Struct, frozen=True, gc=False):
    """The discards became the new draw pile."""


class TurnBegan(OfSeat, frozen=True, gc=False):
    """It is a seat's turn."""


class CardTurned(Struct, frozen=True, gc=False):
    """The top card of the draw pile went face up to the discards."""

    card: CardKind


class LeaderFled(Struct, frozen=True, gc=False):
    """A leader moved, and a neutral yurt stands where it was."""

    leader: Leader
    origin: Cell
    target: Cell
    from_camp: bool
    """Whether the yurt came from the leader's camp, or else from the reserve."""


class Cause(enum.Enum):
    """Why a leader left."""

    LAST_YURT = "last-yurt"
    BLOCKED = "blocked"


class LeaderRemoved(Struct, frozen=True, gc=False):
    """A leader left, and a neutral yurt took its place."""

    leader: Leader
    cell: Cell
    cause: Cause


class FinalPhaseTriggered(Struct, frozen=True, gc=False):
    """Five leaders have left: neutral yurts took the places of the others."""

    in_actions: bool
    """Whether it came by an action; else the turn is over at once."""


class YurtPlacedByCard(OfSeat, frozen=True, gc=False):
    """A card was played, and a yurt stands on a cell that it opened."""

    card: CardKind
    cell: Cell


class LeaderAnnounced(OfSeat, frozen=True, gc=False):
    """A seat named the leader whom the next card chases."""

    leader: Leader


class YurtPlacedAnywhere(OfSeat, frozen=True, gc=False):
    """A yurt stands on a cell of the seat's choice, for both actions."""

    cell: Cell


class CardDiscarded(OfSeat, frozen=True, gc=False):
    """A card of the hand went to the discards."""

    card: CardKind


class DiscardingEnded(OfSeat, frozen=True, gc=False):
    """A seat keeps the cards that it has."""


class ConquestProposed(OfSeat, frozen=True, gc=False):
    """A conquest waits for the consent of other seats."""

    shape: ShapeKind
    cells: CellSet
    asked: tuple[Seat, ...]


class ConsentGiven(OfSeat, frozen=True, gc=False):
    """One of the seats asked agreed."""


class ConsentRefused(OfSeat, frozen=True, gc=False):
    """One of the seats asked did not agree, and the proposal is void."""


class PiecePlaced(OfSeat, frozen=True, gc=False):
    """A piece was placed on the board, and the yurts under it were returned."""

    shape: ShapeKind
    cells: CellSet
    owners: tuple[Seat, ...]


class ActionForfeited(OfSeat, frozen=True, gc=False):
    """A seat could take no action."""


class SpecialRetired(OfSeat, frozen=True, gc=False):
    """A restriction imposed by a special card ended."""

    special: Special


class SpecialUsed(OfSeat, frozen=True, gc=False):
    """A seat used a special card."""

    special: Special
    region: Region | None = None
    """What the Support of the Gods is for, with four seats."""
    shape: ShapeKind | None = None
    """What Exploration reserves."""


class SpecialDeclined(OfSeat, frozen=True, gc=False):
    """A seat used no special card."""


class TurnPassed(OfSeat, frozen=True, gc=False):
    """A seat had no conquest, or no further one, in the final phase."""


class MatchEnded(Struct, frozen=True, gc=False):
    """Nobody can conquer any more."""

    points: tuple[int, ...]
    """By seat, bonuses included."""
    winners: tuple[Seat, ...]


Dealing: TypeAlias = FirstPlayerDrawn | OpeningYurtPlaced | CardDrawn | CardsDrawn | DeckReshuffled
Chasing: TypeAlias = CardTurned | LeaderAnnounced | LeaderFled | LeaderRemoved | FinalPhaseTriggered
Invading: TypeAlias = YurtPlacedByCard | YurtPlacedAnywhere | CardDiscarded | DiscardingEnded
Conquest: TypeAlias = ConquestProposed | ConsentGiven | ConsentRefused | PiecePlaced
UsingSpecials: TypeAlias = SpecialRetired | SpecialUsed | SpecialDeclined
EndingTurns: TypeAlias = TurnBegan | ActionForfeited | TurnPassed | MatchEnded
Event: TypeAlias = Dealing | Chasing | Invading | Conquest | UsingSpecials | EndingTurns
