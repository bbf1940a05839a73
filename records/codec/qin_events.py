"""The events that nearly every entry of Qin has, as protobuf bytes written by hand.

An audit encodes every event of an archive again, and this takes less than half the time of the generated
messages, which stay the reference that the tests compare with.
"""

from typing import Final

from rules.qin.board import COLUMNS, ROWS, Board, Cell, cell_name
from rules.qin.events import (
    Event,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TilePlaced,
    VillageConnected,
    VillageConquered,
)
from rules.qin.tiles import Colour

_SHORT: Final = 0x80
"""Numbers and lengths below this are one byte on the wire."""

_BYTES: Final = tuple(bytes((number,)) for number in range(_SHORT))
_CELLS: Final = tuple(cell_name(Cell(number)).encode() for number in range(ROWS * COLUMNS))
_CELL: Final = tuple(b"\x1a" + _BYTES[len(name)] + name for name in _CELLS)
"""By cell: one of the cells of a province, field 3."""

_NUMBER: Final = tuple(
    tuple(bytes((field << 3, value)) if value else b"" for value in range(_SHORT)) for field in range(5)
)
"""By field and value: a number, which is left out where it is 0."""

_HALF: Final = tuple(
    tuple(bytes((len(name) + 4, 8, colour + 1, 0x12, len(name))) + name for name in _CELLS)
    for colour in Colour
)
"""By colour and cell: a half, with its length before it."""


def _framed(field: bytes, body: bytes) -> bytes:
    """The message of an event as one of the events of an entry."""
    if len(body) < _SHORT - 2:
        return b"\x0a" + _BYTES[len(body) + 2] + field + _BYTES[len(body)] + body
    event = field + _length(body) + body
    return b"\x0a" + _length(event) + event


def _length(body: bytes) -> bytes:
    size, parts = len(body), []
    while size >= _SHORT:
        parts.append(size & 0x7F | _SHORT)
        size >>= 7
    return bytes((*parts, size))


def _tile_placed(event: TilePlaced) -> bytes:
    first, second = event.first, event.second
    one, other = _HALF[first.colour][first.cell], _HALF[second.colour][second.cell]
    return _framed(b"\x1a", _NUMBER[1][event.seat] + b"\x12" + one + b"\x1a" + other)


def _province(board: Board, event: ProvinceFounded | ProvinceExpanded | ProvincesJoined) -> bytes:
    cells = b"".join([_CELL[cell] for cell in board.each(event.cells)])
    return _NUMBER[1][event.owner] + _NUMBER[2][event.colour + 1] + cells + _NUMBER[4][event.placed]


def _letter(board: Board, event: VillageConnected | VillageConquered) -> bytes:
    return board.villages[event.village].letter.encode()


def write_quickly(board: Board, events: tuple[Event, ...]) -> bytes | None:
    """The bytes of the events of one entry; None where one of them is seldom seen and not written by hand."""
    parts = []
    for event in events:
        match event:
            case TilePlaced():
                parts.append(_tile_placed(event))
            case ProvinceExpanded():
                parts.append(_framed(b"\x2a", _province(board, event)))
            case ProvinceFounded():
                parts.append(_framed(b"\x22", _province(board, event)))
            case ProvincesJoined():
                returned = b"\x2a" + _BYTES[len(event.returned)] + bytes(event.returned)
                parts.append(_framed(b"\x32", _province(board, event) + returned))
            case VillageConnected():
                parts.append(_framed(b"\x3a", _NUMBER[1][event.owner] + b"\x12\x01" + _letter(board, event)))
            case VillageConquered():
                seats = _NUMBER[1][event.owner] + _NUMBER[2][event.loser]
                village = b"\x1a\x01" + _letter(board, event)
                parts.append(_framed(b"\x42", seats + village + _NUMBER[4][event.placed]))
            case _:
                return None
    return b"".join(parts)
