"""The use cases of a match: start, append, take back, read and audit, over any log and without gRPC."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from records.audit.record import RecordAudit
from records.codec.header import decode_header
from records.entry import (
    ENTRY_VERSION_2,
    HEADER,
    SERVICE,
    Entry,
    MatchHeader,
    MatchId,
)
from records.evidence.sealing import commit_secret
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.builder import EntryBuilder, EntrySource, PreparedAppend
from records.ledger.cache import CACHED_MATCHES
from records.ledger.choosing import ChoiceBuilder
from records.ledger.dealer import Secrets, dealing_secret, own_secret
from records.ledger.opening import (
    asks_for_same_match,
    checked_start,
    header_entry,
    new_match_id,
    new_salt,
)
from records.ledger.reading import RecordReader
from records.ledger.repeats import (
    AskedEntry,
    asked_by_caller,
    asked_by_moves,
    asked_with,
    entries_of_request,
    with_states,
)
from records.ledger.results import (
    Appended,
    BadRequestId,
    IllegalAmong,
    NoSuchMatch,
    RecordFull,
    RecordIsCopy,
)
from records.log.contract import (
    AppendRejected,
    AppendResult,
    BadAppend,
    Log,
    RequestReused,
    SequenceTaken,
)
from records.replay.choices import opened_choices
from records.replay.fold import (
    MOST_PLAYED_ENTRIES,
    MatchSnapshot,
    UnknownEntry,
    advance,
)
from records.replay.steps import Steps, at_once
from records.text import MAX_REQUEST_ID_CHARS, text_fault
from records.verdict import AuditReport
from rules.kernel.rule import Illegal

Many: TypeAlias = tuple[Appended, ...] | IllegalAmong


def microseconds() -> int:
    """The time now, as entries record it."""
    return time.time_ns() // 1000


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

    def peek(self, match: MatchId) -> MatchSnapshot | None:
        """As get(), without counting."""
        return self._known.get(match)

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


class Ledger:
    """The use cases over a log; thread-safe. Broken rules are returned, faults are raised.

    Every method may raise LogFault. Those that name a match may raise NoSuchMatch, CorruptRecord and
    UnknownEntry, those that store something SequenceTaken, RequestReused, BadRequestId, RecordFull
    and TooManyNotices.
    """

    def __init__(  # noqa: PLR0913 - everything from outside is passed in
        self,
        log: Log,
        *,
        cache: int = CACHED_MATCHES,
        clock: Callable[[], int] = microseconds,
        new_id: Callable[[], MatchId] = new_match_id,
        secrets: Secrets | None = None,
        salts: Callable[[], bytes] = new_salt,
        in_steps: bool = False,
    ) -> None:
        """With in_steps, a long record that is not in the cache is not read at once: NotLoaded is raised."""
        self.log: Final = log
        self._cache: Final = SnapshotCache(cache)
        self._reader: Final = RecordReader(
            log, max(cache, 1), partial(own_secret, secrets), in_steps=in_steps
        )
        self.clock: Final = clock
        self._new_id: Final = new_id
        self.secrets: Final = secrets
        """What the service shuffles by in each match; None where it does not deal."""
        self._salts: Final = salts
        log.when_reconnected(self._forget_all)

    @property
    def cache(self) -> SnapshotCache:
        """The cached states, for metrics; do not change it."""
        return self._cache

    def start(self, header: MatchHeader, request: str) -> Appended:
        """Start a match, or return the one that this request started before.

        Raises BadSetup, BadText, UnknownGame, UnknownEdition, UnknownRuling or UnknownOption.
        """
        return self.start_dealt(header, request)[0]

    def start_dealt(self, header: MatchHeader, request: str) -> tuple[Appended, ...]:
        """As start, but returns the deals too if the service deals. May also raise NoDealer."""
        return self.store(self.judge_start(header, request))

    def judge_start(self, header: MatchHeader, request: str) -> PreparedAppend:
        """What start_dealt would store; settle() turns the log's result into that of start_dealt.

        New matches are of the current version of entries; older ones continue in theirs.
        """
        return self.judge_header(replace(header, entry_version=ENTRY_VERSION_2), request)

    def judge_header(self, header: MatchHeader, request: str) -> PreparedAppend:
        """As judge_start, for a match of the version of entries that the header states."""
        require_request_id(request)
        header, state = checked_start(header)
        match = self._new_id()
        source = self._source(request, header, match)
        if source.secret is not None:
            header = replace(header, pledge=commit_secret(match, source.secret))
        first = header_entry(header, state, match, request, source.recorded)
        run = EntryBuilder.of_new(header, state, first, source)
        run.deal()
        return run.ready()

    def append(self, match: MatchId, expected: int, request: str, candidate: Candidate) -> Appended | Illegal:
        """Append a move after the last entry that the caller knows."""
        answer = self.append_many(match, expected, request, (candidate,))
        return answer.verdict if isinstance(answer, IllegalAmong) else answer[0]

    def append_many(self, match: MatchId, expected: int, request: str, moves: Sequence[Candidate]) -> Many:
        """Append several moves, all or none; the second has the request id ID/2, and so on."""
        judged = self.judge_append(match, expected, request, moves)
        return self.store(judged) if isinstance(judged, PreparedAppend) else judged

    def state_at(self, match: MatchId, sequence: int | None = None) -> GameState:
        """The state after an entry, by default the last; raises NoSuchEntry."""
        if sequence is None:
            return self.current(match).state
        known = self._cache.get(match)
        if known is not None and known.sequence == sequence:
            return known.state
        return self._reader.state_after(match, sequence)

    def current(self, match: MatchId) -> MatchSnapshot:
        """The match after its last entry in the log."""
        known = self._cache.get(match)
        if known is None:
            return self._load(match)
        head = self.log.head(match)
        if head is None or (head.sequence <= known.sequence and head.hash != known.hash):
            self._forget(match)  # the entries went down with a primary that was lost
            return self._load(match)
        return known if head.hash == known.hash else self._catch_up(match, known)

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a record from a sequence on; a snapshot of the present."""
        self._require_known(match)
        return self.log.read(match, start, limit)

    def audit(self, match: MatchId) -> AuditReport:
        """Audit a record as it is in the log, without the cache; UnknownEntry if its game is missing."""
        self._require_known(match)
        audit = RecordAudit(match, self.log.read(match), complete=not self.log.is_copy(match))
        audit.link()
        audit.judge()
        if audit.missing_game:
            raise UnknownEntry(match, 0, audit.missing_game)
        return audit.report()

    def judge_append(
        self, match: MatchId, expected: int, request: str, moves: Sequence[Candidate], signature: bytes = b""
    ) -> PreparedAppend | Many:
        """What append_many would store, or its result if there is nothing to store.

        Raises GuardRejected, and BatchCrossesDraw where the service would deal between the moves.

        The signature is for the first move: the caller cannot know the previous hash of the others.
        """
        run = self.append_builder(match, expected, request, moves)
        if isinstance(run, tuple):
            return run
        illegal = run.play_part(moves, signature)
        if illegal is not None:
            return self.illegal(match, request, moves, illegal)
        if run.header.dealer is SERVICE:
            run.deal()
        return run.ready()

    def append_builder(
        self, match: MatchId, expected: int, request: str, moves: Sequence[Candidate]
    ) -> EntryBuilder | tuple[Appended, ...]:
        """Builds the entries for moves that are new; or what the request was answered before."""
        require_request_id(request)
        if not moves:
            raise ValueError("an append has at least one move")
        current = self.playable(match)
        if current.sequence != expected:
            repeat = self.repeated(match, request, asked_by_moves(moves))
            if repeat:
                return repeat
            current = self.at_expected(match, expected, current)
        if expected + len(moves) > MOST_PLAYED_ENTRIES:
            raise RecordFull(match, MOST_PLAYED_ENTRIES)
        return self.builder(match, current, request)

    def illegal(
        self, match: MatchId, request: str, moves: Sequence[Candidate], illegal: IllegalAmong
    ) -> Many:
        """The answer to moves of which one is illegal now: it may have been legal at the first request."""
        return self.repeated(match, request, asked_by_moves(moves)) or illegal

    def builder(self, match: MatchId, current: MatchSnapshot, request: str) -> EntryBuilder:
        """Builds the entries of a request; raises NoDealer if the service would deal and cannot."""
        if current.state.has_choices():
            return self.choice_builder(match, current, request)
        return EntryBuilder(match, current, self._source(request, current.header, match))

    def choice_builder(self, match: MatchId, current: MatchSnapshot, request: str) -> ChoiceBuilder:
        """As builder(), for sealed choices."""
        source = self._source(request, current.header, match)
        choices = current.guards.choices
        if choices.answers:
            source.opened.update(opened_choices(self._reader.read(match, choices.first)))
        return ChoiceBuilder(match, current, source)

    def _source(self, request: str, header: MatchHeader, match: MatchId) -> EntrySource:
        secret = dealing_secret(self.secrets, header, match) if header.dealer is SERVICE else None
        return EntrySource(request, self.clock(), secret, self._salts)

    def store(self, ready: PreparedAppend) -> tuple[Appended, ...]:
        """Write what was judged, in a write of its own."""
        return self.settle(ready, self.log.write([ready.append])[0])

    def settle(self, ready: PreparedAppend, answer: AppendResult) -> tuple[Appended, ...]:
        """The result for the caller, from the log's result; raises if the log rejected the append."""
        asked = ready.append.entries
        if isinstance(answer, AppendRejected):
            if isinstance(answer, RequestReused) and answer.first.kind == HEADER:
                # The first match has another pledge and other deals, yet it may be from the same request.
                first = asked[0]
                if asks_for_same_match(decode_header(answer.first.move), ready.header):
                    started = [(first.kind, first.actor, answer.first.move)]
                    return self.repeated(answer.first.match, first.request, started)
            ahead = isinstance(answer, SequenceTaken) and answer.actual < ready.append.expected
            if ahead or isinstance(answer, BadAppend):
                self._forget(ready.append.match)  # the log never had, or has lost, what it follows
            raise answer
        last = answer[-1]
        if last.hash != asked[-1].hash:
            return self.repeated(last.match, asked[0].request, list(map(asked_with, asked)))
        after = MatchSnapshot(
            ready.header,
            last.sequence,
            last.hash,
            ready.states[-1],
            ready.guards,
            asked=ready.asked,
            notices=ready.notices,
        )
        self._cache.put(last.match, after)
        return tuple(map(Appended, answer, ready.states))

    def repeated(self, match: MatchId, request: str, asked: Sequence[AskedEntry]) -> tuple[Appended, ...]:
        """What the request was answered the first time; nothing if it is new."""
        return at_once(self.repeating(match, request, asked))

    def repeating(
        self, match: MatchId, request: str, asked: Sequence[AskedEntry]
    ) -> Steps[tuple[Appended, ...]]:
        """As repeated(), in steps."""
        first = self.log.requested(match, request)
        if first is None:
            return ()
        entries = entries_of_request(first, self._reader.read)
        dealt = self.known(match).header.dealer is SERVICE
        if asked_by_caller(map(asked_with, entries), dealt=dealt) != asked_by_caller(asked, dealt=dealt):
            raise RequestReused(first)
        self.log.confirm()  # to answer it is to acknowledge it
        appended = []
        for each in with_states(entries, partial(self.state_at, match)):
            appended.append(each)
            yield
        return tuple(appended)

    def at_expected(self, match: MatchId, expected: int, known: MatchSnapshot) -> MatchSnapshot:
        """How the match stands, if the caller knows its last entry."""
        current = self._catch_up(match, known) if expected > known.sequence else known
        if current.sequence != expected:
            raise SequenceTaken(match, current.sequence)
        return current

    def cached(self, match: MatchId) -> MatchSnapshot | None:
        """As known(), if it is in the cache."""
        return self._cache.get(match)

    def known(self, match: MatchId) -> MatchSnapshot:
        """The match as cached, which may be outdated: a write to the log will show that."""
        return self._cache.get(match) or self._load(match)

    def prefetch(self, matches: Iterable[MatchId]) -> None:
        """Load the states of matches that are not cached, reading all of them at once.

        What cannot be loaded is left out: the request that needs it gets the reason.
        """
        missing = [match for match in dict.fromkeys(matches) if match and self._cache.peek(match) is None]
        self._reader.prefetch(missing, self._cache.put)

    def _forget(self, match: MatchId) -> None:
        self._cache.drop(match)
        self._reader.drop(match)

    def _forget_all(self) -> None:
        self._cache.clear()
        self._reader.clear()

    def _catch_up(self, match: MatchId, known: MatchSnapshot) -> MatchSnapshot:
        current = advance(
            known, self._reader.read(match, known.sequence + 1), partial(self._reader.state_after, match)
        )
        self._cache.put(match, current)
        return current

    def _load(self, match: MatchId) -> MatchSnapshot:
        return self._reader.load(match, self._cache.put)

    def playable(self, match: MatchId) -> MatchSnapshot:
        """As known(); raises RecordIsCopy if nothing can be added to the match."""
        current = self.known(match)
        if current.copy:
            raise RecordIsCopy(match)
        return current

    def _require_known(self, match: MatchId) -> None:
        if self.log.head(match) is None:
            raise NoSuchMatch(match)


def require_request_id(request: str) -> None:
    """Raises BadRequestId for text that cannot be a request id."""
    if 0 < len(request) <= MAX_REQUEST_ID_CHARS and request.isascii() and request.isprintable():
        return
    why = text_fault(request, MAX_REQUEST_ID_CHARS, least=1)
    if why is not None:
        raise BadRequestId(why)
