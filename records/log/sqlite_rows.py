"""The statements that an archive file is read and written with, and what their rows tell."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import ValidationError, convert

from records.entry import GENESIS, Entry, MatchId
from records.log.contract import Head, MatchListing, UnreadableEntry

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
HEAD: Final = (
    "SELECT sequence, hash FROM entry "
    "WHERE match = (SELECT number FROM match WHERE id = ?) ORDER BY sequence DESC LIMIT 1"
)
LISTING: Final = (
    "SELECT number, id, game, edition, seats, started, copy FROM match "
    "WHERE number > ? ORDER BY number LIMIT ?"
)
VERSION: Final = "PRAGMA data_version"
"""Another number once another connection has written."""
LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM entry"
NEXT_POSITION: Final = "SELECT min(position) FROM entry WHERE position > ?"
MATCH_NUMBER: Final = "SELECT number FROM match WHERE id = ?"
NEXT_NUMBER: Final = "SELECT coalesce(max(number), 0) + 1 FROM match"
INSERT_MATCH: Final = (
    "INSERT INTO match (number, id, game, edition, seats, started, copy) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
INSERT_ENTRY: Final = (
    "INSERT INTO entry (position, match, sequence, kind, actor, move, events, state, request, recorded, "
    "previous, hash, signature, secret, concealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TOGETHER: Final = 8
"""So many rows are inserted by one statement: a quarter quicker than one by one."""

_VALUES: Final = INSERT_ENTRY[INSERT_ENTRY.rindex("(") :]
_INSERT_TOGETHER: Final = ", ".join((INSERT_ENTRY, *[_VALUES] * (_TOGETHER - 1)))

EntryRow: TypeAlias = tuple[
    MatchId, int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes
]
MatchRow: TypeAlias = tuple[
    int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes
]
"""All of it but the match."""

NewRow: TypeAlias = tuple[int | str | bytearray, ...]
"""As INSERT_ENTRY takes it."""

_NOTHING: Final = bytearray()

_TYPES: Final = (str, int, int, int, bytes, bytes, bytes, str, int, bytes, bytes, int, bytes, bytes, bytes)


class Hashed(NamedTuple):
    """All of an entry that the tree over the archive needs."""

    position: int
    hash: bytes


def insert_all(connection: sqlite3.Connection, rows: Sequence[NewRow]) -> None:
    """Insert rows of entries, in their order."""
    whole = len(rows) - len(rows) % _TOGETHER
    for start in range(0, whole, _TOGETHER):
        connection.execute(_INSERT_TOGETHER, tuple(chain(*rows[start : start + _TOGETHER])))
    connection.executemany(INSERT_ENTRY, rows[whole:])


def entry_of(row: EntryRow) -> Entry:
    """The entry that a row tells; whatever the disk has done to it, its hash can be taken."""
    entry = Entry(*row)
    if tuple(map(type, row)) != _TYPES or not (
        0 <= entry.kind < 2**8 and -(2**15) <= entry.actor < 2**15 and entry.sequence >= 0
    ):
        raise UnreadableEntry(
            f"what is stored at position {entry.position} is no entry",
            position=entry.position,
            sequence=entry.sequence,
        )
    return entry


def entries_of(rows: list[EntryRow]) -> Iterable[Entry]:
    """The entries that rows tell, looked at all at once; a row that is none is told once it is reached."""
    try:
        return convert(rows, list[Entry], builtin_types=(bytes,))
    except ValidationError:
        return map(entry_of, rows)


def entries_of_match(match: MatchId, rows: list[MatchRow]) -> Iterable[Entry]:
    """The entries that rows tell which were asked for by their match."""
    return entries_of([(match, *row) for row in rows])


def row_of(entry: Entry, position: int, number: int) -> NewRow:
    """The row that keeps an entry of the match with this number.

    Python's sqlite3 looks for adapters of every value but numbers, text and bytearrays: of bytes too, which
    takes almost half the time of an insert.
    """
    return (
        position,
        number,
        entry.sequence,
        entry.kind,
        entry.actor,
        bytearray(entry.move),
        bytearray(entry.events),
        bytearray(entry.state),
        entry.request,
        entry.recorded,
        bytearray(entry.previous),
        bytearray(entry.hash),
        bytearray(entry.signature) if entry.signature else _NOTHING,
        bytearray(entry.secret) if entry.secret else _NOTHING,
        bytearray(entry.concealed) if entry.concealed else _NOTHING,
    )


def head_of(row: tuple[int, bytes]) -> Head:
    """The head that a row tells."""
    return Head(*row)


def hashed_of(row: tuple[int, bytes | str | int | float | None]) -> Hashed:
    """The hash that a row tells, whatever the disk has done to it."""
    position, found = row
    if not isinstance(found, bytes) or len(found) != len(GENESIS):
        raise UnreadableEntry(f"what is stored at position {position} has no hash", position=position)
    return Hashed(position, found)


def listed_of(row: tuple[int, MatchId, str, str, str, int, int]) -> MatchListing:
    """The listing that a row tells."""
    number, match, game, edition, seats, started, copy = row
    try:
        names = msgspec.json.decode(seats, type=tuple[str, ...])
    except (msgspec.DecodeError, TypeError):
        return MatchListing(number, match, game, edition, (), started, bool(copy), damaged=True)
    return MatchListing(number, match, game, edition, names, started, bool(copy))


def listing_row(told: MatchListing) -> tuple[int | str, ...]:
    """The row that keeps a listing."""
    seats = json.dumps(told.seats, ensure_ascii=False)
    return told.number, told.match, told.game, told.edition, seats, told.started, int(told.copy)


def number_of(row: tuple[int]) -> int:
    """The number that a row is."""
    return row[0]


def number_or_none(row: tuple[int | None]) -> int | None:
    """The number that a row is, if it is one."""
    return row[0]


def text_of(row: tuple[str]) -> str:
    """The text that a row is."""
    return row[0]
