"""People can be forgotten, games cannot."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.audit.record import audit_record
from records.entry import Personal
from records.evidence.personal_commitment import Fact
from records.ledger.ledger import Ledger
from records.log.people import MemoryRegister, Register, SqliteRegister
from records.log.sqlite import SqliteLog
from records.verdict import Verified
from tests.records.matches import header
from tests.tools.running import run

ANNA = Fact("player-1", "name", "Anna Example")
CLUB = Fact("player-1", "club", "The Kitchen Table")
OTTO = Fact("player-2", "name", "Otto Example")


@pytest.fixture(params=["memory", "sqlite"])
def register(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Register]:
    if request.param == "memory":
        yield MemoryRegister()
        return
    path = tmp_path / "archive.db"
    SqliteLog.open(path).close()
    with closing(SqliteRegister(path)) as opened:
        yield opened


def test_a_fact_is_recalled_by_its_commitment(register: Register) -> None:
    anna, otto = register.remember([ANNA, OTTO])

    assert register.recall(anna) == ANNA
    assert register.recall(otto) == OTTO
    assert register.remember([ANNA]) == (anna,)


def test_a_person_who_is_forgotten_is_gone_and_nobody_else(register: Register) -> None:
    anna, club, otto = register.remember([ANNA, CLUB, OTTO])

    assert register.forget("player-1") == 2
    assert register.recall(anna) is None
    assert register.recall(club) is None
    assert register.recall(otto) == OTTO
    assert register.forget("player-1") == 0


def test_a_person_who_comes_back_has_another_key(register: Register) -> None:
    (before,) = register.remember([ANNA])
    register.forget("player-1")

    assert register.remember([ANNA]) != (before,)


def test_a_name_that_was_changed_in_the_file_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    SqliteLog.open(path).close()
    with closing(SqliteRegister(path)) as register:
        anna, otto = register.remember([ANNA, OTTO])
        with closing(sqlite3.connect(path)) as stranger, stranger:
            stranger.execute("UPDATE personal SET value = 'Somebody Else' WHERE person = 'player-1'")

        assert register.recall(anna) is None
        assert register.recall(otto) == OTTO


storable = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=20)


@given(st.lists(st.builds(Fact, storable, storable, storable), max_size=5))
def test_equal_facts_of_one_person_and_no_others_have_the_same_commitment(facts: list[Fact]) -> None:
    commitments = MemoryRegister().remember(facts)

    assert len(set(commitments)) == len(set(facts))


def test_a_name_that_was_forgotten_is_in_no_byte_of_the_file_and_the_record_verifies(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with SqliteLog.open(path) as log:
        with closing(SqliteRegister(path)) as register:
            (anna,) = register.remember([ANNA])
        opening = replace(header(), people=(Personal(0, "name", anna),))
        match = Ledger(log).start(opening, "start").entry.match

    done = run("forget", str(path), "player-1")

    assert (done.exit_code, done.stdout) == (0, "1 fact forgotten.\n")
    for file in tmp_path.iterdir():
        assert b"Anna Example" not in file.read_bytes()
    with SqliteLog.open(path, read_only=True) as log:
        report = audit_record(match, log.read(match))
        assert isinstance(report.verdict, Verified)
        assert report.header is not None
        assert report.header.people[0].commitment == anna
    assert run("forget", str(path), "player-1").exit_code == 1
    assert run("forget", str(tmp_path / "sub" / "none.db"), "x").exit_code == 2
