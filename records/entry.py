"""An entry of a record, the header that opens it, and the hash chain through it. Pure."""

import enum
import hashlib
import struct
from dataclasses import dataclass
from typing import Final, NewType

from msgspec import Struct, structs

from rules.kernel.actors import ARBITER, CHANCE, Actor, Office, Seat
from rules.kernel.setup import GameKey, Setup

MatchId = NewType("MatchId", str)

GENESIS: Final = bytes(32)
"""What the header has for a previous hash."""

_TAG: Final = b"shiji/entry/1\x00"
_FIXED: Final = struct.Struct(">QBhqIIIII")
_OFFICES: Final = {CHANCE: -1, ARBITER: -2}


class EntryKind(enum.IntEnum):
    """What an entry is."""

    HEADER = 0
    MOVE = 1
    RETRACT = 2


class RetractPolicy(enum.Enum):
    """Who may take entries back."""

    ARBITER = "arbiter"
    NOBODY = "nobody"
    ANY_SEAT = "any-seat"


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What is settled before the first move."""

    game: GameKey
    setup: Setup
    retract: RetractPolicy = RetractPolicy.ARBITER
    tags: tuple[tuple[str, str], ...] = ()
    """Whatever else the record says of the match, in order."""


class Entry(Struct, frozen=True):
    """A numbered item of a record, as it is stored."""

    match: MatchId
    sequence: int
    """From 0, the header."""
    kind: int
    """An EntryKind; a number that this build does not know is kept, and stops whoever must understand it."""
    actor: int
    """A seat from 0, or -1 for chance, -2 for the arbiter."""
    move: bytes
    """What was asked: the header, a game's move, or a retraction."""
    events: bytes
    """What it caused."""
    state: bytes
    """The digest of the state after it."""
    request: str
    """The caller's id for it, never used twice in a match."""
    recorded: int
    """When it was recorded, in microseconds since 1970, UTC."""
    previous: bytes
    """The hash of the entry before."""
    hash: bytes = b""
    position: int = 0
    """Its place among all entries of the archive, from 1; 0 while it is not stored."""


def chained(entry: Entry) -> Entry:
    """The entry with the hash that its content has."""
    return structs.replace(entry, hash=entry_hash(entry))


def entry_hash(entry: Entry) -> bytes:
    """SHA-256 over a tag with the version, the numbers, the lengths of what varies, and all of that.

    Everything but the hash itself and the position counts: a record keeps its hashes in another archive.
    """
    match, request = entry.match.encode(), entry.request.encode()
    move, events, state = entry.move, entry.events, entry.state
    fixed = _FIXED.pack(
        entry.sequence,
        entry.kind,
        entry.actor,
        entry.recorded,
        len(match),
        len(request),
        len(move),
        len(events),
        len(state),
    )
    return hashlib.sha256(
        b"".join((_TAG, fixed, entry.previous, match, request, move, events, state))
    ).digest()


def actor_number(actor: Actor) -> int:
    """An actor as an entry has it."""
    return _OFFICES[actor] if isinstance(actor, Office) else actor


def actor_of(number: int) -> Actor:
    """The actor that an entry's number stands for; ValueError if there is none."""
    for office, code in _OFFICES.items():
        if code == number:
            return office
    if number < 0:
        raise ValueError(f"{number} is no actor")
    return Seat(number)
