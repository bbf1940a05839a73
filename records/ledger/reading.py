"""Reads records from the log into states, at once or in steps."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import structs

from records.entry import Entry, MatchHeader, MatchId
from records.games.state import GameState
from records.ledger.cache import PastStatesCache
from records.ledger.loading import MOST_ENTRIES_AT_ONCE, PAGE_ENTRIES, NotLoaded
from records.ledger.results import NoSuchEntry, NoSuchMatch
from records.log.contract import Log, LogFault, UnreadableEntry
from records.replay.deriving import checking_derived
from records.replay.fold import BadRecord, CorruptRecord, MatchSnapshot, rebuilding
from records.replay.steps import Steps, at_once

_LEAST_PREFETCHED: Final = 2
"""Matches that are read together; a single one is read by the request that needs it."""

_MOST_FAULTS: Final = 256
"""Faults of records that wait to be raised; those whose callers have left are dropped with the others."""


class RecordReader:
    """Reads the records of a log; thread-safe."""

    def __init__(
        self,
        log: Log,
        cache: int,
        secret: Callable[[MatchHeader, MatchId], bytes | None],
        *,
        in_steps: bool,
    ) -> None:
        """Keeps what leads to earlier states of as many matches as the cache takes.

        `secret` returns what the service shuffles by in a match, if that is known here. With in_steps, a long
        record is not read at once: NotLoaded is raised.
        """
        self._log: Final = log
        self._past: Final = PastStatesCache(cache)
        self._secret: Final = secret
        self._in_steps: Final = in_steps
        self._faults: Final[dict[MatchId, BadRecord]] = {}
        """What was found wrong with records that were read in steps, until it is raised."""

    def read(self, match: MatchId, start: int, limit: int | None = None) -> list[Entry]:
        """Entries of a record; raises CorruptRecord."""
        try:
            return list(self._log.read(match, start, limit))
        except UnreadableEntry as fault:
            raise CorruptRecord(match, fault.sequence or 0, str(fault)) from fault

    def load(self, match: MatchId, put: Callable[[MatchId, MatchSnapshot], None]) -> MatchSnapshot:
        """The match after its last entry, which is also put into a cache; raises NoSuchMatch, BadRecord."""
        if (
            self._in_steps
            and (head := self._log.head(match)) is not None
            and head.sequence > MOST_ENTRIES_AT_ONCE
        ):
            raise self._not_loaded(match, partial(self._loading, match, put))
        entries = self.read(match, 0)
        if not entries:
            raise NoSuchMatch(match)
        return at_once(self._opening(match, entries, [entries], put))

    def state_after(self, match: MatchId, sequence: int) -> GameState:
        """The state after an earlier entry; raises NoSuchMatch, NoSuchEntry, BadRecord."""
        if sequence >= self._past.known(match):
            head = self._log.head(match)
            if head is None:
                raise NoSuchMatch(match)
            if sequence > head.sequence:
                raise NoSuchEntry(match, sequence)
        read = partial(self.read, match)
        if self._in_steps and self._past.distance(match, sequence) > MOST_ENTRIES_AT_ONCE:
            raise self._not_loaded(match, partial(self._past.loading, match, sequence, read))
        state = self._past.state(match, sequence, read)
        if state is None:
            raise NoSuchEntry(match, sequence)
        return state

    def drop(self, match: MatchId) -> None:
        """Forget what leads to the earlier states of a match."""
        self._past.drop(match)

    def clear(self) -> None:
        """Forget this of all matches."""
        self._past.clear()

    def _not_loaded(self, match: MatchId, steps: Callable[[], Steps[object]]) -> NotLoaded | BadRecord:
        """What to raise for a record that must be read first: what was found wrong, if that was tried."""
        fault = self._faults.pop(match, None)
        return NotLoaded(match, partial(self._keeping_fault, match, steps)) if fault is None else fault

    def _keeping_fault(self, match: MatchId, steps: Callable[[], Steps[object]]) -> Steps[None]:
        """Do the steps; damage that they find is raised to those who try again, as if they had found it."""
        try:
            yield from steps()
        except BadRecord as fault:
            if len(self._faults) >= _MOST_FAULTS:
                self._faults.clear()
            self._faults[match] = fault

    def _loading(self, match: MatchId, put: Callable[[MatchId, MatchSnapshot], None]) -> Steps[MatchSnapshot]:
        entries: list[Entry] = []
        return (yield from self._opening(match, entries, self._pages(match, entries), put))

    def prefetch(self, matches: Sequence[MatchId], put: Callable[[MatchId, MatchSnapshot], None]) -> None:
        """As load() of several matches, reading all of them at once; what cannot be loaded is left out."""
        if len(matches) < _LEAST_PREFETCHED:
            return
        with suppress(LogFault):
            for match, entries in self._log.read_many(dict.fromkeys(matches, 0)).items():
                record = list(entries)
                if record:
                    with suppress(BadRecord):
                        at_once(self._opening(match, record, [record], put))

    def _opening(
        self,
        match: MatchId,
        entries: list[Entry],
        pages: Iterable[list[Entry]],
        put: Callable[[MatchId, MatchSnapshot], None],
    ) -> Steps[MatchSnapshot]:
        """Reads the pages of a record, by which the list gets all of its entries, and empties the list."""
        current = yield from rebuilding(pages)
        current = structs.replace(current, copy=self._log.is_copy(match))
        if current.lacks_parts and not current.copy:
            raise CorruptRecord(match, current.sequence, "the archive has lost concealed parts of the match")
        secret = self._secret(current.header, match)
        if secret is not None and not current.lacks_parts:  # a copy is read as far as it is shown
            yield from checking_derived(entries, secret)
        put(match, current)
        while entries:  # to free thousands of entries takes as long as many calls
            del entries[-PAGE_ENTRIES:]
            yield
        return current

    def _pages(self, match: MatchId, entries: list[Entry]) -> Iterator[list[Entry]]:
        """The pages of a record, whose entries are added to the list; raises NoSuchMatch."""
        while page := self.read(match, len(entries), PAGE_ENTRIES):
            entries += page
            yield page
            if len(page) < PAGE_ENTRIES:
                return
        if not entries:
            raise NoSuchMatch(match)
