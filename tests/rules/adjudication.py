"""What a suite of published adjudication cases must have, whatever the game."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import ModuleType
from typing import TypeVar

from rules.kernel.game import Game
from rules.kernel.rule import Check, Illegal, Rule
from tools.laws.cases import Case, judged, published, read, read_suite, rewritten

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

__all__ = [
    "Case",
    "assert_cases_are_whole",
    "assert_ids_run_on",
    "assert_law_9",
    "checked_rules",
    "judged",
    "kinds_of_events",
    "numbers_of_seats",
    "published",
    "read",
    "read_suite",
    "readings_in_force",
    "rewritten",
]


def assert_ids_run_on(cases: Sequence[Case], chapter: str, least: int) -> None:
    """Every id is 'CHAPTER.LETTER.NUMBER', letters and numbers without a gap."""
    numbers = [re.fullmatch(rf"{chapter}\.([A-Z])\.([1-9][0-9]*)", case.id) for case in cases]
    ids = [(found[1], int(found[2])) for found in numbers if found]

    assert len(ids) == len(cases) >= least
    assert ids[0] == ("A", 1)
    for (letter, number), following in pairwise(ids):
        assert following in {(letter, number + 1), (chr(ord(letter) + 1), 1)}


def assert_cases_are_whole(cases: Iterable[Case]) -> None:
    """A case is legal with a result or illegal with rules, says why, and no other case says the same."""
    for case in cases:
        assert (case.verdict == "legal") == (case.result is not None) == (case.rules == ()), case.id
        assert case.why.endswith("."), case.id
    titles, asked = Counter(case.title for case in cases), Counter((c.position, c.move) for c in cases)

    assert [title for title, count in titles.items() if count > 1] == []
    assert [question for question, count in asked.items() if count > 1] == []


def kinds_of_events(game: Game[State, Move, Event], cases: Iterable[Case]) -> set[type[Event]]:
    """Every kind of event that a case causes."""
    seen: set[type[Event]] = set()
    for case in cases:
        verdict = game.decide(*read(game, case))
        if not isinstance(verdict, Illegal):
            seen |= {type(event) for event in verdict}
    return seen


def readings_in_force(game: Game[State, Move, Event], cases: Iterable[Case], name: str) -> set[str]:
    """The values that a ruling has in the cases."""
    default = next(ruling.default for ruling in game.about.rulings if ruling.name == name)
    setups = [game.setup(game.notation.read_position(case.position)) for case in cases]
    return {dict(setup.rulings).get(name, default) for setup in setups}


def numbers_of_seats(game: Game[State, Move, Event], cases: Iterable[Case]) -> set[int]:
    """How many seats the cases have."""
    return {len(game.setup(game.notation.read_position(case.position)).seats) for case in cases}


# Law 9.


def checked_rules(*modules: ModuleType) -> set[Rule]:
    """The rules that a table of checks names."""
    tables = [table for module in modules for table in vars(module).values() if isinstance(table, tuple)]
    return {check.rule for table in tables for check in table if isinstance(check, Check)}


def assert_law_9(rule: Rule, checked: set[Rule], cases: Iterable[Case], least: int = 2) -> None:
    """The rule is named by a check and by cases that break it, or says why nothing can."""
    broken = [case.id for case in cases if rule.id in case.rules]

    if rule.unchecked:
        assert rule not in checked
        assert broken == []
    else:
        assert rule in checked
        assert len(broken) >= least
