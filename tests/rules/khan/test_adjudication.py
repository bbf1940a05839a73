"""The published adjudication cases, judged by the real rules and by the plain model."""

from pathlib import Path
from typing import get_args

import pytest

from rules.kernel.edition import Ruling
from rules.kernel.rule import Rule
from rules.khan import agenda, checks, rulebook, special_checks, tasks
from rules.khan.events import Event
from rules.khan.game import KHAN
from rules.khan.rulings import RULINGS
from tests.rules.adjudication import (
    Case,
    assert_cases_are_whole,
    assert_ids_run_on,
    assert_law_9,
    checked_rules,
    judged,
    kinds_of_events,
    numbers_of_seats,
    published,
    read_suite,
    readings_in_force,
    rewritten,
)
from tests.rules.khan.naive_judge import BY_CHANCE
from tests.rules.khan.naive_line import read_line, write_line

CASES = read_suite(Path(__file__).with_name("adjudication.toml"))
CHECKED = checked_rules(agenda, checks, special_checks, tasks)

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def judged_plainly(case: Case) -> dict[str, object]:
    """What the plain model, which reads the lines for itself, says of a case."""
    match = read_line(case.position)
    first, _, rest = case.move.partition(" ")
    actor, move = (None, case.move) if first in BY_CHANCE else (match.names.index(first), rest)
    rules = tuple(match.judge(actor, move))
    if not rules:
        match.play(actor, move)
    return {
        "plain rules": rules,
        "plain result": None if rules else write_line(match),
        "plain winners": () if rules else tuple(match.names[seat] for seat in match.winners()),
    }


@each_case
def test_rules_and_plain_model_judge_the_case_as_published(case: Case) -> None:
    lines = [line for line in (case.position, case.result) if line]

    assert {
        **judged(KHAN, case),
        "positions": rewritten(KHAN, lines),
        "problems": KHAN.problems(KHAN.notation.read_position(case.position)),
        **judged_plainly(case),
    } == {
        **published(case),
        "positions": lines,
        "problems": (),
        "plain rules": case.rules,
        "plain result": case.result,
        "plain winners": case.winners,
    }


# The suite itself.


def test_there_are_enough_cases_each_with_an_id_of_its_own() -> None:
    assert_ids_run_on(CASES, "6", 290)


def test_a_case_is_complete_and_stated_once() -> None:
    assert_cases_are_whole(CASES)


def test_every_kind_of_event_occurs() -> None:
    assert kinds_of_events(KHAN, CASES) == set(get_args(Event))


@pytest.mark.parametrize(
    "ruling", [ruling for ruling in RULINGS if ruling.switchable], ids=lambda ruling: ruling.name
)
def test_every_reading_of_a_switchable_ruling_occurs(ruling: Ruling) -> None:
    assert readings_in_force(KHAN, CASES, ruling.name) == set(ruling.offered)


def test_every_number_of_seats_occurs() -> None:
    assert numbers_of_seats(KHAN, CASES) == {2, 3, 4}


# Law 9: every rule is named by a check and by a move that breaks it, or says why nothing can.


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_has_a_check_and_a_case_that_breaks_it_or_says_why_not(rule: Rule) -> None:
    assert_law_9(rule, CHECKED, CASES)


def test_law_9_every_rule_that_is_checked_or_cited_is_in_the_rulebook() -> None:
    assert set(rulebook.RULES) >= CHECKED
    assert {rule for case in CASES for rule in case.rules} <= {rule.id for rule in rulebook.RULES}
