"""What a picture of a game is made of: grids, tracks, tables of seats, hands and markets.

A game describes panels once, from a state; panel_text.py lays them out in a terminal, panel_svg.py as a
vector drawing. Nothing is shown by colour alone: every token, space and card has a text, every seat a shape.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final, TypeAlias

from rules.kernel.squares import WRONG as ALARMING
from rules.kernel.squares import Size, Square

LAST, REFUSED, WRONG = "*", "?", "!"
"""What is pointed out: the last move, one that was refused, and what a rule complains of."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of something that is drawn, as '#rrggbb'."""

    fill: str
    text: str


_BELOW: Final = 72
"""Characters of a line below a grid."""
PLAIN: Final = Look("#fbf7ec", "#2b2620")


@dataclass(frozen=True, slots=True)
class PanelToken:
    """Something that lies somewhere: a marker, a figure, a card face down."""

    text: str
    """A word or a few signs; never empty."""
    look: Look = PLAIN
    pointed_out: str = ""
    """LAST, REFUSED or WRONG, or nothing."""
    place: str = ""
    """The public name by which moves are about it; empty if none is."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space of a track or a slot of a place, with what stands on it."""

    label: str
    tokens: tuple[PanelToken, ...] = ()
    note: str = ""
    """What the space gives or asks for, in words."""
    look: Look = PLAIN
    pointed_out: str = ""
    place: str = ""
    """As of a token."""


@dataclass(frozen=True, slots=True)
class PanelCard:
    """A card that lies open."""

    title: str
    lines: tuple[str, ...] = ()
    """What it says, in words."""
    tokens: tuple[PanelToken, ...] = ()
    look: Look = PLAIN
    pointed_out: str = ""
    place: str = ""
    """As of a token."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A seat, or a clan that is no seat, with the values of its row."""

    name: str
    emblem: str
    """An SVG element around 0, 0, with a shape and a sign of its own; see plan.emblem."""
    values: tuple[str, ...]
    is_seat: bool = True
    holds: tuple[str, ...] = ()
    """What it has on the board, in words."""


@dataclass(frozen=True, slots=True)
class GridMarks:
    """The cells of a grid that are pointed out."""

    last: tuple[int, ...] = ()
    """Those of the last move."""
    wrong: tuple[int, ...] = ()
    """Those that a rule complains of."""
    refused: tuple[int, ...] = ()
    """Those of a move that was refused."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of square cells."""

    title: str
    size: Size
    squares: Mapping[int, Square]
    """By cell, with what belongs together; a text that is too long is shortened with a `+`."""
    marks: GridMarks = GridMarks()
    below: tuple[str, ...] = ()
    """What lies beside the board, in words, one line for each thing."""
    drawn: tuple[str, ...] = ()
    """The board as SVG elements in the units of plan.py, where its squares alone say too little."""

    def lines_below(self) -> list[str]:
        """What lies beside the board, wrapped to the width of the board."""
        return [part for line in self.below for part in wrap(line, _BELOW, subsequent_indent="  ")]

    def pointed_out(self) -> dict[int, Square]:
        """The squares, the marked ones with the sign for it; the refused come last and show."""
        squares = dict(self.squares)
        for cell in self.marks.last:
            square = self.squares[cell]
            squares[cell] = replace(square, text=f"{square.text[:2]}{LAST}", framed=1)
        for cell in self.marks.wrong:
            square = self.squares[cell]
            squares[cell] = Square(f"{square.text[:2]}{WRONG}", ALARMING, square.region)
        for cell in self.marks.refused:
            squares[cell] = Square(f"{self.squares[cell].text[:2]}{REFUSED}", ALARMING, None, 2)
        return squares


@dataclass(frozen=True, slots=True)
class Track:
    """Spaces in a row."""

    title: str
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class SeatTable:
    """A row for each seat or clan."""

    title: str
    labels: tuple[str, ...]
    owners: tuple[Owner, ...]


@dataclass(frozen=True, slots=True)
class HandPanel:
    """Cards or pieces that somebody holds, face up or face down."""

    title: str
    tokens: tuple[PanelToken, ...]


@dataclass(frozen=True, slots=True)
class Market:
    """Cards that lie open beside the board."""

    title: str
    cards: tuple[PanelCard, ...]
    columns: int = 0
    """Cards in a row where there is room for that many side by side; 0 for as many as fit."""


Panel: TypeAlias = Grid | Track | SeatTable | HandPanel | Market
