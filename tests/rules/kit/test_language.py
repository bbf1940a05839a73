"""Moves as text, derived from statements: what is read, and how faults are reported."""

import pytest
from hypothesis import given
from msgspec import Struct

from rules.kernel.actors import CHANCE, Seat
from rules.kernel.cells import Cell
from rules.kernel.forms import Names
from rules.kernel.language import Language
from rules.kernel.nouns import CELL
from rules.kernel.phrases import phrase
from rules.kernel.statements import Misstated, Statement, Statements
from rules.kernel.text import Unreadable
from tests.rules.kit import toy
from tests.rules.kit.strategies import moves


@given(moves())
def test_every_move_reads_as_it_was_written(move: toy.Move) -> None:
    actor = CHANCE if isinstance(move, toy.Draw | toy.Reveal) else Seat(1)

    line = toy.TEXT.write(toy.TABLE, actor, move)

    assert toy.TEXT.read(toy.TABLE, line) == (actor, move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("draw ?", toy.Draw(None)),
        ("reveal c1 c2  c3", toy.Reveal((toy.Card(1), toy.Card(2), toy.Card(3)))),
        ("green support", toy.Support(None)),
        ("green install wei area", toy.Install(toy.Region.WEI, toy.Area.AREA)),
        ("green install wei 2", toy.Install(toy.Region.WEI, toy.Space(2))),
        ("green pay lWw", toy.Pay((1, 0, 1, 1))),
        ("green lose s1 save h1a2", toy.Lose((1, 0, 0), (0, 2, 1))),
        ("green lose - save -", toy.Lose((0, 0, 0), (0, 0, 0))),
        ("green move worker chu wei", toy.MoveWorker(toy.Region.CHU, toy.Region.WEI)),
        ("green move reserve wei", toy.MoveClerk(None, toy.Region.WEI)),
        ("green recover", toy.RecoverAll()),
        ("green recover c7", toy.RecoverOne(toy.Card(7))),
        ("green recruit 2 rest wei", toy.Recruit(2, toy.Rest(toy.Region.WEI))),
        ("green play c29 boosted", toy.PlayTactic(toy.Card(29), boosted=True)),
        ("green play c2", toy.PlayTactic(toy.Card(2), boosted=False)),
        ("green build zhao+chu", toy.Build((toy.Region.CHU, toy.Region.ZHAO))),
        ("green show w?", toy.Show(toy.Aspect.WRITING)),
    ],
)
def test_what_is_read(text: str, move: toy.Move) -> None:
    assert toy.TEXT.read(toy.TABLE, text)[1] == move


def test_a_place_in_a_place_is_one_word() -> None:
    _, move = toy.TEXT.read(toy.TABLE, "green recruit 1 zhao2b1")

    assert isinstance(move, toy.Recruit)
    assert toy.TEXT.write(toy.TABLE, Seat(0), move) == "green recruit 1 zhao2b1"


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("", 1, "nothing stands here"),
        ("blue done", 1, "'blue' is no seat; expected green, red, draw or reveal"),
        ("green", 6, "green does nothing; expected invade, support"),
        ("green sing", 7, "'sing' is no move; expected invade"),
        ("green invade a1", 16, "expected a cell and a card after invade"),
        ("green invade a1 x9", 17, "'x9' is no card of toy-0; expected one such as c0"),
        ("green recruit 1", 16, "expected a count and a place after recruit"),
        ("green recruit 201 chu1a1", 15, "'201' is no count; expected a number from 0 to 200"),
        ("green recruit 1 qin2b1", 17, "'qin2b1' is no place; expected a spot or rest and a section"),
        ("green recruit 1 chu2b", 22, "expected a row number 1 to 99, found the end of the word"),
        ("green recruit 1 chu2b1x", 23, "'x' stands after a place; expected nothing"),
        ("green recruit 1 rest qin", 22, "'qin' begins with no region; expected chu, wei, zhao"),
        ("green recruit 1 rest", 21, "expected a section after rest"),
        ("green install wei 10", 19, "'10' is no space; expected a space or area"),
        ("green pay x", 11, "'x'; expected tokens such as Wl, of WLwl"),
        ("green lose s1s2 save -", 14, "s stands twice"),
        ("green lose s1 keep -", 15, "'keep'; expected save"),
        ("green lose s1", 14, "expected save after s1"),
        ("green lose s0 save -", 12, "'s0'; expected losses such as s2h1, of sah"),
        ("green move worker", 18, "expected a region and a region after move worker"),
        ("green move qin wei", 12, "'qin' is no region"),
        ("green recover c1 c2", 18, "'c2' stands after the move; expected nothing"),
        ("green play c1 loudly", 15, "'loudly'; expected boosted or nothing"),
        ("green build chu+wei+chu", 21, "chu stands twice"),
        ("green build chu+", 17, "'' is no region"),
        ("green cover a1a1", 13, "a cell stands twice"),
        ("green show q?", 12, "'q?' is no card; expected a card or an aspect with ?"),
        ("green show w", 13, "expected ? after 'w'"),
        ("green done now", 12, "'now' stands after the move"),
        ("reveal c1 c2", 8, "2 cards; expected 3"),
        ("draw", 5, "something is missing after draw"),
    ],
)
def test_a_line_that_cannot_be_read_says_where_and_why(text: str, column: int, why: str) -> None:
    with pytest.raises(Unreadable) as fault:
        toy.TEXT.read(toy.TABLE, text)

    assert why in fault.value.why
    assert fault.value.column == column


def test_a_line_means_at_each_table_what_its_names_mean() -> None:
    other = toy.Table(("red", "green"), Names(["c1", "c0"], toy.Card, "toy-1"))
    assert toy.TEXT.read(toy.TABLE, "red recover c1") == (Seat(1), toy.RecoverOne(toy.Card(1)))

    assert toy.TEXT.read(other, "red recover c1") == (Seat(0), toy.RecoverOne(toy.Card(0)))


def test_words_of_chance_are_no_names_for_seats() -> None:
    assert toy.TEXT.reserved == {"draw", "reveal"}


def test_the_phrases_are_listed_for_the_documentation() -> None:
    listed = dict(toy.TEXT.phrases)

    assert listed[toy.Support] == "support [REGION]"
    assert listed[toy.Lose] == "lose LOSSES save LOSSES"


class Step(Struct, frozen=True):
    cell: Cell


class Jump(Struct, frozen=True):
    cell: Cell


class Halt(Struct, frozen=True):
    pass


def test_a_class_that_is_not_stated_or_is_stated_twice_is_refused() -> None:
    with pytest.raises(Misstated, match="Halt is not stated"):
        Statements(Step | Halt, phrase("step", Step, CELL))
    with pytest.raises(Misstated, match="Step is more than once stated"):
        Statements(Step | Halt, phrase("step", Step, CELL), phrase("go", Step, CELL), phrase("halt", Halt))


def test_a_class_outside_the_union_is_refused() -> None:
    with pytest.raises(Misstated, match="Jump is stated and is no alternative"):
        Statements(Step | Halt, phrase("step", Step, CELL), phrase("halt", Halt), phrase("jump", Jump, CELL))


def test_two_moves_that_read_alike_are_refused() -> None:
    stated: Statements[object, Step | Jump] = Statements(
        Step | Jump, phrase("go", Step, CELL), phrase("go", Jump, CELL)
    )

    with pytest.raises(Misstated, match="Step and Jump both begin with go"):
        Language(stated, lambda _: ("green",), lambda _: None)


def test_a_term_for_a_part_that_may_be_none_must_allow_it() -> None:
    with pytest.raises(Misstated, match=r"Draw\.card may be None and the term card never is"):
        phrase("draw", toy.Draw, toy.CARD)


def test_terms_that_are_swapped_are_refused_even_without_a_type_checker() -> None:
    swapped = (
        r"Invade has the term cell for its part card, and the other way around: its parts are cell, card"
    )

    with pytest.raises(Misstated, match=swapped):
        phrase("invade", toy.Invade, toy.CARD, CELL)  # type: ignore[arg-type] # that is the mistake


def test_the_words_of_a_phrase_leave_a_place_for_each_term() -> None:
    with pytest.raises(Misstated, match="has 1 places and 2 terms"):
        phrase("lose {} save", toy.Lose, toy.LOSSES, toy.LOSSES)
    with pytest.raises(Misstated, match="a phrase begins with a word"):
        phrase("{} loses {}", toy.Lose, toy.LOSSES, toy.LOSSES)
    with pytest.raises(Misstated, match=r"Step has 1 parts \(cell\) and 2 terms"):
        Statement("step", Step, (CELL.erased(), CELL.erased()))
