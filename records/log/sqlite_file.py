"""Connections to an archive file, and what its errors mean to whoever reads them."""

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from records.log import schema
from records.log.contract import LogBusy, LogFault, LogFull, LogUnavailable, LogUnreadable, closed

_Row = TypeVar("_Row")
_Value = TypeVar("_Value")

OLDEST_SQLITE: Final = (3, 37, 0)
"""The first with STRICT tables."""

_SMALLEST: Final = 512
"""No SQLite file is smaller, and SQLite takes some that are for empty ones."""

_IDLE: Final = 8
"""So many reading connections are kept while nobody needs them."""

_RETRY: Final = 0.02

_ADVICE: Final = {
    sqlite3.SQLITE_BUSY: "another program holds it; close that program, or try again",
    sqlite3.SQLITE_LOCKED: "another program holds it; close that program, or try again",
    sqlite3.SQLITE_FULL: "there is no room left on the disk; make room and try again",
    sqlite3.SQLITE_READONLY: "it cannot be written; see to the rights of the file and of its folder",
    sqlite3.SQLITE_IOERR: "the disk does not do its work, or is full; see to it and try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see whether the folder is there and to its rights",
    sqlite3.SQLITE_PERM: "it cannot be opened; see to the rights of the file and of its folder",
    sqlite3.SQLITE_AUTH: "it cannot be opened; see to the rights of the file and of its folder",
    sqlite3.SQLITE_PROTOCOL: "other programs open it over and over; try again",
    sqlite3.SQLITE_INTERRUPT: "the work was interrupted; try again",
    sqlite3.SQLITE_NOMEM: "there is no memory left; try again",
    sqlite3.SQLITE_NOTADB: "it is no SQLite file; it was left as it is",
    sqlite3.SQLITE_CORRUPT: "it is damaged; audit what can still be read, or go back to a backup copy",
}
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
    """Whatever SQLite complains of, as a fault of the log with what to do next."""
    try:
        yield
    except sqlite3.Error as fault:
        raise as_fault(path, fault) from fault


def as_fault(path: Path, fault: sqlite3.Error) -> LogFault:
    """What an error of SQLite means."""
    if isinstance(fault, sqlite3.ProgrammingError):  # the connection was used after close()
        return closed()
    code: int = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    advice = _ADVICE.get(code)
    if advice is None:
        return LogUnreadable(f"{path} does not answer as an archive does ({fault}); audit it")
    kind = _KIND.get(code, LogUnavailable)
    return kind(f"{path}: {advice} ({fault}, {fault.sqlite_errorname})")


def connect(path: Path, query: str, patience: float) -> sqlite3.Connection:
    """A connection that begins no transaction by itself; text that is no UTF-8 reads as other text."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?{query}",
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def require_own_file(path: Path) -> bool:
    """LogUnreadable if the file is none of ours; answers whether there is anything in it.

    The file is only ever opened through SQLite: closing it ourselves would drop the locks that another
    connection of this process has on it.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise LogUnreadable(f"Shiji needs SQLite 3.37 or newer, and this Python has {sqlite3.sqlite_version}")
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    except OSError as fault:
        raise LogUnavailable(f"{path} cannot be opened: {fault.strerror}") from fault
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no ordinary file"
        raise LogUnreadable(f"{path} is {kind}; an archive is one SQLite file")
    if found.st_size == 0:
        beside = path.with_name(f"{path.name}-wal")
        if beside.exists() and beside.stat().st_size:
            raise LogUnreadable(
                f"{path} is empty and {beside.name} is not: something emptied it; restore a backup copy"
            )
        return False
    if found.st_size < _SMALLEST:
        raise LogUnreadable(f"{path}: it is no SQLite file; it was left as it is")
    if not path.with_name(f"{path.name}-journal").exists():  # where there is one, only SQLite can tell
        _refuse_other_programs(path)
    return True


def _refuse_other_programs(path: Path) -> None:
    with translated(path):
        connection = connect(path, "mode=ro&immutable=1", 0)  # takes no lock and makes no file
        try:
            schema.require_known_schema(connection, path)
        except sqlite3.DatabaseError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:  # what is missing may be in the -wal
                raise
        finally:
            connection.close()


def open_writable(path: Path, patience: float) -> sqlite3.Connection:
    """The one connection that writes, over tables that are up to date; makes the file where there is none."""
    if path.exists() and not os.access(path, os.W_OK):
        raise LogUnavailable(f"{path}: {_ADVICE[sqlite3.SQLITE_READONLY]}")  # SQLite would say so too late
    with translated(path):
        schema.create_private(path)
        connection = connect(path, "mode=rw", patience)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")  # on macOS, fsync alone does not reach the disk
            schema.migrate(connection, path)
            _keep_a_wal(connection, path, patience)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA recursive_triggers = ON")
            connection.execute("PRAGMA cache_size = -16000")
            connection.execute("PRAGMA journal_size_limit = 67108864")
        except BaseException:
            connection.close()
            raise
    return connection


def _keep_a_wal(connection: sqlite3.Connection, path: Path, patience: float) -> None:
    """Write ahead, so that readers and the writer do not wait for each other; the file remembers it."""
    deadline = time.monotonic() + patience
    while True:
        try:
            mode: tuple[str] = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY)  # SQLite itself does not wait here
            continue
        if mode[0] != "wal":
            raise LogUnavailable(
                f"{path} lies where SQLite cannot write ahead (a network drive?); keep it on a disk"
            )
        return


def open_readable(path: Path, patience: float) -> sqlite3.Connection:
    """A connection that can only read."""
    with translated(path):
        connection = connect(path, "mode=ro", patience)
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as fault:
            connection.close()
            lonely = not path.with_name(f"{path.name}-wal").exists()
            if not lonely or fault.sqlite_errorcode & 0xFF not in _NO_SIDE_FILES:
                raise
            # In a folder where SQLite cannot make its side files, and while nobody writes, it can do without.
            connection = connect(path, "mode=ro&immutable=1", patience)
        except BaseException:
            connection.close()
            raise
    return connection


class ReaderPool:
    """Connections for reading, each used by one thread at a time and for one query at a time."""

    def __init__(self, path: Path, patience: float, views: str = "") -> None:
        self._path: Final = path
        self._patience: Final = patience
        self._views: Final = views
        """What each connection needs to see an older file as one of today."""
        self._lock: Final = threading.Lock()
        self._idle: Final[list[sqlite3.Connection]] = []
        self._room = _IDLE
        """How many may be idle; none once all is closed."""

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        """A connection for as long as the block lasts."""
        connection = self._take()
        try:
            with translated(self._path):
                yield connection
        finally:
            self._give_back(connection)

    def ask(self, make: Callable[[_Row], _Value], query: str, *parameters: str | int) -> Iterator[_Value]:
        """What is made of each row that a query finds."""
        rows: list[_Row] = self.ask_all(list, query, *parameters)
        return map(make, rows)

    def ask_all(self, make: Callable[[list[_Row]], _Value], query: str, *parameters: str | int) -> _Value:
        """What is made of all rows that a query finds."""
        connection = self._take()
        try:
            rows: list[_Row] = connection.execute(query, parameters).fetchall()
        except UnicodeEncodeError:  # text that cannot be stored never was
            rows = []
        except sqlite3.Error as fault:
            raise as_fault(self._path, fault) from fault
        finally:
            self._give_back(connection)
        return make(rows)

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if not self._room:
                raise closed()
            if self._idle:
                return self._idle.pop()
        connection = open_readable(self._path, self._patience)
        if self._views:
            with translated(self._path):
                connection.executescript(self._views)
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if len(self._idle) < self._room:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close all that nobody is using; the others are closed when they come back."""
        with self._lock:
            self._room = 0
            for connection in self._idle:
                connection.close()
            self._idle.clear()


def identity(path: Path) -> tuple[int, int] | None:
    """Which file it is, whatever its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
