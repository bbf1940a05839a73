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
"""What the header has for a previous hash."""

ENTRY_VERSION_1: Final = 1
ENTRY_VERSION_2: Final = 2
"""With concealed parts, which the hash covers; the header settles the version for its whole match."""

MAX_SEATS: Final = 64
"""Seats of a match of version 2: an audience has a bit for each."""

_TAG_1: Final = b"shiji/entry/1\x00"
_TAG_2: Final = b"shiji/entry/2\x00"
_FIXED: Final = struct.Struct(">QBhqIIIIIII")
_LENGTH: Final = 4
"""Bytes of a length. Version 1 has no concealed field, so it lacks the last of the lengths."""
_OFFICES: Final = {CHANCE: -1, ARBITER: -2}


class EntryKind(enum.IntEnum):
    """What an entry is."""

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


# Those of nearly every entry, as plain numbers: SQLite takes its time with any other, and so does Python 3.11
# with a member of an enumeration that is looked up by its name.
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
    """Who tells what chance brought, where draws are recorded."""

    RECORDER = "recorder"
    """Whoever keeps the record."""
    SERVICE = "service"
    """The service: it shuffles, deals and draws, and takes no draw from anybody else."""


SERVICE: Final = Dealer.SERVICE


@dataclass(frozen=True, slots=True)
class Personal:
    """Stands for something about whoever has a seat: a commitment under a key that is in no record."""

    seat: int
    field: str
    commitment: bytes


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What is settled before the first move."""

    game: GameKey
    setup: Setup
    retract: RetractPolicy = RetractPolicy.ARBITER
    tags: tuple[tuple[str, str], ...] = ()
    """Whatever else the record says of the match, in order."""
    dealer: Dealer = Dealer.RECORDER
    keys: tuple[tuple[int, bytes], ...] = ()
    """Whose entries are signed, by the actor's number, and the public key that they are signed with."""
    pledge: bytes = b""
    """The service's commitment to what it shuffles by; empty where nothing is sealed."""
    sharers: tuple[int, ...] = ()
    """The seats that add a share to it."""
    disputes: DisputePolicy = DisputePolicy.GO_ON
    people: tuple[Personal, ...] = ()
    """What the record knows of the people at the table, and does not tell."""
    entry_version: int = ENTRY_VERSION_1
    """The version of every entry of the match, the header's own included."""
    concealment: Concealment = Concealment.SECRETS
    choices: ChoicePolicy = ChoicePolicy.WAIT
    takebacks: TakebackPolicy = TakebackPolicy.HIDDEN_ONLY


class Entry(Struct, frozen=True, gc=False, array_like=True):
    """A numbered item of a record, as it is stored; the bounds are those of what its hash is taken over."""

    match: MatchId
    sequence: Annotated[int, Meta(ge=0)]
    """From 0, the header."""
    kind: Annotated[int, Meta(ge=0, lt=2**8)]
    """An EntryKind; a number that this build does not know is kept, and stops whoever must understand it."""
    actor: Annotated[int, Meta(ge=-(2**15), lt=2**15)]
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
    signature: bytes = b""
    """By the actor's key, where the match has one for him."""
    secret: bytes = b""
    """What not everybody may see of it, outside the hash: of version 1 the seal in the header vouches for it,
    of version 2 the digests in concealed."""
    concealed: bytes = b""
    """Of version 2: byte 02, then 41 bytes per concealed part, see records.evidence.concealment."""


def with_hash(entry: Entry) -> Entry:
    """The entry with the hash that its content has."""
    return structs.replace(entry, hash=entry_hash(entry))


def entry_version(entry: Entry) -> int:
    """The version that an entry is written in, whether or not this build knows it."""
    return entry.concealed[0] if entry.concealed else ENTRY_VERSION_1


def entry_hash(entry: Entry) -> bytes:
    """SHA-256 over a tag with the version, the numbers, the lengths of what varies, and all of that.

    Everything but the hash itself, the position and the secret counts: a record keeps its hashes in another
    archive, and in the hands of whoever may not see all of it.
    """
    match, request = entry.match.encode(), entry.request.encode()
    move, events, state, signature = entry.move, entry.events, entry.state, entry.signature
    concealed = entry.concealed
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
        len(concealed),
    )
    tag = _TAG_2
    if not concealed:
        tag, fixed = _TAG_1, fixed[:-_LENGTH]
    return hashlib.sha256(
        b"".join((tag, fixed, entry.previous, match, request, move, events, state, signature, concealed))
    ).digest()


def actor_number(actor: Actor) -> int:
    """An actor as an entry has it."""
    return _OFFICES[actor] if isinstance(actor, Office) else actor


def actor_of(number: int) -> Actor:
    """The actor that an entry's number stands for; ValueError if there is none."""
    if number >= 0:
        return Seat(number)
    for office, code in _OFFICES.items():
        if code == number:
            return office
    raise ValueError(f"{number} is no actor")
