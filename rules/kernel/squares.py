"""Draws a grid of squares in coloured text, either compact or with lines around regions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.kernel.cells import COLUMNS, cell_at
from rules.kernel.display import Span, StyledLine, TerminalSize, TextStyle
from rules.kernel.seat_colours import ALARM

_LINES: Final = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
"""Indexed by the weights of the lines that go up, right, down and left: 0 none, 1 light, 2 heavy."""

LABEL: Final = 3
"""Width of the row numbers, in characters."""
WRONG: Final = TextStyle("#ffffff", ALARM, bold=True)
"""The style of refused moves and of violations."""

_PLAIN: Final = TextStyle()
_FRAMES: Final = (_PLAIN, TextStyle(bold=True), TextStyle("#e8364d", bold=True))
"""The styles of lines around a region, around the last move, and around a refused move."""

Region: TypeAlias = tuple[str, int] | None
"""The region that a square belongs to, by kind and number; None if it belongs to none."""


@dataclass(frozen=True, slots=True)
class Square:
    """The text and style of a cell."""

    text: str
    """At most three characters, or four if the terminal is large enough for frames."""
    style: TextStyle
    region: Region = None
    framed: int = 0
    """0, or 1 for a cell of the last move, 2 for a cell of a refused move."""


Squares: TypeAlias = Mapping[int, Square]
"""By cell."""

_OUTSIDE: Final = Square("", _PLAIN)


@dataclass(frozen=True, slots=True)
class Size:
    """The number of columns and rows of a grid."""

    width: int
    height: int

    def has_room_for_frames(self, terminal: TerminalSize) -> bool:
        """Whether a terminal is large enough for lines around the squares."""
        return LABEL + 5 * self.width + 1 <= terminal.columns and (
            terminal.rows is None or 2 * self.height + 2 <= terminal.rows
        )


def lay_out(size: Size, squares: Squares, terminal: TerminalSize) -> tuple[StyledLine, ...]:
    """The grid with its coordinates, and with lines between squares if the terminal is large enough."""
    if size.has_room_for_frames(terminal):
        return tuple(_framed(size, squares))
    return tuple(_close(size, squares, 1 if LABEL + 4 * size.width + 1 <= terminal.columns else 0))


def _close(size: Size, squares: Squares, gap: int) -> Iterator[StyledLine]:
    """One line per row; if there is a gap between cells, vertical lines separate the regions."""
    label = LABEL if gap else LABEL - 1
    letters = "".join(f"{'':{gap}}{chr(ord('a') + column):<3}" for column in range(size.width))
    yield (Span(" " * label + letters.rstrip()),)
    for row in range(size.height):
        spans = [Span(f"{row + 1:>2}{'':{label - 2}}")]
        for column in range(size.width + 1):
            left, right = _at(squares, row, column - 1), _at(squares, row, column)
            if gap:
                spans.append(_upright(left, right))
            if column < size.width:
                spans.append(Span(f"{right.text:<3}", right.style))
        yield _merged(spans)


def _framed(size: Size, squares: Squares) -> Iterator[StyledLine]:
    """Two lines per row, the second with the frames between this row and the next."""
    letters = "".join(f"{chr(ord('a') + column):^5}" for column in range(size.width))
    yield (Span(" " * LABEL + letters.rstrip()),)
    for row in range(size.height + 1):
        yield _merged(_between(size, squares, row))
        if row < size.height:
            spans = [Span(f"{row + 1:>2} ")]
            for column in range(size.width + 1):
                left, right = _at(squares, row, column - 1), _at(squares, row, column)
                spans.append(_upright(left, right))
                if column < size.width:
                    text = right.text if len(right.text) > 3 else f" {right.text}"  # noqa: PLR2004 - four characters fill the square
                    spans.append(Span(f"{text:<4}", right.style))
            yield _merged(spans)


def _between(size: Size, squares: Squares, row: int) -> Iterator[Span]:
    """The line above a row."""
    yield Span(" " * LABEL)
    for column in range(size.width + 1):
        corner, above = _at(squares, row - 1, column - 1), _at(squares, row - 1, column)
        left, here = _at(squares, row, column - 1), _at(squares, row, column)
        up, right, down, back = (
            _weight(corner, above),
            _weight(above, here),
            _weight(left, here),
            _weight(corner, left),
        )
        crossing = up * 27 + right * 9 + down * 3 + back
        yield Span(_LINES[crossing], _line_style((corner, above, left, here), drawn=crossing > 0))
        if column < size.width:
            yield Span(_LINES[10 * right] * 4, _line_style((above, here), drawn=right > 0))


def _upright(left: Square, right: Square) -> Span:
    weight = _weight(left, right)
    return Span(_LINES[30 * weight], _line_style((left, right), drawn=weight > 0))


def _weight(one: Square, other: Square) -> int:
    """The weight of the line between two cells."""
    if one.framed != other.framed:
        return 2
    return 0 if one.region == other.region else 1


def _line_style(around: tuple[Square, ...], *, drawn: bool) -> TextStyle:
    if drawn:
        return _FRAMES[max(square.framed for square in around)]
    region = around[0].region
    same = region is not None and all(square.region == region for square in around)
    # A violation is shown on its cell, not between cells.
    backs = [square.style.back for square in around if square.style != WRONG]
    return TextStyle(back=backs[0]) if same and backs else _PLAIN


def _at(squares: Squares, row: int, column: int) -> Square:
    inside = row >= 0 and 0 <= column < COLUMNS
    return squares.get(cell_at(row, column), _OUTSIDE) if inside else _OUTSIDE


def _merged(spans: Iterable[Span]) -> StyledLine:
    """Joins adjacent spans of one style, and removes trailing spaces."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].style == span.style:
            merged[-1] = Span(merged[-1].text + span.text, span.style)
        else:
            merged.append(span)
    while merged and not merged[-1].style.back and not merged[-1].text.rstrip():
        merged.pop()
    if merged and not merged[-1].style.back:
        merged[-1] = Span(merged[-1].text.rstrip(), merged[-1].style)
    return tuple(merged)
