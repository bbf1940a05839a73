"""Connections to an archive file, and SQLite's errors as faults of the log with advice."""

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from records.log import schema
from records.log.contract import LogBusy, LogFault, LogFull, LogUnavailable, LogUnreadable, closed
from records.log.sqlite_places import PlacedFiles

_Row = TypeVar("_Row")
_Value = TypeVar("_Value")

OLDEST_SQLITE: Final = (3, 37, 0)
"""The oldest supported version: the first with STRICT tables."""

_MIN_FILE_BYTES: Final = 512
"""The smallest size of an SQLite file, in bytes: one page. SQLite takes some smaller files for empty ones."""

WRITER_CACHE_KIB: Final = 2048
READER_CACHE_KIB: Final = 256
"""Pages that a connection keeps in memory, in KiB: for writing more than a group of appends touches, for
reading the upper levels of the indexes. Caches grow to this size with the archive, for hours; the operating
system keeps further pages."""

_MAX_IDLE_CONNECTIONS: Final = 4
"""Unused reading connections that are kept open: opening one takes longer than a short query, and the event
loop, two threads and the metrics may read at the same time."""

_RETRY_SECONDS: Final = 0.02
"""Pause between attempts to switch to WAL, in seconds: short beside the whole busy timeout."""

_ADVICE: Final = {
    sqlite3.SQLITE_BUSY: "another program holds it; close that program, or try again",
    sqlite3.SQLITE_LOCKED: "another program holds it; close that program, or try again",
    sqlite3.SQLITE_FULL: "there is no space left on the disk; free some and try again",
    sqlite3.SQLITE_READONLY: "it cannot be written; check the permissions of the file and of its folder",
    sqlite3.SQLITE_IOERR: "the disk failed or is full; check it and try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the folder exists, and its permissions",
    sqlite3.SQLITE_PERM: "it cannot be opened; see to the rights of the file and of its folder",
    sqlite3.SQLITE_AUTH: "it cannot be opened; see to the rights of the file and of its folder",
    sqlite3.SQLITE_PROTOCOL: "other programs keep opening it; try again",
    sqlite3.SQLITE_INTERRUPT: "the operation was interrupted; try again",
    sqlite3.SQLITE_NOMEM: "there is no memory left; try again",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite file; it was left as it is",
    sqlite3.SQLITE_CORRUPT: "it is damaged; audit what can still be read, or restore a backup copy",
}
SQLITE_FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: an error that quotes damaged text cannot be decoded."""

_NO_SIDE_FILES: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_KIND: Final[dict[int, type[LogFault]]] = {
    sqlite3.SQLITE_NOTADB: LogUnreadable,
    sqlite3.SQLITE_CORRUPT: LogUnreadable,
    sqlite3.SQLITE_FULL: LogFull,
    sqlite3.SQLITE_BUSY: LogBusy,
    sqlite3.SQLITE_LOCKED: LogBusy,
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Translates errors of SQLite into faults of the log."""
    try:
        yield
    except SQLITE_FAULTS as fault:
        raise as_fault(path, fault) from fault


def as_fault(path: Path, fault: sqlite3.Error | UnicodeDecodeError) -> LogFault:
    """The fault of the log that stands for an error of SQLite, with advice."""
    if isinstance(fault, UnicodeDecodeError):
        return LogUnreadable(f"{path}: {_ADVICE[sqlite3.SQLITE_CORRUPT]}")
    if isinstance(fault, sqlite3.ProgrammingError):  # the connection was used after close()
        return closed()
    code: int = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    advice = _ADVICE.get(code)
    if advice is None:
        return LogUnreadable(f"{path} does not respond like an archive ({fault}); audit it")
    kind = _KIND.get(code, LogUnavailable)
    return kind(f"{path}: {advice} ({fault}, {fault.sqlite_errorname})")


def connect(path: Path, query: str, busy_timeout: float) -> sqlite3.Connection:
    """A connection without implicit transactions; bytes that are not UTF-8 are replaced when text is read."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?{query}",
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def require_own_file(path: Path) -> bool:
    """Raises LogUnreadable if the file is not an archive; returns whether it exists and is not empty.

    The file is only ever opened through SQLite: closing a descriptor of our own would drop the locks that
    other connections of this process have on it (a property of POSIX locks).
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise LogUnreadable(f"Shiji needs SQLite 3.37 or newer, but this Python has {sqlite3.sqlite_version}")
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    except OSError as fault:
        raise LogUnavailable(f"{path} cannot be opened: {fault.strerror}") from fault
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise LogUnreadable(f"{path} is {kind}; an archive is one SQLite file")
    if found.st_size == 0:
        beside = path.with_name(f"{path.name}-wal")
        if beside.exists() and beside.stat().st_size:
            raise LogUnreadable(
                f"{path} is empty and {beside.name} is not: something emptied it; restore a backup copy"
            )
        return False
    if found.st_size < _MIN_FILE_BYTES:
        raise LogUnreadable(f"{path}: it is not an SQLite file; it was left as it is")
    if not path.with_name(f"{path.name}-journal").exists():  # with a journal, only SQLite knows the content
        _require_known_schema(path)
    return True


def _require_known_schema(path: Path) -> None:
    with translated(path):
        connection = connect(path, "mode=ro&immutable=1", 0)  # takes no lock and creates no file
        try:
            schema.require_known_schema(connection, path)
        except sqlite3.DatabaseError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:  # missing pages may be in the WAL
                raise
        finally:
            connection.close()


def open_writable(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """The connection that writes; creates or migrates the file if necessary."""
    if path.exists() and not os.access(path, os.W_OK):
        raise LogUnavailable(
            f"{path}: {_ADVICE[sqlite3.SQLITE_READONLY]}"
        )  # SQLite would report it only at the first write
    with translated(path):
        schema.create_private(path)
        connection = connect(path, "mode=rw", busy_timeout)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")  # on macOS, fsync alone does not reach the disk
            schema.migrate(connection, path)
            _use_wal(connection, path, busy_timeout)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA recursive_triggers = ON")
            connection.execute(f"PRAGMA cache_size = {-WRITER_CACHE_KIB}")
            connection.execute("PRAGMA journal_size_limit = 67108864")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # from here on the side files exist
        except BaseException:
            connection.close()
            raise
    return connection


def _use_wal(connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    """Switch the file to write-ahead logging, so that readers and the writer do not wait for each other."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            mode: tuple[str] = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)  # SQLite does not apply its busy timeout here
            continue
        if mode[0] != "wal":
            raise LogUnavailable(
                f"SQLite cannot use a write-ahead log for {path} (a network drive?); move it to a local disk"
            )
        return


def open_readable(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """A read-only connection."""
    with translated(path):
        connection = connect(path, "mode=ro", busy_timeout)
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as fault:
            connection.close()
            unused = not path.with_name(f"{path.name}-wal").exists()
            if not unused or fault.sqlite_errorcode & 0xFF not in _NO_SIDE_FILES:
                raise
            # SQLite needs no side files if it cannot create them here and no program is writing.
            connection = connect(path, "mode=ro&immutable=1", busy_timeout)
        except BaseException:
            connection.close()
            raise
        connection.execute(f"PRAGMA cache_size = {-READER_CACHE_KIB}")
    return connection


class ReaderPool:
    """Read-only connections, each used by one thread for one query at a time."""

    def __init__(
        self, path: Path, busy_timeout: float, views: str = "", places: PlacedFiles | None = None
    ) -> None:
        self._path: Final = path
        self._patience: Final = busy_timeout
        self._views: Final = views
        """What each connection needs to see an older file as one of today."""
        self._places: Final = places
        """The files of the archive, if this program writes it: a connection opened to others reads others."""
        self._lock: Final = threading.Lock()
        self._idle: Final[list[sqlite3.Connection]] = []
        self._max_idle = _MAX_IDLE_CONNECTIONS
        """The maximum number of idle connections; 0 once the pool is closed."""

    @classmethod
    def of_any_schema(cls, path: Path, busy_timeout: float) -> Self:
        """A pool that sees an older file as one of today."""
        readers = cls(path, busy_timeout)
        try:
            with readers.one() as connection:
                views = schema.views_of_today(schema.missing_steps(connection, path), path)
        except BaseException:
            readers.close()
            raise
        if not views:
            return readers
        readers.close()
        return cls(path, busy_timeout, views)

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for the duration of a with block."""
        connection = self._take()
        try:
            with translated(self._path):
                yield connection
        finally:
            self._return(connection)

    def ask(self, make: Callable[[_Row], _Value], query: str, *parameters: str | int) -> Iterator[_Value]:
        """Run a query and convert each row."""
        rows: list[_Row] = self.ask_all(list, query, *parameters)
        return map(make, rows)

    def ask_all(self, make: Callable[[list[_Row]], _Value], query: str, *parameters: str | int) -> _Value:
        """Run a query and convert the list of its rows."""
        connection = self._take()
        try:
            rows: list[_Row] = connection.execute(query, parameters).fetchall()
        except UnicodeEncodeError:  # a parameter that cannot be stored matches nothing
            rows = []
        except SQLITE_FAULTS as fault:
            raise as_fault(self._path, fault) from fault
        finally:
            self._return(connection)
        return make(rows)

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if not self._max_idle:
                raise closed()
            if self._idle:
                return self._idle.pop()
        if self._places is not None:
            self._places.require()
        connection = open_readable(self._path, self._patience)
        if self._views:
            with translated(self._path):
                connection.executescript(self._views)
        return connection

    def _return(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if len(self._idle) < self._max_idle:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close all idle connections; the others are closed when they are returned."""
        with self._lock:
            self._max_idle = 0
            for connection in self._idle:
                connection.close()
            self._idle.clear()
