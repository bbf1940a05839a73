"""How matches stand, kept for those used last."""

import threading
from collections import OrderedDict
from typing import Final

from records.entry import MatchId
from records.replay.fold import MatchSnapshot


class Cache:
    """At most so many matches, the one not used for longest going first; for any number of threads."""

    def __init__(self, most: int) -> None:
        if most < 0:
            raise ValueError(f"{most} matches cannot be kept")
        self._most: Final = most
        self._lock: Final = threading.Lock()
        self._known: Final[OrderedDict[MatchId, MatchSnapshot]] = OrderedDict()
        self.hits = 0
        """How often a match was found here."""
        self.misses = 0
        """How often it was not, and had to be read from the log."""

    def get(self, match: MatchId) -> MatchSnapshot | None:
        """How the match stood when it was last looked at."""
        with self._lock:
            current = self._known.get(match)
            if current is None:
                self.misses += 1
            else:
                self.hits += 1
                self._known.move_to_end(match)
            return current

    def put(self, match: MatchId, current: MatchSnapshot) -> None:
        """Keep it, unless something later is known already: answers may come in any order."""
        with self._lock:
            known = self._known.get(match)
            if known is None or known.sequence < current.sequence:
                self._known[match] = current
                self._known.move_to_end(match)
                if len(self._known) > self._most:
                    self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._known)
