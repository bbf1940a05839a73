"""Between the rows of an index file and values."""

import json
import sqlite3
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec
from msgspec import structs

from records.files.comments import readable_tags
from records.index.values import IndexedMatch

COLUMNS: Final = (
    "number",
    "started",
    "id",
    "game",
    "state",
    "audit",
    "words",
    "stale",
    "touched",
    "row",
    "sum",
)
"""The columns of an IndexRow."""

_FILLED: Final = (
    "number",
    "id",
    "game",
    "state",
    "audit",
    "started",
    "stale",
    "touched",
    "sequence",
    "active",
    "words",
    "edition",
    "seats",
    "winners",
    "turn",
    "tags",
    "damage",
    "audited_entries",
    "audited",
    "row",
    "sum",
)
_INSERT: Final = (
    f"INSERT INTO match ({', '.join(_FILLED)}, described) VALUES ({', '.join('?' * len(_FILLED))}, -1)"
)
_UPDATE: Final = f"UPDATE match SET {', '.join(f'{name} = ?' for name in _FILLED[1:])} WHERE number = ?"

_Value = int | str | bytes | None

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(IndexedMatch).decode


class BadRow(Exception):
    """A row of the index is not what was written."""


class IndexRow(NamedTuple):
    """A match as a query returns it, before the whole of it is decoded."""

    number: int
    started: int
    id: str
    game: str
    state: int
    audit: int
    words: str
    stale: int
    touched: int
    row: bytes
    sum: int

    @property
    def key(self) -> tuple[int, int]:
        """The order of matches."""
        return self.started, self.number

    def decoded(self) -> IndexedMatch:
        """The match; raises BadRow."""
        try:
            match = _decode(self.row)
            sound = zlib.crc32(self.row) == self.sum
        except (msgspec.MsgspecError, TypeError) as fault:
            raise BadRow(f"the row of match {self.number} is damaged") from fault
        if not sound or (match.number, match.started, match.match) != (self.number, self.started, self.id):
            raise BadRow(f"the row of match {self.number} is damaged")
        if self.stale == match.stale and self.touched == match.touched:
            return match
        return structs.replace(match, stale=bool(self.stale), touched=self.touched)


def insert(connection: sqlite3.Connection, matches: Iterable[IndexedMatch]) -> None:
    """Add matches, and what they are searched by."""
    for match in matches:
        connection.execute(_INSERT, _values(match))
        seats = [(name, match.started, match.number) for name in {*match.seats} or {""}]
        connection.executemany("INSERT OR IGNORE INTO seat VALUES (?, ?, ?)", seats)
        words = [(word, match.started, match.number) for word in match.words.split()]
        connection.executemany("INSERT OR IGNORE INTO word VALUES (?, ?, ?)", words)


def update(connection: sqlite3.Connection, match: IndexedMatch) -> None:
    """Change the row of a match."""
    connection.execute(_UPDATE, (*_values(match)[1:], match.number))


def _values(match: IndexedMatch) -> tuple[_Value, ...]:
    row = _encode(match)
    audited = match.audited
    return (
        match.number,
        match.match,
        match.game,
        match.state.value,
        match.audit.value,
        match.started,
        int(match.stale),
        match.touched,
        match.sequence,
        match.active,
        match.words,
        match.edition,
        ", ".join(match.seats),
        ", ".join(match.winners),
        match.turn,
        json.dumps(readable_tags(match.tags), ensure_ascii=False),
        match.damage,
        None if audited is None else audited.sequence,
        None if audited is None else audited.time,
        row,
        zlib.crc32(row),
    )
