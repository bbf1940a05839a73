"""Values of named parts, in whichever form they run."""

import pickle
from copy import copy, deepcopy
from unittest.mock import ANY

import pytest

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.value import replaced
from rules.qin.events import TurnPassed
from rules.qin.moves import DrawTile, Half, Pass, PlaceTile
from rules.qin.state import Placing
from rules.qin.tiles import Colour, Kind

TILE = PlaceTile(Half(Colour.RED, Cell(3)), Half(Colour.BLUE, Cell(4)))


def test_values_are_equal_by_class_and_parts() -> None:
    same = PlaceTile(Half(Colour.RED, Cell(3)), Half(Colour.BLUE, Cell(4)))
    turned = PlaceTile(TILE.second, TILE.first)

    assert same == TILE
    assert hash(TILE) == hash(same)
    assert turned != TILE
    assert DrawTile(Kind.RB) == DrawTile(Kind.RB, None)
    assert DrawTile(Kind.RB) != DrawTile(Kind.RB, 1)


def test_values_of_two_classes_are_never_equal_whatever_their_parts() -> None:
    pair = {Placing(Seat(1)), TurnPassed(Seat(1))}

    assert len(pair) == 2
    assert Placing(Seat(1)) != 1


def test_a_foreign_value_may_say_that_it_is_equal() -> None:
    assert Placing(Seat(1)) == ANY


def test_a_value_shows_its_parts() -> None:
    assert repr(TurnPassed(Seat(1))) == "TurnPassed(seat=1)"
    assert repr(Pass()) == "Pass()"


def test_some_parts_are_replaced_and_the_others_kept() -> None:
    assert replaced(DrawTile(Kind.RB, 2), tile=None) == DrawTile(None, 2)


def test_a_part_that_there_is_not_is_named() -> None:
    with pytest.raises(TypeError, match="DrawTile has no part colour"):
        replaced(DrawTile(Kind.RB), colour=1)


def test_a_value_comes_back_from_a_copy_and_from_another_process() -> None:
    sent: object = pickle.loads(pickle.dumps(TILE))  # noqa: S301 - our own bytes

    assert sent == copy(TILE) == deepcopy(TILE) == TILE
