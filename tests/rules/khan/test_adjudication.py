"""The published adjudication cases, judged by the real rules and by the plain model."""

from pathlib import Path
from typing import get_args

import pytest

from rules.kernel.edition import Ruling
from rules.kernel.rule import Rule
from rules.khan import checks, rulebook, special_checks, steps
from rules.khan.events import Event
from rules.khan.game import KHAN
from rules.khan.rulings import RULINGS
from tests.rules.adjudication import (
    Case,
    assert_cases_are_whole,
    assert_ids_run_on,
    assert_law_9,
    assert_listed_if_legal,
    assert_positions_are_canonical,
    assert_verdict_is_published,
    checked_rules,
    kinds_of_events,
    numbers_of_seats,
    read_suite,
    readings_in_force,
)
from tests.rules.khan.naive_judge import BY_CHANCE
from tests.rules.khan.naive_line import read_line, write_line

CASES = read_suite(Path(__file__).with_name("adjudication.toml"))
CHECKED = checked_rules(checks, special_checks, steps)

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


# The real rules.


@each_case
def test_the_verdict_is_the_one_published(case: Case) -> None:
    assert_verdict_is_published(KHAN, case)


@each_case
def test_a_move_is_listed_exactly_when_it_is_legal(case: Case) -> None:
    assert_listed_if_legal(KHAN, case)


@each_case
def test_positions_are_written_as_they_are_read(case: Case) -> None:
    assert_positions_are_canonical(KHAN, case)


@each_case
def test_nothing_is_out_of_order(case: Case) -> None:
    assert KHAN.problems(KHAN.notation.read_position(case.position)) == ()


# The plain model, which reads the lines for itself.


@each_case
def test_the_plain_model_says_the_same(case: Case) -> None:
    match = read_line(case.position)
    first, _, rest = case.move.partition(" ")
    actor, move = (None, case.move) if first in BY_CHANCE else (match.names.index(first), rest)

    rules = match.judge(actor, move)

    assert tuple(rules) == case.rules
    if case.result is not None:
        match.play(actor, move)
        assert write_line(match) == case.result
        assert tuple(match.names[seat] for seat in match.winners()) == case.winners


# The suite itself.


def test_there_are_enough_cases_each_with_an_id_of_its_own() -> None:
    assert_ids_run_on(CASES, "6", 290)


def test_a_case_is_whole_and_told_once() -> None:
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
