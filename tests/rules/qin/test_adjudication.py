"""The published adjudication cases, judged by the real rules and by the plain model."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

import msgspec
import pytest

from rules.kernel.actors import Actor
from rules.kernel.rule import Check, Illegal, Rule
from rules.qin import checks, rulebook
from rules.qin.components import BIRD
from rules.qin.events import Event
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.rulings import RULINGS
from rules.qin.state import State
from tests.rules.qin.naive import KINDS, UNKNOWN, CellXY, Naive, flood

SUITE = Path(__file__).with_name("adjudication.toml")
SEAT_PARTS = 5
"""Name, supply, provinces, villages, hand."""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, a move, and what every implementation must say to it."""

    id: str
    title: str
    position: str
    move: str
    verdict: Literal["legal", "illegal"]
    rules: tuple[str, ...]
    why: str
    result: str | None = None
    winners: tuple[str, ...] = ()


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    case: tuple[Case, ...]


CASES = msgspec.toml.decode(SUITE.read_bytes(), type=Suite).case

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


# The real rules.


def read(case: Case) -> tuple[State, Actor, Move]:
    """The position with the move that is asked there."""
    state = QIN.notation.read_position(case.position)
    return state, *QIN.notation.read_move(state, case.move)


@each_case
def test_the_verdict_is_the_one_published(case: Case) -> None:
    state, actor, move = read(case)

    verdict = QIN.decide(state, actor, move)

    if isinstance(verdict, Illegal):
        assert (case.verdict, [violation.rule.id for violation in verdict.violations]) == (
            "illegal",
            list(case.rules),
        )
    else:
        after = QIN.fold(state, verdict)
        outcome = QIN.outcome(after)
        winners = tuple(after.table.names[seat] for seat in outcome.winners) if outcome else ()
        assert (case.verdict, case.result) == ("legal", QIN.notation.write_position(after))
        assert winners == case.winners


@each_case
def test_a_move_is_listed_exactly_when_it_is_legal(case: Case) -> None:
    state, actor, move = read(case)

    listed = move in list(QIN.legal_moves(state, actor))

    assert listed == (case.verdict == "legal")


@each_case
def test_positions_are_written_as_they_are_read(case: Case) -> None:
    for line in filter(None, (case.position, case.result)):
        assert QIN.notation.write_position(QIN.notation.read_position(line)) == line


@each_case
def test_nothing_but_the_numbers_of_pagodas_and_tiles_is_out_of_order(case: Case) -> None:
    free = ("QIN-SETUP-3", "do not cover the territories")

    problems = QIN.problems(QIN.notation.read_position(case.position))

    assert [problem for problem in problems if not any(words in problem for words in free)] == []


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


def told(match: Naive) -> dict[str, object]:
    """Everything that a position line tells of the plain model's match."""
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


@each_case
def test_the_plain_model_says_the_same(case: Case) -> None:
    match, names = plain_match(case.position)
    actor, move = plain_move(match, names, case.move)

    rules = match.judge(actor, move)

    assert tuple(rules) == case.rules
    if case.result is not None:
        match.play(actor, move)
        assert told(match) == told(plain_match(case.result)[0])
        assert tuple(names[seat] for seat in match.winners) == case.winners


# The suite itself.


def test_there_are_enough_cases_each_with_an_id_of_its_own() -> None:
    numbers = [re.fullmatch(r"6\.([A-Z])\.([1-9][0-9]*)", case.id) for case in CASES]
    ids = [(found[1], int(found[2])) for found in numbers if found]

    assert len(ids) == len(CASES) >= 160
    assert ids[0] == ("A", 1)
    for (chapter, number), following in pairwise(ids):
        assert following in {(chapter, number + 1), (chr(ord(chapter) + 1), 1)}


def test_a_case_is_legal_with_a_result_or_illegal_with_rules() -> None:
    for case in CASES:
        assert (case.verdict == "legal") == (case.result is not None) == (case.rules == ()), case.id
        assert case.why.endswith("."), case.id


def test_no_case_is_told_twice() -> None:
    titles, asked = Counter(case.title for case in CASES), Counter((c.position, c.move) for c in CASES)

    assert [title for title, count in titles.items() if count > 1] == []
    assert [question for question, count in asked.items() if count > 1] == []


def test_every_kind_of_event_occurs() -> None:
    seen: set[type[Event]] = set()
    for case in CASES:
        verdict = QIN.decide(*read(case))
        if not isinstance(verdict, Illegal):
            seen |= {type(event) for event in verdict}

    assert seen == set(get_args(Event))


@pytest.mark.parametrize(
    ("name", "value"),
    [(ruling.name, value) for ruling in RULINGS if ruling.switchable for value in ruling.offered],
    ids="=".join,
)
def test_every_reading_of_a_switchable_ruling_occurs(name: str, value: str) -> None:
    defaults = {ruling.name: ruling.default for ruling in RULINGS}

    in_force = [
        dict(QIN.notation.read_position(case.position).table.rulings.given).get(name, defaults[name])
        for case in CASES
    ]

    assert value in in_force


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_number_of_seats_occurs(seats: int) -> None:
    assert any(len(QIN.notation.read_position(case.position).table.names) == seats for case in CASES)


# Law 9: every rule is named by a check and by a move that breaks it, or says why nothing can.


def checked_rules() -> set[Rule]:
    """The rules that a table of checks names."""
    tables = [table for table in vars(checks).values() if isinstance(table, tuple)]
    return {check.rule for table in tables for check in table if isinstance(check, Check)}


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_has_a_check_and_a_case_that_breaks_it_or_says_why_not(rule: Rule) -> None:
    cited = [case.id for case in CASES if rule.id in case.rules]

    if rule.unchecked:
        assert rule not in checked_rules()
        assert cited == []
    else:
        assert rule in checked_rules()
        assert len(cited) >= 2


def test_law_9_every_rule_that_is_checked_or_cited_is_in_the_rulebook() -> None:
    assert checked_rules() <= set(rulebook.RULES)
    assert {rule for case in CASES for rule in case.rules} <= {rule.id for rule in rulebook.RULES}
