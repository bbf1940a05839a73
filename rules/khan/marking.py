"""The cells that a picture highlights."""

from collections.abc import Collection

from rules.kernel.cells import Cell, cell_name
from rules.khan.board import Board
from rules.khan.moves import Conquer, Invade, InvadeAnywhere, Move, PlaceYurt


def touched(board: Board, move: Move | None) -> tuple[Cell, ...]:
    """The cells of the board that a move is about, in reading order; none for many moves."""
    match move:
        case PlaceYurt() | Invade() | InvadeAnywhere():
            cells: tuple[Cell, ...] = (move.cell,)
        case Conquer():
            cells = move.canonical.cells
        case _:
            cells = ()
    return tuple(cell for cell in cells if board.bit[cell])


def named(board: Board, places: Collection[str]) -> list[Cell]:
    """The cells of the board among these places, in reading order."""
    return [cell for cell in board.cells if cell_name(cell) in places]
