"""Draws a grid of cells as SVG: coordinates, outlines, markers and highlights."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, Cell, cell_name
from rules.kernel.display import DrawnPlace
from rules.kernel.seat_colours import ALARM, SeatColours
from rules.kernel.svg import element, group

SIDE: Final = 40
"""Side of a cell, in SVG units."""

LEFT, TOP, EDGE = 32, 30, 14
"""Margins of the grid, in SVG units: on the left and above for the coordinates, and on the other sides."""

DARK: Final = "#2b2620"

Point: TypeAlias = tuple[int, int]
"""Across, then down."""


def coordinates(width: int, height: int) -> str:
    """The letters of the columns and the numbers of the rows."""
    letters = (
        element("text", chr(ord("a") + column), x=LEFT + SIDE * column + SIDE // 2, y=TOP - 10)
        for column in range(width)
    )
    numbers = (
        element("text", str(row + 1), x=LEFT // 2, y=TOP + SIDE * row + SIDE // 2 + 5)
        for row in range(height)
    )
    return group((*letters, *numbers), font_size=14, fill="#5d5343", text_anchor="middle")


def waves(cells: Iterable[int]) -> str:
    """Waves on these cells, as path data."""
    path = ""
    for cell in cells:
        x, y = middle(cell)
        path += "".join(f"M{x - 12} {y + down}q6 -6 12 0t12 0" for down in (-6, 6))
    return path


def letters(cells: Iterable[int], letter: str, colour: str, size: int, off: Point) -> str:
    """The same letter on several cells."""
    places = [middle(cell) for cell in cells]
    return element(
        "text",
        letter * len(places),
        x=" ".join(str(x + off[0]) for x, _ in places),
        y=" ".join(str(y + off[1]) for _, y in places),
        fill=colour,
        font_size=size,
        font_weight="bold",
        text_anchor="middle",
    )


# Markers of seats.


def emblem(seat: Seat, colours: SeatColours) -> str:
    """A seat's marker, centred at 0, 0; each seat has its own shape and number."""
    shape = _SHAPES[seat]
    return group(
        (
            element("path", d=shape(14), fill="#ffffff"),
            element("path", d=shape(12.5), fill=colours.fill, stroke=DARK, stroke_width=1.5),
            element(
                "text",
                str(seat + 1),
                y=5.5,
                fill=colours.sign,
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


# Highlights.


def complaint(cell: int) -> Iterator[str]:
    """A frame and a `!` around a cell that a violation concerns."""
    x, y = corner(cell)
    yield element(
        "rect", x=x + 1, y=y + 1, width=38, height=38, rx=4, fill="none", stroke=ALARM, stroke_width=3
    )
    yield from badge(x + SIDE - 4, y + 4, "M0 -4.5V1.5M0 4.2V4.4")


def crossed(cells: Iterable[int]) -> Iterator[str]:
    """A cross in the middle of the cells of a refused move."""
    middles = [middle(cell) for cell in cells]
    x, y = (sum(along) / len(middles) for along in zip(*middles, strict=True))
    if len(middles) == 1:  # beside the letter, not over it
        x, y = x + 13, y + 13
    yield from badge(x, y, "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5")


def frame(cells: Iterable[int], colour: str) -> Iterator[str]:
    """A dashed line around cells."""
    border = outline(cells, 1)
    yield element("path", d=border, fill="none", stroke="#ffffff", stroke_width=5, stroke_linejoin="round")
    yield element("path", d=border, fill="none", stroke=colour, stroke_width=3, stroke_dasharray="7 4")


def badge(x: float, y: float, sign: str) -> Iterator[str]:
    """A sign on a round background."""
    yield element("circle", cx=x, cy=y, r=8, fill=ALARM, stroke="#ffffff", stroke_width=1.5)
    yield element(
        "path",
        d=sign,
        transform=f"translate({x:g} {y:g})",
        stroke="#ffffff",
        stroke_width=2.6,
        stroke_linecap="round",
    )


# Geometry.


def corner(cell: int) -> Point:
    """The top left corner of a cell."""
    row, column = divmod(cell, COLUMNS)
    return LEFT + SIDE * column, TOP + SIDE * row


def middle(cell: int) -> Point:
    """The middle of a cell."""
    x, y = corner(cell)
    return x + SIDE // 2, y + SIDE // 2


def drawn_places(cells: Iterable[int], scale: float = 1.0) -> Iterator[DrawnPlace]:
    """Where cells lie in an image that is drawn at this scale."""
    for cell in cells:
        x, y = corner(cell)
        yield DrawnPlace(cell_name(Cell(cell)), x * scale, y * scale, SIDE * scale)


def outline(cells: Iterable[int], inset: int) -> str:
    """The border of a set of cells as path data, moved inwards by `inset`."""
    steps: dict[Point, list[Point]] = {}
    corners = {divmod(cell, COLUMNS)[::-1] for cell in cells}
    for x, y in sorted(corners):
        # Clockwise around each cell, along the sides that have no cell of the set beyond them.
        for at, step, beside in (
            ((x, y), (1, 0), (x, y - 1)),
            ((x + 1, y), (0, 1), (x + 1, y)),
            ((x + 1, y + 1), (-1, 0), (x, y + 1)),
            ((x, y + 1), (0, -1), (x - 1, y)),
        ):
            if beside not in corners:
                steps.setdefault(at, []).append(step)
    path = ""
    while steps:
        path += _loop(steps, inset)
    return path


def _loop(steps: dict[Point, list[Point]], inset: int) -> str:
    """Removes the steps of one closed line, and returns it as path data."""
    begin = at = min(steps)
    step = steps[at][0]
    turns: list[tuple[Point, Point, Point]] = []
    while True:
        going = steps[at]
        # If two cells touch only at a corner, turning right stays on the same cell.
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
            LEFT + SIDE * x + inset * (-before[1] - after[1]),
            TOP + SIDE * y + inset * (before[0] + after[0]),
        )
        for (x, y), before, after in (first, *turns[1:])
        if before != after
    ]
    path = f"M{corners[0][0]} {corners[0][1]}"
    for (x, y), (old_x, _) in zip(corners[1:], corners, strict=False):
        path += f"V{y}" if x == old_x else f"H{x}"
    return f"{path}Z"
