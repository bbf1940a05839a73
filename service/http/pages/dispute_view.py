"""What the page of a dispute shows: the verdict on a record as one sentence, and the evidence for it."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.entry import Entry, EntryKind, MatchId
from records.games.candidate import Candidate
from records.ledger.ledger import Ledger
from records.replay.fold import BadRecord
from records.replay.wording import describe_entry
from rules.kernel.actors import SPECTATOR
from rules.kernel.display import Highlights
from service.authorization import Caller
from service.http.pages.board import BoardDrawing, board_drawing
from service.messages import Sight, state_for
from service.methods.audit import audit_match
from service.requests import match_id
from service.resources import Resources
from service.work_queue import lane_for

_DISPUTES = frozenset({EntryKind.OPEN_DISPUTE, EntryKind.RESOLVE_DISPUTE})


class BrokenRuleView(Struct, frozen=True):
    """A rule that a move breaks."""

    rule: str
    title: str
    why: str
    text: str
    source: str
    places: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    """Questions that the rulebook leaves open, with the answer in force."""


class VerdictView(Struct, frozen=True):
    """The verdict on a record."""

    word: str
    """verified, as-shown, illegal, diverged or corrupt."""
    sentence: str
    why: str
    entries: int
    good: int
    broken: tuple[BrokenRuleView, ...]


class DisputeView(Struct, frozen=True):
    """The page of a dispute, in values."""

    match_id: str
    verdict: VerdictView
    disputes: tuple[tuple[int, str], ...]
    """Entries that open and settle disputes, with their sequences."""
    signed: int
    """Entries that are signed."""
    evidence: tuple[tuple[str, str], ...]
    """What speaks for the record besides the rules, in words: signatures, and the log."""


class RenderedDispute(Struct, frozen=True):
    """The page of a dispute, in values and in drawings."""

    view: DisputeView
    drawing: BoardDrawing | None


async def dispute_page(resources: Resources, caller: Caller, *, match_text: str) -> RenderedDispute:
    """The audit of a match, and its disputes; raises CallError."""
    match = match_id(match_text)
    answer = await audit_match(resources, caller, pb.AuditMatchRequest(match_id=match))
    sight = await resources.off_loop(partial(_spectators_sight, resources, caller, match))
    log_name = None if resources.log_key is None else resources.log_key.name
    work = partial(_rendered, match=match, report=answer.report, sight=sight, log_name=log_name)
    return await resources.workers.run(caller.account, work, lane_for(answer.report.entries))


def _spectators_sight(resources: Resources, caller: Caller, match: MatchId) -> Sight | None:
    """As whom the caller sees the board; None if the record is too damaged for that."""
    try:
        return resources.access.looking(caller, match, resources.ledger.current(match), SPECTATOR)
    except BadRecord:
        return None


def _rendered(
    ledger: Ledger, *, match: MatchId, report: verdicts.AuditReport, sight: Sight | None, log_name: str | None
) -> RenderedDispute:
    """The page, for which the whole record is read; in a worker process."""
    entries = list(ledger.read(match))
    signed = sum(bool(entry.signature) for entry in entries)
    view = DisputeView(
        match,
        verdict_view(report),
        _disputes(ledger, match, entries),
        signed,
        tuple(_evidence(entries, signed, log_name)),
    )
    return RenderedDispute(view, None if sight is None else _drawing(ledger, match, report, sight))


def _evidence(entries: Sequence[Entry], signed: int, log_name: str | None) -> Iterator[tuple[str, str]]:
    count = len(entries) - 1
    yield "signed", f"{signed} of {count} entries" if signed else "nothing: no seat signs its moves here"
    if log_name is None:
        yield (
            "in a log",
            "this server signs no log: a bundle proves no more than the record",
        )
        return
    numbers = f"entries {entries[0].position} to {entries[-1].position} of its log"
    yield "in a log", f"{numbers}, which {log_name} signs; the bundle of the match proves it"


def verdict_view(report: verdicts.AuditReport) -> VerdictView:
    """The verdict, with what it rests on."""
    word = verdicts.Verdict.Name(report.verdict).removeprefix("VERDICT_").lower().replace("_", "-")
    return VerdictView(
        word, sentence(report), report.why, report.entries, report.good, broken_rules_of(report)
    )


def sentence(report: verdicts.AuditReport) -> str:
    """The verdict as one sentence."""
    bad, count = report.first_bad, report.entries
    match report.verdict:
        case verdicts.VERDICT_VERIFIED:
            return f"All {count} entries are legal, and the record is intact."
        case verdicts.VERDICT_AS_SHOWN:
            return f"Nothing is wrong in what is shown, but {len(report.unjudged)} entries leave parts out."
        case verdicts.VERDICT_ILLEGAL:
            return f"Entry {bad} is illegal; the record is good up to entry {report.good}."
        case verdicts.VERDICT_DIVERGED:
            return f"Entry {bad} is not what the rules give; the record is good up to entry {report.good}."
        case _:
            return f"The record is damaged at entry {bad}; it is good up to entry {report.good}."


def broken_rules_of(report: verdicts.AuditReport) -> tuple[BrokenRuleView, ...]:
    """Every rule that the first bad entry breaks."""
    return tuple(
        BrokenRuleView(
            each.rule_id,
            each.title,
            each.why,
            each.text,
            each.source_words,
            tuple(each.places),
            tuple(
                (ruling.question, f"{ruling.meaning} ({ruling.name}={ruling.value})")
                for ruling in each.rulings
            ),
        )
        for each in report.violations
    )


def _disputes(ledger: Ledger, match: MatchId, entries: Sequence[Entry]) -> tuple[tuple[int, str], ...]:
    try:
        current = ledger.current(match)
    except BadRecord:
        return ()
    return tuple(
        (entry.sequence, describe_entry(current.header, current.state, entry))
        for entry in entries
        if entry.kind in _DISPUTES
    )


def _drawing(
    ledger: Ledger, match: MatchId, report: verdicts.AuditReport, sight: Sight
) -> BoardDrawing | None:
    """The board after the last good entry, with the cells at fault, as the viewer sees it."""
    places = tuple(place for each in report.violations for place in each.places)
    try:
        state = state_for(sight, ledger.state_at(match, report.good))
    except BadRecord:
        return None
    highlights: Highlights[Candidate] = Highlights(places=places)
    return board_drawing(state, highlights, f"The position after entry {report.good}")
