"""The feed of new entries, which are read and encoded once for any number of followers."""

import asyncio
import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
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
from records.ledger.loading import NotLoaded
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
from service.messages import Viewpoint, entry_message
from service.observability.logs import log_event
from service.shutdown import Shutdown

MAX_RECENT_ENTRIES: Final = 1024
"""Newest entries kept in memory for followers, about 7 KB each with their states: half a second's worth at
2,000 appends per second, more than a healthy follower lags. One that is further behind reads the log."""

MAX_RECENT_BYTES: Final = 8 * 1024 * 1024
"""Bytes of the moves and events of these entries: fewer of them are kept where somebody stores large ones."""

LOG_PAGE_ENTRIES: Final = 32
"""Entries read from the log at a time, which takes a few milliseconds in any game; the event loop can answer
other calls between two pages."""

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

    def message_for(self, viewpoint: Viewpoint) -> EntryMessage:
        """The entry as the viewer may see it; built once per viewer."""
        seen_as = viewpoint.viewer, viewpoint.parts
        message = self._messages.get(seen_as)
        if message is None:
            with _as_bad_record(self.entry):
                message = entry_message(viewpoint, self.before, self.entry)
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

    Shared by all streams: those at the same place of a match find the same state. Thread-safe.
    """

    def __init__(self, ledger: Ledger, max_matches: int = _MAX_TRACKED_MATCHES) -> None:
        self._ledger: Final = ledger
        self._max_matches: Final = max_matches
        self._lock: Final = threading.Lock()
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
        with self._lock:
            self._after[entry.match, entry.sequence] = header, after
            if len(self._after) > self._max_matches:
                self._after.popitem(last=False)

    def _before(self, entry: Entry) -> tuple[MatchHeader, GameState]:
        previous = entry.match, entry.sequence - 1
        with self._lock:
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


@dataclass(frozen=True, slots=True)
class _News:
    """What was numbered in a shared archive since the last time."""

    position: int
    """The last position now."""
    items: Sequence[FeedItem] | None
    """The entries up to there; None where followers must read the log themselves."""


class EntryFeed:
    """The newest entries of the archive, and the followers that wait for more."""

    def __init__(
        self,
        ledger: Ledger,
        max_recent: int = MAX_RECENT_ENTRIES,
        max_matches: int = _MAX_TRACKED_MATCHES,
        max_bytes: int = MAX_RECENT_BYTES,
    ) -> None:
        self._ledger: Final = ledger
        self.tracker: Final = StateTracker(ledger, max_matches)
        """Of all streams."""
        self._recent: Final[deque[FeedItem]] = deque(maxlen=max_recent)
        self._by_match: Final[dict[MatchId, deque[FeedItem]]] = {}
        """The items of _recent, by match."""
        self._max_bytes: Final = max_bytes
        self.recent_bytes = 0
        """Bytes of the items of _recent, as MAX_RECENT_BYTES counts them."""
        self._waiting: Final[WeakValueDictionary[MatchId | None, asyncio.Event]] = WeakValueDictionary()
        """By match, and under None for the whole archive, for as long as a follower waits."""
        self.position = 0
        """The position up to which the feed has read the log, while anybody follows."""
        self.followers = 0

    async def watch(self, shutdown: Shutdown) -> None:
        """Follow the archive until the server stops.

        Where it is shared by several servers, all entries come from there, in the order of their positions.
        Otherwise the server's own are passed to stored(), and those of other programs are looked for.
        """
        if not self._ledger.log.local:
            await self._watch_shared(shutdown)
            return
        while not shutdown.begun:
            with suppress(LogFault):
                if self.followers and self._ledger.log.last_position() > self.position:
                    self._read_new()
            await shutdown.wait_for(partial(asyncio.sleep, _POLL_SECONDS))

    async def _watch_shared(self, shutdown: Shutdown) -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "feed") as thread:
            while not shutdown.begun:
                followed = bool(self.followers)
                try:
                    news = await loop.run_in_executor(thread, self._next_news, self.position, followed)
                except LogFault:
                    await shutdown.wait_for(partial(asyncio.sleep, _POLL_SECONDS))
                else:
                    self._publish(news)

    def _next_news(self, after: int, followed: bool) -> _News:  # noqa: FBT001 - called by an executor
        """Wait a moment for new positions, and read the entries there if anybody follows."""
        log = self._ledger.log
        last = log.wait(after, _POLL_SECONDS)
        new = last - after
        if not followed or not 0 <= new <= (self._recent.maxlen or MAX_RECENT_ENTRIES):
            return _News(last, () if new == 0 else None)
        try:
            return _News(last, [self.tracker.track(entry) for entry in log.archive(after, new)])
        except (UnreadableEntry, BadRecord):
            return _News(last, None)  # followers read it themselves, and get the error
        except LogFault:
            raise
        except Exception as fault:  # noqa: BLE001 - the followers of that match get the error
            log_event(logging.ERROR, "an entry cannot be followed", {"position": last}, fault)
            return _News(last, None)

    def _publish(self, news: _News) -> None:
        if news.items is None:
            self._leave_to_log(news.position)
            return
        self.position = news.position
        for item in news.items:
            if self.followers:
                self._add_recent(item)
        self._notify({None, *(item.entry.match for item in news.items)} if news.items else ())

    def stored(self, entries: Sequence[Entry], known: "KnownStates | None" = None) -> None:
        """Publish entries of one match that the server has stored; a repeated request has nothing new.

        With the states that the ledger has, nothing is folded again. Of a shared archive nothing is published
        here: watch() reads it meanwhile, and followers would get an entry twice.
        """
        if not self._ledger.log.local or entries[0].position <= self.position:
            return
        if entries[0].position > self.position + 1:  # another program has stored something before them
            with suppress(LogFault):  # watch() tries again
                self._read_new()
            return
        if known is None and len(entries) > LOG_PAGE_ENTRIES:  # an import
            self._leave_to_log(entries[-1].position)
            return
        if known is not None:
            self.tracker.learn(entries[-1], known.header, known.after)
        self._add(entries, known)
        if self._waiting:
            self._notify((None, entries[0].match))

    @contextmanager
    def follower(self) -> Iterator[None]:
        """Count a follower for the duration of the block; without any, no entries are kept in memory."""
        if not self.followers and self._ledger.log.local:
            self.position = self._ledger.log.last_position()
        self.followers += 1
        try:
            yield
        finally:
            self.followers -= 1
            if not self.followers:
                self._clear()

    def changed(self, match: MatchId | None) -> asyncio.Event:
        """Is set when a match, or with None the archive, gets its next entry."""
        return self._waiting.setdefault(match, asyncio.Event())

    def _read_new(self) -> None:
        """Read what other programs have stored; if it is damaged or too much, followers read the log."""
        log = self._ledger.log
        newest = log.last_position()
        if newest - self.position > LOG_PAGE_ENTRIES:
            self._leave_to_log(newest)
            return
        try:
            entries = list(log.archive(self.position, LOG_PAGE_ENTRIES))
        except UnreadableEntry as fault:
            self._leave_to_log(max(fault.position or newest, self.position))
            return
        self._add(entries)
        self._notify({None, *(entry.match for entry in entries)})

    def _leave_to_log(self, position: int) -> None:
        """Followers read the entries up to a position from the log, each in pages and at its own pace."""
        self._clear()
        self.position = position
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
                except (LogFault, BadRecord, NotLoaded):
                    self._clear()  # followers of that match read it themselves, and get the error
                except Exception as fault:  # noqa: BLE001 - must not fail the request that stored the entry
                    fields = {"match": entry.match, "sequence": entry.sequence}
                    log_event(logging.ERROR, "an entry cannot be followed", fields, fault)
                    self._clear()
            self.position = entry.position

    def _clear(self) -> None:
        self._recent.clear()
        self._by_match.clear()
        self.recent_bytes = 0

    def _notify(self, changed: Iterable[MatchId | None]) -> None:
        for match in changed:
            event = self._waiting.pop(match, None)
            if event is not None:
                event.set()

    def _add_recent(self, item: FeedItem) -> None:
        self.recent_bytes += _size(item.entry)
        while self._recent and (
            len(self._recent) == self._recent.maxlen or self.recent_bytes > self._max_bytes
        ):
            oldest = self._recent.popleft().entry
            self.recent_bytes -= _size(oldest)
            items = self._by_match[oldest.match]
            items.popleft()
            if not items:
                del self._by_match[oldest.match]
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


def _size(entry: Entry) -> int:
    return len(entry.move) + len(entry.events) + len(entry.secret)
