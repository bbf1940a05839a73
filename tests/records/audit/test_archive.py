"""The audit of a whole archive."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from records.audit.rule_change import RuleChange
from records.ledger.ledger import Ledger
from records.log.contract import LogFault
from records.log.sqlite import SqliteLog
from records.verdict import rules_broken, why, word
from tests.records.archives import add, audit, damage, make
from tests.records.matches import MOVES, Table, begin, disputed, forged, played

COLUMNS = {
    "entry": (
        "position", "match", "sequence", "kind", "actor", "move", "events", "state", "request", "recorded",
        "previous", "hash",
    ),
    "match": ("number", "id", "game", "edition", "seats", "started"),
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


def test_every_match_is_verified_in_the_order_in_which_they_began(path: Path) -> None:
    ids = make(path)

    reports, summary = audit(path)

    assert [report.match for report in reports] == ids
    assert {(word(report.verdict), report.entries, report.good) for report in reports} == {("verified", 5, 5)}
    assert (summary.matches, summary.entries, summary.position, summary.clean) == (3, 15, 18, True)
    assert summary.editions == {("qin", "qin/1"): {"verified": 3}}


def test_an_empty_archive_has_no_flaw(path: Path) -> None:
    make(path, 0)

    reports, summary = audit(path)

    assert reports == []
    assert summary.clean


def test_several_processes_find_the_same(path: Path) -> None:
    make(path, 70, MOVES[:1])
    add(path, forged(played(*MOVES), 3, actor=1))

    one, other = audit(path), audit(path, jobs=2)

    assert one[0] == other[0]
    assert one[1] == other[1]
    assert one[1].verdicts == {"verified": 70, "illegal": 1}


def test_bad_matches_are_counted_by_verdict_and_by_rule(path: Path) -> None:
    make(path, 1)
    record = played(*MOVES)
    add(path, forged(record, 3, actor=1))

    reports, summary = audit(path)

    bad = reports[1]
    assert (word(bad.verdict), bad.first_bad, bad.good) == ("illegal", 3, 2)
    assert rules_broken(bad.verdict) == ("QIN-TURN-1",)
    assert why(bad.verdict) == "QIN-TURN-1: it is green's turn to place"
    assert bad.position is not None
    assert summary.verdicts == {"verified": 1, "illegal": 1}
    assert summary.rules == {"QIN-TURN-1": 1}
    assert not summary.clean


def test_a_divergence_is_reported_with_both_accounts(path: Path) -> None:
    record = played(*MOVES)
    add(path, forged(record, 3, events=record[1].events))

    ((report,), _) = audit(path)

    assert (word(report.verdict), report.first_bad) == ("diverged", 3)
    assert report.recorded != report.ruled


@pytest.mark.parametrize("table", COLUMNS)
def test_a_byte_changed_in_any_column_of_any_row_shows(path: Path, table: str) -> None:
    make(path, 2, MOVES[:2])
    original = path.read_bytes()
    with closing(sqlite3.connect(path)) as raw:
        rows = [row for (row,) in raw.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]  # noqa: S608 - our own names
    for column in COLUMNS[table]:
        for row in rows:
            for changed in changes(path, table, column, row):
                path.write_bytes(original)
                damage(path, f"UPDATE {table} SET {column} = {changed} WHERE rowid = {row}")  # noqa: S608 - as above

                _, summary = audit(path)

                assert not summary.clean, f"{table}.{column} of row {row} = {changed}"


def changes(path: Path, table: str, column: str, row: int) -> list[str]:
    """SQL expressions for values that differ from the stored one in a byte."""
    with closing(sqlite3.connect(path)) as raw:
        raw.text_factory = bytes
        ((value,),) = raw.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchall()  # noqa: S608 - as above
    if isinstance(value, int):
        return [str(value + 100), str(-1 - value)]
    is_text = column in {"request", "id", "game", "edition", "seats"}
    flips = [
        value[:at] + bytes([value[at] ^ bit]) + value[at + 1 :]
        for at in (0, -1)
        if value
        for bit in (1, 0x80)
    ]
    flips += [value + b"\0", value[:-1]] if value else [b"\0"]
    return [f"CAST(x'{flip.hex()}' AS {'TEXT' if is_text else 'BLOB'})" for flip in flips if flip != value]


@pytest.mark.parametrize(
    "statements",
    [
        ("DELETE FROM entry WHERE position = 4",),
        ("DELETE FROM entry WHERE position = 1",),
        ("DELETE FROM entry WHERE sequence = 2 AND match = 1",),
        ("DELETE FROM entry WHERE match = 1 AND sequence > 0",),
        ("DELETE FROM entry WHERE match = 1",),
        ("DELETE FROM entry WHERE match = 1", "DELETE FROM match WHERE number = 1"),
        ("DELETE FROM match WHERE number = 2",),
        ("UPDATE entry SET position = 100 WHERE position = 5",
         "UPDATE entry SET position = 5 WHERE position = 8",
         "UPDATE entry SET position = 8 WHERE position = 100"),
        ("UPDATE entry SET sequence = sequence + 10 WHERE match = 1 AND sequence > 0",
         "UPDATE entry SET sequence = 13 - sequence WHERE match = 1 AND sequence IN (11, 12)",
         "UPDATE entry SET sequence = sequence - 10 WHERE match = 1 AND sequence > 10"),
        ("UPDATE entry SET match = 100 WHERE match = 1 AND sequence = 1",
         "UPDATE entry SET match = 1 WHERE match = 2 AND sequence = 1",
         "UPDATE entry SET match = 2 WHERE match = 100"),
    ],
    ids=[
        "an entry removed", "a header removed", "the middle of a match removed", "all but the header removed",
        "all entries of a match removed", "a whole match removed", "the match of entries removed",
        "positions swapped", "sequences swapped", "matches swapped",
    ],
)  # fmt: skip
def test_nothing_can_be_removed_or_moved(path: Path, statements: tuple[str, ...]) -> None:
    make(path, 3, MOVES[:3])
    damage(path, *statements)

    for jobs in (1, 2) if len(statements) == 1 else (1,):
        _, summary = audit(path, jobs=jobs)

        assert not summary.clean


def test_gaps_are_reported_by_their_positions(path: Path) -> None:
    make(path, 2)
    damage(path, "DELETE FROM entry WHERE position IN (3, 4)")

    _, summary = audit(path)

    assert [flaw for flaw in summary.flaws if "position 3 " in flaw or "position 4 " in flaw] != []


@pytest.mark.parametrize("since", [0, 1])
def test_an_audit_ends_however_far_away_the_next_entry_is(path: Path, since: int) -> None:
    make(path, 2)
    damage(path, "UPDATE entry SET position = position + (1 << 40) WHERE position >= 11")

    reports, summary = audit(path, since=since)

    assert len(reports) == 2
    assert any("position 11 " in flaw for flaw in summary.flaws)


@pytest.mark.parametrize("jobs", [1, 2])
def test_damage_that_no_match_shows_is_a_flaw_of_the_archive(path: Path, jobs: int) -> None:
    make(path, 2)
    damage(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'sequence = 0', 'sequence = 1') WHERE type = 'index'",
    )

    reports, summary = audit(path, jobs=jobs)

    assert {word(report.verdict) for report in reports} == {"verified"}
    assert any("index" in flaw for flaw in summary.flaws)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET seats = '[' WHERE number = 2",
        "UPDATE match SET seats = 'null' WHERE number = 2",
        "UPDATE match SET seats = '[5]' WHERE number = 2",
    ],
)
def test_a_damaged_listing_hides_neither_its_match_nor_the_others(path: Path, statement: str) -> None:
    make(path, 3)
    damage(path, statement)

    reports, summary = audit(path)

    assert [word(report.verdict) for report in reports] == ["verified", "corrupt", "verified"]
    assert why(reports[1].verdict) == "the listing of the match differs from its header"
    assert not summary.clean


def test_an_audit_can_continue_where_the_last_one_ended(path: Path) -> None:
    make(path, 3)
    _, first = audit(path)
    with SqliteLog.open(path) as log:
        ledger = Ledger(log)
        new = begin(ledger, request="new")
        old = Table(ledger, next(log.matches()), 5)
        old.play("violet pass")

    reports, second = audit(path, since=first.position)
    nothing, third = audit(path, since=second.position)

    assert {report.match for report in reports} == {new.match, old.match}
    assert (second.since, second.position, second.seen, second.clean) == (18, 20, 2, True)
    assert (nothing, third.position, third.clean) == ([], 20, True)


def test_a_gap_after_the_last_audit_shows(path: Path) -> None:
    make(path, 3)
    damage(path, "DELETE FROM entry WHERE position = 16")

    reports, summary = audit(path, since=14)

    assert [word(report.verdict) for report in reports] == ["verified", "verified"]
    assert not summary.clean


def test_an_archive_that_ends_before_the_last_audit_did_has_lost_entries(path: Path) -> None:
    make(path, 1)
    damage(path, "DELETE FROM entry WHERE position = 6")

    reports, summary = audit(path, since=6)

    assert (reports, summary.position) == ([], 5)
    assert summary.flaws == ["the archive ends at position 5: everything after it, up to 6, is gone"]


def test_a_file_that_is_not_an_archive_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to look like one" * 100)

    with pytest.raises(LogFault):
        audit(path)


class TestRuleChange:
    def test_every_match_says_what_other_rules_would_make_of_it(self, path: Path) -> None:
        add(path, disputed())
        with SqliteLog.open(path) as log:
            begin(Ledger(log), request="other").play(*MOVES)

        reports, summary = audit(path, change=RuleChange(rulings=(("major-conflict", "illegal"),)))

        assert [(word(each.verdict), each.first_bad, each.before) for each in reports] == [
            ("illegal", 5, "verified"),
            ("verified", None, "verified"),
        ]
        assert summary.rules == {"QIN-ABSORB-6": 1}

    def test_a_match_that_is_bad_by_its_own_rules_is_reported_as_such(self, path: Path) -> None:
        add(path, forged(played(*MOVES), 3, actor=1))

        ((report,), _) = audit(path, change=RuleChange(rulings=(("stuck", "end"),)))

        assert (word(report.verdict), report.before) == ("illegal", "illegal")
