"""SQL statements of a PostgreSQL archive, and conversions between its rows and values."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from psycopg import errors

from records.entry import GENESIS, Entry, MatchId
from records.log.contract import Append, Head, LogUnavailable, UnreadableEntry
from records.log.numbering import Hashed
from records.log.postgres.connection import Row, Session, SessionPool

_MAX_STANDBY_CONFLICTS: Final = 10
"""How often a query is repeated that a standby has cancelled; it comes seldom, and each takes a moment."""

_COLUMNS: Final = (
    "e.sequence, e.kind, e.actor, e.move, e.events, e.state, e.request, e.recorded, e.previous, e.hash, "
    "coalesce(l.position, 0), e.signature, e.secret, e.concealed"
)
_FROM_ENTRY: Final = (
    "FROM shiji.match m JOIN shiji.entry e ON e.match = m.key "
    "LEFT JOIN shiji.leaf l ON l.match = e.match AND l.sequence = e.sequence"
)
READ: Final = (
    f"SELECT m.id, {_COLUMNS} {_FROM_ENTRY} "
    "WHERE m.id = %b AND e.sequence BETWEEN %b AND %b ORDER BY e.sequence"
)
READ_MANY: Final = (
    f"SELECT m.id, {_COLUMNS} FROM unnest(%b::bytea[], %b::bigint[]) AS due (id, start) "
    "JOIN shiji.match m ON m.id = due.id JOIN shiji.entry e ON e.match = m.key AND e.sequence >= due.start "
    "LEFT JOIN shiji.leaf l ON l.match = e.match AND l.sequence = e.sequence ORDER BY m.id, e.sequence"
)
REQUESTED: Final = f"SELECT m.id, {_COLUMNS} {_FROM_ENTRY} WHERE m.id = %b AND e.request = %b"
STARTED: Final = f"SELECT m.id, {_COLUMNS} {_FROM_ENTRY} WHERE m.request = %b AND e.sequence = 0"
ARCHIVE: Final = (
    f"SELECT m.id, {_COLUMNS} FROM shiji.leaf l "
    "JOIN shiji.entry e ON e.match = l.match AND e.sequence = l.sequence "
    "JOIN shiji.match m ON m.key = l.match WHERE l.position BETWEEN %b AND %b ORDER BY l.position"
)
HASHES: Final = (
    "SELECT l.position, e.hash FROM shiji.leaf l "
    "JOIN shiji.entry e ON e.match = l.match AND e.sequence = l.sequence "
    "WHERE l.position BETWEEN %b AND %b ORDER BY l.position"
)
HEADS: Final = (
    "SELECT m.id, e.sequence, e.hash FROM shiji.match m CROSS JOIN LATERAL "
    "(SELECT sequence, hash FROM shiji.entry WHERE match = m.key ORDER BY sequence DESC LIMIT 1) e "
    "WHERE m.id = ANY(%b::bytea[])"
)
_LISTED: Final = (
    f"SELECT n.number, m.copy, m.id, {_COLUMNS} FROM shiji.listing n JOIN shiji.match m ON m.key = n.match "
    "JOIN shiji.entry e ON e.match = m.key AND e.sequence = 0 "
    "LEFT JOIN shiji.leaf l ON l.match = e.match AND l.sequence = e.sequence"
)
LISTING: Final = f"{_LISTED} WHERE n.number > %b ORDER BY n.number LIMIT %b"
TOUCHED: Final = (
    f"{_LISTED} WHERE n.match IN (SELECT match FROM shiji.leaf WHERE position > %b AND position <= %b) "
    "ORDER BY n.number"
)
NAMED: Final = f"{_LISTED} WHERE starts_with(encode(m.id, 'hex'), encode(%b, 'hex')) ORDER BY m.id LIMIT %b"
KEYS: Final = "SELECT id, key FROM shiji.match WHERE id = ANY(%b::bytea[])"
LAST_POSITION: Final = "SELECT position FROM shiji.sequenced"
NEXT_POSITION: Final = "SELECT min(position) FROM shiji.leaf WHERE position > %b"
IS_COPY: Final = "SELECT copy FROM shiji.match WHERE id = %b"
TILE: Final = "SELECT hashes FROM shiji.tile WHERE level = %b AND index = %b"
ROOTS: Final = "SELECT root FROM shiji.tile WHERE level = %b AND index BETWEEN %b AND %b ORDER BY index"

CHECKPOINTS: Final = "SELECT size, note FROM shiji.checkpoint WHERE size > %b ORDER BY size LIMIT %b"
PUBLISH: Final = "INSERT INTO shiji.checkpoint (size, note) VALUES (%s, %s) ON CONFLICT DO NOTHING"

# In the order in which they were sent, which is that of the listing; two writers that start the same matches
# in different orders are separated by PostgreSQL's deadlock detection, and the write is tried again.
INSERT_MATCHES: Final = (
    "INSERT INTO shiji.match (id, request, copy) SELECT id, request, copy "
    "FROM unnest(%b::bytea[], %b::bytea[], %b::boolean[]) WITH ORDINALITY AS new (id, request, copy, place) "
    "ORDER BY place ON CONFLICT DO NOTHING"
)
_INSERTED: Final = {
    "sequence": "bigint",
    "kind": "smallint",
    "actor": "smallint",
    "move": "bytea",
    "events": "bytea",
    "state": "bytea",
    "request": "bytea",
    "recorded": "bigint",
    "previous": "bytea",
    "hash": "bytea",
    "signature": "bytea",
    "secret": "bytea",
    "concealed": "bytea",
}
"""The columns of an entry besides its match, with their types."""

# Sorted, so that two writers never wait for each other in a circle.
INSERT_ENTRIES: Final = (
    f"INSERT INTO shiji.entry (match, {', '.join(_INSERTED)}) "
    f"SELECT m.key, {', '.join(f'new.{name}' for name in _INSERTED)} "
    f"FROM unnest(%b::bytea[], {', '.join(f'%b::{kind}[]' for kind in _INSERTED.values())}) "
    f"AS new (id, {', '.join(_INSERTED)}) JOIN shiji.match m ON m.id = new.id "
    "ORDER BY m.key, new.sequence ON CONFLICT DO NOTHING"
)

Parameters: TypeAlias = tuple[list[object], ...]
"""One list per column."""


def encoded(text: str) -> bytes | None:
    """An id as it is stored; None for text that cannot be, and so is not there."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def entry_of(row: Row) -> Entry:
    """The entry in a row."""
    match row:
        case (
            bytes(id_),
            int(sequence),
            int(kind),
            int(actor),
            bytes(move),
            bytes(events),
            bytes(state),
            bytes(request),
            int(recorded),
            bytes(previous),
            bytes(hash_),
            int(position),
            bytes(signature),
            bytes(secret),
            bytes(concealed),
        ):
            try:
                names = MatchId(id_.decode()), request.decode()
            except UnicodeDecodeError:
                raise UnreadableEntry(
                    f"the row at position {position} is not an entry", position=position, sequence=sequence
                ) from None
            return Entry(
                names[0],
                sequence,
                kind,
                actor,
                move,
                events,
                state,
                names[1],
                recorded,
                previous,
                hash_,
                position,
                signature,
                secret,
                concealed,
            )
        case _:
            raise UnreadableEntry("a row of the table of entries is damaged")


def head_of(row: Row) -> tuple[MatchId, Head]:
    """The head in a row, with its match."""
    match row:
        case (bytes(id_), int(sequence), bytes(hash_)):
            return MatchId(id_.decode()), Head(sequence, hash_)
        case _:
            raise UnreadableEntry("a row of the table of entries is damaged")


def key_of(row: Row) -> tuple[MatchId, int]:
    """A match and its key, in a row."""
    match row:
        case (bytes(id_), int(key)):
            return MatchId(id_.decode()), key
        case _:
            raise UnreadableEntry("a row of the table of matches is damaged")


def hashed_of(row: Row) -> Hashed:
    """The hash in a row, and its position."""
    match row:
        case (int(position), bytes(hash_)) if len(hash_) == len(GENESIS):
            return Hashed(position, hash_)
        case _:
            raise UnreadableEntry("a row of the table of entries has no hash")


def roots_of(rows: Iterable[Row]) -> list[bytes]:
    """The roots of tiles in rows."""
    return [root for (root,) in rows if isinstance(root, bytes)]


def rows_of(session: Session, query: str, parameters: Sequence[object] = ()) -> list[Row]:
    """All rows of a query, values of bytes unescaped."""
    return session.execute(query.encode(), parameters, binary=True).fetchall()


def matches_of(appends: Iterable[Append]) -> Parameters:
    """The parameters of INSERT_MATCHES."""
    headers = [append for append in appends if append.entries[0].sequence == 0]
    return (
        [append.match.encode() for append in headers],
        [append.entries[0].request.encode() for append in headers],
        [append.copy for append in headers],
    )


def entries_of(entries: Sequence[Entry]) -> Parameters:
    """The parameters of INSERT_ENTRIES."""
    return (
        [entry.match.encode() for entry in entries],
        [entry.sequence for entry in entries],
        [entry.kind for entry in entries],
        [entry.actor for entry in entries],
        [entry.move for entry in entries],
        [entry.events for entry in entries],
        [entry.state for entry in entries],
        [entry.request.encode() for entry in entries],
        [entry.recorded for entry in entries],
        [entry.previous for entry in entries],
        [entry.hash for entry in entries],
        [entry.signature for entry in entries],
        [entry.secret for entry in entries],
        [entry.concealed for entry in entries],
    )


def ask(readers: SessionPool, query: str, parameters: tuple[object, ...] = ()) -> list[Row]:
    """The rows that a query returns; asked again, over a new connection, if the first one was lost.

    After a failover every connection that was open is; reading twice changes nothing. A standby that must
    replay what a query stands in the way of cancels the query, perhaps several times in a row.
    """
    conflicts = lost = 0
    while True:
        try:
            with readers.one() as session:
                return rows_of(session, query, parameters)
        except LogUnavailable as fault:
            if isinstance(fault.__cause__, errors.SerializationFailure):
                conflicts += 1
            else:
                lost += 1
            if lost > 1 or conflicts > _MAX_STANDBY_CONFLICTS:
                raise


def only_number(rows: list[Row]) -> int:
    """The only number of the only row."""
    match rows:
        case [(int(found),)]:
            return found
        case _:
            raise TypeError(f"a number was asked for, and {rows} came")
