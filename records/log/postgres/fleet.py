"""What servers that share an archive agree on: one secret, one clock, and connections of their own."""

import hmac
import time
from typing import Final

from records.evidence.checkpoint import parse_checkpoint
from records.evidence.note import VerifierKey
from records.log.contract import LogUnavailable
from records.log.postgres.connection import (
    Session,
    Target,
    commit,
    connect_to_write,
    number,
    rolled_back,
    translated,
)
from records.log.postgres.migrations import SEQUENCER_ROLE, SERVER_ROLE
from records.log.postgres.rows import rows_of
from records.log.stored_notes import stored_note

MAX_CLOCK_SECONDS: Final = 60.0
"""Difference to the database's clock with which no server starts: entries would carry wrong times."""

WARN_CLOCK_SECONDS: Final = 1.0
"""Difference to the database's clock that operators should know of; clocks that are kept stay far below."""

_FINGERPRINT: Final = "SELECT secret_fingerprint FROM shiji.fleet"
_SET_FINGERPRINT: Final = "UPDATE shiji.fleet SET secret_fingerprint = %b WHERE secret_fingerprint IS NULL"
_LOG: Final = "SELECT log_name, log_key FROM shiji.fleet"
_SET_LOG: Final = "UPDATE shiji.fleet SET log_name = %s, log_key = %s WHERE log_name IS NULL"
_NEWEST: Final = "SELECT note FROM shiji.checkpoint ORDER BY size DESC LIMIT 1"
_CLOCK: Final = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_MAY_WRITE: Final = "SELECT has_table_privilege('shiji.entry', 'INSERT')::integer"
_MAY_NUMBER: Final = "SELECT has_table_privilege('shiji.leaf', 'INSERT')::integer"


class NotOfThisFleet(LogUnavailable):
    """The server may not use the archive, and why."""


def join_fleet(
    target: Target, fingerprint: bytes, *, sequencer: bool, key: VerifierKey | None = None
) -> None:
    """Check that a server with this fingerprint of its secret, its clock, and the log's key fit the others.

    The first server that may number entries leaves its fingerprint for the others, and the first with the
    log's key leaves the name of the log and the key that verifies it. Raises LogFault.
    """
    with translated(target), connect_to_write(target, purpose="join") as session:
        _require_own_connection(target, session)
        _require_rights(target, session, sequencer=sequencer)
        lead = clock_lead(session)
        if abs(lead) > MAX_CLOCK_SECONDS:
            raise NotOfThisFleet(
                f"the clock of this machine is {lead:+.0f} seconds from that of {target}: set it first"
            )
        _require_same_secret(target, session, fingerprint, sequencer=sequencer)
        if key is not None:
            require_same_log(target, session, key)


def clock_lead(session: Session) -> float:
    """How many seconds this machine's clock is ahead of the database's."""
    before = time.time()
    theirs = number(session.execute(_CLOCK)) / 1_000_000
    return (before + time.time()) / 2 - theirs


def _require_own_connection(target: Target, session: Session) -> None:
    """Raises NotOfThisFleet behind a pooler, which loses notifications and advisory locks.

    A pooler invents the process id that it sends when a client connects.
    """
    if number(session.execute("SELECT pg_backend_pid()")) != session.info.backend_pid:
        raise NotOfThisFleet(
            f"{target} is reached through a connection pooler such as PgBouncer, which breaks notifications "
            "and locks: connect to PostgreSQL itself"
        )


def _require_rights(target: Target, session: Session, *, sequencer: bool) -> None:
    user = session.info.user
    if not number(session.execute(_MAY_WRITE)):
        raise NotOfThisFleet(f"{user} may not write to {target}: GRANT {SERVER_ROLE} TO {user}")
    if sequencer and not number(session.execute(_MAY_NUMBER)):
        raise NotOfThisFleet(
            f"{user} may not number the entries of {target}: GRANT {SEQUENCER_ROLE} TO {user}, "
            "or start the server with --sequencer off"
        )


def _require_same_secret(target: Target, session: Session, fingerprint: bytes, *, sequencer: bool) -> None:
    known = _fingerprint(session)
    if known is None and not sequencer:
        raise NotOfThisFleet(
            f"{target} does not know its servers' secret yet: first start a server that numbers entries"
        )
    if known is None:
        session.execute("BEGIN")
        session.execute(_SET_FINGERPRINT, (fingerprint,))
        commit(session, target)
        known = _fingerprint(session)
    if known is None or not hmac.compare_digest(known, fingerprint):
        raise NotOfThisFleet(
            f"the secret of this server is not that of the other servers of {target}: "
            "give it the same --secret-file"
        )


def require_same_log(target: Target, session: Session, key: VerifierKey) -> None:
    """Raises NotOfThisFleet if the archive is another log than this key signs; it is its log from now on."""
    published = [
        parse_checkpoint(stored_note(str(text)).text).origin for (text,) in rows_of(session, _NEWEST)
    ]
    if rows_of(session, _LOG) == [(None, None)] and published in ([], [key.name]):
        with rolled_back(session):
            session.execute("BEGIN")
            session.execute(_SET_LOG, (key.name, key.text))
        commit(session, target)
    match rows_of(session, _LOG):
        case [(key.name, key.text)]:
            return
        case [(key.name, _)]:
            raise NotOfThisFleet(
                f"the log of {target}, {key.name}, is signed with another key than this: "
                "give the same --log-key"
            )
        case [(name, _)]:
            raise NotOfThisFleet(
                f"{target} is the log {name or published[0]}, and this key signs {key.name}: "
                "give the key of that log, or another archive"
            )
        case _:
            raise NotOfThisFleet(f"{target} has lost what its servers agree on: run `shiji doctor`")


def _fingerprint(session: Session) -> bytes | None:
    match rows_of(session, _FINGERPRINT):
        case [(bytes(found),)]:
            return found
        case _:
            return None
