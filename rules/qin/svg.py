"""A position as an SVG image, readable with and without colour."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, Cell
from rules.kernel.display import Highlights, VectorImage
from rules.kernel.plan import (
    DARK,
    EDGE,
    LEFT,
    SIDE,
    TOP,
    Point,
    complaint,
    coordinates,
    corner,
    crossed,
    drawn_places,
    emblem,
    frame,
    letters,
    middle,
    outline,
    waves,
)
from rules.kernel.seat_colours import ALARM, SeatColours
from rules.kernel.svg import element, group
from rules.qin.board import BLOCKED, Board, sides
from rules.qin.marking import halves, named
from rules.qin.moves import Move
from rules.qin.palette import FILL, ON_FILL, ON_VILLAGE, VILLAGE, WATER, colours_by_seat
from rules.qin.state import Province, State
from rules.qin.tiles import Colour

_STEPPE: Final = "#f1e8d3"
_GRID: Final = "#d8caac"
_RIM: Final = "#8d7f65"
_INSET: Final = 3


def picture(state: State, highlights: Highlights[Move]) -> VectorImage:
    """The board with its coordinates, its provinces framed in their owners' colours, and all pagodas.

    A territory has the letter of its colour, a pagoda the number of its seat and a shape of its own; a major
    has two. The last move is framed, a refused one is crossed out, and what a rule complains of has a `!`.
    """
    board = state.table.board
    colours = colours_by_seat(state.table.names)
    return VectorImage(
        LEFT + SIDE * board.width + EDGE,
        TOP + SIDE * board.height + EDGE,
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
            *_highlights(board, highlights),
        ),
        tuple(drawn_places(board.cells)),
    )


# The board.


def _ground(board: Board) -> Iterator[str]:
    right, bottom = LEFT + SIDE * board.width, TOP + SIDE * board.height
    yield element("rect", x=LEFT, y=TOP, width=right - LEFT, height=bottom - TOP, fill=_STEPPE, stroke=_RIM)
    lines = "".join(
        [f"M{LEFT + SIDE * column} {TOP}V{bottom}" for column in range(1, board.width)]
        + [f"M{LEFT} {TOP + SIDE * row}H{right}" for row in range(1, board.height)]
    )
    if lines:
        yield element("path", d=lines, stroke=_GRID)
    yield coordinates(board.width, board.height)
    water = [cell for cell in board.cells if board.kind_at(cell) == BLOCKED]
    if water:
        yield element("path", d=outline(water, 0), fill=WATER)
        yield element("path", d=waves(water), fill="none", stroke="#ffffff")


def _villages(state: State, colours: tuple[SeatColours, ...]) -> Iterator[str]:
    board = state.table.board
    for number, village in enumerate(board.villages):
        cells = list(board.each(village.cells))
        yield element("path", d=outline(cells, 2), fill=VILLAGE, stroke="#5f4527", stroke_linejoin="round")
        owner = state.village_owner(number)
        if owner is not None:
            # Its letter stays to be seen beside the pagoda.
            yield letters(cells[:1], village.letter, ON_VILLAGE, 13, (-12, -7))
            yield _pagoda(cells[0], owner, colours[owner], (4, 4))
            cells = cells[1:]
        if cells:
            yield element("path", d="".join(_house(cell) for cell in cells), fill="#f0ddb9")
            yield letters(cells, village.letter, "#4a3210", 15, (0, 9))


def _house(cell: Cell) -> str:
    x, y = middle(cell)
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
    x, y = corner(cell)
    yield element("rect", x=x + 3, y=y + 3, width=34, height=34, rx=5, fill=FILL[colour])
    yield letters([cell], colour.letter, ON_FILL[colour], 15, (0, 5))


def _province(board: Board, colour: Colour, province: Province, owner_colours: SeatColours) -> Iterator[str]:
    cells = list(board.each(province.cells))
    border = outline(cells, _INSET)
    yield element("path", d=border, fill=FILL[colour], stroke=DARK, stroke_width=6, stroke_linejoin="round")
    yield element(
        "path", d=border, fill="none", stroke=owner_colours.fill, stroke_width=3, stroke_linejoin="round"
    )
    crowned = _crowned(board, province)
    bare = [cell for cell in cells if cell not in crowned]
    if bare:
        yield letters(bare, colour.letter, ON_FILL[colour], 15, (0, 5))
    for cell in crowned:
        yield _pagoda(cell, province.owner, owner_colours)


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


def _pagoda(cell: Cell, seat: Seat, colours: SeatColours, off: Point = (0, 0)) -> str:
    x, y = middle(cell)
    return group((emblem(seat, colours),), transform=f"translate({x + off[0]} {y + off[1]})")


# Highlights.


def _highlights(board: Board, highlights: Highlights[Move]) -> Iterator[str]:
    if last := halves(board, highlights.last):
        yield from frame(last, DARK)
    if refused := halves(board, highlights.refused):
        yield from _refused(refused)
    for cell in named(board, highlights.places):
        yield from complaint(cell)


def _refused(tile: dict[Cell, Colour]) -> Iterator[str]:
    for cell, colour in tile.items():
        yield from _single(cell, colour)
    yield from frame(tile, ALARM)
    yield from crossed(tile)
