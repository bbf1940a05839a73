"""How a match ends, and who may pass (QIN-END, QIN-TURN-2)."""

import pytest

from rules.kernel.actors import Seat
from rules.kernel.rule import Rule
from rules.qin import rulebook
from rules.qin.events import (
    MatchEnded,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TurnPassed,
    VillageConnected,
    VillageConquered,
)
from rules.qin.game import QIN
from rules.qin.moves import DeclareEnd, Pass
from rules.qin.state import PLACING, EndReason
from rules.qin.tiles import Colour, hand_of
from tests.rules.qin.drawing import (
    GREEN,
    THREE,
    VIOLET,
    WHITE,
    after,
    broken,
    caused,
    cells,
    changes,
    ending,
    events,
    holder,
    is_over,
    judged,
    place,
    position,
    province,
    winners,
)

ALL_BUT_ONE = "RR12,YY12,BB12,RY12,RB12,YB11"
ONLY_RED_RED_WOULD_TIE = """
    RR.RR
    ~~.~~
"""


# The last pagoda.


def test_x_end_1_a_major_founded_with_one_pagoda_left_wins_with_that_one() -> None:
    before = position(
        """
        .R..
        ...R
        .R..
        """,
        supplies={"green": 1},
    )

    verdict = QIN.decide(before, GREEN, place("Rb2Rc2"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.RED, cells(before, "b1 b2-d2 b3"), placed=1),
        MatchEnded(EndReason.LAST_PAGODA, (GREEN,)),
    )
    assert province(after(before, verdict), "b1").pagodas == 1


def test_x_end_2_the_last_pagoda_on_a_province_leaves_the_village_vacant() -> None:
    before = position("B../.v./...", supplies={"green": 1})

    verdict = QIN.decide(before, GREEN, place("Bb1Bc1"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.BLUE, cells(before, "a1-c1"), placed=1),
        MatchEnded(EndReason.LAST_PAGODA, (GREEN,)),
    )
    assert holder(after(before, verdict), "v") is None


def test_x_end_3_where_two_supplies_would_be_emptied_the_mover_wins() -> None:
    before = position("YYYY..R", white=["a1"], supplies={"green": 1, "white": 1})

    verdict = QIN.decide(before, GREEN, place("Ye1Rf1"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.RED, cells(before, "f1-g1"), placed=1),
        ProvinceExpanded(WHITE, Colour.YELLOW, cells(before, "a1-e1"), placed=0),
        MatchEnded(EndReason.LAST_PAGODA, (GREEN,)),
    )
    assert changes(before, verdict) == [-1, 0]


def test_x_end_4_the_last_pagoda_on_a_province_wins_before_a_village_comes_back() -> None:
    before = position(
        """
        RRRR..Y
        BBv....
        """,
        green=["a2"],
        white=["a1"],
        villages={"v": "green"},
        supplies={"green": 1},
    )

    verdict = QIN.decide(before, GREEN, place("Re1Yf1"))

    assert ending(verdict) == MatchEnded(EndReason.LAST_PAGODA, (GREEN,))
    assert holder(after(before, verdict), "v") == GREEN
    assert changes(before, verdict) == [-1, 0]


def test_x_end_4_under_last_pagoda_settled_the_village_comes_back_first() -> None:
    before = position(
        """
        RRRR..Y
        BBv....
        """,
        green=["a2"],
        white=["a1"],
        villages={"v": "green"},
        supplies={"green": 1},
        rulings="last-pagoda=settled",
    )

    verdict = QIN.decide(before, GREEN, place("Re1Yf1"))

    assert caused(verdict) == (
        ProvinceFounded(GREEN, Colour.YELLOW, cells(before, "f1-g1"), placed=1),
        ProvinceExpanded(WHITE, Colour.RED, cells(before, "a1-e1"), placed=1),
        VillageConquered(WHITE, GREEN, village=0, placed=1),
    )
    assert changes(before, verdict) == [0, -2]


@pytest.mark.parametrize(("rulings", "winner"), [("", WHITE), ("last-pagoda=settled", GREEN)])
def test_the_movers_village_comes_after_an_opponents_province_unless_settled(
    rulings: str, winner: Seat
) -> None:
    before = position(
        """
        YYYY..R
        .....v.
        """,
        white=["a1"],
        supplies={"green": 2, "white": 1},
        rulings=rulings,
    )

    then = after(before, QIN.decide(before, GREEN, place("Ye1Rf1")))

    assert winners(then) == (winner,)


def test_after_the_mover_the_seats_come_clockwise() -> None:
    before = position(
        "BBBB../RRRR../......",
        seats=THREE,
        to_act="white",
        green=["a1"],
        violet=["a2"],
        supplies={"green": 1, "violet": 1},
    )

    then = after(before, QIN.decide(before, WHITE, place("Be1Re2")))

    assert winners(then) == (VIOLET,)
    assert province(then, "a1").pagodas == 1


def test_a_second_conquest_that_is_cut_short_leaves_its_village_vacant() -> None:
    before = position(
        """
        BBv.wYY
        ..RRRR.
        .......
        """,
        seats=THREE,
        green=["c2"],
        white=["a1"],
        violet=["f1"],
        villages={"v": "white", "w": "violet"},
        supplies={"green": 2},
    )

    verdict = QIN.decide(before, GREEN, place("Rg2Bg3"))

    assert caused(verdict)[1:] == (
        VillageConquered(GREEN, WHITE, village=0, placed=1),
        VillageConquered(GREEN, VIOLET, village=1, placed=0),
        MatchEnded(EndReason.LAST_PAGODA, (GREEN,)),
    )
    assert changes(before, verdict) == [-2, +1, +1]


def test_the_winner_by_the_last_pagoda_stands_first_whatever_others_have_on_the_board() -> None:
    before = position("RRRRR./YYYYY./B.....", white=["a1", "a2"], supplies={"green": 1})

    outcome = QIN.outcome(after(before, QIN.decide(before, GREEN, place("Bb3Rc3"))))

    assert outcome is not None
    assert outcome.ranking == ((GREEN,), (WHITE,))


# Nobody can place.


def test_x_end_5_without_tiles_the_most_pagodas_on_the_board_win() -> None:
    before = position(
        "Y..RR/BB...",
        green=["a2"],
        white=["d1"],
        hands={"green": "YB", "white": ""},
        placed=ALL_BUT_ONE,
    )

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert ending(verdict) == MatchEnded(EndReason.NO_PLACEMENT, (GREEN,))


def test_x_end_5_without_tiles_equal_numbers_share_the_victory() -> None:
    before = position(
        "Y..RR/.....",
        white=["d1"],
        hands={"green": "YB", "white": ""},
        placed=ALL_BUT_ONE,
    )

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert ending(verdict) == MatchEnded(EndReason.NO_PLACEMENT, (GREEN, WHITE))


@pytest.mark.parametrize("between", ["~", "v"])
def test_x_end_6_a_free_pair_behind_water_or_a_village_is_no_room(between: str) -> None:
    before = position(f"R..{between}..")

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert caused(verdict) == (MatchEnded(EndReason.NO_PLACEMENT, (GREEN, WHITE)),)


def test_x_end_7_a_seat_whose_tiles_would_all_tie_passes_without_a_draw() -> None:
    before = position(
        ONLY_RED_RED_WOULD_TIE,
        green=["a1"],
        white=["d1"],
        hands={"green": "RR RR RR", "white": "RB RB RB"},
    )

    verdict = QIN.decide(before, GREEN, Pass())
    then = after(before, verdict)

    assert list(QIN.legal_moves(before, GREEN)) == [Pass()]
    assert events(verdict) == (TurnPassed(GREEN),)
    assert then.turn == PLACING[WHITE]
    assert then.hands == before.hands


def test_x_end_8_nobody_passes_who_can_place() -> None:
    before = position("R.../....", hands={"green": "RR YY RB"})

    verdict = QIN.decide(before, GREEN, Pass())

    assert broken(verdict) == [rulebook.TURN_2]


def test_under_stuck_end_a_seat_that_cannot_place_ends_the_match() -> None:
    before = position(
        ONLY_RED_RED_WOULD_TIE,
        turn="draw:white",
        green=["a1"],
        white=["d1"],
        hands={"green": "RR RR RR", "white": "RB RB"},
        rulings="stuck=end",
    )

    verdict = judged(before, "draw RB")

    assert ending(verdict) == MatchEnded(EndReason.NO_PLACEMENT, (GREEN, WHITE))


def test_under_stuck_pass_it_does_not() -> None:
    before = position(
        ONLY_RED_RED_WOULD_TIE,
        turn="draw:white",
        green=["a1"],
        white=["d1"],
        hands={"green": "RR RR RR", "white": "RB RB"},
    )

    verdict = judged(before, "draw RB")

    assert after(before, verdict).turn == PLACING[GREEN]


@pytest.mark.parametrize(("rulings", "rules"), [("", []), ("stuck=end", [rulebook.TURN_2])])
def test_nobody_passes_under_stuck_end(rulings: str, rules: list[Rule]) -> None:
    before = position("R.../....", rulings=rulings)

    verdict = QIN.decide(before, GREEN, Pass())

    assert broken(verdict) == rules


def test_the_match_is_over_when_the_board_is_full() -> None:
    before = position("R..")

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert ending(verdict) == MatchEnded(EndReason.NO_PLACEMENT, (GREEN, WHITE))


def test_whether_anybody_can_place_is_asked_after_the_draw() -> None:
    before = position("R..", hands={"green": "YB RR RR"})

    full = after(before, QIN.decide(before, GREEN, place("Yb1Bc1")))

    assert not is_over(full)
    assert is_over(after(full, judged(full, "draw ?")))


def test_the_match_is_over_when_every_kind_that_is_left_would_tie() -> None:
    before = position(
        """
        RR.RR~Y..
        ~~.~~~~~~
        """,
        green=["a1"],
        white=["d1"],
        placed="RR5,YY12,BB12,RY12,RB12,YB12",
    )

    verdict = QIN.decide(before, GREEN, place("Rh1Ri1"))

    assert ending(verdict) == MatchEnded(EndReason.NO_PLACEMENT, (GREEN,))


def test_where_hands_are_unknown_the_table_may_end_the_match() -> None:
    before = position("RR../....", white=["a1"])

    verdict = QIN.decide(before, GREEN, DeclareEnd())

    assert events(verdict) == (MatchEnded(EndReason.NO_PLACEMENT, (WHITE,)),)


def test_the_table_may_not_end_the_match_while_a_known_tile_can_be_placed() -> None:
    before = position("R.../....", hands={"white": "RR"})

    verdict = QIN.decide(before, GREEN, DeclareEnd())

    assert broken(verdict) == [rulebook.END_3]


def test_when_every_seat_has_passed_nobody_passes_again() -> None:
    before = position("R.../....", options="passes=2")

    verdict = QIN.decide(before, GREEN, Pass())

    assert broken(verdict) == [rulebook.END_3]


def test_a_placement_begins_the_count_of_passes_anew() -> None:
    before = position("R.../....", options="passes=2")

    then = after(before, QIN.decide(before, GREEN, place("Yb1Bc1")))

    assert then.passes == 0


def test_a_village_counts_one_and_a_double_pagoda_two_in_the_end() -> None:
    before = position(
        """
        YYYYY..
        BBBv.RR
        .......
        """,
        green=["a2", "f2"],
        white=["a1"],
        villages={"v": "white"},
    )

    then = after(before, QIN.decide(before, GREEN, DeclareEnd()))

    assert [then.on_board(seat) for seat in (GREEN, WHITE)] == [2, 3]
    assert winners(then) == (WHITE,)


def test_a_village_connected_with_the_last_pagoda_wins() -> None:
    before = position("BB../..v./....", white=["a1"], supplies={"white": 1})

    verdict = QIN.decide(before, GREEN, place("Bc1Yd1"))

    assert caused(verdict)[1:] == (
        VillageConnected(WHITE, village=0),
        MatchEnded(EndReason.LAST_PAGODA, (WHITE,)),
    )


def test_nothing_is_placed_after_the_end() -> None:
    before = position("R../...", turn="over:no-placement")

    verdict = QIN.decide(before, GREEN, place("Rb1Bc1"))

    assert broken(verdict) == [rulebook.TURN_1]


@pytest.mark.parametrize("hands", [None, {"green": "RB ? ?"}], ids=["unrecorded", "recorded"])
def test_nothing_is_drawn_after_the_last_pagoda(hands: dict[str, str] | None) -> None:
    before = position("R../...", supplies={"green": 1}, hands=hands)

    then = after(before, QIN.decide(before, GREEN, place("Rb1Bc1")))

    assert is_over(then)
    assert then.hands[GREEN] == hand_of((None, None))
    assert then.stock == before.stock


def test_what_is_put_down_may_be_reported_before_what_goes_back_for_it() -> None:
    before = QIN.notation.read_position(
        "map:RRRR....../........../.......... RRRR....../..BB.BBB../.........."
        " green:1:c2::?,?,? violet:20:f2::?,?,? place:green BB3"
    )
    _, move = QIN.notation.read_move(before, "green Re1Be2")
    verdict = QIN.decide(before, GREEN, move)
    assert isinstance(verdict, tuple)

    step_by_step = before
    for event in verdict:
        step_by_step = QIN.evolve(step_by_step, event)

    assert [type(event) for event in verdict[1:3]] == [ProvinceFounded, ProvincesJoined]
    assert step_by_step == QIN.fold(before, verdict)
    assert winners(step_by_step) == (GREEN,)
