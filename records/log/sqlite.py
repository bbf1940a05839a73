"""A log in one SQLite file; a write returns once its entries are durable."""

import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, Self

from msgspec import structs

from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.evidence.tiles import TILE_HASHES
from records.log import sqlite_rows as sql
from records.log.contract import (
    NEW,
    Append,
    AppendResult,
    BadAppend,
    Head,
    LogBusy,
    LogUnavailable,
    LogUnreadable,
    SequenceTaken,
    closed,
)
from records.log.listing import listed
from records.log.sqlite_file import (
    SQLITE_FAULTS,
    ReaderPool,
    as_fault,
    open_writable,
    require_own_file,
    translated,
)
from records.log.sqlite_places import PlacedFiles
from records.log.sqlite_reader import SqliteReader
from records.log.sqlite_repeats import first_result, reused_later_id
from records.log.sqlite_tiles import TILE_FAULTS, fill_up, filled_blocks, store_tiles
from records.log.stored_notes import note_row

BUSY_TIMEOUT_SECONDS: Final = 5.0
"""How long a write waits for another program that is writing, in seconds; a write takes milliseconds."""

_POLL_SECONDS: Final = 0.1
"""How often wait() looks for entries of other programs, in seconds: soon enough for people, cheap enough."""

_MAX_REMEMBERED_MATCHES: Final = 4096
"""Matches whose last entry the writer remembers, about 1.5 MB; beyond that, it begins again with none."""

_NOTHING: Final = bytearray()


class _LastEntry(NamedTuple):
    """What the writer remembers of the last entry of a match."""

    number: int
    """The number of the match; 0 if it does not exist."""
    sequence: int
    hash: bytes

    def leads_to(self, append: Append) -> bool:
        """Whether the append begins right after it and is chained to it."""
        expected = append.expected
        return self.sequence == expected and (expected == NEW or self.hash == append.entries[0].previous)


_NOWHERE: Final = _LastEntry(0, NEW, b"")


class SqliteLog(SqliteReader):
    """A log in a file, created by open(). Other programs may read and write the file at the same time."""

    def __init__(
        self,
        path: Path,
        writer: sqlite3.Connection | None,
        readers: ReaderPool,
        busy_timeout: float,
        places: PlacedFiles | None = None,
    ) -> None:
        super().__init__(path, readers)
        self._busy_timeout: Final = busy_timeout
        self._waits = True
        self._writer: Final = writer
        self._places: Final = places
        self._writing: Final = threading.Lock()
        self._news: Final = threading.Condition()
        self._newest = 0
        self._last_of: Final[dict[MatchId, _LastEntry]] = {}
        self._last = self._version = -1
        """The last position and SQLite's data version at which `_last_of` is valid; -1 if not known."""
        self._blocks = 0
        """How many tiles of the lowest level are stored; valid as `_last_of` is."""
        self._stores_tiles = True
        self._closed = False

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        busy_timeout: float = BUSY_TIMEOUT_SECONDS,
    ) -> Self:
        """The log in this file, made if there is none; an older one is copied and brought up to date.

        Where it is opened for reading only, nothing of that is done.
        """
        file = Path(path).absolute()
        something = require_own_file(file)
        if not read_only:
            writer, places = open_writable(file, busy_timeout), PlacedFiles(file)
            with translated(file):
                fill_up(writer)
            return cls(file, writer, ReaderPool(file, busy_timeout, places=places), busy_timeout, places)
        if not something:
            raise LogUnavailable(f"{file}: there is no archive to read")
        return cls(file, None, ReaderPool.of_any_schema(file, busy_timeout), busy_timeout)

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends in one transaction, with one fsync."""
        if not self._writing.acquire(blocking=wait):
            raise LogBusy(f"{self._path} is being written to")
        try:
            answers = self._transaction(self._writable(), appends, wait=wait)
            self._require_in_place()  # else they may be in a file without a name
            newest = self._last
        except SQLITE_FAULTS as fault:
            raise as_fault(self._path, fault) from fault
        finally:
            self._writing.release()
        with self._news:
            self._newest = max(self._newest, newest)
            self._news.notify_all()
        return answers

    def keep_checkpoints(self, notes: Sequence[Note]) -> None:
        """Store checkpoints in one transaction."""
        with self._writing, translated(self._path):
            connection = self._writable()
            self._set_busy_timeout(connection, wait=True)
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(sql.KEEP_CHECKPOINT, map(note_row, notes))

    def _transaction(
        self, connection: sqlite3.Connection, appends: Sequence[Append], *, wait: bool
    ) -> list[AppendResult]:
        try:
            self._set_busy_timeout(connection, wait=wait)
            connection.execute("BEGIN IMMEDIATE")
            self._catch_up(connection)
            answers = self._store_all(connection, appends)
            if self._stores_tiles and self._last // TILE_HASHES > self._blocks:
                self._store_tiles(connection)
            connection.execute("COMMIT")
        except BaseException:
            self._forget()
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        return answers

    def _set_busy_timeout(self, connection: sqlite3.Connection, *, wait: bool) -> None:
        """Set whether SQLite waits for other programs."""
        if wait != self._waits:
            connection.execute(f"PRAGMA busy_timeout = {round(self._busy_timeout * 1000) if wait else 0}")
            self._waits = wait

    def _writable(self) -> sqlite3.Connection:
        if self._closed:
            raise closed()
        if self._writer is None:
            raise LogUnavailable(f"{self._path} was opened for reading only")
        self._require_in_place()
        return self._writer

    def require_in_place(self) -> None:
        """Raises FilesMisplaced while the files of the archive are not at their paths; never waits."""
        if not self._writing.acquire(blocking=False):
            return  # a write is under way, and looks itself
        try:
            if not self._closed:
                self._require_in_place()
        finally:
            self._writing.release()

    def _require_in_place(self) -> None:
        if self._places is not None and self._writer is not None and not _in_place(self._places.files):
            self._places.require_or_rescue(self._writer)

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Discard what is remembered if another connection has written since."""
        version = _number(connection, sql.VERSION)
        if version != self._version or self._last < 0 or len(self._last_of) > _MAX_REMEMBERED_MATCHES:
            self._forget()
            self._last = _number(connection, sql.LAST_POSITION)
            self._blocks = filled_blocks(connection)
            self._version = version

    def _store_tiles(self, connection: sqlite3.Connection) -> None:
        """Store the tiles that are full now. Damaged entries and tiles stop no append: audits report them."""
        connection.execute("SAVEPOINT tiles")
        try:
            store_tiles(connection, self._blocks, self._last)
            self._blocks = self._last // TILE_HASHES
        except TILE_FAULTS:
            connection.execute("ROLLBACK TO tiles")
            self._stores_tiles = False
        connection.execute("RELEASE tiles")

    def _forget(self) -> None:
        self._last_of.clear()
        self._last = self._version = -1

    def _remembered(self, match: MatchId) -> _LastEntry | None:
        """The remembered last entry of a match, unless another connection may have written since."""
        if match not in self._last_of or self._writer is None or not self._writing.acquire(blocking=False):
            return None
        try:
            if _number(self._writer, sql.VERSION) != self._version:
                return None
            return self._last_of.get(match)
        except sqlite3.Error:
            return None  # the query that follows reports it
        finally:
            self._writing.release()

    def _store_all(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> list[AppendResult]:
        """The results, in order. Consecutive appends that match what is remembered are inserted together."""
        answers: list[AppendResult] = []
        joint: list[Append] = []
        for append in appends:
            known = self._last_of.get(append.match)
            if known is not None and known.number and known.leads_to(append):
                joint.append(append)
                last = append.entries[-1]
                self._last_of[append.match] = _LastEntry(known.number, last.sequence, last.hash)
            else:
                if joint:
                    answers += self._insert_jointly(connection, joint)
                    joint = []
                answers.append(self._store(connection, append))
        return answers + self._insert_jointly(connection, joint) if joint else answers

    def _insert_jointly(
        self, connection: sqlite3.Connection, appends: Sequence[Append]
    ) -> list[AppendResult]:
        """Insert appends whose last entries are already remembered; returns their results."""
        entries = [entry for append in appends for entry in append.entries]
        rows = [
            row_of(entry, place, self._last_of[entry.match].number)
            for place, entry in enumerate(entries, start=self._last + 1)
        ]
        connection.execute("SAVEPOINT joint")
        try:
            insert_all(connection, rows)
        except sqlite3.IntegrityError:  # a request id was used before: find out whose, one by one
            connection.execute("ROLLBACK TO joint")
            connection.execute("RELEASE joint")
            for append in appends:
                self._last_of.pop(append.match, None)
            return [self._store(connection, append) for append in appends]
        connection.execute("RELEASE joint")
        answers: list[AppendResult] = []
        for append in appends:
            answers.append(_placed(append.entries, self._last + 1))
            self._last += len(append.entries)
        return answers

    def _store(self, connection: sqlite3.Connection, append: Append) -> AppendResult:
        last = self._last_of.get(append.match) or self._look_up(connection, append.match)
        refused: sqlite3.IntegrityError | None = None
        if last.leads_to(append):
            try:
                return self._insert(connection, last.number, append)
            except sqlite3.IntegrityError as fault:
                refused = fault
                last = self._look_up(connection, append.match)
        known = first_result(connection, append)
        if known is not None:
            return known
        if last.sequence != append.expected:
            return SequenceTaken(append.match, last.sequence)
        if not last.leads_to(append):
            return BadAppend(f"{append.match} has another entry {append.expected} than the append follows")
        reused = reused_later_id(connection, append)
        if reused is not None:
            return reused
        raise LogUnreadable(f"{self._path} rejects a valid append ({refused}): audit it")

    def _look_up(self, connection: sqlite3.Connection, match: MatchId) -> _LastEntry:
        number: tuple[int] | None = connection.execute(sql.MATCH_NUMBER, (match,)).fetchone()
        if number is None:
            return _NOWHERE
        head: tuple[int, bytes] | None = connection.execute(sql.HEAD, (match,)).fetchone()
        last = self._last_of[match] = _LastEntry(number[0], *(head or (NEW, b"")))
        return last

    def _insert(self, connection: sqlite3.Connection, number: int, append: Append) -> AppendResult:
        """Insert the entries of one append, all of them or, raising IntegrityError, none."""
        entries, position = append.entries, self._last + 1
        if number and len(entries) == 1:
            connection.execute(sql.INSERT_ENTRY, row_of(entries[0], position, number))
        else:
            connection.execute("SAVEPOINT append")
            try:
                number = number or self._insert_match(connection, append)
                insert_all(
                    connection,
                    [row_of(entry, place, number) for place, entry in enumerate(entries, start=position)],
                )
            except sqlite3.IntegrityError:
                connection.execute("ROLLBACK TO append")
                connection.execute("RELEASE append")
                raise
            connection.execute("RELEASE append")
        self._last += len(entries)
        self._last_of[append.match] = _LastEntry(number, entries[-1].sequence, entries[-1].hash)
        return _placed(entries, position)

    @staticmethod
    def _insert_match(connection: sqlite3.Connection, append: Append) -> int:
        number = _number(connection, sql.NEXT_NUMBER)
        row = sql.listing_row(listed(number, append.entries[0], copy=append.copy))
        connection.execute(sql.INSERT_MATCH, row)
        return number

    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match."""
        last = self._remembered(match)
        if last is not None and last.sequence != NEW:
            return Head(last.sequence, last.hash)
        return next(self._readers.ask(sql.head_of, sql.HEAD, match), None)

    def wait(self, after: int, timeout: float) -> int:
        """Wait for an entry: one of this log is noticed at once, one of another program within a poll."""
        deadline = time.monotonic() + timeout
        while True:
            last = self.last_position()
            left = deadline - time.monotonic()
            if last > after or left <= 0:
                return last
            with self._news:
                self._news.wait_for(lambda: self._closed or self._newest > after, min(left, _POLL_SECONDS))

    def close(self) -> None:
        """Close all connections; the last program to close the file removes its side files."""
        with self._writing:
            self._closed = True
            self._readers.close()
            if self._writer is not None:
                self._writer.close()
        with self._news:
            self._news.notify_all()


def _in_place(files: Sequence[tuple[str, tuple[int, int] | None]]) -> bool:
    """Whether the files are those at their paths; quick, because every write asks it."""
    try:
        for path, expected in files:
            found = os.stat(path)  # noqa: PTH116 - quicker than Path.stat
            if (found.st_dev, found.st_ino) != expected:
                return False
    except OSError:
        return False
    return True


def _number(connection: sqlite3.Connection, query: str) -> int:
    row: tuple[int] = connection.execute(query).fetchone()
    return row[0]


def _placed(entries: Sequence[Entry], position: int) -> tuple[Entry, ...]:
    """The entries with their positions, from this one on."""
    return tuple(
        [structs.replace(entry, position=place) for place, entry in enumerate(entries, start=position)]
    )


def insert_all(connection: sqlite3.Connection, rows: Sequence[sql.NewRow]) -> None:
    """Insert rows of entries, in order."""
    whole = len(rows) - len(rows) % sql.ROWS_PER_INSERT
    for start in range(0, whole, sql.ROWS_PER_INSERT):
        connection.execute(sql.INSERT_SEVERAL, tuple(chain(*rows[start : start + sql.ROWS_PER_INSERT])))
    connection.executemany(sql.INSERT_ENTRY, rows[whole:])


def row_of(entry: Entry, position: int, number: int) -> sql.NewRow:
    """The row for an entry of the match with this number.

    Blobs are bytearrays because Python's sqlite3 looks for an adapter for bytes, which takes almost half of
    the time of an insert.
    """
    return (
        position,
        number,
        entry.sequence,
        entry.kind,
        entry.actor,
        bytearray(entry.move),
        bytearray(entry.events),
        bytearray(entry.state),
        entry.request,
        entry.recorded,
        bytearray(entry.previous),
        bytearray(entry.hash),
        bytearray(entry.signature) if entry.signature else _NOTHING,
        bytearray(entry.secret) if entry.secret else _NOTHING,
        bytearray(entry.concealed) if entry.concealed else _NOTHING,
    )
