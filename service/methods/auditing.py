"""Methods that audit: AuditMatch, AuditArchive."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.archive_audit import ArchiveAudit, Finding, Summary
from records.games import find_arbiter
from records.replay import BadRecord
from records.verdict import Verified, word
from rules.kernel.actors import AUDITOR
from rules.kernel.rule import RuleId
from service.access import Caller, refuse_curious, refuse_unless_reader
from service.desk import Desk
from service.messages import report_message
from service.requests import match_id

_VERDICTS: Final = {
    "verified": verdicts.VERDICT_VERIFIED,
    "illegal": verdicts.VERDICT_ILLEGAL,
    "diverged": verdicts.VERDICT_DIVERGED,
    "corrupt": verdicts.VERDICT_CORRUPT,
}

_VERIFIED: Final = word(Verified())
_PAGE: Final = 64
"""So many matches are audited between two words of progress."""


async def audit_match(desk: Desk, caller: Caller, request: pb.AuditMatchRequest) -> pb.AuditMatchResponse:
    """The verdict on a record."""
    match = match_id(request.match_id)
    refuse_unless_reader(caller)
    try:
        current = desk.ledger.current(match)
    except BadRecord:
        pass  # what is damaged hides nothing from whoever must mend it
    else:
        refuse_curious(caller, match, current, AUDITOR)
    report = await asyncio.to_thread(desk.ledger.audit, match)
    return pb.AuditMatchResponse(report=report_message(report))


async def audit_archive(
    desk: Desk, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    """The verdict on every record."""
    refuse_unless_reader(caller)
    audit = await asyncio.to_thread(ArchiveAudit, desk.open_log, since=request.since_position)
    findings, summary = audit.findings(), audit.summary
    total = max(summary.position - summary.since, 0)
    steps: list[asyncio.Future[list[Finding]]] = []
    try:
        while found := await _step(findings, steps):
            for finding in found:
                if request.with_verified or finding.verdict != _VERIFIED:
                    yield pb.AuditArchiveResponse(report=_report(finding))
            yield pb.AuditArchiveResponse(progress=pb.AuditProgress(done=summary.seen, total=total))
    finally:
        await asyncio.wait(steps)  # nobody can stop a thread in the middle of a step
        await asyncio.to_thread(findings.close)
    yield pb.AuditArchiveResponse(summary=_summary(summary))


async def _step(findings: Iterator[Finding], steps: "list[asyncio.Future[list[Finding]]]") -> list[Finding]:
    steps[:] = [asyncio.ensure_future(asyncio.to_thread(_next, findings))]
    return await asyncio.shield(steps[0])


def _next(findings: Iterator[Finding]) -> list[Finding]:
    return list(islice(findings, _PAGE))


def _report(finding: Finding) -> verdicts.AuditReport:
    """A finding; how a match stands is told once it is over, since hands may be hidden until then."""
    return verdicts.AuditReport(
        match_id=finding.match,
        verdict=_VERDICTS[finding.verdict],
        entries=finding.entries,
        good=finding.good,
        first_bad=finding.entry,
        why=finding.why or "",
        violations=_cited(finding),
        recorded_events=finding.recorded,
        ruled_events=finding.ruled,
        position=(finding.position or "") if finding.reason else "",
        game=finding.game or "",
        edition=finding.edition or "",
    )


def _cited(finding: Finding) -> Iterator[verdicts.RuleViolation]:
    """The broken rules as the rulebook has them; AuditMatch tells more of each."""
    if not finding.rules:
        return
    known = {rule.id: rule for rule in find_arbiter(finding.game or "").about.rules}
    for rule_id in finding.rules:
        rule = known.get(RuleId(rule_id))
        yield verdicts.RuleViolation(
            rule_id=rule_id,
            title=rule.title if rule else "",
            source=rule.source if rule else "",
            text=rule.text if rule else "",
        )


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
