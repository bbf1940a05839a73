"""ImportRecord: verifies a record, completes it where this server dealt, and stores it."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.files.record_file import is_record_file, read_record
from records.ledger.dealer import Secrets
from records.ledger.ledger import Ledger
from records.ledger.results import NoSuchMatch
from records.ledger.transfer import (
    LACKS_PARTS,
    Imported,
    ImportResult,
    RejectedRecord,
    import_result,
    judge,
    missing,
)
from records.log.contract import NEW, Append
from records.replay.fold import BadRecord
from records.verdict import AuditReport, VerifiedAsShown, word
from service.authorization import Caller, require_recorder
from service.errors import CallError, Reason
from service.resources import Resources
from service.verdict_messages import report_message
from service.work_queue import lane_for_bytes


@dataclass(frozen=True, slots=True)
class JudgedImport:
    """A record that was verified and compared with the archive."""

    match: MatchId
    new: bool
    """Whether its id was just made for it."""
    header_bytes: int
    lacks_parts: bool
    outcome: Append | ImportResult
    """What the archive lacks of it, or the result where it lacks nothing."""
    last: int
    """The sequence of its last entry."""


@dataclass(frozen=True, slots=True)
class RejectedImport:
    """A record that was not verified."""

    record: RejectedRecord
    match: MatchId | None
    """Of a record file."""


async def import_record(
    resources: Resources, caller: Caller, request: pb.ImportRecordRequest
) -> pb.ImportRecordResponse:
    """Verify a record and store all of it."""
    require_recorder(caller)
    work = partial(judge_file, content=request.content, as_shown=request.as_shown)
    lane = lane_for_bytes(len(request.content))
    incoming = await resources.workers.run(caller.account, work, lane)
    if await _may_derive(resources, caller, incoming):
        work = partial(work, secrets=resources.ledger.secrets)
        incoming = await resources.workers.run(caller.account, work, lane)
    if isinstance(incoming, RejectedImport):
        raise _not_verified(incoming.record)
    if incoming.header_bytes > resources.max_response_bytes // 4:
        raise CallError(Reason.TOO_LARGE, f"the header of the record has {incoming.header_bytes} bytes")
    await _require_may_import(resources, caller, incoming)
    outcome = incoming.outcome
    if isinstance(outcome, Append):
        owner = caller.owner if outcome.expected == NEW else None  # else it has the match already
        stored = await resources.off_loop(partial(resources.quota.stored, owner))
        with resources.quota.new_match(owner, outcome.match, stored):
            await asyncio.to_thread(resources.access.claim, caller, outcome.match)
            outcome = import_result(incoming.last, outcome, await resources.intake.commit(outcome))
    if not isinstance(outcome, Imported):
        raise CallError(Reason.RECORD_EXISTS, outcome.why, {"match_id": outcome.match})
    return pb.ImportRecordResponse(
        match_id=outcome.match, entries=outcome.entries, added=outcome.added, copy=outcome.copy
    )


def judge_file(
    ledger: Ledger, *, content: bytes, as_shown: bool = False, secrets: Secrets | None = None
) -> JudgedImport | RejectedImport:
    """The verdict on a file, and what the archive lacks of it."""
    judged = judge(content, as_shown=as_shown, secrets=secrets)
    if isinstance(judged, RejectedRecord):
        return RejectedImport(judged, read_record(content).match if is_record_file(content) else None)
    header, last = judged.entries[0], judged.entries[-1].sequence
    return JudgedImport(
        header.match,
        judged.new,
        len(header.move),
        bool(judged.lacking),
        missing(ledger.log, judged),
        last,
    )


async def _may_derive(resources: Resources, caller: Caller, incoming: JudgedImport | RejectedImport) -> bool:
    """Whether a record lacks parts and may be completed with what this server dealt, if it did.

    Not while the match is under way here: whether a forged continuation is legal would show what a seat
    holds.
    """
    match = incoming.match
    if isinstance(incoming, RejectedImport):
        lacks_parts = isinstance(incoming.record.verdict, VerifiedAsShown)
    else:
        lacks_parts = incoming.lacks_parts
    if match is None or not lacks_parts:
        return False
    try:
        current = await resources.throttle(caller).do(partial(resources.ledger.current, match))
    except NoSuchMatch:
        return True
    except BadRecord:
        return False
    return resources.access.sees_all(caller, match, current)


async def _require_may_import(resources: Resources, caller: Caller, incoming: JudgedImport) -> None:
    if incoming.new:
        return
    with suppress(NoSuchMatch, BadRecord):
        current = await resources.throttle(caller).do(partial(resources.ledger.current, incoming.match))
        resources.access.require_may_import(caller, incoming.match, current)


def _not_verified(bad: RejectedRecord) -> CallError:
    good = bad.entries if isinstance(bad.verdict, VerifiedAsShown) else max(bad.at - 1, 0)
    report = report_message(AuditReport(MatchId(""), bad.verdict, bad.entries, good, bad.header), whole=True)
    message = f"the record is {word(bad.verdict)} at entry {bad.at}; nothing of it is stored"
    if isinstance(bad.verdict, VerifiedAsShown):
        message = f"{LACKS_PARTS}; nothing of it is stored"
    metadata = {"verdict": word(bad.verdict), "sequence": str(bad.at)}
    return CallError(Reason.RECORD_NOT_VERIFIED, message, metadata, report=report)
