"""Which files are opened, which are refused, and how older ones are migrated."""

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from records.log import schema
from records.log.contract import LogUnavailable, LogUnreadable
from records.log.sqlite import SqliteLog
from tests.project.places import ROOT
from tests.records.log.making import RecordWriter, whole


def ask(path: Path, question: str) -> object:
    """The result of a query over a connection of another program."""
    connection = sqlite3.connect(path)
    try:
        row: tuple[object, ...] = connection.execute(question).fetchone()
        return row[0]
    finally:
        connection.close()


def change(path: Path, *statements: str) -> None:
    """A change to the file over a connection of another program."""
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def beside(path: Path) -> dict[str, bytes]:
    """Every file of the folder, as it is."""
    return {file.name: file.read_bytes() for file in sorted(path.parent.iterdir())}


def test_a_file_that_is_not_there_is_made(path: Path) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log)

    assert ask(path, "PRAGMA application_id") == int.from_bytes(b"Shij")
    assert ask(path, "PRAGMA user_version") == len(schema.steps())
    assert ask(path, "PRAGMA journal_mode") == "wal"


def test_an_archive_is_one_file_once_it_is_closed(path: Path) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log)
        list(log.archive())

    assert list(beside(path)) == ["archive.db"]


def test_an_archive_keeps_its_entries(path: Path) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 3)
        before = whole(log)

    with SqliteLog.open(path) as log:
        assert whole(log) == before


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "史記.db", "it's.db"])
def test_a_file_may_be_called_anything(tmp_path: Path, name: str) -> None:
    with SqliteLog.open(tmp_path / name) as log:
        RecordWriter("m").write(log)
        assert len(whole(log)) == 1

    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_relative_path_stays_where_it_was_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with SqliteLog.open("archive.db") as log:
        monkeypatch.chdir(tmp_path / "elsewhere")
        RecordWriter("m").write(log)

        assert len(whole(log)) == 1


def test_an_empty_file_becomes_an_archive(path: Path) -> None:
    path.touch()

    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log)


def test_a_file_that_something_has_emptied_is_refused_while_its_log_lies_beside_it(path: Path) -> None:
    path.touch()
    path.with_name("archive.db-wal").write_bytes(b"what was not yet copied")
    before = beside(path)

    with pytest.raises(LogUnreadable, match="something emptied it"):
        SqliteLog.open(path)
    assert beside(path) == before


def foreign(kind: str, path: Path) -> None:
    match kind:
        case "text":
            path.write_text('[Format "shiji/1"]\n' * 50)
        case "bytes":
            path.write_bytes(bytes(range(256)) * 40)
        case "a byte":
            path.write_bytes(b"S")
        case "the beginning of an SQLite file":
            path.write_bytes(b"SQLite format 3\0")
        case "an empty SQLite file":
            change(path, "CREATE TABLE t (x)", "DROP TABLE t")
        case "another program's SQLite file":
            change(path, "CREATE TABLE entry (position INTEGER PRIMARY KEY)", "INSERT INTO entry VALUES (1)")
        case "another program's SQLite file with a WAL":
            connection = sqlite3.connect(path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA application_id = 42")
            connection.close()
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("text", "not an SQLite file"),
        ("bytes", "not an SQLite file"),
        ("a byte", "not an SQLite file"),
        ("the beginning of an SQLite file", "not an SQLite file"),
        ("an empty SQLite file", "another program"),
        ("another program's SQLite file", "another program"),
        ("another program's SQLite file with a WAL", "another program"),
    ],
)
def test_a_wrong_file_is_refused_and_left_as_it_is(
    path: Path, kind: str, why: str, *, read_only: bool
) -> None:
    foreign(kind, path)
    before = beside(path)

    with pytest.raises(LogUnreadable, match=why) as refused:
        SqliteLog.open(path, read_only=read_only)
    assert str(path) in str(refused.value)
    assert "left as it is" in str(refused.value)
    assert beside(path) == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogUnreadable, match="is a folder"):
        SqliteLog.open(tmp_path)


def test_a_device_is_refused() -> None:
    with pytest.raises(LogUnreadable, match="not a regular file"):
        SqliteLog.open("/dev/null")


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable, match="check that the folder exists"):
        SqliteLog.open(tmp_path / "nowhere" / "archive.db")


def test_a_file_in_place_of_a_folder_is_reported(path: Path) -> None:
    path.touch()

    with pytest.raises(LogUnavailable, match="cannot be opened"):
        SqliteLog.open(path / "archive.db")


@pytest.mark.parametrize("empty", [False, True])
def test_reading_only_makes_no_archive(path: Path, *, empty: bool) -> None:
    if empty:
        path.touch()
    before = beside(path)

    with pytest.raises(LogUnavailable, match="no archive to read"):
        SqliteLog.open(path, read_only=True)
    assert beside(path) == before


def test_what_is_opened_for_reading_is_not_written(path: Path) -> None:
    writer = RecordWriter("m")
    with SqliteLog.open(path) as log:
        writer.write(log)
    content = path.read_bytes()

    with SqliteLog.open(path, read_only=True) as log:
        assert len(whole(log)) == 1
        with pytest.raises(LogUnavailable, match="for reading only"):
            log.write([writer.next()])
    assert path.read_bytes() == content


def test_a_second_log_of_the_same_process_does_not_free_the_file_for_others(path: Path) -> None:
    """POSIX locks are gone when any descriptor of the file is closed: opening must not open it by hand."""
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log, 3)
        SqliteLog.open(path, read_only=True).close()
        other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM entry')"
        subprocess.run([sys.executable, "-c", f"{other}; c.close()", path], check=True)

        assert path.with_name("archive.db-wal").exists()  # the other process did not think it was the last
        writer.write(log)
    with SqliteLog.open(path) as log:
        assert [len(record) for record in whole(log).values()] == [4]


def test_a_file_of_a_later_version_is_refused_and_says_which_version_it_needs(path: Path) -> None:
    SqliteLog.open(path).close()
    change(path, "PRAGMA user_version = 7")
    content = path.read_bytes()

    for read_only in (False, True):
        with pytest.raises(LogUnreadable, match="knows version 7"):
            SqliteLog.open(path, read_only=read_only)
    assert path.read_bytes() == content


def test_a_file_that_has_seen_an_unknown_migration_is_refused(path: Path) -> None:
    SqliteLog.open(path).close()
    change(
        path,
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('shiji', '5-later', '')",
    )

    for read_only in (False, True):
        with pytest.raises(LogUnreadable, match=r"\(5-later\).*knows version 5"):
            SqliteLog.open(path, read_only=read_only)


@pytest.mark.parametrize("column", ["name", "applied_at"])
def test_a_file_whose_list_of_migrations_is_damaged_is_refused(path: Path, column: str) -> None:
    SqliteLog.open(path).close()
    change(path, f"ALTER TABLE _sqlite_migrations RENAME COLUMN {column} TO other")

    for read_only in (False, True):
        with pytest.raises(LogUnreadable, match=f"has no column '{column}'"):
            SqliteLog.open(path, read_only=read_only)


def test_a_file_whose_version_does_not_fit_its_migrations_is_refused(path: Path) -> None:
    SqliteLog.open(path).close()
    change(path, "PRAGMA user_version = 0")

    with pytest.raises(LogUnreadable, match="says version 0"):
        SqliteLog.open(path)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Migrations:
    """A build that knows one migration more."""
    known = Migrations("shiji")
    with Database(memory=True) as empty:
        for step in schema.MIGRATIONS.pending(empty):
            known(name=step.name)(step.fn)
    monkeypatch.setattr(schema, "MIGRATIONS", known)
    return known


def old_archive(path: Path) -> bytes:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 3)
    return path.read_bytes()


def test_an_old_file_is_migrated_after_a_copy_is_made(path: Path, later: Migrations) -> None:
    old = old_archive(path)

    @later(name="5-notes")
    def _notes(db: Database) -> None:
        db.execute("CREATE TABLE note (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")

    with SqliteLog.open(path) as log:
        RecordWriter("n").write(log)
        assert len(whole(log)) == 2

    assert ask(path, "PRAGMA user_version") == 5
    assert ask(path, "SELECT count(*) FROM note") == 0
    (copy,) = path.parent.glob("archive.db.v4-*Z.backup")
    assert ask(copy, "PRAGMA user_version") == 4
    assert ask(copy, "SELECT count(*) FROM entry") == 3
    assert len(old) == copy.stat().st_size


def test_a_migrated_file_is_not_copied_again(path: Path, later: Migrations) -> None:
    old_archive(path)
    later(name="5-nothing")(lambda _: None)

    for _ in range(3):
        SqliteLog.open(path).close()

    assert len([*path.parent.glob("*.backup")]) == 1


def test_an_old_file_is_not_migrated_by_a_reader(path: Path, later: Migrations) -> None:
    old = old_archive(path)
    later(name="5-nothing")(lambda _: None)

    with pytest.raises(LogUnreadable, match="older version"):
        SqliteLog.open(path, read_only=True)
    assert path.read_bytes() == old


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, later: Migrations) -> None:
    old_archive(path)

    @later(name="5-first")
    def _first(db: Database) -> None:
        db.execute("CREATE TABLE first (x INTEGER) STRICT")

    @later(name="6-broken")
    def _broken(db: Database) -> None:
        db.execute("CREATE TABLE second (x INTEGER) STRICT")
        db.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(LogUnreadable, match="nowhere"):
        SqliteLog.open(path)

    assert ask(path, "PRAGMA user_version") == 4
    assert ask(path, "SELECT group_concat(name) FROM _sqlite_migrations") == (
        "1-entries,2-concealed,3-tiles,4-checkpoints"
    )
    assert ask(path, "SELECT count(*) FROM sqlite_master WHERE name IN ('first', 'second')") == 0
    assert ask(path, "SELECT count(*) FROM entry") == 3


def test_programs_that_open_a_new_archive_at_once_make_it_once(path: Path) -> None:
    making = (
        "import sys\nfrom tests.records.log.making import RecordWriter\n"
        "from records.log.sqlite import SqliteLog\n"
        "with SqliteLog.open(sys.argv[1]) as log: RecordWriter(sys.argv[2]).write(log, 2)"
    )
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", making, path, f"m{n}"], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        for n in range(4)
    ]
    errors = [program.communicate(timeout=60)[1] for program in programs]

    assert errors == [""] * 4
    with SqliteLog.open(path) as log:
        assert len(whole(log)) == 4


@pytest.mark.parametrize("attempt", range(5))
def test_threads_that_open_a_new_archive_at_once_make_it_once(path: Path, attempt: int) -> None:
    admission = threading.Barrier(8)

    def opened(number: int) -> int:
        admission.wait()
        with SqliteLog.open(path) as log:
            return RecordWriter(f"m{attempt}-{number}").write(log)[0].position

    with ThreadPoolExecutor(8) as pool:
        positions = sorted(pool.map(opened, range(8)))

    assert positions == list(range(1, 9))
    assert ask(path, "SELECT count(*) FROM _sqlite_migrations") == len(schema.steps())


def test_a_file_that_is_moved_away_is_not_written_to_unseen(path: Path) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        path.rename(path.with_name("moved.db"))
        with pytest.raises(LogUnavailable, match="moved or replaced"):
            log.write([writer.next()])
        path.with_name("moved.db").rename(path)
        writer.write(log)

        assert len(whole(log)) == 1
