"""Reads a record from bytes in any of the formats, or from a page that carries one."""

import base64
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from records.audit.bundle import Bundle, is_bundle, read_bundle
from records.audit.envelope import UnreadableBundle
from records.files.record_file import RecordFile, UnreadableRecord, is_record_file, read_record
from records.files.transcript import Transcript, UnreadableTranscript, decode, read_transcript

RECORD_TYPE: Final = "application/vnd.shiji.record"
"""The type of the script element in which a page carries its record."""

_EMBEDDED: Final = re.compile(rb'<script type="%s" class="source">([^<]*)</script>' % RECORD_TYPE.encode())

_EXCERPT_CHARACTERS: Final = 100
"""Maximum length of the excerpt of a faulty line: about the width of a terminal."""

_EXCERPT_BEFORE_FAULT: Final = 60
"""Maximum number of characters in an excerpt before the fault, so that some are left to show after it."""


class CannotRead(Exception):
    """No record can be read from the file."""

    def __init__(self, why: str, excerpt: tuple[str, ...] = (), *, in_short: str = "unreadable") -> None:
        super().__init__(why)
        self.in_short = in_short
        """The fault in a word or two, for headlines."""
        self.excerpt = excerpt
        """The faulty line with a caret below the fault, or the matches to choose from."""


@dataclass(frozen=True, slots=True)
class Source:
    """A transcript, and the text that it was read from."""

    text: str
    transcript: Transcript

    def cannot_read(self, fault: UnreadableTranscript) -> CannotRead:
        """The error for a fault that was found after reading, with an excerpt of its line."""
        return _with_excerpt(self.text, fault)


AnySource: TypeAlias = Source | RecordFile | Bundle


def record_in(data: bytes) -> bytes:
    """The record that a page of ours carries; other bytes as they are. Raises CannotRead."""
    if data.lstrip()[:15].lower() != b"<!doctype html>":
        return data
    found = _EMBEDDED.findall(data)
    if len(found) != 1:
        what = "compares two records: judge the files that it was made from" if found else "carries no record"
        raise CannotRead(f"this page {what}")
    try:
        return base64.b64decode(found[0], validate=True)
    except ValueError:
        raise CannotRead("the record that this page carries is damaged") from None


def parse_record(data: bytes) -> AnySource:
    """Parse a transcript, a record file or a bundle; raises CannotRead."""
    if is_bundle(data):
        try:
            return read_bundle(data)
        except UnreadableBundle as fault:
            raise CannotRead(str(fault)) from None
    if is_record_file(data):
        try:
            return read_record(data)
        except UnreadableRecord as fault:
            raise CannotRead(str(fault)) from None
    try:
        text = decode(data)
    except UnreadableTranscript as fault:
        raise CannotRead(str(fault)) from None
    try:
        return Source(text, read_transcript(text))
    except UnreadableTranscript as fault:
        raise _with_excerpt(text, fault) from None


def _with_excerpt(text: str, fault: UnreadableTranscript) -> CannotRead:
    lines = text.replace("\r\n", "\n").split("\n")
    line = lines[fault.line - 1] if fault.line <= len(lines) else ""
    begin = max(0, fault.column - 1 - _EXCERPT_BEFORE_FAULT)
    part = line[begin : begin + _EXCERPT_CHARACTERS]
    if not part:
        return CannotRead(str(fault))
    shown = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in part)
    return CannotRead(str(fault), (shown, " " * (fault.column - 1 - begin) + "^"))
