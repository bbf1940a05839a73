"""Sequences from the crowded positions of docs/zhanguo.md, counted by the rules and by the plain model."""

import re

import pytest

from rules.zhanguo.game import ZHANGUO
from tests.project.places import ROOT
from tests.rules.zhanguo.naive_line import read_line
from tests.rules.zhanguo.test_naive_agrees import perft

PAGE = (ROOT / "docs/zhanguo.md").read_text()
POSITIONS = dict(re.findall(r"^([234]-[abc]|solo-[abc]) (zhg-ref-1 .*)$", PAGE, re.MULTILINE))
COUNTS = {
    name: [int(first), int(second), int(third)]
    for name, first, second, third in re.findall(
        r"^\| (\S+-[abc]) \| \w+ \| [^|]+ \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
}
DEPTHS = (1, 2, 3)


def test_there_are_three_positions_for_each_number_of_seats_and_for_solo() -> None:
    assert list(POSITIONS) == [f"{seats}-{letter}" for seats in (2, 3, 4, "solo") for letter in "abc"]
    assert list(COUNTS) == list(POSITIONS)


@pytest.mark.parametrize("name", POSITIONS)
def test_rules_and_plain_model_count_what_is_on_the_page(name: str) -> None:
    state, match = ZHANGUO.notation.read_position(POSITIONS[name]), read_line(POSITIONS[name])

    assert [ZHANGUO.perft.count(state, depth) for depth in DEPTHS] == COUNTS[name]
    assert [perft(match, depth) for depth in DEPTHS] == COUNTS[name]
