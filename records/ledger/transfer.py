"""Records from files into a log and back: what is stored was verified first, whole or not at all."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from records.audit.transcript import transcript_of, verify_entries
from records.entry import MOVE, Entry, MatchHeader, MatchId, actor_number, actor_of, with_hash
from records.entry_text import check_header, entry_text_fault
from records.files.comments import RESULT, comment_tags, told_tags, with_comments
from records.files.record_file import UnreadableRecord, audit_file, is_record_file, read_record
from records.files.tags import Header, read_header
from records.files.transcript import (
    Comment,
    Tag,
    Transcript,
    UnreadableTranscript,
    decode,
    read_transcript,
    write_transcript,
)
from records.games.candidate import Candidate
from records.games.state import Applied
from records.ledger.opening import header_entry, microseconds, new_match_id
from records.log.contract import NEW, Append, AppendRejected, AppendResult, Log
from records.replay.fold import moves_that_stand, open_record
from records.replay.sealed_draws import in_full
from records.text import MAX_TAG_VALUE, BadText, text_fault
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified

_FIRST_LINE: Final = 2
"""The line of a record file with the header."""


@dataclass(frozen=True, slots=True)
class VerifiedImport:
    """A record that has been verified and can be stored."""

    entries: tuple[Entry, ...]
    """All of them, the header first."""
    new: bool
    """Whether its id was made for it just now, so that no log knows it."""


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that is not stored, for what it is."""

    verdict: IllegalAt | DivergedAt | CorruptAt
    entries: int
    """How many it has after its header."""
    header: MatchHeader | None = None
    """None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A record that is in the log now."""

    match: MatchId
    entries: int
    """How many it has after its header, as far as the file goes."""
    added: int
    """How many entries were new to the log, the header included; 0 where it knew the record already."""


@dataclass(frozen=True, slots=True)
class ImportConflict:
    """A good record that this log cannot take."""

    match: MatchId
    why: str


ImportResult: TypeAlias = Imported | ImportConflict


def judge(data: bytes) -> VerifiedImport | RejectedRecord:
    """The record in a file, if it is beyond doubt; raises UnreadableTranscript or UnreadableRecord."""
    if not is_record_file(data):
        return judge_transcript(read_transcript(decode(data)))
    record = read_record(data)
    report = audit_file(record)
    if isinstance(report.verdict, Verified):
        _refuse_bad_text(record.entries)
        return VerifiedImport(record.entries, new=False)
    return RejectedRecord(report.verdict, report.entries, report.header)


def _refuse_bad_text(entries: Iterable[Entry]) -> None:
    for entry in entries:
        fault = entry_text_fault(entry)
        if fault is not None:
            raise UnreadableRecord(_FIRST_LINE + entry.sequence, str(fault))


def judge_transcript(transcript: Transcript) -> VerifiedImport | RejectedRecord:
    """The record that a transcript makes, if it verifies; equal transcripts have equal request ids."""
    header = read_header(transcript)
    text = write_transcript(transcript)
    request = f"transcript/{hashlib.sha256(text.encode()).hexdigest()}"
    told = _header_of(header, transcript)
    _refuse_bad_tags(transcript, told)
    first = header_entry(told, header.start, new_match_id(), request, microseconds())
    played: list[tuple[Candidate, Applied]] = []

    def keep(candidate: Candidate, accepted: Applied) -> None:
        played.append((candidate, accepted))

    report = verify_entries(header, transcript.entries, keep)
    if isinstance(report.verdict, Verified):
        return VerifiedImport(_chain(first, played), new=True)
    return RejectedRecord(report.verdict, report.entries, told)


def _refuse_bad_tags(transcript: Transcript, header: MatchHeader) -> None:
    """UnreadableTranscript, at the line of the tag or entry where text stands that no record takes."""
    for item in transcript.items:
        if isinstance(item, Comment):
            continue
        texts = [item.comment or "", item.value if isinstance(item, Tag) else ""]
        for why in filter(None, (text_fault(text, MAX_TAG_VALUE) for text in texts)):
            raise UnreadableTranscript(item.line, item.column, why)
    try:
        check_header(header)
    except BadText as fault:
        raise UnreadableTranscript(1, 1, str(fault)) from fault


def _chain(first: Entry, played: Sequence[tuple[Candidate, Applied]]) -> tuple[Entry, ...]:
    """The header and the legal moves behind it, linked by their hashes."""
    # What is alike is done in one go: that keeps a processor's caches warm.
    digests = [accepted.after.digest() for _, accepted in played]
    entries = [first]
    for sequence, (candidate, accepted) in enumerate(played, start=1):
        entries.append(
            with_hash(
                Entry(
                    first.match,
                    sequence,
                    MOVE,
                    actor_number(candidate.actor),
                    candidate.data,
                    accepted.events,
                    digests[sequence - 1],
                    f"{first.request}/{sequence}",
                    first.recorded,
                    entries[-1].hash,
                )
            )
        )
    return tuple(entries)


def store(log: Log, incoming: Sequence[VerifiedImport]) -> list[ImportResult]:
    """Store several records in one go, and say of each what became of it."""
    asked = [missing(log, record) for record in incoming]
    answers = iter(log.write([append for append in asked if isinstance(append, Append)]))
    return [
        import_result(record, append, next(answers)) if isinstance(append, Append) else append
        for record, append in zip(incoming, asked, strict=True)
    ]


def as_transcript(entries: Sequence[Entry]) -> Transcript:
    """The transcript of a whole record: the moves that stand; what was taken back is not in it.

    Raises BadRecord, CorruptMove or IllegalMove where the record is none that verifies.
    """
    opened = open_record(entries[0])
    header, moves = opened.header, moves_that_stand(entries)
    further = [Tag(*pair) for pair in told_tags(header)]
    asked = [(actor_of(entry.actor), in_full(entry)[0]) for entry in moves]
    plain = transcript_of(opened.game, header.setup, asked, further)
    numbered = zip((entry.sequence for entry in moves), plain.entries, strict=True)
    return with_comments(plain.tags, numbered, header.tags)


def _header_of(header: Header, transcript: Transcript) -> MatchHeader:
    tags = [(tag.name, tag.value) for tag in header.further]
    setup = header.start.setup
    if header.result is not None:
        tags.append((RESULT, " ".join(name for name in setup.seats if name in header.result)))
    return MatchHeader(header.game.about.key, setup, tags=(*tags, *comment_tags(transcript)))


def missing(log: Log, record: VerifiedImport) -> Append | ImportResult:
    """What of the record the log does not have yet, or what has become of it already."""
    entries = record.entries
    match, last = entries[0].match, entries[-1].sequence
    head = None if record.new else log.head(match)
    if head is None:
        return Append(match, NEW, entries)
    stored = list(log.read(match, 0, len(entries)))
    for ours, theirs in zip(entries, stored, strict=False):
        if ours.hash != theirs.hash:
            return ImportConflict(
                match, f"the archive has another record of this match: they part at entry {ours.sequence}"
            )
    if len(stored) == len(entries):
        return Imported(match, last, 0)
    return Append(match, head.sequence, entries[len(stored) :])


def import_result(record: VerifiedImport, append: Append, answer: AppendResult) -> ImportResult:
    """What the log's answer to what was missing means."""
    if isinstance(answer, AppendRejected):
        return ImportConflict(append.match, str(answer))
    added = answer[0].hash == append.entries[0].hash
    return Imported(answer[0].match, record.entries[-1].sequence, len(answer) if added else 0)
