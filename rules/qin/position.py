"""A position as one line of text that contains everything needed to continue from it.

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
from rules.kernel.setup import RECORDED
from rules.qin.board import STEPPE, Board
from rules.qin.notation import write_tile
from rules.qin.rulebook import QIN_1
from rules.qin.state import VACANT, Dealing, Drawing, Over, Placing, State, due
from rules.qin.tiles import COLOURS, KINDS, Counts, Hand, tiles_in

_BARE: Final = bytes.maketrans(b"RYB", b"...")
_MARKS: Final = tuple(
    bytes.maketrans(b"0b1", bytes((0, 0, ord(STEPPE) ^ ord(colour.letter)))) for colour in COLOURS
)
"""By colour: makes of a set of cells as a binary literal what turns steppe into its letter."""


def write_position(state: State) -> str:
    """The position as one line."""
    table = state.table
    parts = [table.board.name, _write_rows(state)]
    parts += _write_seats(state)
    parts.append(_write_turn(state))
    parts.append(_write_placed(state.placed))
    if state.passes:
        parts.append(f"passes={state.passes}")
    if table.draws is RECORDED:
        parts.append(f"draws={table.draws.value}")
    if any(state.drawn):
        parts.append(f"drawn={'.'.join(map(str, state.drawn))}")
    if table.edition != QIN_1:
        parts.append(f"edition={table.edition}")
    parts += [f"{name}={value}" for name, value in table.rulings.given]
    return " ".join(parts)


@lru_cache(maxsize=256)
def _write_placed(placed: Counts) -> str:
    return ",".join(f"{kind.name}{placed[kind]}" for kind in KINDS if placed[kind]) or "-"


def _write_rows(state: State) -> str:
    """The map with letters on it; a set of cells has a bit for each of its characters, row ends included."""
    board = state.table.board
    marks = 0
    for cells, of_colour in zip(state.territories, _MARKS, strict=True):
        marks ^= int.from_bytes(bin(cells).encode().translate(of_colour))
    # The end of the last row is no character.
    return (marks >> 8 ^ _bare(board.map)).to_bytes(board.bits - 1).decode()


@lru_cache(maxsize=32)
def _bare(rows: str) -> int:
    """The characters of a map without any territory."""
    return int.from_bytes(rows.encode().translate(_BARE))


def _write_seats(state: State) -> list[str]:
    names = state.table.names
    cell_of = state.table.board.cell_of
    owned: list[list[Cell]] = [[] for _ in names]
    for of_colour in state.provinces:
        for province in of_colour:
            owned[province.owner].append(cell_of[province.cells.bit_length()])
    villages = _write_villages(state.table.board, state.villages, len(names))
    marks = _other_than_due(state) if isinstance(state.turn, Over) else None
    words = []
    for seat, cells in enumerate(owned):
        cells.sort()
        firsts = (
            map(cell_name, cells) if not marks else [cell_name(cell) + marks.get(cell, "") for cell in cells]
        )
        words.append(
            f"{names[seat]}:{state.supplies[seat]}:{','.join(firsts)}:{villages[seat]}"
            f":{_write_hand(state.hands[seat])}"
        )
    return words


def _other_than_due(state: State) -> dict[Cell, str]:
    """By first cell: the pagodas on each province that has other than its due."""
    return {
        state.table.board.first(province.cells): f"*{province.pagodas}"
        for of_colour in state.provinces
        for province in of_colour
        if province.pagodas != due(province.cells)
    }


@lru_cache(maxsize=512)
def _write_villages(board: Board, owners: bytes, seats: int) -> tuple[str, ...]:
    """By seat: its villages."""
    return tuple(
        ",".join(
            village.letter
            for village, owner in zip(board.villages, owners, strict=True)
            if owner != VACANT and owner - 1 == seat
        )
        for seat in range(seats)
    )


@lru_cache(maxsize=1024)
def _write_hand(hand: Hand) -> str:
    return ",".join(write_tile(tile) for tile in tiles_in(hand))


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
