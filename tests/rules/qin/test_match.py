"""Several matches as a series (QIN-MATCH-1)."""

import pytest

from rules.kernel.series import BadSeries, Standings
from rules.qin.rulebook import MATCH_1
from rules.qin.series import series
from rules.qin.state import State
from tests.rules.qin.drawing import THREE, TWO, position


def finished(**left: int) -> State:
    """A match that is over, with these numbers of pagodas left to the seats in this order."""
    return position(
        "RR../....",
        seats=tuple(left),
        turn="over:last-pagoda",
        supplies=left,
        green=["a1"] if left["green"] == 0 else [],
        white=["a1"] if left["white"] == 0 else [],
    )


def test_x_match_1_the_lowest_total_of_what_was_left_wins_the_series() -> None:
    standings = series([finished(green=0, white=4), finished(green=3, white=0)])

    assert standings == Standings(TWO, ((0, 4), (3, 0)), "pagodas left", MATCH_1)
    assert standings.totals == (3, 4)
    assert standings.winners == ("green",)


def test_a_player_may_sit_elsewhere_in_the_next_match() -> None:
    standings = series([finished(green=0, white=4), finished(white=0, green=3)])

    assert standings.totals == (3, 4)


def test_equal_totals_share_the_series() -> None:
    standings = series([finished(green=0, white=4), finished(green=4, white=0)])

    assert standings.winners == TWO


def test_a_series_counts_only_matches_that_are_over() -> None:
    with pytest.raises(BadSeries, match="match 2 is not over"):
        series([finished(green=0, white=4), position("RR../....", green=["a1"])])


def test_a_series_has_the_same_players_in_every_match() -> None:
    with pytest.raises(BadSeries, match="match 2 is between"):
        series([finished(green=0, white=4), position("R../...", seats=THREE, turn="over:no-placement")])
