"""The file of an index: where it is, whether it is one, and dropping it when it is not."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from records.audit.build import build_words
from records.index import schema
from records.log.schema import create_private

BUSY_SECONDS: Final = 5.0
"""How long a write waits for another program that is writing; a write takes milliseconds."""

_CACHE_KIB: Final = 512
"""Pages of the index that are kept in memory, in KiB: the upper levels of its trees."""

_SIDE_FILES: Final = ("", "-wal", "-shm", "-journal")


def index_path(archive: Path) -> Path:
    """The place of the index beside its archive."""
    return archive.with_name(f"{archive.name}-index")


def open_index(archive: Path | str | None) -> tuple[sqlite3.Connection, Path | None]:
    """A connection to the index of an archive, and its path; rebuilt if there is none that can be used.

    The archive is given by its path, or by its address if it is in a database.

    Where no file can be written, and for an archive in memory, it is in memory, and the path is None.
    """
    for path in () if archive is None else _places(archive):
        for _ in range(2):
            connection = None
            try:
                create_private(path)
                connection = _connect(path)
                _prepare(connection)
            except (sqlite3.Error, UnicodeDecodeError):
                if connection is not None:
                    connection.close()
                if not drop_index(path):
                    break
            else:
                return connection, path
    connection = _connect(None)
    _prepare(connection)
    return connection, None


def drop_index(path: Path) -> bool:
    """Delete an index file; returns whether it is gone."""
    with suppress(OSError):
        for suffix in _SIDE_FILES:
            path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
        return not path.exists()
    return False


def _places(archive: Path | str) -> Iterator[Path]:
    """Where the index may be: beside the archive, or in the user's cache folder.

    There if the folder of the archive is read-only, and that of an archive in a database.
    """
    name, place = "archive-index", archive
    if isinstance(archive, Path):
        place = archive.absolute()
        beside = index_path(place)
        name = beside.name
        if os.access(beside.parent, os.W_OK) and (not beside.exists() or os.access(beside, os.W_OK)):
            yield beside
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = (Path(base) if base.startswith("/") else Path.home() / ".cache") / "shiji"
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        where = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
        yield folder / f"{where}-{name}"


def _connect(path: Path | None) -> sqlite3.Connection:
    return sqlite3.connect(
        ":memory:" if path is None else f"{path.as_uri()}?mode=rw",
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=path is not None,
    )


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables, unless the file has those of this build; everything else in it is dropped."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
    # Nothing is lost with the last commits: they are made again from the archive.
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection):
        if not _ours(connection):
            clear_index(connection)


def _ours(connection: sqlite3.Connection) -> bool:
    if (_number(connection, "application_id"), _number(connection, "user_version")) != (
        schema.APPLICATION_ID,
        schema.INDEX_VERSION,
    ):
        return False
    # Another build may fold, judge or word a record differently.
    row: object = connection.execute("SELECT value FROM about WHERE name = 'made by'").fetchone()
    return row == (build_words(),)


def clear_index(connection: sqlite3.Connection) -> None:
    """Make an index empty, within a transaction of the caller."""
    # In place, since another program may have the file open: SQLite does not survive that it is replaced.
    for kind in ("view", "trigger", "index", "table"):
        rows: list[tuple[str]] = connection.execute(
            "SELECT name FROM sqlite_master "
            "WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
            (kind,),
        ).fetchall()
        for (name,) in rows:
            quoted = name.replace('"', '""')
            connection.execute(f'DROP {kind} "{quoted}"')
    for statement in _statements(schema.SCRIPT):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {schema.INDEX_VERSION}")
    connection.execute("INSERT INTO about VALUES ('made by', ?)", (build_words(),))


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: executescript would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    row: tuple[int] = connection.execute(f"PRAGMA {pragma}").fetchone()
    return row[0]
