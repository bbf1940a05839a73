"""The same match seen from another side of the table, in other colours, or from another seat."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from rules.kernel.actors import Actor, Office, Seat
from rules.kernel.cells import cell_at
from rules.kernel.value import replaced
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.state import DRAWING, PLACING, VACANT, Drawing, Placing, State
from rules.qin.tiles import COLOURS, KIND, Colour, Kind, hand_of, tiles_in
from tests.rules.qin.naive import CellXY
from tests.rules.qin.plain import Plain, xy

Turning: TypeAlias = Callable[[CellXY, int, int], CellXY]
"""From a cell of a map with these numbers of rows and columns to where it comes to lie."""

TURNINGS: Final[dict[str, Turning]] = {
    "as it is": lambda cell, _rows, _columns: cell,
    "turned right": lambda cell, rows, _: (cell[1], rows - 1 - cell[0]),
    "turned round": lambda cell, rows, columns: (rows - 1 - cell[0], columns - 1 - cell[1]),
    "turned left": lambda cell, _, columns: (columns - 1 - cell[1], cell[0]),
    "top to bottom": lambda cell, rows, _: (rows - 1 - cell[0], cell[1]),
    "left to right": lambda cell, _, columns: (cell[0], columns - 1 - cell[1]),
    "mirrored along one diagonal": lambda cell, _rows, _columns: (cell[1], cell[0]),
    "mirrored along the other": lambda cell, rows, columns: (columns - 1 - cell[1], rows - 1 - cell[0]),
}


class Looking:
    """From another side of the table, through glasses that change the colours."""

    def __init__(self, map_text: str, turning: Turning, colours: Sequence[Colour]) -> None:
        lines = map_text.split("/")
        rows, columns = len(lines), len(lines[0])
        self.to = {
            (row, column): turning((row, column), rows, columns)
            for row in range(rows)
            for column in range(columns)
        }
        self.colours = colours
        self.letters = {colour.letter: colours[colour].letter for colour in COLOURS}
        marks = {self.to[row, column]: lines[row][column] for row, column in self.to}
        height, width = (max(place[axis] for place in marks) + 1 for axis in (0, 1))
        self.map = "/".join(
            "".join(self.letters.get(marks[row, column], marks[row, column]) for column in range(width))
            for row in range(height)
        )

    def move(self, move: Move) -> Move:
        match move:
            case PlaceTile():
                return PlaceTile(self._half(move.first), self._half(move.second)).canonical
            case DealTiles():
                tiles = tuple(self._tile(tile) for tile in move.tiles)
                return DealTiles(move.seat, tiles_in(hand_of(tiles)))
            case DrawTile():
                return DrawTile(self._tile(move.tile), move.pile)
            case Pass() | DeclareEnd():
                return move

    def _half(self, half: Half) -> Half:
        return Half(self.colours[half.colour], cell_at(*self.to[xy(half.cell)]))

    def _tile(self, tile: Kind | None) -> Kind | None:
        if tile is None:
            return None
        one, other = (
            self.colours[colour] for letter in tile.name for colour in COLOURS if colour.letter == letter
        )
        return KIND[one][other]

    def plain(self, seen: Plain) -> Plain:
        return replace(
            seen,
            colours={self.to[cell]: self.letters[colour] for cell, colour in seen.colours.items()},
            provinces={
                frozenset(self.to[cell] for cell in province): held
                for province, held in seen.provinces.items()
            },
            placed={self._name(kind): count for kind, count in seen.placed.items()},
            hands=[[self._name(tile) for tile in hand] for hand in seen.hands],
        )

    def _name(self, tile: str) -> str:
        mapped = self._tile(Kind[tile]) if tile in Kind.__members__ else None
        return tile if mapped is None else mapped.name


def tidied(seen: Plain, *, cut_short: bool) -> Plain:
    """Without what only an order decides: of a hand, or of which of a seat's due pagodas was its last."""
    return replace(
        seen,
        provinces={
            province: (owner, 0 if cut_short else pagodas)
            for province, (owner, pagodas) in seen.provinces.items()
        },
        hands=[sorted(hand) for hand in seen.hands],
    )


class Chairs:
    """Everybody moves on by this many seats, and takes everything along."""

    def __init__(self, seats: int, by: int) -> None:
        self.to = [Seat((seat + by) % seats) for seat in range(seats)]

    def actor(self, actor: Actor) -> Actor:
        return actor if isinstance(actor, Office) else self.to[actor]

    def state(self, state: State) -> State:
        reds, yellows, blues = (
            tuple(replaced(province, owner=self.to[province.owner]) for province in of_colour)
            for of_colour in state.provinces
        )
        turn = state.turn
        if isinstance(turn, Placing):
            turn = PLACING[self.to[turn.seat]]
        elif isinstance(turn, Drawing):
            turn = DRAWING[self.to[turn.seat]]
        came_from = [self.to.index(seat) for seat in state.table.seats]
        return replaced(
            state,
            provinces=(reds, yellows, blues),
            villages=bytes(VACANT if owner == VACANT else self.to[owner - 1] + 1 for owner in state.villages),
            supplies=tuple(state.supplies[seat] for seat in came_from),
            hands=tuple(state.hands[seat] for seat in came_from),
            turn=turn,
        )
