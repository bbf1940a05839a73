"""The schema of an archive file: its migrations, and checks of its version."""

import os
import sqlite3
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from records.log.contract import LogUnreadable
from records.log.schema_sql import (
    APPLICATION_ID,
    CHECKPOINTS_4,
    COLUMNS_2,
    GUARDS_1,
    TABLES_1,
    TILES_3,
    VIEWS_1,
    VIEWS_2,
)

_CREATING: Final = threading.Lock()

MIGRATIONS = Migrations("shiji")
"""The migrations, in order. A released migration is never changed."""


@MIGRATIONS(name="1-entries")
def _entries(db: Database) -> None:
    for script in (TABLES_1, GUARDS_1, VIEWS_1):
        db.executescript(script)


@MIGRATIONS(name="2-concealed")
def _concealed(db: Database) -> None:
    for script in (COLUMNS_2, VIEWS_2):
        db.executescript(script)


@MIGRATIONS(name="3-tiles")
def _tiles(db: Database) -> None:
    db.executescript(TILES_3)


@MIGRATIONS(name="4-checkpoints")
def _checkpoints(db: Database) -> None:
    db.executescript(CHECKPOINTS_4)


def steps() -> list[str]:
    """The names of all migrations of this build, in order; their number is the version of the schema."""
    with Database(memory=True, execute_plugins=False) as empty:
        return [step.name for step in MIGRATIONS.pending(empty)]


def require_known_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raises LogUnreadable if the header says that the file belongs to another program or a later version."""
    if _number(connection, "application_id") != APPLICATION_ID and not _blank(connection):
        raise LogUnreadable(f"{path} is an SQLite file of another program; it was left as it is")
    version = _number(connection, "user_version")
    if version > len(steps()):
        raise _from_the_future(path, version)


_READ_AS_2: Final = """
CREATE TEMP VIEW entry AS SELECT *, x'' AS concealed FROM main.entry;
CREATE TEMP VIEW match AS SELECT *, 0 AS copy FROM main.match;
"""
"""Shows a file of version 1 to a connection that only reads as if it were of version 2. Where another program
brings the file up to date meanwhile, `*` has the new columns, which come first and so are taken."""

_READ_AS_3: Final = """
CREATE TEMP VIEW tile AS SELECT 0 AS level, 0 AS number, x'' AS root, x'' AS hashes WHERE false;
"""
"""Shows a file of version 2 as one of version 3 in which no tile is stored yet."""

_READ_AS_4: Final = """
CREATE TEMP VIEW checkpoint AS SELECT 0 AS size, '' AS note WHERE false;
"""
"""Shows a file of version 3 as one of version 4 without checkpoints."""

_VIEWS: Final = (_READ_AS_2, _READ_AS_3, _READ_AS_4)
"""What stands for each migration but the first, to a reader."""


def views_of_today(missing: list[str], path: Path) -> str:
    """What lets a reading connection see a file without these migrations as this build reads it.

    LogUnreadable where only the migrations themselves do that.
    """
    known = 1 + len(_VIEWS)
    for version in range(known, 0, -1):
        if missing == steps()[version:known]:
            return "".join(_VIEWS[version - 1 :])
    raise LogUnreadable(f"{path} is of an older version: open it for writing, and it is renewed")


def missing_steps(connection: sqlite3.Connection, path: Path) -> list[str]:
    """The migrations that are yet to be applied; raises LogUnreadable if this build cannot read the file."""
    require_known_schema(connection, path)
    known = steps()
    if _blank(connection):
        return known
    version = _number(connection, "user_version")
    applied = _applied(connection, path)
    if applied != known[: len(applied)]:
        raise _from_the_future(
            path, max(version, len(applied)), *(name for name in applied if name not in known)
        )
    if version != len(applied):
        raise LogUnreadable(
            f"{path} says version {version} of the schema and has seen {len(applied)} migrations"
        )
    return known[len(applied) :]


def _applied(connection: sqlite3.Connection, path: Path) -> list[str]:
    """The migrations that the file has seen; raises LogUnreadable where their table is damaged."""
    try:
        return [step.name for step in MIGRATIONS.applied(_wrapped(connection))]
    except KeyError as missing:
        raise LogUnreadable(
            f"{path} is damaged: its list of migrations has no column {missing}; restore a backup copy"
        ) from missing


def _blank(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to the file."""
    return not _number(connection, "application_id") and not _number(connection, "schema_version")


def _from_the_future(path: Path, needed: int, *unknown: str) -> LogUnreadable:
    names = f" ({', '.join(unknown)})" if unknown else ""
    return LogUnreadable(
        f"{path} has version {needed} of the schema{names}, this build reads up to {len(steps())}: "
        f"use a Shiji that knows version {needed}; the file was left as it is"
    )


def migrate(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Apply missing migrations in one transaction; returns the path of the backup copy, if one was made.

    If two programs migrate at the same time, the second waits for the first and has nothing left to do.
    """
    if not missing_steps(connection, path):
        return None
    connection.execute("BEGIN IMMEDIATE")
    try:
        copy = None
        if missing_steps(connection, path):
            version = _number(connection, "user_version")
            copy = _back_up(path, version) if version else None
            MIGRATIONS.apply(_wrapped(connection))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(steps())}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return copy


def _back_up(path: Path, version: int) -> Path:
    """Copy the file beside itself, under a name with its version and the time."""
    now = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    copy = path.with_name(f"{path.name}.v{version}-{now}.backup")
    copy_committed(path, copy)
    return copy


def copy_committed(path: Path, copy: Path) -> None:
    """Copy the last committed state of the file; the copy gets its name only when it is complete."""
    unfinished = copy.with_name(f"{copy.name}.part")
    try:
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            create_private(unfinished)
            target = sqlite3.connect(unfinished)
            try:
                source.backup(target)
            finally:
                target.close()
        finally:
            source.close()
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    unfinished.replace(copy)


def create_private(path: Path) -> None:
    """Make an empty file that only its owner reads, unless there is a file: an archive has hands in clear.

    SQLite gives the files that it puts beside it the same rights. If it cannot be made, SQLite says why.
    """
    # Closing a file drops the locks that other connections of this process have on it: nobody has any yet.
    with _CREATING, suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _wrapped(connection: sqlite3.Connection) -> Database:
    return Database(connection, execute_plugins=False)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    row: tuple[int] = connection.execute(f"PRAGMA {pragma}").fetchone()
    return row[0]
