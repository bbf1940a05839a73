"""`shiji verify`."""

import json
from pathlib import Path

import pytest

from tests.records.texts import text
from tests.tools.running import run

KEYS = ["file", "game", "verdict", "entries", "entry", "rules", "why", "position", "outcome"]

OVER = text("green Rb1Rc1", Board="map:R..", Result="green")
"""A match that green won with one pagoda on the board."""


@pytest.fixture
def write(tmp_path: Path) -> "Writer":
    return Writer(tmp_path)


class Writer:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path


def test_a_verified_record_is_reported_with_its_outcome_and_position(write: Writer) -> None:
    path = write("match.shiji", text("green Rb1Rc1", Board="map:R..", Result="green", Event="Cup"))

    result = run("verify", path)

    assert result.exit_code == 0
    assert result.stdout == (
        f"{path}: verified, 1 entry\n"
        "  game      Qin, edition qin/1, map:R..\n"
        "  seats     green, violet; draws unrecorded\n"
        "  tag       Event: Cup\n"
        "  outcome   green won: nobody can place a tile\n"
    )


def test_a_long_tag_is_shown_by_its_beginning(write: Writer) -> None:
    path = write("match.shiji", text("green Re8Re9", FinalPosition="x" * 300))

    lines = run("verify", path).stdout.splitlines()

    assert f"  tag       FinalPosition: {'x' * 119}…" in lines


def test_an_unfinished_record_is_reported_with_who_acts_next(write: Writer) -> None:
    placing = run("verify", write("placing.shiji", text("green Re8Re9"))).stdout
    dealing = run("verify", write("dealing.shiji", text(Draws="recorded"))).stdout

    assert "  outcome   not over; to act: violet\n" in placing
    assert "  outcome   not over; to act: chance\n" in dealing


def test_an_illegal_record_is_reported_with_every_rule_that_it_breaks(write: Writer) -> None:
    path = write("match.shiji", text("green Re8Re9", "violet Ra1Bd4", "green pass"))

    result = run("verify", path)

    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}: illegal at entry 2 of 3\n  entry     2. violet Ra1Bd4\n")
    for line in (
        "  QIN-PLACE-1 Only on free steppe\n    why       a1 is a village\n    concerns  a1\n",
        "  QIN-PLACE-2 Two cells side by side\n",
        "  QIN-PLACE-3 Side contact with a territory\n",
        "    rule      At least one half shares a side with a territory that was there before,",
        " lines 70-72, lines 87-89, eggertspiele rules sheet of 2012 line 50, line 79 (AMB-01, AMB-06)\n",
        "    ruling    touched-colour=any (AMB-01): Contact with a territory of any colour will do.\n",
        f"  next      shiji show {path} --at 1\n",
    ):
        assert line in result.stdout


def test_the_ruling_in_force_is_that_of_the_header(write: Writer) -> None:
    path = write("match.shiji", text("green pass", Rulings="stuck=end"))

    output = run("verify", path).stdout

    assert "  rulings   stuck=end\n" in output
    assert (
        "    ruling    stuck=end (AMB-27): The match is over, and the pagodas on the board decide.\n"
        in output
    )


def test_a_stated_result_that_differs_from_the_replay_is_a_divergence(write: Writer) -> None:
    path = write("match.shiji", OVER.replace('Result "green"', 'Result "violet"'))

    result = run("verify", path)

    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"{path}: diverged at entry 1 of 1\n"
        "  why       the record states that violet won, but by the rules it was green\n"
    )


def test_an_unreadable_record_is_reported_on_standard_error_with_its_line(write: Writer) -> None:
    path = write("match.shiji", text("green Re8Rx"))

    result = run("verify", path)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"{path}: unreadable\n"
        "  line 10, column 15: expected a row number 1 to 99, found the end of the word\n"
        "    1. green Re8Rx\n"
        "                  ^\n"
    )


def test_each_file_has_its_block_and_the_last_line_counts_them(write: Writer) -> None:
    good = write("good.shiji", OVER)
    bad = write("bad.shiji", text("violet pass"))

    result = run("verify", good, bad, good)

    assert result.exit_code == 1
    assert result.stdout.count("\n\n") == 3
    assert result.stdout.endswith("\n\n3 files: 2 verified, 1 illegal\n")


@pytest.mark.parametrize(
    ("names", "code"),
    [("g", 0), ("gi", 1), ("gd", 1), ("gu", 2), ("ui", 2), ("iu", 2), ("m", 2), ("gm", 2)],
)
def test_the_exit_code_is_the_worst_of_all(write: Writer, names: str, code: int) -> None:
    files = {
        "g": write("good.shiji", OVER),
        "i": write("illegal.shiji", text("violet pass")),
        "d": write("diverged.shiji", text(Result="green")),
        "u": write("unreadable.shiji", text("green")),
        "m": write.folder / "missing.shiji",
    }

    assert run("verify", *(files[name] for name in names)).exit_code == code
    assert run("verify", "--json", *(files[name] for name in names)).exit_code == code


def test_json_has_one_object_per_line_with_every_key(write: Writer) -> None:
    files = (
        write("verified.shiji", OVER),
        write("illegal.shiji", text("green Re8Re9", "violet Ra1Bd4")),
        write("diverged.shiji", text("green pass", Result="green")),
        write("unreadable.shiji", text("green pass", "violet")),
        write.folder / "missing.shiji",
    )

    result = run("verify", "--json", *files)

    verified, illegal, diverged, unreadable, missing = map(json.loads, result.stdout.splitlines())
    assert result.stderr == ""
    for path, report in zip(files, (verified, illegal, diverged, unreadable, missing), strict=True):
        assert list(report) == KEYS
        assert report["file"] == str(path)
        assert report["verdict"] == path.stem.replace("missing", "unreadable")
    assert verified | {"file": ""} == {
        "file": "",
        "game": "qin",
        "verdict": "verified",
        "entries": 1,
        "entry": None,
        "rules": [],
        "why": "",
        "position": "map:R.. RRR green:23:a1::?,?,? violet:24:::?,?,? over:no-placement RR1",
        "outcome": {"kind": "won", "winners": ["green"], "reason": "no-placement"},
    }
    assert (illegal["entries"], illegal["entry"]) == (2, 2)
    assert illegal["rules"] == ["QIN-PLACE-1", "QIN-PLACE-2", "QIN-PLACE-3"]
    assert illegal["why"].startswith("QIN-PLACE-1: a1 is a village; QIN-PLACE-2: ")
    assert illegal["outcome"] is None
    assert (diverged["entry"], diverged["rules"]) == (1, [])
    assert (unreadable["game"], unreadable["entries"]) == ("qin", 2)
    assert unreadable["why"].startswith("line 11, column 10: ")
    assert (unreadable["position"], unreadable["outcome"]) == ("", None)
    assert (missing["game"], missing["entries"], missing["why"]) == (
        "",
        0,
        "there is no such file; check the path",
    )


def test_standard_input_is_a_file_called_dash() -> None:
    result = run("verify", "-", stdin=OVER)
    as_json = run("verify", "--json", "-", stdin=text("violet pass"))

    assert result.stdout.startswith("standard input: verified, 1 entry\n")
    assert json.loads(as_json.stdout)["file"] == "-"


def test_a_strange_file_name_cannot_reach_the_terminal(write: Writer) -> None:
    path = write("\x1b[2J.shiji", OVER)

    assert "\x1b" not in run("verify", path).stdout


def test_a_call_without_files_is_refused() -> None:
    assert run("verify").exit_code == 2


class TestSeries:
    """QIN-MATCH-1."""

    def test_the_totals_are_printed_and_the_lowest_wins(self, write: Writer) -> None:
        first = write("first.shiji", OVER)
        second = write("second.shiji", text("violet Rb1Rc1", Board="map:R..", Seats="violet green"))
        third = write("third.shiji", text("green Rb1Rc1", Board="map:R.."))

        output = run("verify", "--series", first, second, third)

        assert output.exit_code == 0
        assert (
            "series of 3 matches: green won\n"
            "  green: 23 + 24 + 23 = 70 pagodas left\n"
            "  violet: 24 + 23 + 24 = 71 pagodas left\n"
            "  rule      QIN-MATCH-1 "
        ) in output.stdout

    def test_json_ends_with_the_series(self, write: Writer) -> None:
        first = write("first.shiji", OVER)

        result = run("verify", "--series", "--json", first, first)

        assert json.loads(result.stdout.splitlines()[-1]) == {
            "series": {
                "totals": {"green": 46, "violet": 48},
                "matches": [{"green": 23, "violet": 24}, {"green": 23, "violet": 24}],
                "winners": ["green"],
            },
            "why": None,
        }

    @pytest.mark.parametrize(
        ("second", "code", "why"),
        [
            (text("green Re8Re9"), 2, "match 2 is not over"),
            (
                text("white Rb1Rc1", Board="map:R..", Seats="white black"),
                2,
                "match 2 is between white, black, match 1 between green, violet",
            ),
            (text("violet pass"), 2, "match 2 is illegal"),
            ("", 2, "match 2 is unreadable"),
        ],
    )
    def test_matches_that_are_not_a_series_are_refused(
        self, write: Writer, second: str, code: int, why: str
    ) -> None:
        files = (write("first.shiji", OVER), write("second.shiji", second))

        result = run("verify", "--series", *files)
        as_json = run("verify", "--series", "--json", *files)

        assert result.exit_code == as_json.exit_code == code
        assert result.stderr.endswith(f"no series: {why}\n")
        assert json.loads(as_json.stdout.splitlines()[-1]) == {"series": None, "why": why}
