"""Conquest tiles and bridges: their outlines, turned and turned over, and where each fits on a board."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NewType, TypeAlias

from msgspec import Struct

from rules.khan.board import Board, CellSet, groups

Outline: TypeAlias = tuple[tuple[int, int], ...]
"""Rows and columns from the top left, sorted."""


ShapeKind = NewType("ShapeKind", int)
"""A shape by its place in the set."""


class PieceKind(enum.Enum):
    """What a piece is for."""

    TILE = "tile"
    BRIDGE = "bridge"


class Printed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a component file says of a kind of piece."""

    id: str
    kind: PieceKind
    cells: tuple[str, ...]
    """Its outline, drawn with # in rows."""
    copies: int
    value: int
    water: int = 0
    """Cells of the river under a bridge (AMB-10)."""

    @property
    def outline(self) -> Outline:
        """Its cells."""
        return outline_of(self.cells)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of piece, and where it can lie at all."""

    printed: Printed
    footprints: tuple[CellSet, ...]
    """Every place that the terrain allows, in reading order, compared cell by cell."""
    outlines: frozenset[CellSet]
    """Every place on the board, whatever the terrain."""

    @property
    def id(self) -> str:
        """Its name in the set."""
        return self.printed.id

    @property
    def kind(self) -> PieceKind:
        """What it is for."""
        return self.printed.kind

    @property
    def value(self) -> int:
        """What it scores."""
        return self.printed.value

    @property
    def size(self) -> int:
        """How many cells."""
        return len(self.printed.outline)


def outline_of(rows: Sequence[str]) -> Outline:
    """The cells of a drawing with # in it."""
    return _at_origin([(y, x) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"])


def _at_origin(cells: Sequence[tuple[int, int]]) -> Outline:
    top = min((y for y, _ in cells), default=0)
    left = min((x for _, x in cells), default=0)
    return tuple(sorted((y - top, x - left) for y, x in cells))


def orientations(outline: Outline) -> tuple[Outline, ...]:
    """Every way to lay it: four turns of two faces, equal ones once, sorted."""
    found = {outline}
    for _ in range(3):
        found |= {_at_origin([(x, -y) for y, x in each]) for each in found}
    found |= {_at_origin([(y, -x) for y, x in each]) for each in found}
    return tuple(sorted(found))


def is_connected(outline: Outline) -> bool:
    """Whether it hangs together by sides."""
    stride = 2 + max((x for _, x in outline), default=0)
    return sum(1 for _ in groups(_bits(outline, stride), stride)) == 1


def _bits(outline: Outline, stride: int) -> CellSet:
    """The outline at the top left of a board with rows of this length."""
    return sum(1 << (y * stride + x) for y, x in outline)


def make_shape(board: Board, printed: Printed, *, loose: bool) -> Shape:
    """The shape with its places; loose where any water will do under a bridge (AMB-10)."""
    everywhere = frozenset(_placed(board, printed.outline))
    water = range(1, len(printed.outline)) if loose else range(printed.water, printed.water + 1)
    if printed.kind is PieceKind.TILE:
        fitting = [cells for cells in everywhere if not cells & board.river]
    else:  # land on both sides of the water that it needs (KHAN-BRIDGE-1)
        wet = [cells for cells in everywhere if (cells & board.river).bit_count() in water]
        fitting = [cells for cells in wet if on_both_sides(board, cells)]
    return Shape(printed, tuple(sorted(fitting, key=board.each)), everywhere)


def on_both_sides(board: Board, cells: CellSet) -> bool:
    """Whether the land under a bridge is in parts that only the water joins (AMB-11)."""
    return sum(1 for _ in board.groups(cells & board.land)) > 1


def _placed(board: Board, outline: Outline) -> Iterator[CellSet]:
    whole = board.land | board.river
    for turned in orientations(outline):
        pattern = _bits(turned, board.stride)
        high, wide = max(y for y, _ in turned), max(x for _, x in turned)
        for row in range(board.height - high):
            for column in range(board.width - wide):
                cells = pattern << (row * board.stride + column)
                if cells & whole == cells:
                    yield cells
