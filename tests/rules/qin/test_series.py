"""QIN-MATCH-1: a series of matches."""

import pytest

from rules.kernel.edition import EditionKey
from rules.kernel.series import BadSeries
from rules.kernel.setup import Setup
from rules.qin.game import QIN
from rules.qin.position_reader import read_position
from rules.qin.series import series
from rules.qin.state import State


def over(*seats: tuple[str, int]) -> State:
    """A match that nobody can go on with, and what each seat has left."""
    names = tuple(name for name, _ in seats)
    state = QIN.start(Setup(EditionKey("qin/1"), names, "map:R"))
    position = QIN.notation.write_position(state)
    for name, left in seats:
        position = position.replace(f"{name}:24:", f"{name}:{left}:").replace(
            f"{name}:19:", f"{name}:{left}:"
        )
    if 0 in (left for _, left in seats):
        position = position.replace("over:no-placement", "over:last-pagoda")
    return read_position(position)


def test_the_lowest_total_of_pagodas_left_wins() -> None:
    standings = series([over(("green", 0), ("white", 4)), over(("green", 3), ("white", 0))])

    assert standings.totals == (3, 4)
    assert standings.winners == ("green",)


def test_players_are_known_by_their_names_wherever_they_sit() -> None:
    standings = series([over(("green", 0), ("white", 4)), over(("white", 3), ("green", 9))])

    assert standings.names == ("green", "white")
    assert standings.left == ((0, 4), (9, 3))
    assert standings.winners == ("white",)


def test_equal_totals_share_the_series() -> None:
    standings = series([over(("a", 0), ("b", 4), ("c", 9)), over(("b", 0), ("c", 2), ("a", 4))])

    assert standings.totals == (4, 4, 11)
    assert standings.winners == ("a", "b")


def test_one_match_is_a_series() -> None:
    assert series([over(("green", 0), ("white", 4))]).winners == ("green",)


def test_no_match_is_no_series() -> None:
    with pytest.raises(BadSeries, match="at least one match"):
        series([])


def test_every_match_has_the_same_players() -> None:
    with pytest.raises(BadSeries, match="match 2 is between green, black, match 1 between green, white"):
        series([over(("green", 0), ("white", 4)), over(("green", 0), ("black", 4))])


def test_every_match_is_over() -> None:
    going_on = QIN.start(Setup(EditionKey("qin/1"), ("green", "white"), "bird"))

    with pytest.raises(BadSeries, match="match 2 is not over"):
        series([over(("green", 0), ("white", 4)), going_on])
