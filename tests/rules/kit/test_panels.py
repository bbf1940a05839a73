"""Panels in the terminal and as a drawing: nothing is cut off, nothing is shown by colour alone."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_at
from rules.kernel.display import TerminalSize, TextStyle
from rules.kernel.panel_svg import WIDE, picture_panels
from rules.kernel.panel_text import plain_panels, styled_panels
from rules.kernel.panels import (
    LAST,
    Grid,
    HandPanel,
    Market,
    Owner,
    Panel,
    PanelCard,
    PanelToken,
    SeatTable,
    Space,
    Track,
)
from rules.kernel.plan import emblem
from rules.kernel.seat_colours import SeatColours
from rules.kernel.squares import Size, Square
from rules.kernel.svg import document

NARROW = 344
"""Fits a telephone of 360 px."""

WORDS = st.text("abcdef", min_size=1, max_size=9)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
SIGNS = st.sampled_from(("", "*", "?", "!"))
TOKENS = st.builds(PanelToken, WORDS, pointed_out=SIGNS)
SPACES = st.builds(
    Space, WORDS, st.lists(TOKENS, max_size=3).map(tuple), st.just("") | TEXTS, pointed_out=SIGNS
)
CARDS = st.builds(
    PanelCard, WORDS, st.lists(TEXTS, max_size=3).map(tuple), st.lists(TOKENS, max_size=2).map(tuple)
)
INKS = st.sampled_from((TextStyle(), TextStyle("#ffffff", "#1c8048", bold=True)))


def grids() -> st.SearchStrategy[Grid]:
    squares = st.builds(
        Square, st.text("ab1", max_size=3), INKS, st.none() | st.just(("piece", 1)), st.integers(0, 2)
    )
    return st.integers(1, 14).flatmap(
        lambda width: st.dictionaries(
            st.integers(0, width - 1).map(lambda column: int(cell_at(0, column))), squares
        ).map(lambda found: Grid("board", Size(width, 1), found))
    )


def tables() -> st.SearchStrategy[SeatTable]:
    owners = st.lists(st.tuples(WORDS, TEXTS, TEXTS), min_size=1, max_size=4)
    return owners.map(
        lambda rows: SeatTable(
            "seats",
            ("coins", "hand"),
            tuple(
                Owner(name, emblem(Seat(seat), SeatColours("#c62f2f", "#ffffff")), tuple(values))
                for seat, (name, *values) in enumerate(rows)
            ),
        )
    )


PANELS: st.SearchStrategy[Panel] = st.one_of(
    grids(),
    st.builds(Track, st.just("") | TEXTS, st.lists(SPACES).map(tuple)),
    tables(),
    st.builds(HandPanel, TEXTS, st.lists(TOKENS).map(tuple)),
    st.builds(Market, TEXTS, st.lists(CARDS).map(tuple), st.sampled_from((0, 2, 3, 5))),
)


@given(st.lists(PANELS, max_size=4), st.sampled_from((80, 100, 200)))
def test_no_line_is_wider_than_the_terminal(panels: list[Panel], columns: int) -> None:
    lines = ["".join(span.text for span in line) for line in styled_panels(panels, TerminalSize(columns))]

    assert all(line.isprintable() for line in lines)
    assert max((len(line) for line in lines), default=0) <= columns


@given(st.lists(PANELS, max_size=4), st.sampled_from((NARROW, WIDE)))
def test_a_drawing_is_well_formed_and_no_wider_than_asked(panels: list[Panel], width: int) -> None:
    drawing = picture_panels(panels, width)

    assert drawing.width <= width
    assert not any("\n" in part for part in drawing.parts)
    page = document(drawing, (), "", title="", description="")
    assert ET.fromstring(page).tag.endswith("svg")  # noqa: S314 - the text is our own


@given(st.lists(PANELS, max_size=4))
def test_every_word_is_in_the_text_and_in_the_drawing(panels: list[Panel]) -> None:
    said = set(re.findall(r"\w+", plain_panels(panels, 80)))
    drawn = set(re.findall(r"\w+", " ".join(re.findall(r">([^<]*)<", "".join(picture_panels(panels).parts)))))

    assert _words(panels) <= said
    assert _words(panels) <= drawn


def _words(panels: list[Panel]) -> set[str]:
    """Of everything but grids, whose squares have no words."""
    found: set[str] = set()
    for panel in panels:
        match panel:
            case Track():
                found |= {space.label for space in panel.spaces}
                found |= {token.text for space in panel.spaces for token in space.tokens}
            case HandPanel():
                found |= {token.text for token in panel.tokens}
            case Market():
                found |= {word for card in panel.cards for line in card.lines for word in line.split()}
            case SeatTable():
                found |= {word for owner in panel.owners for value in owner.values for word in value.split()}
            case Grid():
                pass
    return found


PLAYERS = SeatTable(
    "Seats",
    ("coins", "hand"),
    (Owner("green", "<g/>", ("3", "c1 c2")), Owner("Reed", "<g/>", ("-", "-"))),
)


def test_a_table_has_a_column_for_each_label_where_there_is_room() -> None:
    assert plain_panels([PLAYERS], 40) == ("Seats\n       coins  hand\ngreen  3      c1 c2\nReed   -      -")


def test_a_table_becomes_a_list_where_there_is_none() -> None:
    narrow = SeatTable("", ("coins", "hand"), (Owner("green", "<g/>", ("3", "c1 c2 c3 c4 c5 c6")),))

    assert plain_panels([narrow], 20) == "green\n  coins 3\n  hand c1 c2 c3 c4\n    c5 c6"


@pytest.mark.parametrize("pointed_out", [LAST, "?", "!"])
def test_what_is_pointed_out_has_a_sign(pointed_out: str) -> None:
    track = Track("elixir", (Space("0"), Space("1", (PanelToken("1▲"),), pointed_out=pointed_out)))

    assert plain_panels([track], 80) == f"elixir\n0  1{pointed_out}[1▲]"
    assert f">1{pointed_out}<" in "".join(picture_panels([track]).parts)


NINE = Market("spots", tuple(PanelCard(f"s{number}", ("needs a wall",)) for number in range(9)), columns=3)


def test_cards_in_columns_stand_side_by_side_where_there_is_room() -> None:
    lines = plain_panels([NINE], 80).splitlines()

    assert [word for word in lines[1].split() if word != "│"] == ["s0", "s1", "s2"]
    assert lines[3].count("┼") == 2
    assert max(map(len, lines)) <= 80


def test_cards_in_columns_stand_below_each_other_where_there_is_no_room() -> None:
    lines = plain_panels([NINE], 30).splitlines()

    assert lines[1::2] == [f"s{number}" for number in range(9)]


@pytest.mark.parametrize(("width", "rows"), [(WIDE, 3), (NARROW, 3), (200, 9)])
def test_a_drawing_has_columns_as_long_as_words_fit_into_them(width: int, rows: int) -> None:
    drawing = picture_panels([NINE], width)
    boxes = re.findall(r'<g transform="translate\(\d+ (\d+)\)"><rect', "".join(drawing.parts))

    assert drawing.width <= width
    assert len(set(boxes)) == rows
