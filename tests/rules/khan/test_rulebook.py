"""Law 9: every rule is named by a check and by a move that breaks it, or says why nothing can."""

import re

import pytest

from rules.kernel.cells import cell_name
from rules.kernel.rule import Rule
from rules.khan import agenda, checks, rulebook, special_checks, tasks
from rules.khan.game import KHAN
from rules.khan.rulings import RULINGS
from rules.khan.state import State
from tests.rules.adjudication import checked_rules
from tests.rules.khan.positions import GONE, do, position, rules_broken, turn_of
from tests.rules.khan.strategies import SET

CHECKED = checked_rules(agenda, checks, special_checks, tasks)
RECORDED = "draws=recorded"
HAND = {"red": "seljuk.N.joker,rus.NE.joker,leader-3.E.joker,leader-4.SE.joker"}
START = f"{SET} {{rows}} 5.5.5.5.5.5.5.5 - red:M2P2S2E2:: yellow:M2P2S2E2:: {{turn}} -"
ROWS = (
    "....~.....~.../..B.~..C..~.D./....~.....~.../....~.....~.../....~~~~~~~.../.....E.~..F.../.......~....../"
    ".......~~...../.A......~..H../.....G..~...../........~....."
)


def at_the_start(turn: str, options: str = "") -> State:
    """Before anything is dealt, two seats."""
    return KHAN.notation.read_position(f"{START.format(rows=ROWS, turn=turn)} {options}".strip())


BREAKS = {
    "KHAN-FREE-1": (at_the_start("open:red"), "red yurt e1"),
    "KHAN-COMP-3": (position({}, "turn:red", discard="seljuk.N.joker"), "turn seljuk.N.joker"),
    "KHAN-SETUP-5": (at_the_start("first"), "turn seljuk.N.joker"),
    "KHAN-SETUP-6": (at_the_start("open:red"), "red chase seljuk"),
    "KHAN-SETUP-7": (at_the_start("draw:red", RECORDED), "turn seljuk.N.joker"),
    "KHAN-DECK-1": (
        position({}, "turn:red", options="shuffles=1 old=1.0.0.0 apart=seljuk.N.joker"),
        "turn seljuk.N.joker",
    ),
    "KHAN-TURN-1": (position({}, "act:red:2"), "yellow chase seljuk"),
    "KHAN-TURN-2": (position({}, "act:red:2"), "red pass"),
    "KHAN-CHASE-1": (position({}, "turn:red"), "draw ?"),
    "KHAN-HAND-1": (
        position({}, "draw:red", hands={"red": "?"}, discard="rus.E.ice", options=RECORDED),
        "turn seljuk.N.joker",
    ),
    "KHAN-ACT-A": (position({}, "act:red:2", hands=HAND, options=RECORDED), "red invade b2 rus.E.ice"),
    "KHAN-ACT-B": (position({}, "turn:red:2:seljuk"), "draw ?"),
    "KHAN-ACT-C": (position({}, "act:red:2"), "red conquer T2 b2b4"),
    "KHAN-MAJ-1": (position({"b2": "2", "b3": "0"}, "act:red:2"), "red conquer T2 b2b3"),
    "KHAN-TILE-1": (position({"b2": "1"}, "act:red:2"), "red conquer T2 b2b3"),
    "KHAN-BRIDGE-1": (position({"d2": "1"}, "act:red:2"), "red conquer B3I d2e2f2"),
    "KHAN-ACT-D": (position({}, "act:red:1"), "red anywhere b2"),
    "KHAN-SPEC-1": (position({}, "special:red", specials="M1"), "red protection"),
    "KHAN-SPEC-M": (position({}, "act:red:1", options="morale=used"), "red anywhere b2"),
    "KHAN-SPEC-P": (position({}, "special:red", active={"blue": "protection"}), "red protection"),
    "KHAN-SPEC-S": (position({}, "special:red", active={"blue": "support.ice"}), "red support ice"),
    "KHAN-SPEC-E": (position({}, "special:red", pieces="T4O:a6b6a7b7:2"), "red explore T4O"),
    "KHAN-CONSENT-1": (position({}, "act:red:2"), "red agree"),
    "KHAN-TRIG-3": (position({}, "act:red:1", leaders={}, camps=GONE), "red chase seljuk"),
    "KHAN-FINAL-1": (position({"b2": "1", "b3": "0"}, "conquer:red:2", leaders={}, camps=GONE), "red done"),
    "KHAN-FINAL-2": (position({"b2": "1", "b3": "0"}, "conquer:red:2", leaders={}, camps=GONE), "red pass"),
}
"""By rule: a move that breaks it and no other."""


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_has_a_check_and_a_move_that_breaks_it_or_says_why_not(rule: Rule) -> None:
    if rule.unchecked:
        assert rule not in CHECKED
        assert rule.id not in BREAKS
    else:
        assert rule in CHECKED
        assert rules_broken(*BREAKS[rule.id]) == [rule.id]


def test_law_9_every_rule_that_is_checked_is_in_the_rulebook() -> None:
    assert set(rulebook.RULES) >= CHECKED


def test_every_ambiguity_of_the_digest_is_a_ruling_and_bears_on_a_rule_or_a_right() -> None:
    numbers = [ruling.ambiguity for ruling in RULINGS]

    assert sorted(numbers, key=lambda number: int(number[4:])) == [f"AMB-{number}" for number in range(1, 26)]
    cited = {found for rule in rulebook.RULES for found in re.findall(r"AMB-\d+", rule.source)}
    assert cited <= set(numbers)


def test_those_that_can_be_played_both_ways_are_switchable() -> None:
    assert {ruling.name: ruling.offered for ruling in RULINGS if ruling.switchable} == {
        "opening-rounds": ("3", "5", "8"),
        "reshuffle": ("when-needed", "when-empty"),
        "last-camp-yurt": ("remove", "flee"),
        "river-cells": ("side", "corner"),
        "bridge-water": ("exact", "at-least-one"),
    }


@pytest.mark.parametrize(("rounds", "yurts"), [("3", 6), ("5", 10), ("8", 16)])
def test_opening_rounds_with_two_seats(rounds: str, yurts: int) -> None:
    state = do(at_the_start("first", "" if rounds == "3" else f"opening-rounds={rounds}"), "first yellow")
    placed = 0
    while turn_of(state).startswith("open"):
        free = cell_name(state.table.parts.board.first(state.free))
        state = do(state, f"{turn_of(state).removeprefix('open:')} yurt {free}")
        placed += 1

    assert placed == yurts
    assert turn_of(state) == "turn:yellow"
    assert [state.held(seat) for seat in state.table.seats] == [4, 4]
