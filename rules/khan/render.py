"""A position as a picture in plain text, readable without colour."""

from collections.abc import Iterator

from rules.kernel.cells import Cell, cell_at
from rules.khan.board import LETTERS
from rules.khan.position_terms import LEADERS, SEATS
from rules.khan.state import State
from rules.khan.words import facts, table_lines, turn


def draw(state: State) -> str:
    """The board with its coordinates, what lies beside it, a line for each seat, and whose turn it is.

    Land is the letter of its region, ~ the river; 1 to 4 a yurt of that seat, 0 a neutral one; A to H a
    leader with the number of yurts in its camp; # a piece, with the numbers of its owners.
    """
    return "\n".join((*_board(state), "", *table_lines(state), "", *_seats(state), "", turn(state)))


def _board(state: State) -> Iterator[str]:
    board = state.table.parts.board
    owners = owners_by_cell(state)
    yield "    " + "".join(f"{chr(ord('a') + column):<5}" for column in range(board.width)).rstrip()
    for row in range(board.height):
        marks = (mark(state, owners, cell_at(row, column)) for column in range(board.width))
        yield f"{row + 1:>3} " + "".join(f"{each:<5}" for each in marks).rstrip()


def owners_by_cell(state: State) -> dict[Cell, str]:
    """The owners of the piece on each covered cell, by number."""
    each = state.table.parts.board.each
    return {
        cell: SEATS.write(state.table, piece.owners) for piece in state.placed for cell in each(piece.cells)
    }


def mark(state: State, owners: dict[Cell, str], cell: Cell) -> str:
    """What stands on a cell, in at most five characters; empty off the board."""
    board = state.table.parts.board
    bit = board.bit[cell]
    if cell in owners:
        return f"#{owners[cell]}"
    for number, yurts in enumerate(state.yurts[:-1], start=1):
        if yurts & bit:
            return str(number)
    if state.neutral & bit:
        return "0"
    for letter, leader, camp in zip(LEADERS, state.leaders, state.camps, strict=True):
        if leader & bit:
            return f"{letter}{camp}"
    if bit & board.river:
        return "~"
    return next(
        (letter.lower() for letter, cells in zip(LETTERS, board.regions, strict=True) if cells & bit), ""
    )


def _seats(state: State) -> Iterator[str]:
    width = max(len(name) for name in state.table.names)
    for seat, name in zip(state.table.seats, state.table.names, strict=True):
        told = "  ".join(f"{label} {value}" for label, value in facts(state, seat))
        yield f"{seat + 1} {name:<{width}}  {told}"
