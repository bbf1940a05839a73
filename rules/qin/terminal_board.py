"""A position in coloured text, readable without the colours."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.cells import Cell
from rules.kernel.display import Highlights, StyledLine, TerminalSize, TextStyle
from rules.kernel.squares import WRONG, Size, Square, lay_out
from rules.qin.board import BLOCKED, Board
from rules.qin.marking import halves, named
from rules.qin.moves import Move
from rules.qin.palette import FILL, ON_FILL, ON_VILLAGE, VILLAGE, WATER
from rules.qin.state import State
from rules.qin.tiles import Colour

KEY: Final = (
    "R red, Y yellow, B blue; 1-4 the seat that owns it; ▲ a pagoda, + a major with two;"
    " a-z a village, ~ blocked; * the last move, ? refused, ! what a rule complains of"
)

_PAPER: Final = FILL | {Colour.YELLOW: "#ffd75f"}
"""The yellow is one that terminals of 256 colours have; they would take the other for orange."""

_WATER: Final = TextStyle("#26414a", WATER)
_VILLAGE: Final = TextStyle(ON_VILLAGE, VILLAGE, bold=True)
_PLAIN: Final = TextStyle()


def styled_lines(
    state: State, highlights: Highlights[Move], terminal: TerminalSize
) -> tuple[StyledLine, ...]:
    """The board with its coordinates, a line round every province if there is room for that."""
    board = state.table.board
    size = Size(board.width, board.height)
    longest = 4 if size.has_room_for_frames(terminal) else 3
    return lay_out(size, _squares(state, highlights, longest), terminal)


# What stands on a cell.


def _squares(state: State, highlights: Highlights[Move], longest: int) -> dict[int, Square]:
    board = state.table.board
    squares: dict[int, Square] = {cell: _bare(board, cell) for cell in board.cells}
    for colour in Colour:
        for cell in board.each(state.territories[colour]):
            squares[cell] = Square(
                colour.letter, TextStyle(ON_FILL[colour], _PAPER[colour], bold=True), None, 0
            )
    number = 0
    for colour, of_colour in zip(Colour, state.provinces, strict=True):
        for province in of_colour:
            number += 1
            owned = f"{colour.letter}{province.owner + 1}"
            sign = owned + ("+" if province.major and longest == 3 else "")  # noqa: PLR2004 - a short cell
            for cell in board.each(province.cells):
                squares[cell] = Square(sign, squares[cell].style, ("province", number), 0)
            if longest > 3 or not province.major:  # noqa: PLR2004 - as above
                first = board.first(province.cells)
                pagodas = "▲" * province.pagodas
                squares[first] = Square(owned + pagodas, squares[first].style, ("province", number), 0)
    for number, village in enumerate(board.villages):
        owner = state.village_owner(number)
        for cell in board.each(village.cells):
            sign = village.letter if owner is None else f"{village.letter}{owner + 1}"
            if owner is not None and cell == board.first(village.cells):
                sign += "▲"
            squares[cell] = Square(sign, _VILLAGE, ("village", number), 0)
    return squares | dict(_pointed_out(board, squares, highlights))


def _bare(board: Board, cell: Cell) -> Square:
    if board.kind_at(cell) == BLOCKED:
        return Square("~~~", _WATER, ("water", 0), 0)
    return Square("·", _PLAIN, None, 0)


def _pointed_out(
    board: Board, squares: dict[int, Square], highlights: Highlights[Move]
) -> Iterator[tuple[int, Square]]:
    """The highlighted squares; later ones replace earlier ones."""
    for cell in halves(board, highlights.last):
        square = squares[cell]
        yield cell, Square(f"{square.text[:2]}*", square.style, square.region, 1)
    for cell in named(board, highlights.places):
        square = squares[cell]
        yield cell, Square(f"{square.text[:2]}!", WRONG, square.region, 0)
    for cell, colour in halves(board, highlights.refused).items():
        yield cell, Square(f"{colour.letter}?", WRONG, None, 2)
