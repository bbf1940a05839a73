"""LRU cache of current match states."""

import threading
from collections import OrderedDict
from typing import Final

from records.entry import MatchId
from records.replay.fold import MatchSnapshot


class Cache:
    """Keeps the states of the `most` matches that were used last; thread-safe."""

    def __init__(self, most: int) -> None:
        if most < 0:
            raise ValueError(f"a cache cannot keep {most} matches")
        self._most: Final = most
        self._lock: Final = threading.Lock()
        self._known: Final[OrderedDict[MatchId, MatchSnapshot]] = OrderedDict()
        self.hits = 0
        """The number of lookups that found a match."""
        self.misses = 0
        """The number of lookups that did not, so that the log had to be read."""

    def get(self, match: MatchId) -> MatchSnapshot | None:
        """The cached state of a match, which may be outdated; None if there is none."""
        with self._lock:
            current = self._known.get(match)
            if current is None:
                self.misses += 1
            else:
                self.hits += 1
                self._known.move_to_end(match)
            return current

    def put(self, match: MatchId, current: MatchSnapshot) -> None:
        """Store a state, unless a later one is cached: states may arrive in any order."""
        with self._lock:
            known = self._known.get(match)
            if known is None or known.sequence < current.sequence:
                self._known[match] = current
                self._known.move_to_end(match)
                if len(self._known) > self._most:
                    self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._known)
