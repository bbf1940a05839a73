"""The published adjudication cases, judged by the plain model."""

from pathlib import Path

import pytest

from tests.rules.adjudication import Case, read_suite
from tests.rules.zhanguo.naive_line import read_line, write_line
from tests.rules.zhanguo.naive_score import winners

CASES = read_suite(Path(__file__).with_name("adjudication.toml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_plain_model_judges_the_case_as_published(case: Case) -> None:
    match = read_line(case.position)
    names = [player.name for player in match.players]
    first, _, rest = case.move.partition(" ")
    actor, move = (names.index(first), rest) if first in names else (None, case.move)
    rules = tuple(match.judge(actor, move))
    if not rules:
        match.play(actor, move)
    result = None if rules else write_line(match)
    won = () if rules else tuple(names[seat] for seat in winners(match))

    assert (rules, result, won) == (case.rules, case.result, case.winners)
