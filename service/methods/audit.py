"""Methods that audit records: AuditMatch, AuditArchive."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.archive import MATCHES_PER_CHUNK, ArchiveAudit, Summary
from records.audit.chunk import AuditTask, Chunk, ChunkAudit, audit_chunk
from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.replay.fold import BadRecord
from records.verdict import AS_SHOWN, AuditReport, Verified
from rules.kernel.actors import AUDITOR
from service.authorization import Caller, require_reader
from service.requests import match_id
from service.resources import Resources
from service.verdict_messages import report_message
from service.work_queue import SHORT_WORK_ENTRIES, WorkLane, lane_for


async def audit_match(
    resources: Resources, caller: Caller, request: pb.AuditMatchRequest
) -> pb.AuditMatchResponse:
    """The verdict on a record."""
    match = match_id(request.match_id)
    require_reader(caller)
    whole, length = await resources.off_loop(partial(_auditable, resources, caller, match))
    last = await resources.off_loop(resources.ledger.log.last_position)
    begun = resources.ledger.clock()
    work = partial(_audit, match=match)
    report = await resources.workers.run(caller.account, work, lane_for(length))
    await asyncio.to_thread(resources.index.note, [report], last, begun)
    whole = whole or await resources.off_loop(partial(resources.access.trusts, caller, match))
    return pb.AuditMatchResponse(report=report_message(report, whole=True) if whole else _public(report))


def _auditable(resources: Resources, caller: Caller, match: MatchId) -> tuple[bool, int]:
    """Whether the caller may see the whole report, and how many entries are audited; raises CallError."""
    try:
        current = resources.ledger.current(match)
    except BadRecord:
        return False, SHORT_WORK_ENTRIES + 1  # nobody knows any more whether it is over
    resources.access.looking(caller, match, current, AUDITOR)
    return True, current.sequence


def _audit(ledger: Ledger, *, match: MatchId) -> AuditReport:
    return ledger.audit(match).detached()


async def audit_archive(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    """The verdict on every record."""
    require_reader(caller)
    return _audited(resources, caller, request)


async def _audited(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    last = await resources.off_loop(resources.ledger.log.last_position)
    audit = ArchiveAudit(resources.open_log, since=request.since_position, last=last)
    begun = resources.ledger.clock()
    summary, run = audit.summary, partial(resources.workers.run, caller.account, lane=WorkLane.LONG)
    total = max(summary.position - summary.since, 0)
    task, changed = await run(partial(_plan, audit=audit))
    after: int | None = 0
    while after is not None:
        done, after = await run(partial(_audit_next, task=task, changed=changed, after=after))
        reports = audit.add(done)
        await asyncio.to_thread(resources.index.note, reports, summary.position, begun)
        for report in reports:
            if request.with_verified or not isinstance(report.verdict, Verified):
                yield pb.AuditArchiveResponse(report=_public(report))
        yield pb.AuditArchiveResponse(progress=pb.AuditProgress(done=summary.seen, total=total))
    flaws, summary.not_checked = await run(_flaws)
    audit.note(flaws)
    audit.note(await run(partial(_gaps, audit=audit)))
    await asyncio.to_thread(resources.index.cover, summary.since, summary.position, begun)
    yield pb.AuditArchiveResponse(summary=_summary(summary))


def _plan(ledger: Ledger, *, audit: ArchiveAudit) -> tuple[AuditTask, list[Chunk] | None]:
    """What the audit needs to know, and the matches to audit; None for all of them."""
    changed = list(audit.chunks(ledger.log)) if audit.summary.since else None
    return audit.task(ledger.log), changed


def _audit_next(
    ledger: Ledger, *, task: AuditTask, changed: list[Chunk] | None, after: int
) -> tuple[ChunkAudit, int | None]:
    """The audit of some matches, and the place after which the next ones are; None after the last.

    The place is the number of the last listed match, or the count of chunks that are done.
    """
    if changed is not None:
        chunk = changed[after] if after < len(changed) else ()
        following = after + 1 if after + 1 < len(changed) else None
    else:
        listed = list(ledger.log.listing(after, MATCHES_PER_CHUNK))
        chunk, following = listed, listed[-1].number if len(listed) == MATCHES_PER_CHUNK else None
    return audit_chunk(ledger.log, task, chunk), following


def _gaps(ledger: Ledger, *, audit: ArchiveAudit) -> list[str]:
    """The positions without an entry."""
    known = len(audit.summary.flaws)
    audit.look_for_gaps(ledger.log)
    return audit.summary.flaws[known:]


def _flaws(ledger: Ledger) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flaws of the storage, and what was not looked for."""
    return ledger.log.flaws(), ledger.log.unchecked()


def _public(report: AuditReport) -> verdicts.AuditReport:
    """The report for everybody."""
    message = report_message(report, whole=_shows_nothing_hidden(report))
    if report.outcome is None:
        message.ClearField("position")
    return message


def _shows_nothing_hidden(report: AuditReport) -> bool:
    """Whether the report may be shown to everybody, because the match is over or never had secrets."""
    return not report.has_secrets or (isinstance(report.verdict, Verified) and report.outcome is not None)


def _summary(summary: Summary) -> verdicts.AuditSummary:
    return verdicts.AuditSummary(
        matches=summary.matches,
        entries=summary.entries,
        position=summary.position,
        editions=[
            verdicts.EditionTally(
                game=game,
                edition=edition,
                verified=tally["verified"],
                illegal=tally["illegal"],
                diverged=tally["diverged"],
                corrupt=tally["corrupt"],
                as_shown=tally[AS_SHOWN],
            )
            for (game, edition), tally in sorted(summary.editions.items())
        ],
        rules=[
            verdicts.RuleTally(rule_id=rule, matches=count) for rule, count in sorted(summary.rules.items())
        ],
        flaws=summary.flaws,
        clean=summary.clean,
        not_checked=summary.not_checked,
    )
