"""Import and export: verified records from files into a log, and records as transcripts."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from records.audit.file import audit_file
from records.audit.record import audit_record
from records.audit.transcript import transcript_of, verify_entries
from records.codec.concealment import Hidden, encode_hidden
from records.entry import (
    ENTRY_VERSION_2,
    MOVE,
    Concealment,
    Entry,
    MatchHeader,
    MatchId,
    actor_number,
    with_hash,
)
from records.files.comments import RESULT, comment_tags, further_tags, with_comments
from records.files.record_file import UnreadableRecord, is_record_file, read_record
from records.files.tags import Header, read_header, write_result
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
from records.games.state import Applied, GameState
from records.ledger.dealer import Secrets
from records.ledger.ledger import microseconds
from records.ledger.opening import header_entry, new_match_id, new_salt
from records.log.contract import NEW, Append, AppendRejected, AppendResult, Log
from records.replay.completion import completed, lacking_parts
from records.replay.concealing import NOTHING_CONCEALED, ConcealedParts, Place, conceal_views
from records.replay.disclosure import conceals, public_digest, shows_all
from records.replay.entry_text import check_header, entry_text_fault
from records.replay.fold import BadRecord, open_record
from records.replay.played_moves import played_moves
from records.replay.transcript_numbers import shifts, transcript_numbers
from records.text import MAX_COMPONENTS_CHARS, MAX_TAG_VALUE_CHARS, BadText, text_fault
from records.verdict import BadVerdict, CorruptAt, Unjudged, Verified, VerifiedAsShown

_FIRST_LINE: Final = 2
"""The line of a record file with the header."""


LACKS_PARTS: Final = (
    "an archive holds everything that was drawn, but this record of a match under way leaves it out: "
    "import it in full, or once the match is over"
)
"""Why a record is not imported that is verified only as far as it is shown."""

_LEFT_OUT: Final = "a concealed part is left out"


@dataclass(frozen=True, slots=True)
class VerifiedImport:
    """A record that has been verified and can be stored."""

    entries: tuple[Entry, ...]
    """All entries, the header first."""
    new: bool
    """Whether its id was just made for it, so that no log can have the match."""
    lacking: tuple[int, ...] = ()
    """The sequences of entries with parts that are left out, which nothing derives: stored as a copy."""


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that is not stored because it does not verify."""

    verdict: BadVerdict | VerifiedAsShown
    """As far as shown is enough only for a copy: else an archive holds everything of its matches."""
    entries: int
    """The number of entries after the header."""
    header: MatchHeader | None = None
    """None if it cannot be read."""

    @property
    def at(self) -> int:
        """The sequence of the first bad entry, or of the first from which something is left out."""
        if isinstance(self.verdict, VerifiedAsShown):
            return self.verdict.unjudged[0].sequence
        return self.verdict.sequence


@dataclass(frozen=True, slots=True)
class Imported:
    """A record that is in the log now."""

    match: MatchId
    entries: int
    """The number of entries after the header in the file."""
    added: int
    """The number of entries that were new to the log, including the header; 0 if it had them all."""
    copy: bool = False
    """Whether the log has it as a copy, which lacks parts and is only read."""


@dataclass(frozen=True, slots=True)
class ImportConflict:
    """A verified record that contradicts what the log has."""

    match: MatchId
    why: str


ImportResult: TypeAlias = Imported | ImportConflict


def judge(
    data: bytes, *, as_shown: bool = False, secrets: Secrets | None = None
) -> VerifiedImport | RejectedRecord:
    """Read and verify a file; raises UnreadableTranscript or UnreadableRecord.

    Parts that are left out are derived where the match is unsealed, or where the server's own secrets tell
    what it dealt. A record that still lacks parts is accepted only `as_shown`.
    """
    if not is_record_file(data):
        return judge_transcript(read_transcript(decode(data)))
    record = read_record(data)
    report = audit_file(record)
    verdict, header, entries = report.verdict, report.header, record.entries
    if not isinstance(verdict, Verified | VerifiedAsShown):
        return RejectedRecord(verdict, report.entries, header)
    if header is None:
        raise TypeError("a record without a header was verified")
    try:
        entries = completed(header, entries, secrets)
    except BadRecord as fault:
        return RejectedRecord(CorruptAt(fault.sequence, fault.why), report.entries, header)
    if entries is not record.entries:
        verdict = audit_record(record.match, entries).verdict
    lacking = lacking_parts(header, entries)
    if isinstance(verdict, VerifiedAsShown) and not lacking:
        # An archive is trusted with what is proven only later: its server compares it with its own secret.
        trusting = audit_record(record.match, entries, complete=True).verdict
        verdict = trusting if isinstance(trusting, Verified) else verdict
    if isinstance(verdict, Verified) and lacking:
        verdict = VerifiedAsShown(tuple(Unjudged(sequence, _LEFT_OUT) for sequence in lacking))
    if isinstance(verdict, Verified) or (as_shown and isinstance(verdict, VerifiedAsShown)):
        _require_clean_text(entries)
        return VerifiedImport(entries, new=False, lacking=lacking)
    return RejectedRecord(verdict, report.entries, header)


def _require_clean_text(entries: Iterable[Entry]) -> None:
    for entry in entries:
        fault = entry_text_fault(entry)
        if fault is not None:
            raise UnreadableRecord(_FIRST_LINE + entry.sequence, str(fault))


def judge_transcript(transcript: Transcript) -> VerifiedImport | RejectedRecord:
    """Verify a transcript and make its record; equal transcripts get equal request ids."""
    header = read_header(transcript)
    text = write_transcript(transcript)
    request = f"transcript/{hashlib.sha256(text.encode()).hexdigest()}"
    match_header = _header_of(header, transcript)
    _require_clean_tags(transcript, match_header)
    played: list[tuple[Candidate, Applied]] = []

    def keep(candidate: Candidate, accepted: Applied) -> None:
        played.append((candidate, accepted))

    report = verify_entries(header, transcript.entries, keep)
    if not isinstance(report.verdict, Verified):
        return RejectedRecord(report.verdict, report.entries, match_header)
    # What seats chose in secret is open in a transcript, so nothing of its match can be sealed any more.
    if report.reached.outcome() is not None or header.start.has_choices():
        match_header = replace(match_header, concealment=Concealment.OPEN)
    first = header_entry(match_header, header.start, new_match_id(), request, microseconds())
    return VerifiedImport(_chain(match_header, header.start, first, played), new=True)


def _require_clean_tags(transcript: Transcript, header: MatchHeader) -> None:
    """UnreadableTranscript, at the line of the tag or entry where text stands that no record takes."""
    for item in transcript.items:
        if isinstance(item, Comment):
            continue
        why = text_fault(item.comment, MAX_TAG_VALUE_CHARS) if item.comment else None
        if why is None and isinstance(item, Tag):
            components = item.value == header.setup.components
            why = text_fault(item.value, MAX_COMPONENTS_CHARS if components else MAX_TAG_VALUE_CHARS)
        if why is not None:
            raise UnreadableTranscript(item.line, item.column, why)
    try:
        check_header(header)
    except BadText as fault:
        raise UnreadableTranscript(1, 1, str(fault)) from fault


def _chain(
    header: MatchHeader, start: GameState, first: Entry, played: Sequence[tuple[Candidate, Applied]]
) -> tuple[Entry, ...]:
    """The header and the legal moves after it, chained by their hashes."""
    # One loop per kind of work keeps the processor's caches warm.
    digest = GameState.digest if shows_all(header, start) else partial(public_digest, header)
    digests = [digest(accepted.after) for _, accepted in played]
    concealing, before = conceals(header, start), start
    entries, no_parts = [first], ConcealedParts(NOTHING_CONCEALED, ())
    for sequence, (candidate, accepted) in enumerate(played, start=1):
        actor, previous = actor_number(candidate.actor), entries[-1].hash
        move, events, hidden = candidate.data, accepted.events, no_parts
        if concealing:
            shown = before.shown(candidate, accepted.events)
            place = Place(first.match, sequence, actor, previous)
            move, events = shown.move, shown.events
            hidden = conceal_views(place, shown.views, lambda _, __: new_salt())
            before = accepted.after
        entries.append(
            with_hash(
                Entry(
                    first.match,
                    sequence,
                    MOVE,
                    actor,
                    move,
                    events,
                    digests[sequence - 1],
                    f"{first.request}/{sequence}",
                    first.recorded,
                    previous,
                    secret=encode_hidden(Hidden(hidden.parts)) if hidden.parts else b"",
                    concealed=hidden.field,
                )
            )
        )
    return tuple(entries)


def store(log: Log, incoming: Sequence[VerifiedImport]) -> list[ImportResult]:
    """Store several records in one write; returns the result for each."""
    wanted = [missing(log, record) for record in incoming]
    answers = iter(log.write([append for append in wanted if isinstance(append, Append)]))
    return [
        import_result(record.entries[-1].sequence, append, next(answers))
        if isinstance(append, Append)
        else append
        for record, append in zip(incoming, wanted, strict=True)
    ]


def as_transcript(entries: Sequence[Entry]) -> Transcript:
    """The transcript of a complete record, without the moves that were taken back.

    Raises BadRecord, CorruptMove or IllegalMove if the record does not verify.
    """
    opened = open_record(entries[0])
    header, moves = opened.header, played_moves(entries)
    further = [Tag(*pair) for pair in further_tags(header)]
    played = [(each.actor, each.move) for each in moves]
    plain = transcript_of(opened.game, header.setup, played, further)
    numbered = zip((each.sequence for each in moves), plain.entries, strict=True)
    return with_comments(plain.tags, numbered, (*header.tags, *_number_comments(entries)))


def _number_comments(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Comments that say where the numbers of a transcript and of its record differ."""
    match, last, numbers = entries[0].match, entries[-1].sequence, transcript_numbers(entries)
    for sequence in shifts(numbers):
        yield f";{sequence}", f"entry {sequence} of match {match}"
    written = max((each[-1] for each in numbers.values()), default=0)
    if written != last:
        left_out = f"match {match} has {last} entries: a transcript leaves out takebacks, notices and seals"
        yield f";^{max(numbers, default='')}", left_out


def _header_of(header: Header, transcript: Transcript) -> MatchHeader:
    tags = [(tag.name, tag.value) for tag in header.further]
    setup = header.start.setup
    if header.result is not None:
        won = [name for name in setup.seats if name in header.result]
        tags.append((RESULT, write_result(setup.seats, won)))
    return MatchHeader(
        header.game.about.key,
        setup,
        tags=(*tags, *comment_tags(transcript)),
        entry_version=ENTRY_VERSION_2,
    )


def missing(log: Log, record: VerifiedImport) -> Append | ImportResult:
    """An append of the entries that the log does not have yet, or the result if there are none."""
    entries = record.entries
    match, last = entries[0].match, entries[-1].sequence
    head = None if record.new else log.head(match)
    if head is None:
        return Append(match, NEW, entries, copy=bool(record.lacking))
    stored = list(log.read(match, 0, len(entries)))
    for ours, theirs in zip(entries, stored, strict=False):
        if ours.hash != theirs.hash:
            return ImportConflict(
                match,
                f"the archive has another record of this match: they differ from entry {ours.sequence} on",
            )
    copy = log.is_copy(match)
    if len(stored) == len(entries):
        return Imported(match, last, 0, copy)
    lacking = next((sequence for sequence in record.lacking if sequence > head.sequence), None)
    if lacking is not None and not copy:
        return ImportConflict(
            match, f"the archive has all of this match, and the file leaves out parts of entry {lacking}"
        )
    return Append(match, head.sequence, entries[len(stored) :], copy=copy)


def import_result(last: int, append: Append, answer: AppendResult) -> ImportResult:
    """The result of an import whose missing entries were appended, up to the last one of the record."""
    if isinstance(answer, AppendRejected):
        return ImportConflict(append.match, str(answer))
    added = answer[0].hash == append.entries[0].hash
    return Imported(answer[0].match, last, len(answer) if added else 0, append.copy)
