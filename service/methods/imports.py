"""ImportRecord: verifies a record, completes it where this server dealt, and stores it."""

import asyncio
from contextlib import suppress
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.files.record_file import is_record_file, read_record
from records.ledger.ledger import Ledger, Secrets
from records.ledger.results import NoSuchMatch
from records.ledger.transfer import (
    LACKS_PARTS,
    Imported,
    ImportResult,
    RejectedRecord,
    VerifiedImport,
    import_result,
    judge,
    missing,
)
from records.log.contract import Append
from records.replay.fold import BadRecord
from records.verdict import AuditReport, VerifiedAsShown, word
from service.authorization import Caller, require_recorder
from service.errors import CallError, Reason
from service.messages import report_message
from service.resources import Resources
from service.work_queue import SHORT_WORK_BYTES, WorkLane


async def import_record(
    resources: Resources, caller: Caller, request: pb.ImportRecordRequest
) -> pb.ImportRecordResponse:
    """Verify a record and store all of it."""
    require_recorder(caller)
    work = partial(judge_file, content=request.content, as_shown=request.as_shown)
    lane = WorkLane.LONG if len(request.content) > SHORT_WORK_BYTES else WorkLane.SHORT
    incoming = await resources.workers.run(caller.account, work, lane)
    if _lacks_parts(incoming) and await asyncio.to_thread(_may_derive, resources, caller, request.content):
        work = partial(work, secrets=resources.ledger.secrets)
        incoming = await resources.workers.run(caller.account, work, lane)
    if isinstance(incoming, RejectedRecord):
        raise _not_verified(incoming)
    outcome = (
        _missing(resources, caller, incoming)
        if incoming.new
        else await asyncio.to_thread(_missing, resources, caller, incoming)
    )
    if isinstance(outcome, Append):
        await asyncio.to_thread(resources.access.claim, caller, outcome.match)
        outcome = import_result(incoming, outcome, await resources.intake.commit(outcome))
    if not isinstance(outcome, Imported):
        raise CallError(Reason.RECORD_EXISTS, outcome.why, {"match_id": outcome.match})
    return pb.ImportRecordResponse(
        match_id=outcome.match, entries=outcome.entries, added=outcome.added, copy=outcome.copy
    )


def judge_file(
    _: Ledger, *, content: bytes, as_shown: bool = False, secrets: Secrets | None = None
) -> VerifiedImport | RejectedRecord:
    """The verdict on a file, which needs no archive."""
    return judge(content, as_shown=as_shown, secrets=secrets)


def _lacks_parts(incoming: VerifiedImport | RejectedRecord) -> bool:
    if isinstance(incoming, RejectedRecord):
        return isinstance(incoming.verdict, VerifiedAsShown)
    return bool(incoming.lacking)


def _may_derive(resources: Resources, caller: Caller, content: bytes) -> bool:
    """Whether a record may be completed with what this server dealt, if it did.

    Not while the match is under way here: whether a forged continuation is legal would show what a seat
    holds.
    """
    if not is_record_file(content):
        return False
    match = read_record(content).match
    try:
        current = resources.ledger.current(match)
    except NoSuchMatch:
        return True
    except BadRecord:
        return False
    return resources.access.sees_all(caller, match, current)


def _missing(resources: Resources, caller: Caller, incoming: VerifiedImport) -> Append | ImportResult:
    header = incoming.entries[0]
    if len(header.move) > resources.max_response_bytes // 4:
        raise CallError(Reason.TOO_LARGE, f"the header of the record has {len(header.move)} bytes")
    if not incoming.new:
        with suppress(NoSuchMatch, BadRecord):
            current = resources.ledger.current(header.match)
            resources.access.require_may_import(caller, header.match, current)
    return missing(resources.ledger.log, incoming)


def _not_verified(bad: RejectedRecord) -> CallError:
    good = bad.entries if isinstance(bad.verdict, VerifiedAsShown) else max(bad.at - 1, 0)
    report = report_message(AuditReport(MatchId(""), bad.verdict, bad.entries, good, bad.header), whole=True)
    message = f"the record is {word(bad.verdict)} at entry {bad.at}; nothing of it is stored"
    if isinstance(bad.verdict, VerifiedAsShown):
        message = f"{LACKS_PARTS}; nothing of it is stored"
    metadata = {"verdict": word(bad.verdict), "sequence": str(bad.at)}
    return CallError(Reason.RECORD_NOT_VERIFIED, message, metadata, report=report)
