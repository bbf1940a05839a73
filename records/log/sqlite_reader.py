"""The reading half of the SQLite log: entries, listings and flaws, in pieces and without locks."""

from abc import abstractmethod
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.log import sqlite_rows as sql
from records.log.contract import NEW, Head, Log
from records.log.listing import MatchListing
from records.log.numbering import numbered
from records.log.schema_check import PEOPLE, SCHEMA, SchemaRow, person_flaw, schema_flaws
from records.log.sqlite_file import ReaderPool
from records.log.sqlite_tiles import stored_tile_flaws
from records.log.stored_notes import stored_note

_ROWS_PER_READ: Final = 1000
"""Rows read per query, so that a reader neither holds a snapshot for long nor uses much memory."""


class SqliteReader(Log):
    """Reads an archive file by a pool of connections."""

    def __init__(self, path: Path, readers: ReaderPool) -> None:
        self._path: Final = path
        self._readers: Final = readers

    @abstractmethod
    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match."""

    def is_copy(self, match: MatchId) -> bool:
        """Whether a match was stored as a copy."""
        return bool(next(self._readers.ask(sql.number_of, sql.IS_COPY, match), 0))

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match up to the present last one, read in pieces."""
        head = self.head(match)
        last = head.sequence if head else NEW
        ask = partial(self._readers.ask_all, partial(sql.entries_of_match, match), sql.READ, match)
        return numbered(ask, "sequence", max(start, 0), last, limit, _ROWS_PER_READ)

    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """All entries after a position up to the present last one, read in pieces."""
        ask = partial(self._readers.ask_all, sql.entries_of, sql.ARCHIVE)
        return numbered(ask, "position", max(after, 0) + 1, self.last_position(), limit, _ROWS_PER_READ)

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hashes of all entries after a position up to the present last one, read in pieces."""
        ask = partial(self._readers.ask, sql.hashed_of, sql.HASHES)
        found = numbered(ask, "position", max(after, 0) + 1, self.last_position(), limit, _ROWS_PER_READ)
        return (each.hash for each in found)

    def tile(self, level: int, index: int) -> bytes | None:
        """The hashes of a stored tile."""
        return next(self._readers.ask(sql.bytes_of, sql.TILE, level, index), None)

    def tile_roots(self, level: int, first: int, last: int) -> list[bytes]:
        """The roots of stored tiles."""
        return list(self._readers.ask(sql.bytes_of, sql.ROOTS, level, first, last))

    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that was stored for a request id."""
        return next(self._readers.ask(sql.entry_of, sql.REQUESTED, match, request), None)

    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """Every match after a number."""
        return self._readers.ask(sql.listed_of, sql.LISTING, after, -1 if limit is None else limit)

    def touched(self, after: int, until: int) -> Iterator[MatchListing]:
        """Every match with entries between two positions."""
        return self._readers.ask(sql.listed_of, sql.TOUCHED, after, until)

    def named(self, prefix: str, limit: int) -> Iterator[MatchListing]:
        """The matches whose id begins so."""
        return self._readers.ask(sql.listed_of, sql.NAMED, prefix, f"{prefix}\U0010ffff", limit)

    def last_position(self) -> int:
        """The position of the last entry."""
        return next(self._readers.ask(sql.number_of, sql.LAST_POSITION))

    def next_position(self, after: int) -> int | None:
        """The next position that has an entry, even after a gap."""
        return next(self._readers.ask(sql.number_or_none, sql.NEXT_POSITION, after))

    def checkpoints(self) -> Iterator[Note]:
        """The stored checkpoints."""
        return map(stored_note, self._readers.ask(sql.text_of, sql.CHECKPOINTS))

    def flaws(self) -> tuple[str, ...]:
        """What SQLite's own checks find; changes of the schema, tiles, and rows about people."""
        ask = self._readers.ask
        version = next(ask(sql.number_of, "PRAGMA user_version"))
        pages = ask(sql.text_of, "PRAGMA integrity_check")
        strays = ask(sql.text_of, 'SELECT DISTINCT "table" FROM pragma_foreign_key_check')
        cut = self._path.stat().st_size % next(ask(sql.number_of, "PRAGMA page_size"))
        return (
            *(("the file ends within a page: some of it was cut off",) if cut else ()),
            *(text for text in pages if text != "ok"),
            *(f"table {table} refers to rows that are not there" for table in strays),
            *schema_flaws(version, ask(SchemaRow._make, SCHEMA)),
            *stored_tile_flaws(self._readers),
            *filter(None, ask(person_flaw, PEOPLE)),
        )
