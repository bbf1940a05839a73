"""The file itself refuses changes, from any program and in any way."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.log.sqlite import SqliteLog
from tests.records.log.making import RecordWriter, whole

H = "zeroblob(32)"
TEXT = "'text'"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two matches of three entries: positions 1 to 6, matches 1 and 2, the requests m/0 to n/2."""
    path = tmp_path_factory.mktemp("made") / "archive.db"
    with SqliteLog.open(path) as log:
        for name in ("m", "n"):
            RecordWriter(name).write(log, 3)
    return path.read_bytes()


@pytest.fixture
def archive(path: Path, made: bytes) -> Path:
    path.write_bytes(made)
    return path


@pytest.fixture
def stranger(archive: Path) -> Iterator[sqlite3.Connection]:
    """A plain connection with SQLite's own settings: no foreign keys, no recursive triggers."""
    connection = sqlite3.connect(archive, isolation_level=None)
    yield connection
    connection.close()


def values(  # noqa: PLR0913 - a row has many columns
    position: str, match: int, sequence: int, request: str, *, kind: int | None = None, move: str = "x''"
) -> str:
    kind = min(sequence, 1) if kind is None else kind
    before = f"(SELECT hash FROM entry WHERE match = {match} AND sequence = {sequence - 1})"  # noqa: S608 - a test's own
    content = f"{kind}, 0, {move}, x'', x'', '{request}', 0, coalesce({before}, {H}), {H}, x'', x'', x''"
    return f"VALUES ({position}, {match}, {sequence}, {content})"


CHANGES = {
    "change an entry": "UPDATE entry SET move = x'00' WHERE position = 2",
    "change nothing of an entry": "UPDATE entry SET move = move",
    "change an entry, ignoring conflicts": "UPDATE OR IGNORE entry SET actor = 1",
    "change an entry, replacing others": "UPDATE OR REPLACE entry SET sequence = 1 WHERE position = 3",
    "move an entry to another match": "UPDATE entry SET match = 2 WHERE position = 3",
    "delete an entry": "DELETE FROM entry WHERE position = 6",
    "delete all entries": "DELETE FROM entry",
    "change a match": "UPDATE match SET game = 'go'",
    "rename a match": "UPDATE match SET id = 'x' WHERE number = 1",
    "delete a match": "DELETE FROM match WHERE number = 2",
    "replace the last entry": f"INSERT OR REPLACE INTO entry {values('6', 2, 2, 'n/2')}",
    "replace an entry by its position": f"INSERT OR REPLACE INTO entry {values('2', 1, 3, 'new')}",
    "replace an entry by its sequence": f"INSERT OR REPLACE INTO entry {values('7', 1, 2, 'new')}",
    "replace an entry by its request": f"INSERT OR REPLACE INTO entry {values('7', 1, 3, 'm/1')}",
    "replace a header by its request": f"INSERT OR REPLACE INTO entry {values('7', 3, 0, 'm/0')}",
    "replace with REPLACE": f"REPLACE INTO entry {values('6', 2, 2, 'n/2')}",
    "replace a match": "INSERT OR REPLACE INTO match VALUES (2, 'n', 'go', '', '[]', 0, 0)",
    "replace a match by its name": "INSERT OR REPLACE INTO match VALUES (3, 'n', 'go', '', '[]', 0, 0)",
    "insert or update": f"INSERT INTO entry {values('6', 2, 2, 'n/2')} ON CONFLICT DO UPDATE SET actor = 1",
    "insert or ignore": f"INSERT OR IGNORE INTO entry {values('6', 2, 2, 'n/2')}",
    "leave a gap between positions": f"INSERT INTO entry {values('8', 1, 3, 'new')}",
    "leave a gap between sequences": f"INSERT INTO entry {values('7', 1, 4, 'new')}",
    "begin a match in the middle": f"INSERT INTO entry {values('7', 3, 1, 'new')}",
    "begin a match twice": f"INSERT INTO entry {values('7', 1, 0, 'new')}",
    "insert before the beginning": f"INSERT INTO entry {values('-1', 1, 3, 'new')}",
    "insert at no position": f"INSERT INTO entry {values('NULL', 1, 3, 'new')}",
    "use a request twice": f"INSERT INTO entry {values('7', 1, 3, 'm/1')}",
    "leave a gap between matches": "INSERT INTO match VALUES (4, 'x', '', '', '[]', 0, 0)",
    "insert a short hash": f"INSERT INTO entry {values('7', 1, 3, 'new')}".replace(
        f", {H}, x''", ", x'00', x''"
    ),
    "break the chain": f"INSERT INTO entry {values('7', 1, 3, 'new')}".replace(
        "sequence = 2", "sequence = 1"
    ),
    "begin a match with something before it": "INSERT INTO entry VALUES"
    " (7, 3, 0, 0, 0, x'', x'', x'', 'new', 0, randomblob(32), zeroblob(32), x'', x'', x'')",
    "insert half a concealed part": f"INSERT INTO entry {values('7', 1, 3, 'new')}".replace(
        "x'', x'')", "x'', x'0201')"
    ),
    "insert half a copy": "INSERT INTO match VALUES (3, 'x', '', '', '[]', 0, 2)",
    "insert text for bytes": f"INSERT INTO entry {values('7', 1, 3, 'new', move=TEXT)}",
    "insert a second header": f"INSERT INTO entry {values('7', 1, 3, 'new', kind=0)}",
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_foreign_connection_cannot(what: str, stranger: sqlite3.Connection, archive: Path) -> None:
    before = (
        stranger.execute("SELECT * FROM entry").fetchall(),
        stranger.execute("SELECT * FROM match").fetchall(),
    )

    with pytest.raises(sqlite3.IntegrityError):
        stranger.execute(CHANGES[what])

    assert stranger.execute("SELECT * FROM entry").fetchall() == before[0]
    assert stranger.execute("SELECT * FROM match").fetchall() == before[1]
    with SqliteLog.open(archive, read_only=True) as log:
        assert len(whole(log)) == 2


def test_the_settings_of_a_stranger_are_not_ours(stranger: sqlite3.Connection) -> None:
    assert stranger.execute("PRAGMA recursive_triggers").fetchone() == (0,)
    assert stranger.execute("PRAGMA foreign_keys").fetchone() == (0,)


def test_the_writing_connection_is_set_for_durability(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        connection = log._writable()  # noqa: SLF001 - its settings show nowhere else
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "recursive_triggers", "foreign_keys", "busy_timeout")
        }

    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "recursive_triggers": 1,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


def test_a_stranger_who_appends_by_the_rules_does_no_harm(
    stranger: sqlite3.Connection, archive: Path
) -> None:
    stranger.execute(f"INSERT INTO entry {values('7', 1, 3, 'by hand')}")

    with SqliteLog.open(archive) as log:
        writer = RecordWriter("o")
        assert writer.write(log)[0].position == 8


def test_finding_the_end_takes_no_scan(stranger: sqlite3.Connection) -> None:
    for query in (
        "SELECT coalesce(max(position), 0) FROM entry",
        "SELECT sequence + 1, hash FROM entry WHERE match = 1 ORDER BY sequence DESC LIMIT 1",
        "SELECT coalesce(max(number), 0) FROM match",
    ):
        plan = stranger.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()

        assert [row[3].split()[0] for row in plan] == ["SEARCH"], query
