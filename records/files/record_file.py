"""The record file: a stored record as JSON Lines, with every field, so that it verifies anywhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
from msgspec import Raw, Struct

from records.audit.record import audit_record
from records.entry import Entry, MatchHeader, MatchId
from records.games.state import GameState
from records.replay.fold import MOST_ENTRIES
from records.replay.wording import describe_entries, describe_entry
from records.verdict import AuditReport, CorruptAt, Verified
from rules.kernel.text import quoted

FORMAT: Final = "shiji-record/1"

MOST_BYTES: Final = 64 * 1024 * 1024
"""A longer file is not read."""


class UnreadableRecord(ValueError):
    """The bytes are no record file."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        """From 1."""
        self.why = why


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What a record file says; none of it is checked yet."""

    match: MatchId
    last: int
    """The sequence of the last entry, by the first line."""
    head: bytes
    """The hash of the last entry, by the first line."""
    entries: tuple[Entry, ...]
    texts: tuple[str | None, ...]
    """What the file says in words of each entry."""
    told: tuple[tuple[Raw, ...] | None, ...]
    """What the file says of each entry's events, as JSON."""


class _First(Struct, forbid_unknown_fields=True):
    format: str
    match: str
    last: int
    head: str


class _Line(Struct, forbid_unknown_fields=True, omit_defaults=True):
    sequence: int
    kind: int
    actor: int
    move: bytes
    events: bytes
    state: str
    request: str
    recorded: int
    previous: str
    hash: str
    text: str | None = None
    told: list[Raw] | None = None
    signature: bytes = b""
    secret: bytes = b""


_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
"""What an id from outside may look like: it becomes a file name when it is exported."""

_FIRST: Final = msgspec.json.Decoder(_First)
_LINE: Final = msgspec.json.Decoder(_Line)
_ENCODER: Final = msgspec.json.Encoder()


def is_record_file(data: bytes) -> bool:
    """Whether the bytes are meant for a record file, and not for a transcript: they begin with an object."""
    return data[:64].lstrip().startswith(b"{")


def write_record(entries: Sequence[Entry]) -> Iterator[bytes]:
    """The lines of a record file, each with its end; every entry that can be read is told in words too."""
    yield _first_line(entries[-1])
    for entry, (text, events) in zip(entries, describe_entries(entries), strict=True):
        yield _entry_line(entry, text, [Raw(event.encode()) for event in events] or None)


def rewrite_record(record: RecordFile) -> Iterator[bytes]:
    """The lines that a file with these entries has if it describes them in the same words and JSON."""
    yield _first_line(record.entries[-1])
    for entry, text, told_of in zip(record.entries, record.texts, record.told, strict=True):
        yield _entry_line(entry, text, told_of)


def _first_line(last: Entry) -> bytes:
    return _ENCODER.encode(_First(FORMAT, last.match, last.sequence, last.hash.hex())) + b"\n"


def _entry_line(entry: Entry, text: str | None, told_of: Sequence[Raw] | None) -> bytes:
    line = _Line(
        entry.sequence,
        entry.kind,
        entry.actor,
        entry.move,
        entry.events,
        entry.state.hex(),
        entry.request,
        entry.recorded,
        entry.previous.hex(),
        entry.hash.hex(),
        text,
        None if told_of is None else list(told_of),
        entry.signature,
        entry.secret,
    )
    return _ENCODER.encode(line) + b"\n"


def read_record(data: bytes) -> RecordFile:
    """The record that a file has; raises UnreadableRecord and says on which line."""
    if len(data) > MOST_BYTES:
        raise UnreadableRecord(1, f"the file has more than {MOST_BYTES // 1024**2} MiB; no record is so long")
    lines = data.removesuffix(b"\n").split(b"\n")
    try:
        first = _FIRST.decode(lines[0])
        if first.format != FORMAT:
            raise UnreadableRecord(1, f"this build does not read the format {quoted(first.format)}")
        if not _ID.fullmatch(first.match):
            raise UnreadableRecord(1, f"{quoted(first.match)} is no id of a match")
        head = bytes.fromhex(first.head)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise _unreadable(1, fault) from None
    if len(lines) - 1 > MOST_ENTRIES + 1:
        raise UnreadableRecord(MOST_ENTRIES + 3, f"no record has more than {MOST_ENTRIES} entries")
    entries: list[Entry] = []
    texts: list[str | None] = []
    told: list[tuple[Raw, ...] | None] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            read = _LINE.decode(line)
            entries.append(_entry(MatchId(first.match), read))
        except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
            raise _unreadable(number, fault) from None
        texts.append(read.text)
        told.append(None if read.told is None else tuple(read.told))
    if not entries:
        raise UnreadableRecord(2, "expected the header entry, found the end of the file")
    return RecordFile(MatchId(first.match), first.last, head, tuple(entries), tuple(texts), tuple(told))


def audit_file(record: RecordFile, upto: int | None = None) -> AuditReport:
    """The verdict on a record file, or only on its entries up to a sequence."""
    entries = record.entries if upto is None else record.entries[: upto + 1]

    def lies(header: MatchHeader, before: GameState, entry: Entry) -> str | None:
        text = record.texts[entry.sequence]
        if text is None or text == (truth := describe_entry(header, before, entry)):
            return None
        return f"the file says {quoted(text)} in words, but the move is {quoted(truth)}"

    report = audit_record(record.match, entries, notice=lies)
    whole = len(entries) == len(record.entries)
    if isinstance(report.verdict, Verified) and whole:
        last = record.entries[-1]
        if (last.sequence, last.hash) != (record.last, record.head):
            why = f"the first line promises {record.last} entries, and the last of them is another or missing"
            verdict = CorruptAt(min(record.last, last.sequence + 1), why)
            return replace(report, verdict=verdict)
    return report


def _entry(match: MatchId, line: _Line) -> Entry:
    return Entry(
        match,
        line.sequence,
        line.kind,
        line.actor,
        line.move,
        line.events,
        bytes.fromhex(line.state),
        line.request,
        line.recorded,
        bytes.fromhex(line.previous),
        bytes.fromhex(line.hash),
        signature=line.signature,
        secret=line.secret,
    )


def _unreadable(line: int, fault: Exception) -> UnreadableRecord:
    return fault if isinstance(fault, UnreadableRecord) else UnreadableRecord(line, str(fault))
