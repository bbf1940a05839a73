"""One small test for each rule that a yurt, card, chase, conquest or pass can break, and their tables.

A table is a stage: the first stage that finds a fault reports all that it finds, and later ones are not run.
"""

from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell, cell_name, cell_names
from rules.kernel.rule import Breach, Check
from rules.khan import rulebook
from rules.khan.ages import is_in_pile, is_left, may_hold
from rules.khan.board import CellSet
from rules.khan.cards import UNKNOWN, CardKind
from rules.khan.conquest import can_conquer, is_barred, owners, protected_by, supported_by
from rules.khan.moves import Conquer
from rules.khan.shapes import PieceKind, Shape, on_both_sides
from rules.khan.state import ACTIONS, Site, State


@dataclass(frozen=True, slots=True)
class Named:
    """A seat that chance names to begin."""

    state: State
    seat: Seat


def _is_no_seat(case: Named) -> Breach | None:
    return None if 0 <= case.seat < len(case.state.table.names) else Breach("there is no such seat")


SEATED: Final = (Check(rulebook.SETUP_5, _is_no_seat),)


# Yurts.


@dataclass(frozen=True, slots=True)
class OnCell:
    """A yurt that a seat asks to put on a cell, by a card or without one."""

    state: State
    seat: Seat
    cell: Cell
    card: CardKind | None = None


def _is_not_free(case: OnCell) -> Breach | None:
    fault = _obstacle(case.state, case.state.table.kit.board.bit[case.cell])
    return None if fault is None else Breach(f"{cell_name(case.cell)} {fault}", (cell_name(case.cell),))


def _obstacle(state: State, bit: CellSet) -> str | None:
    if bit & state.free:
        return None
    if not bit:
        return "is off the board"
    if bit & state.covered:
        return "lies under a piece"
    if bit & state.table.kit.board.river:
        return "is river"
    return "carries a yurt" if bit & state.occupied else "is a leader's"


def _ground_is_closed(case: OnCell) -> Breach | None:
    table = case.state.table
    if case.card is None or table.kit.board.bit[case.cell] & table.openings[case.card]:
        return None
    name = table.kit.card_names[case.card]
    return Breach(f"{name} does not open {cell_name(case.cell)}", (cell_name(case.cell), name))


FREE: Final = (Check(rulebook.FREE_1, _is_not_free),)
GROUND: Final = (Check(rulebook.ACT_A, _ground_is_closed),)


# Cards.


@dataclass(frozen=True, slots=True)
class InHand:
    """A card that a seat asks to lay aside."""

    state: State
    seat: Seat
    card: CardKind

    @property
    def name(self) -> str:
        """The card as players write it."""
        return self.state.table.kit.card_names[self.card]


def _is_not_held(case: InHand) -> Breach | None:
    hand = case.state.hands[case.seat]
    if case.card in hand or UNKNOWN in hand:
        return None
    return Breach(f"{case.state.table.names[case.seat]} does not hold {case.name}", (case.name,))


def _cannot_be_held(case: InHand) -> Breach | None:
    """Asks nothing of other hands: the answer would tell of them."""
    if _is_not_held(case) or case.state.discard[case.card] < case.state.table.kit.copies[case.card]:
        return None
    return Breach(f"every {case.name} is discarded or in another hand", (case.name,))


def _is_in_the_pile(case: InHand) -> Breach | None:
    state = case.state
    if _is_not_held(case) or _cannot_be_held(case) or may_hold(state, case.seat, case.card):
        return None
    name = state.table.names[case.seat]
    return Breach(
        f"{case.name} cannot have come to {name} since the last shuffle, or before it", (case.name,)
    )


PLAYED: Final = (
    Check(rulebook.ACT_A, _is_not_held),
    Check(rulebook.COMP_3, _cannot_be_held),
    Check(rulebook.DECK_1, _is_in_the_pile),
)
DISCARDED: Final = (
    Check(rulebook.ACT_D, _is_not_held),
    Check(rulebook.COMP_3, _cannot_be_held),
    Check(rulebook.DECK_1, _is_in_the_pile),
)


@dataclass(frozen=True, slots=True)
class OnTop:
    """A card that chance says came from the draw pile."""

    state: State
    card: CardKind

    @property
    def name(self) -> str:
        """The card as players write it."""
        return self.state.table.kit.card_names[self.card]


def _is_seen_already(case: OnTop) -> Breach | None:
    if is_left(case.state, case.card):
        return None
    return Breach(f"every {case.name} is discarded or in a hand", (case.name,))


def _was_not_shuffled_in(case: OnTop) -> Breach | None:
    if is_in_pile(case.state, case.card):
        return None
    return Breach(
        f"{case.name} was in a hand when the draw pile was last shuffled, and still is", (case.name,)
    )


LEFT_OVER: Final = (Check(rulebook.COMP_3, _is_seen_already),)
SHUFFLED: Final = (Check(rulebook.DECK_1, _was_not_shuffled_in),)


# Leaders.


@dataclass(frozen=True, slots=True)
class Hunt:
    """A leader whom a seat asks to chase."""

    state: State
    leader: int


def _hunt_is_over(case: Hunt) -> Breach | None:
    if not case.state.triggered:
        return None
    return Breach("five leaders have left, and no leader can be chased any more")


def _leader_has_left(case: Hunt) -> Breach | None:
    if case.state.leaders[case.leader]:
        return None
    name = case.state.table.kit.leaders[case.leader].id
    return Breach(f"{name} has left the board", (name,))


HUNT_OPEN: Final = (Check(rulebook.TRIG_3, _hunt_is_over),)
ON_BOARD: Final = (Check(rulebook.ACT_B, _leader_has_left),)


# Conquests.


@dataclass(frozen=True, slots=True)
class Conquest:
    """A piece that a seat asks to lay."""

    state: State
    seat: Seat
    move: Conquer

    @property
    def shape(self) -> Shape:
        """The kind of piece."""
        return self.state.table.kit.shapes[self.move.shape]

    @property
    def cells(self) -> CellSet:
        """What would be covered, as far as it lies on the board."""
        return self.state.table.kit.board.union(self.move.cells)

    def named(self, cells: CellSet) -> tuple[str, ...]:
        """Some of its cells by their names."""
        return cell_names(self.state.table.kit.board.each(cells))


def _does_not_fit(case: Conquest) -> Breach | None:
    board, shape = case.state.table.kit.board, case.shape
    off = tuple(cell for cell in sorted(set(case.move.cells)) if not board.bit[cell])
    if off:
        return Breach(f"{', '.join(cell_names(off))} off the board", cell_names(off))
    if len(case.move.cells) != shape.size or case.cells not in shape.outlines:
        return Breach(f"these cells are not the outline of {shape.id}", case.named(case.cells))
    if under := case.cells & case.state.covered:
        return Breach(f"a piece lies on {', '.join(case.named(under))} already", case.named(under))
    if not case.state.supply[case.move.shape]:
        return Breach(f"no {shape.id} is left", (shape.id,))
    return None


def _is_reserved(case: Conquest) -> Breach | None:
    if not is_barred(case.state, case.seat, case.move.shape):
        return None
    return Breach(f"{case.shape.id} is reserved for another seat", (case.shape.id,))


def _tile_lies_amiss(case: Conquest) -> Breach | None:
    if case.shape.kind is not PieceKind.TILE:
        return None
    return _lies_on_no_yurts(case, case.cells)


def _bridge_lies_amiss(case: Conquest) -> Breach | None:
    if case.shape.kind is not PieceKind.BRIDGE:
        return None
    kit = case.state.table.kit
    wet = case.cells & kit.board.river
    if not wet or (wet.bit_count() != case.shape.printed.water and not kit.loose_bridges):
        needed = "at least 1" if kit.loose_bridges else str(case.shape.printed.water)
        return Breach(
            f"{case.shape.id} would lie on {wet.bit_count()} cells of the river, not {needed}",
            case.named(case.cells),
        )
    if not on_both_sides(kit.board, case.cells):
        return Breach("there is land on one side of the water only", case.named(case.cells))
    return _lies_on_no_yurts(case, case.cells & kit.board.land)


def _lies_on_no_yurts(case: Conquest, cells: CellSet) -> Breach | None:
    bare = cells & ~case.state.occupied
    if not bare:
        return None
    return Breach(f"{', '.join(case.named(bare))} without a yurt", case.named(bare))


def _has_no_majority(case: Conquest) -> Breach | None:
    if case.seat in owners(case.state, case.cells):
        return None
    names = case.state.table.names
    counts = [(case.cells & case.state.yurts[seat]).bit_count() for seat in case.state.table.seats]
    if not counts[case.seat]:
        return Breach(f"{names[case.seat]} has no yurt there", case.named(case.cells))
    told = ", ".join(f"{names[seat]} {count}" for seat, count in enumerate(counts) if count)
    return Breach(f"another seat has more yurts there: {told}", case.named(case.cells))


def _covers_the_protected(case: Conquest) -> Breach | None:
    return _is_guarded(case, protected_by(case.state, case.seat, case.cells), "yurts")


def _covers_the_supported(case: Conquest) -> Breach | None:
    return _is_guarded(case, supported_by(case.state, case.seat, case.cells), "neutral yurts")


def _is_guarded(case: Conquest, guards: tuple[Seat, ...], what: str) -> Breach | None:
    sharing = owners(case.state, case.cells)
    strangers = [case.state.table.names[seat] for seat in guards if seat not in sharing]
    if not strangers:
        return None
    return Breach(
        f"the {what} there are protected by {' and '.join(strangers)}, who would have no share",
        case.named(case.cells),
    )


def _was_refused(case: Conquest) -> Breach | None:
    if Site(case.move.shape, case.cells) not in case.state.refused:
        return None
    return Breach("the same conquest was refused in this turn", case.named(case.cells))


PIECE: Final = (Check(rulebook.ACT_C, _does_not_fit), Check(rulebook.SPEC_E, _is_reserved))
GROUND_UNDER: Final = (
    Check(rulebook.TILE_1, _tile_lies_amiss),
    Check(rulebook.BRIDGE_1, _bridge_lies_amiss),
)
MAJORITY: Final = (Check(rulebook.MAJ_1, _has_no_majority),)
GUARDED: Final = (
    Check(rulebook.SPEC_P, _covers_the_protected),
    Check(rulebook.SPEC_S, _covers_the_supported),
)
ASKED_BEFORE: Final = (Check(rulebook.CONSENT_1, _was_refused),)


# Passing.


@dataclass(frozen=True, slots=True)
class Word:
    """A pass of a seat."""

    state: State
    seat: Seat


def _could_act(case: Word) -> Breach | None:
    """Looks only at the known cards of the hand."""
    state, seat = case.state, case.seat
    if not state.triggered:
        return Breach("a leader can be chased")
    if state.free and state.left == ACTIONS:
        return Breach("there is a free cell to invade, for both actions")
    for card in state.hands[seat]:
        if card != UNKNOWN and state.free & state.table.openings[card] and may_hold(state, seat, card):
            name = state.table.kit.card_names[card]
            return Breach(f"{name} opens a free cell", (name,))
    return Breach("a conquest is possible") if can_conquer(state, seat) else None


def _could_conquer(case: Word) -> Breach | None:
    return Breach("a conquest is possible") if can_conquer(case.state, case.seat) else None


PASSING: Final = (Check(rulebook.TURN_2, _could_act),)
FINAL_PASS: Final = (Check(rulebook.FINAL_2, _could_conquer),)
