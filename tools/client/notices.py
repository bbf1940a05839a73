"""Describes the calls for key rotation, shares, disputes, takebacks and the comparison of records; no I/O."""

from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

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
from records.entry import EntryKind, MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.sealing import commit_share as commitment_to
from rules.kernel.actors import ARBITER, Actor, Seat
from tools.client import responses
from tools.client.calls import Call, appended
from tools.client.requests import WriteOptions, actor_message, new_request_id
from tools.client.signing import After, sequence_of, sign_entry, sign_rotation
from tools.client.values import Accepted, Comparison


def rotate_key(
    match_id: str, actor: Actor, after: After, keys: tuple[SecretKey, SecretKey], request_id: str | None
) -> Call[pb.RotateKeyRequest, pb.RotateKeyResponse, Accepted]:
    """RotateKey, signed by the old key and the new one."""
    old, new = keys
    by_old, by_new = sign_rotation(old, new, after, actor)
    request = pb.RotateKeyRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=request_id or new_request_id(),
        actor=actor_message(actor),
        rotation=headers.RotateKey(public_key=new.public.raw, signature=by_new),
        signature=by_old,
    )
    return Call("RotateKey", request, pb.RotateKeyResponse.FromString, appended)


def commit_share(
    match_id: str, seat: Seat, share: bytes, after: After, options: WriteOptions
) -> Call[pb.CommitShareRequest, pb.CommitShareResponse, Accepted]:
    """CommitShare; the share itself is not sent."""
    commitment = commitment_to(MatchId(match_id), seat, share)
    content = encode_commitment(commitment)
    request = pb.CommitShareRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        seat=seat,
        commitment=commitment,
        signature=sign_entry(options.get("key"), after, EntryKind.COMMIT_SHARE, seat, content),
    )
    return Call("CommitShare", request, pb.CommitShareResponse.FromString, appended)


def reveal_share(
    match_id: str, seat: Seat, share: bytes, after: After, options: WriteOptions
) -> Call[pb.RevealShareRequest, pb.RevealShareResponse, Accepted]:
    """RevealShare."""
    content = encode_share(share)
    request = pb.RevealShareRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        seat=seat,
        share=share,
        signature=sign_entry(options.get("key"), after, EntryKind.REVEAL_SHARE, seat, content),
    )
    return Call("RevealShare", request, pb.RevealShareResponse.FromString, appended)


def open_dispute(
    match_id: str, actor: Actor, dispute: Dispute, after: After, options: WriteOptions
) -> Call[pb.OpenDisputeRequest, pb.OpenDisputeResponse, Accepted]:
    """OpenDispute."""
    content = encode_dispute(dispute)
    request = pb.OpenDisputeRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        actor=actor_message(actor),
        at_sequence=dispute.at_sequence,
        claim=dispute.claim,
        signature=sign_entry(options.get("key"), after, EntryKind.OPEN_DISPUTE, actor, content),
    )
    return Call("OpenDispute", request, pb.OpenDisputeResponse.FromString, appended)


def resolve_dispute(
    match_id: str, resolution: Resolution, after: After, options: WriteOptions
) -> Call[pb.ResolveDisputeRequest, pb.ResolveDisputeResponse, Accepted]:
    """ResolveDispute, as the arbiter."""
    content = encode_resolution(resolution)
    request = pb.ResolveDisputeRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        dispute=resolution.dispute,
        decision=resolution.decision,
        signature=sign_entry(options.get("key"), after, EntryKind.RESOLVE_DISPUTE, ARBITER, content),
    )
    return Call("ResolveDispute", request, pb.ResolveDisputeResponse.FromString, appended)


def request_takeback(
    match_id: str, seat: Seat, takeback: TakebackRequest, after: After, options: WriteOptions
) -> Call[pb.RequestTakebackRequest, pb.RequestTakebackResponse, Accepted]:
    """RequestTakeback."""
    content = encode_request(takeback)
    request = pb.RequestTakebackRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        seat=seat,
        to_sequence=takeback.to_sequence,
        reason=takeback.reason,
        signature=sign_entry(options.get("key"), after, EntryKind.REQUEST_TAKEBACK, seat, content),
    )
    return Call("RequestTakeback", request, pb.RequestTakebackResponse.FromString, appended)


def grant_takeback(
    match_id: str, seat: Seat, takeback: int, after: After, options: WriteOptions
) -> Call[pb.GrantTakebackRequest, pb.GrantTakebackResponse, Accepted]:
    """GrantTakeback."""
    content = encode_grant(TakebackGrant(takeback))
    request = pb.GrantTakebackRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        seat=seat,
        request=takeback,
        signature=sign_entry(options.get("key"), after, EntryKind.GRANT_TAKEBACK, seat, content),
    )
    return Call("GrantTakeback", request, pb.GrantTakebackResponse.FromString, appended)


def compare_records(
    one: str | bytes, other: str | bytes
) -> Call[pb.CompareRecordsRequest, pb.CompareRecordsResponse, Comparison]:
    """CompareRecords."""
    request = pb.CompareRecordsRequest(one=_record(one), other=_record(other))
    return Call("CompareRecords", request, pb.CompareRecordsResponse.FromString, responses.comparison)


def _record(record: str | bytes) -> pb.ComparedRecord:
    """A stored match by its id, or the content of a record file."""
    return (
        pb.ComparedRecord(match_id=record) if isinstance(record, str) else pb.ComparedRecord(content=record)
    )
