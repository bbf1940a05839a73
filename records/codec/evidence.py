"""What the entries of a sealed match hold, as protobuf bytes."""

from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message
from shiji.record.v1 import evidence_pb2 as pb

from records.codec.wire import Garbled, parse
from records.evidence.sealing import Opening

Kind = TypeVar("Kind", bound=Message)


class CorruptEvidence(ValueError):
    """The bytes are not what an entry of this kind holds."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """An order that stands fast."""

    number: int
    stock: tuple[str, ...]
    """What was shuffled, in the game's order."""
    root: bytes


@dataclass(frozen=True, slots=True)
class Concealed:
    """A move and what it caused in full, with the places that it came from."""

    move: bytes
    events: bytes
    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """Somebody disputes an entry."""

    at_sequence: int
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The arbiter settles a dispute."""

    dispute: int
    """The sequence of the entry that opened it."""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """A seat asks to take back."""

    to_sequence: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TakebackGrant:
    """A seat lets another take back."""

    request: int
    """The sequence of the entry that asked."""


def encode_dispute(dispute: Dispute) -> bytes:
    """The bytes of a dispute."""
    return _written(pb.OpenDispute(at_sequence=dispute.at_sequence, claim=dispute.claim))


def decode_dispute(data: bytes) -> Dispute:
    """The dispute that the bytes tell, or CorruptEvidence."""
    message = _read(pb.OpenDispute(), data, "dispute")
    return Dispute(message.at_sequence, message.claim)


def encode_resolution(resolution: Resolution) -> bytes:
    """The bytes of a decision."""
    return _written(pb.ResolveDispute(dispute=resolution.dispute, decision=resolution.decision))


def decode_resolution(data: bytes) -> Resolution:
    """The decision that the bytes tell, or CorruptEvidence."""
    message = _read(pb.ResolveDispute(), data, "decision")
    return Resolution(message.dispute, message.decision)


def encode_request(request: TakebackRequest) -> bytes:
    """The bytes of a request."""
    return _written(pb.RequestTakeback(to_sequence=request.to_sequence, reason=request.reason))


def decode_request(data: bytes) -> TakebackRequest:
    """The request that the bytes tell, or CorruptEvidence."""
    message = _read(pb.RequestTakeback(), data, "request")
    return TakebackRequest(message.to_sequence, message.reason)


def encode_grant(grant: TakebackGrant) -> bytes:
    """The bytes of a grant."""
    return _written(pb.GrantTakeback(request=grant.request))


def decode_grant(data: bytes) -> TakebackGrant:
    """The grant that the bytes tell, or CorruptEvidence."""
    return TakebackGrant(_read(pb.GrantTakeback(), data, "grant").request)


def encode_seal(sealed: Sealed) -> bytes:
    """The bytes of a seal."""
    return _written(pb.Seal(number=sealed.number, stock=sealed.stock, root=sealed.root))


def decode_seal(data: bytes) -> Sealed:
    """The seal that the bytes tell, or CorruptEvidence."""
    message = _read(pb.Seal(), data, "seal")
    return Sealed(message.number, tuple(message.stock), message.root)


def encode_commitment(commitment: bytes) -> bytes:
    """The bytes of a commitment to a share."""
    return _written(pb.CommitShare(commitment=commitment))


def decode_commitment(data: bytes) -> bytes:
    """The commitment that the bytes tell, or CorruptEvidence."""
    return _read(pb.CommitShare(), data, "commitment").commitment


def encode_share(share: bytes) -> bytes:
    """The bytes of a share."""
    return _written(pb.RevealShare(share=share))


def decode_share(data: bytes) -> bytes:
    """The share that the bytes tell, or CorruptEvidence."""
    return _read(pb.RevealShare(), data, "share").share


def encode_secret(secret: bytes) -> bytes:
    """The bytes of the service's secret."""
    return _written(pb.Unseal(secret=secret))


def decode_secret(data: bytes) -> bytes:
    """The secret that the bytes tell, or CorruptEvidence."""
    return _read(pb.Unseal(), data, "secret").secret


def encode_concealed(concealed: Concealed) -> bytes:
    """The bytes of what not everybody may see."""
    openings = [
        pb.Opening(index=each.index, token=each.token, salt=each.salt, proof=each.proof)
        for each in concealed.openings
    ]
    return _written(pb.Concealed(move=concealed.move, events=concealed.events, openings=openings))


def decode_concealed(data: bytes) -> Concealed:
    """What not everybody may see, as the bytes tell it, or CorruptEvidence."""
    message = _read(pb.Concealed(), data, "concealed move")
    openings = tuple(
        Opening(each.index, each.token, each.salt, tuple(each.proof)) for each in message.openings
    )
    return Concealed(message.move, message.events, openings)


def _written(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _read(message: Kind, data: bytes, what: str) -> Kind:
    try:
        parse(message, data)
    except Garbled:
        raise CorruptEvidence(f"the bytes are no {what}") from None
    return message
