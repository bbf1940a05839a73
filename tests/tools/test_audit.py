"""`shiji audit`."""

import json
from pathlib import Path

import pytest

from tests.records.archives import add, damage, make
from tests.records.matches import MOVES, disputed, forged, played
from tests.tools.running import run, run_process

KEYS = [
    "match", "game", "edition", "verdict", "entries", "entry", "rules", "why", "position", "outcome",
]  # fmt: skip


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


def test_a_verified_archive_is_reported_in_a_few_lines(db: Path) -> None:
    make(db)

    result = run("audit", db)

    assert result.exit_code == 0
    assert result.stdout == (
        f"{db}: 3 matches, 15 entries\n"
        "  qin       qin/1: 3 verified\n"
        "  audited   up to position 18\n"
        f"  next time shiji audit {db} --since last\n"
    )


def test_a_bad_match_is_reported_with_its_rule_and_the_next_command(db: Path) -> None:
    make(db, 1)
    add(db, forged(played(*MOVES), 3, actor=1))

    result = run("audit", db)

    assert result.exit_code == 1
    for line in (
        "match-1: illegal at entry 3 of 5\n",
        "  rules     QIN-TURN-1\n",
        "  why       QIN-TURN-1: it is green's turn to place\n",
        f"  next      shiji show {db} match-1\n",
        "  qin       qin/1: 1 illegal, 1 verified\n",
        "  broken    QIN-TURN-1 in 1 match\n",
    ):
        assert line in result.stdout


def test_a_divergence_shows_both_accounts(db: Path) -> None:
    record = played(*MOVES)
    add(db, forged(record, 3, events=record[1].events))

    output = run("audit", db).stdout

    assert '    recorded  {"tile_placed": {"first": {"colour": "COLOUR_RED", "cell": "e8"}' in output
    assert '    by rules  {"tile_placed": {"first": {"colour": "COLOUR_YELLOW", "cell": "d8"}' in output


def test_json_has_one_object_per_match_and_then_a_summary(db: Path) -> None:
    ids = make(db, 2)
    add(db, forged(played(*MOVES), 3, actor=1))

    result = run("audit", db, "--json")

    *matches, last = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert [list(match) for match in matches] == [KEYS] * 3
    assert [match["match"] for match in matches] == [*ids, "match-1"]
    assert [match["verdict"] for match in matches] == ["verified", "verified", "illegal"]
    assert (matches[2]["entry"], matches[2]["rules"]) == (3, ["QIN-TURN-1"])
    assert last == {
        "summary": {
            "matches": 3,
            "entries": 15,
            "verdicts": {"illegal": 1, "verified": 2},
            "games": {"qin": {"qin/1": {"illegal": 1, "verified": 2}}},
            "rules": {"QIN-TURN-1": 1},
            "flaws": [],
            "not_checked": [],
            "since": 0,
            "position": 18,
        }
    }


def test_the_next_audit_begins_where_the_last_one_ended(db: Path) -> None:
    make(db, 1)
    add(db, played(*MOVES))

    result = run("audit", db, "--since", "6", "--json")

    match, summary = map(json.loads, result.stdout.splitlines())
    assert match["match"] == "match-1"
    assert (summary["summary"]["since"], summary["summary"]["position"]) == (6, 12)


def test_an_audit_that_begins_later_says_what_it_trusts(db: Path) -> None:
    make(db, 1)
    add(db, played(*MOVES))

    notice = "trusted   matches that have nothing after position 6: they were not audited this time"
    assert notice in run("audit", db, "--since", "6").stdout
    assert "trusted" not in run("audit", db).stdout


def test_an_archive_with_a_gap_has_a_flaw(db: Path) -> None:
    make(db, 2)
    damage(db, "DELETE FROM entry WHERE position = 12")
    damage(db, "DELETE FROM entry WHERE position = 10")

    result = run("audit", db)

    assert result.exit_code == 1
    assert "  flaw      " in result.stdout


class TestRuleChanges:
    @pytest.fixture(autouse=True)
    def _archive(self, db: Path) -> None:
        add(db, disputed())

    def test_a_ruling_is_tried_on_every_match(self, db: Path) -> None:
        output = run("audit", db, "--ruling", "major-conflict=illegal")
        same = run("audit", db, "--ruling", "stuck=end")

        assert output.exit_code == 1
        assert "match-1: illegal at entry 5 of 5\n" in output.stdout
        assert "  before    verified by the match's own rules\n" in output.stdout
        assert "  broken    QIN-ABSORB-6 in 1 match\n" in output.stdout
        assert same.exit_code == 0
        assert "  qin       qin/1: 1 would read the same\n" in same.stdout

    def test_json_has_the_verdict_before_the_change(self, db: Path) -> None:
        result = run("audit", db, "--ruling", "major-conflict=illegal", "--json")

        assert json.loads(result.stdout.splitlines()[0])["before"] == "verified"

    def test_an_edition_is_tried_on_every_match(self, db: Path) -> None:
        assert run("audit", db, "--edition", "qin/1").exit_code == 0

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (("--edition", "qin/9"), "no edition is called 'qin/9'; known: qin/1"),
            (("--ruling", "luck=good"), "no ruling that a match can choose is called 'luck'"),
            (("--ruling", "stuck=swap"), "ruling stuck has no value 'swap'; it takes pass or end"),
            (("--ruling", "stuck"), "'stuck' is not NAME=VALUE"),
            (("--since", "-1"), "'-1' is neither a position nor `last`"),
            (("--jobs", "0"), "0 is not in the range"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_invalid_arguments_are_refused(self, db: Path, arguments: tuple[str, ...], why: str) -> None:
        result = run("audit", db, *arguments)

        assert result.exit_code == 2
        assert why in result.stderr


@pytest.mark.parametrize("content", [None, b"", b"no database" * 1000])
def test_a_file_that_is_not_an_archive_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "archive.db"
    if content is not None:
        path.write_bytes(content)

    done = run_process("audit", path)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert "Traceback" not in done.err


def test_several_processes_are_started_from_the_installed_command(db: Path) -> None:
    make(db, 40, MOVES[:1])

    done = run_process("audit", db, "--jobs", "2")

    assert (done.code, done.err) == (0, "")
    assert "40 matches, 40 entries" in done.out
