"""A position in coloured text, readable without the colours."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.kernel.display import Ink, Marks, Painted, Room, Span
from rules.qin.board import BLOCKED, COLUMNS, Board, Cell, cell_at
from rules.qin.marking import halves, named
from rules.qin.moves import Move
from rules.qin.palette import ALARM, FILL, ON_FILL, ON_VILLAGE, VILLAGE, WATER
from rules.qin.state import State
from rules.qin.tiles import Colour

KEY: Final = (
    "R red, Y yellow, B blue; 1-4 the seat that owns it; ▲ a pagoda, + a major with two;"
    " a-z a village, ~ blocked; * the last move, ? refused, ! what a rule complains of"
)

_LINES: Final = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
"""By the weights of the lines that go up, right, down and left: 0 none, 1 light, 2 heavy."""

_LABEL: Final = 3
_PAPER: Final = FILL | {Colour.YELLOW: "#ffd75f"}
"""The yellow is one that terminals of 256 colours have; they would take the other for orange."""

_WATER: Final = Ink("#26414a", WATER)
_VILLAGE: Final = Ink(ON_VILLAGE, VILLAGE, bold=True)
_WRONG: Final = Ink("#ffffff", ALARM, bold=True)
_PLAIN: Final = Ink()
_FRAMES: Final = (_PLAIN, Ink(bold=True), Ink("#e8364d", bold=True))
"""Lines: of a province, of the last move, of a refused one."""

Region: TypeAlias = tuple[str, int] | None
"""A province or a village, by its number; None for everything else."""


@dataclass(frozen=True, slots=True)
class _Square:
    """A cell as it is painted."""

    text: str
    """At most three characters, or four where there is room."""
    ink: Ink
    region: Region
    framed: int
    """0, or which of the pointed-out moves it belongs to."""


_OUTSIDE: Final = _Square("", _PLAIN, None, 0)


def paint(state: State, marks: Marks[Move], room: Room) -> tuple[Painted, ...]:
    """The board with its coordinates, a line round every province if there is room for that."""
    board = state.table.board
    framed = _LABEL + 5 * board.width + 1 <= room.columns and (
        room.rows is None or 2 * board.height + 2 <= room.rows
    )
    squares = _squares(state, marks, 4 if framed else 3)
    if framed:
        return tuple(_framed(board, squares))
    return tuple(_close(board, squares, 1 if _LABEL + 4 * board.width + 1 <= room.columns else 0))


# What stands on a cell.


def _squares(state: State, marks: Marks[Move], longest: int) -> dict[Cell, _Square]:
    board = state.table.board
    squares = {cell: _bare(board, cell) for cell in board.cells}
    for colour in Colour:
        for cell in board.each(state.territories[colour]):
            squares[cell] = _Square(colour.letter, Ink(ON_FILL[colour], _PAPER[colour], bold=True), None, 0)
    number = 0
    for colour, of_colour in zip(Colour, state.provinces, strict=True):
        for province in of_colour:
            number += 1
            owned = f"{colour.letter}{province.owner + 1}"
            sign = owned + ("+" if province.major and longest == 3 else "")  # noqa: PLR2004 - a short cell
            for cell in board.each(province.cells):
                squares[cell] = _Square(sign, squares[cell].ink, ("province", number), 0)
            if longest > 3 or not province.major:  # noqa: PLR2004 - as above
                first = board.first(province.cells)
                pagodas = "▲" * province.pagodas
                squares[first] = _Square(owned + pagodas, squares[first].ink, ("province", number), 0)
    for number, village in enumerate(board.villages):
        owner = state.village_owner(number)
        for cell in board.each(village.cells):
            sign = village.letter if owner is None else f"{village.letter}{owner + 1}"
            if owner is not None and cell == board.first(village.cells):
                sign += "▲"
            squares[cell] = _Square(sign, _VILLAGE, ("village", number), 0)
    return squares | dict(_pointed_out(board, squares, marks))


def _bare(board: Board, cell: Cell) -> _Square:
    if board.kind_at(cell) == BLOCKED:
        return _Square("~~~", _WATER, ("water", 0), 0)
    return _Square("·", _PLAIN, None, 0)


def _pointed_out(
    board: Board, squares: dict[Cell, _Square], marks: Marks[Move]
) -> Iterator[tuple[Cell, _Square]]:
    """Later ones hide earlier ones."""
    for cell in halves(board, marks.last):
        square = squares[cell]
        yield cell, _Square(f"{square.text[:2]}*", square.ink, square.region, 1)
    for cell in named(board, marks.places):
        square = squares[cell]
        yield cell, _Square(f"{square.text[:2]}!", _WRONG, square.region, 0)
    for cell, colour in halves(board, marks.refused).items():
        yield cell, _Square(f"{colour.letter}?", _WRONG, None, 2)


# How the cells lie beside each other.


def _close(board: Board, squares: dict[Cell, _Square], gap: int) -> Iterator[Painted]:
    """A line a row; where there is a gap between cells, upright lines part the provinces."""
    label = _LABEL if gap else _LABEL - 1
    letters = "".join(f"{'':{gap}}{chr(ord('a') + column):<3}" for column in range(board.width))
    yield (Span(" " * label + letters.rstrip()),)
    for row in range(board.height):
        spans = [Span(f"{row + 1:>2}{'':{label - 2}}")]
        for column in range(board.width + 1):
            left, right = _at(squares, row, column - 1), _at(squares, row, column)
            if gap:
                spans.append(_upright(left, right))
            if column < board.width:
                spans.append(Span(f"{right.text:<3}", right.ink))
        yield _merged(spans)


def _framed(board: Board, squares: dict[Cell, _Square]) -> Iterator[Painted]:
    """Two lines a row, the second with the frames between this row and the next."""
    letters = "".join(f"{chr(ord('a') + column):^5}" for column in range(board.width))
    yield (Span(" " * _LABEL + letters.rstrip()),)
    for row in range(board.height + 1):
        yield _merged(_between(board, squares, row))
        if row < board.height:
            spans = [Span(f"{row + 1:>2} ")]
            for column in range(board.width + 1):
                left, right = _at(squares, row, column - 1), _at(squares, row, column)
                spans.append(_upright(left, right))
                if column < board.width:
                    text = right.text if len(right.text) > 3 else f" {right.text}"  # noqa: PLR2004 - as it fits
                    spans.append(Span(f"{text:<4}", right.ink))
            yield _merged(spans)


def _between(board: Board, squares: dict[Cell, _Square], row: int) -> Iterator[Span]:
    """The line above a row."""
    yield Span(" " * _LABEL)
    for column in range(board.width + 1):
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
        if column < board.width:
            yield Span(_LINES[10 * right] * 4, _line_ink((above, here), drawn=right > 0))


def _upright(left: _Square, right: _Square) -> Span:
    weight = _weight(left, right)
    return Span(_LINES[30 * weight], _line_ink((left, right), drawn=weight > 0))


def _weight(one: _Square, other: _Square) -> int:
    """How heavy a line lies between two cells."""
    if one.framed != other.framed:
        return 2
    return 0 if one.region == other.region else 1


def _line_ink(around: tuple[_Square, ...], *, drawn: bool) -> Ink:
    if drawn:
        return _FRAMES[max(square.framed for square in around)]
    region = around[0].region
    same = region is not None and all(square.region == region for square in around)
    # What a rule complains of is marked on its cell, not between cells.
    backs = [square.ink.back for square in around if square.ink != _WRONG]
    return Ink(back=backs[0]) if same and backs else _PLAIN


def _at(squares: dict[Cell, _Square], row: int, column: int) -> _Square:
    inside = row >= 0 and 0 <= column < COLUMNS
    return squares.get(cell_at(row, column), _OUTSIDE) if inside else _OUTSIDE


def _merged(spans: Iterable[Span]) -> Painted:
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
