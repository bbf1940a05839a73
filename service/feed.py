"""Entries as they come, for any number of followers: read once, told to all."""

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
from records.entry import HEADER, MOVE, Entry, MatchHeader, MatchId, actor_of
from records.games.state import GameState
from records.ledger.ledger import Ledger
from records.log.contract import LogFault, UnreadableEntry
from records.replay.fold import NOTICES, BadRecord, CorruptRecord, UnknownEntry, apply_entry, open_record
from records.replay.sealed_draws import for_viewer
from rules.kernel.actors import Viewer
from service.messages import entry_message
from service.observability.logs import note
from service.shutdown import Shutdown

RING: Final = 4096
"""So many of the newest entries are kept ready for followers; whoever is further behind reads the log."""

PAGE: Final = 256
"""So many entries are read from the log at a time."""

_KNOWN: Final = 4096
"""Of so many matches it is kept how they stand."""

_LOOK: Final = 0.25
"""So many seconds lie between two looks for what other programs have stored."""


@dataclass(slots=True)
class FeedItem:
    """An entry, with what is needed to show it to anybody."""

    entry: Entry
    header: MatchHeader
    before: GameState
    _seen: dict[Viewer, EntryMessage] = field(default_factory=dict)

    def seen(self, viewer: Viewer) -> EntryMessage:
        """The entry as the viewer may see it, made once for all who see the same."""
        known = self._seen.get(viewer)
        if known is None:
            with _damage_of(self.entry):
                known = self._seen[viewer] = entry_message(self.header, self.before, self.entry, viewer)
        return known

    def shown(self, viewer: Viewer) -> Entry:
        """The entry itself, without what the viewer may not see of a sealed match."""
        with _damage_of(self.entry):
            return for_viewer(self.before, actor_of(self.entry.actor), self.entry, viewer)


@contextmanager
def _damage_of(entry: Entry) -> Iterator[None]:
    """What cannot be read of a stored entry is a fault of its record."""
    try:
        yield
    except UnknownEvents as fault:
        raise UnknownEntry(entry.match, entry.sequence, str(fault)) from fault
    except (CorruptMove, CorruptEvents, CorruptEvidence) as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault


def _named(entry: Entry) -> dict[str, object]:
    return {"match": entry.match, "sequence": entry.sequence}


class StateTracker:
    """Puts entries of any matches, each in its order, into the light of how their match stood before."""

    def __init__(self, ledger: Ledger, known: int = _KNOWN) -> None:
        self._ledger: Final = ledger
        self._most: Final = known
        self._after: Final[OrderedDict[MatchId, tuple[int, MatchHeader, GameState]]] = OrderedDict()

    def link(self, entry: Entry) -> FeedItem:
        """The entry as a link; raises what the ledger raises where its record is damaged."""
        header, before = self._before(entry)
        if entry.kind == MOVE:
            after = apply_entry(before, entry)
        elif entry.kind == HEADER or entry.kind in NOTICES:
            after = before
        else:
            after = self._ledger.state_at(entry.match, entry.sequence)
        self.learn(entry, header, after)
        return FeedItem(entry, header, before)

    def learn(self, entry: Entry, header: MatchHeader, after: GameState) -> None:
        """Keep the state after an entry, so that the next entry of its match need not look for it."""
        self._after[entry.match] = (entry.sequence, header, after)
        self._after.move_to_end(entry.match)
        if len(self._after) > self._most:
            self._after.popitem(last=False)

    def _before(self, entry: Entry) -> tuple[MatchHeader, GameState]:
        known = self._after.get(entry.match)
        if known is not None and known[0] == entry.sequence - 1:
            return known[1], known[2]
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


class EntryFeed:
    """The newest entries of the archive, and whoever waits for more of them."""

    def __init__(self, ledger: Ledger, ring: int = RING, known: int = _KNOWN) -> None:
        self._ledger: Final = ledger
        self._walk: Final = StateTracker(ledger, known)
        self._ring: Final[deque[FeedItem]] = deque(maxlen=ring)
        self._by_match: Final[dict[MatchId, deque[FeedItem]]] = {}
        self._waiting: Final[WeakValueDictionary[MatchId | None, asyncio.Event]] = WeakValueDictionary()
        """By match, and under None for the whole archive, for as long as somebody waits."""
        self.position = 0
        """Position of the newest entry taken, while anybody follows."""
        self.followers = 0

    async def watch(self, shutdown: Shutdown) -> None:
        """Look for entries of other programs until the server stops; its own are passed to stored()."""
        while not shutdown.begun:
            with suppress(LogFault):
                if self.followers and self._ledger.log.last_position() > self.position:
                    self._read_on()
            await shutdown.wait_for(partial(asyncio.sleep, _LOOK))

    def stored(self, entries: Sequence[Entry], known: "KnownStates | None" = None) -> None:
        """Take entries of a match that the server has stored, while anybody follows; a repeat is ignored.

        With the states that the ledger has, nothing is folded again.
        """
        if entries[0].position <= self.position:
            return
        if entries[0].position > self.position + 1:
            with suppress(LogFault):  # then the watch reads on
                self._read_on()  # another program was quicker
            return
        if known is not None:
            self._walk.learn(entries[-1], known.header, known.after)
        self._take(entries, known)
        if self._waiting:
            self._tell((None, entries[0].match))

    @contextmanager
    def follower(self) -> Iterator[None]:
        """While somebody follows, the newest entries are kept ready."""
        if not self.followers:
            self.position = self._ledger.log.last_position()
        self.followers += 1
        try:
            yield
        finally:
            self.followers -= 1
            if not self.followers:
                self._drop()

    async def news(self, match: MatchId | None) -> None:
        """Wait for something new in a match, or anywhere."""
        event = self._waiting.setdefault(match, asyncio.Event())
        await event.wait()

    def _read_on(self) -> None:
        """Take what other programs have stored; where it is damaged or too much, followers read the log."""
        log, ring = self._ledger.log, self._ring.maxlen or RING
        newest = log.last_position()
        entries: list[Entry] = []
        skipped = max(newest - ring, 0)
        try:
            for entry in log.archive(max(self.position, skipped)):
                entries.append(entry)  # noqa: PERF402 - those before a damaged one are kept
        except UnreadableEntry as fault:
            skipped = fault.position or newest
        if skipped <= self.position:
            self._take(entries)
            self._tell({None, *(entry.match for entry in entries)})
        else:
            self._drop()
            self.position = max(skipped, entries[-1].position if entries else 0)
            self._tell(list(self._waiting))

    def _take(self, entries: Sequence[Entry], known: "KnownStates | None" = None) -> None:
        for place, entry in enumerate(entries):
            if self.followers:
                try:
                    if known is None:
                        self._keep(self._walk.link(entry))
                    else:
                        self._keep(FeedItem(entry, known.header, known.before[place]))
                except (LogFault, BadRecord):
                    self._drop()  # whoever follows that match reads it for himself, and hears of it
                except Exception as fault:  # noqa: BLE001 - whoever has stored something must not suffer from it
                    note(logging.ERROR, "an entry cannot be followed", _named(entry), fault)
                    self._drop()
            self.position = entry.position

    def _drop(self) -> None:
        self._ring.clear()
        self._by_match.clear()

    def _tell(self, changed: Iterable[MatchId | None]) -> None:
        for match in changed:
            waiting = self._waiting.pop(match, None)
            if waiting is not None:
                waiting.set()

    def _keep(self, link: FeedItem) -> None:
        if len(self._ring) == self._ring.maxlen:
            oldest = self._ring[0].entry.match
            of_match = self._by_match[oldest]
            of_match.popleft()
            if not of_match:
                del self._by_match[oldest]
        self._ring.append(link)
        self._by_match.setdefault(link.entry.match, deque()).append(link)

    def of_match(self, match: MatchId, sequence: int) -> list[FeedItem]:
        """Links of a match from a sequence on, if they are kept ready; none where only the log has them."""
        kept = self._by_match.get(match)
        if not kept or kept[0].entry.sequence > sequence:
            return []
        return [kept[place] for place in range(sequence - kept[0].entry.sequence, len(kept))]

    def of_archive(self, after: int) -> list[FeedItem]:
        """Links after a position, if they are kept ready; none where only the log has them."""
        if not self._ring or self._ring[0].entry.position > after + 1:
            return []
        return [
            self._ring[place] for place in range(after + 1 - self._ring[0].entry.position, len(self._ring))
        ]
