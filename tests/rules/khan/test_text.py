"""Moves and positions as text: what is read, and how faults are reported."""

import re

import pytest

from rules.kernel.actors import CHANCE
from rules.kernel.text import Unreadable
from rules.khan.game import KHAN
from rules.khan.moves import Conquer, DrawCard, InvokeSupport
from tests.rules.khan.positions import position
from tests.rules.khan.strategies import SET

STATE = position({"b9": "1", "c9": "1"}, "act:red:2")
LINE = KHAN.notation.write_position(STATE)


@pytest.mark.parametrize(
    "text",
    [
        "first red",
        "turn seljuk.N.joker",
        "draw seljuk.N.joker",
        "draw ?",
        "red yurt a1",
        "red invade a1 seljuk.N.joker",
        "red chase leader-3",
        "red conquer T3V a1b1a2",
        "red anywhere a1",
        "red discard seljuk.N.joker",
        "red done",
        "red morale",
        "red protection",
        "red support",
        "red support rock",
        "red explore T3V",
        "red agree",
        "red refuse",
        "red pass",
    ],
)
def test_every_move_is_written_as_it_is_read(text: str) -> None:
    actor, move = KHAN.notation.read_move(STATE, text)

    assert KHAN.notation.write_move(STATE, actor, move) == text


def test_the_cells_of_a_footprint_come_in_any_order() -> None:
    assert KHAN.notation.read_move(STATE, "red conquer T3V a2b1a1") == (
        KHAN.notation.read_move(STATE, "red conquer T3V a1b1a2")
    )


def test_what_is_read() -> None:
    assert KHAN.notation.read_move(STATE, "draw ?") == (CHANCE, DrawCard(None))
    assert KHAN.notation.read_move(STATE, "green support") == (3, InvokeSupport(None))
    actor, move = KHAN.notation.read_move(STATE, "red conquer T2 z99a1")
    assert actor == 0
    assert isinstance(move, Conquer)


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("", 1, "nothing stands here"),
        ("black pass", 1, "'black' is no seat; expected red, yellow, blue, green, first, turn or draw"),
        ("red", 4, "red does nothing; expected yurt, invade"),
        ("red sing", 5, "'sing' is no move; expected yurt"),
        ("red yurt", 9, "something is missing after yurt"),
        ("red yurt 5a", 10, "expected a column letter a to z, found '5a'"),
        ("red yurt a0", 11, "expected a row number 1 to 99, found '0'"),
        ("red yurt a1 a2", 13, "'a2' stands after the move"),
        ("red invade a1", 14, "expected a cell and a card after invade"),
        ("red invade a1 seljuk.S.joker", 15, "'seljuk.S.joker' is no card of khan-reference-0"),
        ("red chase attila", 11, "'attila' is no leader; expected seljuk, rus"),
        ("red conquer T9 a1", 13, "'T9' is no shape; expected T2, T3I"),
        ("red conquer T2 a1a1", 16, "a cell stands twice in the footprint"),
        ("red support sea", 13, "'sea' is no region; expected mountain, ice"),
        ("red done now", 10, "'now' stands after the move"),
        ("turn ?", 6, "'?' is no card of khan-reference-0"),
        ("turn", 5, "something is missing after turn"),
        ("first black", 7, "'black' is no seat; expected red"),
    ],
)
def test_a_move_that_cannot_be_read_says_where_and_why(text: str, column: int, why: str) -> None:
    with pytest.raises(Unreadable) as fault:
        KHAN.notation.read_move(STATE, text)

    assert fault.value.column == column
    assert why in fault.value.why


@pytest.mark.parametrize(
    ("old", "new", "at", "why"),
    [
        (SET, "khan-1", "khan-1", "no component set is called 'khan-1'"),
        ("A..B", "A..A", "A~C", "leader A stands twice"),
        ("A..B~", "A..B.", ".C...D", "'.' stands where only ~# can stand"),
        ("5.5.5.5.5.5.5.5", "5.5.5", "5.5.5 - red", "3 numbers; expected 8"),
        ("5.5.5.5.5.5.5.5", "0.5.5.5.5.5.5.5", "0.5.5", "'0.5.5.5.5.5.5.5': leader 1 has a camp of 0"),
        (" - red", " T2:b9b8:1 red", "A..B~", "the cells with # are not those under the pieces"),
        (" - red", " T2:b9b7:1 red", "b9b7:1", "T2 cannot lie on 'b9b7'"),
        (" - red", " T2:a6a7:5 red", "5 red", "'5'; expected seats by number"),
        ("red:M1P1S1E1", "red:P1M1", "P1M1", "'P1M1' counts no special cards"),
        ("red:M1P1S1E1:", "red:M1P1S1E1:peace", "peace:", "'peace' is no restriction"),
        ("blue:M1P1S1E1", "blue:M2P1S1E1", "M2P1", "seat 2 has more special cards than it was given"),
        ("red:M1P1S1E1::?,?,?,?", "red:M1P1S1E1::?,?,?,?,?", "?,?,?,?,?", "a hand has at most 4 cards"),
        (
            "red:M1P1S1E1::?,",
            "red:M1P1S1E1::seljuk.N.joker,",
            "seljuk.N.joker",
            "a known card where draws are not recorded",
        ),
        (
            "yellow:M1P1S1E1:",
            "yellow:M1P1S1E1:support",
            "support:?,",
            "'support': a Support of the Gods is for a region with four seats",
        ),
        ("act:red:2", "act:black:2", "act:black", "names no seat"),
        ("act:red:2", "act:red:3", "3 -", "'3' is no number of actions"),
        ("act:red:2", "act:red", "act:red -", "is no turn; expected first"),
        ("act:red:2", "draw:red", "draw:red", "here something happens before anybody acts: TurnBegan"),
        ("act:red:2", "conquer:red:2", "conquer:", "a leader is on the board in the final phase"),
        ("act:red:2", "first", "first", "no card or piece is in play before the opening yurts stand"),
        ("act:red:2 -", "act:red:2 ?", "?", "'?' cannot stand here so often"),
        ("act:red:2 -", "act:red:2 - draws=some", "some", "'some' is no way to draw"),
        ("act:red:2 -", "act:red:2 - morale=high", "high", "'high'; expected used"),
        ("act:red:2 -", "act:red:2 - asked=T2:b9c9:1", "T2:b9c9:1", "only a seat that acts or conquers asks"),
        ("act:red:2 -", "act:red:2 - asked=T2:b9c9", "T2:b9c9", "expected a proposal such as"),
        ("act:red:2 -", "act:red:2 - refused=T2", "T2", "expected a shape and its cells"),
        ("act:red:2 -", "act:red:2 - retired=morale", "morale", "expected protection or support"),
        ("act:red:2 -", "act:red:2 - old=1.0.0.0", "1.0.0.0", "the cards held since before the last shuffle"),
        ("act:red:2 -", "act:red:2 - mood=good", "good", "no ruling is called 'mood'"),
        ("act:red:2 -", "act:red:2 - morale", "morale", "'morale' is no option; expected NAME=VALUE"),
        ("act:red:2 -", "act:red:2 - edition=khan/9", "khan/9", "no edition of Khan is called 'khan/9'"),
        ("act:red:2 -", "act:red:2", "act:red:2", "expected the turn and the discards"),
    ],
)
def test_a_position_that_makes_no_sense_is_refused_at_the_word_that_is_wrong(
    old: str, new: str, at: str, why: str
) -> None:
    assert old in LINE
    line = LINE.replace(old, new, 1)

    with pytest.raises(Unreadable, match=re.escape(why)) as fault:
        KHAN.notation.read_position(line)

    assert line[fault.value.column - 1 :].startswith(at)


GUARDED = {"b9": "1", "c9": "2", "a6": "1", "b6": "1"}
"""Yurts of red and of yellow, who is protected, side by side; and two of red's alone."""


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("T2:b8c8:2", "the conquest that waits for consent cannot be made (KHAN-ACT-C)"),  # no yurt there
        ("T2:a7b7:2", "the conquest that waits for consent cannot be made (KHAN-ACT-C)"),  # under a piece
        ("T2:b9c9:3", "other seats are asked than those whose consent it takes (KHAN-CONSENT-1)"),
        ("T2:a6b6:2", "other seats are asked than those whose consent it takes (KHAN-CONSENT-1)"),
        ("T2:b9c9:1", "only a seat that acts or conquers asks others for consent"),
    ],
)
def test_a_proposal_that_nobody_could_make_is_refused_at_its_place(asked: str, why: str) -> None:
    line = KHAN.notation.write_position(
        position(
            GUARDED | {"a7": "#", "b7": "#"}, "act:red:2", active={"yellow": "protection"}, pieces="T2:a7b7:1"
        )
    )

    with pytest.raises(Unreadable, match=re.escape(why)) as caught:
        KHAN.notation.read_position(f"{line} asked={asked}")

    assert caught.value.column == len(f"{line} asked=") + 1


def test_a_proposal_that_could_be_made_is_read() -> None:
    state = position(GUARDED, "act:red:2", active={"yellow": "protection"}, options="asked=T2:b9c9:2")

    assert KHAN.awaiting(state) == (1,)


@pytest.mark.parametrize(
    ("either", "why"),
    [
        ("5:seljuk.N.ice:1", "'5' is no seat"),
        ("1:?:1", "a card that was laid aside is known"),
        ("1:seljuk.N.ice", "expected a seat, a card and a number"),
        ("1:seljuk.N.joker:0", "a card was laid aside that nobody can have held"),
    ],
)
def test_a_card_of_unknown_age_is_one_that_was_laid_aside(either: str, why: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(why)):
        KHAN.notation.read_position(f"{LINE} either={either}".replace("seljuk.N.ice", "seljuk.NE.ice"))


def test_a_match_is_not_over_while_somebody_can_conquer() -> None:
    with pytest.raises(Unreadable, match="the match is not over while somebody can conquer"):
        position({"b9": "1", "c9": "1"}, "over", leaders={}, camps="0.0.0.0.0.0.0.0")


def test_an_empty_line_is_no_position() -> None:
    with pytest.raises(Unreadable, match="a position has a set, its rows"):
        KHAN.notation.read_position("")
