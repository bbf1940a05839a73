"""The digests that a client makes itself: of what it signs, seals or commits to; see docs/evidence.md."""

import hashlib
import struct
from dataclasses import dataclass
from typing import Final

from shiji.client.kinds import PartKind

VERSION_1: Final = 1
"""Version of entries without concealed parts, which other claims sign."""

SALT_SIZE: Final = 32
"""Bytes of a salt: as many as a digest, so that trying contents out never pays."""

SHARE_SIZE: Final = 32
"""Bytes of a share of the shuffle, so that nobody can try them all out."""

_LENGTH: Final = struct.Struct(">I")
_NUMBER: Final = struct.Struct(">q")
_LINE: Final = struct.Struct(">BQ32s")
"""What an entry has of a concealed part: kind, audience, digest."""


def frame(tag: str, *parts: bytes | str | int) -> bytes:
    """The tag and a zero byte, then each part after its length in four bytes, big-endian."""
    pieces = [tag.encode("ascii"), b"\0"]
    for part in parts:
        raw = _raw(part)
        pieces += (_LENGTH.pack(len(raw)), raw)
    return b"".join(pieces)


def framed_hash(tag: str, *parts: bytes | str | int) -> bytes:
    """SHA-256 over a frame."""
    return hashlib.sha256(frame(tag, *parts)).digest()


@dataclass(frozen=True, slots=True)
class NextEntry:
    """The place of an entry that is to be appended, and its actor."""

    match_id: str
    sequence: int
    actor: int
    previous_hash: bytes
    """The hash of the entry before it, which covers everything before."""


def claim(entry: NextEntry, kind: int, content: bytes, version: int, choices: bytes) -> bytes:
    """What an actor signs to append an entry with this content."""
    asked = entry.match_id, entry.sequence, kind, entry.actor, entry.previous_hash, content
    if version == VERSION_1:
        return framed_hash("shiji/claim/1", *asked)
    return framed_hash("shiji/claim/2", *asked, choices)


def rotation_claim(entry: NextEntry, new_key: bytes) -> bytes:
    """What both keys sign when a new key replaces the actor's."""
    return framed_hash(
        "shiji/rotation/1", entry.match_id, entry.sequence, entry.actor, entry.previous_hash, new_key
    )


def choice_digest(match_id: str, seat: int, sequence: int, salt: bytes, move: bytes) -> bytes:
    """The digest of a choice that a seat seals in the entry of this sequence."""
    place = 0
    content = frame("shiji/choice/1", move)
    audience = (1 << seat).to_bytes(8, "big")
    return framed_hash(
        "shiji/part/1", match_id, sequence, place, PartKind.CHOICE, seat, audience, salt, content
    )


def choice_line(seat: int, digest: bytes) -> bytes:
    """What a signature covers of a sealed choice."""
    return _LINE.pack(PartKind.CHOICE, 1 << seat, digest)


def share_commitment(match_id: str, seat: int, share: bytes) -> bytes:
    """A seat's commitment to its share of the shuffle; raises ValueError for a share of another size."""
    if len(share) != SHARE_SIZE:
        raise ValueError(f"a share has {SHARE_SIZE} random bytes, not {len(share)}")
    return framed_hash("shiji/seal/share/1", match_id, seat, share)


def _raw(part: bytes | str | int) -> bytes:
    match part:
        case bytes():
            return part
        case str():
            return part.encode()
        case int():
            return _NUMBER.pack(part)
