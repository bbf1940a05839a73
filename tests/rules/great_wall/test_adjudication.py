"""The published adjudication cases, judged by the rules."""

from pathlib import Path
from typing import get_args

import pytest

from rules.great_wall import rulebook
from rules.great_wall.agenda import AGENDA, RULES_OF_MOVES
from rules.great_wall.events import Event
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.rulings import RULINGS
from rules.kernel.edition import Ruling
from rules.kernel.rule import Rule
from tests.rules.adjudication import (
    Case,
    assert_cases_are_whole,
    assert_ids_run_on,
    assert_law_9,
    judged,
    kinds_of_events,
    numbers_of_seats,
    published,
    read_suite,
    readings_in_force,
    rewritten,
)

CASES = read_suite(Path(__file__).with_name("adjudication.toml"))
CHECKED = {*AGENDA.checked, *RULES_OF_MOVES, rulebook.course.ASK_02}

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


@each_case
def test_the_rules_judge_the_case_as_published(case: Case) -> None:
    lines = [line for line in (case.position, case.result) if line]

    assert {
        **judged(GREAT_WALL, case),
        "positions": rewritten(GREAT_WALL, lines),
        "problems": GREAT_WALL.problems(GREAT_WALL.notation.read_position(case.position)),
    } == {**published(case), "positions": lines, "problems": ()}


def test_ids_run_on_and_there_are_enough() -> None:
    assert_ids_run_on(CASES, "8", 250)


def test_cases_are_whole() -> None:
    assert_cases_are_whole(CASES)


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_every_rule_that_can_be_broken_is_broken_twice(rule: Rule) -> None:
    assert_law_9(rule, CHECKED, CASES)


@pytest.mark.parametrize(
    "ruling", [each for each in RULINGS if each.switchable], ids=lambda ruling: ruling.name
)
def test_every_reading_of_every_ruling_occurs(ruling: Ruling) -> None:
    assert readings_in_force(GREAT_WALL, CASES, ruling.name) == set(ruling.offered)


def test_every_number_of_seats_and_every_kind_of_event_occurs() -> None:
    assert numbers_of_seats(GREAT_WALL, CASES) == {1, 2, 3, 4}
    assert set(get_args(Event)) - kinds_of_events(GREAT_WALL, CASES) == set()
