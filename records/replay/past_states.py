"""States after any entry of one record, without folding it from its start again."""

import threading
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from records.entry import GENESIS, RETRACT, Entry
from records.games.state import GameState
from records.replay.fold import (
    CHANGES,
    CorruptRecord,
    apply_entry,
    chain_fault,
    check_links,
    check_parts,
    open_record,
    retracted_to,
)

ReadEntries: TypeAlias = Callable[[int, int], Sequence[Entry]]
"""Reads entries of the record from the log: the first sequence, and the maximum number."""

KEPT_EVERY_CHANGES: Final = 32
"""Changes between two states that are kept on a line of play: the state after any entry is folded from at
most 48 others, which takes some milliseconds, and a record of 20,000 entries keeps at most 1,250 states."""

_MOST_SKIPPED_ENTRIES: Final = 4
"""Maximum unused entries that are read between two that are used: cheaper than a query for each."""

_MOST_READ_ENTRIES: Final = 256
"""Maximum entries that are read from the log at once."""

_HASH_BYTES: Final = len(GENESIS)


class OtherRecord(Exception):
    """The log has other entries than those that were read before."""


class PastStates:
    """The lines of play of one record and some of the states on them; thread-safe.

    A retraction continues the line of the entry that it returns to, so lines form a tree of the entries that
    change the state. Each entry is known by its hash. Nothing here is evidence, and no audit uses it.
    """

    def __init__(self, first: Entry) -> None:
        """Reads the header; raises BadRecord."""
        opened = open_record(first)
        check_links([first], first.match, 0, GENESIS)
        self._lock: Final = threading.Lock()
        self._match: Final = first.match
        self._header: Final = opened.header
        self._hashes: Final = bytearray(first.hash)
        self._changes: Final = array("I", [0])
        """By sequence: the last change on the line of play that the entry ends; 0 is the start."""
        self._before: Final = array("I", [0])
        """By sequence of a change: the change before it on its line."""
        self._depths: Final = array("I", [0])
        """By sequence of a change: the number of changes on its line up to it."""
        self._kept: Final[dict[int, GameState]] = {0: opened.start}
        """By sequence of a change: the state after it."""

    def __len__(self) -> int:
        """The number of entries that are known."""
        return len(self._changes)

    @property
    def states_kept(self) -> int:
        """The number of states in memory: what a long record costs."""
        return len(self._kept)

    def extend(self, entries: Sequence[Entry]) -> None:
        """Add the entries that follow, if they are not known yet; raises BadRecord."""
        with self._lock:
            self._extend([entry for entry in entries if entry.sequence >= len(self)])

    def _extend(self, entries: Sequence[Entry]) -> None:
        check_links(entries, self._match, len(self), self._hash_of(len(self) - 1))
        check_parts(self._header, entries)
        for entry in entries:
            change = self._changes[retracted_to(entry) if entry.kind == RETRACT else -1]
            before, depth = change, self._depths[change]
            if entry.kind in CHANGES:
                change, depth = entry.sequence, depth + 1
            self._hashes.extend(entry.hash)
            self._changes.append(change)
            self._before.append(before)
            self._depths.append(depth)

    def _hash_of(self, sequence: int) -> bytes:
        return bytes(self._hashes[sequence * _HASH_BYTES : (sequence + 1) * _HASH_BYTES])

    def distance(self, sequence: int) -> int:
        """The number of changes between a known entry and the last state before it that is kept."""
        with self._lock:
            return len(self._path(sequence)[0])

    def stations(self, sequence: int) -> list[int]:
        """Entries on the way to a known one, each a short way from the one before.

        The state after each, in this order, keeps the states from which the next one is folded.
        """
        with self._lock:
            changes = reversed(self._path(sequence)[0])
            return [
                each for each in changes if self._depths[each] % KEPT_EVERY_CHANGES == KEPT_EVERY_CHANGES // 2
            ]

    def _path(self, sequence: int) -> tuple[list[int], int]:
        """The changes to fold for the state after an entry, the last one first, and the one that is kept."""
        path: list[int] = []
        change = self._changes[sequence]
        while change not in self._kept:
            path.append(change)
            change = self._before[change]
        return path, change

    def after(self, sequence: int, read: ReadEntries) -> GameState:
        """The state after a known entry; raises OtherRecord or BadRecord."""
        with self._lock:
            last = self._changes[sequence]
            path, change = self._path(sequence)
            state = self._kept[change]
            for entry in self._entries(path[::-1], read):
                state = apply_entry(state, entry)
                depth = self._depths[entry.sequence]
                if depth % KEPT_EVERY_CHANGES == 0 and self._depths[last] - depth >= KEPT_EVERY_CHANGES // 2:
                    self._kept[entry.sequence] = state
            return state

    def _entries(self, sequences: Sequence[int], read: ReadEntries) -> Iterable[Entry]:
        """The entries with these ascending sequences, few queries for all."""
        start = 0
        while start < len(sequences):
            end = start + 1
            last = min(len(sequences), start + _MOST_READ_ENTRIES)
            while end < last and sequences[end] - sequences[end - 1] <= _MOST_SKIPPED_ENTRIES:
                end += 1
            first, wanted = sequences[start], set(sequences[start:end])
            found = read(first, sequences[end - 1] - first + 1)
            chosen = [entry for entry in found if entry.sequence in wanted]
            if len(chosen) != len(wanted):
                raise OtherRecord
            for entry in chosen:
                if entry.hash != self._hash_of(entry.sequence):
                    raise OtherRecord
                why = chain_fault(entry, self._match, entry.sequence, self._hash_of(entry.sequence - 1))
                if why is not None:
                    raise CorruptRecord(self._match, entry.sequence, why)
                yield entry
            start = end
