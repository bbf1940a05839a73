"""`shiji backup`: copies of archives, and what it refuses."""

import json
from pathlib import Path

import pytest

from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.records.archives import make
from tests.tools.running import run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    make(path)
    return path


def test_a_copy_has_everything_and_its_root_is_printed(db: Path) -> None:
    copy = db.with_name("copy.db")

    done = run("backup", db, copy, "--json")

    with SqliteLog.open(db) as log, SqliteLog.open(copy) as copied:
        entries = list(copied.archive())
        assert entries == list(log.archive())
        root = Tree(log).root(len(entries)).hex()
    assert json.loads(done.stdout) == {"file": str(copy), "entries": len(entries), "root": root}
    assert copy.stat().st_mode & 0o777 == 0o600
    assert list(db.parent.glob("*.part")) == []


def test_the_result_is_described_in_words(db: Path) -> None:
    done = run("backup", db, db.with_name("copy.db"))

    assert "copy.db has 18 entries, the same as the archive at that size" in " ".join(done.stdout.split())


def test_a_file_that_exists_is_never_overwritten(db: Path) -> None:
    other = db.with_name("precious.db")
    other.write_bytes(b"precious")

    done = run("backup", db, other)

    assert (done.exit_code, other.read_bytes()) == (2, b"precious")
    assert "never overwrites" in done.stderr


def test_an_archive_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    done = run("backup", tmp_path / "no.db", tmp_path / "copy.db")

    assert done.exit_code == 2
    assert "there is no archive to read" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(db: Path) -> None:
    done = run("backup", db, db.parent / "nowhere/copy.db")

    assert done.exit_code == 2
    assert "nowhere/copy.db" in done.stderr
