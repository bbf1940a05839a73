"""The use cases: start a match, append to it, ask about it, take back. Knows neither gRPC nor any engine."""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Final, TypeAlias
from uuid import UUID

from records.answers import (
    Appended,
    BadRequestId,
    IllegalAmong,
    NoSuchEntry,
    NoSuchMatch,
    NotAllowed,
    NothingToRetract,
    RecordFull,
)
from records.arbiter import Accepted, Standing
from records.audit import audit_record
from records.cache import Cache
from records.codec.header import Retraction, encode_header, encode_retraction
from records.entry import GENESIS, Entry, EntryKind, MatchHeader, MatchId, actor_number, chained
from records.games import find_arbiter
from records.header import read_header, write_header
from records.log import NEW, Answer, Append, Log, Refusal, RequestReused, SequenceTaken, UnreadableEntry
from records.replay import MOST_ENTRIES, CorruptRecord, Current, advance, rebuild
from records.retraction import may_not_retract
from records.transcript import Tag, Transcript, UnreadableTranscript, Unwritable
from records.verdict import MatchReport
from records.writer import Stored, Writer
from rules.kernel.actors import ARBITER, Actor
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup

CACHED: Final = 4096
"""So many matches are kept as they stand; the state of one has at most 4 KB."""

LONGEST_REQUEST: Final = 200
"""So many characters a request id may have."""

_MOVE: Final = EntryKind.MOVE.value
"""A plain number: SQLite takes its time with any other."""

Asked: TypeAlias = tuple[Actor, bytes]
"""Who asks, and for which move."""

Many: TypeAlias = tuple[Appended, ...] | IllegalAmong


@dataclass(frozen=True, slots=True)
class _Ready:
    """What was judged and can be stored."""

    header: MatchHeader
    append: Append
    standings: list[Standing]
    """After each entry."""


def microseconds() -> int:
    """The time now, as an entry has it."""
    return time.time_ns() // 1000


def new_match_id() -> MatchId:
    """An id that nobody can guess: the time in milliseconds, so that ids sort by age, then 74 random bits."""
    bits = time.time_ns() // 1_000_000 << 80 | 0x7 << 76 | secrets.randbits(12) << 64
    return MatchId(str(UUID(int=bits | 0b10 << 62 | secrets.randbits(62))))


class Ledger:
    """The use cases over a log, for any number of threads. A broken rule is answered, a fault is raised.

    Every method may raise LogFault; where a match is named NoSuchMatch, CorruptRecord and UnknownEntry; where
    something is stored SequenceTaken, RequestReused, BadRequestId and RecordFull.
    """

    def __init__(
        self,
        log: Log,
        *,
        writer: Writer | None = None,
        cache: int = CACHED,
        clock: Callable[[], int] = microseconds,
        new_id: Callable[[], MatchId] = new_match_id,
    ) -> None:
        self.log: Final = log
        self._writer: Final = writer
        self._cache: Final = Cache(cache)
        self._clock: Final = clock
        self._new_id: Final = new_id

    def start(self, header: MatchHeader, request: str) -> Appended:
        """A new match, or the one that this request began before.

        Raises BadSetup, UnknownGame, UnknownEdition or UnknownRuling.
        """
        _refuse_bad_request(request)
        standing = find_arbiter(header.game).start(header.setup)
        header = replace(header, setup=standing.setup)
        _refuse_bad_tags(header)
        ready = started(header, standing, self._new_id(), request, self._clock())
        return self._store(_Ready(header, Append(ready.match, NEW, (ready,)), [standing]))[0]

    def append(
        self, match: MatchId, expected: int, request: str, actor: Actor, move: bytes
    ) -> Appended | Illegal:
        """One more move after the entry that the caller knows as the last; raises CorruptMove."""
        answer = self.append_many(match, expected, request, ((actor, move),))
        return answer.verdict if isinstance(answer, IllegalAmong) else answer[0]

    def append_many(self, match: MatchId, expected: int, request: str, moves: Sequence[Asked]) -> Many:
        """Several moves, all or none; of the second the request id is ID/2, and so on."""
        judged = self._judge(match, expected, request, moves)
        return self._store(judged) if isinstance(judged, _Ready) else judged

    def submit(self, match: MatchId, expected: int, request: str, moves: Sequence[Asked]) -> "Future[Many]":
        """append_many, without waiting for the disk; what that would raise, the future raises.

        The moves are judged at once; only a match that is not cached is read from the log before.
        """
        future: Future[Many] = Future()
        try:
            judged = self._judge(match, expected, request, moves)
            if not isinstance(judged, _Ready):
                future.set_result(judged)
            elif self._writer is None:
                future.set_result(self._store(judged))
            else:
                ready = judged
                self._writer.submit(judged.append).add_done_callback(
                    lambda answered: self._pass_on(ready, answered, future)
                )
        except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to whoever waits
            future.set_exception(fault)
        return future

    def check(self, match: MatchId, actor: Actor, move: bytes, at: int | None = None) -> Accepted | Illegal:
        """The verdict on a move now, or after any entry; nothing is stored."""
        return self.standing_at(match, at).judge(actor, move)

    def legal_moves(self, match: MatchId, actor: Actor, at: int | None = None) -> Iterator[bytes]:
        """Every legal move of the actor, in the game's order."""
        return self.standing_at(match, at).legal_moves(actor)

    def standing_at(self, match: MatchId, sequence: int | None = None) -> Standing:
        """How a match stood after an entry, by default the last; raises NoSuchEntry."""
        if sequence is None:
            return self.current(match).standing
        known = self._cache.get(match)
        if known is not None and known.sequence == sequence:
            return known.standing
        entries = self._read(match, 0, sequence + 1) if sequence >= 0 else []
        if len(entries) <= sequence or not entries:
            self._refuse_unknown(match)
            raise NoSuchEntry(match, sequence)
        return rebuild(entries).standing

    def current(self, match: MatchId) -> Current:
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

    def audit(self, match: MatchId) -> MatchReport:
        """The verdict on a record, by what the log has of it and nothing else."""
        self._refuse_unknown(match)
        return audit_record(match, self.log.read(match))

    def retract(
        self, match: MatchId, expected: int, request: str, actor: Actor, retraction: Retraction
    ) -> Appended:
        """Go back to how the match stood after an entry, by a further entry; nothing is lost.

        Raises NotAllowed where the header does not let the actor do so, and NothingToRetract.
        """
        _refuse_bad_request(request)
        back_to = retraction.to_sequence
        if not 0 <= back_to < expected:
            raise NothingToRetract(f"from entry {expected} nothing goes back to entry {back_to}")
        number, move = actor_number(actor), encode_retraction(retraction)
        current = self._cached(match)
        if current.sequence != expected:
            repeat = self._repeated(match, request, [(EntryKind.RETRACT, number, move)])
            if repeat:
                return repeat[0]
            current = self._expected(match, expected, current)
        violation = may_not_retract(current.header, actor)
        if violation is not None:
            raise NotAllowed(violation)
        if expected >= MOST_ENTRIES:
            raise RecordFull(match, MOST_ENTRIES)
        standing = self.standing_at(match, back_to)
        entry = chained(
            Entry(
                match,
                expected + 1,
                EntryKind.RETRACT.value,
                number,
                move,
                b"",
                standing.digest(),
                request,
                self._clock(),
                current.hash,
            )
        )
        return self._store(_Ready(current.header, Append(match, expected, (entry,)), [standing]))[0]

    def _judge(self, match: MatchId, expected: int, request: str, moves: Sequence[Asked]) -> _Ready | Many:
        _refuse_bad_request(request)
        if not moves:
            raise ValueError("an append has at least one move")
        current = self._cached(match)
        if current.sequence != expected:
            repeat = self._repeated(match, request, _asked(moves))
            if repeat:
                return repeat
            current = self._expected(match, expected, current)
        if expected + len(moves) > MOST_ENTRIES:
            raise RecordFull(match, MOST_ENTRIES)
        now, standing, previous = self._clock(), current.standing, current.hash
        entries: list[Entry] = []
        standings: list[Standing] = []
        for number, (actor, move) in enumerate(moves, start=1):
            verdict = standing.judge(actor, move)
            if isinstance(verdict, Illegal):
                # It may have been legal when it was asked for the first time.
                return self._repeated(match, request, _asked(moves)) or IllegalAmong(number - 1, verdict)
            standing = verdict.after
            entry = chained(
                Entry(
                    match,
                    expected + number,
                    _MOVE,
                    actor_number(actor),
                    move,
                    verdict.events,
                    standing.digest(),
                    request if number == 1 else f"{request}/{number}",
                    now,
                    previous,
                )
            )
            previous = entry.hash
            entries.append(entry)
            standings.append(standing)
        return _Ready(current.header, Append(match, expected, tuple(entries)), standings)

    def _store(self, ready: _Ready) -> tuple[Appended, ...]:
        if self._writer is not None:
            return self._settle(ready, self._writer.submit(ready.append).result())
        return self._settle(ready, self.log.write([ready.append])[0])

    def _settle(self, ready: _Ready, answer: Answer) -> tuple[Appended, ...]:
        """What the log's answer means to whoever asked."""
        if isinstance(answer, Refusal):
            raise answer
        asked, last = ready.append.entries, answer[-1]
        if last.hash != asked[-1].hash:
            told = [(entry.kind, entry.actor, entry.move) for entry in asked]
            return self._repeated(last.match, asked[0].request, told)
        self._cache.put(last.match, Current(ready.header, last.sequence, last.hash, ready.standings[-1]))
        return tuple(map(Appended, answer, ready.standings))

    def _pass_on(self, ready: _Ready, answered: Stored, to: "Future[Many]") -> None:
        try:
            to.set_result(self._settle(ready, answered.result()))
        except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to whoever waits
            to.set_exception(fault)

    def _repeated(
        self, match: MatchId, request: str, asked: Sequence[tuple[int, int, bytes]]
    ) -> tuple[Appended, ...]:
        """What the request was answered the first time; nothing if it is new."""
        first = self.log.requested(match, request)
        if first is None:
            return ()
        entries = self._read(match, first.sequence, len(asked))
        known = [(entry.kind, entry.actor, entry.move) for entry in entries]
        if known != list(asked) or self.log.requested(match, f"{request}/{len(asked) + 1}") is not None:
            raise RequestReused(first)
        return tuple(Appended(entry, self.standing_at(match, entry.sequence)) for entry in entries)

    def _expected(self, match: MatchId, expected: int, known: Current) -> Current:
        """How the match stands, if the caller knows its last entry."""
        current = self._catch_up(match, known) if expected > known.sequence else known
        if current.sequence != expected:
            raise SequenceTaken(match, current.sequence)
        return current

    def _cached(self, match: MatchId) -> Current:
        """How the match stood when this ledger last looked; if somebody has gone on since, the log tells."""
        return self._cache.get(match) or self._load(match)

    def _catch_up(self, match: MatchId, known: Current) -> Current:
        current = advance(known, self._read(match, known.sequence + 1))
        if current is None:
            return self._load(match)
        self._cache.put(match, current)
        return current

    def _load(self, match: MatchId) -> Current:
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


def started(header: MatchHeader, start: Standing, match: MatchId, request: str, recorded: int) -> Entry:
    """The first entry of a record."""
    return chained(
        Entry(
            match,
            0,
            EntryKind.HEADER.value,
            actor_number(ARBITER),
            encode_header(header),
            b"",
            start.digest(),
            request,
            recorded,
            GENESIS,
        )
    )


def _asked(moves: Sequence[Asked]) -> list[tuple[int, int, bytes]]:
    return [(EntryKind.MOVE, actor_number(actor), move) for actor, move in moves]


def _refuse_bad_request(request: str) -> None:
    if not 0 < len(request) <= LONGEST_REQUEST:
        raise BadRequestId(f"a request id has 1 to {LONGEST_REQUEST} characters, not {len(request)}")


def _refuse_bad_tags(header: MatchHeader) -> None:
    """Whatever a match is called, its record must be one that can be written as a transcript."""
    try:
        further = [Tag(name, value) for name, value in header.tags]
        read_header(Transcript(write_header(find_arbiter(header.game), header.setup, (), further)))
    except (Unwritable, UnreadableTranscript) as fault:
        raise BadSetup("tags", str(fault)) from fault
