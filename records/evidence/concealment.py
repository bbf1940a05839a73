"""Concealed parts of an entry: their contents, salts and digests, and the field that commits to them."""

import enum
import hashlib
import hmac
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from records.entry import ENTRY_VERSION_2, MAX_AUDIENCE_SEATS, MatchId
from records.evidence.framing import Unframed, frame, unframe

SALT_SIZE: Final = 32
"""Bytes of a salt: as many as a digest, so that trying contents out never pays."""

DIGEST_SIZE: Final = 32
"""Bytes of the salted digest of a part: SHA-256."""

MAX_PARTS: Final = 64
"""Parts per entry: each seat is in at most one, and a match has at most 64 seats."""

MAX_CONTENT_BYTES: Final = 131_072
"""Bytes of one part: a move and its events have at most 65,536 each on the wire."""

LINE_SIZE: Final = 41
"""Bytes that the field `concealed` has per part: kind, audience, digest."""

_MARK: Final = bytes([ENTRY_VERSION_2])
_LINE: Final = struct.Struct(">BQ32s")

_VIEW_PREFIX: Final = frame("shiji/view/1")
_NO_VIEW: Final = "the content of the part is not a view"
_CHOICE_TAG: Final = "shiji/choice/1"
_OPENING_TAG: Final = "shiji/opening/1"
_LENGTH: Final = struct.Struct(">I")

# The parts of both frames behind the match, each after its length, up to the content.
_DIGEST_FIELDS: Final = struct.Struct(">IqIqIqIqIQI32sI")
_SALT_FIELDS: Final = struct.Struct(">IqIqIQI32sI")


class PartKind(enum.IntEnum):
    """Who made a concealed part."""

    VIEW = 1
    """The service: what its audience sees of the entry."""
    CHOICE = 2
    """The actor: a sealed choice."""


VIEW: Final = PartKind.VIEW.value
CHOICE: Final = PartKind.CHOICE.value
_KINDS: Final = (VIEW, CHOICE)


class BadPart(ValueError):
    """A concealed part that no entry can have."""


class WrongPart(BadPart):
    """A concealed part that does not fit the digest that its entry has for it."""


class BadConcealed(ValueError):
    """The field `concealed` of an entry is not what any entry has there."""


class Commitment(Struct, frozen=True, gc=False):
    """What everybody sees of a concealed part."""

    kind: int
    """A PartKind."""
    audience: int
    """A bit per seat, bit 0 for seat 0; 0 means nobody until the match is over."""
    digest: bytes


class Part(Struct, frozen=True, gc=False):
    """A concealed part as its audience has it."""

    place: int
    """Among the parts of its entry, from 0."""
    salt: bytes
    content: bytes


class Slot(Struct, frozen=True, gc=False):
    """Where a concealed part belongs within its match; its digest holds nowhere else."""

    sequence: int
    place: int
    kind: int
    actor: int
    audience: int


class ViewContent(Struct, frozen=True, gc=False):
    """A move and its events as an audience sees them."""

    move: bytes
    events: bytes


class OpeningContent(Struct, frozen=True, gc=False):
    """What opens a choice that a seat sealed on its own machine."""

    salt: bytes
    move: bytes


class PartHasher:
    """Hashes the concealed parts of one match.

    It makes the bytes that frame makes, with the tag and the match framed once per match and all numbers
    packed at once: a third of the time.
    """

    def __init__(self, match: MatchId) -> None:
        self._digest_prefix: Final = frame("shiji/part/1", match)
        self._salt_prefix: Final = frame("shiji/part-salt/1", match)

    def digest(self, slot: Slot, salt: bytes, content: bytes) -> bytes:
        """The salted digest of a part; BadPart where its salt, content or slot is none."""
        _check_salt(salt)
        _check_content(content)
        try:
            fields = _DIGEST_FIELDS.pack(
                8,
                slot.sequence,
                8,
                slot.place,
                8,
                slot.kind,
                8,
                slot.actor,
                8,
                slot.audience,
                SALT_SIZE,
                salt,
                len(content),
            )
        except struct.error:
            raise BadPart("a number of the part's place does not fit into eight bytes") from None
        return hashlib.sha256(self._digest_prefix + fields + content).digest()

    def derive_salt(self, seed: bytes, slot: Slot, previous: bytes, content: bytes) -> bytes:
        """The salt of a VIEW of a match with a sealed order; previous is the hash of the entry before.

        Two histories of one match differ in previous or in content, so they never share a salt.
        """
        if len(seed) != SALT_SIZE or len(previous) != DIGEST_SIZE:
            raise BadPart("a salt is derived from a seed and a previous hash of 32 bytes each")
        _check_content(content)
        try:
            fields = _SALT_FIELDS.pack(
                8, slot.sequence, 8, slot.place, 8, slot.audience, DIGEST_SIZE, previous, len(content)
            )
        except struct.error:
            raise BadPart("a number of the part's place does not fit into eight bytes") from None
        return hmac.digest(seed, self._salt_prefix + fields + content, "sha256")

    def check(self, slot: Slot, part: Part, commitment: Commitment) -> None:
        """Passes if the part is the one that was committed to in this slot; BadPart otherwise."""
        if not hmac.compare_digest(self.digest(slot, part.salt, part.content), commitment.digest):
            raise WrongPart(f"part {part.place} is not what entry {slot.sequence} commits to")


def view_content(move: bytes, events: bytes) -> bytes:
    """The content of a VIEW."""
    pack = _LENGTH.pack
    return b"".join((_VIEW_PREFIX, pack(len(move)), move, pack(len(events)), events))


def parse_view(content: bytes) -> ViewContent:
    """The move and the events of a VIEW; BadPart if it is none."""
    size, start = _LENGTH.size, len(_VIEW_PREFIX) + _LENGTH.size
    try:
        middle = start + _LENGTH.unpack_from(content, start - size)[0]
        end = middle + size + _LENGTH.unpack_from(content, middle)[0]
    except struct.error:
        raise BadPart(_NO_VIEW) from None
    if len(content) != end or not content.startswith(_VIEW_PREFIX):
        raise BadPart(_NO_VIEW)
    return ViewContent(content[start:middle], content[middle + size :])


def choice_content(move: bytes) -> bytes:
    """The content of a CHOICE."""
    return frame(_CHOICE_TAG, move)


def parse_choice(content: bytes) -> bytes:
    """The move of a CHOICE; BadPart if it is none."""
    (move,) = _parts(_CHOICE_TAG, 1, content, "a choice")
    return move


def opening_content(salt: bytes, move: bytes) -> bytes:
    """The content of the VIEW of an entry that opens a choice."""
    _check_salt(salt)
    return frame(_OPENING_TAG, salt, move)


def parse_opening(content: bytes) -> OpeningContent:
    """The salt and the move that open a choice; BadPart if they do not."""
    salt, move = _parts(_OPENING_TAG, 2, content, "an opened choice")
    _check_salt(salt)
    return OpeningContent(salt, move)


_RECENT_FIELDS: Final = 64
"""Fields that are kept parsed: each check of an entry reads that of the same entry again."""


def format_concealed(commitments: Sequence[Commitment]) -> bytes:
    """The field `concealed` of an entry of version 2 with these parts; BadConcealed if none can have them."""
    if len(commitments) > MAX_PARTS:
        raise _too_many(len(commitments))
    lines = [_MARK]
    for place, each in enumerate(commitments):
        if each.kind not in _KINDS:
            raise _unknown_kind(place, each.kind)
        if len(each.digest) != DIGEST_SIZE:  # struct would cut it off or fill it up
            raise BadConcealed(f"part {place}: a digest has {DIGEST_SIZE} bytes, not {len(each.digest)}")
        if not 0 <= each.audience < 1 << MAX_AUDIENCE_SEATS:
            raise BadConcealed(f"part {place}: an audience has {MAX_AUDIENCE_SEATS} bits")
        lines.append(_LINE.pack(each.kind, each.audience, each.digest))
    return b"".join(lines)


def commitment_line(kind: int, audience: int, digest: bytes) -> bytes:
    """What the field `concealed` has for one part, whose values format_concealed would take."""
    return _LINE.pack(kind, audience, digest)


@lru_cache(maxsize=_RECENT_FIELDS)
def parse_concealed(concealed: bytes) -> tuple[Commitment, ...]:
    """What an entry commits to, part by part; BadConcealed where it is nothing. Version 1 has no parts."""
    if concealed in (_MARK, b""):
        return ()
    if concealed[:1] != _MARK:
        raise BadConcealed(f"concealed begins with byte {concealed[:1].hex()}, and this build knows only 02")
    count, rest = divmod(len(concealed) - 1, LINE_SIZE)
    if rest:
        raise BadConcealed(
            f"concealed has 1 byte and {LINE_SIZE} for each part, and this one {len(concealed)}"
        )
    if count > MAX_PARTS:
        raise _too_many(count)
    found = []
    for place, (kind, audience, digest) in enumerate(_LINE.iter_unpack(memoryview(concealed)[1:])):
        if kind not in _KINDS:
            raise _unknown_kind(place, kind)
        found.append(Commitment(kind, audience, digest))
    return tuple(found)


def choice_lines(concealed: bytes) -> bytes:
    """The lines of the CHOICE parts, joined: what a seat's signature covers of them; raises BadConcealed."""
    return b"".join(
        [
            _LINE.pack(each.kind, each.audience, each.digest)
            for each in parse_concealed(concealed)
            if each.kind == CHOICE
        ]
    )


def audience_of(seats: Sequence[int]) -> int:
    """The audience that consists of these seats; BadPart where one is beyond the 64 that there can be."""
    audience = 0
    for seat in seats:
        if not 0 <= seat < MAX_AUDIENCE_SEATS:
            raise BadPart(
                f"a concealed part is for seats from 0 to {MAX_AUDIENCE_SEATS - 1}, and {seat} is none"
            )
        audience |= 1 << seat
    return audience


def lowest_seat(audience: int) -> int:
    """The first seat of an audience; -1 where it has none."""
    return (audience & -audience).bit_length() - 1


def _too_many(count: int) -> BadConcealed:
    return BadConcealed(f"an entry has at most {MAX_PARTS} concealed parts, and this one {count}")


def _unknown_kind(place: int, kind: int) -> BadConcealed:
    return BadConcealed(f"part {place} is of kind {kind}, which this build does not know")


def _parts(tag: str, count: int, content: bytes, what: str) -> tuple[bytes, ...]:
    try:
        found = unframe(tag, content)
    except Unframed:
        found = ()
    if len(found) != count:
        raise BadPart(f"the content of the part is not {what}")
    return found


def _check_content(content: bytes) -> None:
    if len(content) > MAX_CONTENT_BYTES:
        raise BadPart(f"a part has at most {MAX_CONTENT_BYTES} bytes, and this one {len(content)}")


def _check_salt(salt: bytes) -> None:
    if len(salt) != SALT_SIZE:
        raise BadPart(f"a salt has {SALT_SIZE} bytes, and this one {len(salt)}")
