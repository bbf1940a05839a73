"""A position as a picture in plain text, readable without colour."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.cells import Cell, cell_at
from rules.qin.state import State
from rules.qin.words import facts, turn

_WIDTH: Final = 80
"""Columns of a terminal; a wider board is drawn closer."""


def draw(state: State) -> str:
    """The board with its coordinates, a line for each seat, and whose turn it is.

    A territory is the letter of its colour, with the number of the seat that owns its province and + if it is
    major; a village is its letter, with its owner's number.
    """
    return "\n".join((*_board(state), "", *_seats(state), "", turn(state)))


def _board(state: State) -> Iterator[str]:
    board = state.table.board
    room = 4 if 4 * (board.width + 1) <= _WIDTH else 3
    yield "    " + "".join(f"{chr(ord('a') + column):<{room}}" for column in range(board.width)).rstrip()
    for row in range(board.height):
        marks = (_mark(state, cell_at(row, column)) for column in range(board.width))
        yield f"{row + 1:>3} " + "".join(f"{mark:<{room}}" for mark in marks).rstrip()


def _mark(state: State, cell: Cell) -> str:
    board = state.table.board
    bit = board.bit[cell]
    colour = state.colour_at(bit)
    if colour is not None:
        province = state.province_at(bit)
        if province is None:
            return colour.letter
        return f"{colour.letter}{province.owner + 1}{'+' if province.major else ''}"
    for number, village in enumerate(board.villages):
        if village.cells & bit:
            owner = state.village_owner(number)
            return village.letter if owner is None else f"{village.letter}{owner + 1}"
    return board.kind_at(cell)


def _seats(state: State) -> Iterator[str]:
    width = max(len(name) for name in state.table.names)
    for seat, name in zip(state.table.seats, state.table.names, strict=True):
        left, standing, hand = (value for _, value in facts(state, seat))
        yield (
            f"{seat + 1} {name:<{width}}  {left:>2} pagodas left, {standing:>2} on the board  hand: {hand}"
        )
