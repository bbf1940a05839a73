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

APPLICATION_ID: Final = int.from_bytes(b"Shij")
"""The application id in the header of every archive file: 'Shij' in ASCII."""

_CREATING: Final = threading.Lock()

MIGRATIONS = Migrations("shiji")
"""The migrations, in order. A released migration is never changed."""


_1_TABLES: Final = """
CREATE TABLE match (
    number INTEGER PRIMARY KEY, -- from 1, in the order in which the matches began
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,         -- all from here on is told from entry 0, for listings
    edition TEXT NOT NULL,
    seats TEXT NOT NULL,        -- a JSON array of names, in turn order
    started INTEGER NOT NULL    -- microseconds since 1970, UTC
) STRICT;

CREATE TABLE entry (
    position INTEGER PRIMARY KEY CHECK (position > 0), -- in the archive, from 1, without gaps
    match INTEGER NOT NULL REFERENCES match (number),
    sequence INTEGER NOT NULL CHECK (sequence >= 0),   -- in the match, from 0 (the header), without gaps
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),         -- 0 header, 1 move, 2 retract, …
    actor INTEGER NOT NULL CHECK (actor BETWEEN -32768 AND 32767), -- a seat from 0; -1 chance, -2 the arbiter
    move BLOB NOT NULL,                                -- what was asked: a protobuf message
    events BLOB NOT NULL,                              -- what it caused: a protobuf message
    state BLOB NOT NULL,                               -- the digest of the state after it
    request TEXT NOT NULL,                             -- the caller's id for it
    recorded INTEGER NOT NULL,                         -- microseconds since 1970, UTC
    previous BLOB NOT NULL CHECK (length(previous) = 32), -- the hash of the entry before it in the match
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    signature BLOB NOT NULL DEFAULT (zeroblob(0)),     -- by the actor's key, where the match has one for him
    secret BLOB NOT NULL DEFAULT (zeroblob(0)),        -- what not everybody may see of it
    UNIQUE (match, sequence),
    UNIQUE (match, request),
    CHECK ((kind = 0) = (sequence = 0))                -- the header is entry 0, and no other is
) STRICT;

-- Who people are: the only rows that are ever deleted. Records hold commitments under these keys.
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;

CREATE TABLE personal (
    commitment BLOB PRIMARY KEY CHECK (length(commitment) = 32),
    person TEXT NOT NULL REFERENCES person (id),
    field TEXT NOT NULL,
    value TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX entry_start_request ON entry (request) WHERE sequence = 0;
"""

# The BEFORE INSERT triggers check for everything that INSERT OR REPLACE would replace, because a connection
# of another program without recursive_triggers fires no DELETE trigger for replaced rows.
_1_GUARDS: Final = """
CREATE TRIGGER match_inserted BEFORE INSERT ON match
WHEN NEW.number IS NOT 1 + (SELECT coalesce(max(number), 0) FROM match)
    OR EXISTS (SELECT 1 FROM match WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'matches are numbered without gaps and begin once');
END;

CREATE TRIGGER match_updated BEFORE UPDATE ON match
BEGIN
    SELECT RAISE(ABORT, 'a match is never changed');
END;

CREATE TRIGGER match_deleted BEFORE DELETE ON match
BEGIN
    SELECT RAISE(ABORT, 'a match is never deleted');
END;

CREATE TRIGGER entry_inserted BEFORE INSERT ON entry
WHEN NEW.position IS NOT 1 + (SELECT coalesce(max(position), 0) FROM entry)
    OR EXISTS (SELECT 1 FROM entry WHERE match = NEW.match AND request = NEW.request)
    OR CASE NEW.sequence
        WHEN 0 THEN NEW.previous IS NOT zeroblob(32)
            OR EXISTS (SELECT 1 FROM entry WHERE match = NEW.match)
            OR EXISTS (SELECT 1 FROM entry WHERE sequence = 0 AND request = NEW.request)
        ELSE (NEW.sequence, NEW.previous) IS NOT (
            SELECT sequence + 1, hash FROM entry WHERE match = NEW.match ORDER BY sequence DESC LIMIT 1
        )
    END
BEGIN
    SELECT RAISE(ABORT, 'entries are only appended, chained and without gaps; a request id is used once');
END;

CREATE TRIGGER entry_updated BEFORE UPDATE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never changed');
END;

CREATE TRIGGER entry_deleted BEFORE DELETE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never deleted');
END;
"""

_1_VIEWS: Final = """
CREATE VIEW readable_match AS
SELECT
    match.number,
    match.id AS match,
    game,
    edition,
    seats,
    strftime('%Y-%m-%dT%H:%M:%S', started / 1000000, 'unixepoch')
        || printf('.%06dZ', started % 1000000) AS started,
    (SELECT max(sequence) FROM entry WHERE entry.match = match.number) AS last_sequence
FROM match;

CREATE VIEW readable_entry AS
SELECT
    position,
    match.id AS match,
    sequence,
    CASE kind
        WHEN 0 THEN 'header'
        WHEN 1 THEN 'move'
        WHEN 2 THEN 'retract'
        WHEN 3 THEN 'rotate key'
        WHEN 4 THEN 'seal'
        WHEN 5 THEN 'reveal share'
        WHEN 6 THEN 'unseal'
        WHEN 7 THEN 'open dispute'
        WHEN 8 THEN 'resolve dispute'
        WHEN 9 THEN 'request takeback'
        WHEN 10 THEN 'grant takeback'
        WHEN 11 THEN 'commit share'
        ELSE 'kind ' || kind
    END AS kind,
    CASE actor
        WHEN -1 THEN 'chance'
        WHEN -2 THEN 'arbiter'
        ELSE coalesce(json_extract(seats, '$[' || actor || ']'), 'seat ' || actor)
    END AS actor,
    lower(hex(move)) AS move,
    lower(hex(events)) AS events,
    lower(hex(state)) AS state,
    request,
    strftime('%Y-%m-%dT%H:%M:%S', recorded / 1000000, 'unixepoch')
        || printf('.%06dZ', recorded % 1000000) AS recorded,
    lower(hex(previous)) AS previous,
    lower(hex(hash)) AS hash,
    lower(hex(signature)) AS signature
FROM entry JOIN match ON match.number = entry.match;
"""


@MIGRATIONS(name="1-entries")
def _entries(db: Database) -> None:
    for script in (_1_TABLES, _1_GUARDS, _1_VIEWS):
        db.executescript(script)


# A default of (zeroblob(0)), as other columns have it, is refused by ADD COLUMN: it is no constant. What is
# written here becomes part of the stored text of the tables, so it has no comments.
_2_COLUMNS: Final = """
ALTER TABLE entry ADD COLUMN
concealed BLOB NOT NULL DEFAULT x'' CHECK (length(concealed) = 0 OR length(concealed) % 41 = 1);

ALTER TABLE match ADD COLUMN copy INTEGER NOT NULL DEFAULT 0 CHECK (copy IN (0, 1));
"""

_2_VIEWS: Final = """
DROP VIEW readable_entry;

CREATE VIEW readable_entry AS
SELECT
    position,
    match.id AS match,
    sequence,
    CASE kind
        WHEN 0 THEN 'header'
        WHEN 1 THEN 'move'
        WHEN 2 THEN 'retract'
        WHEN 3 THEN 'rotate key'
        WHEN 4 THEN 'seal'
        WHEN 5 THEN 'reveal share'
        WHEN 6 THEN 'unseal'
        WHEN 7 THEN 'open dispute'
        WHEN 8 THEN 'resolve dispute'
        WHEN 9 THEN 'request takeback'
        WHEN 10 THEN 'grant takeback'
        WHEN 11 THEN 'commit share'
        WHEN 12 THEN 'choose'
        WHEN 13 THEN 'open choice'
        WHEN 14 THEN 'reveal choices'
        WHEN 15 THEN 'answer for'
        WHEN 16 THEN 'close'
        ELSE 'kind ' || kind
    END AS kind,
    CASE actor
        WHEN -1 THEN 'chance'
        WHEN -2 THEN 'arbiter'
        ELSE coalesce(json_extract(seats, '$[' || actor || ']'), 'seat ' || actor)
    END AS actor,
    lower(hex(move)) AS move,
    lower(hex(events)) AS events,
    lower(hex(state)) AS state,
    request,
    strftime('%Y-%m-%dT%H:%M:%S', recorded / 1000000, 'unixepoch')
        || printf('.%06dZ', recorded % 1000000) AS recorded,
    lower(hex(previous)) AS previous,
    lower(hex(hash)) AS hash,
    lower(hex(signature)) AS signature,
    lower(hex(concealed)) AS concealed
FROM entry JOIN match ON match.number = entry.match;
"""


@MIGRATIONS(name="2-concealed")
def _concealed(db: Database) -> None:
    for script in (_2_COLUMNS, _2_VIEWS):
        db.executescript(script)


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


def views_of_today(missing: list[str], path: Path) -> str:
    """What lets a reading connection see a file without these migrations as this build reads it.

    LogUnreadable where only the migrations themselves do that.
    """
    if not missing:
        return ""
    if missing == steps()[1:2]:
        return _READ_AS_2
    raise LogUnreadable(f"{path} is of an older version: open it for writing, and it is renewed")


def missing_steps(connection: sqlite3.Connection, path: Path) -> list[str]:
    """The migrations that are yet to be applied; raises LogUnreadable if this build cannot read the file."""
    require_known_schema(connection, path)
    known = steps()
    if _blank(connection):
        return known
    version = _number(connection, "user_version")
    applied = [step.name for step in MIGRATIONS.applied(_wrapped(connection))]
    if applied != known[: len(applied)]:
        raise _from_the_future(
            path, max(version, len(applied)), *(name for name in applied if name not in known)
        )
    if version != len(applied):
        raise LogUnreadable(
            f"{path} says version {version} of the schema and has seen {len(applied)} migrations"
        )
    return known[len(applied) :]


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
