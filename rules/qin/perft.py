"""Counts of placement sequences, for comparing move generators.

Every seat holds all six kinds at all times; nothing is drawn, and there is no limit of twelve per kind.
"""

from collections.abc import Iterator
from typing import Final

from rules.kernel.game import Perft
from rules.qin.evolve import fold
from rules.qin.moves import PlaceTile
from rules.qin.notation import write_placement
from rules.qin.placements import ALL_KINDS, placements
from rules.qin.resolve import caused
from rules.qin.state import Placing, State
from rules.qin.tiles import TILES


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` placements from here; a finished match has none."""
    if depth == 0:
        return 1
    if not isinstance(state.turn, Placing):
        return 0
    if depth == 1:
        return sum(1 for _ in placements(state, state.turn.seat, ALL_KINDS))
    return sum(count for _, count in divide(state, depth))


def divide(state: State, depth: int) -> Iterator[tuple[PlaceTile, int]]:
    """The count for each first placement; depth is at least 1."""
    turn = state.turn
    if not isinstance(turn, Placing):
        return
    for move in placements(state, turn.seat, ALL_KINDS):
        yield move, perft(fold(state, caused(state, turn.seat, move)), depth - 1)


def _divided(state: State, depth: int) -> Iterator[tuple[str, int]]:
    return ((write_placement(move), count) for move, count in divide(state, depth))


PERFT: Final = Perft(TILES, perft, _divided)
