"""Rules and rulings of Zhanguo: every open question has an answer, shown with the rules concerned."""

import re

import pytest

from records.games.citations import ambiguities_of, rulings_for
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.rulebook import RULES
from rules.zhanguo.rulings import RULINGS


def bearing_on(key: str) -> list[str]:
    """The numbers of the rulings that are shown with a rule."""
    rule = next(rule for rule in RULES if rule.id == f"ZHG-{key}")
    return [found.ruling.ambiguity for found in rulings_for(ZHANGUO.about, rule)]


def test_every_ambiguity_of_the_digest_is_a_ruling() -> None:
    assert [ruling.ambiguity for ruling in RULINGS] == [f"AMB-{number:02}" for number in range(1, 62)]


def test_every_ruling_bears_on_a_rule_and_rules_name_only_rulings_of_the_game() -> None:
    named = {number for rule in RULES for number in re.findall(r"AMB-\d+", rule.source)}

    assert named == {number for ruling in RULINGS for number in ambiguities_of(ruling)}


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("SET-08", ["AMB-01"]),
        ("PLY-02", ["AMB-12"]),
        ("UNI-02", ["AMB-04"]),
        ("CRT-32", ["AMB-05", "AMB-47"]),
        ("CRT-64", ["AMB-01", "AMB-02", "AMB-49"]),
        ("ACT-03", ["AMB-11"]),
        ("ACT-04", ["AMB-11"]),
        ("ABL-26", ["AMB-05", "AMB-19", "AMB-50"]),
        ("END-05", ["AMB-15", "AMB-20", "AMB-21", "AMB-22"]),
        ("SOL-14", ["AMB-07", "AMB-40", "AMB-58"]),
        ("SOL-21", ["AMB-32", "AMB-34"]),
        ("STM-03", []),
    ],
)
def test_a_rule_is_shown_with_the_rulings_that_the_digest_names_beside_it(
    key: str, numbers: list[str]
) -> None:
    assert bearing_on(key) == numbers
