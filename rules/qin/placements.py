"""Every legal placement of a position, and whether there is one, by whole-board arithmetic.

Order: by the first cell of the pair in reading order, the pair to the right before the pair below; on one
pair by kind, RR YY BB RY RB YB, a two-colour tile first with the colours as its kind names them, then
turned.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress
from typing import Final, NamedTuple

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_at
from rules.qin.board import Board, CellSet
from rules.qin.growth import joinable
from rules.qin.moves import Half, PlaceTile
from rules.qin.state import ByColour, State
from rules.qin.tiles import COLOURS, KINDS, Colour

ALL_KINDS: Final = (1 << len(KINDS)) - 1
"""Kinds as bits: every one of them."""

_ORIENTATIONS: Final = {
    kind: ((one, other),) if one == other else ((one, other), (other, one))
    for kind in KINDS
    for one, other in [tuple(colour for letter in kind.name for colour in COLOURS if colour.letter == letter)]
}
TWO_COLOURED: Final = ALL_KINDS & ~(sum(1 << kind for kind in KINDS if kind.plain))
_WITH_COLOUR: Final = tuple(
    sum(1 << kind for kind in KINDS if colour.letter in kind.name) for colour in COLOURS
)
"""By colour: the kinds that have it, as bits."""
_ZERO_ONE: Final = bytes.maketrans(b"01", b"\x00\x01")


class _Pairs(NamedTuple):
    """Sets of pairs of side-by-side cells, each pair known by its first cell."""

    right: CellSet
    below: CellSet


class _Forbidden(NamedTuple):
    """Where a half or a plain tile of one colour would join what must not be joined."""

    halves: CellSet
    plain: _Pairs


_NOWHERE: Final = _Forbidden(0, _Pairs(0, 0))
_NOTHING: Final = (_NOWHERE,) * len(COLOURS)


def placements(state: State, seat: Seat, kinds: int) -> Iterator[PlaceTile]:
    """Every legal placement by this seat of a tile of these kinds, in the stated order."""
    board = state.table.board
    open_pairs = _open_pairs(board, state.free)
    if not (kinds and any(open_pairs)):
        return iter(())
    table: Sequence[tuple[PlaceTile, ...]] = _moves_of(board, kinds)
    forbidden = _forbidden(state, seat, kinds, open_pairs)
    if forbidden != _NOTHING:
        table = _without(board, table, forbidden, open_pairs)
    return chain.from_iterable(compress(table, _flags(board, open_pairs)))


def can_place(state: State, seat: Seat, kinds: int) -> bool:
    """Whether the seat has a legal placement with a tile of these kinds."""
    if not kinds:
        return False
    return (
        can_surely_place(state.table.board, state.territories, kinds)
        or next(placements(state, seat, kinds), None) is not None
    )


def can_surely_place(board: Board, territories: ByColour[CellSet], kinds: int) -> bool:
    """Whether a tile of these kinds can lie where no half of it touches two territories of its colour.

    Then it joins nothing, so this is quick and needs no owners; but a no settles nothing.
    """
    red, yellow, blue = territories
    right, below = _open_pairs(board, board.steppe & ~(red | yellow | blue))
    stride = board.stride
    for kind in KINDS:
        if kinds >> kind & 1:
            one, other = _ORIENTATIONS[kind][0]
            once, twice = _touching_counts(territories[one], stride)
            if one == other:
                if right & ~(twice | twice << 1 | once & once << 1):
                    return True
                if below & ~(twice | twice << stride | once & once << stride):
                    return True
            else:
                _, too = _touching_counts(territories[other], stride)
                if right & ~(twice | too << 1) or right & ~(too | twice << 1):
                    return True
                if below & ~(twice | too << stride) or below & ~(too | twice << stride):
                    return True
    return False


def _touching_counts(cells: CellSet, stride: int) -> tuple[CellSet, CellSet]:
    """The cells that share a side with one of these at least, and with two of them at least."""
    left, right, above, under = cells << 1, cells >> 1, cells << stride, cells >> stride
    across, along = left | right, above | under
    return across | along, left & right | above & under | across & along


def _open_pairs(board: Board, free: CellSet) -> _Pairs:
    """The pairs of free cells that touch a territory (QIN-PLACE-1 to -5)."""
    stride = board.stride
    touching = board.beside(board.land ^ free)
    return _Pairs(
        free & free << 1 & (touching | touching << 1),
        free & free << stride & (touching | touching << stride),
    )


def _forbidden(state: State, seat: Seat, kinds: int, open_pairs: _Pairs) -> tuple[_Forbidden, ...]:
    """By colour: the joins that QIN-ABSORB-4, -5 and -6 rule out for tiles of these kinds."""
    return tuple(
        [
            _forbidden_of(state, seat, colour, kinds, open_pairs)
            if kinds & _WITH_COLOUR[colour] and len(state.provinces[colour]) > 1
            else _NOWHERE
            for colour in COLOURS
        ]
    )


def _forbidden_of(state: State, seat: Seat, colour: Colour, kinds: int, open_pairs: _Pairs) -> _Forbidden:
    stride = state.table.board.stride
    right, below = open_pairs
    once = twice = along = across = 0
    plain = kinds >> colour & 1
    for province in state.provinces[colour]:
        cells = province.cells
        beside = cells << 1 | cells >> 1 | cells << stride | cells >> stride
        twice |= once & beside
        once |= beside
        if plain:
            along |= beside & beside << 1
            across |= beside & beside << stride
    joins = _Joins(state, seat, colour)
    halves = 0
    if kinds & _WITH_COLOUR[colour] & TWO_COLOURED:
        halves = joins.forbidden(twice & (right | right >> 1 | below | below >> stride), 0)
    if plain:
        # A pair joins provinces where one of its cells does, or where its cells touch two different ones.
        right &= twice | twice << 1 | once & once << 1 & ~along
        below &= twice | twice << stride | once & once << stride & ~across
        right, below = joins.forbidden(right, 1), joins.forbidden(below, stride)
        return _Forbidden(halves, _Pairs(right, below)) if halves or right or below else _NOWHERE
    return _Forbidden(halves, _Pairs(0, 0)) if halves else _NOWHERE


class _Joins:
    """Judges the joins of one colour, each set of provinces once."""

    def __init__(self, state: State, seat: Seat, colour: Colour) -> None:
        self.state = state
        self.seat = seat
        self.colour = colour
        self.known: dict[CellSet, bool] = {}

    def forbidden(self, firsts: CellSet, step: int) -> CellSet:
        """Those of the cells where a half (step 0) or a plain tile reaching one step on would be illegal."""
        board = self.state.table.board
        territories = self.state.territories[self.colour]
        found = 0
        while firsts:
            first = 1 << (firsts.bit_length() - 1)
            firsts ^= first
            tile = first | first >> step
            if not self._may_join(tile, board.beside(tile) & territories):
                found |= first
        return found

    def _may_join(self, tile: CellSet, touched: CellSet) -> bool:
        answer = self.known.get(touched)
        if answer is None:
            answer = joinable(self.state, self.seat, self.colour, tile, touched)
            self.known[touched] = answer
        return answer


def _without(
    board: Board,
    table: Sequence[tuple[PlaceTile, ...]],
    forbidden: tuple[_Forbidden, ...],
    open_pairs: _Pairs,
) -> list[tuple[PlaceTile, ...]]:
    """The table with the forbidden moves taken out of the open pairs."""
    right = below = 0
    for halves, plain in forbidden:
        right |= halves | halves << 1 | plain.right
        below |= halves | halves << board.stride | plain.below
    left = list(table)
    for pairs, direction in ((right & open_pairs.right, 0), (below & open_pairs.below, 1)):
        dubious = pairs
        while dubious:
            place = dubious.bit_length()
            dubious ^= 1 << (place - 1)
            number = 2 * (board.bits - place) + direction
            left[number] = tuple(
                [move for move in left[number] if not _is_forbidden(board, forbidden, direction, move)]
            )
    return left


def _is_forbidden(board: Board, forbidden: tuple[_Forbidden, ...], direction: int, move: PlaceTile) -> bool:
    first, second = move.first, move.second
    where = forbidden[first.colour]
    if first.colour == second.colour:
        return bool(where.plain[direction] & board.bit[first.cell])
    return bool(
        where.halves & board.bit[first.cell] or forbidden[second.colour].halves & board.bit[second.cell]
    )


def _flags(board: Board, pairs: _Pairs) -> bytes:
    """For each pair of the board in the stated order: 1 if it is in the set."""
    bits = board.bits
    flags = bytearray(2 * bits)
    flags[0::2] = f"{pairs.right:0{bits}b}".encode().translate(_ZERO_ONE)
    flags[1::2] = f"{pairs.below:0{bits}b}".encode().translate(_ZERO_ONE)
    return bytes(flags)


@lru_cache(maxsize=64)
def _moves_of(board: Board, kinds: int) -> tuple[tuple[PlaceTile, ...], ...]:
    """For each pair of the board in the stated order: what tiles of these kinds can look like there."""
    every = _every_move(board)
    return tuple(tuple(move for move in moves if kinds >> move.kind & 1) for moves in every)


@lru_cache(maxsize=4)
def _every_move(board: Board) -> tuple[tuple[PlaceTile, ...], ...]:
    moves: list[tuple[PlaceTile, ...]] = []
    for row in range(board.height):
        for column in range(board.stride):
            for other in ((row, column + 1), (row + 1, column)):
                on_board = column < board.width and other[0] < board.height and other[1] < board.width
                cells = cell_at(row, column), cell_at(*other)
                moves.append(
                    tuple(
                        PlaceTile(Half(one, cells[0]), Half(two, cells[1]))
                        for kind in KINDS
                        for one, two in _ORIENTATIONS[kind]
                    )
                    if on_board
                    else ()
                )
    return tuple(moves)
