"""A position as one line of text that contains everything needed to continue from it.

    SET ROWS CAMPS PIECES NAME:SPECIALS:ACTIVE:HAND … TURN DISCARD [OPTION=VALUE …]

docs/khan.md describes every word. Sets of cells are spread over ROWS: `.` free land, `~` open river, `_` off
the board, `0` a neutral yurt, `1` to `4` a seat's, `A` to `H` a leader, `#` a cell under a piece.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, assert_never

from rules.kernel.setup import Draws
from rules.khan.board import CellSet
from rules.khan.cards import SPECIALS, UNKNOWN, Special
from rules.khan.components import HASH_MARK
from rules.khan.notation import NOT_TOLD, write_cells
from rules.khan.parts import Parts
from rules.khan.rulebook import KHAN_1
from rules.khan.state import (
    MOST_SEATS,
    Acting,
    Beginning,
    Choosing,
    Conquering,
    Discarding,
    Drawing,
    Laid,
    Opening,
    Over,
    Protection,
    Reservation,
    Restriction,
    Site,
    State,
    Support,
    Turning,
)

NOTHING: Final = "-"
FREE: Final = "."
OPEN_RIVER: Final = "~"
OFF_BOARD: Final = "_"
COVERED: Final = "#"
NEUTRAL: Final = "0"
LEADERS: Final = "ABCDEFGH"
_MARKS: Final = bytes.maketrans(
    b"0123456789abcdef", f"{OFF_BOARD}{NEUTRAL}1234{COVERED}{OPEN_RIVER}{FREE}???????".encode()
)
"""The mark of each layer, by the hexadecimal digit of its number; 0 is off the board."""

_NO_YURTS: Final = (0,) * MOST_SEATS
RETIRED: Final = {Special.PROTECTION: "protection", Special.SUPPORT: "support"}


def write_position(state: State) -> str:
    """The position as one line."""
    table = state.table
    parts = [
        table.parts.tag.partition(HASH_MARK)[0],
        write_rows(state),
        ".".join(map(str, state.camps)),
        ",".join(
            f"{write_site(table.parts, Site(piece.shape, piece.cells))}:{write_seats(piece.owners)}"
            for piece in state.placed
        )
        or NOTHING,
        *(_write_seat(state, seat) for seat in table.seats),
        _write_turn(state),
        _write_cards(table.parts, state.discard) or NOTHING,
    ]
    parts += [f"{name}={value}" for name, value in _options(state)]
    parts += [f"{name}={value}" for name, value in table.rulings.given]
    return " ".join(parts)


def write_rows(state: State) -> str:
    """The board with everything on it, a character a cell."""
    board = state.table.parts.board
    size = board.stride * board.height
    # Binary digits read as hexadecimal ones: added up, they name the layer of every cell at once.
    codes, taken = 0, ~((1 << size) - 1)
    for code, cells in enumerate(_layers(state), start=1):
        codes += code * int(f"{cells & ~taken:b}", 16)
        taken |= cells
    rows = bytearray(f"{codes:0{size}x}".encode()[::-1].translate(_MARKS))
    for leader, cells in zip(LEADERS.encode(), state.leaders, strict=True):
        if cells and cells.bit_length() <= size:
            rows[cells.bit_length() - 1] = leader
    rows[board.width :: board.stride] = b"/" * board.height
    return rows[:-1].decode()


def _layers(state: State) -> tuple[CellSet, ...]:
    """What stands on the board below the leaders, in the order of _MARKS: the first that has a cell shows."""
    yurts = (*state.yurts[:-1], *_NO_YURTS)[:MOST_SEATS]
    return (state.neutral, *yurts, state.covered, state.table.parts.board.river, state.free)


def write_site(parts: Parts, site: Site) -> str:
    """'T3V:d5e5d6'."""
    return _write_site(parts, site.shape, site.cells)


@lru_cache(maxsize=4096)  # every piece stays where it lies, and is written after every move
def _write_site(parts: Parts, shape: int, cells: CellSet) -> str:
    return f"{parts.shapes[shape].id}:{write_cells(parts.board.each(cells))}"


def write_seats(seats: Iterable[int]) -> str:
    """Seats by number, from 1."""
    return "".join(str(seat + 1) for seat in seats)


def _write_seat(state: State, seat: int) -> str:
    held = state.specials[seat]
    hand = state.hands[seat]
    return ":".join(
        (
            state.table.names[seat],
            "".join(f"{special.letter}{held[special]}" for special in SPECIALS if held[special]),
            write_restriction(state.table.parts, state.active[seat]),
            ",".join(NOT_TOLD if card == UNKNOWN else state.table.parts.card_names[card] for card in hand),
        )
    )


def write_restriction(parts: Parts, restriction: Restriction | None) -> str:
    """What a seat has in force: 'support.rock', or nothing."""
    match restriction:
        case None:
            return ""
        case Protection():
            return "protection"
        case Support():
            return "support" if restriction.region is None else f"support.{restriction.region.word}"
        case Reservation():
            return f"explore.{parts.shapes[restriction.shape].id}"


def _write_cards(parts: Parts, counts: bytes) -> str:
    return ",".join(name for name, count in zip(parts.card_names, counts, strict=True) for _ in range(count))


def _write_turn(state: State) -> str:
    turn, names = state.turn, state.table.names
    match turn:
        case Beginning():
            return "first"
        case Opening():
            return f"open:{names[turn.seat]}"
        case Drawing():
            return f"draw:{names[turn.seat]}"
        case Turning():
            if turn.leader is None:
                return f"turn:{names[turn.seat]}"
            return f"turn:{names[turn.seat]}:{state.left}:{state.table.parts.leaders[turn.leader].id}"
        case Acting():
            return f"act:{names[turn.seat]}:{state.left}"
        case Discarding():
            return f"discard:{names[turn.seat]}"
        case Choosing():
            return f"special:{names[turn.seat]}"
        case Conquering():
            return f"conquer:{names[turn.seat]}:{state.left}"
        case Over():
            return "over"
        case _:
            assert_never(turn)


def _options(state: State) -> Iterator[tuple[str, str]]:
    table = state.table
    if table.draws is Draws.RECORDED:
        yield "draws", table.draws.value
    if state.morale:
        yield "morale", "used"
    if state.proposal is not None:
        yield "asked", f"{write_site(table.parts, state.proposal.site)}:{write_seats(state.proposal.waiting)}"
    if state.refused:
        yield "refused", ",".join(write_site(table.parts, site) for site in state.refused)
    if state.retired is not None:
        yield "retired", RETIRED[state.retired]
    if state.shuffles:
        yield "shuffles", str(state.shuffles)
    if any(state.old):
        yield "old", ".".join(map(str, state.old))
    if any(state.apart):
        yield "apart", _write_cards(table.parts, state.apart)
    if state.either:
        yield "either", ",".join(_write_laid(table.parts, laid) for laid in state.either)
    if table.edition != KHAN_1:
        yield "edition", table.edition


def _write_laid(parts: Parts, laid: Laid) -> str:
    return f"{write_seats((laid.seat,))}:{parts.card_names[laid.card]}:{laid.most}"
