"""A log in PostgreSQL; a write returns once its entries are durable there and on the synchronous standby."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import groupby
from typing import Final, Self

from psycopg import Error, errors

from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.log.contract import (
    NEW,
    Append,
    AppendRejected,
    AppendResult,
    BadAppend,
    BadCopy,
    Head,
    Log,
    LogBusy,
    LogFault,
    LogUnavailable,
    RequestReused,
    SequenceTaken,
    closed,
    repeated,
)
from records.log.listing import MatchListing, listed
from records.log.numbering import Hashed, numbered
from records.log.postgres import rows as sql
from records.log.postgres.amcheck import why_indexes_are_unchecked
from records.log.postgres.checks import storage_flaws
from records.log.postgres.connection import (
    BARRIER,
    Held,
    OutcomeUnknown,
    Session,
    SessionPool,
    Target,
    as_fault,
    closing_on_fault,
    commit,
    connect_to_write,
    never_held,
    number,
    require_not_held,
    rolled_back,
    translated,
)
from records.log.postgres.listener import Listener
from records.log.postgres.migrations import require_known_schema
from records.log.postgres.sequencer import Sequencer, give_positions, locked
from records.log.stored_notes import note_row, stored_note

_WRITE_ATTEMPTS: Final = 5
"""How often a write is tried that PostgreSQL rolled back because of another one; the first repeat succeeds
unless many writers collide again."""

_ROWS_PER_READ: Final = 1000
"""Rows read per query, so that a reader uses little memory."""


class OneIsLocked(LogFault):
    """Nothing of several appends was stored, because another transaction holds what one of them needs.

    The others can be stored one by one.
    """


class PostgresLog(Log):
    """A log in a database that other servers read and write at the same time.

    Entries get their positions from the sequencer, which may be part of another server: write() returns them
    with position 0, and reads show a position as soon as it is known.
    """

    local = False

    def __init__(self, target: Target, *, read_only: bool) -> None:
        self._target: Final = target
        self._read_only: Final = read_only
        self.sequencer: Sequencer | None = None
        """The sequencer of this process, if it may number entries."""
        self._reconnected: list[Callable[[], None]] = []
        self._readers: Final = SessionPool(target, read_only=read_only)
        self._listener: Final = Listener(target, read_only=read_only)
        self._writing: Final = threading.Lock()
        self._writer: Session | None = None
        self._closed = False
        self.hold: Held = never_held
        """Returns why nothing is to be written now, or None."""
        self.conflicts = 0
        """Writes of which something was known or did not fit."""
        self.unknown_outcomes = 0
        """Writes of which it is not known whether they were stored."""

    @classmethod
    def open(cls, target: Target, *, read_only: bool = False, sequence: bool = True) -> Self:
        """The log at this address, which `shiji migrate` has prepared; raises LogFault.

        Entries are numbered by this process, too, unless it only reads or `sequence` is false.
        """
        with closing(SessionPool(target, read_only=read_only)) as readers, readers.one() as connection:
            require_known_schema(target, connection)
        log = cls(target, read_only=read_only)
        if sequence and not read_only:
            log.begin_numbering()
        return log

    def begin_numbering(self) -> None:
        """Number entries in this process, too, whenever no other does; not while writes are held."""
        self.sequencer = Sequencer(self._target, self._held, self._forget_what_was_seen)

    def _held(self) -> str | None:
        return self.hold()

    # Writing.

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends in one transaction; their positions are 0 until they are numbered."""
        if not self._writing.acquire(blocking=wait):
            raise LogBusy(f"{self._target} is being written to")
        try:
            results = self._retried(appends)
        finally:
            self._writing.release()
        if self.sequencer is not None:
            self.sequencer.wake()
        return results

    def copy_in(self, entries: Sequence[Entry], copies: Collection[MatchId]) -> None:
        """Store entries of another archive and number them at once, in one transaction."""
        with self._transaction() as session:
            self._copy(session, entries, copies)

    def _copy(self, session: Session, entries: Sequence[Entry], copies: Collection[MatchId]) -> None:
        last = locked(session)
        session.execute("LOCK TABLE shiji.pending IN EXCLUSIVE MODE")
        if number(session.execute("SELECT count(*) FROM shiji.pending")):
            raise BadCopy(f"{self._target} is being written to by a server: stop it first")
        if entries and entries[0].position != last.position + 1:
            raise BadCopy(f"the archive ends at position {last.position}")
        appends = [
            Append(entry.match, NEW, (entry,), copy=entry.match in copies)
            for entry in entries
            if entry.sequence == 0
        ]
        session.execute(sql.INSERT_MATCHES, sql.matches_of(appends))
        inserted = session.execute(sql.INSERT_ENTRIES, sql.entries_of(entries)).rowcount
        if inserted != len(entries):
            raise BadCopy(f"{self._target} has some of the entries already, at other positions")
        session.execute("DELETE FROM shiji.pending")
        names = sorted({entry.match.encode() for entry in entries})
        keys = dict(map(sql.key_of, sql.rows_of(session, sql.KEYS, (names,))))
        give_positions(session, last, [(keys[entry.match], entry.sequence) for entry in entries])

    def confirm(self) -> None:
        """Wait until everything that is visible now is on the synchronous standby, too."""
        with self._transaction() as session:
            session.execute(BARRIER)

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        """A transaction of the writer, committed at the end of the block; raises LogFault."""
        with self._writing:
            session = self._session()
            try:
                with translated(self._target), rolled_back(session):
                    session.execute("BEGIN")
                    yield session
                commit(session, self._target)
            except BaseException:
                self._discard_writer()
                raise

    def _retried(self, appends: Sequence[Append]) -> list[AppendResult]:
        for _ in range(_WRITE_ATTEMPTS):
            session = self._session()
            try:
                return self._stored(session, appends)
            except (errors.DeadlockDetected, errors.SerializationFailure):
                continue
            except errors.LockNotAvailable as fault:
                if len(appends) > 1:
                    raise OneIsLocked(f"{self._target}: one of {len(appends)} writes must wait") from fault
                raise as_fault(self._target, fault) from fault
            except Error as fault:
                self._discard_writer()
                raise as_fault(self._target, fault) from fault
            except BaseException as fault:
                self.unknown_outcomes += isinstance(fault, OutcomeUnknown)
                self._discard_writer()
                raise
        raise LogBusy(f"{self._target}: other writers were first {_WRITE_ATTEMPTS} times; try again")

    def _session(self) -> Session:
        """The writer's connection. On a new one, what a former server may have left behind is confirmed."""
        if self._closed:
            raise closed()
        if self._read_only:
            raise LogUnavailable(f"{self._target} was opened for reading only")
        require_not_held(self.hold)
        if self._writer is None or self._writer.closed:
            with translated(self._target):
                session = connect_to_write(self._target, purpose="write")
            with closing_on_fault(session):
                with translated(self._target):
                    session.execute("BEGIN")
                    session.execute(BARRIER)
                commit(session, self._target)
                self._forget_what_was_seen()
                require_not_held(self.hold)  # it may be another archive than before
            self._writer = session
        return self._writer

    def _forget_what_was_seen(self) -> None:
        self._readers.drop_idle()
        for forget in self._reconnected:
            forget()

    def when_reconnected(self, forget: Callable[[], None]) -> None:
        """Call this on every new connection: entries that were seen may have gone with the old primary."""
        self._reconnected.append(forget)

    def _discard_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _stored(self, session: Session, appends: Sequence[Append]) -> list[AppendResult]:
        if not appends:
            return []
        with rolled_back(session):
            results: list[AppendResult] = [append.entries for append in appends]
            if not self._inserted(session, appends, begin=True):
                # Something of it is known or does not fit: find out what, one by one.
                self.conflicts += 1
                session.execute("ROLLBACK")
                session.execute("BEGIN")
                results = self._one_by_one(session, appends)
        commit(session, self._target)
        return results

    @staticmethod
    def _inserted(session: Session, appends: Sequence[Append], *, begin: bool = False) -> bool:
        """Whether all of the appends could be inserted together, in a transaction that begins if asked to.

        All statements are sent at once: each answer that is waited for costs half a millisecond.
        """
        headers = sql.matches_of(appends)
        entries = [entry for append in appends for entry in append.entries]
        expected = len(headers[0]) + len(entries)
        try:
            with session.pipeline():
                if begin:
                    session.execute("BEGIN")
                inserted = [session.execute(sql.INSERT_MATCHES, headers)] if headers[0] else []
                inserted.append(session.execute(sql.INSERT_ENTRIES, sql.entries_of(entries)))
            return sum(each.rowcount for each in inserted) == expected
        except errors.IntegrityConstraintViolation:
            return False

    def _one_by_one(self, session: Session, appends: Sequence[Append]) -> list[AppendResult]:
        results: dict[int, AppendResult] = {}
        for place, append in _in_order_of_locks(appends):
            result = self._known(session, append)
            if result is None:
                session.execute("SAVEPOINT one")
                if self._inserted(session, [append]):
                    result = append.entries
                else:
                    session.execute("ROLLBACK TO one")
                    result = self._known(session, append) or self._reused(session, append)
                session.execute("RELEASE one")
            if result is not append.entries and not isinstance(result, AppendRejected):
                session.execute(BARRIER)  # to answer a repeat is to acknowledge it
            results[place] = result
        return [results[place] for place in range(len(appends))]

    @staticmethod
    def _known(session: Session, append: Append) -> AppendResult | None:
        """The result of an append that is a repeat or does not follow the last entry; None for others."""
        first = append.entries[0]
        match, request = append.match.encode(), first.request.encode()
        rows = (
            sql.rows_of(session, sql.STARTED, (request,))
            if append.expected == NEW
            else sql.rows_of(session, sql.REQUESTED, (match, request))
        )
        if rows:
            known = sql.entry_of(rows[0])
            last = known.sequence + len(append.entries) - 1
            stored = sql.rows_of(session, sql.READ, (known.match.encode(), known.sequence, last))
            return repeated(append, [sql.entry_of(row) for row in stored])
        heads = dict(map(sql.head_of, sql.rows_of(session, sql.HEADS, ([match],))))
        head = heads.get(append.match)
        if (NEW if head is None else head.sequence) != append.expected:
            return SequenceTaken(append.match, NEW if head is None else head.sequence)
        if head is not None and head.hash != first.previous:
            return BadAppend(f"{append.match} has another entry {append.expected} than the append follows")
        return None

    @staticmethod
    def _reused(session: Session, append: Append) -> AppendResult:
        """The refusal of an append that could not be inserted: one of its later request ids is known."""
        for entry in append.entries[1:]:
            used = sql.rows_of(session, sql.REQUESTED, (append.match.encode(), entry.request.encode()))
            if used:
                return RequestReused(sql.entry_of(used[0]))
        raise errors.SerializationFailure("another writer was first")

    # Reading.

    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match."""
        return self.heads([match]).get(match)

    def heads(self, matches: Sequence[MatchId]) -> Mapping[MatchId, Head]:
        """The last entries of those of the matches that exist, in one query."""
        known = [name for match in matches if (name := sql.encoded(match)) is not None]
        return dict(map(sql.head_of, self.ask(sql.HEADS, known)))

    def is_copy(self, match: MatchId) -> bool:
        """Whether a match was stored as a copy."""
        name = sql.encoded(match)
        return name is not None and self.ask(sql.IS_COPY, name) == [(True,)]

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match up to the present last one, read in pieces."""
        head, name = self.head(match), sql.encoded(match)
        last = head.sequence if head else NEW
        ask = partial(self._entries, sql.READ, name)
        return numbered(ask, "sequence", max(start, 0), last, limit, _ROWS_PER_READ)

    def read_many(self, starts: Mapping[MatchId, int]) -> Mapping[MatchId, Sequence[Entry]]:
        """The entries of several matches, each from a sequence on, in one query."""
        known = {name: start for match, start in starts.items() if (name := sql.encoded(match)) is not None}
        entries = self._entries(sql.READ_MANY, list(known), list(known.values()))
        found = {match: list(group) for match, group in groupby(entries, key=lambda entry: entry.match)}
        return {match: found.get(match, []) for match in starts}

    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that was stored for a request id."""
        name, asked = sql.encoded(match), sql.encoded(request)
        if name is None or asked is None:
            return None
        return next(iter(self._entries(sql.REQUESTED, name, asked)), None)

    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """All numbered entries after a position up to the present last one, read in pieces."""
        ask = partial(self._entries, sql.ARCHIVE)
        return numbered(ask, "position", max(after, 0) + 1, self.last_position(), limit, _ROWS_PER_READ)

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hashes of all numbered entries after a position, read in pieces."""

        def ask(start: int, end: int) -> list[Hashed]:
            return [sql.hashed_of(row) for row in self.ask(sql.HASHES, start, end)]

        found = numbered(ask, "position", max(after, 0) + 1, self.last_position(), limit, _ROWS_PER_READ)
        return (each.hash for each in found)

    def touched(self, after: int, until: int) -> Iterator[MatchListing]:
        """Every match with numbered entries between two positions."""
        return map(_listed, self.ask(sql.TOUCHED, after, until))

    def named(self, prefix: str, limit: int) -> Iterator[MatchListing]:
        """The matches whose id begins so."""
        wanted = sql.encoded(prefix)
        return iter(()) if wanted is None else map(_listed, self.ask(sql.NAMED, wanted, limit))

    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """Every match after a number, as soon as the sequencer has numbered it; read in pieces."""
        left = limit
        while left is None or left > 0:
            page = _ROWS_PER_READ if left is None else min(left, _ROWS_PER_READ)
            rows = self.ask(sql.LISTING, after, page)
            for row in rows:
                yield _listed(row)
            if len(rows) < page:
                return
            after = _listed(rows[-1]).number
            left = None if left is None else left - page

    def last_position(self) -> int:
        """The position of the last entry that has one."""
        return sql.only_number(self.ask(sql.LAST_POSITION))

    def next_position(self, after: int) -> int | None:
        """The next position that has an entry, even after a gap."""
        ((found,),) = self.ask(sql.NEXT_POSITION, after)
        return found if isinstance(found, int) else None

    def wait(self, after: int, timeout: float) -> int:
        """Wait for an entry that is numbered higher, of whichever server."""
        return self._listener.wait(after, timeout)

    def tile(self, level: int, index: int) -> bytes | None:
        """The hashes of a full tile of the Merkle tree; None if it is not full."""
        rows = self.ask(sql.TILE, level, index)
        return bytes(found) if rows and isinstance(found := rows[0][0], bytes) else None

    def tile_roots(self, level: int, first: int, last: int) -> list[bytes]:
        """The roots of full tiles of a level, from one index to another."""
        return [bytes(root) for (root,) in self.ask(sql.ROOTS, level, first, last) if isinstance(root, bytes)]

    def checkpoints(self) -> Iterator[Note]:
        """The stored checkpoints, read in pieces."""
        after = -1
        while rows := self.ask(sql.CHECKPOINTS, after, _ROWS_PER_READ):
            yield from (stored_note(str(text)) for _, text in rows)
            after = sql.only_number([rows[-1][:1]])

    def keep_checkpoints(self, notes: Sequence[Note]) -> None:
        """Store checkpoints in one transaction, which waits for the standby."""
        with self._transaction() as session:
            for note in notes:
                session.execute(sql.PUBLISH, note_row(note))
            session.execute(BARRIER)

    def flaws(self) -> tuple[str, ...]:
        """Damaged indexes, a changed schema, entries that nobody will number, changed rows about people."""
        with self._readers.one() as session:
            return tuple(storage_flaws(session))

    def unchecked(self) -> tuple[str, ...]:
        """That indexes are not checked, unless they are."""
        with self._readers.one() as session:
            why = why_indexes_are_unchecked(session)
        return () if why is None else (f"indexes, because {why}",)

    def close(self) -> None:
        """Number what this process has written if nobody else does, and close all connections."""
        if self.sequencer is not None:
            self.sequencer.close()
        self._listener.close()
        self._readers.close()
        with self._writing:
            self._closed = True
            self._discard_writer()

    def ask(self, query: str, *parameters: object) -> list[tuple[object, ...]]:
        """The rows that a query about the archive returns; raises LogFault."""
        return sql.ask(self._readers, query, parameters)

    def _entries(self, query: str, *parameters: object) -> list[Entry]:
        return [sql.entry_of(row) for row in self.ask(query, *parameters)]


def _in_order_of_locks(appends: Sequence[Append]) -> list[tuple[int, Append]]:
    """With their places, by match, so that two writers lock them in the same order.

    As they came within a match, and among those with one request: the first of these starts the match.
    """
    first: dict[str, MatchId] = {}
    for append in appends:
        if append.expected == NEW:
            first.setdefault(append.entries[0].request, append.match)

    def match(numbered: tuple[int, Append]) -> MatchId:
        append = numbered[1]
        return first[append.entries[0].request] if append.expected == NEW else append.match

    return sorted(enumerate(appends), key=match)


def _listed(row: tuple[object, ...]) -> MatchListing:
    place, copy, *header = row
    if not isinstance(place, int):
        raise TypeError(f"a listing has a number, not {place}")
    return listed(place, sql.entry_of(tuple(header)), copy=bool(copy))
