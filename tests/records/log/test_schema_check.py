"""A schema that somebody changed, and rows about people that were altered, are found."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from records.evidence.personal_commitment import Fact
from records.log.people import SqliteRegister
from records.log.sqlite import SqliteLog
from tests.records.log.making import RecordWriter
from tools.dev.golden_db import FOLDER

ANNA = Fact("player-1", "name", "Anna Example")
OTTO = Fact("player-2", "name", "Otto Example")


@pytest.fixture
def archive(path: Path) -> Path:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 3)
    with closing(SqliteRegister(path)) as register:
        register.remember([ANNA, OTTO])
    return path


@contextmanager
def stranger(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of another program, which may write even to the schema itself."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        yield connection


def flaws(path: Path) -> tuple[str, ...]:
    with SqliteLog.open(path, read_only=True) as log:
        return log.flaws()


REPLACED = """
ALTER TABLE person RENAME TO person_kept;
CREATE VIEW person AS SELECT * FROM person_kept;
"""

CHANGES = {
    "a guard is dropped": ("DROP TRIGGER entry_updated", "'entry_updated' is missing from the schema"),
    "a guard of tiles is dropped": ("DROP TRIGGER tile_updated", "'tile_updated' is missing from the schema"),
    "a foreign trigger is added": (
        "CREATE TRIGGER spy AFTER INSERT ON entry BEGIN SELECT 1; END",
        "the schema has 'spy', which Shiji does not make",
    ),
    "a guard is replaced by one that guards nothing": (
        "DROP TRIGGER entry_deleted; CREATE TRIGGER entry_deleted BEFORE DELETE ON entry BEGIN SELECT 1; END",
        "'entry_deleted' is not in the schema as Shiji makes it",
    ),
    "a table is replaced by a view": (REPLACED, "'person' is not in the schema as Shiji makes it"),
    "a view lies": (
        "DROP VIEW readable_match; CREATE VIEW readable_match AS SELECT 1 AS number",
        "'readable_match' is not in the schema as Shiji makes it",
    ),
    "an index is dropped": (
        "DROP INDEX entry_start_request",
        "'entry_start_request' is missing from the schema",
    ),
    "a constraint is edited away": (
        "UPDATE sqlite_master SET sql = replace(sql, 'CHECK (position > 0)', '') WHERE name = 'entry'",
        "'entry' is not in the schema as Shiji makes it",
    ),
    "a bit of a comment is flipped": (
        "UPDATE sqlite_master SET sql = replace(sql, 'the hash of', 'the hasi of') WHERE name = 'entry'",
        "'entry' is not in the schema as Shiji makes it",
    ),
    "the list of migrations gets a trigger": (
        "CREATE TRIGGER spy AFTER INSERT ON _sqlite_migrations BEGIN SELECT 1; END",
        "the schema has 'spy', which Shiji does not make",
    ),
    "a table has a name that a terminal would obey": (
        'CREATE TABLE "\x1b[2J" (x)',
        r"the schema has '\x1b[2J', which Shiji does not make",
    ),
}


def test_an_archive_that_nobody_touched_has_no_flaws(archive: Path) -> None:
    assert flaws(archive) == ()


@pytest.mark.parametrize("golden", sorted(FOLDER.glob("*.db")), ids=lambda path: path.stem)
def test_an_archive_of_any_version_has_the_schema_of_its_version(golden: Path, path: Path) -> None:
    path.write_bytes(golden.read_bytes())
    assert flaws(path) == ()

    SqliteLog.open(path).close()  # which brings it up to date
    assert flaws(path) == ()


@pytest.mark.parametrize("change", CHANGES)
def test_a_schema_that_was_changed_is_reported_with_what_was_changed(archive: Path, change: str) -> None:
    statements, why = CHANGES[change]
    with stranger(archive) as connection:
        connection.executescript(statements)

    assert why in flaws(archive)


def test_statistics_that_somebody_asked_sqlite_for_are_no_flaw(archive: Path) -> None:
    with stranger(archive) as connection:
        connection.execute("ANALYZE")

    assert flaws(archive) == ()


@pytest.mark.parametrize(
    "quoted", [("[", "]"), ("`", "`"), ("", "")], ids=["in brackets", "in backticks", "without quotes"]
)
def test_the_list_of_migrations_may_be_written_in_other_quotes(
    archive: Path, quoted: tuple[str, str]
) -> None:
    with stranger(archive) as connection:
        ((sql,),) = connection.execute("SELECT sql FROM sqlite_master WHERE name = '_sqlite_migrations'")
        opened = sql
        for name in ("_sqlite_migrations", "id", "migration_set", "name", "applied_at"):
            opened = opened.replace(f'"{name}"', f"{quoted[0]}{name}{quoted[1]}")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = '_sqlite_migrations'", (opened,))

    assert opened != sql
    assert flaws(archive) == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            "UPDATE personal SET value = 'Otto Other' WHERE person = 'player-2'",
            "is not what its record commits to",
        ),
        ("UPDATE personal SET field = 'club' WHERE person = 'player-2'", "is not what its record commits to"),
        ("UPDATE person SET key = zeroblob(32) WHERE id = 'player-2'", "is not what its record commits to"),
        ("UPDATE personal SET person = 'player-1'", "is not what its record commits to"),
        (
            "UPDATE personal SET commitment = randomblob(32) WHERE person = 'player-2'",
            "is not what its record",
        ),
        ("DELETE FROM person WHERE id = 'player-2'", "belongs to nobody"),
    ],
)
def test_a_row_about_people_that_was_changed_is_found_and_names_nobody(
    archive: Path, change: str, why: str
) -> None:
    with stranger(archive) as connection:
        connection.execute(change)
    found = flaws(archive)

    assert any(why in flaw for flaw in found)
    assert not any("Otto" in flaw or "Anna" in flaw for flaw in found)


def test_forgetting_somebody_is_no_flaw(archive: Path) -> None:
    with closing(SqliteRegister(archive)) as register:
        assert register.forget("player-2") == 1

    assert flaws(archive) == ()


def test_an_archive_and_all_that_lies_beside_it_are_read_by_their_owner_only(path: Path) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}

    assert modes == {"archive.db": 0o600, "archive.db-wal": 0o600, "archive.db-shm": 0o600}


def test_the_copy_of_an_older_archive_is_read_by_its_owner_only(path: Path) -> None:
    path.write_bytes((FOLDER / "v1.db").read_bytes())
    SqliteLog.open(path).close()
    (copy,) = path.parent.glob("*.backup")

    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
