"""The record file: a stored record as JSON Lines, with every field, so that it can be verified anywhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Raw, Struct

from records.entry import Entry, MatchId
from records.replay.fold import MOST_ENTRIES
from records.replay.wording import describe_entries
from rules.kernel.text import quoted

FORMAT: Final = "shiji-record/1"
"""The format and version in the first line of a record file."""

MAX_RECORD_FILE_BYTES: Final = 64 * 1024 * 1024
"""The maximum size of a record file, in bytes: a record of 20,000 entries with proofs of its draws fits."""


class UnreadableRecord(ValueError):
    """The bytes are not a record file."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        """From 1."""
        self.why = why


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The content of a record file, unchecked."""

    match: MatchId
    last: int
    """The sequence of the last entry, according to the first line."""
    head: bytes
    """The hash of the last entry, according to the first line."""
    entries: tuple[Entry, ...]
    texts: tuple[str | None, ...]
    """The description of each entry in words."""
    events_json: tuple[tuple[Raw, ...] | None, ...]
    """The events of each entry as JSON, for people."""


class _FirstLine(Struct, forbid_unknown_fields=True):
    format: str
    match: str
    last: int
    head: str


class _EntryLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
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
    """The events as JSON; the key is part of the format."""
    signature: bytes = b""
    secret: bytes = b""


_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
"""The form of a match id from outside; narrow, because an export uses it as a file name."""

_FIRST: Final = msgspec.json.Decoder(_FirstLine)
_LINE: Final = msgspec.json.Decoder(_EntryLine)
_ENCODER: Final = msgspec.json.Encoder()


def is_record_file(data: bytes) -> bool:
    """Whether the bytes are a record file rather than a transcript: they begin with a JSON object."""
    return data[:64].lstrip().startswith(b"{")


def write_record(entries: Sequence[Entry]) -> Iterator[bytes]:
    """The lines of a record file, with newlines; entries that can be read are described in words too."""
    yield _first_line(entries[-1])
    for entry, (text, events) in zip(entries, describe_entries(entries), strict=True):
        yield _entry_line(entry, text, [Raw(event.encode()) for event in events] or None)


def rewrite_record(record: RecordFile) -> Iterator[bytes]:
    """The lines of a file with these entries, in canonical form, with the same words and JSON."""
    yield _first_line(record.entries[-1])
    for entry, text, events in zip(record.entries, record.texts, record.events_json, strict=True):
        yield _entry_line(entry, text, events)


def _first_line(last: Entry) -> bytes:
    return _ENCODER.encode(_FirstLine(FORMAT, last.match, last.sequence, last.hash.hex())) + b"\n"


def _entry_line(entry: Entry, text: str | None, events: Sequence[Raw] | None) -> bytes:
    line = _EntryLine(
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
        None if events is None else list(events),
        entry.signature,
        entry.secret,
    )
    return _ENCODER.encode(line) + b"\n"


def read_record(data: bytes) -> RecordFile:
    """Parse a record file; raises UnreadableRecord with the line."""
    if len(data) > MAX_RECORD_FILE_BYTES:
        raise UnreadableRecord(
            1, f"the file has more than {MAX_RECORD_FILE_BYTES // 1024**2} MiB; no record is that long"
        )
    lines = data.removesuffix(b"\n").split(b"\n")
    try:
        first = _FIRST.decode(lines[0])
        if first.format != FORMAT:
            raise UnreadableRecord(1, f"this build does not read the format {quoted(first.format)}")
        if not _ID.fullmatch(first.match):
            raise UnreadableRecord(1, f"{quoted(first.match)} is not the id of a match")
        head = bytes.fromhex(first.head)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise _unreadable(1, fault) from None
    if len(lines) - 1 > MOST_ENTRIES + 1:
        raise UnreadableRecord(MOST_ENTRIES + 3, f"no record has more than {MOST_ENTRIES} entries")
    entries: list[Entry] = []
    texts: list[str | None] = []
    events_json: list[tuple[Raw, ...] | None] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            read = _LINE.decode(line)
            entries.append(_entry(MatchId(first.match), read))
        except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
            raise _unreadable(number, fault) from None
        texts.append(read.text)
        events_json.append(None if read.told is None else tuple(read.told))
    if not entries:
        raise UnreadableRecord(2, "expected the header entry, found the end of the file")
    return RecordFile(
        MatchId(first.match), first.last, head, tuple(entries), tuple(texts), tuple(events_json)
    )


def _entry(match: MatchId, line: _EntryLine) -> Entry:
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
