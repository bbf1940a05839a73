"""The commands on matches as neither Qin nor Khan has them: one seat, a common enemy, two editions."""

import json
from pathlib import Path

import pytest

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
    assert f"  outcome   {words}\n" in run("verify", write(tmp_path, content)).stdout


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
