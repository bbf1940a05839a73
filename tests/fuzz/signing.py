"""Signatures of valid requests in matches whose actors have keys."""

from typing import Final

from google.protobuf.message import Message
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.concealment import Choose, Close, encode_choose, encode_close
from records.codec.evidence import (
    Dispute,
    Resolution,
    TakebackGrant,
    TakebackRequest,
    encode_commitment,
    encode_dispute,
    encode_grant,
    encode_request,
    encode_resolution,
    encode_share,
)
from records.codec.header import Retraction, encode_retraction
from records.codec.shape import CorruptMove
from records.entry import EntryKind, actor_number
from records.evidence.concealment import CHOICE, Commitment, choice_lines, format_concealed
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim, RotationClaim
from records.replay.choices import OpenedChoice, digest_of
from rules.kernel.actors import ARBITER, SPECTATOR, Actor, Seat
from tests.fuzz.tables import Table

NEW_KEY: Final = SecretKey(b"N" * 32)
"""The key that a seat changes to."""

SALT: Final = b"t" * 32
"""The salt of every choice."""

Content = tuple[EntryKind, Actor, bytes, bytes]
"""Kind, actor, content and choice of the entry that a request asks for."""


def signature(table: Table, request: Message) -> bytes:
    """The signature under the request; none if its actor has no key."""
    if isinstance(request, pb.RotateKeyRequest):
        return _rotated(table, request)
    asked = _content(table, request)
    if asked is None:
        return b""
    kind, actor, content, lines = asked
    key, now = table.keys.get(actor), table.now
    if key is None:
        return b""
    number, version = actor_number(actor), now.header.entry_version
    claim = Claim(table.match, now.sequence + 1, kind, number, now.hash, content, version, lines)
    return key.sign(claim.digest)


def choice_digest(table: Table, seat: Seat, move: bytes) -> bytes:
    """What a seat commits to with a choice."""
    return digest_of(table.match, seat, table.now.sequence + 1, OpenedChoice(SALT, move))


def _rotated(table: Table, request: pb.RotateKeyRequest) -> bytes:
    """Signs the change to the new key with that key, and returns the signature of the old one."""
    actor, now = _actor(request.actor), table.now
    old = table.keys.get(actor)
    if old is None:
        return b""
    claim = RotationClaim(table.match, now.sequence + 1, actor_number(actor), now.hash, NEW_KEY.public).digest
    request.rotation.public_key = NEW_KEY.public.raw
    request.rotation.signature = NEW_KEY.sign(claim)
    return old.sign(claim)


def _content(table: Table, request: Message) -> Content | None:
    """What the request asks for; None if such requests are not signed here."""
    match request:
        case pb.RetractRequest():
            content = encode_retraction(Retraction(request.to_sequence, request.reason))
            return EntryKind.RETRACT, _actor(request.actor), content, b""
        case pb.OpenDisputeRequest():
            content = encode_dispute(Dispute(request.at_sequence, request.claim))
            return EntryKind.OPEN_DISPUTE, _actor(request.actor), content, b""
        case pb.ResolveDisputeRequest():
            content = encode_resolution(Resolution(request.dispute, request.decision))
            return EntryKind.RESOLVE_DISPUTE, ARBITER, content, b""
        case pb.RequestTakebackRequest():
            content = encode_request(TakebackRequest(request.to_sequence, request.reason))
            return EntryKind.REQUEST_TAKEBACK, Seat(request.seat), content, b""
        case pb.GrantTakebackRequest():
            content = encode_grant(TakebackGrant(request.request))
            return EntryKind.GRANT_TAKEBACK, Seat(request.seat), content, b""
        case pb.CommitShareRequest():
            return EntryKind.COMMIT_SHARE, Seat(request.seat), encode_commitment(request.commitment), b""
        case pb.RevealShareRequest():
            return EntryKind.REVEAL_SHARE, Seat(request.seat), encode_share(request.share), b""
        case pb.CloseMatchRequest():
            return EntryKind.CLOSE, ARBITER, encode_close(Close(request.reason)), b""
        case pb.SealChoiceRequest():
            return _choice(Seat(request.seat), request.digest, held=False)
        case pb.ChooseRequest():
            seat = Seat(request.move.encoded.actor.seat)
            return _choice(seat, choice_digest(table, seat, request.move.encoded.data), held=True)
        case pb.AppendMoveRequest():
            return _move(table, request.move)
        case pb.AppendMovesRequest() if request.moves:
            return _move(table, request.moves[0])
        case _:
            return None


def _choice(seat: Seat, digest: bytes, *, held: bool) -> Content:
    lines = choice_lines(format_concealed([Commitment(CHOICE, 1 << seat, digest)]))
    return EntryKind.CHOOSE, seat, encode_choose(Choose(held=held)), lines


def _move(table: Table, move: entries.Move) -> Content | None:
    """Signed is what everybody sees of a move."""
    actor, state = _actor(move.encoded.actor), table.now.state
    try:
        seen = state.seen_move(state.parse_bytes(actor, move.encoded.data), SPECTATOR)
    except CorruptMove:
        return None
    return EntryKind.MOVE, actor, seen.data, b""


def _actor(message: entries.Actor) -> Actor:
    return Seat(message.seat) if message.WhichOneof("actor") == "seat" else ARBITER
