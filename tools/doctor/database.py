"""Checks an archive in PostgreSQL, and the database that holds it."""

from collections.abc import Iterator

from records.log.contract import LogFault
from records.log.opening import open_log, postgres_target
from tools.doctor.finding import Finding, hint, unknown, well, wrong
from tools.terminal.output import plural


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
            yield well("storage", "triggers, functions, tiles and numbers are in order")
        yield from _database(address)
    except LogFault as fault:
        yield unknown("archive", str(fault), "see docs/fleet.md")


def _database(address: str) -> Iterator[Finding]:
    # These need psycopg, which an archive in a file does without.
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
        names, commits = setting("synchronous_standby_names"), setting("synchronous_commit")
        if names and commits in {"on", "remote_apply"}:
            yield well("standby", f"commits wait for {names}")
        else:
            yield hint(
                "standby",
                "commits wait for no standby: what was acknowledged is lost with this machine",
                "set synchronous_standby_names, and leave synchronous_commit = on",
            )
        if rows_of(session, "SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"):
            yield well("amcheck", "indexes are checked with the storage")
        else:
            yield hint(
                "amcheck", "it is not installed, so that indexes are not checked", "CREATE EXTENSION amcheck"
            )
        lead = clock_lead(session)
        if abs(lead) <= WARN_CLOCK_SECONDS:
            yield well("clock", "that of this machine agrees with the database's")
        else:
            yield wrong("clock", f"that of this machine is {lead:+.1f} seconds from the database's", "set it")
