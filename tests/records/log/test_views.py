"""What people see who open the file with other tools."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from sqlite_utils import Database

from records.entry import EntryKind, MatchId, with_hash
from records.log.contract import Append
from records.log.sqlite import SqliteLog
from tests.project.places import ROOT
from tests.records.log.making import HEADER, RecordWriter, entry, whole


@pytest.fixture
def file(path: Path) -> Iterator[Database]:
    writer = RecordWriter("m-1")
    with SqliteLog.open(path) as log:
        writer.write(log)
        for number, actor in enumerate((1, -1, -2, 5), start=1):
            kind = EntryKind.RETRACT if actor == -2 else 99 if actor == 5 else EntryKind.MOVE
            made = entry("m-1", number, writer.hash, actor=actor)
            append = Append(MatchId("m-1"), number - 1, (with_hash(structs.replace(made, kind=kind)),))
            log.write([append])
            writer.done(append)
        assert len(whole(log)) == 1
    with Database(path) as database:
        yield database


def test_an_entry_is_shown_in_words(file: Database) -> None:
    header, move, *_ = file.query("SELECT * FROM readable_entry ORDER BY position")

    assert header == {
        "position": 1,
        "match": "m-1",
        "sequence": 0,
        "kind": "header",
        "actor": "arbiter",
        "move": HEADER.hex(),
        "events": "",
        "state": b"".join([b"0"] * 32).hex(),
        "request": "m-1/0",
        "recorded": "2023-11-14T22:13:20.123456Z",
        "previous": "00" * 32,
        "hash": move["previous"],
        "signature": "",
        "concealed": "",
    }
    assert move["move"] == b"move 1".hex()


def test_actors_and_kinds_are_shown_by_name(file: Database) -> None:
    rows = file.query("SELECT actor, kind FROM readable_entry WHERE sequence > 0 ORDER BY position")

    assert [(row["actor"], row["kind"]) for row in rows] == [
        ("violet", "move"),
        ("chance", "move"),
        ("arbiter", "retract"),
        ("seat 5", "kind 99"),
    ]


def test_a_match_is_shown_in_words(file: Database) -> None:
    assert list(file.query("SELECT * FROM readable_match")) == [
        {
            "number": 1,
            "match": "m-1",
            "game": "qin",
            "edition": "qin/1",
            "seats": '["green", "violet"]',
            "started": "2023-11-14T22:13:20.123456Z",
            "last_sequence": 4,
        }
    ]


def test_every_table_is_strict(file: Database) -> None:
    strict = {row["name"]: row["strict"] for row in file.query("PRAGMA table_list")}

    assert strict["match"] == strict["entry"] == 1


def test_the_documentation_shows_the_schema_that_there_is(path: Path) -> None:
    SqliteLog.open(path).close()
    connection = sqlite3.connect(path)
    stored = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")]
    connection.close()
    page = (ROOT / "docs/archive-file.md").read_text()

    for table in stored:
        if "STRICT" in table:
            assert table in page
