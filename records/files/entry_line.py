"""One entry as a line of a record file, in each version of entries."""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw, Struct

from records.codec.concealment import Hidden, decode_hidden, encode_hidden
from records.entry import ENTRY_VERSION_2, MAX_AUDIENCE_SEATS, Entry, MatchId, entry_version
from records.evidence.concealment import (
    Commitment,
    Part,
    audience_of,
    format_concealed,
    parse_concealed,
)
from records.evidence.sealing import OpenedPlace


class EntryLine(Struct, frozen=True):
    """The content of a line, unchecked."""

    entry: Entry
    text: str | None = None
    """Of version 1: the entry in words."""
    events_json: tuple[Raw, ...] | None = None
    """Of version 1: the events as JSON, for people."""


class _Line1(Struct, forbid_unknown_fields=True, omit_defaults=True):
    sequence: int
    kind: int
    actor: int
    move: bytes
    events: bytes
    state: str
    request: str
    recorded: int
    previous: str
    hash: str
    text: str | None = None
    told: list[Raw] | None = None
    """The events as JSON; the key is part of the format."""
    signature: bytes = b""
    secret: bytes = b""


class _Commitment(Struct, forbid_unknown_fields=True):
    kind: int
    audience: list[int]
    """Its seats, in order."""
    digest: str


class _Part(Struct, forbid_unknown_fields=True):
    place: int
    salt: str
    content: bytes


class _Opening(Struct, forbid_unknown_fields=True):
    deck: str
    place: int
    token: str
    salt: str
    proof: list[str]


class _Line2(Struct, forbid_unknown_fields=True, omit_defaults=True):
    sequence: int
    kind: int
    actor: int
    move: bytes
    events: bytes
    state: str
    request: str
    recorded: int
    previous: str
    hash: str
    signature: bytes = b""
    concealed: list[_Commitment] = []
    """What everybody sees of the concealed parts."""
    parts: list[_Part] = []
    """Those that the file shows."""
    openings: list[_Opening] = []


_LINE_1: Final = msgspec.json.Decoder(_Line1)
_LINE_2: Final = msgspec.json.Decoder(_Line2)
_ENCODER: Final = msgspec.json.Encoder()


def write_line_1(entry: Entry, text: str | None, events_json: Sequence[Raw] | None) -> bytes:
    """The line of an entry of version 1, with words for people."""
    line = _Line1(
        entry.sequence,
        entry.kind,
        entry.actor,
        entry.move,
        entry.events,
        entry.state.hex(),
        entry.request,
        entry.recorded,
        entry.previous.hex(),
        entry.hash.hex(),
        text,
        None if events_json is None else list(events_json),
        entry.signature,
        entry.secret,
    )
    return _ENCODER.encode(line) + b"\n"


def read_line_1(match: MatchId, line: bytes) -> EntryLine:
    """Parse a line of version 1; raises ValueError."""
    read = _LINE_1.decode(line)
    entry = Entry(
        match,
        read.sequence,
        read.kind,
        read.actor,
        read.move,
        read.events,
        bytes.fromhex(read.state),
        read.request,
        read.recorded,
        bytes.fromhex(read.previous),
        bytes.fromhex(read.hash),
        signature=read.signature,
        secret=read.secret,
    )
    return EntryLine(entry, read.text, None if read.told is None else tuple(read.told))


def write_line_2(entry: Entry) -> bytes:
    """The line of an entry of version 2; raises ValueError if its concealed parts cannot be read."""
    if entry_version(entry) != ENTRY_VERSION_2:
        raise ValueError(f"the entry is of version {entry_version(entry)}, and its record of version 2")
    hidden = decode_hidden(entry.secret)
    line = _Line2(
        entry.sequence,
        entry.kind,
        entry.actor,
        entry.move,
        entry.events,
        entry.state.hex(),
        entry.request,
        entry.recorded,
        entry.previous.hex(),
        entry.hash.hex(),
        entry.signature,
        [
            _Commitment(each.kind, _seats(each.audience), each.digest.hex())
            for each in parse_concealed(entry.concealed)
        ],
        [_Part(part.place, part.salt.hex(), part.content) for part in hidden.parts],
        [
            _Opening(each.deck, each.index, each.token, each.salt.hex(), [node.hex() for node in each.proof])
            for each in hidden.openings
        ],
    )
    return _ENCODER.encode(line) + b"\n"


def read_line_2(match: MatchId, line: bytes) -> EntryLine:
    """Parse a line of version 2; raises ValueError."""
    read = _LINE_2.decode(line)
    return EntryLine(
        Entry(
            match,
            read.sequence,
            read.kind,
            read.actor,
            read.move,
            read.events,
            bytes.fromhex(read.state),
            read.request,
            read.recorded,
            bytes.fromhex(read.previous),
            bytes.fromhex(read.hash),
            signature=read.signature,
            secret=_secret(read),
            concealed=format_concealed([_commitment(each) for each in read.concealed]),
        )
    )


def _secret(line: _Line2) -> bytes:
    if not (line.parts or line.openings):
        return b""
    hidden = Hidden(
        tuple(Part(each.place, bytes.fromhex(each.salt), each.content) for each in line.parts),
        tuple(
            OpenedPlace(
                each.place,
                each.token,
                bytes.fromhex(each.salt),
                tuple(map(bytes.fromhex, each.proof)),
                each.deck,
            )
            for each in line.openings
        ),
    )
    secret = encode_hidden(hidden)
    decode_hidden(secret)  # which refuses places, salts and sizes that no part has
    return secret


def _commitment(stated: _Commitment) -> Commitment:
    if stated.audience != sorted(set(stated.audience)):
        raise ValueError("an audience lists its seats in order, each once")
    return Commitment(stated.kind, audience_of(stated.audience), bytes.fromhex(stated.digest))


def _seats(audience: int) -> list[int]:
    return [seat for seat in range(MAX_AUDIENCE_SEATS) if audience >> seat & 1]
