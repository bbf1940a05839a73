"""A position as a picture: what can be read from it without its colours, and what is pointed out."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.display import Highlights, VectorImage
from rules.kernel.svg import LegendLine, document
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.palette import colours_by_seat
from rules.qin.state import State
from tests.rules.qin.drawing import FOUR, place, position
from tests.rules.qin.strategies import QinMatch, matches


def drawn(state: State, highlights: Highlights[Move] | None = None) -> VectorImage:
    return QIN.display.picture(state, highlights or Highlights())


def texts(drawing: VectorImage) -> list[str]:
    """Everything that is written on the picture, in order."""
    return re.findall(r">([^<>]+)</text>", "".join(drawing.parts))


def of_shape(drawing: VectorImage, state: State, seat: int) -> int:
    """How many pagodas of a seat stand on the picture, by their shape and number."""
    return "".join(drawing.parts).count(QIN.display.seats(state)[seat].emblem)


def test_columns_and_rows_are_named() -> None:
    assert texts(drawn(position("R../...")))[:5] == ["a", "b", "c", "1", "2"]


def test_a_territory_has_the_letter_of_its_colour() -> None:
    assert texts(drawn(position("R.Y/.B./..."))) == ["a", "b", "c", "1", "2", "3", "R", "Y", "B"]


def test_a_province_has_a_pagoda_and_a_major_two() -> None:
    state = position("RR.YYYYY/........", green=["a1"], white=["d1"])
    drawing = drawn(state)

    assert (of_shape(drawing, state, 0), of_shape(drawing, state, 1)) == (1, 2)


def test_a_village_keeps_its_letter_beside_the_pagoda_of_its_owner() -> None:
    state = position("RRa/...", green=["a1"], villages={"a": "green"})
    drawing = drawn(state)

    assert of_shape(drawing, state, 0) == 2
    assert texts(drawing).count("a") == 2  # the column, and the village


def test_seats_differ_in_shape_and_number_not_only_in_colour() -> None:
    notes = QIN.display.seats(position("R../...", seats=FOUR))
    colourless = [re.sub(r'(fill|stroke)="[^"]*"', "", note.emblem) for note in notes]
    shapes = [re.sub(r">\d<", "><", emblem) for emblem in colourless]

    assert len(set(colourless)) == len(set(shapes)) == 4


def test_a_seat_named_for_a_colour_has_that_colour_and_no_two_have_the_same() -> None:
    named, mixed = colours_by_seat(("black", "green")), colours_by_seat(("x", "green", "White", "y"))

    assert (
        named == colours_by_seat(("y", "green", "x", "black"))[3:] + colours_by_seat(("green", "black"))[:1]
    )
    assert len(set(mixed)) == 4
    assert mixed[1] == named[1]


def test_the_last_move_is_framed_and_a_refused_one_is_crossed_out() -> None:
    state = position("R.../....")
    move = place("Rb1Bb2")

    plain, last, refused = (
        drawn(state),
        drawn(state, Highlights(last=move)),
        drawn(state, Highlights(refused=move)),
    )

    assert "stroke-dasharray" not in "".join(plain.parts)
    assert "".join(last.parts).count("stroke-dasharray") == 1
    assert texts(refused)[-2:] == ["R", "B"]
    assert len({plain.parts, last.parts, refused.parts}) == 3


def test_what_lies_off_the_board_is_left_out() -> None:
    state = position("R../...")

    assert drawn(state, Highlights(refused=place("Rz98Rz99"), places=("z99", "hand", "n4"))) == drawn(state)


def test_the_cells_that_a_rule_complains_of_are_marked() -> None:
    state = position("R../...")

    assert len(drawn(state, Highlights(places=("a1", "b2", "a1"))).parts) == len(drawn(state).parts) + 2 * 3


def test_a_province_with_a_hole_has_two_outlines_and_one_with_a_pinch_does_not_cross_itself() -> None:
    hole = drawn(position("RRR/R~R/RRR", green=["a1"], turn="over:no-placement")).parts
    pinch = drawn(position("RR./R.R/RRR", green=["a1"], turn="over:no-placement")).parts

    assert any('d="M35 33H149V147H35ZM' in part for part in hole)
    assert any('d="M35 33H109V67H69V113H115V73H149V147H35Z"' in part for part in pinch)


@given(matches(), st.data())
def test_every_pagoda_on_the_board_is_drawn(match: QinMatch, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(match.states))
    drawing = drawn(state)

    assert [of_shape(drawing, state, seat) for seat in state.table.seats] == [
        state.on_board(seat) for seat in state.table.seats
    ]


def test_what_others_wrote_is_shown_as_text() -> None:
    bad = '<script>alert("1")</script>'
    legend = [LegendLine("", bad, bad)]

    drawn = document(VectorImage(10, 10, ()), legend, bad, title=bad, description=bad)
    root = ET.fromstring(drawn)  # noqa: S314 - the text is our own

    assert "<script" not in drawn
    assert [part.text for part in root.iter() if part.text and "alert" in part.text] == [bad] * 5


def test_a_long_name_is_cut_and_has_its_room() -> None:
    drawn = document(VectorImage(10, 10, ()), [LegendLine("", "n" * 500, "")], "", title="", description="")

    assert f">{'n' * 39}…<" in drawn
    assert int(ET.fromstring(drawn).attrib["width"]) > 39 * 8  # noqa: S314 - as above
