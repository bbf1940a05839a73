"""The register of people in a PostgreSQL archive."""

import re
import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from psycopg import errors
from psycopg.errors import Diagnostic

from records.evidence.personal_commitment import PERSONAL_KEY_BYTES, Fact, check_personal, commit_personal
from records.log.contract import LogForbidden, LogUnavailable
from records.log.people import Register, StoredFact
from records.log.postgres.connection import (
    Held,
    Row,
    Session,
    SessionPool,
    Target,
    commit,
    connect_to_write,
    never_held,
    require_not_held,
    rolled_back,
    translated,
)
from records.log.postgres.rows import ask, only_number, rows_of

_NEW_PERSON: Final = "INSERT INTO shiji.person (id, key) VALUES (%s, %b) ON CONFLICT DO NOTHING"
_KEYS: Final = "SELECT id, key FROM shiji.person WHERE id = ANY(%s::text[])"
_NEW_FACT: Final = (
    "INSERT INTO shiji.personal (commitment, person, field, value) VALUES (%b, %s, %s, %s) "
    "ON CONFLICT DO NOTHING"
)
_RECALL: Final = (
    "SELECT key, person, field, value FROM shiji.personal JOIN shiji.person ON person.id = personal.person "
    "WHERE commitment = %b"
)

_EVERYTHING: Final = (
    "SELECT key, commitment, person, field, value FROM shiji.personal "
    "JOIN shiji.person ON person.id = personal.person ORDER BY commitment"
)

_MAY_REWRITE: Final = (
    "SELECT bool_and(pg_has_role(relowner, 'USAGE'))::integer FROM pg_class "
    "WHERE oid IN ('shiji.person'::regclass, 'shiji.personal'::regclass)"
)

_DEAD_ROWS: Final = re.compile(r"(\d+) dead row versions")
"""How VACUUM (FULL, VERBOSE) begins its detail on rows that it had to keep."""


class PostgresRegister(Register):
    """The register in a database that several servers share."""

    def __init__(self, target: Target, held: Held = never_held) -> None:
        """`held` returns why nothing is to be written now."""
        self._target: Final = target
        self._held: Final = held
        self._lock: Final = threading.Lock()
        self._readers: Final = SessionPool(target, read_only=False)
        self._writer: Session | None = None

    def _keep_all(self, facts: tuple[Fact, ...]) -> tuple[bytes, ...]:
        """In one transaction, which waits for the standby."""
        if not facts:
            return ()
        with self._transaction() as session:
            return _store(session, facts)

    def everything(self) -> Iterator[StoredFact]:
        """All facts with the keys of their people."""
        with self._readers.one() as session:
            rows = rows_of(session, _EVERYTHING)
        return map(_stored_fact, rows)

    def restore(self, facts: Iterable[StoredFact]) -> None:
        """Keep facts from another archive, in one transaction."""
        with self._transaction() as session:
            for key, commitment, fact in facts:
                session.execute(_NEW_PERSON, (fact.person, key))
                session.execute(_NEW_FACT, (commitment, fact.person, fact.field, fact.value))

    def recall(self, commitment: bytes) -> Fact | None:
        """The fact behind a commitment."""
        match ask(self._readers, _RECALL, (commitment,)):
            case [(bytes(key), str(person), str(field), str(value))]:
                try:
                    check_personal(commitment, key, field, value)
                except ValueError:
                    return None  # the table was changed: this is not what the record commits to
                return Fact(person, field, value)
            case _:
                return None

    def forget(self, person: str) -> int:
        """Delete all facts about a person and the person's key, and rewrite the tables without them.

        A deleted row stays in the files of a table until it is vacuumed, so that is done even where nothing
        was left to delete: the last time it may have failed. Only the owner of the tables may. The
        write-ahead log, standbys that are behind, and backups keep the row for as long as they are kept:
        docs/fleet.md says how long.
        """
        with self._transaction() as session:
            _require_owner(self._target, session)
            gone = session.execute("DELETE FROM shiji.personal WHERE person = %s", (person,)).rowcount
            session.execute("DELETE FROM shiji.person WHERE id = %s", (person,))
        with self._lock, translated(self._target):
            session = self._session()
            for table in ("personal", "person"):
                _rewrite(self._target, session, table)
        return gone

    def close(self) -> None:
        """Close the connections."""
        self._readers.close()
        with self._lock:
            self._discard_writer()

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        """A transaction on the writer's connection, committed at the end of the block; raises LogFault."""
        with self._lock:
            try:
                with translated(self._target):
                    session = self._session()
                    with rolled_back(session):
                        session.execute("BEGIN")
                        yield session
                commit(session, self._target)
            except BaseException:
                self._discard_writer()
                raise

    def _session(self) -> Session:
        require_not_held(self._held)
        if self._writer is None or self._writer.closed:
            self._writer = connect_to_write(self._target, purpose="people")
        return self._writer

    def _discard_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _require_owner(target: Target, session: Session) -> None:
    """Raises LogForbidden unless the session may rewrite the tables about people."""
    if only_number(rows_of(session, _MAY_REWRITE)) != 1:
        raise LogForbidden(
            f"{target}: only the owner of the tables can delete a person: connect as the role that has run "
            "`shiji migrate`"
        )


def _rewrite(target: Target, session: Session, table: str) -> None:
    """Rewrite a table without its deleted rows; raises LogUnavailable if that is not complete.

    PostgreSQL only warns where it does not rewrite a table, and keeps rows that a transaction still sees.
    """
    warned: list[str] = []
    kept: list[int] = []

    def notice(diagnostic: Diagnostic) -> None:
        found = _DEAD_ROWS.match(diagnostic.message_detail or "")
        if diagnostic.severity_nonlocalized != "INFO":
            warned.append(diagnostic.message_primary or "a warning")
        elif found is not None:
            kept.append(int(found[1]))

    session.add_notice_handler(notice)
    try:
        session.execute(f"VACUUM (FULL, VERBOSE) shiji.{table}")
    finally:
        session.remove_notice_handler(notice)
    if not kept and not warned:
        warned.append("PostgreSQL does not say how much it kept")
    if any(kept):
        warned.append("a transaction that began before still sees it: try again when that has ended")
    if warned:
        raise LogUnavailable(
            f"{target}: what was deleted is still in the file of shiji.{table}: {'; '.join(warned)}"
        )


def _stored_fact(row: Row) -> StoredFact:
    match row:
        case (bytes(key), bytes(commitment), str(person), str(field), str(value)):
            return StoredFact(key, commitment, Fact(person, field, value))
        case _:
            raise TypeError("a row of the table of people is damaged")


def _store(session: Session, facts: Sequence[Fact]) -> tuple[bytes, ...]:
    people = sorted({fact.person for fact in facts})  # two writers never wait for each other in a circle
    for person in people:
        session.execute(_NEW_PERSON, (person, secrets.token_bytes(PERSONAL_KEY_BYTES)))
    keys = _keys(session, people)
    commitments = tuple(commit_personal(keys[fact.person], fact.field, fact.value) for fact in facts)
    for commitment, fact in zip(commitments, facts, strict=True):
        session.execute(_NEW_FACT, (commitment, fact.person, fact.field, fact.value))
    # From here on the facts keep their people from being deleted; a lock before would need a right to update.
    if _keys(session, people) != keys:
        raise _deleted_meanwhile()
    return commitments


def _keys(session: Session, people: Sequence[str]) -> dict[str, bytes]:
    """The keys of people, who are all known."""
    found = {
        person: key
        for person, key in rows_of(session, _KEYS, (people,))
        if isinstance(person, str) and isinstance(key, bytes)
    }
    if len(found) < len(people):
        raise _deleted_meanwhile()
    return found


def _deleted_meanwhile() -> errors.SerializationFailure:
    return errors.SerializationFailure("a person was deleted meanwhile: send the request again")
