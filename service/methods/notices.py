"""Methods that add notices to a record: keys, shares, disputes and takebacks."""

from typing import TypeAlias

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
from records.codec.header import KeyRotation, encode_rotation
from records.entry import EntryKind
from records.ledger.builder import Notice
from records.ledger.notices import judge_notice
from records.ledger.results import NotAllowed
from rules.kernel.actors import ARBITER, Seat
from service.authorization import Caller
from service.error_mapping import not_allowed
from service.messages import actor_of_message, require_own_match
from service.methods.append import JudgedAppend, store_judged
from service.requests import match_id, require_seat
from service.resources import Resources

NoticeRequest: TypeAlias = (
    pb.RotateKeyRequest
    | pb.CommitShareRequest
    | pb.RevealShareRequest
    | pb.OpenDisputeRequest
    | pb.ResolveDisputeRequest
    | pb.RequestTakebackRequest
    | pb.GrantTakebackRequest
)


async def rotate_key(
    resources: Resources, caller: Caller, request: pb.RotateKeyRequest
) -> pb.RotateKeyResponse:
    """Replace the key of an actor."""
    rotation = encode_rotation(KeyRotation(request.rotation.public_key, request.rotation.signature))
    actor = actor_of_message(request.actor, "actor")
    notice = Notice(EntryKind.ROTATE_KEY, actor, rotation, request.signature)
    return pb.RotateKeyResponse(appended=await append_notice(resources, caller, request, notice))


async def commit_share(
    resources: Resources, caller: Caller, request: pb.CommitShareRequest
) -> pb.CommitShareResponse:
    """Commit to a seat's share of the secret by which the draws are shuffled."""
    content = encode_commitment(request.commitment)
    notice = Notice(EntryKind.COMMIT_SHARE, Seat(request.seat), content, request.signature)
    return pb.CommitShareResponse(appended=await append_notice(resources, caller, request, notice))


async def reveal_share(
    resources: Resources, caller: Caller, request: pb.RevealShareRequest
) -> pb.RevealShareResponse:
    """Reveal a seat's share; after the last one the hands are dealt."""
    content = encode_share(request.share)
    notice = Notice(EntryKind.REVEAL_SHARE, Seat(request.seat), content, request.signature)
    return pb.RevealShareResponse(appended=await append_notice(resources, caller, request, notice))


async def open_dispute(
    resources: Resources, caller: Caller, request: pb.OpenDisputeRequest
) -> pb.OpenDisputeResponse:
    """Dispute an entry."""
    content = encode_dispute(Dispute(request.at_sequence, request.claim))
    actor = actor_of_message(request.actor, "actor")
    notice = Notice(EntryKind.OPEN_DISPUTE, actor, content, request.signature)
    return pb.OpenDisputeResponse(appended=await append_notice(resources, caller, request, notice))


async def resolve_dispute(
    resources: Resources, caller: Caller, request: pb.ResolveDisputeRequest
) -> pb.ResolveDisputeResponse:
    """Settle a dispute, as the arbiter."""
    content = encode_resolution(Resolution(request.dispute, request.decision))
    notice = Notice(EntryKind.RESOLVE_DISPUTE, ARBITER, content, request.signature)
    return pb.ResolveDisputeResponse(appended=await append_notice(resources, caller, request, notice))


async def request_takeback(
    resources: Resources, caller: Caller, request: pb.RequestTakebackRequest
) -> pb.RequestTakebackResponse:
    """Ask the other seats to allow a takeback."""
    content = encode_request(TakebackRequest(request.to_sequence, request.reason))
    notice = Notice(EntryKind.REQUEST_TAKEBACK, Seat(request.seat), content, request.signature)
    return pb.RequestTakebackResponse(appended=await append_notice(resources, caller, request, notice))


async def grant_takeback(
    resources: Resources, caller: Caller, request: pb.GrantTakebackRequest
) -> pb.GrantTakebackResponse:
    """Allow another seat's takeback."""
    content = encode_grant(TakebackGrant(request.request))
    notice = Notice(EntryKind.GRANT_TAKEBACK, Seat(request.seat), content, request.signature)
    return pb.GrantTakebackResponse(appended=await append_notice(resources, caller, request, notice))


async def append_notice(
    resources: Resources, caller: Caller, request: NoticeRequest | pb.CloseMatchRequest, notice: Notice
) -> pb.Appended:
    """Store a notice; returns the response of its method."""
    match = match_id(request.match_id)
    require_own_match(caller, match)

    def judge() -> JudgedAppend:
        before = resources.ledger.known(match)
        viewpoint = resources.access.acting(caller, match, before, notice.actor)
        require_seat(before.header, notice.actor, "actor" if hasattr(request, "actor") else "seat")
        expected, request_id = request.expected_sequence, request.request_id
        try:
            judged = judge_notice(resources.ledger, match, expected, request_id, notice)
        except NotAllowed as fault:
            raise not_allowed(before.header, fault) from fault
        return JudgedAppend(before.state, viewpoint, judged)

    return await store_judged(resources, match, judge)
