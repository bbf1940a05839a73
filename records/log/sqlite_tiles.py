"""Tiles of the Merkle tree in an archive file, stored in the transaction that fills them."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from records.evidence.tiles import TILE_HASHES
from records.log import sqlite_rows as sql
from records.log.contract import UnreadableEntry
from records.log.sqlite_file import ReaderPool
from records.log.tiles import StoredTile, fill_tiles, tile_flaws

_TILES_PER_STEP: Final = 64
"""Tiles that are stored per transaction in a file that has none yet, which takes some 50 milliseconds: other
programs can write in between, and what was stored stays if the program ends."""

TILE_FAULTS: Final = (UnreadableEntry, sqlite3.IntegrityError)
"""What store_tiles() raises where entries or stored tiles are damaged."""

_STORE: Final = "INSERT INTO tile (level, number, root, hashes) VALUES (?, ?, ?, ?)"
_FILLED: Final = "SELECT coalesce(max(number) + 1, 0) FROM tile WHERE level = 0"
_COUNTS: Final = "SELECT level, count(*) FROM tile GROUP BY level"
_TILE: Final = "SELECT hashes, root FROM tile WHERE level = ? AND number = ?"


def filled_blocks(connection: sqlite3.Connection) -> int:
    """How many tiles of the lowest level are stored."""
    return _number(connection, _FILLED)


def store_tiles(connection: sqlite3.Connection, filled: int, last: int) -> None:
    """Store the tiles that are full with `last` entries, after the first `filled` ones of the lowest level.

    Raises one of TILE_FAULTS where entries or stored tiles are damaged.
    """

    def hashes(first: int, end: int) -> list[bytes]:
        return [sql.hashed_of(row).hash for row in connection.execute(sql.HASHES, (first, end))]

    def roots(level: int, first: int, end: int) -> list[bytes]:
        return [root for (root,) in connection.execute(sql.ROOTS, (level, first, end))]

    def store(tile: StoredTile) -> None:
        connection.execute(_STORE, (tile.level, tile.index, tile.root, tile.hashes))

    fill_tiles(filled * TILE_HASHES, last, hashes, roots, store)


def fill_up(connection: sqlite3.Connection) -> None:
    """Store the tiles that an older version did not store, in steps.

    Where another program is writing, or something is damaged, the rest is left for later.
    """
    try:
        while _step(connection):
            pass
    except TILE_FAULTS:
        return
    except sqlite3.OperationalError as fault:
        if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise


def _step(connection: sqlite3.Connection) -> bool:
    """Store the next tiles; returns whether there may be more."""
    full = _number(connection, sql.LAST_POSITION) // TILE_HASHES
    if filled_blocks(connection) >= full:
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        filled = filled_blocks(connection)  # another program may have been first
        store_tiles(connection, filled, min(filled + _TILES_PER_STEP, full) * TILE_HASHES)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return True


def stored_tile_flaws(readers: ReaderPool) -> Iterator[str]:
    """Stored tiles that are not those of the entries. Those that were not stored yet are no flaw."""

    def hashes(first: int, end: int) -> list[bytes]:
        return [each.hash for each in readers.ask(sql.hashed_of, sql.HASHES, first, end)]

    def stored(level: int, number: int) -> tuple[object, object] | None:
        return next(iter(readers.ask_all(_pairs, _TILE, level, number)), None)

    counts = dict(readers.ask_all(_counts, _COUNTS))
    last = next(readers.ask(sql.number_of, sql.LAST_POSITION))
    filled = min(next(readers.ask(sql.number_of, _FILLED)) * TILE_HASHES, last)
    return tile_flaws(last, filled, hashes, stored, counts)


def _pairs(rows: list[tuple[object, object]]) -> list[tuple[object, object]]:
    return rows


def _counts(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return rows


def _number(connection: sqlite3.Connection, query: str) -> int:
    row: tuple[int] = connection.execute(query).fetchone()
    return row[0]
