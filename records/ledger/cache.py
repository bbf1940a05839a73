"""The current states of the matches that were used last."""

import threading
from collections import OrderedDict
from typing import Final

from records.entry import MatchId
from records.replay.fold import MatchSnapshot

CACHED_MATCHES: Final = 4096
"""Matches whose current state is cached by default; the state of one takes at most about 4 KB."""


class SnapshotCache:
    """LRU cache of current match states, thread-safe."""

    def __init__(self, most: int) -> None:
        if most < 0:
            raise ValueError(f"{most} matches cannot be cached")
        self._most: Final = most
        self._lock: Final = threading.Lock()
        self._known: Final[OrderedDict[MatchId, MatchSnapshot]] = OrderedDict()
        self.hits = 0
        """Lookups that found their match."""
        self.misses = 0
        """Lookups after which the match had to be read from the log."""

    def get(self, match: MatchId) -> MatchSnapshot | None:
        """The state of the match when it was last stored here."""
        with self._lock:
            current = self._known.get(match)
            if current is None:
                self.misses += 1
            else:
                self.hits += 1
                self._known.move_to_end(match)
            return current

    def put(self, match: MatchId, current: MatchSnapshot) -> None:
        """Store a state, unless a later one is known: answers may arrive in any order."""
        with self._lock:
            known = self._known.get(match)
            if known is None or known.sequence < current.sequence:
                self._known[match] = current
                self._known.move_to_end(match)
                if len(self._known) > self._most:
                    self._known.popitem(last=False)

    def drop(self, match: MatchId) -> None:
        """Forget a state: the log does not have its last entry any more."""
        with self._lock:
            self._known.pop(match, None)

    def clear(self) -> None:
        """Forget all states."""
        with self._lock:
            self._known.clear()

    def __len__(self) -> int:
        return len(self._known)
