"""SQL statements of the archive file, and conversions between its rows and values."""

import json
from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec
from msgspec import ValidationError, convert

from records.entry import GENESIS, Entry, MatchId
from records.log.contract import Head, UnreadableEntry
from records.log.listing import MatchListing
from records.log.numbering import Hashed

_COLUMNS: Final = (
    "sequence, kind, actor, move, events, state, request, recorded, previous, hash, position, "
    "signature, secret, concealed"
)
_ENTRIES: Final = f"{_COLUMNS} FROM entry"
_ENTRY: Final = f"SELECT match.id, {_ENTRIES} LEFT JOIN match ON match.number = entry.match"
_OF_MATCH: Final = "entry.match = (SELECT number FROM match WHERE id = ?)"

READ: Final = f"SELECT {_ENTRIES} WHERE {_OF_MATCH} AND sequence BETWEEN ? AND ? ORDER BY sequence"
REQUESTED: Final = f"{_ENTRY} WHERE {_OF_MATCH} AND request = ?"
STARTED: Final = f"{_ENTRY} WHERE sequence = 0 AND request = ?"
ARCHIVE: Final = f"{_ENTRY} WHERE position BETWEEN ? AND ? ORDER BY position"
HASHES: Final = "SELECT position, hash FROM entry WHERE position BETWEEN ? AND ? ORDER BY position"
TILE: Final = "SELECT hashes FROM tile WHERE level = ? AND number = ?"
INSERT_ENTRY: Final = (
    "INSERT INTO entry (position, match, sequence, kind, actor, move, events, state, request, recorded, "
    "previous, hash, signature, secret, concealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
ROWS_PER_INSERT: Final = 8
"""Rows inserted per statement: a quarter faster than one by one."""

_VALUES: Final = INSERT_ENTRY[INSERT_ENTRY.rindex("(") :]
INSERT_SEVERAL: Final = ", ".join((INSERT_ENTRY, *[_VALUES] * (ROWS_PER_INSERT - 1)))

NewRow: TypeAlias = tuple[int | str | bytearray, ...]
"""The parameters of INSERT_ENTRY."""

CHECKPOINTS: Final = "SELECT note FROM checkpoint ORDER BY size"
KEEP_CHECKPOINT: Final = "INSERT OR IGNORE INTO checkpoint (size, note) VALUES (?, ?)"
ROOTS: Final = "SELECT root FROM tile WHERE level = ? AND number BETWEEN ? AND ? ORDER BY number"
HEAD: Final = (
    "SELECT sequence, hash FROM entry "
    "WHERE match = (SELECT number FROM match WHERE id = ?) ORDER BY sequence DESC LIMIT 1"
)
LISTING: Final = (
    "SELECT number, id, game, edition, seats, started, copy FROM match "
    "WHERE number > ? ORDER BY number LIMIT ?"
)
TOUCHED: Final = (
    "SELECT number, id, game, edition, seats, started, copy FROM match "
    "WHERE number IN (SELECT match FROM entry WHERE position > ? AND position <= ?) ORDER BY number"
)
NAMED: Final = (
    "SELECT number, id, game, edition, seats, started, copy FROM match "
    "WHERE id >= ? AND id < ? ORDER BY id LIMIT ?"
)
VERSION: Final = "PRAGMA data_version"
"""Changes when another connection has written."""
LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM entry"
NEXT_POSITION: Final = "SELECT min(position) FROM entry WHERE position > ?"
MATCH_NUMBER: Final = "SELECT number FROM match WHERE id = ?"
IS_COPY: Final = "SELECT copy FROM match WHERE id = ?"
NEXT_NUMBER: Final = "SELECT coalesce(max(number), 0) + 1 FROM match"
INSERT_MATCH: Final = (
    "INSERT INTO match (number, id, game, edition, seats, started, copy) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
EntryRow: TypeAlias = tuple[
    MatchId, int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes
]
MatchRow: TypeAlias = tuple[
    int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes
]
"""All of it but the match."""

_TYPES: Final = (str, int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes)


def entry_of(row: EntryRow) -> Entry:
    """The entry in a row; raises UnreadableEntry unless its hash can be computed."""
    entry = Entry(*row)
    if tuple(map(type, row)) != _TYPES or not (
        0 <= entry.kind < 2**8 and -(2**15) <= entry.actor < 2**15 and entry.sequence >= 0
    ):
        raise UnreadableEntry(
            f"the row at position {entry.position} is not an entry",
            position=entry.position,
            sequence=entry.sequence,
        )
    return entry


def entries_of(rows: list[EntryRow]) -> Iterable[Entry]:
    """The entries in rows, converted together; a row that is not an entry raises only when it is reached."""
    try:
        return convert(rows, list[Entry], builtin_types=(bytes,))
    except ValidationError:
        return map(entry_of, rows)


def entries_of_match(match: MatchId, rows: list[MatchRow]) -> Iterable[Entry]:
    """The entries in rows of one match."""
    return entries_of([(match, *row) for row in rows])


def head_of(row: tuple[int, bytes]) -> Head:
    """The head in a row."""
    return Head(*row)


def hashed_of(row: tuple[int, bytes | str | int | float | None]) -> Hashed:
    """The hash in a row; raises UnreadableEntry if it is damaged."""
    position, found = row
    if not isinstance(found, bytes) or len(found) != len(GENESIS):
        raise UnreadableEntry(f"the row at position {position} has no hash", position=position)
    return Hashed(position, found)


def listed_of(row: tuple[int, MatchId, str, str, str, int, int]) -> MatchListing:
    """The listing in a row."""
    number, match, game, edition, seats, started, copy = row
    try:
        names = msgspec.json.decode(seats, type=tuple[str, ...])
    except (msgspec.DecodeError, TypeError):
        return MatchListing(number, match, game, edition, (), started, bool(copy), damaged=True)
    return MatchListing(number, match, game, edition, names, started, bool(copy))


def listing_row(listing: MatchListing) -> tuple[int | str, ...]:
    """The row that keeps a listing."""
    seats = json.dumps(listing.seats, ensure_ascii=False)
    return (
        listing.number,
        listing.match,
        listing.game,
        listing.edition,
        seats,
        listing.started,
        int(listing.copy),
    )


def number_of(row: tuple[int]) -> int:
    """The number in a row."""
    return row[0]


def number_or_none(row: tuple[int | None]) -> int | None:
    """The number in a row; None if it is NULL."""
    return row[0]


def bytes_of(row: tuple[bytes | str | int | float | None]) -> bytes:
    """The bytes in a row; none at all where it is damaged."""
    return row[0] if isinstance(row[0], bytes) else b""


def text_of(row: tuple[str]) -> str:
    """The text in a row."""
    return row[0]
