"""What happened, in words, and by which rules."""

import pytest

from rules.kernel.display import EventText
from rules.kernel.rule import RuleId
from rules.qin.game import QIN
from rules.qin.state import State
from tests.rules.qin.drawing import THREE, events, judged, position


def described(state: State, text: str) -> list[EventText]:
    """What a legal move did, event by event."""
    found = []
    for event in events(judged(state, text)):
        found.append(QIN.display.describe(state, event))
        state = QIN.evolve(state, event)
    return found


def words(state: State, text: str) -> list[str]:
    return [each.text for each in described(state, text)]


def cited(state: State, text: str) -> list[RuleId]:
    return [rule.id for each in described(state, text) for rule in each.rules]


def test_a_tile_of_two_colours_is_described_by_its_halves() -> None:
    assert words(position("R../..."), "green Yb1Bb2") == ["green placed yellow on b1 and blue on b2"]


def test_a_founding_is_described_with_its_pagoda() -> None:
    state = position("R../...")

    assert words(state, "green Rb1Rc1") == [
        "green placed red on b1 and c1",
        "green founded a red province of 3 cells at a1, with 1 pagoda",
    ]
    assert cited(state, "green Rb1Rc1") == ["QIN-TURN-1", "QIN-FOUND-1"]


def test_a_major_can_be_founded_at_once() -> None:
    state = position("R.R/.../.R.")

    assert words(state, "green Rb1Rb2")[1] == (
        "green founded a red major province of 5 cells at a1, with 2 pagodas"
    )
    assert cited(state, "green Rb1Rb2")[1:] == ["QIN-FOUND-1", "QIN-FOUND-3"]


def test_growth_is_described_as_the_owners_even_if_another_seat_placed_the_tile() -> None:
    state = position("RR../....", white=["a1"])

    assert words(state, "green Rc1Rd1")[1] == "the red province of white grew to 4 cells at a1"


def test_the_fifth_cell_makes_a_major() -> None:
    state = position("RRR../.....", green=["a1"])

    assert words(state, "green Rd1Re1")[1] == (
        "the red province of green grew to 5 cells at a1 and became major, with a second pagoda"
    )
    assert cited(state, "green Rd1Re1")[1:] == ["QIN-EXPAND-1", "QIN-MAJOR-1"]


def test_growth_beyond_five_is_only_growth() -> None:
    state = position("RRRRR../.......", green=["a1"])

    assert words(state, "green Rf1Rg1")[1] == "the red province of green grew to 7 cells at a1"


def test_a_join_is_described_with_who_brought_what_and_whose_pagodas_go_back() -> None:
    state = position("RRR.RR/......", green=["a1"], white=["e1"])

    assert words(state, "green Rd1Yd2")[1] == (
        "the red provinces of green (3) and white (2) joined: green has the whole major of 6 cells at a1,"
        " with 1 more pagoda; white took back 1 pagoda"
    )
    assert cited(state, "green Rd1Yd2")[1:] == ["QIN-ABSORB-2", "QIN-ABSORB-7"]


def test_villages_are_connected_and_conquered() -> None:
    vacant = position("R.a/.../...")
    held = position("RRR..a/....BB", green=["a1"], white=["e2"], villages={"a": "white"})

    assert words(vacant, "green Rb1Rb2")[2] == "green connected the vacant village a"
    assert words(held, "green Rd1Re1")[2] == "green conquered the village a from white"
    assert (cited(vacant, "green Rb1Rb2")[-1], cited(held, "green Rd1Re1")[-1]) == ("QIN-VIL-3", "QIN-VIL-4")


def test_tiles_are_dealt_drawn_or_unknown() -> None:
    dealing = position("R../...", seats=THREE, turn="deal", hands={"green": "", "white": "", "violet": ""})
    drawing = position("RR./...", green=["a1"], turn="draw:green", hands={"green": "RR YB"}, placed="RR1")

    assert words(dealing, "deal green RB YY ?") == ["green was dealt YY RB ?"]
    assert words(drawing, "draw ?") == ["green drew a tile that the record does not tell"]
    assert words(drawing, "draw RB from 2") == ["green drew RB from pile 2"]


def test_a_pass_is_described() -> None:
    assert words(position("R../..."), "green pass") == ["green passed"]


def test_the_last_pagoda_ends_the_match() -> None:
    state = position("RRR../.....", green=["a1"], supplies={"green": 1})

    assert words(state, "green Rd1Re1")[-1] == "green has put down the last pagoda and won the match"
    assert cited(state, "green Rd1Re1")[-1] == "QIN-END-1"


def test_what_the_end_cut_off_is_described() -> None:
    state = position("R..B/....", supplies={"green": 1})

    assert words(state, "green Rb1Bc1")[1:] == [
        "green founded a red province of 2 cells at a1, with 1 pagoda",
        "green founded a blue province of 2 cells at c1, but the match ended before its pagoda was put down",
        "green has put down the last pagoda and won the match",
    ]


def test_nobody_can_place() -> None:
    ahead = position("RR../....", green=["a1"])
    level = position("RR../BB..", green=["a1"], white=["a2"])

    assert words(ahead, "green end") == [
        "nobody can place a tile: green won, with the most pagodas on the board"
    ]
    assert words(level, "green end") == [
        "nobody can place a tile: green and white won together, with the most pagodas on the board"
    ]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [("place:white", "white to place"), ("draw:green", "green to draw")],
)
def test_whose_turn_it_is(turn: str, expected: str) -> None:
    hands = {"green": "RR YB"} if turn.startswith("draw") else None
    state = position("RR./...", green=["a1"], turn=turn, hands=hands, placed="RR1" if hands else "-")

    assert QIN.display.turn(state) == expected


def test_what_a_seat_holds_is_described_in_words() -> None:
    state = position("RRRRRa/BB....", green=["a1"], white=["a2"], villages={"a": "green"})
    green, white = QIN.display.seats(state)

    assert green.holds == ("red major province of 5 cells at a1", "village a")
    assert white.holds == ("blue province of 2 cells at a2",)
    assert green.line == "21 pagodas left, 3 on the board, hand ? ? ?"
