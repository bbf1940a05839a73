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
