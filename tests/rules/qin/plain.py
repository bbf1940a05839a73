"""A state of the real rules in the words of the plain model: dictionaries, sets and flood fill."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rules.kernel.cells import COLUMNS, Cell
from rules.qin.board import Board, CellSet
from rules.qin.game import QIN
from rules.qin.notation import write_tile
from rules.qin.state import Dealing, Drawing, Over, Placing, State, Turn
from rules.qin.tiles import COLOURS, KINDS, tiles_in
from tests.rules.qin.naive import CellXY, Province, flood, sides


@dataclass(frozen=True, slots=True)
class Plain:
    """A state in the words of the plain model: dictionaries and sets."""

    colours: dict[CellXY, str]
    provinces: dict[Province, tuple[int, int]]
    """Owner and pagodas, by cells."""
    villages: dict[str, int | None]
    supplies: list[int]
    placed: dict[str, int]
    hands: list[list[str]]
    """Each sorted, unknown tiles last."""
    stock: int
    turn: tuple[str, int | None]
    passes: int
    reason: str | None
    winners: list[int]

    def on_board(self, seat: int) -> int:
        """The seat's pagodas that stand on provinces and villages."""
        on_provinces = sum(pagodas for owner, pagodas in self.provinces.values() if owner == seat)
        return on_provinces + list(self.villages.values()).count(seat)

    def groups(self) -> set[Province]:
        """The connected groups of each colour."""
        return groups(self.colours)

    def province_at(self, cells: Province) -> Province:
        """The province that these cells lie in."""
        return next(province for province in self.provinces if cells <= province)


def groups(colours: Mapping[CellXY, str]) -> set[Province]:
    """The connected groups of each colour, found from nothing."""
    found: set[Province] = set()
    seen: set[CellXY] = set()
    for cell in colours:
        if cell not in seen:
            group = flood(colours, cell)
            seen |= group
            found.add(group)
    return found


def plain(state: State) -> Plain:
    """The state in the words of the plain model."""
    board, turn, outcome = state.table.board, state.turn, QIN.outcome(state)
    return Plain(
        colours={cell: colour.letter for colour in COLOURS for cell in _xy(board, state.territories[colour])},
        provinces={
            _xy(board, province.cells): (province.owner, province.pagodas)
            for of_colour in state.provinces
            for province in of_colour
        },
        villages={
            village.letter: state.village_owner(number) for number, village in enumerate(board.villages)
        },
        supplies=list(state.supplies),
        placed={kind.name: state.placed[kind] for kind in KINDS},
        hands=[[write_tile(tile) for tile in tiles_in(hand)] for hand in state.hands],
        stock=state.stock,
        turn=_plain_turn(turn),
        passes=state.passes,
        reason=None if outcome is None else outcome.reason,
        winners=[] if outcome is None else list(outcome.winners),
    )


def _xy(board: Board, cells: CellSet) -> Province:
    return frozenset(xy(cell) for cell in board.cells if board.bit[cell] & cells)


def xy(cell: Cell) -> CellXY:
    """Row and column, from 0."""
    return divmod(cell, COLUMNS)


def _plain_turn(turn: Turn) -> tuple[str, int | None]:
    match turn:
        case Dealing():
            return "deal", None
        case Placing():
            return "place", turn.seat
        case Drawing():
            return "draw", turn.seat
        case Over():
            return "over", None


def village_cells(map_text: str) -> dict[str, set[CellXY]]:
    """By letter: a village's cells."""
    found: dict[str, set[CellXY]] = {}
    for row, line in enumerate(map_text.split("/")):
        for column, mark in enumerate(line):
            if mark.islower():
                found.setdefault(mark, set()).add((row, column))
    return found


def strict_leader(provinces: Mapping[Province, tuple[int, int]], village: set[CellXY]) -> int | None:
    """The seat with more beside a village than each other: one for a minor, two for a major (QIN-VIL-2)."""
    border = {beside for cell in village for beside in sides(cell)}
    strength: Counter[int] = Counter()
    for province, (owner, _) in provinces.items():
        if border & province:
            strength[owner] += 2 if len(province) >= 5 else 1
    best = strength.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None
