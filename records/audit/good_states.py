"""The states after the good entries of a record, built when they are asked for."""

from bisect import bisect_right
from collections.abc import Callable
from operator import itemgetter
from typing import Final

from records.games.state import GameState


class GoodStates:
    """The states after the entries that are known to be good, from the first on."""

    def __init__(self) -> None:
        self._runs: Final[list[tuple[int, Callable[[int], GameState]]]] = []

    def add(self, first: int, state: Callable[[int], GameState]) -> None:
        """Add the states from this sequence on; the function has an offset from it."""
        self._runs.append((first, state))

    def after(self, sequence: int) -> GameState:
        """The state after a good entry."""
        first, state = self._runs[bisect_right(self._runs, sequence, key=itemgetter(0)) - 1]
        return state(sequence - first)
