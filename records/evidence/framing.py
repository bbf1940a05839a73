"""Unambiguous encodings: frames of bytes for hashing, and canonical base64."""

import base64
import binascii
import hashlib
import struct
from typing import Final, assert_never

_LENGTH: Final = struct.Struct(">I")
_NUMBER: Final = struct.Struct(">q")
_NUMBER_LIMIT: Final = 2**63
"""The first number that does not fit into the eight bytes of a signed one."""


class OutOfRange(ValueError):
    """A number that does not fit into the eight bytes of a frame."""


class Unframed(ValueError):
    """Bytes that are no frame with that tag."""


class BadBase64(ValueError):
    """Text that is not base64, or not in its canonical form."""


def frame(tag: str, *parts: bytes | str | int) -> bytes:
    """The tag and a zero byte, then each part after its length in four bytes, big-endian.

    Text is UTF-8; a number is eight bytes, big-endian, two's complement. The tag names the purpose of the
    parts and its version, so that a frame of one kind can never be one of another.
    """
    pieces = [tag.encode("ascii"), b"\0"]
    for part in parts:
        raw = _raw(part)
        pieces += (_LENGTH.pack(len(raw)), raw)
    return b"".join(pieces)


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
    """Base64 by RFC 4648, section 4, with padding."""
    return base64.b64encode(raw).decode("ascii")


def from_base64(text: str) -> bytes:
    """The bytes that to_base64 encodes as exactly this text; raises BadBase64."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadBase64("this is not base64") from None
    if to_base64(raw) != text:
        raise BadBase64("this is not canonical base64")
    return raw


def _raw(part: bytes | str | int) -> bytes:
    match part:
        case bytes():
            return part
        case str():
            return part.encode(errors="surrogatepass")  # JSON text may have surrogates, which UTF-8 has not
        case int():
            if not -_NUMBER_LIMIT <= part < _NUMBER_LIMIT:
                raise OutOfRange("a number in evidence has at most 63 bits and a sign")
            return _NUMBER.pack(part)
        case _:
            assert_never(part)
