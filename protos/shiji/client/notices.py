"""Describes the calls for key rotation, shares, disputes, takebacks and the comparison of records; no I/O."""

from shiji.client import responses
from shiji.client.actors import ARBITER, Actor, Seat
from shiji.client.calls import Call, appended
from shiji.client.digests import share_commitment
from shiji.client.evidence import Dispute, Resolution, TakebackRequest
from shiji.client.keys import SecretKey
from shiji.client.kinds import EntryKind
from shiji.client.requests import WriteOptions, actor_message, new_request_id
from shiji.client.signing import After, sequence_of, sign_entry, sign_rotation
from shiji.client.values import Accepted, Comparison
from shiji.record.v1 import evidence_pb2 as evidence
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb


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
    commitment = share_commitment(match_id, seat, share)
    content = evidence.CommitShare(commitment=commitment)
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
    content = evidence.RevealShare(share=share)
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
    content = evidence.OpenDispute(at_sequence=dispute.at_sequence, claim=dispute.claim)
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
    content = evidence.ResolveDispute(dispute=resolution.dispute, decision=resolution.decision)
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
    content = evidence.RequestTakeback(to_sequence=takeback.to_sequence, reason=takeback.reason)
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
    content = evidence.GrantTakeback(request=takeback)
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
