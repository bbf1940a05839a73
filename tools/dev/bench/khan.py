"""Measures how long Khan takes to list the legal moves of mid-game positions."""

import statistics
import time
from collections.abc import Iterator
from functools import cache
from typing import Final

from rules.kernel.rule import Illegal
from rules.khan.game import KHAN
from rules.khan.state import Acting, State
from tools.dev.bench.report import Figure
from tools.dev.golden_khan import CASES, Case, play

MID_GAME_SHARES: Final = (0.35, 0.7)
"""Beginning and end of the middle of a match, as shares of its entries."""


def lines(rounds: int) -> list[Figure]:
    """Measure Khan."""
    what = "Khan: list all legal moves, mid-game, median"
    return [Figure(what, median_listing(rounds) * 1000, "ms", 10.0, at_most=True)]


def median_listing(rounds: int) -> float:
    """Median seconds that a list of all legal moves takes in mid-game."""
    seconds = []
    for state in _middles() * rounds:
        start = time.perf_counter()
        for actor in KHAN.awaiting(state):
            list(KHAN.legal_moves(state, actor))
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


@cache
def _middles() -> tuple[State, ...]:
    """Mid-game positions in which a seat acts, with known or unknown hands."""
    return tuple(state for case in CASES.values() for state in _middles_of(case))


def _middles_of(case: Case) -> Iterator[State]:
    played = play(case, case.seed)
    state = KHAN.start(case.setup)
    begin, end = (round(part * len(played.entries)) for part in MID_GAME_SHARES)
    for number, entry in enumerate(played.entries):
        if begin <= number < end and isinstance(state.turn, Acting):
            yield state
        verdict = KHAN.decide(state, *KHAN.notation.read_move(state, entry.text))
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = KHAN.fold(state, verdict)
