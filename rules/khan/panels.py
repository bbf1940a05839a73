"""How Khan is shown: the board with what lies beside it, and a row for each seat."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell, cell_name
from rules.kernel.display import Display, Highlights, TextStyle
from rules.kernel.panel_display import draw_panels, panel_display
from rules.kernel.panels import Grid, GridMarks, Owner, Panel, SeatTable
from rules.kernel.plan import emblem
from rules.kernel.squares import Size, Square
from rules.khan import moves as m
from rules.khan import palette
from rules.khan.board import LETTERS, Board
from rules.khan.drawing import drawing
from rules.khan.events import Event
from rules.khan.position_terms import LEADERS, SEATS
from rules.khan.shapes import PieceKind
from rules.khan.state import State
from rules.khan.words import describe, facts, holdings, table_lines, turn

_KEY: Final = (
    "m i t r s f land by region, ~ river; 1▲ a yurt of seat 1, 0▲ a neutral one; A5 a leader with its camp;"
    " #12 a tile and =12 a bridge of these seats, + for more; * the last move, ? refused,"
    " ! what a rule complains of"
)


def panels(state: State, highlights: Highlights[m.Move]) -> tuple[Panel, ...]:
    """The board, with its pieces, and what lies beside it."""
    board = state.table.parts.board
    marks = GridMarks(
        _touched(board, highlights.last),
        tuple(cell for cell in board.cells if cell_name(cell) in highlights.places),
        _touched(board, highlights.refused),
    )
    size, squares = Size(board.width, board.height), dict(_squares(state))
    return (Grid("", size, squares, marks, table_lines(state), tuple(drawing(state))),)


def _touched(board: Board, move: m.Move | None) -> tuple[Cell, ...]:
    """The cells of the board that a move is about, in reading order; none for many moves."""
    match move:
        case m.PlaceYurt() | m.Invade() | m.InvadeAnywhere():
            cells: tuple[Cell, ...] = (move.cell,)
        case m.Conquer():
            cells = tuple(sorted(move.cells))
        case _:
            cells = ()
    return tuple(cell for cell in cells if board.bit[cell])


def touches(state: State, move: m.Move) -> tuple[str, ...]:
    """The cells that a move is about, by name."""
    return tuple(map(cell_name, _touched(state.table.parts.board, move)))


def _squares(state: State) -> Iterator[tuple[int, Square]]:
    """What stands on each cell; later ones hide earlier ones."""
    parts, seats = state.table.parts, palette.colours_by_seat(state.table.names)
    each = parts.board.each
    for cells, letter, fill in zip(parts.board.regions, LETTERS, palette.LAND.values(), strict=True):
        for cell in each(cells):
            yield cell, Square(letter.lower(), TextStyle(palette.ON_LAND, fill))
    for cell in each(parts.board.river):
        yield cell, Square("~~~", TextStyle("#26414a", palette.WATER), ("river", 0))
    yurts = [(f"{number}▲", colours) for number, colours in enumerate(seats, start=1)]
    camps = [f"{letter}{camp}" for letter, camp in zip(LEADERS, state.camps, strict=True)]
    for (sign, colours), standing in zip(
        (*yurts, ("0▲", palette.NEUTRAL), *zip(camps, palette.LEADERS, strict=True)),
        (*state.yurts, *state.leaders),
        strict=True,
    ):
        for cell in each(standing):
            yield cell, Square(sign, TextStyle(colours.sign, colours.fill, bold=True))
    for number, piece in enumerate(state.placed):
        kind = parts.shapes[piece.shape].kind
        sign = ("#" if kind is PieceKind.TILE else "=") + SEATS.write(state.table, piece.owners)
        for cell in each(piece.cells):
            style = TextStyle("#1d1a16", palette.PIECES[kind], bold=True)
            yield cell, Square(sign, style, ("piece", number))


def seats(state: State) -> SeatTable:
    """What each seat has, on the board and off it."""
    owners = []
    for seat, colours in zip(state.table.seats, palette.colours_by_seat(state.table.names), strict=True):
        values, holds = tuple(facts(state, seat).values()), tuple(holdings(state, seat))
        owners.append(Owner(state.table.names[seat], emblem(seat, colours), values, holds=holds))
    return SeatTable("", tuple(facts(state, Seat(0))), tuple(owners))


DISPLAY: Final[Display[State, m.Move, Event]] = panel_display(
    panels, seats, turn, describe, _KEY, touches=touches
)
draw: Final = draw_panels(panels, seats, turn)
