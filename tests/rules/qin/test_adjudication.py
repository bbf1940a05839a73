"""The published adjudication cases, judged by the real rules and by the plain model."""

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from rules.kernel.edition import Ruling
from rules.kernel.rule import Rule
from rules.qin import checks, rulebook
from rules.qin.components import BIRD
from rules.qin.events import Event
from rules.qin.game import QIN
from rules.qin.rulings import RULINGS
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
from tests.rules.qin.naive import KINDS, UNKNOWN, CellXY, Naive, flood

SEAT_PARTS = 5
"""Name, supply, provinces, villages, hand."""


CASES = read_suite(Path(__file__).with_name("adjudication.toml"))

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


# The plain model, which reads the lines for itself.


def plain_match(line: str) -> tuple[Naive, list[str]]:
    """The plain model at this position, and the names of its seats."""
    board, rows, *rest = line.split()
    seats = [word.split(":") for word in rest if word.count(":") == SEAT_PARTS - 1]
    (due, _, what), placed = rest[len(seats)].partition(":"), rest[len(seats) + 1]
    options = dict(option.split("=") for option in rest[len(seats) + 2 :])
    names = [name for name, *_ in seats]
    passes, drawn = int(options.pop("passes", "0")), options.pop("drawn", "")
    match = Naive(
        BIRD.data if board == BIRD.name else board.removeprefix("map:"),
        len(seats),
        recorded=options.pop("draws", "") == "recorded",
        rulings=options,
    )
    match.set_position(
        colours=coloured(rows),
        villages={village: seat for seat, parts in enumerate(seats) for village in listed(parts[3])},
        supplies={seat: int(parts[1]) for seat, parts in enumerate(seats)},
        hands=[listed(parts[4]) for parts in seats],
        placed={part[:2]: int(part[2:]) for part in listed(placed.strip("-"))},
        passes=passes,
    )
    for seat, parts in enumerate(seats):
        for word in listed(parts[2]):
            cell, _, pagodas = word.partition("*")
            province = flood(match.colours, cell_xy(cell))
            due_there = 2 if len(province) > 4 else 1
            match.owners[province] = (seat, int(pagodas) if pagodas else due_there)
    match.named_draws = Counter({pile: int(count) for pile, count in enumerate(drawn.split("."), 1) if count})
    match.turn = (due, names.index(what) if what in names else None)
    match.reason = what if due == "over" else None
    return match, names


def listed(text: str) -> list[str]:
    """What stands between commas."""
    return text.split(",") if text else []


def coloured(rows: str) -> dict[CellXY, str]:
    """Every territory of a drawing."""
    return {
        (row, column): mark
        for row, line in enumerate(rows.split("/"))
        for column, mark in enumerate(line)
        if mark in "RYB"
    }


def cell_xy(name: str) -> CellXY:
    """Row and column, from 0."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def plain_move(match: Naive, names: list[str], text: str) -> tuple[int | None, str]:
    """The move as the plain model asks for it; None is chance."""
    first, _, rest = text.partition(" ")
    if first == "deal":
        name, _, tiles = rest.partition(" ")
        return None, f"deal {names.index(name)} {tiles}"
    if first == "draw":
        return None, text
    if first == "end":
        return match.turn[1] or 0, text
    seat = names.index(first)
    return (None if rest.startswith("draw") and match.turn == ("draw", seat) else seat), rest


def contents(match: Naive) -> dict[str, object]:
    """Everything in the plain model's match that a position line shows."""
    return {
        "colours": match.colours,
        "provinces": match.owners,
        "villages": match.villages,
        "supplies": match.supplies,
        "hands": [sorted(hand, key=[*KINDS, UNKNOWN].index) for hand in match.hands],
        "placed": match.placed,
        "passes": match.passes,
        "drawn": +match.named_draws,
        "turn": match.turn,
        "reason": match.reason,
    }


def judged_plainly(case: Case) -> dict[str, object]:
    """What the plain model says of a case."""
    match, names = plain_match(case.position)
    actor, move = plain_move(match, names, case.move)
    rules = tuple(match.judge(actor, move))
    if not rules:
        match.play(actor, move)
    return {
        "plain rules": rules,
        "plain result": None if rules else contents(match),
        "plain winners": () if rules else tuple(names[seat] for seat in match.winners),
    }


# The cases.

MADE_UP = ("QIN-SETUP-3", "do not cover the territories")
"""Problems that the positions may have: their numbers of pagodas and tiles need not add up."""


@each_case
def test_rules_and_plain_model_judge_the_case_as_published(case: Case) -> None:
    lines = [line for line in (case.position, case.result) if line]
    problems = QIN.problems(QIN.notation.read_position(case.position))

    assert {
        **judged(QIN, case),
        "positions": rewritten(QIN, lines),
        "problems": [problem for problem in problems if not any(words in problem for words in MADE_UP)],
        **judged_plainly(case),
    } == {
        **published(case),
        "positions": lines,
        "problems": [],
        "plain rules": case.rules,
        "plain result": contents(plain_match(case.result)[0]) if case.result else None,
        "plain winners": case.winners,
    }


# The suite itself.


def test_there_are_enough_cases_each_with_an_id_of_its_own() -> None:
    assert_ids_run_on(CASES, "6", 160)


def test_a_case_is_complete_and_stated_once() -> None:
    assert_cases_are_whole(CASES)


def test_every_kind_of_event_occurs() -> None:
    assert kinds_of_events(QIN, CASES) == set(get_args(Event))


@pytest.mark.parametrize(
    "ruling", [ruling for ruling in RULINGS if ruling.switchable], ids=lambda ruling: ruling.name
)
def test_every_reading_of_a_switchable_ruling_occurs(ruling: Ruling) -> None:
    assert readings_in_force(QIN, CASES, ruling.name) == set(ruling.offered)


def test_every_number_of_seats_occurs() -> None:
    assert numbers_of_seats(QIN, CASES) == {2, 3, 4}


# Law 9: every rule is named by a check and by a move that breaks it, or says why nothing can.

CHECKED = checked_rules(checks)


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_has_a_check_and_a_case_that_breaks_it_or_says_why_not(rule: Rule) -> None:
    assert_law_9(rule, CHECKED, CASES)


def test_law_9_every_rule_that_is_checked_or_cited_is_in_the_rulebook() -> None:
    assert set(rulebook.RULES) >= CHECKED
    assert {rule for case in CASES for rule in case.rules} <= {rule.id for rule in rulebook.RULES}
