"""Where a tile may lie (QIN-PLACE)."""

import pytest

from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup
from rules.qin import rulebook
from rules.qin.events import TilePlaced
from rules.qin.game import QIN
from tests.rules.qin.drawing import GREEN, WHITE, after, broken, caused, events, judged, place, position


def test_ex_place_1_a_tile_may_lie_beside_a_starting_territory() -> None:
    before = position("""
        ....
        .R..
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Yc2Bd2"))

    assert events(verdict) == (TilePlaced(GREEN, place("Yc2Bd2").first, place("Yc2Bd2").second),)


def test_ex_place_2_a_tile_may_stand_upright_beside_an_earlier_tile() -> None:
    before = position("RYB../.....", board="R..../.....", placed="YB1")

    verdict = QIN.decide(before, GREEN, place("Rd1Yd2"))

    assert caused(verdict) == ()


def test_ex_place_3_a_tile_may_touch_territories_of_several_colours() -> None:
    before = position("R..Y/....")

    verdict = QIN.decide(before, GREEN, place("Yb1Rc1"))

    assert caused(verdict) == ()


def test_ex_place_4_a_corner_is_no_contact() -> None:
    before = position("""
        R..
        ...
    """)

    verdict = QIN.decide(before, GREEN, place("Rb2Rc2"))

    assert broken(verdict) == [rulebook.PLACE_3, rulebook.PLACE_4]


def test_ex_place_4_a_village_is_no_contact() -> None:
    before = position("""
        Rv..
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Rc1Rd1"))

    assert broken(verdict) == [rulebook.PLACE_3, rulebook.PLACE_5]


def test_x_place_1_no_half_lies_on_water() -> None:
    before = position("""
        R~.
        ...
    """)

    verdict = QIN.decide(before, GREEN, place("Rb1Rc1"))

    assert broken(verdict) == [rulebook.PLACE_1]


@pytest.mark.parametrize(
    ("tile", "why"),
    [
        ("Ba2Bb2", "b2 is a village"),
        ("Ba1Ba2", "a1 is a starting territory"),
        ("Bb1Bc1", "b1 already carries a tile"),
        ("Bc1Bd1", "d1 is off the board"),
    ],
)
def test_x_place_2_no_half_lies_on_what_is_not_free(tile: str, why: str) -> None:
    before = position("RY./.v./...", board="R../.v./...")

    verdict = QIN.decide(before, GREEN, place(tile))

    assert broken(verdict) == [rulebook.PLACE_1]
    assert isinstance(verdict, Illegal)
    assert verdict.violations[0].why == why


def test_x_place_3_contact_by_the_second_half_is_enough() -> None:
    before = position("R.../....")

    verdict = QIN.decide(before, GREEN, place("Yc1Bb1"))

    assert caused(verdict) == ()


@pytest.mark.parametrize("tile", ["Bb1Bd1", "Bb1Bc2", "Bb1Bb1"])
def test_the_halves_lie_side_by_side(tile: str) -> None:
    before = position("R.../....")

    verdict = QIN.decide(before, GREEN, place(tile))

    assert broken(verdict) == [rulebook.PLACE_2]


def test_a_tile_does_not_lie_out_in_the_steppe() -> None:
    before = position("R..../.....")

    verdict = QIN.decide(before, GREEN, place("Bd1Be1"))

    assert broken(verdict) == [rulebook.PLACE_3]


def test_every_rule_of_placing_that_is_broken_is_reported() -> None:
    before = position("""
        R...
        .~v.
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Bb2Bd2"))

    assert broken(verdict) == [
        rulebook.PLACE_1,
        rulebook.PLACE_2,
        rulebook.PLACE_3,
        rulebook.PLACE_4,
        rulebook.PLACE_5,
    ]


def test_a_one_colour_tile_lies_on_a_pair_in_one_way_and_a_two_colour_tile_in_two() -> None:
    before = position("RYB..", board="R....", hands={"green": "RR RB", "white": "RR"})

    listed = list(QIN.legal_moves(before, GREEN))

    assert listed == [place("Rd1Re1"), place("Rd1Be1"), place("Bd1Re1")]


def test_it_does_not_matter_which_half_is_called_first() -> None:
    before = position("Y..R/....")

    one, other = (after(before, judged(before, f"green {tile}")) for tile in ("Yb1Rc1", "Rc1Yb1"))

    assert one == other


def test_where_a_tile_lies_is_judged_only_in_turn() -> None:
    before = position("R.../....")

    verdict = QIN.decide(before, WHITE, place("Bd1Be1"))

    assert broken(verdict) == [rulebook.TURN_1]


def test_the_largest_map_can_be_played_to_its_last_corner() -> None:
    rows = "/".join(["." * 26] * 98 + ["." * 23 + "R.."])
    start = QIN.start(Setup(rulebook.QIN_1, ("green", "white"), f"map:{rows}"))

    after_it = after(start, QIN.decide(start, GREEN, place("Ry99Rz99")))

    assert after_it.provinces[0][0].size == 3
    assert QIN.notation.read_position(QIN.notation.write_position(after_it)) == after_it
