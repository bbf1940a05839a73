"""The board as SVG elements, readable with and without colour."""

from collections.abc import Iterator

from rules.kernel import plan
from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.plan import DARK, SIDE
from rules.kernel.seat_colours import SeatColours
from rules.kernel.svg import element, group
from rules.khan.board import LETTERS, Board
from rules.khan.cards import REGIONS
from rules.khan.palette import LAND, LEADERS, NEUTRAL, ON_LAND, PIECES, WATER, colours_by_seat
from rules.khan.position_terms import LEADERS as LETTERS_OF_LEADERS
from rules.khan.shapes import PieceKind
from rules.khan.state import Piece, State


def drawing(state: State) -> Iterator[str]:
    """The board and everything on it, in the units of plan.py.

    Land has the small letter of its region, and a heavy edge where it touches a neighbouring territory. A
    seat's yurt has its number and a shape of its own, a neutral one is a dark tent; a leader is a pawn with a
    letter and the size of its camp. A piece shows its value and the markers of its owners.
    """
    colours = colours_by_seat(state.table.names)
    yield from _ground(state.table.parts.board)
    for piece in state.placed:
        yield from _piece(state, piece, colours)
    yield from _yurts(state, colours)
    yield from _leaders(state)


# The board.


def _ground(board: Board) -> Iterator[str]:
    for region in REGIONS:
        cells = board.each(board.regions[region])
        yield element("path", d=plan.outline(cells, 0), fill=LAND[region], stroke="#8d7f65", stroke_width=1)
    water = board.each(board.river)
    if water:
        yield element("path", d=plan.outline(water, 0), fill=WATER)
        yield element("path", d=plan.waves(water), fill="none", stroke="#ffffff", opacity=0.7)
    lines = "".join(f"M{x + SIDE} {y}V{y + SIDE}H{x}" for x, y in map(plan.corner, board.cells))
    yield element("path", d=lines, fill="none", stroke="#ffffff", stroke_width=1, opacity=0.6)
    for region, letter in zip(REGIONS, LETTERS, strict=True):
        yield plan.letters(board.each(board.regions[region]), letter, ON_LAND, 9, (-14, -10))
    edges = "".join(_border(board, cell) for cell in board.each(board.neighbour))
    if edges:
        yield element("path", d=edges, stroke="#6b4423", stroke_width=5, stroke_linecap="square")


def _border(board: Board, cell: Cell) -> str:
    """The sides of a cell beyond which there is no board."""
    bit, whole = board.bit[cell], board.land | board.river
    x, y = plan.corner(cell)
    sides = (
        (bit >> board.stride, f"M{x + 2} {y}H{x + SIDE - 2}"),
        (bit << board.stride, f"M{x + 2} {y + SIDE}H{x + SIDE - 2}"),
        (bit >> 1, f"M{x} {y + 2}V{y + SIDE - 2}"),
        (bit << 1, f"M{x + SIDE} {y + 2}V{y + SIDE - 2}"),
    )
    return "".join(line for beyond, line in sides if not beyond & whole)


# What stands on it.


def _yurts(state: State, colours: tuple[SeatColours, ...]) -> Iterator[str]:
    each = state.table.parts.board.each
    for seat, own in zip(state.table.seats, colours, strict=True):
        for cell in each(state.yurts[seat]):
            yield _marker(cell, seat, own)
    tents = each(state.neutral)
    if tents:
        yield element(
            "path", d="".join(map(_tent, tents)), fill=NEUTRAL.fill, stroke="#ffffff", stroke_width=1.5
        )
        yield element("path", d="".join(map(_door, tents)), fill="#ffffff")


def _marker(
    cell: Cell, seat: Seat, colours: SeatColours, scale: float = 1, off: tuple[int, int] = (0, 0)
) -> str:
    x, y = plan.middle(cell)
    size = "" if scale == 1 else f" scale({scale:g})"
    return group((plan.emblem(seat, colours),), transform=f"translate({x + off[0]} {y + off[1]}){size}")


def _tent(cell: Cell) -> str:
    x, y = plan.middle(cell)
    return f"M{x - 12} {y + 12}V{y + 1}L{x} {y - 11}L{x + 12} {y + 1}V{y + 12}Z"


def _door(cell: Cell) -> str:
    x, y = plan.middle(cell)
    return f"M{x - 3} {y + 12}V{y + 4}H{x + 3}V{y + 12}Z"


def _leaders(state: State) -> Iterator[str]:
    board = state.table.parts.board
    for letter, colours, leader, camp in zip(
        LETTERS_OF_LEADERS, LEADERS, state.leaders, state.camps, strict=True
    ):
        for cell in board.each(leader):
            x, y = plan.middle(cell)
            yield element(
                "path",
                d=f"M{x - 13} {y + 16}Q{x - 4} {y + 2} {x - 7} {y - 3}A9 9 0 1 1 {x + 7} {y - 3}"
                f"Q{x + 4} {y + 2} {x + 13} {y + 16}Z",
                fill=colours.fill,
                stroke=DARK,
                stroke_width=1.5,
            )
            yield plan.letters((cell,), letter, colours.sign, 13, (0, -4))
            yield plan.letters((cell,), str(camp), colours.sign, 11, (0, 14))


def _piece(state: State, piece: Piece, colours: tuple[SeatColours, ...]) -> Iterator[str]:
    board, shape = state.table.parts.board, state.table.parts.shapes[piece.shape]
    cells = board.each(piece.cells)
    border = plan.outline(cells, 3)
    yield element(
        "path", d=border, fill=PIECES[shape.kind], stroke=DARK, stroke_width=2.5, stroke_linejoin="round"
    )
    if shape.kind is PieceKind.BRIDGE:
        yield element("path", d="".join(map(_planks, cells)), stroke="#7d5730", stroke_width=1.2)
    # An owner has at least one yurt under the piece, so there is a cell for each.
    for cell, seat in zip(cells, piece.owners, strict=False):
        yield _marker(cell, seat, colours[seat], 0.86, (5, 5))
    x, y = plan.corner(cells[0])
    yield element("text", str(shape.value), x=x + 7, y=y + 16, fill=DARK, font_size=13, font_weight="bold")


def _planks(cell: Cell) -> str:
    x, y = plan.corner(cell)
    return "".join(f"M{x + 6} {y + down}H{x + SIDE - 6}" for down in (12, 20, 28))
