"""What leads to the earlier states of the matches that were used last."""

import threading
from collections import OrderedDict
from typing import Final

from records.entry import MatchId
from records.games.state import GameState
from records.ledger.loading import PAGE_ENTRIES
from records.replay.fold import CorruptRecord
from records.replay.past_states import OtherRecord, PastStates, ReadEntries
from records.replay.steps import Steps

CACHED_MATCHES: Final = 4096
"""Matches whose current state is cached by default; the state of one takes at most about 4 KB."""

_MOST_PAST_ENTRIES: Final = 500_000
"""Entries of all records whose earlier states can be found without folding from the start: 25 records of the
maximum length, which take about 22 MB and at most 31,000 states."""


class PastStatesCache:
    """LRU cache of the lines of play of records, bounded in matches and entries; thread-safe."""

    def __init__(self, most: int = CACHED_MATCHES, most_entries: int = _MOST_PAST_ENTRIES) -> None:
        self._most: Final = most
        self._most_entries: Final = most_entries
        self._lock: Final = threading.Lock()
        self._known: Final[OrderedDict[MatchId, PastStates]] = OrderedDict()
        self._sizes: Final[dict[MatchId, int]] = {}
        """By match: its entries when it was last stored here."""
        self.entries = 0
        """The sum of those sizes."""

    def state(self, match: MatchId, sequence: int, read: ReadEntries) -> GameState | None:
        """The state after an entry, folded from the nearest one that is kept; None if there is no such entry.

        Raises BadRecord. The first time the record is read from its start.
        """
        try:
            return self._state(match, sequence, read)
        except OtherRecord:
            self.drop(match)  # the archive was replaced by one with another record of the match
        try:
            return self._state(match, sequence, read)
        except OtherRecord as fault:
            raise CorruptRecord(match, sequence, "the record changes while it is read") from fault

    def known(self, match: MatchId) -> int:
        """The number of entries of a match that were read."""
        past = self.get(match)
        return 0 if past is None else len(past)

    def distance(self, match: MatchId, sequence: int) -> int:
        """The number of entries that are read and folded to know the state after an entry."""
        past = self.get(match)
        if past is None:
            return sequence + 1
        return sequence + 1 - len(past) if sequence >= len(past) else past.distance(sequence)

    def loading(self, match: MatchId, sequence: int, read: ReadEntries) -> Steps[None]:
        """Go so far, in steps, that state() needs few entries; raises BadRecord."""
        for end in range(self.known(match) + PAGE_ENTRIES - 1, sequence, PAGE_ENTRIES):
            self._known_up_to(match, end, read)
            yield
        past = self._known_up_to(match, sequence, read)
        if past is not None:
            for place in past.stations(sequence):
                self.state(match, place, read)
                yield

    def _known_up_to(self, match: MatchId, sequence: int, read: ReadEntries) -> PastStates | None:
        """The lines of a match up to an entry; None if there is no such entry."""
        past = self.get(match)
        known = 0 if past is None else len(past)
        if sequence >= known:
            entries = read(known, sequence + 1 - known)
            if len(entries) < sequence + 1 - known:
                return None
            if past is None:
                past = PastStates(entries[0])
            past.extend(entries)
            self.put(match, past)
        return past

    def _state(self, match: MatchId, sequence: int, read: ReadEntries) -> GameState | None:
        past = self._known_up_to(match, sequence, read)
        return None if past is None or sequence < 0 else past.after(sequence, read)

    def get(self, match: MatchId) -> PastStates | None:
        """The lines of a match as far as they were read."""
        with self._lock:
            past = self._known.get(match)
            if past is not None:
                self._known.move_to_end(match)
            return past

    def put(self, match: MatchId, past: PastStates) -> None:
        """Store the lines of a match; the records that were used least recently make room for it."""
        with self._lock:
            self._known[match] = past
            self._known.move_to_end(match)
            self.entries += len(past) - self._sizes.get(match, 0)
            self._sizes[match] = len(past)
            while len(self._known) > 1 and (
                len(self._known) > self._most or self.entries > self._most_entries
            ):
                self._remove(next(iter(self._known)))

    def drop(self, match: MatchId) -> None:
        """Forget a match."""
        with self._lock:
            if match in self._known:
                self._remove(match)

    def clear(self) -> None:
        """Forget all matches."""
        with self._lock:
            for match in list(self._known):
                self._remove(match)

    def _remove(self, match: MatchId) -> None:
        del self._known[match]
        self.entries -= self._sizes.pop(match)
