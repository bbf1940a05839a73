"""The use cases of a match: start, append, take back, read and audit, over any log and without gRPC."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

from msgspec import structs

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
from records.games.registry import find_game
from records.games.state import GameState
from records.ledger.builder import EntryBuilder, EntrySource, PreparedAppend
from records.ledger.cache import CACHED_MATCHES, PastStatesCache
from records.ledger.choosing import ChoiceBuilder
from records.ledger.opening import (
    header_entry,
    new_match_id,
    new_salt,
    require_seats_for_audiences,
    require_valid_tags,
)
from records.ledger.repeats import Told, entries_of_request, told_by_caller, told_moves, told_of, with_states
from records.ledger.results import (
    Appended,
    BadRequestId,
    BatchCrossesDraw,
    IllegalAmong,
    NoDealer,
    NoSuchEntry,
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
    UnreadableEntry,
)
from records.replay.choices import opened_choices
from records.replay.deriving import check_derived
from records.replay.entry_text import check_header
from records.replay.fold import (
    MOST_PLAYED_ENTRIES,
    CorruptRecord,
    MatchSnapshot,
    UnknownEntry,
    advance,
    rebuild,
)
from records.replay.policies import may_not_deal, require_known_dealer
from records.text import MAX_REQUEST_ID, text_fault
from records.verdict import AuditReport
from rules.kernel.actors import CHANCE
from rules.kernel.rule import Illegal

Many: TypeAlias = tuple[Appended, ...] | IllegalAmong

Secrets: TypeAlias = Callable[[MatchId], bytes]
"""Returns the secret that the service shuffles by in a match, 32 bytes."""


_commitment: Final = lru_cache(maxsize=CACHED_MATCHES)(commit_secret)
"""As commit_secret, cached, since every append asks for it."""


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
    ) -> None:
        self.log: Final = log
        self._cache: Final = SnapshotCache(cache)
        self._past: Final = PastStatesCache(max(cache, 1))
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

        New matches are of the current version of entries; older ones go on in theirs.
        """
        return self.judge_header(replace(header, entry_version=ENTRY_VERSION_2), request)

    def judge_header(self, header: MatchHeader, request: str) -> PreparedAppend:
        """As judge_start, for a match of the version of entries that the header states."""
        require_request_id(request)
        state = find_game(header.game).start(header.setup)
        header = replace(header, setup=state.setup)
        check_header(header)
        require_seats_for_audiences(header)
        require_valid_tags(header)
        require_known_dealer(header)
        match = self._new_id()
        secret = self.secret(header, match)
        if secret is not None:
            header = replace(header, pledge=commit_secret(match, secret))
        source = self._source(request, secret)
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
        return self._past_state(match, sequence)

    def _past_state(self, match: MatchId, sequence: int) -> GameState:
        state = self._past.state(match, sequence, partial(self._read, match))
        if state is None:
            self._require_known(match)
            raise NoSuchEntry(match, sequence)
        return state

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
        require_request_id(request)
        if not moves:
            raise ValueError("an append has at least one move")
        current = self.playable(match)
        if current.sequence != expected:
            repeat = self.repeated(match, request, told_moves(moves))
            if repeat:
                return repeat
            current = self.at_expected(match, expected, current)
        if expected + len(moves) > MOST_PLAYED_ENTRIES:
            raise RecordFull(match, MOST_PLAYED_ENTRIES)
        run = self.builder(match, current, request)
        dealt = current.header.dealer is SERVICE
        illegal = _play_dealt(run, moves, signature) if dealt else run.play_all(moves, signature)
        if illegal is not None:
            # It may have been legal when it was asked for the first time.
            return self.repeated(match, request, told_moves(moves)) or illegal
        return run.ready()

    def builder(self, match: MatchId, current: MatchSnapshot, request: str) -> EntryBuilder:
        """Builds the entries of a request; raises NoDealer as secret() does."""
        if current.state.has_choices():
            return self.choice_builder(match, current, request)
        return EntryBuilder(match, current, self._source(request, self.secret(current.header, match)))

    def choice_builder(self, match: MatchId, current: MatchSnapshot, request: str) -> ChoiceBuilder:
        """As builder(), for sealed choices."""
        source = self._source(request, self.secret(current.header, match))
        choices = current.guards.choices
        if choices.answers:
            source.opened.update(opened_choices(self._read(match, choices.first)))
        return ChoiceBuilder(match, current, source)

    def _source(self, request: str, secret: bytes | None) -> EntrySource:
        return EntrySource(request, self.clock(), secret, self._salts)

    def secret(self, header: MatchHeader, match: MatchId) -> bytes | None:
        """What the service shuffles by, where it deals; NoDealer if the match began with something else."""
        if header.dealer is not SERVICE:
            return None
        if self.secrets is None:
            raise NoDealer(match)
        secret = self.secrets(match)
        if header.pledge and header.pledge != _commitment(match, secret):
            raise NoDealer(match)
        return secret

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
                if _settings(decode_header(answer.first.move)) == _settings(ready.header):
                    told = [(first.kind, first.actor, answer.first.move)]
                    return self.repeated(answer.first.match, first.request, told)
            ahead = isinstance(answer, SequenceTaken) and answer.actual < ready.append.expected
            if ahead or isinstance(answer, BadAppend):
                self._forget(ready.append.match)  # the log never had, or has lost, what it follows
            raise answer
        last = answer[-1]
        if last.hash != asked[-1].hash:
            return self.repeated(last.match, asked[0].request, list(map(told_of, asked)))
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

    def repeated(self, match: MatchId, request: str, asked: Sequence[Told]) -> tuple[Appended, ...]:
        """What the request was answered the first time; nothing if it is new."""
        first = self.log.requested(match, request)
        if first is None:
            return ()
        entries = entries_of_request(first, self._read)
        dealt = self.known(match).header.dealer is SERVICE
        if told_by_caller(map(told_of, entries), dealt=dealt) != told_by_caller(asked, dealt=dealt):
            raise RequestReused(first)
        self.log.confirm()  # to answer it is to acknowledge it
        return tuple(with_states(entries, partial(self.state_at, match)))

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

    def _forget(self, match: MatchId) -> None:
        self._cache.drop(match)
        self._past.drop(match)

    def _forget_all(self) -> None:
        self._cache.clear()
        self._past.clear()

    def _catch_up(self, match: MatchId, known: MatchSnapshot) -> MatchSnapshot:
        current = advance(known, self._read(match, known.sequence + 1), partial(self._past_state, match))
        self._cache.put(match, current)
        return current

    def _load(self, match: MatchId) -> MatchSnapshot:
        entries = self._read(match, 0)
        if not entries:
            raise NoSuchMatch(match)
        current = structs.replace(rebuild(entries), copy=self.log.is_copy(match))
        if current.lacks_parts and not current.copy:
            raise CorruptRecord(match, current.sequence, "the archive has lost concealed parts of the match")
        secret = self._own_secret(current.header, match)
        if secret is not None and not current.lacks_parts:  # a copy is read as far as it is shown
            check_derived(entries, secret)
        self._cache.put(match, current)
        return current

    def _own_secret(self, header: MatchHeader, match: MatchId) -> bytes | None:
        """What this ledger shuffles by in the match, if it is the one that deals in it."""
        try:
            return self.secret(header, match)
        except NoDealer:
            return None

    def playable(self, match: MatchId) -> MatchSnapshot:
        """As known(); raises RecordIsCopy if nothing can be added to the match."""
        current = self.known(match)
        if current.copy:
            raise RecordIsCopy(match)
        return current

    def _read(self, match: MatchId, start: int, limit: int | None = None) -> list[Entry]:
        try:
            return list(self.log.read(match, start, limit))
        except UnreadableEntry as fault:
            raise CorruptRecord(match, fault.sequence or 0, str(fault)) from fault

    def _require_known(self, match: MatchId) -> None:
        if self.log.head(match) is None:
            raise NoSuchMatch(match)


def _play_dealt(builder: EntryBuilder, moves: Sequence[Candidate], signature: bytes) -> IllegalAmong | None:
    """As EntryBuilder.play_all, where the service deals after the last move."""
    for index, candidate in enumerate(moves):
        if index:
            require_no_draw(builder.header, builder.state, index)
            builder.require_no_choice(index)
        foul = may_not_deal(builder.header, candidate.actor)
        illegal = builder.play(candidate, b"" if index else signature) if foul is None else Illegal((foul,))
        if illegal is not None:
            return IllegalAmong(index, illegal)
    builder.deal()
    return None


def require_no_draw(header: MatchHeader, state: GameState, index: int) -> None:
    """Raises BatchCrossesDraw if the service must deal before the move at this index of a batch."""
    if header.dealer is SERVICE and CHANCE in state.awaiting():
        raise BatchCrossesDraw(index)


def _settings(header: MatchHeader) -> MatchHeader:
    """What a caller has asked for with a header: not its pledge, nor the version of entries."""
    return replace(header, pledge=b"", entry_version=ENTRY_VERSION_2)


def require_request_id(request: str) -> None:
    """Raises BadRequestId for text that cannot be a request id."""
    if 0 < len(request) <= MAX_REQUEST_ID and request.isascii() and request.isprintable():
        return
    why = text_fault(request, MAX_REQUEST_ID, least=1)
    if why is not None:
        raise BadRequestId(why)
