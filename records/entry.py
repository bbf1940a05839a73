"""An entry of a record, the header that opens it, and the hash chain through it. Pure."""

import enum
import hashlib
import struct
from dataclasses import dataclass
from typing import Annotated, Final, NewType

from msgspec import Meta, Struct, structs

from rules.kernel.actors import ARBITER, CHANCE, Actor, Office, Seat
from rules.kernel.setup import GameKey, Setup

MatchId = NewType("MatchId", str)

GENESIS: Final = bytes(32)
"""The previous hash of a header, which no entry precedes."""

_TAG: Final = b"shiji/entry/1\x00"
_FIXED: Final = struct.Struct(">QBhqIIIIII")
_OFFICES: Final = {CHANCE: -1, ARBITER: -2}


class EntryKind(enum.IntEnum):
    """The kinds of entries; the numbers are part of the format."""

    HEADER = 0
    MOVE = 1
    RETRACT = 2
    ROTATE_KEY = 3
    SEAL = 4
    REVEAL_SHARE = 5
    UNSEAL = 6
    OPEN_DISPUTE = 7
    RESOLVE_DISPUTE = 8
    REQUEST_TAKEBACK = 9
    GRANT_TAKEBACK = 10
    COMMIT_SHARE = 11


# The kinds of nearly every entry as plain integers: SQLite is slow to adapt an enum member, and Python 3.11
# is slow to look one up by name.
HEADER: Final = EntryKind.HEADER.value
MOVE: Final = EntryKind.MOVE.value
RETRACT: Final = EntryKind.RETRACT.value


class RetractPolicy(enum.Enum):
    """Who may take entries back."""

    ARBITER = "arbiter"
    NOBODY = "nobody"
    ANY_SEAT = "any-seat"


class DisputePolicy(enum.Enum):
    """What an open dispute does to the match."""

    GO_ON = "go-on"
    FREEZE = "freeze"


class Dealer(enum.Enum):
    """Who supplies the draws, in a match whose draws are recorded."""

    RECORDER = "recorder"
    """The client that keeps the record."""
    SERVICE = "service"
    """The service: it shuffles, deals and draws, and accepts no draw from a client."""


SERVICE: Final = Dealer.SERVICE


@dataclass(frozen=True, slots=True)
class Personal:
    """A commitment to a fact about the person in a seat; the key that opens it is stored in no record."""

    seat: int
    field: str
    commitment: bytes


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """Everything that is fixed before the first move."""

    game: GameKey
    setup: Setup
    retract: RetractPolicy = RetractPolicy.ARBITER
    tags: tuple[tuple[str, str], ...] = ()
    """Further facts about the match, in order, which the rules do not use."""
    dealer: Dealer = Dealer.RECORDER
    keys: tuple[tuple[int, bytes], ...] = ()
    """By actor number, the public key that must sign that actor's entries."""
    pledge: bytes = b""
    """The service's commitment to the secret that it shuffles by; empty if nothing is sealed."""
    sharers: tuple[int, ...] = ()
    """The seats that contribute a share to the seed of the shuffle."""
    disputes: DisputePolicy = DisputePolicy.GO_ON
    people: tuple[Personal, ...] = ()
    """Commitments to facts about the people at the table."""


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """A numbered item of a record, as it is stored. Its numbers are bounded by what the hash can pack."""

    match: MatchId
    sequence: Annotated[int, Meta(ge=0)]
    """From 0, which is the header."""
    kind: Annotated[int, Meta(ge=0, lt=2**8)]
    """An EntryKind. Numbers that this build does not know are stored, but cannot be replayed."""
    actor: Annotated[int, Meta(ge=-(2**15), lt=2**15)]
    """A seat from 0, or -1 for chance, -2 for the arbiter."""
    move: bytes
    """What was requested: the header, a move of the game, a retraction, or a notice."""
    events: bytes
    """The events that it caused."""
    state: bytes
    """The digest of the state after this entry."""
    request: str
    """The caller's id for the request; unique within a match."""
    recorded: int
    """When it was recorded, in microseconds since 1970, UTC."""
    previous: bytes
    """The hash of the previous entry."""
    hash: bytes = b""
    position: int = 0
    """Its position among all entries of the archive, from 1; 0 until it is stored."""
    signature: bytes = b""
    """By the actor's key; empty if the match has no key for the actor."""
    secret: bytes = b""
    """The part that not everybody may see. The hash does not cover it: the seal proves it."""


def with_hash(entry: Entry) -> Entry:
    """The entry with its hash filled in."""
    return structs.replace(entry, hash=entry_hash(entry))


def entry_hash(entry: Entry) -> bytes:
    """SHA-256 over a tag with the version, the numbers, the lengths of the variable parts, and those parts.

    It covers everything but the hash itself, the position and the secret, so a record has the same hashes in
    every archive, and for readers who may not see all of it.
    """
    match, request = entry.match.encode(), entry.request.encode()
    move, events, state, signature = entry.move, entry.events, entry.state, entry.signature
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
        len(signature),
    )
    return hashlib.sha256(
        b"".join((_TAG, fixed, entry.previous, match, request, move, events, state, signature))
    ).digest()


def actor_number(actor: Actor) -> int:
    """The number that stands for an actor in an entry."""
    return _OFFICES[actor] if isinstance(actor, Office) else actor


def actor_of(number: int) -> Actor:
    """The actor that a number in an entry stands for; raises ValueError if there is none."""
    if number >= 0:
        return Seat(number)
    for office, code in _OFFICES.items():
        if code == number:
            return office
    raise ValueError(f"{number} is no actor")
