"""Maps, moves and positions as text: read as written, and a fault is named with its column."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.actors import CHANCE, Actor
from rules.kernel.cells import COLUMNS, ROWS
from rules.kernel.display import Highlights, TerminalSize
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.text import Unreadable
from rules.qin.board import read_map
from rules.qin.components import find_board
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DrawTile, Move, PlaceTile
from rules.qin.rulebook import QIN_1
from rules.qin.state import State
from tests.rules.laws import chances, play
from tests.rules.qin.strategies import (
    NAMES,
    WAYS,
    QinMatch,
    matches,
    random_map,
    random_move,
    random_setup,
    takes_any,
)

READ_MOVE, WRITE_MOVE = QIN.notation.read_move, QIN.notation.write_move
READ_POSITION, WRITE_POSITION = QIN.notation.read_position, QIN.notation.write_position

ODD_NAMES = ("deal", "pass", "end", "draw", "Bob", "from", "RB", "Ra1Ra2", "place", "-", "_", "0")
"""Seats may be called by words that mean something else elsewhere in a record."""


MANY = settings(max_examples=6 * settings().max_examples)


def start(draws: Draws = Draws.UNRECORDED, names: tuple[str, ...] = NAMES[:2], board: str = "bird") -> State:
    return QIN.start(Setup(QIN_1, names, board, draws))


def assert_fault(fault: Unreadable, text: str, column: int, said: str) -> None:
    """The fault is where it should be, and its words tell what was expected."""
    assert said in fault.why
    assert fault.column == column, f"{text[fault.column - 1 :]!r}: {fault.why}"


# Maps.


@given(chances())
def test_a_map_reads_as_it_is_written(chance: random.Random) -> None:
    text = random_map(chance)
    board = find_board(f"map:{text}")

    assert (board.map, board.name) == (text, f"map:{text}")
    assert (
        "/".join(
            "".join(board.kind_at(cell) for cell in board.cells if cell // COLUMNS == row)
            for row in range(board.height)
        )
        == text
    )


@pytest.mark.parametrize("text", ["R", "R" * COLUMNS, "/".join("R" * ROWS), "Rzz~"])
def test_the_smallest_and_the_largest_maps_are_read(text: str) -> None:
    assert read_map(text).map == text


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "row 1 of the map is empty"),
        ("R.//..", 4, "row 2 of the map is empty"),
        ("R./../", 7, "row 3 of the map is empty"),
        ("R.?.", 3, "expected . ~ R Y B or a village's letter a-z"),
        ("R../.G.", 6, "expected . ~ R Y B or a village's letter a-z"),
        ("R.é", 3, "expected . ~ R Y B or a village's letter a-z"),
        ("R. ", 3, "expected . ~ R Y B or a village's letter a-z"),
        ("R.\n..", 3, "expected . ~ R Y B or a village's letter a-z"),
        ("R./...", 4, "row 2 of the map is 3 long, the first 2"),
        ("R." * 14, 27, "more than 26 columns"),
        ("/".join("R" * 100), 199, "more than 99 rows"),
        ("...a/~~~~", 1, "expected at least one R, Y or B"),
    ],
)
def test_a_bad_map_is_reported_with_its_column(text: str, column: int, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_map(text)

    assert_fault(caught.value, text, column, said)

    with pytest.raises(Unreadable) as caught:
        find_board(f"map:{text}")

    assert_fault(caught.value, f"map:{text}", column + len("map:"), said)

    with pytest.raises(BadSetup, match=f"column {column + len('map:')} of the board") as refused:
        start(board=f"map:{text}")

    assert refused.value.field == "components"


@MANY
@given(st.text() | st.text(".~RYBab/ "))
def test_any_text_given_as_a_map_is_read_or_reported_as_unreadable(text: str) -> None:
    with suppress(Unreadable):
        assert read_map(text).map == text


# Moves.


def sayable(state: State, chance: random.Random) -> tuple[Actor, Move]:
    """A move of any sort, legal or not, by somebody who could say it."""
    move = random_move(chance, state)
    if isinstance(move, DealTiles | DrawTile):
        return CHANCE, move
    return chance.choice(state.table.seats), move.canonical if isinstance(move, PlaceTile) else move


@given(chances())
def test_every_move_reads_as_it_is_written_legal_or_not(chance: random.Random) -> None:
    match = play(QIN, QIN.start(random_setup(chance)), chance, chance.choice(WAYS))
    for state in match.states:
        actor, move = sayable(state, chance)

        assert READ_MOVE(state, WRITE_MOVE(state, actor, move)) == (actor, move)


@given(st.permutations(ODD_NAMES), st.integers(2, 4), st.sampled_from(Draws), chances())
def test_seats_may_be_called_by_words_that_mean_something_else(
    names: list[str], seats: int, draws: Draws, chance: random.Random
) -> None:
    match = play(QIN, start(draws, tuple(names[:seats])), chance, takes_any, entries=10)
    for state in match.states:
        assert READ_POSITION(WRITE_POSITION(state)) == state
        for actor in QIN.awaiting(state):
            for move in QIN.legal_moves(state, actor):
                assert READ_MOVE(state, WRITE_MOVE(state, actor, move)) == (actor, move)


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("green Bh7Rg7", "green Rg7Bh7"),
        ("green Yg8Bg7", "green Bg7Yg8"),
        ("  violet   Rg7Bh7  ", "violet Rg7Bh7"),
        ("violet pass", "violet pass"),
        ("end", "green end"),
        ("violet end", "violet end"),
        ("deal green BR ? RR", "deal green RR RB ?"),
        ("draw BY from 3", "draw YB from 3"),
        ("draw ?", "draw ?"),
    ],
)
def test_a_move_may_be_written_in_other_ways_than_the_canonical_one(said: str, canonical: str) -> None:
    state = start()

    assert WRITE_MOVE(state, *READ_MOVE(state, said)) == canonical
    assert READ_MOVE(state, said) == READ_MOVE(state, canonical)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "expected a move"),
        (" \t ", 1, "expected a move"),
        ("red Rg7Bh7", 1, "expected green, violet, deal, draw or end"),
        ("pass", 1, "expected green, violet, deal, draw or end"),
        ("Rg7Bh7", 1, "expected green, violet, deal, draw or end"),
        ("  red pass", 3, "expected green, violet, deal, draw or end"),
        ("green", 6, "expected a placement such as Rg7Bh7, pass or end"),
        ("green  passes", 8, "expected a placement such as Rg7Bh7, pass or end"),
        ("green RB", 7, "expected a placement such as Rg7Bh7, pass or end"),
        ("green ?", 7, "expected a placement such as Rg7Bh7, pass or end"),
        ("green R", 8, "expected a column letter a to z, found the end of the word"),
        ("green RG7Bh7", 8, "expected a column letter a to z, found 'G7Bh7'"),
        ("green Rg", 9, "expected a row number 1 to 99, found the end of the word"),
        ("green Rg0Bh7", 9, "expected a row number 1 to 99, found '0Bh7'"),
        ("green Rg07Bh7", 9, "expected a row number 1 to 99"),
        ("green Rg100Bh7", 9, "expected a row number 1 to 99"),
        ("green Rg٣Bh7", 9, "expected a row number 1 to 99"),
        ("green Rg7", 10, "expected a colour R, Y or B, found the end of the word"),
        ("green Rg7 Bh7", 11, "expected nothing"),
        ("green Rg7Gh7", 10, "expected a colour R, Y or B, found 'Gh7'"),
        ("green Rg7Bh7Y", 13, "expected nothing"),
        ("green Rg7Bh7 pass", 14, "expected nothing"),
        ("green pass now", 12, "expected nothing"),
        ("green end now", 11, "expected nothing"),
        ("end now", 5, "expected nothing"),
        ("deal", 5, "expected the seat that is dealt a hand"),
        ("deal red RR", 6, "expected green, violet"),
        ("deal green RR XX YB", 15, "expected RR YY BB RY RB YB or ?"),
        ("draw", 5, "expected the tile that was drawn, or ?"),
        ("draw R", 6, "expected RR YY BB RY RB YB or ?"),
        ("draw RB out of 3", 9, "expected nothing, or: from PILE"),
        ("draw RB from", 13, "expected the number of a pile"),
        ("draw RB from x", 14, "expected a number from 1 to 99"),
        ("draw RB from 0", 14, "expected a number from 1 to 99"),
        ("draw RB from 100", 14, "expected a number from 1 to 99"),
        ("draw RB from 1 2", 16, "expected nothing"),
        ("green draw", 11, "expected the tile that was drawn, or ?"),
    ],
)
def test_a_bad_move_is_reported_with_its_column(text: str, column: int, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        READ_MOVE(start(), text)

    assert_fault(caught.value, text, column, said)


def test_a_deal_of_far_too_many_tiles_is_unreadable_or_illegal_and_no_fault_of_ours() -> None:
    with suppress(Unreadable):
        READ_MOVE(start(Draws.RECORDED), "deal green" + " RR" * 300)


# Positions.

LINE = (
    "map:R...a/....Y/..... RRR.a/....Y/...YY green:23:a1::RB,YB,? violet:22:e2:a:RR,RR,? place:green RR1,YY1"
    " passes=1 draws=recorded drawn=1.0.0.1 hands=open"
)
UNRECORDED = (
    "map:R...a/....Y/..... RRR.a/....Y/...YY green:23:a1::?,?,? violet:22:e2:a:?,?,? place:green RR1,YY1"
)
OVER = "map:YYYY..R YYYYYRR green:0:f1::?,? violet:23:a1*1::?,?,? over:last-pagoda RY1"


@pytest.mark.parametrize("line", [LINE, UNRECORDED, OVER])
def test_these_positions_are_read_and_written_the_same(line: str) -> None:
    assert WRITE_POSITION(READ_POSITION(line)) == line


@pytest.mark.parametrize("line", [LINE, UNRECORDED])
def test_nothing_is_wrong_with_these_positions(line: str) -> None:
    assert QIN.problems(READ_POSITION(line)) == ()


@pytest.mark.parametrize(
    ("part", "instead", "at", "said"),
    [
        # The board and its rows
        ("map:R...a", "bird2", "bird2", "known: bird, or give a map"),
        ("map:R...a/....Y/.....", "lion", "lion", "known: bird, or give a map"),
        ("map:R...a", "map:R.!.a", "map:", "column 7 of the board"),
        ("RRR.a", "RRR.", "RRR.", "the board's map has 17"),
        ("RRR.a", "RRR.b", "b/....Y", "'b' stands where the board has 'a'"),
        ("RRR.a", "RRRxa", "xa/", "'x' stands where the board has '.'"),
        ("RRR.a", "YRR.a", "YRR.a", "'Y' stands where the board has 'R'"),
        ("RRR.a/", "RRR.a.", ".....Y/", "'.' stands where the board has '/'"),
        ("...YY", "BB.YY", "RRR.a", "nobody owns the province at a3"),
        # The seats
        ("violet:22", "violet 22", "violet", "expected"),
        ("violet:22:e2:a:RR,RR,?", "violet:22:e2:RR,RR,?", "violet", "expected"),
        ("violet:22:e2:a:RR,RR,?", "violet:22:e2:a:RR,RR,?:", "violet", "expected"),
        ("violet:22", "vio!let:22", "vio!let", "expected letters, digits, - and _"),
        ("violet:22", ":22", ":22:", "expected letters, digits, - and _"),
        ("violet:22", "green:22", "green:22", "two seats are called green"),
        ("green:23", "green:x", "x:a1", "expected a number from 0 to 24"),
        ("green:23", "green:25", "25", "expected a number from 0 to 24"),
        ("green:23", "green:-1", "-1", "expected a number from 0 to 24"),
        ("green:23", "green:", ":a1", "expected a number from 0 to 24"),
        ("green:23", "green:²", "²", "expected a number from 0 to 24"),
        ("23:a1:", "23:d1:", "d1:", "no province lies at d1"),
        ("23:a1:", "23:z99:", "z99", "no province lies at z99"),
        ("23:a1:", "23:a1,b1:", "b1", "the province at b1 has an owner already"),
        ("23:a1:", "23:a1,:", "::RB", "expected a column letter a to z"),
        ("23:a1:", "23:1a:", "1a", "expected a column letter a to z"),
        ("23:a1:", "23:a:", "::RB", "expected a row number 1 to 99"),
        ("23:a1:", "23:a1x:", "x::", "stands after the cell"),
        ("23:a1:", "23:a1*2:", "2::", "expected a number from 0 to 1"),
        ("23:a1:", "23:a1*:", "::RB", "expected a number from 0 to 1"),
        ("23:a1:", "23::", "RRR.a", "nobody owns the province at a1"),
        ("e2:a:", "e2:b:", "b:RR", "the board has no village 'b'"),
        ("e2:a:", "e2:a,a:", "a:RR", "village a has an owner already"),
        ("e2:a:", "e2:a,:", ":RR", "the board has no village ''"),
        ("a1::RB", "a1:a:RB", "a:RR", "village a has an owner already"),
        ("RB,YB,?", "RB,XB,?", "XB", "expected RR YY BB RY RB YB or ?"),
        ("RB,YB,?", "RB,,?", ",?", "expected RR YY BB RY RB YB or ?"),
        ("RB,YB,?", "RB,YB,?,?", "RB,YB,?,?", "a hand has at most 3 tiles"),
        ("violet:22:e2:a:RR,RR,? ", "", "green:23", "for 2 to 4 seats, not 1"),
        ("green:23", "w:24::: k:24::: v:24::: green:23", "w:24", "for 2 to 4 seats, not 5"),
        # The turn and the tiles placed
        ("place:green", "place:red", "place:red", "expected deal, place:NAME, draw:NAME or over:REASON"),
        ("place:green", "place", "place", "expected deal, place:NAME, draw:NAME or over:REASON"),
        ("place:green", "over:bored", "over:bored", "expected deal, place:NAME, draw:NAME or over:REASON"),
        ("place:green", "over:last-pagoda", "over:", "exactly one supply is empty"),
        ("place:green", "deal", "deal", "every hand has been dealt"),
        ("green:23", "green:0", "place:green", "exactly one supply is empty"),
        ("green:23", "green:24", "24:a1", "green would have more than 24 pagodas in all"),
        ("e2:a:", "e2::", "RRR.a", "village a does not belong to its strongest neighbour"),
        ("23:a1:", "23:a1*0:", "place:green", "pagodas are missing only where the last pagoda ended"),
        ("RR1,YY1", "RR0,YY1", "0,YY1", "expected a number from 1 to 12"),
        ("RR1,YY1", "RR13,YY1", "13", "expected a number from 1 to 12"),
        ("RR1,YY1", "RR,YY1", ",YY1", "expected a number from 1 to 12"),
        ("RR1,YY1", "RR1,XY1", "XY1", "expected for instance RR2,YB1 or -"),
        ("RR1,YY1", "RR1,", " passes", "expected for instance RR2,YB1 or -"),
        ("RR1,YY1", "RY1,YR1", "YR1", "RY stands twice"),
        ("RR1,YY1", "RR12", "RR12", "there are more than 12 RR tiles"),
        ("RR1,YY1", "RR12,YY12,BB12,RY12,RB12,YB12", "RR12", "there are more than 72 tiles"),
        # The options
        ("passes=1", "passes=0", "0 draws", "expected a number from 1 to 2"),
        ("passes=1", "passes=3", "3 draws", "expected a number from 1 to 2"),
        ("passes=1", "passes", "passes", "expected NAME=VALUE"),
        ("passes=1", "passes=", "passes=", "expected NAME=VALUE"),
        ("passes=1", "=1", "=1", "expected NAME=VALUE"),
        ("hands=open", "passes=2", "passes=2", "the option passes stands twice"),
        ("draws=recorded", "draws=maybe", "maybe", "expected recorded"),
        ("draws=recorded ", "", "RB,YB,?", "expected ?, or the option draws=recorded"),
        ("drawn=1.0.0.1", "drawn=1.0.0", "1.0.0 ", "3 piles are counted, there are 4"),
        ("drawn=1.0.0.1", "drawn=1.0.x.1", "x.1", "expected a number from 0 to 72"),
        ("drawn=1.0.0.1", "drawn=1.0.0.1 piles=3", "1.0.0.1", "4 piles are counted, there are 3"),
    ],
)
def test_a_bad_position_is_reported_at_the_word_at_fault(part: str, instead: str, at: str, said: str) -> None:
    """`at` is what stands where the fault should be."""
    line = LINE.replace(part, instead, 1)

    with pytest.raises(Unreadable) as caught:
        READ_POSITION(line)

    assert_fault(caught.value, line, line.index(at) + 1, said)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("hands=shut", "it takes hidden or open"),
        ("feet=open", "no ruling is called 'feet'"),
        ("own-majors=illegal", "no ruling is called 'own-majors'"),
        ("edition=qin/9", "known: qin/1"),
    ],
)
def test_an_unknown_option_is_reported_where_it_stands(option: str, said: str) -> None:
    line = LINE.replace("hands=open", option)

    with pytest.raises(Unreadable, match=said) as caught:
        READ_POSITION(line)

    assert caught.value.column > line.index(option)


@pytest.mark.parametrize(
    ("line", "at", "said"),
    [
        ("", "", "a position has a board"),
        ("bird", "bird", "a position has a board"),
        ("map:R. R. green:24:::? violet:24:::?", "violet", "a position has a board"),
        ("map:R. R. a:24::: b:24::: c:24::: d:24:::", "d:24", "expected the turn and the tiles placed"),
        (
            UNRECORDED.replace("place:", "draw:"),
            "draw:",
            "nothing is dealt or drawn where draws are not recorded",
        ),
        (
            "map:R. R. green:24:::? violet:24:::? place:green -",
            "place:",
            "the turn must be over:no-placement",
        ),
        (
            OVER.replace("a1*1", "a1*0").replace("over:last-pagoda", "place:green"),
            "place:",
            "supply is empty",
        ),
    ],
)
def test_a_position_that_contradicts_itself_is_not_read(line: str, at: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        READ_POSITION(line)

    assert_fault(caught.value, line, line.index(at) + 1, said)


def test_a_hand_of_far_too_many_tiles_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="at most 3 tiles"):
        READ_POSITION(LINE.replace("RB,YB,?", "RB" + ",RB" * 300))


# Whatever comes.


@st.composite
def damaged(draw: st.DrawFn, line: str) -> str:
    """The line after a few accidents: letters lost, doubled, changed or swapped, words lost or moved."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        to = draw(st.integers(0, len(line)))
        scrap = draw(
            st.sampled_from((" ", ":", ",", "/", "=", "*", "?", "-", "0", "99", "R", "a", "é"))
            | st.text(max_size=3)
        )
        line = draw(
            st.sampled_from(
                (
                    line[:at] + scrap + line[at:],
                    line[:at] + scrap + line[at + 1 :],
                    line[:at] + line[at + 1 :],
                    line[: min(at, to)] + line[max(at, to) :],
                    line[: max(at, to)] + line[min(at, to) :],
                )
            )
        )
    return line


def assert_clear_message(fault: Unreadable, text: str) -> None:
    """The column lies in the text or just behind it, and the words can be shown to anybody."""
    assert 1 <= fault.column <= len(text) + 1
    assert fault.why.isprintable()
    assert fault.why


@MANY
@given(st.text(), st.sampled_from(Draws))
def test_any_text_is_a_move_or_unreadable(text: str, draws: Draws) -> None:
    state = start(draws)
    for line in (text, f"green {text}", f"draw {text}", f"deal green {text}", f"green Ra1{text}"):
        try:
            actor, move = READ_MOVE(state, line)
        except Unreadable as fault:
            assert_clear_message(fault, line)
        else:
            assert READ_MOVE(state, WRITE_MOVE(state, actor, move)) == (actor, move)


@given(matches(), st.data())
def test_a_damaged_move_is_another_move_or_unreadable(match: QinMatch, data: st.DataObject) -> None:
    for step in match.steps[-3:]:
        line = data.draw(damaged(WRITE_MOVE(step.before, step.actor, step.move)))
        try:
            actor, move = READ_MOVE(step.before, line)
        except Unreadable as fault:
            assert_clear_message(fault, line)
        else:
            QIN.decide(step.before, actor, move)  # illegal perhaps, but no fault of ours


@MANY
@given(st.text())
def test_any_text_is_a_position_or_unreadable(text: str) -> None:
    for line in (
        text,
        f"bird {text}",
        LINE.replace("RRR.a", text),
        f"{LINE} {text}",
        LINE.replace("green", text),
    ):
        try:
            READ_POSITION(line)
        except Unreadable as fault:
            assert_clear_message(fault, line)


@MANY
@given(st.sampled_from((LINE, UNRECORDED, OVER)).flatmap(damaged))
def test_a_damaged_position_is_another_position_or_unreadable(line: str) -> None:
    """One that is read may be impossible in play, but can be shown, written and played on from."""
    try:
        state = READ_POSITION(line)
    except Unreadable as fault:
        assert_clear_message(fault, line)
        return

    assert READ_POSITION(WRITE_POSITION(state)) == state
    assert QIN.draw(state)
    assert QIN.display.picture(state, Highlights()).parts
    assert QIN.display.styled_lines(state, Highlights(), TerminalSize(80))
    assert isinstance(QIN.problems(state), tuple)
    for actor in QIN.awaiting(state):
        for move in QIN.legal_moves(state, actor):
            QIN.decide(state, actor, move)


@given(matches(), st.data())
def test_a_damaged_position_of_a_match_is_another_position_or_unreadable(
    match: QinMatch, data: st.DataObject
) -> None:
    line = data.draw(damaged(WRITE_POSITION(data.draw(st.sampled_from(match.states)))))
    try:
        READ_POSITION(line)
    except Unreadable as fault:
        assert_clear_message(fault, line)
