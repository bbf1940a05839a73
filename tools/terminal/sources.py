"""Reads a record in any of the formats from a file or from standard input."""

import re
import sys
from pathlib import Path
from typing import Final

from records.audit.sources import AnySource, CannotRead, parse_record, record_in
from records.files.record_file import (
    MAX_RECORD_FILE_BYTES,
    write_record,
)
from records.log.opening import is_postgres
from tools.terminal.archives import NoSuchRecord, entries_in, is_archive

STANDARD_INPUT: Final = "-"
"""The path that means standard input."""


_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f-]*)?")
"""Ids of matches are UUIDs."""

_NOT_CHOSEN: Final = "no match chosen"
"""What is said of an archive that can be read."""


def read_source(path: str, match: str | None = None) -> tuple[AnySource, bytes]:
    """The record in a file, or in standard input for '-', or of a match of an archive, and its bytes.

    Raises CannotRead.
    """
    data = b"" if is_postgres(path) else read_bytes(path)
    if match is not None:
        if not (is_postgres(path) or is_archive(data)):
            raise CannotRead("this is not an archive, so no match can be chosen from it; give only the file")
        try:
            data = b"".join(write_record(entries_in(path, match)))
        except NoSuchRecord as fault:
            raise CannotRead(str(fault), fault.candidates, in_short=_NOT_CHOSEN) from None
    elif is_postgres(path) or is_archive(data):
        raise CannotRead(
            "this is an archive of matches: give the id of one of them too, or the beginning of it;"
            f" `shiji list {path}` lists them",
            in_short=_NOT_CHOSEN,
        )
    data = record_in(data)
    return parse_record(data), data


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
