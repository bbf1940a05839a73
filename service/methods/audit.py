"""Methods that audit records: AuditMatch, AuditArchive, CompareRecords."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.archive import ArchiveAudit, AuditTask, Chunk, ChunkAudit, Summary, audit_chunk
from records.audit.compare import Branch, compare
from records.audit.record import audit_record
from records.entry import MatchId
from records.files.record_file import read_record
from records.ledger.ledger import Ledger
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
from service.work_queue import SHORT_WORK_BYTES, SHORT_WORK_ENTRIES, WorkLane, lane_for


async def audit_match(
    resources: Resources, caller: Caller, request: pb.AuditMatchRequest
) -> pb.AuditMatchResponse:
    """The verdict on a record."""
    match = match_id(request.match_id)
    require_reader(caller)
    try:
        current = resources.ledger.current(match)
    except BadRecord:
        whole, length = False, SHORT_WORK_ENTRIES + 1  # nobody knows any more whether it is over
    else:
        length = current.sequence
        resources.access.looking(caller, match, current, AUDITOR)
        whole = True
    last, begun = resources.ledger.log.last_position(), resources.ledger.clock()
    work = partial(_audit, match=match)
    report = await resources.workers.run(caller.account, work, lane_for(length))
    await asyncio.to_thread(resources.index.note, [report], last, begun)
    whole = whole or _shows_nothing_hidden(report) or resources.access.trusts(caller, match)
    return pb.AuditMatchResponse(report=report_message(report, whole=whole))


def _audit(ledger: Ledger, *, match: MatchId) -> AuditReport:
    return ledger.audit(match).detached()


def audit_archive(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    """The verdict on every record."""
    require_reader(caller)
    return _audited(resources, caller, request)


async def _audited(
    resources: Resources, caller: Caller, request: pb.AuditArchiveRequest
) -> AsyncIterator[pb.AuditArchiveResponse]:
    audit = await asyncio.to_thread(ArchiveAudit, resources.open_log, since=request.since_position)
    begun = resources.ledger.clock()
    summary, run = audit.summary, partial(resources.workers.run, caller.account, lane=WorkLane.LONG)
    total = max(summary.position - summary.since, 0)
    log = resources.ledger.log
    task = await asyncio.to_thread(audit.task, log)
    chunks = audit.chunks(log)
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        reports = audit.add(await run(partial(_audit_chunk, task=task, chunk=chunk)))
        await asyncio.to_thread(resources.index.note, reports, summary.position, begun)
        for report in reports:
            if request.with_verified or not isinstance(report.verdict, Verified):
                message = report_message(report, whole=_shows_nothing_hidden(report))
                if report.outcome is None:
                    message.ClearField("position")
                yield pb.AuditArchiveResponse(report=message)
        yield pb.AuditArchiveResponse(progress=pb.AuditProgress(done=summary.seen, total=total))
    audit.note(await run(_flaws))
    await asyncio.to_thread(audit.look_for_gaps, log)
    await asyncio.to_thread(resources.index.cover, summary.since, summary.position, begun)
    yield pb.AuditArchiveResponse(summary=_summary(summary))


def _audit_chunk(ledger: Ledger, *, task: AuditTask, chunk: Chunk) -> ChunkAudit:
    return audit_chunk(ledger.log, task, chunk)


def _flaws(ledger: Ledger) -> tuple[str, ...]:
    return ledger.log.flaws()


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
    one = _compared(resources, caller, request.one, "one")
    other = _compared(resources, caller, request.other, "other")
    lane = max(_lane_of(one), _lane_of(other), key=lambda lane: lane is WorkLane.LONG)
    work = partial(_compare, one=one, other=other)
    matches, response = await resources.workers.run(caller.account, work, lane)
    for match in matches:  # only now the ids in files are known
        _require_may_compare(resources, caller, match)
    return response


def _require_may_compare(resources: Resources, caller: Caller, match: MatchId) -> None:
    """Raises CallError where the comparison could confirm a guess of what is hidden in a stored match."""
    try:
        current = resources.ledger.current(match)
    except (NoSuchMatch, BadRecord):
        return
    resources.access.require_hashes(caller, match, current)


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


@dataclass(frozen=True, slots=True)
class _Stored:
    """A record in the archive, with as many entries as the caller may compare."""

    match: MatchId
    length: int


def _compared(
    resources: Resources, caller: Caller, message: pb.ComparedRecord, field: str
) -> _Stored | bytes:
    """A stored record that the caller may see, or the file in the request; raises CallError."""
    match message.WhichOneof("record"):
        case "match_id":
            match = match_id(message.match_id)
            current = resources.ledger.current(match)
            resources.access.looking(caller, match, current, AUDITOR)
            return _Stored(match, current.sequence + 1)
        case "content":
            return message.content
        case None:
            raise bad_field(field, "give the id of a stored match, or the content of a record file")


def _lane_of(record: _Stored | bytes) -> WorkLane:
    if isinstance(record, _Stored):
        return lane_for(record.length)
    return WorkLane.LONG if len(record) > SHORT_WORK_BYTES else WorkLane.SHORT


def _compare(
    ledger: Ledger, *, one: _Stored | bytes, other: _Stored | bytes
) -> tuple[list[MatchId], pb.CompareRecordsResponse]:
    """The matches that the records are of, and their comparison; raises UnreadableRecord."""
    branches = []
    for record in (one, other):
        entries = (
            tuple(ledger.read(record.match, 0, record.length))
            if isinstance(record, _Stored)
            else read_record(record).entries
        )
        branches.append(Branch(audit_record(entries[0].match, entries), stored=entries))
    common = compare(*branches).identical
    first, second = (_branch(ledger, branch, common) for branch in branches)
    response = pb.CompareRecordsResponse(common=common, one=first, other=second)
    return [branch.stored[0].match for branch in branches], response


def _branch(ledger: Ledger, branch: Branch, common: int) -> pb.ComparedBranch:
    entries = branch.stored
    stored = list(ledger.log.read(entries[0].match, 0, len(entries)))
    in_log = [entry.hash == logged.hash for entry, logged in zip(entries, stored, strict=False)]
    texts = [text or "" for text, _ in describe_entries(entries[: common + 1])]
    return pb.ComparedBranch(
        report=report_message(branch.report, whole=True),
        next=texts[common] if common < len(texts) else "",
        signed=sum(bool(entry.signature) for entry in entries),
        in_log=in_log.index(False) if False in in_log else len(in_log),
    )
