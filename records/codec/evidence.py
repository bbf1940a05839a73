"""Protobuf codecs for notices: seals, shares, disputes and takebacks, and for concealed draws."""

from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message
from shiji.record.v1 import evidence_pb2 as pb

from records.codec.wire import Garbled, parse
from records.evidence.sealing import OpenedPlace

Kind = TypeVar("Kind", bound=Message)


class CorruptEvidence(ValueError):
    """The bytes are not the content of an entry of this kind."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A shuffled order that the service has committed to."""

    number: int
    stock: tuple[str, ...]
    """The names of what was shuffled, in the game's order."""
    root: bytes
    deck: str = ""
    """By its name in the game; empty in a match of version 1."""


@dataclass(frozen=True, slots=True)
class Concealed:
    """The full move and events of a draw, with openings of the places that it came from."""

    move: bytes
    events: bytes
    openings: tuple[OpenedPlace, ...]


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
class TakebackGrant:
    """A seat's agreement to another's request to take entries back."""

    request: int
    """The sequence of the entry with the request."""


def encode_dispute(dispute: Dispute) -> bytes:
    """The bytes of a dispute."""
    return written(pb.OpenDispute(at_sequence=dispute.at_sequence, claim=dispute.claim))


def decode_dispute(data: bytes) -> Dispute:
    """The dispute that the bytes encode, or CorruptEvidence."""
    message = read(pb.OpenDispute(), data, "dispute")
    return Dispute(message.at_sequence, message.claim)


def encode_resolution(resolution: Resolution) -> bytes:
    """The bytes of a decision."""
    return written(pb.ResolveDispute(dispute=resolution.dispute, decision=resolution.decision))


def decode_resolution(data: bytes) -> Resolution:
    """The decision that the bytes encode, or CorruptEvidence."""
    message = read(pb.ResolveDispute(), data, "decision")
    return Resolution(message.dispute, message.decision)


def encode_request(request: TakebackRequest) -> bytes:
    """The bytes of a request."""
    return written(pb.RequestTakeback(to_sequence=request.to_sequence, reason=request.reason))


def decode_request(data: bytes) -> TakebackRequest:
    """The request that the bytes encode, or CorruptEvidence."""
    message = read(pb.RequestTakeback(), data, "request")
    return TakebackRequest(message.to_sequence, message.reason)


def encode_grant(grant: TakebackGrant) -> bytes:
    """The bytes of a grant."""
    return written(pb.GrantTakeback(request=grant.request))


def decode_grant(data: bytes) -> TakebackGrant:
    """The grant that the bytes encode, or CorruptEvidence."""
    return TakebackGrant(read(pb.GrantTakeback(), data, "grant").request)


def encode_seal(sealed: Sealed) -> bytes:
    """The bytes of a seal."""
    return written(pb.Seal(number=sealed.number, stock=sealed.stock, root=sealed.root, deck=sealed.deck))


def decode_seal(data: bytes) -> Sealed:
    """The seal that the bytes encode, or CorruptEvidence."""
    message = read(pb.Seal(), data, "seal")
    return Sealed(message.number, tuple(message.stock), message.root, message.deck)


def encode_commitment(commitment: bytes) -> bytes:
    """The bytes of a commitment to a share."""
    return written(pb.CommitShare(commitment=commitment))


def decode_commitment(data: bytes) -> bytes:
    """The commitment that the bytes encode, or CorruptEvidence."""
    return read(pb.CommitShare(), data, "commitment").commitment


def encode_share(share: bytes) -> bytes:
    """The bytes of a share."""
    return written(pb.RevealShare(share=share))


def decode_share(data: bytes) -> bytes:
    """The share that the bytes encode, or CorruptEvidence."""
    return read(pb.RevealShare(), data, "share").share


def encode_secret(secret: bytes) -> bytes:
    """The bytes of the service's secret."""
    return written(pb.Unseal(secret=secret))


def decode_secret(data: bytes) -> bytes:
    """The secret that the bytes encode, or CorruptEvidence."""
    return read(pb.Unseal(), data, "secret").secret


def encode_concealed(concealed: Concealed) -> bytes:
    """The bytes of what not everybody may see."""
    openings = map(write_opening, concealed.openings)
    return written(pb.Concealed(move=concealed.move, events=concealed.events, openings=openings))


def decode_concealed(data: bytes) -> Concealed:
    """What not everybody may see, as the bytes encode it, or CorruptEvidence."""
    message = read(pb.Concealed(), data, "concealed move")
    return Concealed(message.move, message.events, tuple(map(read_opening, message.openings)))


def write_opening(opening: OpenedPlace) -> pb.Opening:
    """The message of an opened place."""
    return pb.Opening(
        index=opening.index,
        token=opening.token,
        salt=opening.salt,
        proof=opening.proof,
        deck=opening.deck,
    )


def read_opening(message: pb.Opening) -> OpenedPlace:
    """Decode an opened place."""
    return OpenedPlace(message.index, message.token, message.salt, tuple(message.proof), message.deck)


def written(message: Message) -> bytes:
    """The bytes of a message."""
    return message.SerializeToString(deterministic=True)


def read(message: Kind, data: bytes, what: str) -> Kind:
    """The empty message, filled from bytes, or CorruptEvidence; what names it."""
    try:
        parse(message, data)
    except Garbled:
        raise CorruptEvidence(f"the bytes are not a {what}") from None
    return message
