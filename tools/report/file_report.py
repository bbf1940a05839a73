"""Judges a file and describes the verdict, as lines of text and as JSON."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, TypeAlias

import click

from records.audit.bundle import Bundle, Proven, judge_bundle
from records.audit.file import audit_file
from records.audit.transcript import verify_entries
from records.codec.concealment import decode_close
from records.entry import Entry, EntryKind
from records.evidence.note import VerifierKey
from records.files.comments import further_tags, stated_result, unwritable
from records.files.record_file import RecordFile
from records.files.tags import Header, read_header
from records.files.transcript import Tag, TranscriptLine, UnreadableTranscript
from records.games.citations import rulings_for, source_words
from records.games.state import GameState
from records.replay.fold import open_record
from records.replay.wording import describe_entries
from records.text import escaped
from records.verdict import (
    AS_SHOWN,
    AuditReport,
    CorruptAt,
    DivergedAt,
    IllegalAt,
    Verified,
    VerifiedAsShown,
    grouped,
    named_scores,
    rules_broken,
    why,
    word,
)
from rules.kernel.actors import Actor, Office
from tools.cli import CANNOT_READ
from tools.report.proofs import proven_json, proven_lines
from tools.terminal.output import Line, file_name, plural
from tools.terminal.sources import STANDARD_INPUT, CannotRead, Source, read_source

BAD: Final = 1
"""Exit code if a record is illegal, diverged or corrupt."""

ONLY_AS_SHOWN: Final = 3
"""Exit code if nothing is wrong, but a record is verified only as far as it is shown."""

STYLES: Final = {
    "verified": "bold green",
    AS_SHOWN: "bold yellow",
    "illegal": "bold red",
    "diverged": "bold yellow",
    "corrupt": "bold red",
    "unreadable": "bold magenta",
}
"""Styles of rich by verdict."""

_COMPONENTS_WIDTH: Final = 40
"""Maximum characters shown of a component set: a board given as a map is long, and the position line
repeats it in full."""


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry of a record file in words, which need not be those of a transcript."""

    text: str
    comment: None = None


ShownEntry: TypeAlias = TranscriptLine | EntryText


@dataclass(frozen=True, slots=True)
class FileReport:
    """A file that was read and judged."""

    path: str
    header: Header
    entries: tuple[ShownEntry, ...]
    """All entries, judged or not."""
    report: AuditReport
    """Has a header and a state: a file whose header cannot be read is an UnreadableFile."""
    stored: tuple[Entry, ...] = ()
    """The stored entries of a record file, the header first; empty for a transcript."""
    proven: Proven | None = None
    """What a bundle proves; None for other files."""
    trusted: tuple[VerifierKey, ...] = ()
    """The keys that the user trusts."""
    match: str | None = None
    """The id of the match, if the file is an archive."""
    content: bytes = b""
    """The bytes of the record."""

    @property
    def verdict(self) -> str:
        """The verdict in one word."""
        return word(self.report.verdict)

    @property
    def closed(self) -> str | None:
        """Why the arbiter closed the match without a result; None if that did not happen."""
        for entry in self.stored[: self.report.good + 1]:
            if entry.kind == EntryKind.CLOSE:
                return decode_close(entry.move).reason
        return None

    @property
    def bad_entry(self) -> int | None:
        """Number of the first entry that is illegal, diverged or corrupt."""
        return self.report.first_bad or None


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file that could not be read, with what is known of it."""

    path: str
    fault: CannotRead
    game: str | None = None
    entries: int = 0

    @property
    def verdict(self) -> str:
        """The verdict in one word."""
        return "unreadable"


def judge_file(
    path: str, upto: int | None = None, trusted: tuple[VerifierKey, ...] = (), match: str | None = None
) -> FileReport | UnreadableFile:
    """Judge a file, or standard input for '-', or a match of an archive; with `upto` only its first entries.

    If a bundle is judged as a whole, all trusted keys must have signed its checkpoint.
    """
    try:
        source, content = read_source(path, match)
    except CannotRead as fault:
        return UnreadableFile(path, fault)
    judged = _judge_source(path, source, upto, trusted)
    if isinstance(judged, UnreadableFile):
        return judged
    chosen = source.match if isinstance(source, RecordFile) and match is not None else None
    return replace(judged, content=content, match=chosen)


def _judge_source(
    path: str, source: Source | RecordFile | Bundle, upto: int | None, trusted: tuple[VerifierKey, ...]
) -> FileReport | UnreadableFile:
    if isinstance(source, Bundle):
        if upto is None:
            return _judge_bundle(path, source, trusted)
        source = source.record
    if isinstance(source, RecordFile):
        return _judge_record(path, source, audit_file(source, upto))
    tags, entries = source.transcript.tags, source.transcript.entries
    try:
        header = read_header(source.transcript)
        return FileReport(path, header, entries, verify_entries(header, entries[:upto]))
    except UnreadableTranscript as fault:
        game = next((tag.value for tag in tags if tag.name == "Game"), None)
        return UnreadableFile(path, source.cannot_read(fault), game, len(entries))


def _judge_bundle(path: str, bundle: Bundle, trusted: tuple[VerifierKey, ...]) -> FileReport | UnreadableFile:
    judgement = judge_bundle(bundle, trusted)
    judged = _judge_record(path, bundle.record, judgement.report)
    if isinstance(judged, UnreadableFile):
        return judged
    return replace(judged, proven=judgement.proven, trusted=trusted)


def _judge_record(path: str, record: RecordFile, report: AuditReport) -> FileReport | UnreadableFile:
    if report.header is None or report.state is None:
        fault = CannotRead(f"line 2: {why(report.verdict)}")
        return UnreadableFile(path, fault, entries=len(record.entries) - 1)
    opened = open_record(record.entries[0])
    further = [] if unwritable(opened.game, opened.header) else further_tags(opened.header)
    tags = tuple(Tag(*pair) for pair in further)
    header = Header(opened.game, opened.start, stated_result(opened.header), tags)
    words = islice(describe_entries(record.entries), 1, None)
    entries = tuple(EntryText(escaped(text or "?")) for text, _ in words)
    return FileReport(path, header, entries, report, record.entries)


def as_json(judged: FileReport | UnreadableFile) -> dict[str, object]:
    """The verdict as a JSON object; texts that do not apply are empty."""
    if isinstance(judged, UnreadableFile):
        return {
            "file": judged.path,
            "game": judged.game or "",
            "verdict": judged.verdict,
            "entries": judged.entries,
            "entry": None,
            "rules": [],
            "why": str(judged.fault),
            "position": "",
            "outcome": None,
        }
    state = judged.report.reached
    fields: dict[str, object] = {
        "file": judged.path,
        "game": judged.header.game.about.key,
        "verdict": judged.verdict,
        "entries": judged.report.entries,
        "entry": judged.bad_entry,
        "rules": list(rules_broken(judged.report.verdict)),
        "why": why(judged.report.verdict) or "",
        "position": state.position(),
        "outcome": outcome_json(judged.report),
    }
    if judged.closed is not None:
        fields["closed"] = judged.closed
    if judged.report.unjudged:
        fields["unjudged"] = unjudged_json(judged.report)
    if judged.proven is not None:
        fields["proven"] = proven_json(judged.proven, judged.trusted)
    caution = state.display.caution()
    return fields | {"caution": caution} if caution else fields


verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Print the position as a line of text too."
)


def as_lines(judged: FileReport | UnreadableFile, *, verbose: bool = False) -> Iterator[Line]:
    """The verdict as lines of text, with the position line if it is to be `verbose`."""
    if isinstance(judged, UnreadableFile):
        yield _headline(judged, judged.verdict)
        yield Line(str(judged.fault), indent=2)
        for line in judged.fault.excerpt:
            yield Line(line, indent=4, wraps=False)
        return
    report = judged.report
    yield verdict_line(judged)
    match report.verdict:
        case Verified():
            pass
        case VerifiedAsShown():
            yield from unjudged_lines(report)
        case IllegalAt() as illegal:
            yield from illegal_entry_lines(judged.header, illegal)
        case DivergedAt() | CorruptAt() as bad:
            yield Line(bad.why, "why", 2)
    signed = sum(bool(entry.signature) for entry in judged.stored)
    if judged.proven is not None:
        promised = report.header is not None and bool(report.header.keys)
        yield from proven_lines(judged.proven, judged.trusted, promised=promised)
    elif signed:
        yield Line(f"{signed} of {plural(len(judged.stored) - 1, 'entry', 'entries')}", "signed", 2)
    yield from match_lines(judged.header)
    if not report.impossible:
        closed = judged.closed
        text = outcome_text(report.reached) if closed is None else f"closed without a result: {closed}"
        yield Line(text, "outcome", 2)
    if verbose:
        yield Line(report.reached.position(), "position", 2, wraps=False)
    yield from _next(judged)


def outcome_json(report: AuditReport) -> dict[str, object] | None:
    """How the match ended; None while it is in progress."""
    outcome = report.outcome
    if outcome is None or report.header is None:
        return None
    ended: dict[str, object] = {
        "kind": outcome.kind.value,
        "winners": list(report.winners),
        "reason": outcome.reason,
    }
    if outcome.scores:
        scores = list(named_scores(report.header.setup.seats, outcome))
        ended["scores"] = {owner: score.points for owner, score in scores}
        categories = {owner: dict(score.categories) for owner, score in scores if score.categories}
        if categories:
            ended["categories"] = categories
    return ended


def unjudged_json(report: AuditReport) -> list[dict[str, object]]:
    """The entries that were judged only as far as they are shown."""
    return [{"entry": each.sequence, "why": each.why} for each in report.unjudged]


def as_shown_words(report: AuditReport) -> str:
    """The verdict on a record that is verified only as far as it is shown."""
    entries = plural(report.entries, "entry", "entries")
    return f"verified as far as shown, {len(report.unjudged)} of {entries} not judged in full"


def unjudged_lines(report: AuditReport) -> Iterator[Line]:
    """The same as lines of text, by reason."""
    for reason, entries in grouped(report.unjudged):
        yield Line(f"{reason}: {entries}", "unjudged", 2)


def worst_code(codes: Iterable[int]) -> int:
    """The exit code for several results: the most serious of theirs."""
    found = set(codes)
    return next((code for code in (CANNOT_READ, BAD, ONLY_AS_SHOWN) if code in found), 0)


def exit_code(verdict: str, *, as_shown: bool) -> int:
    """The exit code for the verdict on a record that was read; `as_shown` accepts one with parts left out."""
    if verdict == AS_SHOWN:
        return 0 if as_shown else ONLY_AS_SHOWN
    return 0 if verdict == "verified" else BAD


as_shown_option = click.option(
    "--as-shown", is_flag=True, help="Accept records that are verified only as far as they are shown."
)


def verdict_line(judged: FileReport) -> Line:
    """The file name and the verdict, on one line."""
    return _headline(judged, verdict_words(judged))


def verdict_words(judged: FileReport) -> str:
    """The verdict, and the entry that it is about."""
    entries = judged.report.entries
    if judged.verdict == "verified":
        return f"verified, {plural(entries, 'entry', 'entries')}"
    if judged.report.unjudged:
        return as_shown_words(judged.report)
    if judged.bad_entry:
        return f"{judged.verdict} at entry {judged.bad_entry} of {entries}"
    if judged.proven is not None:
        return judged.verdict
    return judged.verdict + (" in its header" if judged.stored else ", no entries")


def match_lines(header: Header) -> Iterator[Line]:
    """The game, the seats, the options and the rulings of the match, and the further tags of the file."""
    setup, about = header.start.setup, header.game.about
    components = setup.components
    if len(components) > _COMPONENTS_WIDTH:
        components = f"{components[: _COMPONENTS_WIDTH - 1]}…"
    yield Line(f"{about.title}, edition {setup.edition}, {components}", "game", 2)
    caution = header.start.display.caution()
    if caution:
        yield Line(caution, "caution", 2, style="bold yellow")
    yield Line(f"{', '.join(setup.seats)}; draws {setup.draws.value}", "seats", 2)
    for label, chosen in (("options", setup.options), ("rulings", setup.rulings)):
        if chosen:
            yield Line(", ".join(f"{name}={value}" for name, value in chosen), label, 2)
    for tag in header.further:
        yield Line(f"{tag.name}: {tag.value}", "tag", 2)


def illegal_entry_lines(header: Header, illegal: IllegalAt) -> Iterator[Line]:
    """The illegal entry, and every rule that it breaks."""
    yield Line(f"{illegal.sequence}. {illegal.move}", "entry", 2)
    yield from violation_lines(header, illegal)


def violation_lines(header: Header, illegal: IllegalAt) -> Iterator[Line]:
    """Every rule that the entry breaks, with its source and the rulings in force."""
    for violation in illegal.violations:
        rule = violation.rule
        yield Line(f"{rule.id} {rule.title}", indent=2, style="bold")
        yield Line(violation.why, "why", 4)
        if violation.places:
            yield Line(" ".join(violation.places), "concerns", 4)
        yield Line(rule.text, "rule", 4)
        yield Line(source_words(header.game.about, header.start.setup.edition, rule.source), "source", 4)
        for in_force in rulings_for(header.game.about, rule, header.start.setup.rulings):
            yield Line(str(in_force), "ruling", 4)


def outcome_text(state: GameState) -> str:
    """Who has won and why, or who acts next."""
    if state.outcome() is not None:
        return state.display.turn()
    names = ", ".join(_name(state, actor) for actor in state.awaiting())
    return f"not over; to act: {names}"


def _name(state: GameState, actor: Actor) -> str:
    return actor.value if isinstance(actor, Office) else state.setup.seats[actor]


def _headline(judged: FileReport | UnreadableFile, verdict: str) -> Line:
    return Line(f"{source_name(judged)}: {verdict}", style=STYLES[judged.verdict])


def source_name(judged: FileReport | UnreadableFile) -> str:
    """Where a record comes from, for headlines."""
    if judged.path == STANDARD_INPUT:
        return "standard input"
    if isinstance(judged, FileReport) and judged.match is not None:
        return f"{file_name(judged.path)} {judged.match}"
    return file_name(judged.path)


def _next(judged: FileReport) -> Iterator[Line]:
    if judged.verdict in {"verified", AS_SHOWN} or judged.path == STANDARD_INPUT:
        return
    path = shlex.quote(judged.path) if judged.match is None else f"{shlex.quote(judged.path)} {judged.match}"
    yield Line(f"shiji show {file_name(path)} --at {judged.report.good}", "next", 2)
