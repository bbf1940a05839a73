"""Provinces that a tile makes one, and who gets them (QIN-ABSORB)."""

import pytest

from rules.kernel.rule import Rule
from rules.qin import rulebook
from rules.qin.events import ProvincesJoined, VillageConquered
from rules.qin.game import QIN
from rules.qin.tiles import Colour
from tests.rules.qin.drawing import (
    BLACK,
    FOUR,
    GREEN,
    THREE,
    VIOLET,
    WHITE,
    after,
    broken,
    caused,
    cells,
    changes,
    is_over,
    place,
    position,
    province,
)

TWO_MINORS_ROUND_A_MAJOR = """
    RRRR.....
    ...R.....
    RRR.RRR..
    .........
"""
TWO_AND_TWO_AGAINST_THREE = """
    ..R...
    ..R...
    RR.RRR
    ......
"""
FOUR_AGAINST_TWO_AND_TWO = """
    RRR...
    ..R...
    RR.RR.
    ......
"""
TWO_AGAINST_TWO_AND_A_SINGLE = """
    ..R..
    RR.RR
    .....
"""


def test_ex_absorb_1_the_larger_province_takes_the_smaller_and_its_village() -> None:
    before = position(
        """
        RR.RRR
        v.....
        """,
        green=["d1"],
        white=["a1"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Rc1Bc2"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-f1"), placed=1, returned=(0, 1)),
        VillageConquered(GREEN, WHITE, village=0, placed=1),
    )
    assert changes(before, verdict) == [-2, +2]


def test_ex_absorb_2_a_major_and_a_minor_take_a_third_province_and_give_a_pagoda_back() -> None:
    before = position(
        """
        RRRR.
        ..R..
        RR.RR
        .....
        """,
        green=["a1", "d3"],
        white=["a3"],
    )

    verdict = QIN.decide(before, GREEN, place("Rc3Yc4"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-d1 c2 a3-e3"), placed=0, returned=(1, 1)),
    )
    assert changes(before, verdict) == [+1, +1]
    assert province(after(before, verdict), "a1").size == 10


def test_ex_absorb_3_a_tie_for_the_most_cells_forbids_the_join() -> None:
    before = position("RR.RR/.....", green=["a1"], white=["d1"])

    verdict = QIN.decide(before, GREEN, place("Rc1Yc2"))

    assert broken(verdict) == [rulebook.ABSORB_4]


def test_x_abs_1_a_players_own_minors_joined_need_no_pagoda_from_the_supply() -> None:
    before = position("RR.RR/.....", green=["a1", "d1"], supplies={"green": 1})

    verdict = QIN.decide(before, GREEN, place("Rc1Yc2"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-e1"), placed=0, returned=(0, 0)),
    )
    assert changes(before, verdict) == [0, 0]
    assert not is_over(after(before, verdict))


def test_x_abs_2_three_minors_of_one_player_give_a_pagoda_back() -> None:
    before = position(
        """
        ..R..
        ..R..
        RR.RR
        .....
        """,
        green=["c1", "a3", "d3"],
    )

    verdict = QIN.decide(before, GREEN, place("Rc3Yc4"))

    assert changes(before, verdict) == [+1, 0]
    assert province(after(before, verdict), "c1").size == 7


def test_x_abs_3_a_third_player_may_join_two_others() -> None:
    before = position("RRR.RR/......", seats=THREE, to_act="violet", green=["e1"], white=["a1"])

    verdict = QIN.decide(before, VIOLET, place("Rd1Yd2"))

    assert caused(verdict) == (
        ProvincesJoined(WHITE, Colour.RED, cells(before, "a1-f1"), placed=1, returned=(1, 0, 0)),
    )
    assert changes(before, verdict) == [+1, -1, 0]


def test_x_abs_4_provinces_of_one_player_are_added_up() -> None:
    before = position(TWO_AND_TWO_AGAINST_THREE, green=["c1", "a3"], white=["d3"])

    verdict = QIN.decide(before, GREEN, place("Rc3Yc4"))

    assert province(after(before, verdict), "c1").owner == GREEN
    assert province(after(before, verdict), "c1").size == 8
    assert changes(before, verdict) == [0, +1]


def test_x_abs_4_under_join_count_largest_the_largest_province_decides() -> None:
    before = position(
        TWO_AND_TWO_AGAINST_THREE, green=["c1", "a3"], white=["d3"], rulings="join-count=largest"
    )

    verdict = QIN.decide(before, GREEN, place("Rc3Yc4"))

    assert province(after(before, verdict), "c1").owner == WHITE
    assert changes(before, verdict) == [+2, -1]


def test_x_abs_5_a_tie_behind_the_leader_does_not_forbid_the_join() -> None:
    before = position(
        FOUR_AGAINST_TWO_AND_TWO, seats=FOUR, to_act="violet", green=["a1"], white=["a3"], black=["d3"]
    )

    verdict = QIN.decide(before, VIOLET, place("Rc3Yc4"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-c1 c2 a3-e3"), placed=1, returned=(0, 1, 0, 1)),
    )
    assert changes(before, verdict) == [-1, +1, 0, +1]


def test_x_abs_5_under_join_tie_any_it_does() -> None:
    before = position(
        FOUR_AGAINST_TWO_AND_TWO,
        seats=FOUR,
        to_act="violet",
        green=["a1"],
        white=["a3"],
        black=["d3"],
        rulings="join-tie=any",
    )

    verdict = QIN.decide(before, VIOLET, place("Rc3Yc4"))

    assert broken(verdict) == [rulebook.ABSORB_4]


def test_x_abs_6_a_major_outnumbered_by_minors_of_one_player_forbids_the_join() -> None:
    before = position(TWO_MINORS_ROUND_A_MAJOR, green=["a1"], white=["a3", "e3"])

    verdict = QIN.decide(before, GREEN, place("Rd3Yd4"))

    assert broken(verdict) == [rulebook.ABSORB_6]


def test_x_abs_6_under_major_keeps_its_owner_takes_everything() -> None:
    before = position(
        TWO_MINORS_ROUND_A_MAJOR, green=["a1"], white=["a3", "e3"], rulings="major-conflict=major-keeps"
    )

    verdict = QIN.decide(before, GREEN, place("Rd3Yd4"))

    assert province(after(before, verdict), "a1").owner == GREEN
    assert province(after(before, verdict), "a1").size == 12
    assert changes(before, verdict) == [0, +2]


@pytest.mark.parametrize(
    ("rulings", "rules"), [("", [rulebook.ABSORB_6]), ("major-conflict=major-keeps", [])]
)
def test_x_abs_7_a_major_equalled_by_minors_of_one_player(rulings: str, rules: list[Rule]) -> None:
    before = position(
        """
        RRRR.....
        ...R.....
        RRR.RR...
        .........
        """,
        green=["a1"],
        white=["a3", "e3"],
        rulings=rulings,
    )

    verdict = QIN.decide(before, GREEN, place("Rd3Yd4"))

    assert broken(verdict) == rules


def test_x_abs_8_two_majors_of_one_player_are_never_joined() -> None:
    before = position("RRRRR.RRRRR/...........", green=["a1", "g1"])

    verdict = QIN.decide(before, GREEN, place("Rf1Yf2"))

    assert broken(verdict) == [rulebook.ABSORB_5]


def test_x_abs_8_two_majors_of_two_players_are_never_joined() -> None:
    before = position("RRRRR.RRRRR/...........", green=["a1"], white=["g1"])

    verdict = QIN.decide(before, GREEN, place("Rf1Yf2"))

    assert broken(verdict) == [rulebook.ABSORB_5]


def test_x_abs_9_a_single_on_the_way_counts_for_nobody() -> None:
    before = position(TWO_AGAINST_TWO_AND_A_SINGLE, green=["a2"], white=["d2"])

    verdict = QIN.decide(before, GREEN, place("Rc2Yc3"))

    assert broken(verdict) == [rulebook.ABSORB_4]


def test_x_abs_9_under_singles_mover_it_counts_for_the_mover() -> None:
    before = position(TWO_AGAINST_TWO_AND_A_SINGLE, green=["a2"], white=["d2"], rulings="singles=mover")

    verdict = QIN.decide(before, GREEN, place("Rc2Yc3"))

    assert province(after(before, verdict), "c1").owner == GREEN
    assert changes(before, verdict) == [-1, +1]


def test_x_abs_10_the_mover_may_lose_by_a_join() -> None:
    before = position("RRR..RR/.......", to_act="white", green=["a1"], white=["f1"])

    verdict = QIN.decide(before, WHITE, place("Rd1Re1"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-g1"), placed=1, returned=(0, 1)),
    )
    assert changes(before, verdict) == [-1, +1]


def test_x_abs_11_one_forbidden_half_forbids_the_tile() -> None:
    before = position(
        """
        RR.RR
        BB...
        """,
        green=["a1", "a2"],
        white=["d1"],
    )

    verdict = QIN.decide(before, GREEN, place("Rc1Bc2"))

    assert broken(verdict) == [rulebook.ABSORB_4]


def test_x_abs_12_a_major_takes_in_a_minor() -> None:
    before = position("RRRRR.RRRR/..........", green=["a1"], white=["g1"])

    verdict = QIN.decide(before, GREEN, place("Rf1Yf2"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a1-j1"), placed=0, returned=(0, 1)),
    )
    assert changes(before, verdict) == [0, +1]


def test_a_major_is_not_outnumbered_by_two_players_together() -> None:
    before = position(TWO_MINORS_ROUND_A_MAJOR, seats=FOUR, green=["a1"], white=["a3"], black=["e3"])

    verdict = QIN.decide(before, GREEN, place("Rd3Yd4"))

    assert province(after(before, verdict), "a1").owner == GREEN
    assert changes(before, verdict) == [0, +1, 0, +1]


def test_four_provinces_are_the_most_that_one_tile_joins() -> None:
    before = position(
        """
        ..R...
        ..R...
        RR..RR
        ...R..
        ...R..
        """,
        seats=FOUR,
        to_act="black",
        green=["c1", "d4"],
        white=["a3"],
        violet=["e3"],
    )

    verdict = QIN.decide(before, BLACK, place("Rc3Rd3"))

    assert caused(verdict) == (
        ProvincesJoined(
            GREEN, Colour.RED, cells(before, "c1-c2 a3-f3 d4-d5"), placed=0, returned=(0, 1, 1, 0)
        ),
    )


def test_two_halves_that_may_not_join_are_reported_by_rule_in_order() -> None:
    before = position(
        """
        RRRRR.RRRRR
        ...BB.BB...
        ...........
        """,
        green=["a1", "g1", "d2"],
        white=["g2"],
    )

    verdict = QIN.decide(before, GREEN, place("Rf1Bf2"))

    assert broken(verdict) == [rulebook.ABSORB_4, rulebook.ABSORB_5]
