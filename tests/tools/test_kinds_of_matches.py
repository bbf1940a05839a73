"""The commands on matches as neither Qin nor Khan has them: one seat, a common enemy, two editions."""

import json
from pathlib import Path

import pytest

from records.audit.judged_file import FileReport
from tests.rules.kit.dike.records import (
    DRY,
    DRY_TOGETHER,
    FLOODED,
    FLOODED_TOGETHER,
    alone,
    register,
    together,
)
from tests.tools.running import run
from tools.report.drawing import seat_lines
from tools.report.file_verdict import judge_file
from tools.report.steps import steps_of


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def write(folder: Path, content: str) -> Path:
    path = folder / "match.shiji"
    path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (alone(*DRY), "green won (dry)"),
        (alone(*FLOODED), "nobody won (flood)"),
        (together(*DRY_TOGETHER), "green and red won together (dry)"),
        (together(*FLOODED_TOGETHER), "nobody won (flood)"),
    ],
)
def test_an_outcome_in_words(tmp_path: Path, content: str, words: str) -> None:
    path = write(tmp_path, content)
    who, _, reason = words.rpartition(" ")

    assert f"  outcome   over {reason}: {who}\n" in run("verify", path).stdout
    assert run("show", path).stdout.endswith(f"\nover {reason}: {who}\n")


def test_an_outcome_as_json_has_its_kind_and_points_by_owner_and_category(tmp_path: Path) -> None:
    found = json.loads(run("verify", "--json", write(tmp_path, together(*DRY_TOGETHER))).stdout)["outcome"]

    assert found == {
        "kind": "all-won",
        "winners": ["green", "red"],
        "reason": "dry",
        "scores": {"green": 3, "red": 3, "river": 3},
        "categories": {"green": {"fish": 0, "stones": 3}, "red": {"fish": 3, "stones": 0}},
    }


def test_an_audit_of_an_archive_says_the_same(tmp_path: Path) -> None:
    archive = tmp_path / "archive.db"
    assert run("import", archive, write(tmp_path, alone(*FLOODED))).exit_code == 0

    first, _ = run("audit", "--json", archive).stdout.splitlines()

    assert json.loads(first)["outcome"] == {
        "kind": "nobody-won",
        "winners": [],
        "reason": "flood",
        "scores": {"green": 3, "river": 3},
        "categories": {"green": {"fish": 3, "stones": 0}},
    }


def test_the_options_of_a_match_are_reported_before_its_rulings(tmp_path: Path) -> None:
    content = alone(*DRY, Options="length=5 current=slow", Rulings="level-water=flood")

    output = run("verify", write(tmp_path, content)).stdout

    assert "  options   length=5\n  rulings   level-water=flood\n" in output
    assert "no option is called 'tide'" in run("verify", write(tmp_path, alone(Options="tide=high"))).stderr


def test_options_are_listed_with_the_rules_and_apart_from_the_rulings() -> None:
    output = run("rules", "dike").stdout

    assert "The dike: options, with their default\n  length=3\n  current=slow\n\n" in output
    assert "The dike: rulings, with their default\n  AMB-01  level-water=dry\n" in output
    assert "options" not in run("rules", "qin").stdout


def test_a_game_is_listed_with_the_number_of_its_options() -> None:
    assert "  rulebook  3 rules, 1 ruling, 2 options\n" in run("games").stdout
    options = {
        found["game"]: found["options"]
        for found in map(json.loads, run("games", "--json").stdout.splitlines())
    }
    assert (options["qin"], options["dike"]) == (0, 2)


def test_an_option_is_shown_with_its_values_and_its_source() -> None:
    assert run("rules", "dike", "length").stdout == (
        "length\n"
        "  option    The rounds of a match.\n"
        "  value     length=3 (default): A short match.\n"
        "  value     length=5: A long match.\n"
        "  source    p. 2\n"
    )
    assert json.loads(run("rules", "--json", "dike", "length").stdout) == {
        "option": "length",
        "text": "The rounds of a match.",
        "default": "3",
        "values": [{"value": "3", "text": "A short match."}, {"value": "5", "text": "A long match."}],
        "source": "p. 2",
    }
    kinds = [next(iter(json.loads(line))) for line in run("rules", "--json", "dike").stdout.splitlines()]
    assert kinds == ["rule"] * 3 + ["option"] * 2 + ["ruling"]


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (("--seats", "1"), 8),
        (("--seats", "1", "--option", "current=fast"), 2),
        (("--seats", "2", "--edition", "dike-together/1"), 8),
    ],
)
def test_perft_counts_with_one_seat_with_options_and_by_edition(
    arguments: tuple[str, ...], count: int
) -> None:
    start = ("perft", "--game", "dike", "--board", "dike-0", "--depth", "3")

    assert run(*start, *arguments).stdout == f"{count}\n"


def test_perft_from_a_position_takes_the_options_that_the_position_states(tmp_path: Path) -> None:
    positions = [
        json.loads(run("verify", "--json", write(tmp_path, alone("green build", Options=said))).stdout)[
            "position"
        ]
        for said in ("current=fast", "")
    ]
    start = ("perft", "--game", "dike", "--depth", "2", "--position")

    assert [run(*start, position).stdout for position in positions] == ["2\n", "4\n"]
    refused = run(*start, positions[0], "--option", "length=5")
    assert "a position states its own edition and options" in refused.stderr


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ({"Seats": ""}, "The dike is for 1 to 4 seats, not 0"),
        ({"Seats": "a b c d e"}, "The dike is for 1 to 4 seats, not 5"),
        ({"Edition": "dike-together/1"}, "The dike is for 2 to 4 seats, not 1"),
        ({"Seats": "river"}, "no seat can be called river"),
    ],
)
def test_the_number_of_seats_is_that_of_the_edition(tmp_path: Path, tags: dict[str, str], why: str) -> None:
    result = run("verify", write(tmp_path, alone(**tags)))

    assert result.exit_code == 2
    assert why in result.stderr


def test_a_picture_has_a_row_for_every_seat_and_every_other_owner(tmp_path: Path) -> None:
    path, picture = write(tmp_path, alone(*DRY)), tmp_path / "picture.svg"

    judged = judge_file(str(path), 2)
    run("show", path, "--at", "2", "--svg", picture)

    assert isinstance(judged, FileReport)
    assert [line.text for line in seat_lines(steps_of(judged)[-1])][:2] == [
        "1 green  1 fish, 1 stones",
        "- river  2 fish, stones -",
    ]
    assert "green  1     1\nriver  2     -\n" in run("show", path, "--at", "2").stdout
    assert "green: 1 fish, 1 stones. river: 2 fish, stones -." in picture.read_text()


def test_a_page_has_a_row_for_every_seat_and_every_other_owner(tmp_path: Path) -> None:
    path, page = write(tmp_path, alone(*FLOODED, Result="-")), tmp_path / "page.html"

    result = run("replay", path, "--html", page)

    assert result.exit_code == 0
    rows = page.read_text().partition("<tbody ")[2].partition("</tbody>")[0]
    assert [name in row for name, row in zip(("green", "river"), rows.split("</tr>"), strict=False)] == [
        True,
        True,
    ]
    assert rows.count("<tr ") == 2


def test_a_record_of_one_seat_is_compared_and_bundled(tmp_path: Path) -> None:
    archive, bundle = tmp_path / "archive.db", tmp_path / "match.bundle"
    path = write(tmp_path, alone(*DRY, Result="green"))
    run("import", archive, path)
    listed, _ = run("audit", "--json", archive).stdout.splitlines()

    bundled = run("bundle", archive, json.loads(listed)["match"], "--out", bundle)

    assert bundled.exit_code == 0, bundled.output
    assert run("verify", bundle).exit_code == 0
    assert run("diff", path, bundle).exit_code == 0
