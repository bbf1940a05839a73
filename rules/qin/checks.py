"""One small test for each rule that a move can break, and the tables that name them.

decide.py asks quick questions first; these tests run if the answer is no, and say why.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.cells import Cell, cell_name
from rules.kernel.rule import Breach, Check
from rules.kernel.setup import RECORDED
from rules.qin import rulebook
from rules.qin.board import BLOCKED, STEPPE, corners, sides
from rules.qin.growth import Barred, Undecided, cell_counts, growths
from rules.qin.moves import DealTiles, DrawTile, PlaceTile
from rules.qin.placements import placements
from rules.qin.state import Dealing, Drawing, Over, Placing, State
from rules.qin.tiles import EACH, EMPTY, HAND, KINDS, UNKNOWN


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile that a seat asks to place, and what it is judged against."""

    state: State
    seat: Seat
    move: PlaceTile

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Where the halves would lie."""
        return self.move.first.cell, self.move.second.cell


def _names(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    return tuple(cell_name(cell) for cell in cells)


def _is_territory(state: State, cell: Cell) -> bool:
    return bool(state.table.board.bit[cell] & state.taken)


def _covers_what_is_not_free(case: Placement) -> Breach | None:
    board = case.state.table.board
    faults = []
    for cell in dict.fromkeys(case.cells):
        kind = board.kind_at(cell)
        if not kind:
            faults.append((cell, "is off the board"))
        elif kind == BLOCKED:
            faults.append((cell, "is blocked"))
        elif kind.islower():
            faults.append((cell, "is a village"))
        elif kind != STEPPE:
            faults.append((cell, "is a starting territory"))
        elif _is_territory(case.state, cell):
            faults.append((cell, "already carries a tile"))
    if not faults:
        return None
    return Breach(
        ", ".join(f"{cell_name(cell)} {fault}" for cell, fault in faults),
        _names(tuple(cell for cell, _ in faults)),
    )


def _halves_lie_apart(case: Placement) -> Breach | None:
    first, second = case.cells
    if second in sides(first):
        return None
    if first == second:
        return Breach(f"both halves lie on {cell_name(first)}", _names((first,)))
    return Breach(f"{cell_name(first)} and {cell_name(second)} do not share a side", _names(case.cells))


def _touches_no_territory(case: Placement) -> Breach | None:
    if any(_is_territory(case.state, beside) for cell in case.cells for beside in sides(cell)):
        return None
    return Breach("neither half shares a side with a territory that was there before", _names(case.cells))


def _touches_only_a_corner(case: Placement) -> Breach | None:
    if _touches_no_territory(case) is None:
        return None
    met = [other for cell in case.cells for other in corners(cell) if _is_territory(case.state, other)]
    if not met:
        return None
    return Breach(f"it meets the territory at {cell_name(min(met))} only at a corner", _names((min(met),)))


def _touches_only_a_village(case: Placement) -> Breach | None:
    if _touches_no_territory(case) is None:
        return None
    board = case.state.table.board
    met = [other for cell in case.cells for other in sides(cell) if board.kind_at(other).islower()]
    if not met:
        return None
    return Breach(
        f"it touches the village at {cell_name(min(met))}, and a village is no territory", _names((min(met),))
    )


def _cannot_join(
    case: Placement, reason: Undecided, describe: Callable[[Placement, Barred], str]
) -> Breach | None:
    joins = [
        join
        for join in growths(case.state, case.seat, case.move)
        if isinstance(join, Barred) and join.reason is reason
    ]
    if not joins:
        return None
    board = case.state.table.board
    places = [board.first(province.cells) for join in joins for province in join.provinces]
    return Breach("; ".join(describe(case, join) for join in joins), _names(tuple(places)))


def _tally(case: Placement, join: Barred) -> str:
    table = case.state.table
    counts = cell_counts(table.rulings, case.seat, join.provinces, join.singles)
    return ", ".join(f"{table.names[seat]} {counts[seat]}" for seat in sorted(counts))


def _describe_tie(case: Placement, join: Barred) -> str:
    return f"the {join.colour.name.lower()} provinces would be joined at a tie: {_tally(case, join)}"


def _describe_majors(_: Placement, join: Barred) -> str:
    majors = sum(province.major for province in join.provinces)
    return f"it would join {majors} major {join.colour.name.lower()} provinces"


def _describe_major(case: Placement, join: Barred) -> str:
    return (
        f"a major {join.colour.name.lower()} province would not be its owner's by count: {_tally(case, join)}"
    )


def _joins_at_a_tie(case: Placement) -> Breach | None:
    return _cannot_join(case, Undecided.TIE, _describe_tie)


def _joins_majors(case: Placement) -> Breach | None:
    return _cannot_join(case, Undecided.TWO_MAJORS, _describe_majors)


def _takes_a_major(case: Placement) -> Breach | None:
    return _cannot_join(case, Undecided.MAJOR_NOT_AHEAD, _describe_major)


def _holds_no_such_tile(case: Placement) -> Breach | None:
    state, kind = case.state, case.move.kind
    hand = state.hands[case.seat]
    name = state.table.names[case.seat]
    if state.may_hold(case.seat, kind):
        return None
    if hand == EMPTY:
        return Breach(f"{name} has no tile left", (kind.name,))
    if hand[UNKNOWN]:
        return Breach(f"all twelve {kind.name} tiles are accounted for (QIN-COMP-1)", (kind.name,))
    return Breach(f"{name} holds no {kind.name}", (kind.name,))


GEOMETRY: Final = (
    Check(rulebook.PLACE_1, _covers_what_is_not_free),
    Check(rulebook.PLACE_2, _halves_lie_apart),
    Check(rulebook.PLACE_3, _touches_no_territory),
    Check(rulebook.PLACE_4, _touches_only_a_corner),
    Check(rulebook.PLACE_5, _touches_only_a_village),
)
JOINING: Final = (
    Check(rulebook.ABSORB_4, _joins_at_a_tie),
    Check(rulebook.ABSORB_5, _joins_majors),
    Check(rulebook.ABSORB_6, _takes_a_major),
)
HOLDING: Final = (Check(rulebook.TURN_1, _holds_no_such_tile),)


@dataclass(frozen=True, slots=True)
class Word:
    """A pass or a declared end, instead of a placement."""

    state: State
    seat: Seat


def _everybody_has_passed(case: Word) -> Breach | None:
    if case.state.passes < len(case.state.hands):
        return None
    return Breach("every seat has passed on this position, so nobody can place: the match ends with `end`")


def _could_place(case: Word) -> Breach | None:
    state = case.state
    if state.table.rulings.stuck_ends:
        return Breach("by the ruling stuck=end a seat that cannot place ends the match and never passes")
    return _can_place_what_it_holds(case)


def _may_not_end_yet(case: Word) -> Breach | None:
    """Does not look at the others' tiles: they may be hidden, and the answer would reveal them."""
    state = case.state
    if state.table.rulings.stuck_ends:
        return _can_place_what_it_holds(case)
    if state.table.draws is RECORDED and state.passes < len(state.hands):
        return Breach(
            "where draws are recorded the match ends by itself, or once every seat has passed in turn"
        )
    return None


def _can_place_what_it_holds(case: Word) -> Breach | None:
    state = case.state
    move = next(placements(state, case.seat, state.surely_held(case.seat)), None)
    if move is None:
        return None
    cells = (move.first.cell, move.second.cell)
    return Breach(
        f"{state.table.names[case.seat]} holds {move.kind.name} and can place it, for instance on"
        f" {' and '.join(_names(cells))}",
        _names(cells),
    )


PASSING: Final = (Check(rulebook.END_3, _everybody_has_passed), Check(rulebook.TURN_2, _could_place))
ENDING: Final = (Check(rulebook.END_3, _may_not_end_yet),)


@dataclass(frozen=True, slots=True)
class Deal:
    """A first hand that chance deals."""

    state: State
    move: DealTiles


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile that chance deals."""

    state: State
    move: DrawTile


def _deal_fault(case: Deal) -> Breach | None:
    names = case.state.table.names
    if not 0 <= case.move.seat < len(names):
        return Breach("there is no such seat")
    if case.state.hands[case.move.seat] != EMPTY:
        return Breach(f"{names[case.move.seat]} has been dealt a hand already")
    if len(case.move.tiles) != HAND:
        return Breach(f"a first hand has {HAND} tiles, not {len(case.move.tiles)}")
    return None


def _deals_no_plain_tile(case: Deal) -> Breach | None:
    if not case.state.table.rulings.fair_start:
        return None
    if any(tile is None or tile.plain for tile in case.move.tiles):
        return None
    return Breach("no tile of this hand has one colour, and the ruling fair-start=redeal-all asks for one")


def _draws_a_thirteenth(case: Draw) -> Breach | None:
    tile = case.move.tile
    if tile is None or case.state.unseen(tile) > 0:
        return None
    return Breach(f"all {EACH} {tile.name} tiles are accounted for", (tile.name,))


def _draws_from_no_pile(case: Draw) -> Breach | None:
    state, pile = case.state, case.move.pile
    if pile is None:
        return None
    heights = pile_heights(state)
    if not 1 <= pile <= len(heights):
        return Breach(f"there is no pile {pile}; the piles are 1 to {len(heights)}")
    if state.drawn[pile - 1] >= heights[pile - 1]:
        return Breach(f"pile {pile} is empty: it had {heights[pile - 1]} tiles")
    return None


def pile_heights(state: State) -> tuple[int, ...]:
    """The piles after the deal, as equal as can be, the taller ones first (QIN-SETUP-2)."""
    piles = len(state.drawn)
    stock = EACH * len(KINDS) - HAND * len(state.hands)
    return tuple((stock + piles - 1 - pile) // piles for pile in range(piles))


DEAL: Final = (Check(rulebook.SETUP_2, _deal_fault),)
DEALT_TILES: Final = (Check(rulebook.SETUP_4, _deals_no_plain_tile),)
DRAW: Final = (
    Check(rulebook.COMP_1, _draws_a_thirteenth),
    Check(rulebook.DRAW_1, _draws_from_no_pile),
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Any request of an actor."""

    state: State
    actor: Actor


def _acts_out_of_turn(case: Attempt) -> Breach | None:
    turn, names = case.state.turn, case.state.table.names
    match turn:
        case Over():
            return Breach(f"the match is over: {turn.reason.value}")
        case Placing():
            return None if case.actor == turn.seat else Breach(f"it is {names[turn.seat]}'s turn to place")
        case Drawing():
            return None if case.actor is CHANCE else Breach(f"{names[turn.seat]} must draw a tile first")
        case Dealing():
            return None if case.actor is CHANCE else Breach("the first hands must be dealt first")


TURN: Final = (Check(rulebook.TURN_1, _acts_out_of_turn),)
