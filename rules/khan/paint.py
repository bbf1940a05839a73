"""A position in coloured text, readable without the colours."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.cells import Cell
from rules.kernel.display import Highlights, Span, StyledLine, TerminalSize, TextStyle
from rules.kernel.squares import WRONG, Size, Square, lay_out
from rules.khan.board import LETTERS, Board
from rules.khan.cards import REGIONS
from rules.khan.marking import named, touched
from rules.khan.moves import Move
from rules.khan.palette import LAND, LEADERS, NEUTRAL, ON_LAND, PIECES, WATER, colours_by_seat
from rules.khan.position_terms import LEADERS as LETTERS_OF_LEADERS
from rules.khan.position_terms import SEATS
from rules.khan.shapes import PieceKind
from rules.khan.state import State
from rules.khan.words import table_lines

KEY: Final = (
    "m i t r s f land by region, ~ river; 1▲ a yurt of seat 1, 0▲ a neutral one; A5 a leader with its camp;"
    " #12 a tile and =12 a bridge of these seats, + for more; * the last move, ? refused,"
    " ! what a rule complains of"
)

_RIVER: Final = TextStyle("#26414a", WATER)


def paint(state: State, highlights: Highlights[Move], terminal: TerminalSize) -> tuple[StyledLine, ...]:
    """The board with its coordinates, lines round the pieces if there is room, and what lies beside it."""
    board = state.table.parts.board
    beside = table_lines(state)
    left = TerminalSize(terminal.columns, None if terminal.rows is None else terminal.rows - len(beside))
    size = Size(board.width, board.height)
    squares = _squares(state, 4 if size.has_room_for_frames(left) else 3)
    squares |= dict(_pointed_out(board, squares, highlights))
    return (
        *lay_out(size, squares, left),
        *((Span(line),) for line in beside),
    )


def _squares(state: State, longest: int) -> dict[int, Square]:
    parts, seats = state.table.parts, colours_by_seat(state.table.names)
    each = parts.board.each
    squares: dict[int, Square] = {}
    for region, letter in zip(REGIONS, LETTERS, strict=True):
        for cell in each(parts.board.regions[region]):
            squares[cell] = Square(letter.lower(), TextStyle(ON_LAND, LAND[region]))
    for cell in each(parts.board.river):
        squares[cell] = Square("~~~", _RIVER, ("river", 0))
    for number, (colours, yurts) in enumerate(zip((*seats, NEUTRAL), state.yurts, strict=True), start=1):
        sign = f"{number}▲" if number <= len(seats) else "0▲"
        for cell in each(yurts):
            squares[cell] = Square(sign, TextStyle(colours.sign, colours.fill, bold=True))
    for letter, colours, leader, camp in zip(
        LETTERS_OF_LEADERS, LEADERS, state.leaders, state.camps, strict=True
    ):
        for cell in each(leader):
            squares[cell] = Square(f"{letter}{camp}", TextStyle(colours.sign, colours.fill, bold=True))
    for number, piece in enumerate(state.placed):
        kind = parts.shapes[piece.shape].kind
        sign = f"{'#' if kind is PieceKind.TILE else '='}{SEATS.write(state.table, piece.owners)}"
        if len(sign) > longest:
            sign = f"{sign[: longest - 1]}+"
        for cell in each(piece.cells):
            squares[cell] = Square(sign, TextStyle("#1d1a16", PIECES[kind], bold=True), ("piece", number))
    return squares


def _pointed_out(
    board: Board, squares: dict[int, Square], highlights: Highlights[Move]
) -> Iterator[tuple[Cell, Square]]:
    """The highlighted squares; later ones replace earlier ones."""
    for cell in touched(board, highlights.last):
        square = squares[cell]
        yield cell, Square(f"{square.text[:2]}*", square.style, square.region, 1)
    for cell in named(board, highlights.places):
        yield cell, Square(f"{squares[cell].text[:2]}!", WRONG, squares[cell].region)
    for cell in touched(board, highlights.refused):
        yield cell, Square(f"{squares[cell].text[:2]}?", WRONG, None, 2)
