"""Looks for damage of a PostgreSQL archive: schema, indexes, checkpoints, tiles and rows about people."""

from collections.abc import Iterator

from records.log.postgres.amcheck import index_flaws
from records.log.postgres.connection import Session, number
from records.log.postgres.notes import note_flaws
from records.log.postgres.rows import HASHES, LAST_POSITION, hashed_of, rows_of
from records.log.postgres.schema import schema_flaws
from records.log.schema_check import person_flaw
from records.log.tiles import tile_flaws

_LOST = (
    "SELECT count(*) FROM shiji.entry e WHERE NOT EXISTS "
    "(SELECT FROM shiji.leaf l WHERE l.match = e.match AND l.sequence = e.sequence) AND NOT EXISTS "
    "(SELECT FROM shiji.pending p, unnest(p.matches, p.sequences) AS due (match, sequence) "
    "WHERE due.match = e.match AND due.sequence = e.sequence)"
)
_TILE = "SELECT hashes, root FROM shiji.tile WHERE level = %b AND index = %b"
_TILE_COUNTS = "SELECT level, count(*) FROM shiji.tile GROUP BY level"
_PEOPLE = (
    "SELECT commitment, key, field, value FROM shiji.personal "
    "LEFT JOIN shiji.person ON person.id = personal.person"
)
_MAY_SEE_PEOPLE = (
    "SELECT (has_table_privilege('shiji.personal', 'SELECT') "
    "AND has_table_privilege('shiji.person', 'SELECT'))::integer"
)


def _tile_flaws(session: Session) -> Iterator[str]:
    """Stored tiles of the Merkle tree that are not those of the entries."""

    def hashes(first: int, last: int) -> list[bytes]:
        return [hashed_of(row).hash for row in rows_of(session, HASHES, (first, last))]

    def stored(level: int, index: int) -> tuple[object, object] | None:
        return next(((hashes, root) for hashes, root in rows_of(session, _TILE, (level, index))), None)

    counts = {
        level: count
        for level, count in rows_of(session, _TILE_COUNTS)
        if isinstance(level, int) and isinstance(count, int)
    }
    last = number(session.execute(LAST_POSITION))
    return tile_flaws(last, last, hashes, stored, counts)


def storage_flaws(session: Session) -> Iterator[str]:
    """What is wrong with the storage; raises psycopg's Error."""
    yield from schema_flaws(session)
    yield from index_flaws(session)
    yield from note_flaws(session)
    yield from _tile_flaws(session)
    lost = number(session.execute(_LOST))
    if lost:
        yield f"{lost} entries have no position, and none will be given to them"
    if number(session.execute(_MAY_SEE_PEOPLE)):
        for row in rows_of(session, _PEOPLE):
            match row:
                case (bytes() as commitment, bytes() | None as key, str() as field, str() as value):
                    flaw = person_flaw((commitment, key, field, value))
                    if flaw is not None:
                        yield flaw
                case _:
                    yield "a row about people is damaged"
