"""Hand-written protobuf encoding of Qin's frequent events.

An audit encodes every event of an archive again. This takes less than half the time of the generated
messages, which remain the reference that tests compare with.
"""

from typing import Final

from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_name
from rules.qin.board import Board
from rules.qin.events import (
    Event,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TileDrawn,
    TilePlaced,
    TurnPassed,
    VillageConnected,
    VillageConquered,
)
from rules.qin.notation import write_tile
from rules.qin.tiles import Colour

_ONE_BYTE_LIMIT: Final = 0x80
"""Numbers and lengths below this take one byte on the wire (a varint)."""

_EVENT_TAG: Final = 0x0A
"""The tag of `Events.events`, which precedes each event of an entry."""

_BYTES: Final = tuple(bytes((number,)) for number in range(_ONE_BYTE_LIMIT))
_CELLS: Final = tuple(cell_name(Cell(number)).encode() for number in range(ROWS * COLUMNS))
_CELL: Final = tuple(b"\x1a" + _BYTES[len(name)] + name for name in _CELLS)
"""By cell: its field in a province, number 3."""


def _numbers(field: int) -> tuple[bytes, ...]:
    """By value: the bytes of this field with that number; empty for 0, which is not written."""
    return tuple(bytes((field << 3, value)) if value else b"" for value in range(_ONE_BYTE_LIMIT))


_ONE: Final = _numbers(1)
_TWO: Final = _numbers(2)
_THREE: Final = _numbers(3)
_FOUR: Final = _numbers(4)
_COLOUR: Final = tuple(_TWO[colour + 1] for colour in Colour)
"""By colour: its field in a province, number 2."""


def _halves(tag: int) -> tuple[tuple[bytes, ...], ...]:
    """By colour and cell: the bytes of a half of a tile as the field with this tag."""
    return tuple(
        tuple(bytes((tag, len(name) + 4, 8, colour + 1, 0x12, len(name))) + name for name in _CELLS)
        for colour in Colour
    )


_FIRST: Final = _halves(0x12)
_SECOND: Final = _halves(0x1A)


def _heads(tag: int) -> tuple[bytes, ...]:
    """By the length of its message: the bytes that precede an event with this tag."""
    return tuple(bytes((_EVENT_TAG, length + 2, tag, length)) for length in range(_ONE_BYTE_LIMIT - 2))


_TILE_DRAWN: Final = _heads(0x12)
_TILE_PLACED: Final = _heads(0x1A)
_FOUNDED: Final = _heads(0x22)
_EXPANDED: Final = _heads(0x2A)
_JOINED: Final = _heads(0x32)
_CONNECTED: Final = _heads(0x3A)
_CONQUERED: Final = _heads(0x42)
_PASSED: Final = _heads(0x4A)


def _framed(heads: tuple[bytes, ...], body: bytes) -> bytes:
    """The message of an event with the bytes that precede it."""
    if len(body) < len(heads):
        return heads[len(body)] + body
    event = heads[0][2:3] + _length(body) + body
    return _BYTES[_EVENT_TAG] + _length(event) + event


def _length(body: bytes) -> bytes:
    size, parts = len(body), []
    while size >= _ONE_BYTE_LIMIT:
        parts.append(size & 0x7F | _ONE_BYTE_LIMIT)
        size >>= 7
    return bytes((*parts, size))


def _province(board: Board, event: ProvinceFounded | ProvinceExpanded | ProvincesJoined) -> bytes:
    left, cell_of, bit = event.cells, board.cell_of, board.bit
    parts = [_ONE[event.owner], _COLOUR[event.colour]]
    while left:
        cell = cell_of[left.bit_length()]
        parts.append(_CELL[cell])
        left ^= bit[cell]
    parts.append(_FOUR[event.placed])
    return b"".join(parts)


def _letter(board: Board, event: VillageConnected | VillageConquered) -> bytes:
    return board.villages[event.village].letter.encode()


def write_quickly(board: Board, events: tuple[Event, ...]) -> bytes | None:
    """Encode the events of one entry; None if one of them is a rare one, which is not written by hand."""
    data = b""
    for event in events:
        if type(event) is TilePlaced:
            first, second = event.first, event.second
            one, other = _FIRST[first.colour][first.cell], _SECOND[second.colour][second.cell]
            body = _ONE[event.seat] + one + other
            data += _TILE_PLACED[len(body)] + body
        elif type(event) is ProvinceFounded:
            data += _framed(_FOUNDED, _province(board, event))
        elif type(event) is ProvinceExpanded:
            data += _framed(_EXPANDED, _province(board, event))
        elif type(event) is TileDrawn:
            tile = write_tile(event.tile).encode()
            drawn = b"\x12" + _BYTES[len(tile)] + tile
            data += _framed(_TILE_DRAWN, _ONE[event.seat] + drawn + _THREE[event.pile or 0])
        elif type(event) is VillageConnected:
            data += _framed(_CONNECTED, _ONE[event.owner] + b"\x12\x01" + _letter(board, event))
        elif type(event) is VillageConquered:
            seats = _ONE[event.owner] + _TWO[event.loser]
            village = b"\x1a\x01" + _letter(board, event)
            data += _framed(_CONQUERED, seats + village + _FOUR[event.placed])
        elif type(event) is ProvincesJoined:
            returned = b"\x2a" + _BYTES[len(event.returned)] + bytes(event.returned)
            data += _framed(_JOINED, _province(board, event) + returned)
        elif type(event) is TurnPassed:
            data += _framed(_PASSED, _ONE[event.seat])
        else:
            return None
    return data


def split_quickly(data: bytes) -> list[bytes] | None:
    """The bytes of each event of one entry; None if one is long or the data has another form."""
    messages = []
    start, end = 0, len(data)
    while start < end - 1:
        if data[start] != _EVENT_TAG or (length := data[start + 1]) >= _ONE_BYTE_LIMIT:
            return None
        start += 2
        messages.append(data[start : start + length])
        start += length
    return messages if start == end else None
