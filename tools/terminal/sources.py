"""Reads a record in any of the formats from a file or from standard input."""

import base64
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from records.audit.bundle import Bundle, is_bundle, read_bundle
from records.audit.envelope import UnreadableBundle
from records.files.record_file import (
    MAX_RECORD_FILE_BYTES,
    RecordFile,
    UnreadableRecord,
    is_record_file,
    read_record,
    write_record,
)
from records.files.transcript import Transcript, UnreadableTranscript, decode, read_transcript
from tools.terminal.archives import NoSuchRecord, entries_in, is_archive

STANDARD_INPUT: Final = "-"
"""The path that means standard input."""

RECORD_TYPE: Final = "application/vnd.shiji.record"
"""The type of the script element in which a page carries its record."""

_EMBEDDED: Final = re.compile(rb'<script type="%s" class="source">([^<]*)</script>' % RECORD_TYPE.encode())

_EXCERPT_CHARACTERS: Final = 100
"""Maximum length of the excerpt of a faulty line: about the width of a terminal."""

_EXCERPT_BEFORE_FAULT: Final = 60
"""Maximum number of characters in an excerpt before the fault, so that some are left to show after it."""


_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f-]*)?")
"""Ids of matches are UUIDs."""


class CannotRead(Exception):
    """No record can be read from the file."""

    def __init__(self, why: str, excerpt: tuple[str, ...] = ()) -> None:
        super().__init__(why)
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


def read_source(path: str, match: str | None = None) -> tuple[Source | RecordFile | Bundle, bytes]:
    """The record in a file, or in standard input for '-', or of a match of an archive, and its bytes.

    Raises CannotRead.
    """
    data = read_bytes(path)
    if match is not None:
        if not is_archive(data):
            raise CannotRead("this is not an archive, so no match can be chosen from it; give only the file")
        try:
            data = b"".join(write_record(entries_in(path, match)))
        except NoSuchRecord as fault:
            raise CannotRead(str(fault), fault.candidates) from None
    elif is_archive(data):
        raise CannotRead(
            "this is an archive of matches: give the id of one of them too, or the beginning of it;"
            f" `shiji list {path}` lists them"
        )
    data = _in_page(data)
    return _parsed(data), data


def _in_page(data: bytes) -> bytes:
    """The record that a page of ours carries; other bytes as they are."""
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


def _parsed(data: bytes) -> Source | RecordFile | Bundle:
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


def read_bytes(path: str) -> bytes:
    """Contents of the file, up to one byte more than a record may have; raises CannotRead."""
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise CannotRead("standard input is closed; give a file")
            return sys.stdin.buffer.read(MAX_RECORD_FILE_BYTES + 1)
        with Path(path).open("rb") as file:
            return file.read(MAX_RECORD_FILE_BYTES + 1)
    except FileNotFoundError:
        advice = "to choose a match of an archive, give both: DB MATCH" if _is_id(path) else "check the path"
        raise CannotRead(f"there is no such file; {advice}") from None
    except IsADirectoryError:
        raise CannotRead("this is a folder; give the files in it, as in FOLDER/*.shiji") from None
    except PermissionError:
        raise CannotRead("you may not read this file; check its permissions") from None
    except OSError as fault:
        raise CannotRead(f"the file cannot be read: {fault.strerror or fault}") from None


def _is_id(path: str) -> bool:
    """Whether a path looks like the id of a match, or a good part of one."""
    return bool(_ID.fullmatch(path))


def _with_excerpt(text: str, fault: UnreadableTranscript) -> CannotRead:
    lines = text.replace("\r\n", "\n").split("\n")
    line = lines[fault.line - 1] if fault.line <= len(lines) else ""
    begin = max(0, fault.column - 1 - _EXCERPT_BEFORE_FAULT)
    part = line[begin : begin + _EXCERPT_CHARACTERS]
    if not part:
        return CannotRead(str(fault))
    shown = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in part)
    return CannotRead(str(fault), (shown, " " * (fault.column - 1 - begin) + "^"))
