"""Checks indexes with amcheck, an extension of PostgreSQL, where it is installed and may be used."""

from collections.abc import Iterator
from typing import Final

from psycopg import errors

from records.log.postgres.connection import Session
from records.log.postgres.rows import rows_of

_FUNCTION: Final = (
    "SELECT format('%%I.bt_index_check(regclass, boolean)', n.nspname), "
    "has_function_privilege(p.oid, 'EXECUTE') "
    "FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
    "JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check' AND p.pronargs = 2 "
    "WHERE e.extname = 'amcheck'"
)
_INDEXES: Final = (
    "SELECT c.oid, c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "JOIN pg_am a ON a.oid = c.relam WHERE n.nspname = 'shiji' AND c.relkind = 'i' AND a.amname = 'btree' "
    "ORDER BY c.relname"
)

NOT_INSTALLED: Final = "the extension amcheck is not installed"
NOT_ALLOWED: Final = "this role may not run amcheck"


def amcheck_function(session: Session) -> tuple[str, bool] | None:
    """The function that checks an index, and whether this role may call it; None if it is not installed."""
    match rows_of(session, _FUNCTION):
        case [(str(function), bool(allowed))]:
            return function, allowed
        case _:
            return None


def why_indexes_are_unchecked(session: Session) -> str | None:
    """Why index_flaws finds nothing here; None where it checks all indexes."""
    found = amcheck_function(session)
    if found is None:
        return NOT_INSTALLED
    return None if found[1] else NOT_ALLOWED


def index_flaws(session: Session) -> Iterator[str]:
    """Indexes that are damaged, or lack rows of their tables."""
    found = amcheck_function(session)
    if found is None or not found[1]:
        return
    name = found[0].partition("(")[0]
    for oid, index in rows_of(session, _INDEXES):
        try:
            session.execute(f"SELECT {name}(%s::oid::regclass, true)".encode(), (oid,))
        except (errors.IndexCorrupted, errors.DataCorrupted) as fault:
            yield f"the index {index} is damaged: {fault.diag.message_primary}"
