"""A position as a vector drawing, readable in colour and without."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from rules.kernel.actors import Seat
from rules.kernel.display import Drawing, Marks
from rules.kernel.svg import element, group
from rules.qin.board import BLOCKED, COLUMNS, Board, Cell, sides
from rules.qin.marking import halves, named
from rules.qin.moves import Move
from rules.qin.palette import ALARM, FILL, ON_FILL, ON_VILLAGE, VILLAGE, WATER, Livery, liveries
from rules.qin.state import Province, State
from rules.qin.tiles import Colour

SIDE: Final = 40
"""Of a cell."""

_LEFT, _TOP, _EDGE = 32, 30, 14
_DARK: Final = "#2b2620"
_STEPPE: Final = "#f1e8d3"
_GRID: Final = "#d8caac"
_RIM: Final = "#8d7f65"
_INSET: Final = 3

Point: TypeAlias = tuple[int, int]
"""Across, then down."""


def picture(state: State, marks: Marks[Move]) -> Drawing:
    """The board with its coordinates, its provinces framed in their owners' colours, and all pagodas.

    A territory has the letter of its colour, a pagoda the number of its seat and a shape of its own; a major
    has two. The last move is framed, a refused one is crossed out, and what a rule complains of has a `!`.
    """
    board = state.table.board
    colours = liveries(state.table.names)
    return Drawing(
        _LEFT + SIDE * board.width + _EDGE,
        _TOP + SIDE * board.height + _EDGE,
        (
            *_ground(board),
            *_villages(state, colours),
            *_territories(state),
            *(
                part
                for colour, of_colour in zip(Colour, state.provinces, strict=True)
                for province in of_colour
                for part in _province(board, colour, province, colours[province.owner])
            ),
            *_marks(board, marks),
        ),
    )


def emblem(seat: Seat, livery: Livery) -> str:
    """A seat's pagoda around 0, 0: a shape and a number of its own."""
    shape = _SHAPES[seat]
    return group(
        (
            element("path", d=shape(14), fill="#ffffff"),
            element("path", d=shape(12.5), fill=livery.fill, stroke=_DARK, stroke_width=1.5),
            element(
                "text",
                str(seat + 1),
                y=5.5,
                fill=livery.sign,
                font_size=16,
                font_weight="bold",
                text_anchor="middle",
            ),
        )
    )


def _circle(radius: float) -> str:
    reach = radius - 0.5
    half = f"a{reach:g} {reach:g} 0 0 1"
    return f"M{-reach:g} 0{half} {2 * reach:g} 0{half} {-2 * reach:g} 0Z"


def _square(radius: float) -> str:
    reach = radius - 1.5
    return f"M{-reach:g} {-reach:g}H{reach:g}V{reach:g}H{-reach:g}Z"


def _diamond(radius: float) -> str:
    reach = radius + 2
    return f"M0 {-reach:g}L{reach:g} 0L0 {reach:g}L{-reach:g} 0Z"


def _hexagon(radius: float) -> str:
    reach, half, high = radius + 1, (radius + 1) / 2, round((radius + 1) * 0.87, 1)
    return f"M{-half:g} {-high:g}H{half:g}L{reach:g} 0L{half:g} {high:g}H{-half:g}L{-reach:g} 0Z"


_SHAPES: Final = (_circle, _square, _diamond, _hexagon)
"""By seat."""


# The board.


def _ground(board: Board) -> Iterator[str]:
    right, bottom = _LEFT + SIDE * board.width, _TOP + SIDE * board.height
    yield element(
        "rect", x=_LEFT, y=_TOP, width=right - _LEFT, height=bottom - _TOP, fill=_STEPPE, stroke=_RIM
    )
    lines = "".join(
        [f"M{_LEFT + SIDE * column} {_TOP}V{bottom}" for column in range(1, board.width)]
        + [f"M{_LEFT} {_TOP + SIDE * row}H{right}" for row in range(1, board.height)]
    )
    if lines:
        yield element("path", d=lines, stroke=_GRID)
    letters = (
        element("text", chr(ord("a") + column), x=_LEFT + SIDE * column + SIDE // 2, y=_TOP - 10)
        for column in range(board.width)
    )
    numbers = (
        element("text", str(row + 1), x=_LEFT // 2, y=_TOP + SIDE * row + SIDE // 2 + 5)
        for row in range(board.height)
    )
    yield group((*letters, *numbers), font_size=14, fill="#5d5343", text_anchor="middle")
    water = [cell for cell in board.cells if board.kind_at(cell) == BLOCKED]
    if water:
        yield element("path", d=_outline(water, 0), fill=WATER)
        yield element("path", d="".join(_wave(cell) for cell in water), fill="none", stroke="#ffffff")


def _wave(cell: Cell) -> str:
    x, y = _middle(cell)
    return "".join(f"M{x - 12} {y + down}q6 -6 12 0t12 0" for down in (-6, 6))


def _villages(state: State, colours: tuple[Livery, ...]) -> Iterator[str]:
    board = state.table.board
    for number, village in enumerate(board.villages):
        cells = list(board.each(village.cells))
        yield element("path", d=_outline(cells, 2), fill=VILLAGE, stroke="#5f4527", stroke_linejoin="round")
        owner = state.village_owner(number)
        if owner is not None:
            # Its letter stays to be seen beside the pagoda.
            yield _letters(cells[:1], village.letter, ON_VILLAGE, 13, (-12, -7))
            yield _pagoda(cells[0], owner, colours[owner], (4, 4))
            cells = cells[1:]
        if cells:
            yield element("path", d="".join(_house(cell) for cell in cells), fill="#f0ddb9")
            yield _letters(cells, village.letter, "#4a3210", 15, (0, 9))


def _house(cell: Cell) -> str:
    x, y = _middle(cell)
    return f"M{x - 13} {y - 2}L{x} {y - 14}L{x + 13} {y - 2}H{x + 9}V{y + 13}H{x - 9}V{y - 2}Z"


def _territories(state: State) -> Iterator[str]:
    """The singles: territories that no province has."""
    board = state.table.board
    for colour in Colour:
        singles = state.territories[colour]
        for province in state.provinces[colour]:
            singles &= ~province.cells
        for cell in board.each(singles):
            yield from _single(cell, colour)


def _single(cell: Cell, colour: Colour) -> Iterator[str]:
    x, y = _corner(cell)
    yield element("rect", x=x + 3, y=y + 3, width=34, height=34, rx=5, fill=FILL[colour])
    yield _letters([cell], colour.letter, ON_FILL[colour], 15, (0, 5))


def _province(board: Board, colour: Colour, province: Province, livery: Livery) -> Iterator[str]:
    cells = list(board.each(province.cells))
    outline = _outline(cells, _INSET)
    yield element("path", d=outline, fill=FILL[colour], stroke=_DARK, stroke_width=6, stroke_linejoin="round")
    yield element("path", d=outline, fill="none", stroke=livery.fill, stroke_width=3, stroke_linejoin="round")
    crowned = _crowned(board, province)
    bare = [cell for cell in cells if cell not in crowned]
    if bare:
        yield _letters(bare, colour.letter, ON_FILL[colour], 15, (0, 5))
    for cell in crowned:
        yield _pagoda(cell, province.owner, livery)


def _crowned(board: Board, province: Province) -> tuple[Cell, ...]:
    """Where its pagodas stand: on the innermost cells, side by side."""
    cells = list(board.each(province.cells))
    across = sum(cell % COLUMNS for cell in cells) / len(cells)
    down = sum(cell // COLUMNS for cell in cells) / len(cells)

    def from_the_middle(cell: Cell) -> tuple[float, Cell]:
        return abs(cell % COLUMNS - across) + abs(cell // COLUMNS - down), cell

    first = min(cells, key=from_the_middle)
    beside = [cell for cell in sides(first) if cell in cells]
    return (first, *sorted(beside, key=from_the_middle))[: province.pagodas]


def _pagoda(cell: Cell, seat: Seat, livery: Livery, off: Point = (0, 0)) -> str:
    x, y = _middle(cell)
    return group((emblem(seat, livery),), transform=f"translate({x + off[0]} {y + off[1]})")


def _letters(cells: Iterable[Cell], letter: str, ink: str, size: int, off: Point) -> str:
    places = [_middle(cell) for cell in cells]
    return element(
        "text",
        letter * len(places),
        x=" ".join(str(x + off[0]) for x, _ in places),
        y=" ".join(str(y + off[1]) for _, y in places),
        fill=ink,
        font_size=size,
        font_weight="bold",
        text_anchor="middle",
    )


# What is pointed out.


def _marks(board: Board, marks: Marks[Move]) -> Iterator[str]:
    if last := halves(board, marks.last):
        yield from _frame(last, _DARK)
    if refused := halves(board, marks.refused):
        yield from _refused(refused)
    for cell in named(board, marks.places):
        x, y = _corner(cell)
        yield element(
            "rect", x=x + 1, y=y + 1, width=38, height=38, rx=4, fill="none", stroke=ALARM, stroke_width=3
        )
        yield from _badge(x + SIDE - 4, y + 4, "M0 -4.5V1.5M0 4.2V4.4")


def _frame(cells: Iterable[Cell], ink: str) -> Iterator[str]:
    """A dashed line round cells; provinces have whole ones."""
    outline = _outline(cells, 1)
    yield element("path", d=outline, fill="none", stroke="#ffffff", stroke_width=5, stroke_linejoin="round")
    yield element("path", d=outline, fill="none", stroke=ink, stroke_width=3, stroke_dasharray="7 4")


def _badge(x: float, y: float, sign: str) -> Iterator[str]:
    yield element("circle", cx=x, cy=y, r=8, fill=ALARM, stroke="#ffffff", stroke_width=1.5)
    yield element(
        "path",
        d=sign,
        transform=f"translate({x:g} {y:g})",
        stroke="#ffffff",
        stroke_width=2.6,
        stroke_linecap="round",
    )


def _refused(tile: dict[Cell, Colour]) -> Iterator[str]:
    for cell, colour in tile.items():
        yield from _single(cell, colour)
    yield from _frame(tile, ALARM)
    middles = [_middle(cell) for cell in tile]
    x, y = (sum(along) / len(middles) for along in zip(*middles, strict=True))
    if len(middles) == 1:  # beside the letter, not over it
        x, y = x + 13, y + 13
    yield from _badge(x, y, "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5")


# Geometry.


def _corner(cell: Cell) -> Point:
    row, column = divmod(cell, COLUMNS)
    return _LEFT + SIDE * column, _TOP + SIDE * row


def _middle(cell: Cell) -> Point:
    x, y = _corner(cell)
    return x + SIDE // 2, y + SIDE // 2


def _outline(cells: Iterable[Cell], inset: int) -> str:
    """The border of a set of cells as the data of a path, drawn in by so much."""
    steps: dict[Point, list[Point]] = {}
    corners = {divmod(cell, COLUMNS)[::-1] for cell in cells}
    for x, y in sorted(corners):
        # Clockwise round each cell, where no cell of the set lies beside it.
        for at, step, beside in (
            ((x, y), (1, 0), (x, y - 1)),
            ((x + 1, y), (0, 1), (x + 1, y)),
            ((x + 1, y + 1), (-1, 0), (x, y + 1)),
            ((x, y + 1), (0, -1), (x - 1, y)),
        ):
            if beside not in corners:
                steps.setdefault(at, []).append(step)
    told = ""
    while steps:
        told += _loop(steps, inset)
    return told


def _loop(steps: dict[Point, list[Point]], inset: int) -> str:
    """One closed line, taken out of the steps."""
    begin = at = min(steps)
    step = steps[at][0]
    turns: list[tuple[Point, Point, Point]] = []
    while True:
        going = steps[at]
        # Where two cells meet at a corner only, a right turn stays with the same one.
        right = (-step[1], step[0])
        chosen = right if right in going and turns else going[0]
        going.remove(chosen)
        if not going:
            del steps[at]
        turns.append((at, step, chosen))
        at, step = (at[0] + chosen[0], at[1] + chosen[1]), chosen
        if at == begin:
            break
    first = (begin, step, turns[0][2])
    corners = [
        (
            _LEFT + SIDE * x + inset * (-before[1] - after[1]),
            _TOP + SIDE * y + inset * (before[0] + after[0]),
        )
        for (x, y), before, after in (first, *turns[1:])
        if before != after
    ]
    told = f"M{corners[0][0]} {corners[0][1]}"
    for (x, y), (old_x, _) in zip(corners[1:], corners, strict=False):
        told += f"V{y}" if x == old_x else f"H{x}"
    return f"{told}Z"
