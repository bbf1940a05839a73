"""Judges a record as it was read from a file, and says the verdict in words."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from records.audit.bundle import Bundle, Proven, judge_bundle
from records.audit.file import audit_file
from records.audit.sources import AnySource, CannotRead
from records.audit.transcript import verify_entries
from records.codec.concealment import decode_close
from records.codec.header import CorruptHeader, decode_header
from records.entry import Entry, EntryKind
from records.evidence.note import VerifierKey
from records.files.comments import entry_comments, further_tags, stated_result, unwritable
from records.files.record_file import RecordFile, read_record
from records.files.tags import Header, read_header
from records.files.transcript import Tag, TranscriptLine, UnreadableTranscript
from records.games.state import GameState
from records.replay.fold import BadRecord, open_record
from records.replay.transcript_numbers import shifts, transcript_numbers
from records.replay.wording import describe_entries
from records.text import escaped
from records.verdict import AuditReport, why, word
from rules.kernel.actors import Actor, Office


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry of a record file in words, which need not be those of a transcript."""

    text: str
    comment: str | None = None
    """What the transcript said of it that the match was imported from."""


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
    def may_show_hands(self) -> bool:
        """Whether it may show what is not for everybody: there are secrets, and no outcome is known."""
        return self.report.has_secrets and self.report.outcome is None

    @property
    def transcript_numbers(self) -> dict[int, range]:
        """The numbers of the entries in the transcript of the record; empty if all are the same."""
        if not self.stored:
            return {}
        entries = self.stored
        try:
            numbers = transcript_numbers(entries)
        except BadRecord:
            entries = entries[: self.report.good + 1]
            numbers = transcript_numbers(entries)
        same = len(numbers) == len(entries) - 1 and not shifts(numbers)
        return {} if same else numbers

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


def judge_content(name: str, content: bytes) -> FileReport | UnreadableFile:
    """Judge a record file that was read already; raises UnreadableRecord."""
    judged = judge_source(name, read_record(content))
    return judged if isinstance(judged, UnreadableFile) else replace(judged, content=content)


def judge_source(
    path: str, source: AnySource, upto: int | None = None, trusted: tuple[VerifierKey, ...] = ()
) -> FileReport | UnreadableFile:
    """Judge a record, or only its first entries; a bundle must be signed by all trusted keys."""
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
        return UnreadableFile(path, fault, _game_of(record), len(record.entries) - 1)
    opened = open_record(record.entries[0])
    further = [] if unwritable(opened.game, opened.header) else further_tags(opened.header)
    tags = tuple(Tag(*pair) for pair in further)
    header = Header(opened.game, opened.start, stated_result(opened.header), tags)
    words = islice(describe_entries(record.entries), 1, None)
    comments = entry_comments(opened.header.tags)
    entries = tuple(
        EntryText(escaped(text or "?"), escaped(comments[number]) if number in comments else None)
        for number, (text, _) in enumerate(words, start=1)
    )
    return FileReport(path, header, entries, report, record.entries)


def _game_of(record: RecordFile) -> str | None:
    """The game that the header names, though it may not be known here; None if it cannot be read."""
    try:
        return decode_header(record.entries[0].move).game
    except CorruptHeader:
        return None


def verdict_words(judged: FileReport) -> str:
    """The verdict, and the entry that it is about."""
    entries = judged.report.entries
    if judged.verdict == "verified":
        numbers = judged.transcript_numbers
        moves = f" ({max(each[-1] for each in numbers.values())} in its transcript)" if numbers else ""
        return f"verified, {_counted(entries)}{moves}"
    if judged.report.unjudged:
        return as_shown_words(judged.report)
    if judged.bad_entry:
        return f"{judged.verdict} at entry {judged.bad_entry} of {entries}"
    if judged.proven is not None:
        return judged.verdict
    return judged.verdict + (" in its header" if judged.stored else ", no entries")


def as_shown_words(report: AuditReport) -> str:
    """The verdict on a record that is verified only as far as it is shown."""
    entries = _counted(report.entries)
    return f"verified as far as shown, {len(report.unjudged)} of {entries} not judged in full"


def outcome_text(state: GameState) -> str:
    """Who has won and why, or who acts next."""
    if state.outcome() is not None:
        return state.display.turn()
    names = ", ".join(_name(state, actor) for actor in state.awaiting())
    return f"not over; to act: {names}"


def _name(state: GameState, actor: Actor) -> str:
    return actor.value if isinstance(actor, Office) else state.setup.seats[actor]


def _counted(entries: int) -> str:
    return f"{entries} {'entry' if entries == 1 else 'entries'}"
