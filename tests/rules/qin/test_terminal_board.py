"""A position in coloured text, with lines round the provinces where there is room."""

from rules.kernel.display import Highlights, TerminalSize
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.state import State
from tests.rules.qin.drawing import place, position

WIDE = TerminalSize(80)
LOW = TerminalSize(80, 4)
NARROW = TerminalSize(8)
FULL = position("RRRRR/BB~.a", green=["a1"], white=["a2"], villages={"a": "green"}, turn="over:no-placement")


def styled(state: State, terminal: TerminalSize, highlights: Highlights[Move] | None = None) -> list[str]:
    """The lines without their colours."""
    lines = QIN.display.styled_lines(state, highlights or Highlights(), terminal)
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_a_province_is_framed_and_has_its_owner_and_its_pagodas() -> None:
    assert styled(FULL, WIDE) == [
        "     a    b    c    d    e",
        "   ┌────────────────────────┐",
        " 1 │R1▲▲  R1   R1   R1   R1 │",
        "   ├─────────┬────┬────┬────┤",
        " 2 │ B2▲  B2 │ ~~~│ ·  │ a1▲│",
        "   └─────────┴────┘    └────┘",
    ]


def test_where_rows_are_few_only_upright_lines_are_drawn() -> None:
    assert styled(FULL, LOW) == [
        "    a   b   c   d   e",
        " 1 │R1+ R1+ R1+ R1+ R1+│",
        " 2 │B2▲ B2 │~~~│·  │a1▲│",
    ]


def test_where_columns_are_few_there_are_no_lines_at_all() -> None:
    assert styled(FULL, NARROW) == [
        "  a  b  c  d  e",
        " 1R1+R1+R1+R1+R1+",
        " 2B2▲B2 ~~~·  a1▲",
    ]


def test_the_widest_board_fits_into_80_columns() -> None:
    lines = styled(position("R" + "." * 25 + "/" + "." * 26), WIDE)

    assert max(len(line) for line in lines) <= 80
    assert lines[1].startswith(" 1R  ·")


def test_marks_are_signs_and_heavy_lines() -> None:
    state = position("RR../....", green=["a1"])
    highlights: Highlights[Move] = Highlights(
        last=place("Ra1Rb1"), refused=place("Bc1Bd1"), places=("a2", "z9")
    )

    assert styled(state, WIDE, highlights) == [
        "     a    b    c    d",
        "   ┏━━━━━━━━━┳━━━━━━━━━┓",
        " 1 ┃ R1*  R1*┃ B?   B? ┃",
        "   ┗━━━━━━━━━┻━━━━━━━━━┛",
        " 2   ·!   ·    ·    ·",
        "",
    ]
    assert styled(state, NARROW, highlights)[1:] == [" 1R1*R1*B? B?", " 2·! ·  ·  ·"]


def test_a_cell_in_the_last_column_does_not_meet_the_first_of_the_next_row() -> None:
    state = position("R" + "." * 24 + "~/~" + "." * 25)

    assert styled(state, TerminalSize(200))[2].endswith("│ ~~~│")


def test_territories_have_their_colours_and_steppe_the_terminals_own() -> None:
    first = QIN.display.styled_lines(position("RY./B.."), Highlights(), NARROW)[1]

    assert [(span.text, span.style.back != "") for span in first] == [
        (" 1", False),
        ("R  ", True),
        ("Y  ", True),
        ("·", False),
    ]
