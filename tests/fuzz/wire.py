"""Changes encoded requests field by field, without knowing what the fields mean."""

import random
from collections.abc import Iterator, Sequence
from typing import Final

from tests.fuzz.damage import NUMBERS

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DEPTH: Final = 4
"""Maximum depth at which fields are changed."""


class NotFields(ValueError):
    """Bytes that are not fields of a message."""


def changed(data: bytes, others: Sequence[bytes], dice: random.Random, depth: int = _DEPTH) -> bytes:
    """A message with one field left out, repeated, moved, with another value or from another message."""
    try:
        fields = list(_fields(data))
        others_fields = list(_fields(dice.choice(others)))
    except NotFields:
        fields = others_fields = []
    if not fields:
        return torn(data, dice)
    place = dice.randrange(len(fields))
    match dice.randrange(8):
        case 0:
            del fields[place]
        case 1:
            fields += [fields[place]] * dice.choice((1, 1, 2, 50))
        case 2:
            dice.shuffle(fields)
        case 3 if others_fields:
            fields[place] = dice.choice(others_fields)
        case _:
            fields[place] = _other_value(*fields[place], others, dice, depth)
    return b"".join(_varint(key) + raw for key, raw in fields)


def torn(data: bytes, dice: random.Random) -> bytes:
    """Bytes that are no longer what a client would write."""
    at = dice.randrange(len(data) + 1)
    match dice.randrange(6):
        case 0:
            return data[:at]
        case 1:
            return data + data
        case 2:
            return data[:at] + dice.randbytes(dice.choice((1, 2, 8))) + data[at + dice.randrange(3) :]
        case 3 if data:
            return bytes([data[0] & 0xF8 | dice.randrange(8)]) + data[1:]
        case 4:
            return data + b"\xfa\xff\x0f\x03abc" + b"\x0b" * dice.choice((1, 90, 200))
        case _:
            flipped = bytearray(data or b"\x00")
            flipped[at % len(flipped)] ^= 1 << dice.randrange(8)
            return bytes(flipped)


def _other_value(
    key: int, raw: bytes, others: Sequence[bytes], dice: random.Random, depth: int
) -> tuple[int, bytes]:
    """The field with another value of its type, or now and then of another type."""
    if dice.random() < 0.05:
        key = key & ~7 | dice.choice((_VARINT, _FIXED64, _BYTES, 3, 4, _FIXED32))
    match key & 7:
        case 0:
            number, _ = _read_varint(raw, 0)
            return key, _varint(dice.choice((number + 1, max(number - 1, 0), dice.choice(NUMBERS) % 2**64)))
        case 2:
            try:
                length, start = _read_varint(raw, 0)
            except NotFields:
                return key, raw
            inside = raw[start : start + length]
            inner = changed(inside, others, dice, depth - 1) if depth and inside else dice.randbytes(9)
            return key, _varint(len(inner)) + inner
        case _:
            return key, dice.randbytes(len(raw))


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Every field as its key and the rest of its bytes."""
    at = 0
    while at < len(data):
        key, start = _read_varint(data, at)
        match key & 7:
            case 0:
                _, at = _read_varint(data, start)
            case 1:
                at = start + 8
            case 2:
                length, at = _read_varint(data, start)
                at += length
            case 5:
                at = start + 4
            case _:
                raise NotFields
        if at > len(data):
            raise NotFields
        yield key, data[start:at]


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number, and where it ends."""
    number = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
    raise NotFields


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)
