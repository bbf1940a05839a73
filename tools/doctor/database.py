"""Checks an archive in PostgreSQL, and the database that holds it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from records.log.contract import LogFault
from records.log.opening import open_log, postgres_target
from tools.doctor.finding import Finding, hint, unknown, well, wrong
from tools.terminal.output import plural

if TYPE_CHECKING:
    from records.log.postgres.connection import Session

_OWNS: Final = "SELECT 1 FROM pg_class WHERE oid = 'shiji.entry'::regclass AND pg_has_role(relowner, 'USAGE')"
"""Whether a role is the owner of the tables, or a superuser."""

_SEES_STANDBYS: Final = "SELECT pg_has_role('pg_monitor', 'USAGE')::integer"
_CONFIRMING: Final = "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"


def examine(address: str) -> Iterator[Finding]:
    """Check an archive and its database."""
    try:
        with open_log(address, read_only=True) as log:
            yield well("schema", f"{postgres_target(address)} has the tables of this build")
            flaws = log.flaws()
        if flaws:
            found = f"{plural(len(flaws), 'flaw', 'flaws')}, the first: {flaws[0]}"
            yield wrong("storage", found, "stop the servers, and see docs/fleet.md")
        else:
            yield well("storage", "tables, rights, triggers, functions, tiles and numbers are in order")
        yield from _database(address)
    except LogFault as fault:
        yield unknown("archive", str(fault), "see docs/fleet.md")


def _database(address: str) -> Iterator[Finding]:
    # These need psycopg, which an archive in a file does without.
    from records.log.postgres.amcheck import why_indexes_are_unchecked  # noqa: PLC0415
    from records.log.postgres.connection import connect, translated  # noqa: PLC0415
    from records.log.postgres.fleet import WARN_CLOCK_SECONDS, clock_lead  # noqa: PLC0415
    from records.log.postgres.rows import rows_of  # noqa: PLC0415

    target = postgres_target(address)
    with translated(target), connect(target, purpose="doctor") as session:

        def setting(name: str) -> str:
            return str(rows_of(session, "SELECT current_setting(%s)", (name,))[0][0])

        if setting("fsync") == "on":
            yield well("fsync", "commits are on the disk")
        else:
            yield wrong("fsync", "it is off: a power cut damages the database", "set fsync = on")
        if setting("data_checksums") == "on":
            yield well("checksums", "damaged pages are noticed")
        else:
            advice = "pg_checksums --enable, while PostgreSQL is stopped"
            yield hint("checksums", "damaged pages are not noticed by PostgreSQL", advice)
        yield _standby(session, setting("synchronous_standby_names"), setting("synchronous_commit"))
        match why_indexes_are_unchecked(session):
            case None:
                yield well("amcheck", "indexes are checked with the storage")
            case why:
                advice = "as a superuser, CREATE EXTENSION amcheck, then run `shiji migrate`"
                yield hint("amcheck", f"indexes are not checked: {why}", advice)
        yield _roles(session)
        lead = clock_lead(session)
        if abs(lead) <= WARN_CLOCK_SECONDS:
            yield well("clock", "that of this machine agrees with the database's")
        else:
            yield wrong("clock", f"that of this machine is {lead:+.1f} seconds from the database's", "set it")


def _standby(session: "Session", names: str, commits: str) -> Finding:
    """Whether commits wait for a standby, and one is there that confirms them."""
    from records.log.postgres.rows import only_number, rows_of  # noqa: PLC0415 - needs psycopg

    if not names or commits not in {"on", "remote_apply"}:
        return hint(
            "standby",
            "commits wait for no standby: what was acknowledged is lost with this machine",
            "set synchronous_standby_names, and leave synchronous_commit = on",
        )
    if not only_number(rows_of(session, _SEES_STANDBYS)):
        advice = "GRANT pg_monitor, or ask as the owner"
        return hint(
            "standby", f"commits wait for {names}; this role does not see whether it is there", advice
        )
    if not only_number(rows_of(session, _CONFIRMING)):
        found = f"commits wait for {names}, and none is connected: nothing can be written"
        return wrong("standby", found, "start the standby, or make a new one with pg_basebackup -R")
    return well("standby", f"commits wait for {names}, which confirms them")


def _roles(session: "Session") -> Finding:
    """Whether the group roles are as `shiji migrate` makes them, and this role has no more than them."""
    from records.log.postgres.migrations import GROUP_ROLES  # noqa: PLC0415 - needs psycopg
    from records.log.postgres.rows import rows_of  # noqa: PLC0415 - needs psycopg

    sound = {
        str(role)
        for (role,) in rows_of(
            session,
            "SELECT rolname::text FROM pg_roles WHERE NOT (rolcanlogin OR rolsuper OR rolcreaterole "
            "OR rolcreatedb OR rolbypassrls OR rolreplication)",
        )
    }
    strange = [role for role in GROUP_ROLES if role not in sound]
    if strange:
        found = f"{', '.join(strange)} can log in, or do more than `shiji migrate` lets it"
        return wrong("roles", found, "ALTER ROLE … NOLOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB")
    user = session.info.user
    if rows_of(session, _OWNS):
        advice = f"connect servers and audits as roles with {', '.join(GROUP_ROLES)} only"
        return hint("roles", f"{user} may change every table", advice)
    granted = [
        role for role in GROUP_ROLES if rows_of(session, "SELECT 1 WHERE pg_has_role(%s, 'USAGE')", (role,))
    ]
    return well("roles", f"{user} has {', '.join(granted)}")
