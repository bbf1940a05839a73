"""Counts of entry sequences, for comparing move generators.

Every legal move of everybody who is awaited counts, those of chance included. Where draws are unrecorded any
card may be played that could be in a hand.
"""

from collections.abc import Iterator
from typing import Final

from rules.kernel.game import Perft
from rules.kernel.rule import Illegal
from rules.khan.decide import decide
from rules.khan.evolve import fold
from rules.khan.legal import legal_moves
from rules.khan.notation import write_move
from rules.khan.state import State
from rules.khan.waiting import awaiting


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` entries from here; a finished match has none."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for actor in awaiting(state) for _ in legal_moves(state, actor))
    return sum(count for _, count in divide(state, depth))


def divide(state: State, depth: int) -> Iterator[tuple[str, int]]:
    """The count below each first entry, in words; depth is at least 1."""
    for actor in awaiting(state):
        for move in legal_moves(state, actor):
            verdict = decide(state, actor, move)
            if not isinstance(verdict, Illegal):
                yield write_move(state, actor, move), perft(fold(state, verdict), depth - 1)


DEEPEST: Final = 50
"""Nobody counts so far."""

PERFT: Final = Perft(DEEPEST, perft, divide)
