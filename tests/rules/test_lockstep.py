"""Rules and naive model play random matches in lockstep, and agree before every entry.

SHIJI_LOCKSTEP is the number of matches per game, SHIJI_FIRST the seed of the first; `make lockstep` plays
many.
"""

import os
from collections.abc import Callable

import pytest

from tests.rules.great_wall.test_naive_agrees import play_great_wall
from tests.rules.khan.test_naive_agrees import play_khan
from tests.rules.qin.test_naive_agrees import play_qin
from tests.rules.zhanguo.test_naive_agrees import play_zhanguo

MATCHES = int(os.environ.get("SHIJI_LOCKSTEP", "4"))
FIRST = int(os.environ.get("SHIJI_FIRST", "0"))
GAMES = {"qin": play_qin, "khan": play_khan, "zhanguo": play_zhanguo, "great-wall": play_great_wall}
CHUNK = 4
"""Matches per test: enough for a test to take about a second, few enough to share among processes."""


@pytest.mark.parametrize("first", range(FIRST, FIRST + MATCHES, CHUNK))
@pytest.mark.parametrize("play", GAMES.values(), ids=GAMES)
def test_rules_and_naive_model_agree_over_random_matches(
    play: Callable[[int], int], first: int, record_property: Callable[[str, int], None]
) -> None:
    seeds = range(first, min(first + CHUNK, FIRST + MATCHES))
    entries, differences = 0, []
    for seed in seeds:
        try:
            entries += play(seed)
        except AssertionError as difference:
            difference.add_note(f"seed {seed}")
            differences.append(difference)
    record_property("matches", len(seeds))
    record_property("entries", entries)
    record_property("differences", len(differences))

    if differences:
        raise ExceptionGroup("rules and naive model differ", differences)
