"""Finds a match of an archive by the beginning of its id, and reads its record."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from records.entry import Entry
from records.log.contract import Log, LogFault
from records.log.listing import MatchListing
from records.log.opening import is_postgres, open_log
from records.log.schema_sql import APPLICATION_ID
from rules.kernel.text import quoted

_MAGIC: Final = b"SQLite format 3\x00"
_APPLICATION: Final = slice(68, 72)
"""Where an SQLite file has its application id."""

_MAX_CANDIDATES: Final = 10
"""Matches that are named where the beginning of an id is that of several."""


class NoSuchRecord(Exception):
    """The archive has no match, or more than one, whose id begins so; the message has advice."""

    def __init__(self, why: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.candidates = candidates
        """The matches whose id begins so, one per line."""


def is_archive(data: bytes) -> bool:
    """Whether these are the first bytes of an archive file."""
    return data.startswith(_MAGIC) and data[_APPLICATION] == APPLICATION_ID.to_bytes(4)


def holds_archive(path: str) -> bool:
    """Whether there is an archive at a path or address."""
    if is_postgres(path):
        return True
    try:
        with Path(path).open("rb") as file:
            return is_archive(file.read(_APPLICATION.stop))
    except OSError:
        return False


def entries_in(path: str, prefix: str) -> list[Entry]:
    """The record of the match whose id begins so; raises NoSuchRecord."""
    try:
        with open_log(path, read_only=True) as log:
            match = match_named(log, prefix, path).match
            entries = list(log.read(match))
    except LogFault as fault:
        raise NoSuchRecord(str(fault)) from None
    if not entries:
        raise NoSuchRecord(f"match {match} has no entries that can be read; audit the archive")
    return entries


def match_named(log: Log, prefix: str, path: str) -> MatchListing:
    """The match whose id begins so; raises NoSuchRecord, with the candidates if there are several."""
    found = list(log.named(prefix, _MAX_CANDIDATES + 1))
    if found and found[0].match == prefix:
        return found[0]
    if not found:
        raise NoSuchRecord(
            f"the archive has no match {quoted(prefix)}; `shiji list {path}` lists those that it has"
        )
    if len(found) > 1:
        more = ("…",) if len(found) > _MAX_CANDIDATES else ()
        raise NoSuchRecord(
            f"several matches begin with {quoted(prefix)}; give more of the id",
            (*_lines(found[:_MAX_CANDIDATES]), *more),
        )
    return found[0]


def _lines(found: list[MatchListing]) -> Iterator[str]:
    for match in found:
        yield f"{match.match}  {day(match.started)}  {match.game or '?'}  {', '.join(match.seats)}"


def day(microseconds: int) -> str:
    """A time as people read it in a list."""
    return datetime.fromtimestamp(microseconds / 1e6, UTC).strftime("%Y-%m-%d %H:%M")
