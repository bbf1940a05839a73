"""A position as one line of text that carries everything needed to go on from it.

    BOARD ROWS NAME:SUPPLY:PROVINCES:VILLAGES:HAND … TURN PLACED [OPTION=VALUE …]

BOARD as in a match header. ROWS is the map with the territories on it. Then a word for each seat in turn
order: its supply, the first cell of each of its provinces, its villages, its tiles (`?` for one not known).
TURN is `deal`, `place:NAME`, `draw:NAME`, `over:last-pagoda` or `over:no-placement`. PLACED counts the
tiles on the board by kind, `RR2,YB1`, or `-`. Options: `passes=N`, `draws=recorded`, `drawn=N.N.N.N` by
pile, `edition=…`, and rulings that are not the default. A province that carries other than its due of
pagodas, because the last one ended the match, says how many: `e7*1`.
"""

from functools import lru_cache
from typing import Final, assert_never

from rules.kernel.cells import Cell, cell_name
from rules.kernel.setup import Draws
from rules.qin.board import CellSet
from rules.qin.notation import write_tile
from rules.qin.rulebook import QIN_1
from rules.qin.state import VACANT, Dealing, Drawing, Over, Placing, Province, State, due
from rules.qin.tiles import COLOURS, KINDS, Counts, Hand, tiles_in

_ALL_BITS: Final = bytes.maketrans(b"01", b"\x00\xff")
_LETTERS: Final = tuple(bytes.maketrans(b"01", bytes((0, ord(colour.letter)))) for colour in COLOURS)


def write_position(state: State) -> str:
    """The position as one line."""
    table = state.table
    parts = [table.board.name, _write_rows(state)]
    parts += _write_seats(state)
    parts.append(_write_turn(state))
    parts.append(_write_placed(state.placed))
    if state.passes:
        parts.append(f"passes={state.passes}")
    if table.draws is Draws.RECORDED:
        parts.append(f"draws={table.draws.value}")
    if any(state.drawn):
        parts.append(f"drawn={'.'.join(map(str, state.drawn))}")
    if table.edition != QIN_1:
        parts.append(f"edition={table.edition}")
    parts += [f"{name}={value}" for name, value in table.rulings.given]
    return " ".join(parts)


@lru_cache(maxsize=4096)
def _write_placed(placed: Counts) -> str:
    return ",".join(f"{kind.name}{placed[kind]}" for kind in KINDS if placed[kind]) or "-"


def _write_rows(state: State) -> str:
    """The map with letters on it; a set of cells has a bit for each of its characters, row ends included."""
    board = state.table.board
    width = board.bits - 1
    rows = int.from_bytes(board.map.encode())
    rows &= ~_spread(state.taken, width, _ALL_BITS)
    for letter, cells in zip(_LETTERS, state.territories, strict=True):
        rows |= _spread(cells, width, letter)
    return rows.to_bytes(width).decode()


def _spread(cells: CellSet, width: int, table: bytes) -> int:
    """One byte for each character of the map: what the table has for a cell of the set, or nothing."""
    return int.from_bytes(f"{cells >> 1:0{width}b}".encode().translate(table))


def _write_seats(state: State) -> list[str]:
    board, names = state.table.board, state.table.names
    provinces: list[list[tuple[Cell, Province]]] = [[] for _ in names]
    for of_colour in state.provinces:
        for province in of_colour:
            provinces[province.owner].append((board.first(province.cells), province))
    villages: list[list[str]] = [[] for _ in names]
    for village, owner in zip(board.villages, state.villages, strict=True):
        if owner != VACANT:
            villages[owner - 1].append(village.letter)
    return [
        ":".join(
            (
                names[seat],
                str(state.supplies[seat]),
                ",".join(cell_name(first) + _write_pagodas(province) for first, province in sorted(owned)),
                ",".join(villages[seat]),
                _write_hand(state.hands[seat]),
            )
        )
        for seat, owned in enumerate(provinces)
    ]


@lru_cache(maxsize=1024)
def _write_hand(hand: Hand) -> str:
    return ",".join(write_tile(tile) for tile in tiles_in(hand))


def _write_pagodas(province: Province) -> str:
    return "" if province.pagodas == due(province.cells) else f"*{province.pagodas}"


def _write_turn(state: State) -> str:
    turn, names = state.turn, state.table.names
    match turn:
        case Dealing():
            return "deal"
        case Placing():
            return f"place:{names[turn.seat]}"
        case Drawing():
            return f"draw:{names[turn.seat]}"
        case Over():
            return f"over:{turn.reason.value}"
        case _:
            assert_never(turn)
