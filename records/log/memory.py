"""A log in memory, for tests and tools."""

import threading
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from msgspec import structs

from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.log.contract import (
    NEW,
    Append,
    AppendResult,
    BadAppend,
    Head,
    Log,
    RequestReused,
    SequenceTaken,
    closed,
    repeated,
)
from records.log.listing import MatchListing, listed
from records.log.stored_notes import note_row


class MemoryLog(Log):
    """A log in lists and dictionaries, behind one lock."""

    def __init__(self) -> None:
        self._lock: Final = threading.Condition()
        self._archive: Final[list[Entry]] = []
        self._records: Final[dict[MatchId, list[Entry]]] = {}
        self._requests: Final[dict[tuple[MatchId, str], Entry]] = {}
        self._starts: Final[dict[str, Entry]] = {}
        self._copies: Final[set[MatchId]] = set()
        self._notes: Final[dict[int, Note]] = {}
        self._closed = False

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends, one after the other."""
        del wait  # no write takes long
        with self._lock:
            self._require_open()
            answers = [self._store(append) for append in appends]
            self._lock.notify_all()
            return answers

    def _store(self, append: Append) -> AppendResult:
        first, *later = append.entries
        known = self._starts.get(first.request)
        if append.expected != NEW:
            known = self._requests.get((append.match, first.request))
        if known is not None:
            record = self._records[known.match]
            return repeated(append, record[known.sequence : known.sequence + len(append.entries)])
        record = self._records.get(append.match, [])
        if len(record) - 1 != append.expected:
            return SequenceTaken(append.match, len(record) - 1)
        if record and record[-1].hash != first.previous:
            return BadAppend(f"{append.match} has another entry {append.expected} than the append follows")
        for entry in later:
            if (append.match, entry.request) in self._requests:
                return RequestReused(self._requests[append.match, entry.request])
        if append.copy and append.expected == NEW:
            self._copies.add(append.match)
        return tuple(self._keep(entry) for entry in append.entries)

    def _keep(self, entry: Entry) -> Entry:
        stored = structs.replace(entry, position=len(self._archive) + 1)
        self._archive.append(stored)
        self._records.setdefault(stored.match, []).append(stored)
        self._requests[stored.match, stored.request] = stored
        if stored.sequence == 0:
            self._starts[stored.request] = stored
        return stored

    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match."""
        with self._lock:
            self._require_open()
            record = self._records.get(match)
            return Head(record[-1].sequence, record[-1].hash) if record else None

    def is_copy(self, match: MatchId) -> bool:
        """Whether a match was stored as a copy."""
        with self._lock:
            self._require_open()
            return match in self._copies

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match."""
        with self._lock:
            self._require_open()
            return iter(self._records.get(match, [])[max(start, 0) :][:limit])

    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that was stored for a request id."""
        with self._lock:
            self._require_open()
            return self._requests.get((match, request))

    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Every entry after a position."""
        with self._lock:
            self._require_open()
            return iter(self._archive[max(after, 0) :][:limit])

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hash of every entry after a position."""
        return (entry.hash for entry in self.archive(after, limit))

    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """Every match after a number."""
        with self._lock:
            self._require_open()
            headers = [record[0] for record in self._records.values()]
        found = [
            listed(number, header, copy=header.match in self._copies)
            for number, header in enumerate(headers, start=1)
            if number > after
        ]
        return iter(found[:limit])

    def touched(self, after: int, until: int) -> Iterator[MatchListing]:
        """Every match with entries between two positions."""
        found = {entry.match for entry in self.archive(after, max(until - max(after, 0), 0))}
        return (row for row in self.listing() if row.match in found)

    def named(self, prefix: str, limit: int) -> Iterator[MatchListing]:
        """The matches whose id begins so."""
        found = [row for row in self.listing() if row.match.startswith(prefix)]
        return iter(sorted(found, key=lambda row: row.match)[:limit])

    def last_position(self) -> int:
        """The position of the last entry."""
        with self._lock:
            self._require_open()
            return len(self._archive)

    def next_position(self, after: int) -> int | None:
        """The position of the first entry after this one."""
        last = self.last_position()
        return max(after, 0) + 1 if after < last else None

    def wait(self, after: int, timeout: float) -> int:
        """Wait for an entry after this position, at most `timeout` seconds."""
        with self._lock:
            self._lock.wait_for(lambda: self._closed or len(self._archive) > after, timeout)
            self._require_open()
            return len(self._archive)

    def checkpoints(self) -> Iterator[Note]:
        """The stored checkpoints."""
        with self._lock:
            self._require_open()
            return iter([note for _, note in sorted(self._notes.items(), key=itemgetter(0))])

    def keep_checkpoints(self, notes: Sequence[Note]) -> None:
        """Store checkpoints."""
        with self._lock:
            self._require_open()
            for note in notes:
                self._notes.setdefault(note_row(note)[0], note)

    def flaws(self) -> tuple[str, ...]:
        """Always empty: memory is not checked."""
        with self._lock:
            self._require_open()
        return ()

    def close(self) -> None:
        """Wake all waiting callers; the entries go with the object."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def _require_open(self) -> None:
        if self._closed:
            raise closed()
