"""Counts of the sequences of legal moves from a state (perft)."""

from collections.abc import Iterator
from typing import Final

from records.games.opaque import OpaqueGame, OpaqueState


class StatePerft:
    """Counts from one state, as the game defines them."""

    __slots__ = ("_game", "_state")

    def __init__(self, game: OpaqueGame, state: OpaqueState) -> None:
        self._game: Final = game
        self._state: Final = state

    def count(self, depth: int) -> int:
        """The number of sequences of `depth` moves."""
        return self._game.perft.count(self._state, depth)

    def divide(self, depth: int) -> Iterator[tuple[str, int]]:
        """The same count for each first move, in notation; depth must be at least 1."""
        return self._game.perft.divide(self._state, depth)
