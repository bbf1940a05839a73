"""Amounts, unions and what a term refuses: written, read, and where a fault is found."""

from typing import Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.amounts import Counts, Lettered, Multiset
from rules.kernel.composite import record
from rules.kernel.forms import Names
from rules.kernel.nouns import Flag, Named, SeatNumber, SeatNumbers, number
from rules.kernel.phrases import phrase
from rules.kernel.remembered import Remembered
from rules.kernel.stated import Stated
from rules.kernel.statements import Misstated, Statements
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word

NAMES: Final = Names(("ash", "birch", "cedar"), int)
COPIES: Final = bytes((2, 1, 3))
TREE: Final = Named[object, int]("tree", lambda _: NAMES)
SEATS: Final = SeatNumbers[object](lambda _: ("green", "red", "blue"))


class Still(Struct, frozen=True):
    """Nothing happens."""


class Growing(Struct, frozen=True):
    """A tree grows, or any."""

    tree: int | None


class Felled(Struct, frozen=True):
    """A tree was felled."""

    tree: int


Fate: TypeAlias = Still | Growing | Felled
FATES: Final[Statements[object, Fate]] = Statements(
    Fate,
    phrase("still", Still),
    phrase("grows", Growing, TREE.or_nothing()),
    phrase("felled", Felled, TREE),
)
FATE: Final = Stated("fate", FATES)


class Plot(Struct, frozen=True):
    """A tree and whose it is."""

    tree: int
    seats: tuple[Seat, ...]


class Sale(Struct, frozen=True):
    """A plot and its price."""

    plot: Plot
    price: int


PLOT: Final = record("plot", Plot, TREE, SEATS, joined=":", example="ash:12")
SALE: Final = record("sale", Sale, PLOT, number("price", 9, least=1), joined=":")


@given(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)).map(bytes))
def test_a_multiset_reads_as_it_was_written(counts: bytes) -> None:
    term = Multiset(TREE, lambda _: COPIES, nothing="-")

    assert term.read(None, Word(term.write(None, counts), 1)) == counts


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3).map(bytes))
def test_counts_read_as_they_were_written(counts: bytes) -> None:
    for term in (
        Counts[object]("count", 9, lambda _: 3),
        Counts[object]("count", 9, lambda _: 3, zeros_are_nothing=True),
        Lettered("trees", "abc", "a2c1"),
    ):
        assert term.read(None, Word(term.write(None, counts), 1)) == counts


@given(st.sampled_from((Still(), Growing(None), Growing(1), Felled(2))))
def test_a_value_of_a_union_reads_as_it_was_written(fate: Fate) -> None:
    assert FATE.read(None, Word(FATE.write(None, fate), 1)) == fate


def test_a_record_within_a_record_may_have_the_same_sign() -> None:
    sale = Sale(Plot(1, (Seat(0), Seat(2))), 4)

    assert SALE.write(None, sale) == "birch:13:4"
    assert SALE.read(None, Word("birch:13:4", 1)) == sale


def test_what_is_kept_is_written_once() -> None:
    term = Remembered(PLOT, lambda _: 0)

    assert [term.write(None, Plot(0, (Seat(1),))) for _ in range(2)] == ["ash:2", "ash:2"]
    assert term.read(None, Word("ash:2", 1)) == Plot(0, (Seat(1),))


@pytest.mark.parametrize(
    ("term", "text", "column", "why"),
    [
        (Counts[object]("count", 9, lambda _: 3), "1.2", 1, "2 numbers; expected 3, joined by points"),
        (
            Counts[object]("count", 9, lambda _: 3),
            "1.x.2",
            3,
            "'x' is no count; expected a number from 0 to 9",
        ),
        (Multiset(TREE, lambda _: COPIES), "ash,birch,birch", 11, "'birch' cannot stand here so often"),
        (Multiset(TREE, lambda _: COPIES), "ash,?", 5, "'?' cannot stand here so often"),
        (Lettered("trees", "abc", "a2c1"), "c1a1", 1, "'c1a1' counts no trees; expected for instance a2c1"),
        (SEATS, "31", 1, "'31'; expected seats by number, in order, of 123"),
        (SeatNumber[object](lambda _: ("green",)), "2", 1, "'2' is no seat; expected a number from 1 to 1"),
        (FATE, "rots", 1, "'rots' is no fate; expected still, grows, grows.TREE or felled.TREE"),
        (FATE, "grows.oak", 1, "'grows.oak' is no fate"),
        (FATE, "felled.oak", 8, "'oak' is no tree; expected ash, birch, cedar"),
        (FATE, "still.ash", 1, "'still.ash' is no fate"),
        (PLOT, "ash", 1, "'ash'; expected a plot such as ash:12"),
        (SALE, "ash:12:0", 8, "'0' is no price; expected a number from 1 to 9"),
        (TREE.or_unknown().known("it has been seen"), "?", 1, "'?'; it has been seen"),
        (
            Flag("frost", "frost", "").expecting("frost, or nothing"),
            "snow",
            1,
            "'snow'; expected frost, or nothing",
        ),
        (TREE.unless(lambda _, tree: "no ash here" if tree == 0 else None), "ash", 1, "no ash here"),
    ],
)
def test_a_word_that_is_none_of_them_says_where_and_why(
    term: Term[object, object], text: str, column: int, why: str
) -> None:
    with pytest.raises(Unreadable) as fault:
        term.read(None, Word(text, 1))

    assert why in fault.value.why
    assert fault.value.column == column


def test_a_class_of_a_union_has_one_word_and_at_most_one_part() -> None:
    stated: Statements[object, Plot] = Statements(Plot, phrase("plot", Plot, TREE, SEATS))

    with pytest.raises(Misstated, match="expected one word of its own, and at most one part"):
        Stated("plot", stated)
