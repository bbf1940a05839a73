"""The header of a match and a retraction as protobuf bytes."""

from dataclasses import dataclass
from typing import Final

from shiji.record.v1 import header_pb2 as pb

from records.codec.wire import Garbled, UnknownField, parse
from records.entry import MatchHeader, RetractPolicy
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, GameKey, Setup

_DRAWS: Final = {Draws.UNRECORDED: pb.DRAWS_UNRECORDED, Draws.RECORDED: pb.DRAWS_RECORDED}
_DRAWS_OF: Final = {wire: draws for draws, wire in _DRAWS.items()}
_POLICIES: Final = {
    RetractPolicy.ARBITER: pb.RETRACT_POLICY_ARBITER,
    RetractPolicy.NOBODY: pb.RETRACT_POLICY_NOBODY,
    RetractPolicy.ANY_SEAT: pb.RETRACT_POLICY_ANY_SEAT,
}
_POLICY_OF: Final = {wire: policy for policy, wire in _POLICIES.items()}


class CorruptHeader(ValueError):
    """The bytes are no header."""


class UnknownHeader(CorruptHeader):
    """The header has something that this build does not know."""


class CorruptRetraction(ValueError):
    """The bytes are no retraction."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """Takes back every entry after a sequence."""

    to_sequence: int
    reason: str = ""


def encode_header(header: MatchHeader) -> bytes:
    """The bytes of a header."""
    setup = header.setup
    return pb.MatchHeader(
        game=header.game,
        edition=setup.edition,
        rulings=[pb.Ruling(name=name, value=value) for name, value in setup.rulings],
        components=setup.components,
        seats=[pb.SeatHeader(name=name) for name in setup.seats],
        draws=_DRAWS[setup.draws],
        retract=_POLICIES[header.retract],
        tags=[pb.Tag(name=name, value=value) for name, value in header.tags],
    ).SerializeToString(deterministic=True)


def decode_header(data: bytes) -> MatchHeader:
    """The header that the bytes tell, or CorruptHeader."""
    message = pb.MatchHeader()
    try:
        parse(message, data)
    except UnknownField as fault:
        raise UnknownHeader(str(fault)) from None
    except Garbled:
        raise CorruptHeader("the bytes are no header") from None
    if message.draws not in _DRAWS_OF:
        raise CorruptHeader(f"draws: {message.draws} is not known")
    if message.retract not in _POLICY_OF:
        raise CorruptHeader(f"retract: {message.retract} is not known")
    return MatchHeader(
        game=GameKey(message.game),
        setup=Setup(
            edition=EditionKey(message.edition),
            seats=tuple(seat.name for seat in message.seats),
            components=message.components,
            draws=_DRAWS_OF[message.draws],
            rulings=tuple((ruling.name, ruling.value) for ruling in message.rulings),
        ),
        retract=_POLICY_OF[message.retract],
        tags=tuple((tag.name, tag.value) for tag in message.tags),
    )


def encode_retraction(retraction: Retraction) -> bytes:
    """The bytes of a retraction."""
    return pb.Retract(to_sequence=retraction.to_sequence, reason=retraction.reason).SerializeToString(
        deterministic=True
    )


def decode_retraction(data: bytes) -> Retraction:
    """The retraction that the bytes tell, or CorruptRetraction."""
    message = pb.Retract()
    try:
        parse(message, data)
    except Garbled:
        raise CorruptRetraction("the bytes are no retraction") from None
    return Retraction(message.to_sequence, message.reason)
