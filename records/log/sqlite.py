"""A log in one SQLite file, durable before it answers."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

from msgspec import structs

from records.entry import Entry, MatchId
from records.log import schema
from records.log import sqlite_rows as sql
from records.log.contract import (
    NEW,
    Append,
    AppendResult,
    BadAppend,
    Head,
    Log,
    LogBusy,
    LogUnavailable,
    LogUnreadable,
    MatchListing,
    RequestReused,
    SequenceTaken,
    UnreadableEntry,
    closed,
    repeated,
)
from records.log.listing import listed
from records.log.sqlite_file import ReaderPool, identity, open_writable, require_own_file, translated
from records.schema_check import PEOPLE, SCHEMA, SchemaRow, person_flaw, schema_flaws

PATIENCE: Final = 5.0
"""So many seconds a write waits for another program that writes."""

_POLL: Final = 0.1
"""How often somebody who waits looks for what other programs have written, in seconds."""

_CHUNK: Final = 1000
"""So many rows are read at a time: no reader holds a snapshot for long, or much memory."""

_REMEMBERED: Final = 50_000
"""So many matches are remembered by their last entry."""

_Value = TypeVar("_Value")


class _LastEntry(NamedTuple):
    """The last entry of a match, as the writer remembers it."""

    number: int
    """The number of the match; 0 where there is none."""
    sequence: int
    hash: bytes

    def leads_to(self, append: Append) -> bool:
        """Whether the append begins just behind it, and is chained to it."""
        expected = append.expected
        return self.sequence == expected and (expected == NEW or self.hash == append.entries[0].previous)


_NOWHERE: Final = _LastEntry(0, NEW, b"")


class SqliteLog(Log):
    """Made by open(). One connection writes, others read; other programs may read and write beside it."""

    def __init__(
        self, path: Path, writer: sqlite3.Connection | None, readers: ReaderPool, patience: float
    ) -> None:
        self._path: Final = path
        self._patience: Final = patience
        self._waits = True
        self._writer: Final = writer
        self._readers: Final = readers
        self._file: Final = identity(path)
        self._writing: Final = threading.Lock()
        self._news: Final = threading.Condition()
        self._newest = 0
        self._tips: Final[dict[MatchId, _LastEntry]] = {}
        self._last = self._version = -1
        """The last position, and SQLite's number of what others have written, for which the tips hold; -1 for
        not known."""
        self._closed = False

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, read_only: bool = False, patience: float = PATIENCE
    ) -> Self:
        """The log in this file, made if there is none; an older one is copied and brought up to date.

        Where it is opened for reading only, nothing of that is done.
        """
        file = Path(path).absolute()
        something = require_own_file(file)
        if not read_only:
            return cls(file, open_writable(file, patience), ReaderPool(file, patience), patience)
        if not something:
            raise LogUnavailable(f"{file}: there is no archive to read")
        readers = ReaderPool(file, patience)
        try:
            with readers.one() as connection:
                views = schema.views_of_today(schema.missing_steps(connection, file), file)
        except BaseException:
            readers.close()
            raise
        if views:
            readers.close()
            readers = ReaderPool(file, patience, views)
        return cls(file, None, readers, patience)

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends in one transaction, with one wait for the disk."""
        with self._alone(wait=wait), translated(self._path):
            connection = self._writable()
            try:
                self._be_patient(connection, wait=wait)
                connection.execute("BEGIN IMMEDIATE")
                self._catch_up(connection)
                answers = self._store_all(connection, appends)
                connection.execute("COMMIT")
            except BaseException:
                self._forget()
                with suppress(sqlite3.Error):
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                raise
            newest = self._last
        with self._news:
            self._newest = max(self._newest, newest)
            self._news.notify_all()
        return answers

    @contextmanager
    def _alone(self, *, wait: bool) -> Iterator[None]:
        """No other thread of this program writes."""
        if not self._writing.acquire(blocking=wait):
            raise LogBusy(f"{self._path} is being written to")
        try:
            yield
        finally:
            self._writing.release()

    def _be_patient(self, connection: sqlite3.Connection, *, wait: bool) -> None:
        """Wait for other programs, or not."""
        if wait != self._waits:
            connection.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000) if wait else 0}")
            self._waits = wait

    def _writable(self) -> sqlite3.Connection:
        if self._closed:
            raise closed()
        if self._writer is None:
            raise LogUnavailable(f"{self._path} was opened for reading only")
        if identity(self._path) != self._file:
            raise LogUnavailable(
                f"{self._path} was moved or replaced while it was open: put it back, or start again"
            )
        return self._writer

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Forget what is remembered if somebody else has written since."""
        version = sql.number_of(connection.execute(sql.VERSION).fetchone())
        if version != self._version or self._last < 0 or len(self._tips) > _REMEMBERED:
            self._forget()
            self._last = sql.number_of(connection.execute(sql.LAST_POSITION).fetchone())
            self._version = version

    def _forget(self) -> None:
        self._tips.clear()
        self._last = self._version = -1

    def _remembered(self, match: MatchId) -> _LastEntry | None:
        """The last entry of a match as this log knows it, unless somebody else may have written since."""
        if match not in self._tips or self._writer is None or not self._writing.acquire(blocking=False):
            return None
        try:
            if sql.number_of(self._writer.execute(sql.VERSION).fetchone()) != self._version:
                return None
            return self._tips.get(match)
        except sqlite3.Error:
            return None  # whoever reads hears of it
        finally:
            self._writing.release()

    def _store_all(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> list[AppendResult]:
        """The answers, in order. Appends that follow on what is remembered are inserted in one go."""
        answers: list[AppendResult] = []
        joint: list[Append] = []
        for append in appends:
            tip = self._tips.get(append.match)
            if tip is not None and tip.number and tip.leads_to(append):
                joint.append(append)
                last = append.entries[-1]
                self._tips[append.match] = _LastEntry(tip.number, last.sequence, last.hash)
            else:
                if joint:
                    answers += self._insert_jointly(connection, joint)
                    joint = []
                answers.append(self._store(connection, append))
        return answers + self._insert_jointly(connection, joint) if joint else answers

    def _insert_jointly(
        self, connection: sqlite3.Connection, appends: Sequence[Append]
    ) -> list[AppendResult]:
        """The answers to appends that are remembered already as if they were stored."""
        entries = [entry for append in appends for entry in append.entries]
        rows = [
            sql.row_of(entry, place, self._tips[entry.match].number)
            for place, entry in enumerate(entries, start=self._last + 1)
        ]
        connection.execute("SAVEPOINT joint")
        try:
            sql.insert_all(connection, rows)
        except sqlite3.IntegrityError:  # a request id was used before: one by one it shows whose it was
            connection.execute("ROLLBACK TO joint")
            connection.execute("RELEASE joint")
            for append in appends:
                self._tips.pop(append.match, None)
            return [self._store(connection, append) for append in appends]
        connection.execute("RELEASE joint")
        answers: list[AppendResult] = []
        for append in appends:
            answers.append(_placed(append.entries, self._last + 1))
            self._last += len(append.entries)
        return answers

    def _store(self, connection: sqlite3.Connection, append: Append) -> AppendResult:
        tip = self._tips.get(append.match) or self._look_up(connection, append.match)
        refused: sqlite3.IntegrityError | None = None
        if tip.leads_to(append):
            try:
                return self._insert(connection, tip.number, append)
            except sqlite3.IntegrityError as fault:
                refused = fault
                tip = self._look_up(connection, append.match)
        known = self._first_use(connection, append)
        if known is not None:
            last = known.sequence + len(append.entries) - 1
            rows = connection.execute(sql.READ, (known.match, known.sequence, last)).fetchall()
            return repeated(append, list(sql.entries_of_match(known.match, rows)))
        if tip.sequence != append.expected:
            return SequenceTaken(append.match, tip.sequence)
        if not tip.leads_to(append):
            return BadAppend(f"{append.match} has another entry {append.expected} than the append follows")
        for entry in append.entries[1:]:
            used = connection.execute(sql.REQUESTED, (append.match, entry.request)).fetchone()
            if used is not None:
                return RequestReused(sql.entry_of(used))
        raise LogUnreadable(f"{self._path} refuses what it should take ({refused}): audit it")

    def _look_up(self, connection: sqlite3.Connection, match: MatchId) -> _LastEntry:
        number: tuple[int] | None = connection.execute(sql.MATCH_NUMBER, (match,)).fetchone()
        if number is None:
            return _NOWHERE
        head: tuple[int, bytes] | None = connection.execute(sql.HEAD, (match,)).fetchone()
        tip = self._tips[match] = _LastEntry(number[0], *(head or (NEW, b"")))
        return tip

    def _insert(self, connection: sqlite3.Connection, number: int, append: Append) -> AppendResult:
        """The entries as stored; nothing of them is, where IntegrityError is raised."""
        entries, position = append.entries, self._last + 1
        if number and len(entries) == 1:
            connection.execute(sql.INSERT_ENTRY, sql.row_of(entries[0], position, number))
        else:
            connection.execute("SAVEPOINT append")
            try:
                number = number or self._insert_match(connection, append)
                sql.insert_all(
                    connection,
                    [sql.row_of(entry, place, number) for place, entry in enumerate(entries, start=position)],
                )
            except sqlite3.IntegrityError:
                connection.execute("ROLLBACK TO append")
                connection.execute("RELEASE append")
                raise
            connection.execute("RELEASE append")
        self._last += len(entries)
        self._tips[append.match] = _LastEntry(number, entries[-1].sequence, entries[-1].hash)
        return _placed(entries, position)

    @staticmethod
    def _insert_match(connection: sqlite3.Connection, append: Append) -> int:
        number = sql.number_of(connection.execute(sql.NEXT_NUMBER).fetchone())
        row = sql.listing_row(listed(number, append.entries[0], copy=append.copy))
        connection.execute(sql.INSERT_MATCH, row)
        return number

    @staticmethod
    def _first_use(connection: sqlite3.Connection, append: Append) -> Entry | None:
        request = append.entries[0].request
        if append.expected == NEW:
            row = connection.execute(sql.STARTED, (request,)).fetchone()
        else:
            row = connection.execute(sql.REQUESTED, (append.match, request)).fetchone()
        return sql.entry_of(row) if row else None

    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match."""
        tip = self._remembered(match)
        if tip is not None and tip.sequence != NEW:
            return Head(tip.sequence, tip.hash)
        return next(self._readers.ask(sql.head_of, sql.HEAD, match), None)

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match, read piece by piece up to the one that is the last now."""
        head = self.head(match)
        last = head.sequence if head else NEW
        ask = partial(self._readers.ask_all, partial(sql.entries_of_match, match), sql.READ, match)
        return _numbered(ask, "sequence", max(start, 0), last, limit)

    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Every entry after a position, read piece by piece up to the one that is the last now."""
        ask = partial(self._readers.ask_all, sql.entries_of, sql.ARCHIVE)
        return _numbered(ask, "position", max(after, 0) + 1, self.last_position(), limit)

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hash of every entry after a position, read piece by piece up to the last one now."""
        found = _numbered(
            partial(self._readers.ask, sql.hashed_of, sql.HASHES),
            "position",
            max(after, 0) + 1,
            self.last_position(),
            limit,
        )
        return (each.hash for each in found)

    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that a request id stands for."""
        return next(self._readers.ask(sql.entry_of, sql.REQUESTED, match, request), None)

    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """Every match after a number."""
        return self._readers.ask(sql.listed_of, sql.LISTING, after, -1 if limit is None else limit)

    def last_position(self) -> int:
        """The position of the newest entry."""
        return next(self._readers.ask(sql.number_of, sql.LAST_POSITION))

    def next_position(self, after: int) -> int | None:
        """The position of the first entry after this one, however many are missing."""
        return next(self._readers.ask(sql.number_or_none, sql.NEXT_POSITION, after))

    def wait(self, after: int, timeout: float) -> int:
        """Wait for an entry: one of this log's own is seen at once, one of another program's soon after."""
        deadline = time.monotonic() + timeout
        while True:
            last = self.last_position()
            left = deadline - time.monotonic()
            if last > after or left <= 0:
                return last
            with self._news:
                self._news.wait_for(lambda: self._closed or self._newest > after, min(left, _POLL))

    def flaws(self) -> tuple[str, ...]:
        """What SQLite's own checks find, changes of the schema, and rows about people that no record has."""
        ask = self._readers.ask
        version = next(ask(sql.number_of, "PRAGMA user_version"))
        pages = ask(sql.text_of, "PRAGMA integrity_check")
        strays = ask(sql.text_of, 'SELECT DISTINCT "table" FROM pragma_foreign_key_check')
        cut = self._path.stat().st_size % next(ask(sql.number_of, "PRAGMA page_size"))
        return (
            *(("the file ends within a page: some of it was cut off",) if cut else ()),
            *(text for text in pages if text != "ok"),
            *(f"table {table} refers to rows that are not there" for table in strays),
            *schema_flaws(version, ask(SchemaRow._make, SCHEMA)),
            *filter(None, ask(person_flaw, PEOPLE)),
        )

    def close(self) -> None:
        """Close every connection; the last one to leave the file clears away what lies beside it."""
        with self._writing:
            self._closed = True
            self._readers.close()
            if self._writer is not None:
                self._writer.close()
        with self._news:
            self._news.notify_all()


def _placed(entries: Sequence[Entry], position: int) -> tuple[Entry, ...]:
    """The entries as they are stored, from a position on."""
    return tuple(
        [structs.replace(entry, position=place) for place, entry in enumerate(entries, start=position)]
    )


def _numbered(
    ask: Callable[[int, int], Iterable[_Value]], name: str, first: int, last: int, limit: int | None
) -> Iterator[_Value]:
    """Whatever has a number, the field of this name, from first to last; a missing one is a fault."""
    number = attrgetter(name)
    last = last if limit is None else min(last, first + limit - 1)
    for start in range(first, last + 1, _CHUNK):
        due = start
        end = min(start + _CHUNK - 1, last)
        for found in ask(start, end):
            if number(found) != due:
                break
            yield found
            due += 1
        if due <= end:
            raise UnreadableEntry(f"the entry at {name} {due} is missing", **{name: due})
