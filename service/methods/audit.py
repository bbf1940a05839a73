"""Methods that audit records: AuditMatch, AuditArchive, CompareRecords."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.archive import ArchiveAudit, Summary
from records.audit.compare import Branch, compare
from records.audit.record import audit_record
from records.entry import Entry, MatchId
from records.files.record_file import read_record
from records.ledger.results import NoSuchMatch
from records.replay.fold import BadRecord
from records.replay.wording import describe_entries
from records.verdict import AS_SHOWN, AuditReport, Verified
from rules.kernel.actors import AUDITOR
from rules.kernel.setup import RECORDED
from service.authorization import Caller, require_reader
from service.errors import bad_field
from service.messages import report_message
from service.requests import match_id
from service.resources import Resources

_PROGRESS_MATCHES: Final = 64
"""Matches audited between two reports of progress: about a tenth of a second of work for usual matches."""


async def audit_match(
    resources: Resources, caller: Caller, request: pb.AuditMatchRequest
) -> pb.AuditMatchResponse:
    """The verdict on a record."""
    match = match_id(request.match_id)
    require_reader(caller)
    try:
        current = resources.ledger.current(match)
    except BadRecord:
        whole = False  # nobody knows any more whether it is over
    else:
        resources.access.looking(caller, match, current, AUDITOR)
        whole = True
    last, begun = resources.ledger.log.last_position(), resources.ledger.clock()
    report = await asyncio.to_thread(resources.ledger.audit, match)
    await asyncio.to_thread(resources.index.note, [report], last, begun)
    whole = whole or _shows_nothing_hidden(report) or resources.access.trusts(caller, match)
    return pb.AuditMatchResponse(report=report_message(report, whole=whole))


async def audit_archive(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    """The verdict on every record."""
    require_reader(caller)
    audit = await asyncio.to_thread(ArchiveAudit, resources.open_log, since=request.since_position)
    reports, summary, begun = audit.reports(), audit.summary, resources.ledger.clock()
    total = max(summary.position - summary.since, 0)
    steps: list[asyncio.Future[list[AuditReport]]] = []
    try:
        while found := await _step(reports, steps):
            await asyncio.to_thread(resources.index.note, found, summary.position, begun)
            for report in found:
                if request.with_verified or not isinstance(report.verdict, Verified):
                    message = report_message(report, whole=_shows_nothing_hidden(report))
                    if report.outcome is None:
                        message.ClearField("position")
                    yield pb.AuditArchiveResponse(report=message)
            yield pb.AuditArchiveResponse(progress=pb.AuditProgress(done=summary.seen, total=total))
    finally:
        await asyncio.wait(steps)  # a thread cannot be stopped in the middle of a step
        await asyncio.to_thread(reports.close)
    await asyncio.to_thread(resources.index.cover, summary.since, summary.position, begun)
    yield pb.AuditArchiveResponse(summary=_summary(summary))


def _shows_nothing_hidden(report: AuditReport) -> bool:
    """Whether the report may be shown to everybody, because the match is over or never had hidden draws."""
    if isinstance(report.verdict, Verified) and report.outcome is not None:
        return True
    return report.header is not None and report.header.setup.draws is not RECORDED


async def compare_records(
    resources: Resources, caller: Caller, request: pb.CompareRecordsRequest
) -> pb.CompareRecordsResponse:
    """Where two records of one match differ, and the evidence for each."""
    require_reader(caller)
    one, other = (
        _record(resources, caller, request.one, "one"),
        _record(resources, caller, request.other, "other"),
    )
    for entries in (one, other):
        _require_may_compare(resources, caller, entries[0].match)
    return await asyncio.to_thread(_compare, resources, one, other)


def _require_may_compare(resources: Resources, caller: Caller, match: MatchId) -> None:
    """Raises CallError where the comparison could confirm a guess of what is hidden in a stored match."""
    try:
        current = resources.ledger.current(match)
    except (NoSuchMatch, BadRecord):
        return
    resources.access.require_hashes(caller, match, current)


async def _step(
    reports: Iterator[AuditReport], steps: "list[asyncio.Future[list[AuditReport]]]"
) -> list[AuditReport]:
    """The next reports. The future stays in `steps`, as its thread runs on when the call is cancelled."""
    steps[:] = [asyncio.ensure_future(asyncio.to_thread(_next, reports))]
    return await asyncio.shield(steps[0])


def _next(reports: Iterator[AuditReport]) -> list[AuditReport]:
    return list(islice(reports, _PROGRESS_MATCHES))


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
    )


def _record(resources: Resources, caller: Caller, message: pb.ComparedRecord, field: str) -> list[Entry]:
    """A stored record, or the one in the request; raises UnreadableRecord."""
    match message.WhichOneof("record"):
        case "match_id":
            match = match_id(message.match_id)
            resources.access.looking(caller, match, resources.ledger.current(match), AUDITOR)
            return list(resources.ledger.read(match))
        case "content":
            return list(read_record(message.content).entries)
        case None:
            raise bad_field(field, "give the id of a stored match, or the content of a record file")


def _compare(resources: Resources, one: list[Entry], other: list[Entry]) -> pb.CompareRecordsResponse:
    branches = [
        Branch(audit_record(entries[0].match, entries), stored=tuple(entries)) for entries in (one, other)
    ]
    common = compare(*branches).identical
    first, second = (_branch(resources, branch, common) for branch in branches)
    return pb.CompareRecordsResponse(common=common, one=first, other=second)


def _branch(resources: Resources, branch: Branch, common: int) -> pb.ComparedBranch:
    entries = branch.stored
    stored = list(resources.ledger.log.read(entries[0].match, 0, len(entries)))
    in_log = [entry.hash == logged.hash for entry, logged in zip(entries, stored, strict=False)]
    texts = [text or "" for text, _ in describe_entries(entries[: common + 1])]
    return pb.ComparedBranch(
        report=report_message(branch.report, whole=True),
        next=texts[common] if common < len(texts) else "",
        signed=sum(bool(entry.signature) for entry in entries),
        in_log=in_log.index(False) if False in in_log else len(in_log),
    )
