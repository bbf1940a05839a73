"""The record file: a stored record as JSON Lines, with every field, so that it can be verified anywhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Raw, Struct

from records.entry import ENTRY_VERSION_1, ENTRY_VERSION_2, Entry, MatchId, entry_version
from records.files.entry_line import EntryLine, read_line_1, read_line_2, write_line_1, write_line_2
from records.replay.fold import MOST_ENTRIES
from records.replay.wording import describe_entries
from rules.kernel.text import quoted

FORMATS: Final = {ENTRY_VERSION_1: "shiji-record/1", ENTRY_VERSION_2: "shiji-record/2"}
"""The format in the first line of a record file, by the version of its entries."""

MAX_RECORD_FILE_BYTES: Final = 64 * 1024 * 1024
"""The maximum size of a record file, in bytes: a record of 20,000 entries with proofs of its draws fits."""


class UnreadableRecord(ValueError):
    """The bytes are not a record file."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        """From 1."""
        self.why = why


class UnwritableRecord(ValueError):
    """A damaged record of version 2 that no record file can hold."""

    def __init__(self, sequence: int, why: str) -> None:
        super().__init__(f"entry {sequence}: {why}")
        self.sequence = sequence


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The content of a record file, unchecked."""

    version: int
    """Of the format, and of its entries."""
    match: MatchId
    last: int
    """The sequence of the last entry, according to the first line."""
    head: bytes
    """The hash of the last entry, according to the first line."""
    entries: tuple[Entry, ...]
    texts: tuple[str | None, ...]
    """The description of each entry in words; only files of version 1 have them."""
    events_json: tuple[tuple[Raw, ...] | None, ...]
    """The events of each entry as JSON, for people; only in files of version 1."""


class _FirstLine(Struct, forbid_unknown_fields=True):
    format: str
    match: str
    last: int
    head: str


class _Format(Struct):
    """The only key that every version has."""

    format: str


_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
"""The form of a match id from outside; narrow, because an export uses it as a file name."""

_VERSIONS: Final = {name: version for version, name in FORMATS.items()}
_ANY_FORMAT: Final = re.compile(r"shiji-record/([1-9][0-9]{0,8})")

_FORMAT: Final = msgspec.json.Decoder(_Format)
_FIRST: Final = msgspec.json.Decoder(_FirstLine)
_ENCODER: Final = msgspec.json.Encoder()


def is_record_file(data: bytes) -> bool:
    """Whether the bytes are a record file rather than a transcript: they begin with a JSON object."""
    return data[:64].lstrip().startswith(b"{")


def write_record(entries: Sequence[Entry]) -> Iterator[bytes]:
    """The lines of a record file, with newlines, in the format of the version of its header.

    Files of version 1 describe the entries that can be read in words too. Raises UnwritableRecord.
    """
    if entry_version(entries[0]) != ENTRY_VERSION_1:
        yield from _write_record_2(entries)
        return
    yield _first_line(ENTRY_VERSION_1, entries[-1])
    for entry, (text, events) in zip(entries, describe_entries(entries), strict=True):
        yield write_line_1(entry, text, [Raw(event.encode()) for event in events] or None)


def rewrite_record(record: RecordFile) -> Iterator[bytes]:
    """The lines of a file with these entries, in canonical form, with the same words and JSON."""
    if record.version != ENTRY_VERSION_1:
        yield from _write_record_2(record.entries)
        return
    yield _first_line(ENTRY_VERSION_1, record.entries[-1])
    for entry, text, events in zip(record.entries, record.texts, record.events_json, strict=True):
        yield write_line_1(entry, text, events)


def _write_record_2(entries: Sequence[Entry]) -> Iterator[bytes]:
    yield _first_line(ENTRY_VERSION_2, entries[-1])
    for entry in entries:
        try:
            yield write_line_2(entry)
        except ValueError as fault:
            raise UnwritableRecord(entry.sequence, str(fault)) from fault


def _first_line(version: int, last: Entry) -> bytes:
    line = _FirstLine(FORMATS[version], last.match, last.sequence, last.hash.hex())
    return _ENCODER.encode(line) + b"\n"


def read_record(data: bytes) -> RecordFile:
    """Parse a record file; raises UnreadableRecord with the line."""
    if len(data) > MAX_RECORD_FILE_BYTES:
        raise UnreadableRecord(
            1, f"the file has more than {MAX_RECORD_FILE_BYTES // 1024**2} MiB; no record is that long"
        )
    lines = data.removesuffix(b"\n").split(b"\n")
    try:
        version = _read_version(_FORMAT.decode(lines[0]).format)
        first = _FIRST.decode(lines[0])
        if not _ID.fullmatch(first.match):
            raise UnreadableRecord(1, f"{quoted(first.match)} is not the id of a match")
        head = bytes.fromhex(first.head)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise _unreadable(1, fault) from None
    if len(lines) - 1 > MOST_ENTRIES + 1:
        raise UnreadableRecord(MOST_ENTRIES + 3, f"no record has more than {MOST_ENTRIES} entries")
    read_line = read_line_1 if version == ENTRY_VERSION_1 else read_line_2
    found: list[EntryLine] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            found.append(read_line(MatchId(first.match), line))
        except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
            raise _unreadable(number, fault) from None
    if not found:
        raise UnreadableRecord(2, "expected the header entry, found the end of the file")
    return RecordFile(
        version,
        MatchId(first.match),
        first.last,
        head,
        tuple(line.entry for line in found),
        tuple(line.text for line in found),
        tuple(line.events_json for line in found),
    )


def _read_version(stated: str) -> int:
    version = _VERSIONS.get(stated)
    if version is not None:
        return version
    later = _ANY_FORMAT.fullmatch(stated)
    if later is not None:
        raise UnreadableRecord(
            1, f"this build does not read version {later[1]} of record files; use a newer one"
        )
    raise UnreadableRecord(1, f"this build does not read the format {quoted(stated)}")


def _unreadable(line: int, fault: Exception) -> UnreadableRecord:
    return fault if isinstance(fault, UnreadableRecord) else UnreadableRecord(line, str(fault))
