"""Two records of one match."""

import pytest

from records.compare import Branch, Comparison, Setting, compare, written
from records.header import read_header
from records.verify import verify_entries
from tests.records.matches import MOVES
from tests.records.texts import transcript


def branch(*moves: str, **tags: str) -> Branch:
    told = transcript(*moves, **tags)
    header = read_header(told)
    return Branch(header, written(header.start, told.entries), verify_entries(header, told.entries))


def test_equal_records_are_the_same() -> None:
    compared = compare(branch(*MOVES), branch(*MOVES, Event="Cup"))

    assert compared == Comparison((), 5, None, None)
    assert compared.same
    assert not compared.contradict


def test_either_half_may_come_first() -> None:
    assert compare(branch("green Re8Be9"), branch("green Be9Re8")).same


@pytest.mark.parametrize("turned", [False, True])
def test_a_record_that_goes_on_contradicts_nothing(*, turned: bool) -> None:
    shorter, longer = branch(*MOVES[:3]), branch(*MOVES)

    compared = compare(longer, shorter) if turned else compare(shorter, longer)

    assert (compared.common, {compared.one, compared.other}) == (3, {None, MOVES[3]})
    assert not compared.same
    assert not compared.contradict


def test_records_that_part_are_told_where() -> None:
    compared = compare(branch(*MOVES[:2], "green pass"), branch(*MOVES[:4]))

    assert compared == Comparison((), 2, "green pass", MOVES[2])
    assert compared.contradict


def test_what_comes_after_an_illegal_entry_is_compared_as_it_stands() -> None:
    one = branch("green Re8Re9", "green pass", "green Be9Re8")
    other = branch("green Re8Re9", "green pass", "green Re8Be9")

    assert compare(one, other).common == 2
    assert compare(one, one).same


def test_matches_laid_out_otherwise_contradict_each_other() -> None:
    one = branch(*MOVES)
    other = branch(*MOVES, Rulings="stuck=end", Board="bird", Draws="unrecorded")

    compared = compare(one, other)

    assert compared.settings == (Setting("rulings", "", "stuck=end"),)
    assert compared.common == 5
    assert compared.contradict
