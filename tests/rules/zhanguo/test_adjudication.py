"""The published adjudication cases, judged by the rules."""

from pathlib import Path
from typing import get_args

import pytest

from rules.kernel.edition import Ruling
from rules.kernel.rule import Check, Rule
from rules.zhanguo import frames, rulebook
from rules.zhanguo.court import elixir, governor, hire, palace, recruit, wall
from rules.zhanguo.events import Event
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.rulings import SWITCHABLE
from tests.rules.adjudication import (
    Case,
    assert_cases_are_whole,
    assert_ids_run_on,
    judged,
    kinds_of_events,
    numbers_of_seats,
    published,
    read_suite,
    readings_in_force,
    rewritten,
)

CASES = read_suite(Path(__file__).with_name("adjudication.toml"))
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
COURT = (elixir, governor, hire, palace, recruit, wall)
AWAITED = (*get_args(frames.SeatFrame), *get_args(frames.Choice), *get_args(frames.RivalFrame))
NEVER_AWAITED = {frames.RewardDue}


@each_case
def test_the_rules_judge_the_case_as_published(case: Case) -> None:
    lines = [line for line in (case.position, case.result) if line]

    assert {
        **judged(ZHANGUO, case),
        "positions": rewritten(ZHANGUO, lines),
        "problems": ZHANGUO.problems(ZHANGUO.notation.read_position(case.position)),
    } == {**published(case), "positions": lines, "problems": ()}


# The suite itself.


def test_there_are_enough_cases_each_with_an_id_of_its_own() -> None:
    assert_ids_run_on(CASES, "7", 200)


def test_a_case_is_complete_and_stated_once() -> None:
    assert_cases_are_whole(CASES)


def test_every_kind_of_event_is_caused() -> None:
    assert set(get_args(Event)) - kinds_of_events(ZHANGUO, CASES) == set()


def test_every_frame_is_asked() -> None:
    states = [ZHANGUO.notation.read_position(case.position) for case in CASES]
    asked = {type(frame) for state in states for frame in state.agenda[:1]}

    assert set(AWAITED) - asked == NEVER_AWAITED


def test_every_number_of_seats_and_every_level_occurs() -> None:
    setups = [ZHANGUO.setup(ZHANGUO.notation.read_position(case.position)) for case in CASES]

    assert numbers_of_seats(ZHANGUO, CASES) == {2, 3, 4}
    assert {dict(setup.options).get("rival", "none") for setup in setups} == {
        "none",
        "li-si-1",
        "li-si-2",
        "li-si-3",
        "li-si-4",
    }
    assert {dict(setup.options).get("table", "T1") for setup in setups} == {"T1", "T2", "T3"}


@pytest.mark.parametrize("ruling", SWITCHABLE, ids=lambda ruling: ruling.name)
def test_every_reading_is_in_force_somewhere(ruling: Ruling) -> None:
    assert readings_in_force(ZHANGUO, CASES, ruling.name) == set(ruling.offered)


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_is_broken_twice_or_says_why_it_cannot_be(rule: Rule) -> None:
    broken = [case.id for case in CASES if rule.id in case.rules]

    if rule.unchecked:
        assert broken == []
    else:
        assert len(broken) >= 2


def test_law_9_every_rule_that_a_court_action_checks_is_in_the_rulebook() -> None:
    stages = [stage for module in COURT for stage in module.CHECKS]
    checked = {check.rule for stage in stages for check in stage if isinstance(check, Check)}

    assert checked <= set(rulebook.RULES)
