"""The reducer's quick questions answer as the tables of checks and a look at the whole board do."""

import random

from hypothesis import given

from rules.kernel.rule import Illegal, broken
from rules.kernel.setup import UNRECORDED
from rules.qin.checks import GEOMETRY, HOLDING, JOINING, Placement
from rules.qin.decide import is_stalled
from rules.qin.events import MatchEnded
from rules.qin.game import QIN
from rules.qin.state import EndReason, Placing
from tests.rules.laws import chances
from tests.rules.qin.strategies import QinMatch, matches, placements_in, random_placement

ASKED = 8
"""Placements asked for in each state, most of them illegal."""


@given(matches(), chances())
def test_a_placement_is_refused_exactly_where_a_table_names_a_rule(
    match: QinMatch, chance: random.Random
) -> None:
    for state in match.states:
        if not isinstance(state.turn, Placing):
            continue
        for _ in range(ASKED):
            asked = random_placement(chance, state.table.board)
            case = Placement(state, state.turn.seat, asked)
            verdict = QIN.decide(state, state.turn.seat, asked)

            found = verdict.violations if isinstance(verdict, Illegal) else ()
            assert found == (broken(GEOMETRY, case) or broken(JOINING, case) or broken(HOLDING, case))


@given(matches(draws=UNRECORDED))
def test_a_match_stalls_exactly_where_no_placement_is_left_on_the_whole_board(match: QinMatch) -> None:
    for step, _ in placements_in(match):
        placed = [event for event in step.events if not isinstance(event, MatchEnded)]
        ended = [event.reason for event in step.events if isinstance(event, MatchEnded)]

        if EndReason.LAST_PAGODA not in ended:
            assert is_stalled(QIN.fold(step.before, placed)) == bool(ended)
