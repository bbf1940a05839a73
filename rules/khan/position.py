"""A position as one line of text that contains everything needed to continue from it.

    SET ROWS CAMPS PIECES NAME:SPECIALS:ACTIVE:HAND … TURN DISCARD [OPTION=VALUE …]

docs/khan.md describes every word. Sets of cells are spread over ROWS: `.` free land, `~` open river, `_` off
the board, `0` a neutral yurt, `1` to `4` a seat's, `A` to `H` a leader, `#` a cell under a piece.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from rules.kernel.cells import COLUMNS
from rules.kernel.setup import Draws
from rules.khan.board import CellSet
from rules.khan.cards import SPECIALS, UNKNOWN, CardKind, Special
from rules.khan.components import HASH_MARK
from rules.khan.notation import NOT_TOLD, write_cells
from rules.khan.parts import Parts
from rules.khan.rulebook import KHAN_1
from rules.khan.state import (
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
    rows = bytearray(OFF_BOARD.encode() * (board.stride * board.height))
    for mark, cells in _layers(state):
        for row, column in (divmod(cell, COLUMNS) for cell in board.each(cells)):
            rows[row * board.stride + column] = ord(mark)
    rows[board.width :: board.stride] = b"/" * board.height
    return rows[:-1].decode()


def _layers(state: State) -> Iterator[tuple[str, CellSet]]:
    """What stands on the board, by its mark."""
    yield FREE, state.free
    yield OPEN_RIVER, state.table.parts.board.river & ~state.covered
    yield COVERED, state.covered
    for seat, cells in enumerate(state.yurts[:-1], start=1):
        yield str(seat), cells
    yield NEUTRAL, state.neutral
    yield from zip(LEADERS, state.leaders, strict=True)


def write_site(parts: Parts, site: Site) -> str:
    """'T3V:d5e5d6'."""
    return f"{parts.shapes[site.shape].id}:{write_cells(parts.board.each(site.cells))}"


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
    return ",".join(parts.card_names[card] for card in _each(counts))


def _each(counts: bytes) -> Iterator[CardKind]:
    return (card for card, count in enumerate(counts) for _ in range(count))


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
