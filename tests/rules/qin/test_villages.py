"""Who takes a village and who keeps it (QIN-VIL)."""

import pytest

from rules.qin.events import (
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    VillageConnected,
    VillageConquered,
)
from rules.qin.game import QIN
from rules.qin.tiles import Colour
from tests.rules.qin.drawing import (
    BLACK,
    FOUR,
    GREEN,
    VIOLET,
    WHITE,
    after,
    caused,
    cells,
    changes,
    holder,
    place,
    position,
)


def test_ex_connect_1_a_founding_beside_a_vacant_village_takes_it() -> None:
    before = position("""
        B..
        .v.
        ...
    """)

    verdict = QIN.decide(before, GREEN, place("Bb1Bc1"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.BLUE, cells(before, "a1-c1"), placed=1),
        VillageConnected(GREEN, village=0),
    )
    assert changes(before, verdict) == [-2, 0]


def test_ex_conquer_1_a_second_province_beside_a_village_conquers_it() -> None:
    before = position(
        """
        ..B..
        .RB..
        ..v..
        ..Y..
        ..Y..
        """,
        green=["c4"],
        white=["c1"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Rb3Ra3"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.RED, cells(before, "b2 a3-b3"), placed=1),
        VillageConquered(GREEN, WHITE, village=0, placed=1),
    )
    assert changes(before, verdict) == [-2, +1]


def test_ex_conquer_2_a_new_major_beside_a_village_conquers_it() -> None:
    before = position(
        """
        ..B..
        ..B..
        ..v..
        ..Y..
        YYY..
        """,
        green=["c4"],
        white=["c1"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Yd5Re5"))

    assert caused(verdict) == (
        ProvinceExpanded(GREEN, Colour.YELLOW, cells(before, "c4 a5-d5"), placed=1),
        VillageConquered(GREEN, WHITE, village=0, placed=1),
    )
    assert changes(before, verdict) == [-2, +1]


def test_x_vil_1_two_who_arrive_with_equal_strength_leave_a_village_vacant() -> None:
    before = position(
        """
        BB..R
        ..vv.
        .....
        """,
        white=["a1"],
    )

    verdict = QIN.decide(before, GREEN, place("Bc1Rd1"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.RED, cells(before, "d1-e1"), placed=1),
        ProvinceExpanded(WHITE, Colour.BLUE, cells(before, "a1-c1"), placed=0),
    )
    assert holder(after(before, verdict), "v") is None
    assert changes(before, verdict) == [-1, 0]


def test_x_vil_2_a_tie_at_a_vacant_village_is_broken_by_a_major() -> None:
    before = position(
        """
        ..BBBRR
        ....vv.
        .......
        """,
        to_act="white",
        green=["f1"],
        white=["c1"],
    )

    verdict = QIN.decide(before, WHITE, place("Ba1Bb1"))

    assert caused(verdict) == (
        ProvinceExpanded(WHITE, Colour.BLUE, cells(before, "a1-e1"), placed=1),
        VillageConnected(WHITE, village=0),
    )
    assert changes(before, verdict) == [0, -2]


def test_x_vil_3_a_province_that_borders_a_village_twice_counts_once() -> None:
    before = position(
        """
        YY..
        Yv..
        .RR.
        ....
        """,
        green=["a1"],
        white=["b3"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Yc1Bd1"))

    assert holder(after(before, verdict), "v") == WHITE
    assert changes(before, verdict) == [0, 0]


def test_x_vil_4_a_village_of_two_cells_takes_one_pagoda() -> None:
    before = position("""
        B...
        .vv.
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Bb1Bc1"))

    assert holder(after(before, verdict), "v") == GREEN
    assert changes(before, verdict) == [-2, 0]


def test_x_vil_5_a_village_may_be_lost_on_ones_own_turn() -> None:
    before = position(
        """
        RRRR..
        BBv...
        """,
        green=["a2"],
        white=["a1"],
        villages={"v": "green"},
    )

    verdict = QIN.decide(before, GREEN, place("Re1Yf1"))

    assert caused(verdict) == (
        ProvinceExpanded(WHITE, Colour.RED, cells(before, "a1-e1"), placed=1),
        VillageConquered(WHITE, GREEN, village=0, placed=1),
    )
    assert changes(before, verdict) == [+1, -2]


def test_x_vil_6_two_level_challengers_leave_the_holder_in_place() -> None:
    before = position(
        """
        ......
        ..BBBB
        YYv...
        ..RRRR
        """,
        seats=FOUR,
        to_act="violet",
        green=["a3"],
        white=["c2"],
        black=["c4"],
        villages={"v": "green"},
    )

    verdict = QIN.decide(before, VIOLET, place("Be3Rf3"))

    assert holder(after(before, verdict), "v") == GREEN
    assert changes(before, verdict) == [0, -1, 0, -1]


def test_x_vil_7_a_holder_without_a_province_there_keeps_what_others_tie_for() -> None:
    before = position(
        """
        YYY...
        ..RRRR
        YYv...
        """,
        seats=FOUR,
        to_act="violet",
        green=["a3"],
        white=["a1"],
        black=["c2"],
        villages={"v": "green"},
    )

    verdict = QIN.decide(before, VIOLET, place("Ya2Rb2"))

    assert caused(verdict) == (
        ProvinceExpanded(BLACK, Colour.RED, cells(before, "b2-f2"), placed=1),
        ProvincesJoined(
            WHITE, Colour.YELLOW, cells(before, "a1-c1 a2 a3-b3"), placed=1, returned=(1, 0, 0, 0)
        ),
    )
    assert holder(after(before, verdict), "v") == GREEN
    assert changes(before, verdict) == [+1, -1, 0, -1]


def test_x_vil_8_a_holders_strength_may_fall_by_joining_their_own_provinces() -> None:
    before = position(
        """
        ...RRRR
        B..R..R
        B..R..R
        BBBvYYR
        ...RR.R
        .......
        """,
        green=["d1", "d5"],
        white=["a2", "e4"],
        villages={"v": "green"},
    )

    verdict = QIN.decide(before, GREEN, place("Rf5Bf6"))

    assert holder(after(before, verdict), "v") == WHITE
    assert changes(before, verdict) == [+2, -1]


def test_x_vil_9_villages_round_one_joined_province_are_judged_each_for_itself() -> None:
    before = position(
        """
        v.x..w
        RR.RRR
        ......
        """,
        green=["d2"],
        white=["a2"],
        villages={"v": "white", "w": "green"},
    )

    verdict = QIN.decide(before, GREEN, place("Rc2Yc3"))

    assert caused(verdict) == (
        ProvincesJoined(GREEN, Colour.RED, cells(before, "a2-f2"), placed=1, returned=(0, 1)),
        VillageConquered(GREEN, WHITE, village=0, placed=1),
        VillageConnected(GREEN, village=2),
    )
    assert changes(before, verdict) == [-3, +2]


@pytest.mark.parametrize(("v", "x", "w"), [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")])
def test_x_vil_9_the_names_of_villages_do_not_decide_who_gets_them(v: str, x: str, w: str) -> None:
    before = position(
        f"{v}.{x}..{w}/RR.RRR/......", green=["d2"], white=["a2"], villages={v: "white", w: "green"}
    )

    then = after(before, QIN.decide(before, GREEN, place("Rc2Yc3")))

    assert [holder(then, village) for village in (v, x, w)] == [GREEN, GREEN, GREEN]


def test_two_villages_side_by_side_take_a_pagoda_each() -> None:
    before = position("""
        B...
        .vw.
        ....
    """)

    verdict = QIN.decide(before, GREEN, place("Bb1Bc1"))

    assert changes(before, verdict) == [-3, 0]


def test_two_minors_do_not_conquer_from_a_major() -> None:
    before = position(
        """
        BBBB.
        ..B..
        YYv..
        .....
        ..R..
        """,
        green=["a3"],
        white=["a1"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Rc4Bd4"))

    assert holder(after(before, verdict), "v") == WHITE


def test_three_minors_conquer_from_a_major() -> None:
    before = position(
        """
        BBBB.
        ..B..
        YYv..
        ..R..
        ..R..
        """,
        green=["a3", "c4"],
        white=["a1"],
        villages={"v": "white"},
    )

    verdict = QIN.decide(before, GREEN, place("Yd3Yd4"))

    assert holder(after(before, verdict), "v") == GREEN


def test_a_village_beyond_a_corner_is_out_of_reach() -> None:
    before = position("""
        B....
        ..v..
        .....
    """)

    verdict = QIN.decide(before, GREEN, place("Bb1Yc1"))

    assert caused(verdict) == (ProvinceFounded(GREEN, Colour.BLUE, cells(before, "a1-b1"), placed=1),)
