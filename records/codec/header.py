"""Protobuf codecs for match headers, retractions and key rotations."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shiji.record.v1 import header_pb2 as pb

from records.codec.wire import Garbled, UnknownField, parse
from records.entry import (
    ARBITER_NUMBER,
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    ChoicePolicy,
    Concealment,
    Dealer,
    DisputePolicy,
    MatchHeader,
    Personal,
    RetractPolicy,
    TakebackPolicy,
)
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
_DEALERS: Final = {Dealer.RECORDER: pb.DEALER_UNSPECIFIED, Dealer.SERVICE: pb.DEALER_SERVICE}
_DEALER_OF: Final = {wire: dealer for dealer, wire in _DEALERS.items()}
_DISPUTES: Final = {
    DisputePolicy.GO_ON: pb.DISPUTE_POLICY_UNSPECIFIED,
    DisputePolicy.FREEZE: pb.DISPUTE_POLICY_FREEZE,
}
_DISPUTES_OF: Final = {wire: policy for policy, wire in _DISPUTES.items()}
# Version 1 is written by leaving the field out, so that headers keep the bytes that they had before it.
_VERSIONS: Final = {ENTRY_VERSION_1: 0, ENTRY_VERSION_2: ENTRY_VERSION_2}
_VERSION_OF: Final = {wire: version for version, wire in _VERSIONS.items()}
_CONCEALMENTS: Final = {
    Concealment.SECRETS: pb.CONCEALMENT_UNSPECIFIED,
    Concealment.OPEN: pb.CONCEALMENT_OPEN,
}
_CONCEALMENT_OF: Final = {wire: concealment for concealment, wire in _CONCEALMENTS.items()}
_CHOICES: Final = {
    ChoicePolicy.WAIT: pb.CHOICE_POLICY_UNSPECIFIED,
    ChoicePolicy.ARBITER: pb.CHOICE_POLICY_ARBITER,
}
_CHOICES_OF: Final = {wire: policy for policy, wire in _CHOICES.items()}
_TAKEBACKS: Final = {
    TakebackPolicy.HIDDEN_ONLY: pb.TAKEBACK_POLICY_UNSPECIFIED,
    TakebackPolicy.PAST_REVEALED: pb.TAKEBACK_POLICY_PAST_REVEALED,
}
_TAKEBACKS_OF: Final = {wire: policy for policy, wire in _TAKEBACKS.items()}

_CACHED_HEADERS: Final = 256
"""Decoded headers kept: some more than the matches that are read at the same time."""


class CorruptHeader(ValueError):
    """The bytes are not a header."""


class UnknownHeader(CorruptHeader):
    """The header has something that this build does not know."""


class CorruptRetraction(ValueError):
    """The bytes are not a retraction."""


class CorruptRotation(ValueError):
    """The bytes are not a key rotation."""


@dataclass(frozen=True, slots=True)
class KeyRotation:
    """From this entry on, another key signs for the actor."""

    key: bytes
    signature: bytes
    """Made with the new key, to prove that somebody holds it."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """Takes back every entry after `to_sequence`."""

    to_sequence: int
    reason: str = ""


def encode_header(header: MatchHeader) -> bytes:
    """Encode a header."""
    setup, keys = header.setup, dict(header.keys)
    return pb.MatchHeader(
        game=header.game,
        edition=setup.edition,
        rulings=[pb.Ruling(name=name, value=value) for name, value in setup.rulings],
        components=setup.components,
        seats=[
            pb.SeatHeader(name=name, public_key=keys.get(seat, b"")) for seat, name in enumerate(setup.seats)
        ],
        draws=_DRAWS[setup.draws],
        retract=_POLICIES[header.retract],
        tags=[pb.Tag(name=name, value=value) for name, value in header.tags],
        dealer=_DEALERS[header.dealer],
        arbiter_key=keys.get(ARBITER_NUMBER, b""),
        pledge=header.pledge,
        sharers=header.sharers,
        disputes=_DISPUTES[header.disputes],
        people=[
            pb.PersonalCommitment(seat=each.seat, field=each.field, commitment=each.commitment)
            for each in header.people
        ],
        entry_version=_VERSIONS[header.entry_version],
        concealment=_CONCEALMENTS[header.concealment],
        choices=_CHOICES[header.choices],
        takebacks=_TAKEBACKS[header.takebacks],
        options=[pb.Option(name=name, value=value) for name, value in setup.options],
    ).SerializeToString(deterministic=True)


@lru_cache(maxsize=_CACHED_HEADERS)
def decode_header(data: bytes) -> MatchHeader:
    """Decode a header; raises CorruptHeader. Cached, because every read of a match decodes its header."""
    message = pb.MatchHeader()
    try:
        parse(message, data)
    except UnknownField as fault:
        raise UnknownHeader(str(fault)) from None
    except Garbled:
        raise CorruptHeader("the bytes are no header") from None
    for field, wire, known in (
        ("draws", message.draws, frozenset(_DRAWS_OF)),
        ("retract", message.retract, frozenset(_POLICY_OF)),
        ("dealer", message.dealer, frozenset(_DEALER_OF)),
        ("disputes", message.disputes, frozenset(_DISPUTES_OF)),
        ("concealment", message.concealment, frozenset(_CONCEALMENT_OF)),
        ("choices", message.choices, frozenset(_CHOICES_OF)),
        ("takebacks", message.takebacks, frozenset(_TAKEBACKS_OF)),
    ):
        if wire not in known:
            raise CorruptHeader(f"{field}: {wire} is not known")
    version = _VERSION_OF.get(message.entry_version)
    if version is None:
        raise _unknown_version(message.entry_version)
    if version == ENTRY_VERSION_1 and (message.concealment or message.choices or message.takebacks):
        raise CorruptHeader("concealment, choices and takebacks are settled only where entry_version is 2")
    return MatchHeader(
        game=GameKey(message.game),
        setup=Setup(
            edition=EditionKey(message.edition),
            seats=tuple(seat.name for seat in message.seats),
            components=message.components,
            draws=_DRAWS_OF[message.draws],
            rulings=tuple((ruling.name, ruling.value) for ruling in message.rulings),
            options=tuple((option.name, option.value) for option in message.options),
        ),
        retract=_POLICY_OF[message.retract],
        tags=tuple((tag.name, tag.value) for tag in message.tags),
        dealer=_DEALER_OF[message.dealer],
        keys=_keys(message),
        pledge=message.pledge,
        sharers=tuple(message.sharers),
        disputes=_DISPUTES_OF[message.disputes],
        people=tuple(Personal(each.seat, each.field, each.commitment) for each in message.people),
        entry_version=version,
        concealment=_CONCEALMENT_OF[message.concealment],
        choices=_CHOICES_OF[message.choices],
        takebacks=_TAKEBACKS_OF[message.takebacks],
    )


def _unknown_version(number: int) -> CorruptHeader:
    if number == ENTRY_VERSION_1:
        return CorruptHeader("entry_version: version 1 is written by leaving the field out")
    return UnknownHeader(f"entry_version: {number} is not known, this build reads up to {ENTRY_VERSION_2}")


def _keys(message: pb.MatchHeader) -> tuple[tuple[int, bytes], ...]:
    keys = [(number, seat.public_key) for number, seat in enumerate(message.seats)]
    return tuple((actor, key) for actor, key in [*keys, (ARBITER_NUMBER, message.arbiter_key)] if key)


def encode_rotation(rotation: KeyRotation) -> bytes:
    """Encode a key rotation."""
    return pb.RotateKey(public_key=rotation.key, signature=rotation.signature).SerializeToString(
        deterministic=True
    )


def decode_rotation(data: bytes) -> KeyRotation:
    """Decode a key rotation; raises CorruptRotation."""
    message = pb.RotateKey()
    try:
        parse(message, data)
    except Garbled:
        raise CorruptRotation("the bytes are not a key rotation") from None
    return KeyRotation(message.public_key, message.signature)


def encode_retraction(retraction: Retraction) -> bytes:
    """Encode a retraction."""
    return pb.Retract(to_sequence=retraction.to_sequence, reason=retraction.reason).SerializeToString(
        deterministic=True
    )


def decode_retraction(data: bytes) -> Retraction:
    """Decode a retraction; raises CorruptRetraction."""
    message = pb.Retract()
    try:
        parse(message, data)
    except Garbled:
        raise CorruptRetraction("the bytes are not a retraction") from None
    return Retraction(message.to_sequence, message.reason)
