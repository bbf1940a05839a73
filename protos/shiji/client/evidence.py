"""What calls take and return of concealed parts, sealed choices, disputes, takebacks and people."""

from dataclasses import dataclass

from shiji.client.actors import Actor


@dataclass(frozen=True, slots=True)
class Commitment:
    """What everybody sees of a concealed part."""

    kind: int
    """A PartKind."""
    audience: int
    """A bit per seat, bit 0 for seat 0; 0 means nobody until the match is over."""
    digest: bytes


@dataclass(frozen=True, slots=True)
class Part:
    """A concealed part as its audience has it."""

    place: int
    """Among the parts of its entry, from 0."""
    salt: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class OpenedPlace:
    """One place of a sealed order, opened."""

    index: int
    token: str
    salt: bytes
    proof: tuple[bytes, ...]
    deck: str = ""
    """The deck; empty in a match of version 1."""


@dataclass(frozen=True, slots=True)
class EncodedMove:
    """A move as the game's own message, for apps that do not use text."""

    actor: Actor
    data: bytes
    """The serialized Move message of the game, such as shiji.qin.v1.Move."""


@dataclass(frozen=True, slots=True)
class SealedChoice:
    """A choice that a seat has sealed itself: keep it, since nobody else can open it."""

    move: EncodedMove
    salt: bytes
    sequence: int
    """Of the entry with its digest: if another seat was first, it must be sealed again."""
    digest: bytes


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute about an entry."""

    at_sequence: int
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The arbiter's decision on a dispute."""

    dispute: int
    """The sequence of the entry that opened it."""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """A seat's request to take entries back."""

    to_sequence: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a person."""

    person: str
    """The person's id in the register of people; it is in no record."""
    field: str
    """'name', 'club', …"""
    value: str
