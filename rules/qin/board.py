"""Cells, maps and the geometry of a board, ready for quick questions.

A set of cells is one integer, read like the map itself: the highest bit is a1, then along the row. A spare
bit at the end of each row keeps neighbours from wrapping round.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_at
from rules.kernel.text import Unreadable, quoted
from rules.qin.tiles import COLOURS

CellSet: TypeAlias = int
"""Cells of one board, as bits."""

STEPPE: Final = "."
BLOCKED: Final = "~"

_SIDES: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def sides(cell: Cell) -> Iterator[Cell]:
    """The cells that share a side with this one, on any board; at most four."""
    return _around(cell, _SIDES)


def corners(cell: Cell) -> Iterator[Cell]:
    """The cells that meet this one at a corner only, on any board; at most four."""
    return _around(cell, _CORNERS)


def _around(cell: Cell, steps: tuple[tuple[int, int], ...]) -> Iterator[Cell]:
    row, column = divmod(cell, COLUMNS)
    for down, right in steps:
        if 0 <= row + down < ROWS and 0 <= column + right < COLUMNS:
            yield cell_at(row + down, column + right)


@dataclass(frozen=True, slots=True)
class Village:
    """A village of one or several cells, known by its letter (AMB-19)."""

    letter: str
    cells: CellSet
    border: CellSet
    """Every cell that shares a side with it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A map with its geometry worked out. Boards are equal when name and map are."""

    name: str
    """As a match header has it: 'bird', or 'map:' and the map."""
    map: str
    width: int = field(compare=False)
    height: int = field(compare=False)
    stride: int = field(compare=False)
    """Bits from a cell to the one below."""
    cells: tuple[Cell, ...] = field(compare=False, repr=False)
    """Every cell in reading order."""
    bit: tuple[CellSet, ...] = field(compare=False, repr=False)
    """By cell: its bit, or 0 off the board."""
    near: tuple[CellSet, ...] = field(compare=False, repr=False)
    """By cell of the board: those on the board that share a side with it; 0 off the board."""
    cell_of: tuple[Cell, ...] = field(compare=False, repr=False)
    """By the bit length of its bit: a cell."""
    near_at: tuple[CellSet, ...] = field(compare=False, repr=False)
    """By the bit length of its bit: those on the board that share a side with a cell."""
    steppe: CellSet = field(compare=False, repr=False)
    land: CellSet = field(compare=False, repr=False)
    """Steppe and starts: where territories can be."""
    starts: tuple[CellSet, CellSet, CellSet] = field(compare=False, repr=False)
    """By colour."""
    clusters: tuple[tuple[CellSet, ...], ...] = field(compare=False, repr=False)
    """By colour: groups of starts printed side by side, none on a published board."""
    villages: tuple[Village, ...] = field(compare=False, repr=False)
    """By letter."""
    village_borders: CellSet = field(compare=False, repr=False)
    """Every cell beside a village."""
    villages_beside: Mapping[CellSet, tuple[int, ...]] = field(compare=False, repr=False)
    """By the bit of a cell beside a village: the numbers of the villages there."""

    octets: int = field(compare=False)
    """How many bytes a set of cells fills."""

    @property
    def bits(self) -> int:
        """How many bits a set of cells has."""
        return self.stride * self.height

    def first(self, cells: CellSet) -> Cell:
        """The first cell of a set that is not empty."""
        return self.cell_of[cells.bit_length()]

    def each(self, cells: CellSet) -> list[Cell]:
        """The cells of a set, in reading order."""
        found = []
        while cells:
            length = cells.bit_length()
            found.append(self.cell_of[length])
            cells ^= 1 << (length - 1)
        return found

    def beside(self, cells: CellSet) -> CellSet:
        """Every cell that shares a side with one of these, on the board or in the spare column."""
        return cells << 1 | cells >> 1 | cells << self.stride | cells >> self.stride

    def groups(self, cells: CellSet) -> Iterator[CellSet]:
        """The connected groups of a set of cells, found from nothing, by first cell."""
        return groups(cells, self.stride)

    def kind_at(self, cell: Cell) -> str:
        """The map's character at a cell, or an empty string off the board."""
        row, column = divmod(cell, COLUMNS)
        if row < self.height and column < self.width:
            return self.map[row * (self.width + 1) + column]
        return ""


def groups(cells: CellSet, stride: int) -> Iterator[CellSet]:
    """The connected groups of a set of cells, found from nothing, by first cell."""
    while cells:
        group = 1 << (cells.bit_length() - 1)
        while (
            wider := cells & (group | group << 1 | group >> 1 | group << stride | group >> stride)
        ) != group:
            group = wider
        yield group
        cells &= ~group


@lru_cache(maxsize=32)
def read_map(text: str, name: str = "") -> Board:
    """The board that a map describes; a fault is Unreadable at its column."""
    rows = text.split("/")
    _refuse_bad_rows(rows)
    height, width = len(rows), len(rows[0])
    stride = width + 1
    bits = stride * height
    bit = [0] * (ROWS * COLUMNS)
    marked: dict[str, CellSet] = {}
    cells = tuple(cell_at(row, column) for row in range(height) for column in range(width))
    for cell in cells:
        row, column = divmod(cell, COLUMNS)
        bit[cell] = 1 << (bits - 1 - row * stride - column)
        mark = rows[row][column]
        marked[mark] = marked.get(mark, 0) | bit[cell]
    starts = marked.get("R", 0), marked.get("Y", 0), marked.get("B", 0)
    near = [0] * (ROWS * COLUMNS)
    near_at = [0] * (bits + 1)
    cell_of = [Cell(0)] * (bits + 1)
    for cell in cells:
        length = bit[cell].bit_length()
        near[cell] = near_at[length] = sum(bit[other] for other in sides(cell))
        cell_of[length] = cell
    villages = tuple(
        Village(letter, marked[letter], _border(marked[letter], cells, bit, near))
        for letter in sorted(mark for mark in marked if mark.islower())
    )
    beside: dict[CellSet, tuple[int, ...]] = {}
    for cell in cells:
        numbers = tuple(number for number, village in enumerate(villages) if village.border & bit[cell])
        if numbers:
            beside[bit[cell]] = numbers
    return Board(
        name=name or f"map:{text}",
        map=text,
        width=width,
        height=height,
        stride=stride,
        cells=cells,
        bit=tuple(bit),
        near=tuple(near),
        cell_of=tuple(cell_of),
        near_at=tuple(near_at),
        steppe=marked.get(STEPPE, 0),
        land=marked.get(STEPPE, 0) + sum(starts),
        starts=starts,
        clusters=tuple(
            tuple(group for group in groups(of_colour, stride) if group.bit_count() > 1)
            for of_colour in starts
        ),
        villages=villages,
        village_borders=sum(beside),
        villages_beside=beside,
        octets=(bits + 7) // 8,
    )


def _border(block: CellSet, cells: tuple[Cell, ...], bit: list[CellSet], near: list[CellSet]) -> CellSet:
    border = 0
    for cell in cells:
        if bit[cell] & block:
            border |= near[cell]
    return border & ~block


def _refuse_bad_rows(rows: list[str]) -> None:
    column = 1
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if not row:
            raise Unreadable(f"row {number} of the map is empty", column)
        if number > ROWS:
            raise Unreadable(f"the map has more than {ROWS} rows", column)
        for offset, mark in enumerate(row):
            if not (mark in ".~RYB" or "a" <= mark <= "z"):
                expected = "expected . ~ R Y B or a village's letter a-z"
                why = f"row {number} of the map has {quoted(mark)}; {expected}"
                raise Unreadable(why, column + offset)
        if len(row) > COLUMNS:
            raise Unreadable(f"row {number} of the map has more than {COLUMNS} columns", column + COLUMNS)
        if len(row) != width:
            raise Unreadable(f"row {number} of the map is {len(row)} long, the first {width}", column)
        column += len(row) + 1
    if not any(colour.letter in row for row in rows for colour in COLOURS):
        raise Unreadable("the map has no starting territory; expected at least one R, Y or B")
