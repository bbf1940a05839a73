"""Methods that say something of a record: keys, shares, disputes and takebacks; and CompareRecords."""

import asyncio
from typing import TypeAlias

from shiji.record.v1 import record_service_pb2 as pb

from records.audit.compare import Branch, compare
from records.audit.record import audit_record
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
from records.entry import Entry, EntryKind
from records.files.record_file import read_record
from records.ledger.builder import Notice, PreparedAppend
from records.replay.wording import describe_entries
from rules.kernel.actors import ARBITER, AUDITOR, Seat
from service.authorization import Caller, require_may_see, require_own_actor, require_reader
from service.errors import bad_field
from service.messages import fill_appended, report_message, viewer_for
from service.methods.append import store_ready
from service.requests import LONGEST_REASON, actor_of, match_id
from service.resources import Resources

Noting: TypeAlias = (
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
    """Have another key sign."""
    rotation = encode_rotation(KeyRotation(request.rotation.public_key, request.rotation.signature))
    notice = Notice(EntryKind.ROTATE_KEY, actor_of(request.actor, "actor"), rotation, request.signature)
    return pb.RotateKeyResponse(appended=await _note(resources, caller, request, notice))


async def commit_share(
    resources: Resources, caller: Caller, request: pb.CommitShareRequest
) -> pb.CommitShareResponse:
    """Commit to a seat's share of what the order is shuffled by."""
    content = encode_commitment(request.commitment)
    notice = Notice(EntryKind.COMMIT_SHARE, Seat(request.seat), content, request.signature)
    return pb.CommitShareResponse(appended=await _note(resources, caller, request, notice))


async def reveal_share(
    resources: Resources, caller: Caller, request: pb.RevealShareRequest
) -> pb.RevealShareResponse:
    """Reveal it; after the last the hands are dealt."""
    content = encode_share(request.share)
    notice = Notice(EntryKind.REVEAL_SHARE, Seat(request.seat), content, request.signature)
    return pb.RevealShareResponse(appended=await _note(resources, caller, request, notice))


async def open_dispute(
    resources: Resources, caller: Caller, request: pb.OpenDisputeRequest
) -> pb.OpenDisputeResponse:
    """Dispute an entry."""
    content = encode_dispute(Dispute(request.at_sequence, _words("claim", request.claim)))
    notice = Notice(EntryKind.OPEN_DISPUTE, actor_of(request.actor, "actor"), content, request.signature)
    return pb.OpenDisputeResponse(appended=await _note(resources, caller, request, notice))


async def resolve_dispute(
    resources: Resources, caller: Caller, request: pb.ResolveDisputeRequest
) -> pb.ResolveDisputeResponse:
    """Settle a dispute, as the arbiter."""
    content = encode_resolution(Resolution(request.dispute, _words("decision", request.decision)))
    notice = Notice(EntryKind.RESOLVE_DISPUTE, ARBITER, content, request.signature)
    return pb.ResolveDisputeResponse(appended=await _note(resources, caller, request, notice))


async def request_takeback(
    resources: Resources, caller: Caller, request: pb.RequestTakebackRequest
) -> pb.RequestTakebackResponse:
    """Ask the other seats to let one take back."""
    content = encode_request(TakebackRequest(request.to_sequence, _words("reason", request.reason)))
    notice = Notice(EntryKind.REQUEST_TAKEBACK, Seat(request.seat), content, request.signature)
    return pb.RequestTakebackResponse(appended=await _note(resources, caller, request, notice))


async def grant_takeback(
    resources: Resources, caller: Caller, request: pb.GrantTakebackRequest
) -> pb.GrantTakebackResponse:
    """Let another seat take back."""
    content = encode_grant(TakebackGrant(request.request))
    notice = Notice(EntryKind.GRANT_TAKEBACK, Seat(request.seat), content, request.signature)
    return pb.GrantTakebackResponse(appended=await _note(resources, caller, request, notice))


async def compare_records(
    resources: Resources, caller: Caller, request: pb.CompareRecordsRequest
) -> pb.CompareRecordsResponse:
    """Where two records of one match part, and what is to be said for each."""
    require_reader(caller)
    one, other = (
        _record(resources, caller, request.one, "one"),
        _record(resources, caller, request.other, "other"),
    )
    return await asyncio.to_thread(_compared, resources, one, other)


async def _note(resources: Resources, caller: Caller, request: Noting, notice: Notice) -> pb.Appended:
    match = match_id(request.match_id)
    require_own_actor(caller, match, notice.actor)
    before = resources.ledger.known(match)
    judged = resources.ledger.judge_notice(match, request.expected_sequence, request.request_id, notice)
    appended = await store_ready(resources, judged) if isinstance(judged, PreparedAppend) else judged
    told = pb.Appended()
    fill_appended(told, before.header, before.state, appended, viewer_for(notice.actor))
    return told


def _words(field: str, text: str) -> str:
    if len(text) > LONGEST_REASON:
        raise bad_field(field, f"it has at most {LONGEST_REASON} characters")
    return text


def _record(resources: Resources, caller: Caller, told: pb.ComparedRecord, field: str) -> list[Entry]:
    """A stored record, or one that was sent along; UnreadableRecord."""
    match told.WhichOneof("record"):
        case "match_id":
            match = match_id(told.match_id)
            require_may_see(caller, match, resources.ledger.current(match), AUDITOR)
            return list(resources.ledger.read(match))
        case "content":
            return list(read_record(told.content).entries)
        case None:
            raise bad_field(field, "name a stored match, or send a record file along")


def _compared(resources: Resources, one: list[Entry], other: list[Entry]) -> pb.CompareRecordsResponse:
    branches = [
        Branch(audit_record(entries[0].match, entries), stored=tuple(entries)) for entries in (one, other)
    ]
    same = compare(*branches).identical
    here, there = (_branch(resources, branch, same) for branch in branches)
    return pb.CompareRecordsResponse(common=same, one=here, other=there)


def _branch(resources: Resources, branch: Branch, common: int) -> pb.ComparedBranch:
    entries = branch.stored
    stored = list(resources.ledger.log.read(entries[0].match, 0, len(entries)))
    in_log = [here.hash == there.hash for here, there in zip(entries, stored, strict=False)]
    texts = [text or "" for text, _ in describe_entries(entries[: common + 1])]
    return pb.ComparedBranch(
        report=report_message(branch.report),
        next=texts[common] if common < len(texts) else "",
        signed=sum(bool(entry.signature) for entry in entries),
        in_log=in_log.index(False) if False in in_log else len(in_log),
    )
