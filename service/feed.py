"""The feed of new entries, which are read and encoded once for any number of followers."""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from shiji.record.v1.entry_pb2 import Entry as EntryMessage

from records.codec.evidence import CorruptEvidence
from records.codec.shape import CorruptEvents, CorruptMove, UnknownEvents
from records.entry import HEADER, Entry, MatchHeader, MatchId
from records.games.state import GameState
from records.ledger.ledger import Ledger
from records.log.contract import LogFault, UnreadableEntry
from records.replay.fold import (
    CHANGES,
    NOTICES,
    BadRecord,
    CorruptRecord,
    UnknownEntry,
    apply_entry,
    open_record,
)
from rules.kernel.actors import Viewer
from service.access import Sight
from service.messages import entry_message
from service.observability.logs import log_event
from service.shutdown import Shutdown

MAX_RECENT_ENTRIES: Final = 4096
"""Newest entries kept in memory for followers: two seconds' worth at 2,000 appends per second, which is more
than a healthy follower lags. One that is further behind reads the log."""

LOG_PAGE_ENTRIES: Final = 64
"""Entries read from the log at a time; the event loop can answer other calls between two pages."""

_MAX_TRACKED_MATCHES: Final = 4096
"""States that the tracker keeps, of all matches and streams; any other is taken from the ledger."""

_POLL_SECONDS: Final = 0.25
"""Time between two looks for entries that other programs have stored: a follower notices no delay, and the
look costs little."""


@dataclass(slots=True)
class FeedItem:
    """An entry, with the states around it: that before it is needed to show the entry to a viewer."""

    entry: Entry
    header: MatchHeader
    before: GameState
    after: GameState
    _messages: dict[tuple[Viewer, Viewer], EntryMessage] = field(default_factory=dict)
    """By viewer, and as whom it sees concealed parts."""

    def message_for(self, sight: Sight) -> EntryMessage:
        """The entry as the viewer may see it; built once per viewer."""
        seen_as = sight.viewer, sight.parts
        message = self._messages.get(seen_as)
        if message is None:
            with _as_bad_record(self.entry):
                message = entry_message(sight, self.before, self.entry)
            self._messages[seen_as] = message
        return message


@contextmanager
def _as_bad_record(entry: Entry) -> Iterator[None]:
    """Raises decoding errors of a stored entry as damage of its record."""
    try:
        yield
    except UnknownEvents as fault:
        raise UnknownEntry(entry.match, entry.sequence, str(fault)) from fault
    except (CorruptMove, CorruptEvents, CorruptEvidence) as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault


class StateTracker:
    """Follows the states of matches, entry by entry, so that each entry comes with the state before it.

    Shared by all streams: those at the same place of a match find the same state.
    """

    def __init__(self, ledger: Ledger, max_matches: int = _MAX_TRACKED_MATCHES) -> None:
        self._ledger: Final = ledger
        self._max_matches: Final = max_matches
        self._after: Final[OrderedDict[tuple[MatchId, int], tuple[MatchHeader, GameState]]] = OrderedDict()
        """By match and sequence, least recently used first: the header, and the state after the entry."""

    def track(self, entry: Entry) -> FeedItem:
        """The entry with the state before it; raises what the ledger raises where the record is damaged."""
        header, before = self._before(entry)
        if entry.kind in CHANGES:
            after = apply_entry(before, entry)
        elif entry.kind == HEADER or entry.kind in NOTICES:
            after = before
        else:
            after = self._ledger.state_at(entry.match, entry.sequence)
        self.learn(entry, header, after)
        return FeedItem(entry, header, before, after)

    def learn(self, entry: Entry, header: MatchHeader, after: GameState) -> None:
        """Keep the state after an entry, so that the next entry of its match need not look for it."""
        self._after[entry.match, entry.sequence] = header, after
        if len(self._after) > self._max_matches:
            self._after.popitem(last=False)

    def _before(self, entry: Entry) -> tuple[MatchHeader, GameState]:
        previous = entry.match, entry.sequence - 1
        known = self._after.get(previous)
        if known is not None:
            self._after.move_to_end(previous)
            return known
        if entry.sequence == 0:
            opened = open_record(entry)
            return opened.header, opened.start
        header = self._ledger.current(entry.match).header
        return header, self._ledger.state_at(entry.match, entry.sequence - 1)


@dataclass(frozen=True, slots=True)
class KnownStates:
    """The states of a match around entries that were just stored."""

    header: MatchHeader
    before: Sequence[GameState]
    """Before each of the entries."""
    after: GameState
    """After the last."""

    def around(self, index: int) -> tuple[GameState, GameState]:
        """The states before and after one of the entries."""
        after = self.before[index + 1] if index + 1 < len(self.before) else self.after
        return self.before[index], after


class EntryFeed:
    """The newest entries of the archive, and the followers that wait for more."""

    def __init__(
        self, ledger: Ledger, max_recent: int = MAX_RECENT_ENTRIES, max_matches: int = _MAX_TRACKED_MATCHES
    ) -> None:
        self._ledger: Final = ledger
        self.tracker: Final = StateTracker(ledger, max_matches)
        """Of all streams."""
        self._recent: Final[deque[FeedItem]] = deque(maxlen=max_recent)
        self._by_match: Final[dict[MatchId, deque[FeedItem]]] = {}
        """The items of _recent, by match."""
        self._waiting: Final[WeakValueDictionary[MatchId | None, asyncio.Event]] = WeakValueDictionary()
        """By match, and under None for the whole archive, for as long as a follower waits."""
        self.position = 0
        """The position up to which the feed has read the log, while anybody follows."""
        self.followers = 0

    async def watch(self, shutdown: Shutdown) -> None:
        """Poll for entries of other programs until the server stops; its own are passed to stored()."""
        while not shutdown.begun:
            with suppress(LogFault):
                if self.followers and self._ledger.log.last_position() > self.position:
                    self._read_new()
            await shutdown.wait_for(partial(asyncio.sleep, _POLL_SECONDS))

    def stored(self, entries: Sequence[Entry], known: "KnownStates | None" = None) -> None:
        """Publish entries of one match that the server has stored; a repeated request has nothing new.

        With the states that the ledger has, nothing is folded again.
        """
        if entries[0].position <= self.position:
            return
        if entries[0].position > self.position + 1:  # another program has stored something before them
            with suppress(LogFault):  # watch() tries again
                self._read_new()
            return
        if known is not None:
            self.tracker.learn(entries[-1], known.header, known.after)
        self._add(entries, known)
        if self._waiting:
            self._notify((None, entries[0].match))

    @contextmanager
    def follower(self) -> Iterator[None]:
        """Count a follower for the duration of the block; without any, no entries are kept in memory."""
        if not self.followers:
            self.position = self._ledger.log.last_position()
        self.followers += 1
        try:
            yield
        finally:
            self.followers -= 1
            if not self.followers:
                self._clear()

    async def wait_for_new(self, match: MatchId | None) -> None:
        """Wait for a new entry of a match, or with None of any match."""
        event = self._waiting.setdefault(match, asyncio.Event())
        await event.wait()

    def _read_new(self) -> None:
        """Read what other programs have stored; if it is damaged or too much, followers read the log."""
        log, max_recent = self._ledger.log, self._recent.maxlen or MAX_RECENT_ENTRIES
        newest = log.last_position()
        entries: list[Entry] = []
        skipped = max(newest - max_recent, 0)
        try:
            for entry in log.archive(max(self.position, skipped)):
                entries.append(entry)  # noqa: PERF402 - those before a damaged one are kept
        except UnreadableEntry as fault:
            skipped = fault.position or newest
        if skipped <= self.position:
            self._add(entries)
            self._notify({None, *(entry.match for entry in entries)})
        else:
            self._clear()
            self.position = max(skipped, entries[-1].position if entries else 0)
            self._notify(list(self._waiting))

    def _add(self, entries: Sequence[Entry], known: "KnownStates | None" = None) -> None:
        for index, entry in enumerate(entries):
            if self.followers:
                try:
                    if known is None:
                        self._add_recent(self.tracker.track(entry))
                    else:
                        before, after = known.around(index)
                        self._add_recent(FeedItem(entry, known.header, before, after))
                except (LogFault, BadRecord):
                    self._clear()  # followers of that match read it themselves, and get the error
                except Exception as fault:  # noqa: BLE001 - must not fail the request that stored the entry
                    fields = {"match": entry.match, "sequence": entry.sequence}
                    log_event(logging.ERROR, "an entry cannot be followed", fields, fault)
                    self._clear()
            self.position = entry.position

    def _clear(self) -> None:
        self._recent.clear()
        self._by_match.clear()

    def _notify(self, changed: Iterable[MatchId | None]) -> None:
        for match in changed:
            event = self._waiting.pop(match, None)
            if event is not None:
                event.set()

    def _add_recent(self, item: FeedItem) -> None:
        if len(self._recent) == self._recent.maxlen:
            oldest = self._recent[0].entry.match
            items = self._by_match[oldest]
            items.popleft()
            if not items:
                del self._by_match[oldest]
        self._recent.append(item)
        self._by_match.setdefault(item.entry.match, deque()).append(item)

    def match_items(self, match: MatchId, sequence: int) -> list[FeedItem]:
        """Entries of a match from a sequence on; empty if that sequence is only in the log."""
        items = self._by_match.get(match)
        if not items or items[0].entry.sequence > sequence:
            return []
        return [items[index] for index in range(sequence - items[0].entry.sequence, len(items))]

    def archive_items(self, after: int) -> list[FeedItem]:
        """Entries of all matches after a position; empty if the next one is only in the log."""
        recent = self._recent
        if not recent or recent[0].entry.position > after + 1:
            return []
        return [recent[index] for index in range(after + 1 - recent[0].entry.position, len(recent))]
