"""Counts of entry sequences never change without a reason."""

import tomllib
from pathlib import Path

import pytest

from rules.great_wall.game import GREAT_WALL

COUNTS = tomllib.loads(Path(__file__).with_name("perft.toml").read_text())["count"]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: str(case["title"]))
def test_the_counts_are_those_of_the_table(case: dict[str, object]) -> None:
    state = GREAT_WALL.notation.read_position(str(case["position"]))
    expected = case["counts"]
    assert isinstance(expected, list)

    assert [GREAT_WALL.perft.count(state, depth) for depth in range(1, len(expected) + 1)] == expected
