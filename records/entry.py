"""An entry of a record, the header that opens it, and the hash chain through it. Pure."""

import enum
import struct
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Final, NewType

from msgspec import Meta, Struct, structs

from rules.kernel.actors import ARBITER, CHANCE, Actor, Office, Seat
from rules.kernel.setup import GameKey, Setup

MatchId = NewType("MatchId", str)

GENESIS: Final = bytes(32)
"""The previous hash of a header, which no entry precedes."""

ENTRY_VERSION_1: Final = 1
"""Without concealed parts: the version of matches that 0.1 started."""

ENTRY_VERSION_2: Final = 2
"""With concealed parts, which the hash covers; the header settles the version for its whole match."""

MAX_AUDIENCE_SEATS: Final = 64
"""Seats of a match of version 2: an audience has a bit for each."""

_TAG_1: Final = b"shiji/entry/1\x00"
_TAG_2: Final = b"shiji/entry/2\x00"
_FIXED: Final = struct.Struct(">QBhqIIIIII")
_LENGTH: Final = struct.Struct(">I")
"""Of the concealed field, which version 1 does not have."""

CHANCE_NUMBER: Final = -1
ARBITER_NUMBER: Final = -2
"""What stands for chance and for the arbiter in an entry; seats are numbered from 0."""

_OFFICES: Final = {CHANCE: CHANCE_NUMBER, ARBITER: ARBITER_NUMBER}


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
    CHOOSE = 12
    OPEN_CHOICE = 13
    REVEAL_CHOICES = 14
    ANSWER_FOR = 15
    CLOSE = 16


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


class Concealment(enum.Enum):
    """Whether parts of a match's entries are concealed."""

    SECRETS = "secrets"
    """What the game declares secret is."""
    OPEN = "open"
    """Nothing is: the record of a match that was over when it was imported."""


class ChoicePolicy(enum.Enum):
    """What happens when a seat does not make or open a sealed choice."""

    WAIT = "wait"
    """The match waits; the arbiter may retract or close it."""
    ARBITER = "arbiter"
    """The arbiter may answer for the seat, once all others have chosen and opened."""


class TakebackPolicy(enum.Enum):
    """How far a seat may take back; the arbiter may always take back further."""

    HIDDEN_ONLY = "hidden-only"
    """Never past a draw that showed something, nor past choices that were revealed."""
    PAST_REVEALED = "past-revealed"
    """Past draws and revealed choices too."""


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
    """What the record knows of the people at the table, and does not tell."""
    entry_version: int = ENTRY_VERSION_1
    """The version of every entry of the match, the header's own included."""
    concealment: Concealment = Concealment.SECRETS
    choices: ChoicePolicy = ChoicePolicy.WAIT
    takebacks: TakebackPolicy = TakebackPolicy.HIDDEN_ONLY


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
    """What not everybody may see of it, outside the hash: of version 1 the seal in the header vouches for it,
    of version 2 the digests in concealed."""
    concealed: bytes = b""
    """Of version 2: byte 02, then 41 bytes per concealed part, see records.evidence.concealment."""


def with_hash(entry: Entry) -> Entry:
    """The entry with its hash filled in."""
    return structs.replace(entry, hash=entry_hash(entry))


def entry_version(entry: Entry) -> int:
    """The version that an entry is written in, whether or not this build knows it."""
    return entry.concealed[0] if entry.concealed else ENTRY_VERSION_1


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
    tag, concealed = _TAG_1, entry.concealed
    if concealed:
        tag, fixed = _TAG_2, fixed + _LENGTH.pack(len(concealed))
    return sha256(
        b"".join((tag, fixed, entry.previous, match, request, move, events, state, signature, concealed))
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
