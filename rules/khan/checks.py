"""One small test for each rule that a yurt, card, chase, conquest or pass can break, and their tables.

A table is a stage: the first stage that finds a fault reports all that it finds, and later ones are not run.
"""

from typing import Final, TypeAlias

from rules.kernel.cells import cell_name, cell_names
from rules.kernel.rule import Breach, Check, Stage, breaks
from rules.kernel.tasks import TaskCase
from rules.khan import moves as m
from rules.khan import rulebook
from rules.khan import state as s
from rules.khan.ages import is_in_pile, is_left, may_hold
from rules.khan.board import CellSet
from rules.khan.cards import UNKNOWN, CardKind
from rules.khan.conquest import can_conquer, guards, is_barred, owners
from rules.khan.shapes import PieceKind, Shape, on_both_sides
from rules.khan.state import ACTIONS, Site, State


def _is_no_seat(case: TaskCase[State, object, m.DrawFirstPlayer]) -> Breach | None:
    return None if case.move.seat in case.state.table.seats else Breach("there is no such seat")


SEATED: Final = (Check(rulebook.SETUP_5, _is_no_seat),)


# Yurts.


def _is_not_free(case: TaskCase[State, object, m.PlaceYurt | m.Invade | m.InvadeAnywhere]) -> Breach | None:
    cell = case.move.cell
    fault = _obstacle(case.state, case.state.table.parts.board.bit[cell])
    return None if fault is None else Breach(f"{cell_name(cell)} {fault}", (cell_name(cell),))


def _obstacle(state: State, bit: CellSet) -> str | None:
    if bit & state.free:
        return None
    if not bit:
        return "is off the board"
    if bit & state.covered:
        return "lies under a piece"
    if bit & state.table.parts.board.river:
        return "is river"
    return "carries a yurt" if bit & state.occupied else "is a leader's"


def _ground_is_closed(case: TaskCase[State, object, m.Invade]) -> Breach | None:
    table, cell = case.state.table, case.move.cell
    if table.parts.board.bit[cell] & table.openings[case.move.card]:
        return None
    name = table.parts.card_names[case.move.card]
    return Breach(f"{name} does not open {cell_name(cell)}", (cell_name(cell), name))


FREE: Final = (Check(rulebook.FREE_1, _is_not_free),)
GROUND: Final = (Check(rulebook.ACT_A, _ground_is_closed),)


# Cards.


_LaidAside: TypeAlias = TaskCase[State, s.Acting | s.Discarding, m.Invade | m.Discard]


def _name(case: TaskCase[State, object, m.Invade | m.Discard | m.TurnCard | m.DrawCard]) -> str:
    """The card as players write it."""
    return "?" if case.move.card is None else case.state.table.parts.card_names[case.move.card]


def _is_not_held(case: _LaidAside) -> Breach | None:
    hand = case.state.hands[case.task.seat]
    if case.move.card in hand or UNKNOWN in hand:
        return None
    name = _name(case)
    return Breach(f"{case.state.table.names[case.task.seat]} does not hold {name}", (name,))


def _cannot_be_held(case: _LaidAside) -> Breach | None:
    """Asks nothing of other hands: the answer would show them."""
    card = case.move.card
    if _is_not_held(case) or case.state.discard[card] < case.state.table.parts.copies[card]:
        return None
    return Breach(f"every {_name(case)} is discarded or in another hand", (_name(case),))


def _is_in_the_pile(case: _LaidAside) -> Breach | None:
    state, seat, card = case.state, case.task.seat, case.move.card
    if _is_not_held(case) or _cannot_be_held(case) or may_hold(state, seat, card):
        return None
    why = f"{_name(case)} cannot have come to {state.table.names[seat]} since the last shuffle, or before it"
    return Breach(why, (_name(case),))


_HOLDABLE: Final = (Check(rulebook.COMP_3, _cannot_be_held), Check(rulebook.DECK_1, _is_in_the_pile))
PLAYED: Final = (Check(rulebook.ACT_A, _is_not_held), *_HOLDABLE)
DISCARDED: Final = (Check(rulebook.ACT_D, _is_not_held), *_HOLDABLE)


_OnTop: TypeAlias = TaskCase[State, object, m.TurnCard | m.DrawCard]


def _is_seen_already(case: _OnTop) -> Breach | None:
    card = case.move.card
    if card is None or is_left(case.state, card):
        return None
    return Breach(f"every {_name(case)} is discarded or in a hand", (_name(case),))


def _was_not_shuffled_in(case: _OnTop) -> Breach | None:
    card = case.move.card
    if card is None or is_in_pile(case.state, card):
        return None
    why = f"{_name(case)} was in a hand when the draw pile was last shuffled, and still is"
    return Breach(why, (_name(case),))


LEFT_OVER: Final = (Check(rulebook.COMP_3, _is_seen_already),)
SHUFFLED: Final = (Check(rulebook.DECK_1, _was_not_shuffled_in),)


# Leaders.


def _leader_has_left(case: TaskCase[State, object, m.Chase]) -> Breach | None:
    if case.state.leaders[case.move.leader]:
        return None
    name = case.state.table.parts.leader_names.names[case.move.leader]
    return Breach(f"{name} has left the board", (name,))


_HUNT_IS_OVER: Final = "five leaders have left, and no leader can be chased any more"
HUNT_OPEN: Final[Stage[TaskCase[State, object, m.Chase]]] = (
    breaks(rulebook.TRIG_3, lambda case: case.state.triggered, _HUNT_IS_OVER),
)
ON_BOARD: Final = (Check(rulebook.ACT_B, _leader_has_left),)


# Conquests.


_Conquest: TypeAlias = TaskCase[State, s.Acting | s.Conquering, m.Conquer]


def _shape(case: _Conquest) -> Shape:
    return case.state.table.parts.shapes[case.move.shape]


def _cells(case: _Conquest) -> CellSet:
    """What would be covered, as far as it lies on the board."""
    return case.state.table.parts.board.union(case.move.cells)


def _named(case: _Conquest, cells: CellSet) -> tuple[str, ...]:
    return cell_names(case.state.table.parts.board.each(cells))


def _does_not_fit(case: _Conquest) -> Breach | None:
    board, shape = case.state.table.parts.board, _shape(case)
    off = tuple(cell for cell in sorted(set(case.move.cells)) if not board.bit[cell])
    if off:
        return Breach(f"{', '.join(cell_names(off))} off the board", cell_names(off))
    if len(case.move.cells) != shape.size or _cells(case) not in shape.outlines:
        return Breach(f"these cells are not the outline of {shape.id}", _named(case, _cells(case)))
    if under := _cells(case) & case.state.covered:
        return Breach(f"a piece lies on {', '.join(_named(case, under))} already", _named(case, under))
    if not case.state.supply[case.move.shape]:
        return Breach(f"no {shape.id} is left", (shape.id,))
    return None


def _is_reserved(case: _Conquest) -> Breach | None:
    if not is_barred(case.state, case.task.seat, case.move.shape):
        return None
    return Breach(f"{_shape(case).id} is reserved for another seat", (_shape(case).id,))


def _tile_fault(case: _Conquest) -> Breach | None:
    if _shape(case).kind is not PieceKind.TILE:
        return None
    return _lies_on_no_yurts(case, _cells(case))


def _bridge_fault(case: _Conquest) -> Breach | None:
    if _shape(case).kind is not PieceKind.BRIDGE:
        return None
    parts = case.state.table.parts
    wet = _cells(case) & parts.board.river
    if not wet or (wet.bit_count() != _shape(case).printed.water and not parts.loose_bridges):
        needed = "at least 1" if parts.loose_bridges else str(_shape(case).printed.water)
        return Breach(
            f"{_shape(case).id} would lie on {wet.bit_count()} cells of the river, not {needed}",
            _named(case, _cells(case)),
        )
    if not on_both_sides(parts.board, _cells(case)):
        return Breach("there is land on one side of the water only", _named(case, _cells(case)))
    return _lies_on_no_yurts(case, _cells(case) & parts.board.land)


def _lies_on_no_yurts(case: _Conquest, cells: CellSet) -> Breach | None:
    bare = cells & ~case.state.occupied
    if not bare:
        return None
    return Breach(f"{', '.join(_named(case, bare))} without a yurt", _named(case, bare))


def _has_no_majority(case: _Conquest) -> Breach | None:
    if case.task.seat in owners(case.state, _cells(case)):
        return None
    names = case.state.table.names
    counts = [(_cells(case) & case.state.yurts[seat]).bit_count() for seat in case.state.table.seats]
    if not counts[case.task.seat]:
        return Breach(f"{names[case.task.seat]} has no yurt there", _named(case, _cells(case)))
    counted = ", ".join(f"{names[seat]} {count}" for seat, count in enumerate(counts) if count)
    return Breach(f"another seat has more yurts there: {counted}", _named(case, _cells(case)))


def _covers_the_protected(case: _Conquest) -> Breach | None:
    return _is_guarded(case, s.Protection, "yurts")


def _covers_the_supported(case: _Conquest) -> Breach | None:
    return _is_guarded(case, s.Support, "neutral yurts")


def _is_guarded(case: _Conquest, kind: type[s.Restriction], what: str) -> Breach | None:
    sharing = owners(case.state, _cells(case))
    guarding = guards(case.state, case.task.seat, _cells(case), kind)
    strangers = [case.state.table.names[seat] for seat in guarding if seat not in sharing]
    if not strangers:
        return None
    return Breach(
        f"the {what} there are protected by {' and '.join(strangers)}, who would have no share",
        _named(case, _cells(case)),
    )


def _was_refused(case: _Conquest) -> Breach | None:
    if Site(case.move.shape, _cells(case)) not in case.state.refused:
        return None
    return Breach("the same conquest was refused in this turn", _named(case, _cells(case)))


PIECE: Final = (Check(rulebook.ACT_C, _does_not_fit), Check(rulebook.SPEC_E, _is_reserved))
GROUND_UNDER: Final = (Check(rulebook.TILE_1, _tile_fault), Check(rulebook.BRIDGE_1, _bridge_fault))
MAJORITY: Final = (Check(rulebook.MAJ_1, _has_no_majority),)
GUARDED: Final = (
    Check(rulebook.SPEC_P, _covers_the_protected),
    Check(rulebook.SPEC_S, _covers_the_supported),
)
ASKED_BEFORE: Final = (Check(rulebook.CONSENT_1, _was_refused),)


# Passing.


def _could_act(case: TaskCase[State, s.Acting, m.Pass]) -> Breach | None:
    """Looks only at the known cards of the hand."""
    state, seat = case.state, case.task.seat
    if not state.triggered:
        return Breach("a leader can be chased")
    if state.free and state.left == ACTIONS:
        return Breach("there is a free cell to invade, for both actions")
    for card in map(CardKind, state.hands[seat]):
        if card != UNKNOWN and state.free & state.table.openings[card] and may_hold(state, seat, card):
            name = state.table.parts.card_names[card]
            return Breach(f"{name} opens a free cell", (name,))
    return Breach("a conquest is possible") if can_conquer(state, seat) else None


PASSING: Final = (Check(rulebook.TURN_2, _could_act),)
FINAL_PASS: Final[Stage[TaskCase[State, s.Conquering, m.Pass]]] = (
    breaks(rulebook.FINAL_2, lambda case: can_conquer(case.state, case.task.seat), "a conquest is possible"),
)
