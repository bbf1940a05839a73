"""What is printed on Khan's board, pieces and cards, as the plain model knows it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec import Struct, json

CellXY = tuple[int, int]  # (row, column) from 0
Footprint = tuple[CellXY, ...]  # from the top, then from the left

CLOCKWISE = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
REGIONS = {"M": "mountain", "I": "ice", "T": "tundra", "R": "rock", "S": "sand", "F": "forest"}
RIVER = "river"
TERRAINS = {**REGIONS, "~": RIVER}
CELL = re.compile(r"([a-z])([1-9][0-9]?)")


def cell_name(cell: CellXY) -> str:
    """`(0, 3)` is d1."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def read_cells(word: str) -> Footprint:
    """Every cell of a word, in order; anything else in it is a ValueError."""
    if not CELL.sub("", word) == "" != word:
        raise ValueError(f"no cells: {word!r}")
    return tuple(sorted((int(row) - 1, ord(column) - ord("a")) for column, row in CELL.findall(word)))


def write_cells(cells: Iterable[CellXY]) -> str:
    """Canonical: from the top, then from the left."""
    return "".join(cell_name(cell) for cell in sorted(cells))


def sides(cell: CellXY) -> list[CellXY]:
    """The four cells that share a side with this one, on the board or not."""
    return [(cell[0] + down, cell[1] + right) for down, right in CLOCKWISE.values() if 0 in (down, right)]


def around(cell: CellXY) -> list[CellXY]:
    """The eight cells that share a side or a corner with this one, on the board or not."""
    return [(cell[0] + down, cell[1] + right) for down, right in CLOCKWISE.values()]


def groups(cells: Iterable[CellXY]) -> list[set[CellXY]]:
    """The cells in groups that hang together by sides."""
    left, found = set(cells), []
    while left:
        todo = [min(left)]
        group = set()
        while todo:
            cell = todo.pop()
            if cell in left:
                left.remove(cell)
                group.add(cell)
                todo += sides(cell)
        found.append(group)
    return found


def to_corner(cells: Sequence[CellXY]) -> Footprint:
    """The cells moved so that their top row and their leftmost column are 0."""
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return tuple(sorted((row - top, col - left) for row, col in cells))


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of piece."""

    kind: str  # tile or bridge
    outline: tuple[str, ...]
    copies: int
    value: int
    water: int = 0

    def turned(self) -> set[Footprint]:
        """Its eight ways to lie, some of them alike."""
        cells = [
            (row, col)
            for row, line in enumerate(self.outline)
            for col, mark in enumerate(line)
            if mark == "#"
        ]
        found = set()
        for _ in range(4):
            cells = [(col, -row) for row, col in cells]
            found |= {to_corner(cells), to_corner([(row, -col) for row, col in cells])}
        return found


class Printed:
    """One component set."""

    def __init__(  # noqa: PLR0913 - a set has that many parts
        self,
        name: str,
        *,
        rows: Sequence[str],
        neighbour: Sequence[str],
        starts: Mapping[str, CellXY],
        shapes: Mapping[str, Shape],
        cards: Sequence[str],
    ) -> None:
        self.name = name
        self.height, self.width = len(rows), len(rows[0])
        self.terrain = {
            (row, col): TERRAINS[mark]
            for row, line in enumerate(rows)
            for col, mark in enumerate(line)
            if mark in TERRAINS
        }
        self.river = {cell for cell, terrain in self.terrain.items() if terrain == RIVER}
        self.neighbours = {
            (row, col) for row, line in enumerate(neighbour) for col, mark in enumerate(line) if mark == "+"
        }
        self.starts = dict(starts)
        self.shapes = dict(shapes)
        self.cards = list(cards)
        assert len(set(self.cards)) == len(self.cards) == 72, (
            "the plain model distinguishes every card from every other"
        )
        self.turned = {word: shape.turned() for word, shape in shapes.items()}
        self.footprints = {word: self._footprints(word) for word in shapes}

    def _footprints(self, word: str) -> list[Footprint]:
        """Wherever the shape can lie with all its cells on the board, in order."""
        moved = [
            tuple((row + down, col + right) for row, col in turned)
            for turned in self.turned[word]
            for down in range(self.height)
            for right in range(self.width)
        ]
        return sorted(cells for cells in moved if self.fits(word, cells))

    def fits(self, word: str, cells: Footprint) -> bool:
        """Whether the cells have the shape's outline and are all on the board."""
        return to_corner(cells) in self.turned[word] and all(cell in self.terrain for cell in cells)

    def allows(self, ground: str, cell: CellXY, *, corners: bool) -> bool:
        """Whether a card of this ground lets a yurt on this land cell (KHAN-ACT-A)."""
        if ground == "joker":
            return True
        if ground == "neighbour":
            return cell in self.neighbours
        if ground == RIVER:
            beside = around(cell) if corners else sides(cell)
            return any(other in self.river for other in beside)
        return self.terrain[cell] == ground


def _reference() -> Printed:
    """The invented set `khan-reference-0`."""
    starts = {
        "seljuk": (8, 1),
        "rus": (1, 2),
        "leader-3": (1, 7),
        "leader-4": (1, 12),
        "leader-5": (5, 5),
        "leader-6": (5, 10),
        "leader-7": (9, 5),
        "leader-8": (8, 11),
    }
    sixes = (
        "###/###",
        "####/##..",
        "####/.##.",
        "####/#..#",
        "#####/#....",
        "#####/.#...",
        "#####/..#..",
        "###./.###",
        "##../.##./..##",
        ".#../####/.#..",
        "###/.#./.##",
        "###/#../##.",
    )
    shapes = {
        "T2": Shape("tile", ("##",), 4, 2),
        "T3I": Shape("tile", ("###",), 4, 3),
        "T3V": Shape("tile", ("##", "#."), 4, 3),
        "T4I": Shape("tile", ("####",), 1, 5),
        "T4O": Shape("tile", ("##", "##"), 1, 5),
        "T4T": Shape("tile", ("###", ".#."), 1, 5),
        "T4S": Shape("tile", ("##.", ".##"), 1, 5),
        "T4L": Shape("tile", ("###", "#.."), 1, 5),
        **{
            f"T6{letter}": Shape("tile", tuple(outline.split("/")), 1, 9)
            for letter, outline in zip("ABCDEFGHIJKL", sixes, strict=True)
        },
        "B3I": Shape("bridge", ("###",), 5, 4, water=1),
        "B4I": Shape("bridge", ("####",), 2, 6, water=1),
        "B4L": Shape("bridge", ("###", "#.."), 2, 7, water=2),
    }
    grounds = [*REGIONS.values(), RIVER, "neighbour", "joker"]
    return Printed(
        "khan-reference-0",
        rows=(
            "MMMM~IIIII~TTT",
            "MMMM~IIIII~TTT",
            "MMMM~IIIII~TTT",
            "MMMM~IIIII~TTT",
            "MMMM~~~~~~~TTT",
            "MMRSSSS~TTTTTT",
            "RRRRSSS~FFFFFT",
            "RRRRSSS~~FFFFF",
            "RRRRSSSS~FFFFF",
            "RRRRSSSS~FFFFF",
            "RRRRSSSS~FFFFF",
        ),
        neighbour=(
            "..++.+++++.+++",
            ".............+",
            ".............+",
            "+............+",
            "+............+",
            "+............+",
            "+............+",
            "+............+",
            "+............+",
            "+.............",
            "++++...+.++...",
        ),
        starts=starts,
        shapes=shapes,
        cards=[
            f"{leader}.{list(CLOCKWISE)[(i + j) % 8]}.{ground}"
            for i, leader in enumerate(starts)
            for j, ground in enumerate(grounds)
        ],
    )


REFERENCE = _reference()


class _Board(Struct):
    cells: tuple[str, ...]
    neighbour: tuple[str, ...]


class _Leader(Struct):
    id: str
    start: CellXY


class _Shape(Struct):
    id: str
    kind: str
    cells: tuple[str, ...]
    copies: int
    value: int
    water: int = 0


class _Set(Struct):
    board: _Board
    leader: tuple[_Leader, ...]
    shape: tuple[_Shape, ...]
    cards: dict[str, tuple[str, ...]]


@cache
def read_printed(name: str) -> Printed:
    """The set that a match header names, or gives in full."""
    if name == REFERENCE.name:
        return REFERENCE
    read = json.decode(name.removeprefix("set:"), type=_Set)
    return Printed(
        name,
        rows=read.board.cells,
        neighbour=read.board.neighbour,
        starts={leader.id: leader.start for leader in read.leader},
        shapes={
            each.id: Shape(each.kind, each.cells, each.copies, each.value, each.water) for each in read.shape
        },
        cards=[
            f"{leader.id}.{face.replace(':', '.')}"
            for leader in read.leader
            for face in read.cards[leader.id]
        ],
    )
