"""Counts of entry sequences, to compare move generators by; derived for any game.

Every legal move of everybody who is awaited counts, those of chance included. Where draws are unrecorded, any
component may be played that could be in a hand.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from rules.kernel.actors import Actor
from rules.kernel.game import Perft
from rules.kernel.rule import Illegal

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

DEEPEST: Final = 50
"""No count goes so far."""


def perft_of(
    awaiting: Callable[[State], tuple[Actor, ...]],
    legal_moves: Callable[[State, Actor], Iterator[Move]],
    decide: Callable[[State, Actor, Move], tuple[Event, ...] | Illegal],
    fold: Callable[[State, Iterable[Event]], State],
    write_move: Callable[[State, Actor, Move], str],
) -> Perft[State]:
    """The counts of a game."""

    def count(state: State, depth: int) -> int:
        if depth == 0:
            return 1
        if depth == 1:
            return sum(1 for actor in awaiting(state) for _ in legal_moves(state, actor))
        return sum(below for _, below in divide(state, depth))

    def divide(state: State, depth: int) -> Iterator[tuple[str, int]]:
        for actor in awaiting(state):
            for move in legal_moves(state, actor):
                verdict = decide(state, actor, move)
                if not isinstance(verdict, Illegal):
                    yield write_move(state, actor, move), count(fold(state, verdict), depth - 1)

    return Perft(DEEPEST, count, divide)
