"""Cells of a square grid and their names: column letter and row number, a1 at the top left."""

import re
from string import ascii_lowercase
from typing import Final, NewType

from rules.kernel.text import Unreadable, Word, quoted

Cell = NewType("Cell", int)
"""Row times COLUMNS plus column, from 0: on every board, cells sort from the top, then from the left."""

COLUMNS: Final = 26
ROWS: Final = 99

_NAMES: Final = tuple(f"{letter}{row}" for row in range(1, ROWS + 1) for letter in ascii_lowercase)
_ROW: Final = re.compile(r"[1-9][0-9]?(?![0-9])")


def cell_at(row: int, column: int) -> Cell:
    """The cell at a row and a column, both from 0."""
    return Cell(row * COLUMNS + column)


def cell_name(cell: Cell) -> str:
    """The name that players use: 'g7'."""
    return _NAMES[cell]


def cell_names(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    """The names of several cells."""
    return tuple(cell_name(cell) for cell in cells)


def read_cell(word: Word) -> Cell:
    """Reads the name of a cell, on any board."""
    cell, used = read_cell_at(word, 0)
    if used < len(word.text):
        raise Unreadable(f"{quoted(word.text[used:])} stands after the cell", word.column + used)
    return cell


def read_cells(word: Word) -> tuple[Cell, ...]:
    """Reads the names of several cells, one after the other: 'd5e5d6'."""
    cells: list[Cell] = []
    used = 0
    while used < len(word.text) or not cells:
        cell, used = read_cell_at(word, used)
        cells.append(cell)
    return tuple(cells)


def read_cell_at(word: Word, at: int) -> tuple[Cell, int]:
    """Reads a cell name that begins at this index of a word; returns the cell and the index after it."""
    if not "a" <= word.text[at : at + 1] <= "z":
        raise unexpected("a column letter a to z", word, at)
    row = _ROW.match(word.text, at + 1)
    if row is None:
        raise unexpected(f"a row number 1 to {ROWS}", word, at + 1)
    return cell_at(int(row[0]) - 1, ord(word.text[at]) - ord("a")), row.end()


def unexpected(expected: str, word: Word, at: int) -> Unreadable:
    """The error for a word that has something else at this index."""
    found = quoted(word.text[at : at + 8]) if at < len(word.text) else "the end of the word"
    return Unreadable(f"expected {expected}, found {found}", word.column + at)
