"""First hands, what a seat holds, and the draw (QIN-COMP-1, QIN-SETUP, QIN-TURN-1, QIN-DRAW)."""

import pytest

from rules.kernel.actors import AUDITOR, CHANCE, SPECTATOR, Viewer
from rules.kernel.rule import Rule
from rules.qin import rulebook
from rules.qin.events import TileDrawn, TilePlaced, TilesDealt
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DrawTile
from rules.qin.state import DEALING, DRAWING, PLACING
from rules.qin.tiles import EMPTY, Kind, hand_of
from tests.rules.qin.drawing import (
    FOUR,
    GREEN,
    THREE,
    TWO,
    VIOLET,
    WHITE,
    after,
    broken,
    events,
    judged,
    place,
    position,
)

NO_HANDS = {"green": "", "white": ""}


# The deal.


def test_when_every_seat_has_three_tiles_the_first_one_places() -> None:
    before = position("R.../....", turn="deal", hands=NO_HANDS)

    verdict = judged(before, "deal white RB YY ?")
    half = after(before, verdict)
    whole = after(half, judged(half, "deal green RR RR RR"))

    assert events(verdict) == (TilesDealt(WHITE, (Kind.YY, Kind.RB, None)),)
    assert half.turn == DEALING
    assert whole.turn == PLACING[GREEN]


@pytest.mark.parametrize(
    "move", ["deal white RR RR RR", "deal green RR RR", "deal green RR RR RR RR", "draw RR"]
)
def test_every_seat_is_dealt_one_hand_of_three(move: str) -> None:
    before = position("R.../....", turn="deal", hands={"green": "", "white": "BB BB BB"})

    verdict = judged(before, move)

    assert broken(verdict) == [rulebook.SETUP_2]


@pytest.mark.parametrize(
    ("rulings", "hand", "rules"),
    [
        ("", "RY RB YB", []),
        ("fair-start=redeal-all", "RY RB YB", [rulebook.SETUP_4]),
        ("fair-start=redeal-all", "RY RB YY", []),
        ("fair-start=redeal-all", "RY RB ?", []),
    ],
)
def test_the_fair_start_asks_for_a_one_colour_tile(rulings: str, hand: str, rules: list[Rule]) -> None:
    before = position("R.../....", turn="deal", hands=NO_HANDS, rulings=rulings)

    verdict = judged(before, f"deal green {hand}")

    assert broken(verdict) == rules


def test_there_is_no_seat_beyond_the_last() -> None:
    before = position("R.../....", turn="deal", hands=NO_HANDS)

    verdict = QIN.decide(before, CHANCE, DealTiles(VIOLET, (None, None, None)))

    assert broken(verdict) == [rulebook.SETUP_2]


# What a seat holds.


def test_a_tile_leaves_the_hand_when_it_is_placed() -> None:
    before = position("R.../....", hands={"green": "RR YY YB"})

    then = after(before, QIN.decide(before, GREEN, place("Yb1Bc1")))

    assert then.hands[GREEN] == hand_of((Kind.RR, Kind.YY))
    assert then.turn == DRAWING[GREEN]


def test_nobody_places_a_tile_that_is_not_held() -> None:
    before = position("R.../....", hands={"green": "RR YY RB"})

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert broken(verdict) == [rulebook.TURN_1]


def test_an_unknown_tile_may_be_any_that_is_left() -> None:
    before = position("R.../....", hands={"green": "RR YY ?"})

    then = after(before, QIN.decide(before, GREEN, place("Yb1Bc1")))

    assert then.hands[GREEN] == hand_of((Kind.RR, Kind.YY))


def test_a_tile_that_is_known_is_placed_before_one_that_is_not() -> None:
    before = position("R.../....", hands={"green": "YB ? ?"})

    then = after(before, QIN.decide(before, GREEN, place("Yb1Bc1")))

    assert then.hands[GREEN] == hand_of((None, None))


@pytest.mark.parametrize(("placed", "rules"), [("YB11", []), ("YB12", [rulebook.TURN_1])])
def test_a_thirteenth_tile_of_a_kind_is_never_placed(placed: str, rules: list[Rule]) -> None:
    before = position("R.../....", placed=placed)

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert broken(verdict) == rules


def test_a_seat_without_tiles_places_nothing() -> None:
    before = position("R.../....", hands={"green": "", "white": "YB"}, placed="RR12,YY12,BB12,RY12,RB12,YB11")

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert broken(verdict) == [rulebook.TURN_1]


def test_nobody_acts_out_of_turn() -> None:
    before = position("R.../....")

    verdict = QIN.decide(before, WHITE, place("Yb1Bc1"))

    assert broken(verdict) == [rulebook.TURN_1]


@pytest.mark.parametrize(
    ("rulings", "viewer", "seen"),
    [
        ("", GREEN, True),
        ("", WHITE, False),
        ("", SPECTATOR, False),
        ("", AUDITOR, True),
        ("hands=open", WHITE, True),
        ("hands=open", SPECTATOR, True),
    ],
)
def test_hands_are_hidden_from_others_unless_the_table_opens_them(
    rulings: str, viewer: Viewer, *, seen: bool
) -> None:
    before = position("R.../....", hands={"green": "RR YY RB"}, rulings=rulings)

    view = QIN.view(before, viewer)

    assert view.hands[GREEN] == (before.hands[GREEN] if seen else hand_of((None, None, None)))


# The draw.


def test_a_draw_refills_the_hand_and_ends_the_turn() -> None:
    before = position("R.../....", turn="draw:green", hands={"green": "RR YY"})

    verdict = QIN.decide(before, CHANCE, DrawTile(Kind.RB))

    assert events(verdict) == (TileDrawn(GREEN, Kind.RB, pile=None),)
    assert after(before, verdict).turn == PLACING[WHITE]


def test_a_thirteenth_tile_of_a_kind_is_never_drawn() -> None:
    before = position(
        "R.../....", turn="draw:green", hands={"green": "RB YY", "white": "RB ? ?"}, placed="RB10"
    )

    verdict = judged(before, "draw RB")

    assert broken(verdict) == [rulebook.COMP_1]


@pytest.mark.parametrize(
    ("rulings", "pile", "rules"),
    [
        ("", 4, []),
        ("", 5, [rulebook.DRAW_1]),
        ("piles=1", 1, []),
        ("piles=1", 2, [rulebook.DRAW_1]),
        ("piles=2", 3, [rulebook.DRAW_1]),
        ("piles=3", 4, [rulebook.DRAW_1]),
        ("piles=5", 5, []),
        ("piles=6", 6, []),
        ("piles=6", 7, [rulebook.DRAW_1]),
    ],
)
def test_a_tile_is_drawn_from_one_of_the_piles(rulings: str, pile: int, rules: list[Rule]) -> None:
    before = position("R.../....", turn="draw:green", hands={"green": "RR YY"}, rulings=rulings)

    verdict = judged(before, f"draw ? from {pile}")

    assert broken(verdict) == rules


@pytest.mark.parametrize(
    ("seats", "heights"), [(TWO, [17, 17, 16, 16]), (THREE, [16, 16, 16, 15]), (FOUR, [15, 15, 15, 15])]
)
def test_an_empty_pile_gives_nothing(seats: tuple[str, ...], heights: list[int]) -> None:
    for pile, height in enumerate(heights):
        refused = []
        for drawn in (height - 1, height):
            counts = [drawn if other == pile else 0 for other in range(4)]
            before = position(
                "R.../....",
                seats=seats,
                turn="draw:green",
                hands={"green": "RR YY"},
                options=f"drawn={'.'.join(map(str, counts))}",
            )
            refused.append(broken(judged(before, f"draw ? from {pile + 1}")))

        assert refused == [[], [rulebook.DRAW_1]]


def test_a_draw_is_due_and_not_a_deal() -> None:
    before = position("R.../....", turn="draw:green", hands={"green": "RR YY"})

    verdict = judged(before, "deal green RR YY RB")

    assert broken(verdict) == [rulebook.DRAW_1]


def test_a_seat_does_not_choose_what_it_draws() -> None:
    before = position("R.../....", hands={"green": "RR YY RB"})

    verdict = QIN.decide(before, GREEN, DrawTile(Kind.RB))

    assert broken(verdict) == [rulebook.TURN_1]


def test_when_the_piles_are_gone_nobody_draws() -> None:
    before = position("R.../....", placed="RR11,YY11,BB11,RY11,RB11,YB11")

    verdict = QIN.decide(before, GREEN, place("Yb1Bc1"))

    assert [type(event) for event in events(verdict)] == [TilePlaced]
    assert after(before, verdict).hands[GREEN] == hand_of((None, None))
    assert EMPTY not in after(before, verdict).hands
