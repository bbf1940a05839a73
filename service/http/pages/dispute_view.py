"""What the page of a dispute shows: the verdict on a record as one sentence, and the evidence for it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import Entry, EntryKind, MatchId
from records.ledger.ledger import Ledger
from records.replay.fold import BadRecord, open_record
from records.replay.wording import describe_entry
from rules.kernel.actors import SPECTATOR
from rules.kernel.display import Highlights
from service.access import public_viewpoint
from service.authorization import Caller
from service.http.pages.board import BoardDrawing, board_drawing
from service.http.pages.match_view import drawn_move
from service.messages import Viewpoint, conceals, entry_message, state_for
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
    title: str
    """Of the game; empty, like seats, if the header cannot be read."""
    seats: tuple[str, ...]
    verdict: VerdictView
    bad_move: str
    """What the first bad entry says, in words; empty if there is none, or it cannot be read."""
    drawn: str
    """Which position is drawn, or why none is, in words."""
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
    viewpoint = await resources.off_loop(partial(_spectators_viewpoint, resources, caller, match))
    log_name = None if resources.log_key is None else resources.log_key.name
    work = partial(_rendered, match=match, report=answer.report, viewpoint=viewpoint, log_name=log_name)
    return await resources.workers.run(caller.account, work, lane_for(answer.report.entries))


def _spectators_viewpoint(resources: Resources, caller: Caller, match: MatchId) -> Viewpoint | None:
    """As whom the caller sees the board; None if the record is damaged: nobody knows whether it is over."""
    try:
        return resources.access.looking(caller, match, resources.ledger.current(match), SPECTATOR)
    except BadRecord:
        return None


def _rendered(
    ledger: Ledger,
    *,
    match: MatchId,
    report: verdicts.AuditReport,
    viewpoint: Viewpoint | None,
    log_name: str | None,
) -> RenderedDispute:
    """The page, for which the whole record is read; in a worker process."""
    entries = list(ledger.read(match))
    signed = sum(bool(entry.signature) for entry in entries)
    evidence = tuple(_evidence(entries, signed, log_name))
    title, seats = _names(entries)
    if viewpoint is None:
        shown = _last_sound(ledger, match, report, entries)
    else:
        shown = _shown(ledger, match, report, viewpoint)
    view = DisputeView(
        match,
        title,
        seats,
        verdict_view(report),
        shown.bad_move,
        shown.drawn,
        _disputes(ledger, match, entries),
        signed,
        evidence,
    )
    return RenderedDispute(view, shown.drawing)


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
        case verdicts.VERDICT_DIVERGED if not bad:
            return "What the record says at its start is not what the rules give."
        case verdicts.VERDICT_CORRUPT if not bad:
            return "The header of the record is damaged, so that nothing of it can be judged."
        case verdicts.VERDICT_DIVERGED if report.good >= bad:
            return (
                f"Every entry up to {bad} is legal, but what the record says after it is not what they give."
            )
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


def _names(entries: Sequence[Entry]) -> tuple[str, tuple[str, ...]]:
    """The title of the game and the seats; nothing if the header cannot be read."""
    try:
        opened = open_record(entries[0])
    except (BadRecord, IndexError):
        return "", ()
    return opened.game.about.title, opened.header.setup.seats


class _Shown(Struct, frozen=True):
    """The first bad entry in words, and the position before it."""

    drawn: str
    bad_move: str = ""
    drawing: BoardDrawing | None = None


_NOTHING_SOUND: Final = (
    "No position is drawn: the start of the record is damaged, "
    "so that nobody knows what it was, nor who may see it."
)


def _last_sound(
    ledger: Ledger, match: MatchId, report: verdicts.AuditReport, entries: Sequence[Entry]
) -> _Shown:
    """The position before the damage, as everybody may see it while the match goes on.

    The entry at fault is not put into words: what of it is hidden depends on fields that may be damaged.
    """
    if not report.first_bad:
        return _Shown(_NOTHING_SOUND)
    try:
        everybody = public_viewpoint(open_record(entries[0]).header)
        before = ledger.state_at(match, report.good)
    except BadRecord:
        return _Shown(_NOTHING_SOUND)
    label = f"The position after entry {report.good}, the last one before the damage"
    words = f"{label}."
    if conceals(everybody, before):
        words = (
            f"{label}, as everybody may see it: "
            "what is hidden stays hidden, because nobody knows whether the match is over."
        )
    drawing = board_drawing(state_for(everybody, before), Highlights(), label)
    return _Shown(words, drawing=drawing)


def _shown(ledger: Ledger, match: MatchId, report: verdicts.AuditReport, viewpoint: Viewpoint) -> _Shown:
    """The position after the last good entry, as the viewer sees it, with what is wrong."""
    places = tuple(place for each in report.violations for place in each.places)
    try:
        before = ledger.state_at(match, report.good)
    except BadRecord:
        return _Shown(_NOTHING_SOUND)
    text, refused = "", None
    if report.first_bad > report.good:
        with suppress(BadRecord, CorruptMove, CorruptEvents, ValueError):
            entry = next(iter(ledger.read(match, report.first_bad, 1)))
            text = entry_message(viewpoint, before, entry).text
            refused = drawn_move(viewpoint, before, entry, text)
    highlights = Highlights(refused=refused, places=places)
    label = (
        f"The position before entry {report.first_bad}"
        if refused
        else f"The position after entry {report.good}"
    )
    drawing = board_drawing(state_for(viewpoint, before), highlights, label)
    return _Shown(f"{label}.", text, drawing)
