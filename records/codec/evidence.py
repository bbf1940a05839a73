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
    """Encode a dispute."""
    return _encoded(pb.OpenDispute(at_sequence=dispute.at_sequence, claim=dispute.claim))


def decode_dispute(data: bytes) -> Dispute:
    """Decode a dispute; raises CorruptEvidence."""
    message = _read(pb.OpenDispute(), data, "dispute")
    return Dispute(message.at_sequence, message.claim)


def encode_resolution(resolution: Resolution) -> bytes:
    """Encode a decision."""
    return _encoded(pb.ResolveDispute(dispute=resolution.dispute, decision=resolution.decision))


def decode_resolution(data: bytes) -> Resolution:
    """Decode a decision; raises CorruptEvidence."""
    message = _read(pb.ResolveDispute(), data, "decision")
    return Resolution(message.dispute, message.decision)


def encode_request(request: TakebackRequest) -> bytes:
    """Encode a request."""
    return _encoded(pb.RequestTakeback(to_sequence=request.to_sequence, reason=request.reason))


def decode_request(data: bytes) -> TakebackRequest:
    """Decode a request; raises CorruptEvidence."""
    message = _read(pb.RequestTakeback(), data, "request")
    return TakebackRequest(message.to_sequence, message.reason)


def encode_grant(grant: TakebackGrant) -> bytes:
    """Encode a grant."""
    return _encoded(pb.GrantTakeback(request=grant.request))


def decode_grant(data: bytes) -> TakebackGrant:
    """Decode a grant; raises CorruptEvidence."""
    return TakebackGrant(_read(pb.GrantTakeback(), data, "grant").request)


def encode_seal(sealed: Sealed) -> bytes:
    """Encode a seal."""
    return _encoded(pb.Seal(number=sealed.number, stock=sealed.stock, root=sealed.root))


def decode_seal(data: bytes) -> Sealed:
    """Decode a seal; raises CorruptEvidence."""
    message = _read(pb.Seal(), data, "seal")
    return Sealed(message.number, tuple(message.stock), message.root)


def encode_commitment(commitment: bytes) -> bytes:
    """Encode a commitment to a share."""
    return _encoded(pb.CommitShare(commitment=commitment))


def decode_commitment(data: bytes) -> bytes:
    """Decode a commitment to a share; raises CorruptEvidence."""
    return _read(pb.CommitShare(), data, "commitment").commitment


def encode_share(share: bytes) -> bytes:
    """Encode a share."""
    return _encoded(pb.RevealShare(share=share))


def decode_share(data: bytes) -> bytes:
    """Decode a share; raises CorruptEvidence."""
    return _read(pb.RevealShare(), data, "share").share


def encode_secret(secret: bytes) -> bytes:
    """Encode the service's secret."""
    return _encoded(pb.Unseal(secret=secret))


def decode_secret(data: bytes) -> bytes:
    """Decode the service's secret; raises CorruptEvidence."""
    return _read(pb.Unseal(), data, "secret").secret


def encode_concealed(concealed: Concealed) -> bytes:
    """Encode the concealed part of a draw."""
    openings = [
        pb.Opening(index=each.index, token=each.token, salt=each.salt, proof=each.proof)
        for each in concealed.openings
    ]
    return _encoded(pb.Concealed(move=concealed.move, events=concealed.events, openings=openings))


def decode_concealed(data: bytes) -> Concealed:
    """Decode the concealed part of a draw; raises CorruptEvidence."""
    message = _read(pb.Concealed(), data, "concealed move")
    openings = tuple(
        OpenedPlace(each.index, each.token, each.salt, tuple(each.proof)) for each in message.openings
    )
    return Concealed(message.move, message.events, openings)


def _encoded(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _read(message: Kind, data: bytes, what: str) -> Kind:
    try:
        parse(message, data)
    except Garbled:
        raise CorruptEvidence(f"the bytes are not a {what}") from None
    return message
