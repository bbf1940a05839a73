"""The cells that a picture highlights."""

from collections.abc import Collection

from rules.kernel.cells import Cell, cell_name
from rules.qin.board import Board
from rules.qin.moves import Move, PlaceTile
from rules.qin.state import State
from rules.qin.tiles import Colour


def halves(board: Board, move: Move | None) -> dict[Cell, Colour]:
    """The cells of the board that a placement covers, in reading order; none for any other move."""
    if not isinstance(move, PlaceTile):
        return {}
    placed = move.canonical
    return {half.cell: half.colour for half in (placed.first, placed.second) if board.bit[half.cell]}


def touches(state: State, move: Move) -> tuple[str, ...]:
    """The cells that a move covers, by name."""
    return tuple(map(cell_name, halves(state.table.board, move)))


def named(board: Board, places: Collection[str]) -> list[Cell]:
    """The cells of the board among these places, in reading order."""
    return [cell for cell in board.cells if cell_name(cell) in places]
