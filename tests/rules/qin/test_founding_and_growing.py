"""What a tile makes of singles and of one province (QIN-PROV, QIN-FOUND, QIN-EXPAND, QIN-MAJOR)."""

import pytest

from rules.qin.events import MatchEnded, ProvinceExpanded, ProvinceFounded
from rules.qin.game import QIN
from rules.qin.state import EndReason
from rules.qin.tiles import Colour
from tests.rules.qin.drawing import (
    GREEN,
    THREE,
    VIOLET,
    WHITE,
    after,
    caused,
    cells,
    changes,
    holder,
    is_over,
    judged,
    place,
    position,
    province,
)


def test_ex_found_1_a_yellow_red_tile_founds_two_provinces() -> None:
    before = position("Y..R/....", seats=THREE, to_act="violet")

    verdict = QIN.decide(before, VIOLET, place("Yb1Rc1"))

    assert caused(verdict) == (
        ProvinceFounded(VIOLET, Colour.RED, cells(before, "c1-d1"), placed=1),
        ProvinceFounded(VIOLET, Colour.YELLOW, cells(before, "a1-b1"), placed=1),
    )
    assert changes(before, verdict) == [0, 0, -2]


def test_ex_found_2_a_yellow_tile_and_a_single_found_one_province_of_three() -> None:
    before = position("Y../...", seats=THREE, to_act="violet")

    verdict = QIN.decide(before, VIOLET, place("Yb1Yc1"))

    assert caused(verdict) == (ProvinceFounded(VIOLET, Colour.YELLOW, cells(before, "a1-c1"), placed=1),)
    assert changes(before, verdict) == [0, 0, -1]


def test_ex_expand_1_a_tile_enlarges_a_province_of_the_mover_and_one_of_another() -> None:
    before = position("YYY..RR/.......", seats=THREE, green=["a1"], violet=["f1"])

    verdict = QIN.decide(before, GREEN, place("Yd1Re1"))

    assert caused(verdict) == (
        ProvinceExpanded(GREEN, Colour.YELLOW, cells(before, "a1-d1"), placed=0),
        ProvinceExpanded(VIOLET, Colour.RED, cells(before, "e1-g1"), placed=0),
    )
    assert changes(before, verdict) == [0, 0, 0]


def test_ex_expand_2_the_same_tile_turned_round_causes_nothing() -> None:
    before = position("YYY..RR/.......", seats=THREE, green=["a1"], violet=["f1"])

    verdict = QIN.decide(before, GREEN, place("Rd1Ye1"))

    assert caused(verdict) == ()
    assert after(before, verdict).provinces == before.provinces


def test_ex_major_1_the_fifth_cell_brings_a_second_pagoda() -> None:
    before = position("YYY../.....", green=["a1"])

    verdict = QIN.decide(before, GREEN, place("Yd1Ye1"))

    assert caused(verdict) == (ProvinceExpanded(GREEN, Colour.YELLOW, cells(before, "a1-e1"), placed=1),)
    assert changes(before, verdict) == [-1, 0]


def test_x_found_1_three_singles_and_a_one_colour_tile_found_a_major() -> None:
    before = position("""
        .R..
        ...R
        .R..
    """)

    verdict = QIN.decide(before, GREEN, place("Rb2Rc2"))

    assert caused(verdict) == (ProvinceFounded(GREEN, Colour.RED, cells(before, "b1 b2-d2 b3"), placed=2),)
    assert changes(before, verdict) == [-2, 0]
    assert province(after(before, verdict), "b1").major


def test_x_found_2_a_half_founds_a_province_with_two_singles() -> None:
    before = position("R.R./....")

    verdict = QIN.decide(before, GREEN, place("Rb1Bb2"))

    assert caused(verdict) == (ProvinceFounded(GREEN, Colour.RED, cells(before, "a1-c1"), placed=1),)
    assert changes(before, verdict) == [-1, 0]


def test_x_found_3_singles_beside_a_village_cause_nothing() -> None:
    before = position("""
        R...
        .v..
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Bb1Yc1"))

    assert caused(verdict) == ()
    assert holder(after(before, verdict), "v") is None


def test_x_exp_1_a_tile_that_reaches_over_to_a_single_makes_its_owner_a_major() -> None:
    before = position("RR..R/.....", white=["a1"])

    verdict = QIN.decide(before, GREEN, place("Rc1Rd1"))

    assert caused(verdict) == (ProvinceExpanded(WHITE, Colour.RED, cells(before, "a1-e1"), placed=1),)
    assert changes(before, verdict) == [0, -1]


def test_x_exp_2_a_player_may_win_in_anothers_turn() -> None:
    before = position("YYYY../......", white=["a1"], supplies={"white": 1})

    verdict = QIN.decide(before, GREEN, place("Ye1Bf1"))

    assert caused(verdict) == (
        ProvinceExpanded(WHITE, Colour.YELLOW, cells(before, "a1-e1"), placed=1),
        MatchEnded(EndReason.LAST_PAGODA, (WHITE,)),
    )
    assert is_over(after(before, verdict))


@pytest.mark.parametrize(
    ("drawing", "tile", "pagodas"),
    [
        ("YY.../.....", "Yc1Yd1", 0),  # two to four
        ("YYY../.....", "Yd1Bd2", 0),  # three to four
        ("YYYY./.....", "Ye1Be2", 1),  # four to five
        ("YYYY../......", "Ye1Yf1", 1),  # four to six
        ("YYYYY./......", "Yf1Bf2", 0),  # five to six
    ],
)
def test_the_second_pagoda_comes_once_with_the_fifth_cell(drawing: str, tile: str, pagodas: int) -> None:
    before = position(drawing, green=["a1"])

    verdict = QIN.decide(before, GREEN, place(tile))

    assert changes(before, verdict) == [-pagodas, 0]


def test_one_tile_makes_two_majors() -> None:
    before = position("BBBB../RRRR../......", green=["a2"], white=["a1"])

    verdict = QIN.decide(before, GREEN, place("Be1Re2"))

    assert caused(verdict) == (
        ProvinceExpanded(GREEN, Colour.RED, cells(before, "a2-e2"), placed=1),
        ProvinceExpanded(WHITE, Colour.BLUE, cells(before, "a1-e1"), placed=1),
    )


def test_a_half_that_touches_one_province_twice_enlarges_it_once() -> None:
    before = position("RR./R../...", green=["a1"])

    verdict = QIN.decide(before, GREEN, place("Rb2Bc2"))

    assert caused(verdict) == (ProvinceExpanded(GREEN, Colour.RED, cells(before, "a1-b1 a2-b2"), placed=0),)


def test_starts_printed_side_by_side_belong_to_nobody_until_a_tile_meets_them() -> None:
    before = position("RRRRR./......", board="RRRRR./......")

    verdict = judged(before, "green Rf1Bf2")

    assert before.provinces == ((), (), ())
    assert caused(verdict) == (ProvinceFounded(GREEN, Colour.RED, cells(before, "a1-f1"), placed=2),)
