"""The use cases: start a match, append to it, ask about it, take back. Knows neither gRPC nor any engine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, takewhile
from typing import Final, TypeAlias

from msgspec import structs

from records.audit.record import audit_record
from records.codec.evidence import decode_commitment
from records.codec.header import Retraction, decode_header, encode_retraction
from records.entry import (
    HEADER,
    MOVE,
    RETRACT,
    SERVICE,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    actor_number,
)
from records.entry_rules import actor_fault
from records.entry_text import check_header, check_statement
from records.evidence.sealing import commit_secret
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.games.state import GameState
from records.ledger.builder import EntryBuilder, Notice, PreparedAppend
from records.ledger.cache import Cache
from records.ledger.opening import header_entry, microseconds, new_match_id, require_valid_tags
from records.ledger.results import (
    Appended,
    BadRequestId,
    IllegalAmong,
    NoDealer,
    NoSuchEntry,
    NoSuchMatch,
    NotAllowed,
    NothingToRetract,
    RecordFull,
)
from records.log.contract import (
    AppendRejected,
    AppendResult,
    Log,
    RequestReused,
    SequenceTaken,
    UnreadableEntry,
)
from records.replay.fold import MOST_ENTRIES, CorruptRecord, MatchSnapshot, advance, rebuild
from records.replay.guards import GuardRejected
from records.replay.policies import may_not_deal, require_known_dealer
from records.replay.retraction import may_not_retract
from records.replay.sealed_draws import unopenable
from records.text import MAX_REQUEST_ID, BadText, text_fault
from records.verdict import AuditReport
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Illegal

CACHED: Final = 4096
"""So many matches are kept as they stand; the state of one has at most 4 KB."""


_Told: TypeAlias = tuple[int, int, bytes]
"""Of an entry: kind, actor and move."""

_BY_CHANCE: Final = actor_number(CHANCE)

Many: TypeAlias = tuple[Appended, ...] | IllegalAmong

Secrets: TypeAlias = Callable[[MatchId], bytes]
"""What the service shuffles by, 32 bytes for each match in which it deals; nobody else knows it."""


class Ledger:
    """The use cases over a log, for any number of threads. A broken rule is answered, a fault is raised.

    Every method may raise LogFault; where a match is named NoSuchMatch, CorruptRecord and UnknownEntry; where
    something is stored SequenceTaken, RequestReused, BadRequestId and RecordFull.
    """

    def __init__(
        self,
        log: Log,
        *,
        cache: int = CACHED,
        clock: Callable[[], int] = microseconds,
        new_id: Callable[[], MatchId] = new_match_id,
        secrets: Secrets | None = None,
    ) -> None:
        self.log: Final = log
        self._cache: Final = Cache(cache)
        self._clock: Final = clock
        self._new_id: Final = new_id
        self._secrets: Final = secrets

    @property
    def cache(self) -> Cache:
        """The matches that are kept as they stand; to be looked at, and left alone."""
        return self._cache

    def start(self, header: MatchHeader, request: str) -> Appended:
        """A new match, or the one that this request began before.

        Raises BadSetup, BadText, UnknownGame, UnknownEdition or UnknownRuling.
        """
        return self.start_dealt(header, request)[0]

    def start_dealt(self, header: MatchHeader, request: str) -> tuple[Appended, ...]:
        """As start; with the header, the deals of a match in which the service deals. Raises NoDealer too."""
        return self._store(self.judge_start(header, request))

    def judge_start(self, header: MatchHeader, request: str) -> PreparedAppend:
        """What start_dealt would store; settle() makes the answer of what the log says to it."""
        _refuse_bad_request(request)
        state = find_game(header.game).start(header.setup)
        header = replace(header, setup=state.setup)
        check_header(header)
        require_valid_tags(header)
        require_known_dealer(header)
        match = self._new_id()
        secret = self._secret(header, match)
        if secret is not None:
            header = replace(header, pledge=commit_secret(match, secret))
        first = header_entry(header, state, match, request, self._clock())
        run = EntryBuilder.of_new(header, state, first)
        if secret is not None:
            run.deal(secret)
        return run.ready()

    def append(self, match: MatchId, expected: int, request: str, candidate: Candidate) -> Appended | Illegal:
        """One more move after the entry that the caller knows as the last."""
        answer = self.append_many(match, expected, request, (candidate,))
        return answer.verdict if isinstance(answer, IllegalAmong) else answer[0]

    def append_many(self, match: MatchId, expected: int, request: str, moves: Sequence[Candidate]) -> Many:
        """Several moves, all or none; of the second the request id is ID/2, and so on."""
        judged = self.judge_append(match, expected, request, moves)
        return self._store(judged) if isinstance(judged, PreparedAppend) else judged

    def state_at(self, match: MatchId, sequence: int | None = None) -> GameState:
        """How a match stood after an entry, by default the last; raises NoSuchEntry."""
        if sequence is None:
            return self.current(match).state
        known = self._cache.get(match)
        if known is not None and known.sequence == sequence:
            return known.state
        entries = self._read(match, 0, sequence + 1) if sequence >= 0 else []
        if len(entries) <= sequence or not entries:
            self._refuse_unknown(match)
            raise NoSuchEntry(match, sequence)
        return rebuild(entries).state

    def current(self, match: MatchId) -> MatchSnapshot:
        """How a match stands now, with its header, its last sequence and the hash of that entry."""
        known = self._cache.get(match)
        if known is None:
            return self._load(match)
        head = self.log.head(match)
        return known if head is not None and head.hash == known.hash else self._catch_up(match, known)

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a record from a sequence on, as of now."""
        self._refuse_unknown(match)
        return self.log.read(match, start, limit)

    def audit(self, match: MatchId) -> AuditReport:
        """The verdict on a record, by what the log has of it and nothing else."""
        self._refuse_unknown(match)
        return audit_record(match, self.log.read(match))

    def notice(self, match: MatchId, expected: int, request: str, notice: Notice) -> Appended:
        """An entry that leaves the match as it stands, such as a change of keys; raises GuardRejected."""
        judged = self.judge_notice(match, expected, request, notice)
        return (self._store(judged) if isinstance(judged, PreparedAppend) else judged)[0]

    def retract(
        self, match: MatchId, expected: int, request: str, actor: Actor, retraction: Retraction
    ) -> Appended:
        """Go back to how the match stood after an entry, by a further entry; nothing is lost.

        Raises NotAllowed where the header does not let the actor do so, NothingToRetract and BadText.
        """
        judged = self.judge_retract(match, expected, request, actor, retraction)
        return (self._store(judged) if isinstance(judged, PreparedAppend) else judged)[0]

    def judge_retract(  # noqa: PLR0913 - an entry has many parts
        self,
        match: MatchId,
        expected: int,
        request: str,
        actor: Actor,
        retraction: Retraction,
        *,
        signature: bytes = b"",
    ) -> PreparedAppend | tuple[Appended, ...]:
        """What retract would store, or its answer where that was stored before.

        Where the service deals, and the match goes back to before a draw, the same tiles come once more.
        """
        _refuse_bad_request(request)
        back_to = retraction.to_sequence
        if not 0 <= back_to < expected:
            raise NothingToRetract(f"from entry {expected} nothing goes back to entry {back_to}")
        number, move = actor_number(actor), encode_retraction(retraction)
        check_statement(RETRACT, move)
        current = self.known(match)
        if current.sequence != expected:
            repeat = self._repeated(match, request, [(RETRACT, number, move)])
            if repeat:
                return repeat
            current = self._expected(match, expected, current)
        violation = may_not_retract(current.header, actor, current.guards.disputes, back_to)
        if violation is not None:
            raise NotAllowed(violation)
        if expected >= MOST_ENTRIES:
            raise RecordFull(match, MOST_ENTRIES)
        run = EntryBuilder(match, current, request, self._clock())
        run.go_back(actor, move, self.state_at(match, back_to), signature)
        secret = self._secret(current.header, match)
        if secret is not None:
            run.deal(secret)
        return run.ready()

    def judge_notice(
        self, match: MatchId, expected: int, request: str, notice: Notice
    ) -> PreparedAppend | tuple[Appended, ...]:
        """An entry that leaves the match as it stands, or its answer where it was stored before.

        Raises GuardRejected where it is not allowed now, and BadText where its text cannot be stored.
        """
        _refuse_bad_request(request)
        _refuse_bad_statement(notice)
        current = self.known(match)
        stranger = actor_fault(current.header, notice.kind, actor_number(notice.actor))
        if stranger is not None:
            raise GuardRejected(stranger)
        if current.sequence != expected:
            repeat = self._repeated(
                match, request, [(notice.kind, actor_number(notice.actor), notice.content)]
            )
            if repeat:
                return repeat
            current = self._expected(match, expected, current)
        if expected >= MOST_ENTRIES:
            raise RecordFull(match, MOST_ENTRIES)
        _refuse_unopenable(current, notice)
        run = EntryBuilder(match, current, request, self._clock())
        run.note(notice)
        secret = self._secret(current.header, match)
        if secret is not None:
            run.deal(secret)
        return run.ready()

    def judge_append(
        self, match: MatchId, expected: int, request: str, moves: Sequence[Candidate], signature: bytes = b""
    ) -> PreparedAppend | Many:
        """What append_many would store, or its answer where there is nothing to store; raises GuardRejected.

        The signature is for the first move: of the others nobody knows yet what they follow on.
        """
        _refuse_bad_request(request)
        if not moves:
            raise ValueError("an append has at least one move")
        current = self.known(match)
        if current.sequence != expected:
            repeat = self._repeated(match, request, _asked(moves))
            if repeat:
                return repeat
            current = self._expected(match, expected, current)
        if expected + len(moves) > MOST_ENTRIES:
            raise RecordFull(match, MOST_ENTRIES)
        secret = self._secret(current.header, match)
        run = EntryBuilder(match, current, request, self._clock())
        illegal = (
            run.play_all(moves, signature) if secret is None else _play_dealt(run, moves, signature, secret)
        )
        if illegal is not None:
            # It may have been legal when it was asked for the first time.
            return self._repeated(match, request, _asked(moves)) or illegal
        return run.ready()

    def _secret(self, header: MatchHeader, match: MatchId) -> bytes | None:
        """What the service shuffles by, where it deals; NoDealer if the match began with something else."""
        if header.dealer is not SERVICE:
            return None
        if self._secrets is None:
            raise NoDealer(match)
        secret = self._secrets(match)
        if header.pledge and header.pledge != commit_secret(match, secret):
            raise NoDealer(match)
        return secret

    def dealt(self, match: MatchId, state: GameState) -> GameState:
        """How it stands when the service, in a match in which it deals, has brought what chance owes."""
        current = self.known(match)
        secret = self._secret(current.header, match)
        if secret is None:
            return state
        run = EntryBuilder(match, structs.replace(current, state=state), "", 0)
        run.deal(secret)
        return run.state

    def _store(self, ready: PreparedAppend) -> tuple[Appended, ...]:
        return self.settle(ready, self.log.write([ready.append])[0])

    def settle(self, ready: PreparedAppend, answer: AppendResult) -> tuple[Appended, ...]:
        """What the log's answer means to whoever asked; raises the refusal that it is."""
        asked = ready.append.entries
        if isinstance(answer, AppendRejected):
            if isinstance(answer, RequestReused) and answer.first.kind == HEADER:
                # Another match has another pledge and other deals, yet it may be the one that was asked for.
                first = asked[0]
                if replace(decode_header(answer.first.move), pledge=b"") == replace(ready.header, pledge=b""):
                    told = [(first.kind, first.actor, answer.first.move)]
                    return self._repeated(answer.first.match, first.request, told)
            raise answer
        last = answer[-1]
        if last.hash != asked[-1].hash:
            told = [(entry.kind, entry.actor, entry.move) for entry in asked]
            return self._repeated(last.match, asked[0].request, told)
        after = MatchSnapshot(ready.header, last.sequence, last.hash, ready.states[-1], ready.guards)
        self._cache.put(last.match, after)
        return tuple(map(Appended, answer, ready.states))

    def _repeated(self, match: MatchId, request: str, asked: Sequence[_Told]) -> tuple[Appended, ...]:
        """What the request was answered the first time; nothing if it is new."""
        first = self.log.requested(match, request)
        if first is None:
            return ()
        following = zip(count(1), self._read(match, first.sequence), strict=False)
        entries = [entry for _, entry in takewhile(partial(_belongs, first), following)]
        known = [(entry.kind, entry.actor, entry.move) for entry in entries]
        if self.known(match).header.dealer is SERVICE:
            known, asked = _without_chance(known), _without_chance(asked)
        if known != list(asked):
            raise RequestReused(first)
        return tuple(Appended(entry, self.state_at(match, entry.sequence)) for entry in entries)

    def _expected(self, match: MatchId, expected: int, known: MatchSnapshot) -> MatchSnapshot:
        """How the match stands, if the caller knows its last entry."""
        current = self._catch_up(match, known) if expected > known.sequence else known
        if current.sequence != expected:
            raise SequenceTaken(match, current.sequence)
        return current

    def cached(self, match: MatchId) -> MatchSnapshot | None:
        """As known(), if it is in the cache."""
        return self._cache.get(match)

    def known(self, match: MatchId) -> MatchSnapshot:
        """How the match stood when this ledger last looked; if somebody has gone on since, the log tells."""
        return self._cache.get(match) or self._load(match)

    def _catch_up(self, match: MatchId, known: MatchSnapshot) -> MatchSnapshot:
        current = advance(known, self._read(match, known.sequence + 1))
        if current is None:
            return self._load(match)
        self._cache.put(match, current)
        return current

    def _load(self, match: MatchId) -> MatchSnapshot:
        entries = self._read(match, 0)
        if not entries:
            raise NoSuchMatch(match)
        current = rebuild(entries)
        self._cache.put(match, current)
        return current

    def _read(self, match: MatchId, start: int, limit: int | None = None) -> list[Entry]:
        try:
            return list(self.log.read(match, start, limit))
        except UnreadableEntry as fault:
            raise CorruptRecord(match, fault.sequence or 0, str(fault)) from fault

    def _refuse_unknown(self, match: MatchId) -> None:
        if self.log.head(match) is None:
            raise NoSuchMatch(match)


def _play_dealt(
    builder: EntryBuilder, moves: Sequence[Candidate], signature: bytes, secret: bytes
) -> IllegalAmong | None:
    """As EntryBuilder.play_all, where the service deals after each move."""
    for index, candidate in enumerate(moves):
        foul = may_not_deal(builder.header, candidate.actor)
        illegal = builder.play(candidate, b"" if index else signature) if foul is None else Illegal((foul,))
        if illegal is not None:
            return IllegalAmong(index, illegal)
        builder.deal(secret)
    return None


def _asked(moves: Sequence[Candidate]) -> list[_Told]:
    return [(MOVE, actor_number(each.actor), each.data) for each in moves]


def _without_chance(asked: Sequence[_Told]) -> list[_Told]:
    return [told for told in asked if told[1] != _BY_CHANCE]


def _belongs(first: Entry, numbered: tuple[int, Entry]) -> bool:
    """Whether the entry is one of those that the request of the first made.

    Somebody may have called a later request of his own ID/2; it was recorded at another time.
    """
    place, entry = numbered
    named = first.request if place == 1 else f"{first.request}/{place}"
    return entry.request == named and entry.recorded == first.recorded


def _refuse_bad_request(request: str) -> None:
    why = text_fault(request, MAX_REQUEST_ID, least=1)
    if why is not None:
        raise BadRequestId(why)


def _refuse_bad_statement(notice: Notice) -> None:
    try:
        check_statement(notice.kind, notice.content)
    except BadText:
        raise
    except ValueError as fault:
        raise GuardRejected(str(fault)) from fault


def _refuse_unopenable(current: MatchSnapshot, notice: Notice) -> None:
    sealing = current.guards.sealing
    if notice.kind is EntryKind.COMMIT_SHARE and sealing is not None:
        why = unopenable(sealing, actor_number(notice.actor), decode_commitment(notice.content))
        if why is not None:
            raise GuardRejected(why)
