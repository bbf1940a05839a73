"""Methods that audit: AuditMatch, AuditArchive."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.archive import ArchiveAudit, Summary
from records.replay.fold import BadRecord
from records.verdict import AuditReport, Verified
from rules.kernel.actors import AUDITOR
from service.authorization import Caller, require_may_see, require_reader
from service.messages import report_message
from service.requests import match_id
from service.resources import Resources

_PAGE: Final = 64
"""So many matches are audited between two words of progress."""


async def audit_match(
    resources: Resources, caller: Caller, request: pb.AuditMatchRequest
) -> pb.AuditMatchResponse:
    """The verdict on a record."""
    match = match_id(request.match_id)
    require_reader(caller)
    try:
        current = resources.ledger.current(match)
    except BadRecord:
        pass  # what is damaged hides nothing from whoever must mend it
    else:
        require_may_see(caller, match, current, AUDITOR)
    report = await asyncio.to_thread(resources.ledger.audit, match)
    return pb.AuditMatchResponse(report=report_message(report))


async def audit_archive(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    """The verdict on every record."""
    require_reader(caller)
    audit = await asyncio.to_thread(ArchiveAudit, resources.open_log, since=request.since_position)
    reports, summary = audit.reports(), audit.summary
    total = max(summary.position - summary.since, 0)
    steps: list[asyncio.Future[list[AuditReport]]] = []
    try:
        while found := await _step(reports, steps):
            for report in found:
                if request.with_verified or not isinstance(report.verdict, Verified):
                    # Hands may be hidden until the match is over.
                    message = report_message(report, with_position=report.outcome is not None)
                    yield pb.AuditArchiveResponse(report=message)
            yield pb.AuditArchiveResponse(progress=pb.AuditProgress(done=summary.seen, total=total))
    finally:
        await asyncio.wait(steps)  # nobody can stop a thread in the middle of a step
        await asyncio.to_thread(reports.close)
    yield pb.AuditArchiveResponse(summary=_summary(summary))


async def _step(
    reports: Iterator[AuditReport], steps: "list[asyncio.Future[list[AuditReport]]]"
) -> list[AuditReport]:
    steps[:] = [asyncio.ensure_future(asyncio.to_thread(_next, reports))]
    return await asyncio.shield(steps[0])


def _next(reports: Iterator[AuditReport]) -> list[AuditReport]:
    return list(islice(reports, _PAGE))


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
            )
            for (game, edition), tally in sorted(summary.editions.items())
        ],
        rules=[
            verdicts.RuleTally(rule_id=rule, matches=count) for rule, count in sorted(summary.rules.items())
        ],
        flaws=summary.flaws,
        clean=summary.clean,
    )
