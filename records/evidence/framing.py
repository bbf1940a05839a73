"""One way only to put evidence into bytes and text, so that nothing can be read as something else."""

import base64
import binascii
import hashlib
import struct
from typing import Final, assert_never

_LENGTH: Final = struct.Struct(">I")
_NUMBER: Final = struct.Struct(">q")
_LIMIT: Final = 2**63


class OutOfRange(ValueError):
    """A number that does not fit into the eight bytes that a frame has for it."""


class Unframed(ValueError):
    """Bytes that are no frame with that tag."""


class BadBase64(ValueError):
    """Text that is not the base64 of any bytes, or not as everyone writes it."""


def frame(tag: str, *parts: bytes | str | int) -> bytes:
    """The tag and a zero byte, then each part after its length in four bytes, big-endian.

    Text is UTF-8; a number is eight bytes, big-endian, two's complement. The tag says for what the parts are
    and in which version, so that no frame of one kind is ever a frame of another.
    """
    told = [tag.encode("ascii"), b"\0"]
    for part in parts:
        raw = _raw(part)
        told += (_LENGTH.pack(len(raw)), raw)
    return b"".join(told)


def unframe(tag: str, data: bytes) -> tuple[bytes, ...]:
    """The parts of which frame makes exactly these bytes; Unframed if they are no frame with this tag."""
    prefix = tag.encode("ascii") + b"\0"
    if not data.startswith(prefix):
        raise Unframed(f"this is no frame of {tag}")
    parts, at, end = [], len(prefix), len(data)
    while at < end:
        start = at + _LENGTH.size
        if start > end:
            raise Unframed(f"the frame of {tag} ends within a length")
        (length,) = _LENGTH.unpack_from(data, at)
        at = start + length
        if at > end:
            raise Unframed(f"the frame of {tag} ends within a part")
        parts.append(data[start:at])
    return tuple(parts)


def framed_hash(tag: str, *parts: bytes | str | int) -> bytes:
    """SHA-256 over a frame."""
    return hashlib.sha256(frame(tag, *parts)).digest()


def to_base64(raw: bytes) -> str:
    """RFC 4648, section 4, with its padding."""
    return base64.b64encode(raw).decode("ascii")


def from_base64(text: str) -> bytes:
    """The bytes of which to_base64 makes exactly this text."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadBase64("this is not base64") from None
    if to_base64(raw) != text:
        raise BadBase64("this is base64 as nobody writes it")
    return raw


def _raw(part: bytes | str | int) -> bytes:
    match part:
        case bytes():
            return part
        case str():
            return part.encode(errors="surrogatepass")  # JSON can tell text that UTF-8 cannot
        case int():
            if not -_LIMIT <= part < _LIMIT:
                raise OutOfRange("a number in evidence has at most 63 bits and a sign")
            return _NUMBER.pack(part)
        case _:
            assert_never(part)
