"""Events that no match has: they are refused, or the invariants say what is wrong with their state."""

import pytest

from rules.qin.events import MatchEnded, ProvinceFounded, TurnPassed
from rules.qin.game import QIN
from rules.qin.state import EndReason
from rules.qin.tiles import Colour
from tests.rules.qin.drawing import GREEN, position


def test_a_last_pagoda_that_nobody_put_down_is_reported_and_wins_for_nobody() -> None:
    state = QIN.fold(position("R../..."), [MatchEnded(EndReason.LAST_PAGODA, (GREEN,))])
    outcome = QIN.outcome(state)

    assert QIN.problems(state) == ("an empty supply and the end of the match do not go together (QIN-END-1)",)
    assert outcome is not None
    assert outcome.ranking == ((0, 1),)


@pytest.mark.parametrize("placed", [25, 2**31])
def test_more_pagodas_than_a_seat_has_are_refused(placed: int) -> None:
    state = position("RR./...", green=["a1"])
    cells = state.territories[Colour.RED]

    with pytest.raises(ValueError, match="pagodas"):
        QIN.fold(state, [ProvinceFounded(GREEN, Colour.RED, cells, placed)])


def test_no_number_of_passes_is_too_large_for_a_state() -> None:
    state = QIN.fold(position("R../..."), [TurnPassed(GREEN)] * 300)

    assert state.passes == 255
