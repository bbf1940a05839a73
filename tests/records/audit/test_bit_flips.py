"""No bit of an archive can flip unnoticed: it changes nothing that is stored, or the audit finds it."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from records.audit.archive import ArchiveAudit
from records.entry import Dealer, MatchHeader, MatchId, Personal
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.personal_commitment import Fact
from records.ledger.ledger import Ledger
from records.log.contract import LogFault
from records.log.people import SqliteRegister
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from records.verdict import word
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from tests.records.archives import open_log
from tests.records.bundles import LOG
from tests.records.matches import MOVES, QIN, SEATS, begin, header
from tests.records.replay.test_policies import secrets
from tests.records.replay.test_sealed_draws import play_on

FLIPS = int(os.environ.get("SHIJI_FLIPS", "300"))
PER_TEST = 250
"""Flips per test: as many tests run side by side, and show how far a long run is."""

SMALL = "map:R....R/..aa../Y....Y/..b.../B....B"
QUERIES = (
    "SELECT * FROM match ORDER BY number",
    "SELECT * FROM entry ORDER BY position",
    "SELECT * FROM person",
    "SELECT * FROM personal",
    "SELECT id, migration_set, name FROM _sqlite_migrations",
    "SELECT type, name, tbl_name, sql FROM sqlite_master",
    "PRAGMA user_version",
    "PRAGMA application_id",
)
"""All that is stored, but for the time of a migration: nothing rests on it, and nothing protects it."""

Stored = list[tuple[object, ...]]


def make(path: Path) -> None:
    """An archive with an open match, a sealed one under way, one that is over, and people."""
    with SqliteLog.open(path) as log:
        ids = map(MatchId, map(str, count(1)))
        ledger = Ledger(log, secrets=secrets, clock=lambda: 0, new_id=lambda: next(ids))
        with closing(SqliteRegister(path)) as register:
            (name,) = register.remember([Fact("p-1", "name", "Sima Qian")])
        people = (Personal(0, "name", name),)
        begin(ledger, replace(header(), people=people), "open").play(*MOVES)
        for request, board, moves in (("under way", "bird", 3), ("over", SMALL, 99)):
            setup = Setup(EditionKey("qin/1"), SEATS, board, draws=Draws.RECORDED)
            match = ledger.start(MatchHeader(QIN, setup, dealer=Dealer.SERVICE), request).entry.match
            play_on(ledger, match, moves)


def stored(path: Path) -> Stored:
    """Every value in the file, the schema included, as SQLite reads it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as raw:
        raw.text_factory = bytes
        return [row for query in QUERIES for row in raw.execute(query)]


def finding(path: Path, signed: Checkpoint) -> str | None:
    """What an audit with a checkpoint finds; None if it finds nothing."""
    try:
        audit = ArchiveAudit(partial(open_log, path), jobs=1)
        verdicts = [word(report.verdict) for report in audit.reports()]
        with open_log(path) as log:
            breach = Tree(log).breach(signed)
    except LogFault as fault:
        return str(fault)
    return breach if audit.summary.clean else f"{verdicts}, {audit.summary.flaws}"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("flips") / "archive.db"
    make(path)
    return path


def test_the_archive_that_is_damaged_is_sound(archive: Path) -> None:
    with open_log(archive) as log:
        signed = parse_checkpoint(Tree(log).checkpoint(LOG).text)

    assert finding(archive, signed) is None


@pytest.mark.parametrize("chunk", range(-(-FLIPS // PER_TEST)))
def test_a_flipped_bit_changes_no_stored_value_or_is_found(
    archive: Path, tmp_path: Path, chunk: int, record_property: Callable[[str, int], None]
) -> None:
    with open_log(archive) as log:
        signed = parse_checkpoint(Tree(log).checkpoint(LOG).text)
    before, original = stored(archive), archive.read_bytes()
    dice = random.Random(chunk)  # noqa: S311 - tests want the same bits again
    flips = min(PER_TEST, FLIPS - chunk * PER_TEST)
    changed, unnoticed = 0, []
    for number in range(flips):
        bit = dice.randrange(len(original) * 8)
        data = bytearray(original)
        data[bit // 8] ^= 1 << bit % 8
        path = tmp_path / f"{number}.db"
        path.write_bytes(data)
        try:
            same = stored(path) == before
        except (sqlite3.Error, UnicodeDecodeError):  # SQLite quotes damaged text in its errors
            same = False
        if not same:
            changed += 1
            if finding(path, signed) is None:
                unnoticed.append(bit)
        for each in tmp_path.glob(f"{number}.db*"):
            each.unlink()
    record_property("bits flipped", flips)
    record_property("values changed", changed)
    record_property("unnoticed", len(unnoticed))

    assert unnoticed == []
    assert changed or flips < PER_TEST
