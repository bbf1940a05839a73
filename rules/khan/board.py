"""The board with its geometry worked out, ready for quick questions.

A set of cells is one integer: the lowest bit is a1, then along the row. A spare bit at the end of each row
keeps neighbours from wrapping round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_at
from rules.khan.cards import REGIONS, Direction, Ground

CellSet: TypeAlias = int
"""Cells of one board, as bits."""

RIVER: Final = "~"
OFF: Final = " "
OFF_BOARD: Final = "_"
"""The same where blanks separate words."""
LETTERS: Final = "MITRSF"
"""The regions in their order, as a map has them."""

REACH: Final = 3
"""How far a leader flees at most (KHAN-FLEE-1)."""


@dataclass(frozen=True, slots=True)
class Board:
    """Cells, regions, river and the rays along which leaders flee."""

    width: int
    height: int
    stride: int
    cells: tuple[Cell, ...]
    """Every cell in reading order."""
    bit: tuple[CellSet, ...]
    """By cell: its bit, or 0 off the board."""
    cell_of: tuple[Cell, ...]
    """By the bit length of its bit: a cell."""
    land: CellSet
    river: CellSet
    regions: tuple[CellSet, ...]
    """By region."""
    neighbour: CellSet
    """Land that touches a neighbouring territory."""
    rays: tuple[tuple[tuple[CellSet, ...], ...], ...]
    """By the bit length of a land cell's bit, then by direction: the land within reach, nearest first."""

    def each(self, cells: CellSet) -> tuple[Cell, ...]:
        """The cells of a set, in reading order."""
        found = []
        while cells:
            low = cells & -cells
            found.append(self.cell_of[low.bit_length()])
            cells ^= low
        return tuple(found)

    def first(self, cells: CellSet) -> Cell:
        """The first cell of a set that is not empty."""
        return self.cell_of[(cells & -cells).bit_length()]

    def union(self, cells: Sequence[Cell]) -> CellSet:
        """The set of these cells, as far as they lie on the board."""
        found = 0
        for cell in cells:
            found |= self.bit[cell]
        return found

    def beside(self, cells: CellSet) -> CellSet:
        """Every cell of the board that shares a side with one of these."""
        stride = self.stride
        return (cells << 1 | cells >> 1 | cells << stride | cells >> stride) & (self.land | self.river)

    def around(self, cells: CellSet) -> CellSet:
        """Every cell of the board that shares a side or a corner with one of these."""
        wide = cells | cells << 1 | cells >> 1
        return (wide << self.stride | wide >> self.stride | wide) & (self.land | self.river)

    def groups(self, cells: CellSet) -> Iterator[CellSet]:
        """The groups that hang together by their sides, by first cell."""
        return groups(cells, self.stride)

    def allowed(self, ground: Ground, *, corners: bool) -> CellSet:
        """The land that a card of this ground opens (KHAN-ACT-A); corners count for the river if asked."""
        if ground < len(REGIONS):
            return self.regions[ground]
        if ground is Ground.RIVER:
            return self.land & (self.around(self.river) if corners else self.beside(self.river))
        return self.neighbour if ground is Ground.NEIGHBOUR else self.land


def groups(cells: CellSet, stride: int) -> Iterator[CellSet]:
    """The same for cells in rows of this length."""
    while cells:
        group = cells & -cells
        while (
            wider := cells & (group | group << 1 | group >> 1 | group << stride | group >> stride)
        ) != group:
            group = wider
        yield group
        cells &= ~group


def make_board(rows: Sequence[str], neighbour: Sequence[str]) -> Board:
    """The board of rows that were checked: equal in length, with no unknown mark."""
    height, width = len(rows), len(rows[0])
    stride = width + 1
    bit = [0] * (ROWS * COLUMNS)
    cell_of = [Cell(0)] * (stride * height + 1)
    regions = [0] * len(REGIONS)
    river = marked = 0
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark == OFF:
                continue
            cell = cell_at(row, column)
            bit[cell] = 1 << (row * stride + column)
            cell_of[bit[cell].bit_length()] = cell
            if mark == RIVER:
                river |= bit[cell]
            else:
                regions[LETTERS.index(mark)] |= bit[cell]
            if neighbour[row][column] == "+":
                marked |= bit[cell]
    land = sum(regions)
    cells = tuple(Cell(number) for number in range(len(bit)) if bit[number])
    rays: list[tuple[tuple[CellSet, ...], ...]] = [()] * len(cell_of)
    for cell in cells:
        rays[bit[cell].bit_length()] = tuple(_ray(bit, land, cell, direction) for direction in Direction)
    return Board(
        width,
        height,
        stride,
        cells,
        tuple(bit),
        tuple(cell_of),
        land,
        river,
        tuple(regions),
        marked,
        tuple(rays),
    )


def _ray(bit: Sequence[CellSet], land: CellSet, origin: Cell, direction: Direction) -> tuple[CellSet, ...]:
    """River is counted and passed over; the first cell off the board ends the ray (AMB-19)."""
    row, column = divmod(origin, COLUMNS)
    down, right = direction.step
    found = []
    for _ in range(REACH):
        row, column = row + down, column + right
        if not (0 <= row < ROWS and 0 <= column < COLUMNS) or not bit[cell_at(row, column)]:
            break
        if bit[cell_at(row, column)] & land:
            found.append(bit[cell_at(row, column)])
    return tuple(found)


def flee_target(board: Board, free: CellSet, origin: CellSet, printed: Direction) -> CellSet | None:
    """Where a leader flees to: the nearest free cell of the first ray that has one (KHAN-FLEE-1)."""
    rays = board.rays[origin.bit_length()]
    for turned in range(len(rays)):
        for cell in rays[(printed + turned) % len(rays)]:
            if cell & free:
                return cell
    return None
