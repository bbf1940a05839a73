"""A grid of squares in coloured text: packed close, or with lines round what belongs together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.kernel.cells import COLUMNS, cell_at
from rules.kernel.display import Span, StyledLine, TerminalSize, TextStyle
from rules.kernel.livery import ALARM

_LINES: Final = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
"""By the weights of the lines that go up, right, down and left: 0 none, 1 light, 2 heavy."""

LABEL: Final = 3
WRONG: Final = TextStyle("#ffffff", ALARM, bold=True)
"""What is refused, and what a rule complains of."""

_PLAIN: Final = TextStyle()
_FRAMES: Final = (_PLAIN, TextStyle(bold=True), TextStyle("#e8364d", bold=True))
"""Lines: of what belongs together, of the last move, of a refused one."""

Region: TypeAlias = tuple[str, int] | None
"""What a square belongs to, by kind and number; None where it belongs to nothing."""


@dataclass(frozen=True, slots=True)
class Square:
    """A cell as it is painted."""

    text: str
    """At most three characters, or four where there is room."""
    ink: TextStyle
    region: Region = None
    framed: int = 0
    """0, or which of the pointed-out moves it belongs to."""


Squares: TypeAlias = Mapping[int, Square]
"""By cell."""

_OUTSIDE: Final = Square("", _PLAIN)


@dataclass(frozen=True, slots=True)
class Size:
    """How many columns and rows a grid has."""

    width: int
    height: int

    def has_room_for_frames(self, room: TerminalSize) -> bool:
        """Whether a room is wide and high enough for lines round the squares."""
        return LABEL + 5 * self.width + 1 <= room.columns and (
            room.rows is None or 2 * self.height + 2 <= room.rows
        )


def lay_out(size: Size, squares: Squares, room: TerminalSize) -> tuple[StyledLine, ...]:
    """The grid with its coordinates, with lines between squares as far as there is room for them."""
    if size.has_room_for_frames(room):
        return tuple(_framed(size, squares))
    return tuple(_close(size, squares, 1 if LABEL + 4 * size.width + 1 <= room.columns else 0))


def _close(size: Size, squares: Squares, gap: int) -> Iterator[StyledLine]:
    """A line a row; where there is a gap between cells, upright lines part the provinces."""
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
                spans.append(Span(f"{right.text:<3}", right.ink))
        yield _merged(spans)


def _framed(size: Size, squares: Squares) -> Iterator[StyledLine]:
    """Two lines a row, the second with the frames between this row and the next."""
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
                    text = right.text if len(right.text) > 3 else f" {right.text}"  # noqa: PLR2004 - as it fits
                    spans.append(Span(f"{text:<4}", right.ink))
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
        yield Span(_LINES[crossing], _line_ink((corner, above, left, here), drawn=crossing > 0))
        if column < size.width:
            yield Span(_LINES[10 * right] * 4, _line_ink((above, here), drawn=right > 0))


def _upright(left: Square, right: Square) -> Span:
    weight = _weight(left, right)
    return Span(_LINES[30 * weight], _line_ink((left, right), drawn=weight > 0))


def _weight(one: Square, other: Square) -> int:
    """How heavy a line lies between two cells."""
    if one.framed != other.framed:
        return 2
    return 0 if one.region == other.region else 1


def _line_ink(around: tuple[Square, ...], *, drawn: bool) -> TextStyle:
    if drawn:
        return _FRAMES[max(square.framed for square in around)]
    region = around[0].region
    same = region is not None and all(square.region == region for square in around)
    # What a rule complains of is marked on its cell, not between cells.
    backs = [square.ink.back for square in around if square.ink != WRONG]
    return TextStyle(back=backs[0]) if same and backs else _PLAIN


def _at(squares: Squares, row: int, column: int) -> Square:
    inside = row >= 0 and 0 <= column < COLUMNS
    return squares.get(cell_at(row, column), _OUTSIDE) if inside else _OUTSIDE


def _merged(spans: Iterable[Span]) -> StyledLine:
    """Neighbours of one look made one, and nothing but blanks left out at the end."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].ink == span.ink:
            merged[-1] = Span(merged[-1].text + span.text, span.ink)
        else:
            merged.append(span)
    while merged and not merged[-1].ink.back and not merged[-1].text.rstrip():
        merged.pop()
    if merged and not merged[-1].ink.back:
        merged[-1] = Span(merged[-1].text.rstrip(), merged[-1].ink)
    return tuple(merged)
