"""Opens an archive by its address: a SQLite file, by its path or as sqlite:FILE, or a postgresql:// URL.

An engine is imported when an archive of its kind is opened.
"""
# ruff: noqa: PLC0415 - PostgreSQL's needs psycopg, and commands that read files should wait for neither

from pathlib import Path
from typing import TYPE_CHECKING, Final

from records.log.contract import Log, LogUnavailable

if TYPE_CHECKING:
    from records.log.owners import StoredOwners
    from records.log.people import Register
    from records.log.postgres.connection import Target

_SQLITE: Final = "sqlite:"
_POSTGRES: Final = ("postgresql://", "postgres://")


class BadArchiveAddress(LogUnavailable):
    """The address of an archive cannot be used."""


def is_postgres(address: str) -> bool:
    """Whether an archive is in PostgreSQL."""
    return address.startswith(_POSTGRES)


def is_sqlite(address: str) -> bool:
    """Whether an address names a SQLite file by more than its path."""
    return address.startswith(_SQLITE) and address != _SQLITE


def sqlite_path(address: str) -> Path:
    """The file of an archive that is not in PostgreSQL."""
    return Path(address.removeprefix(_SQLITE))


def open_log(address: str, *, read_only: bool = False) -> Log:
    """The archive at an address; a SQLite file is created if it does not exist. Raises LogFault."""
    if not is_postgres(address):
        from records.log.sqlite import SqliteLog

        return SqliteLog.open(sqlite_path(address), read_only=read_only)
    from records.log.postgres.log import PostgresLog

    return PostgresLog.open(postgres_target(address), read_only=read_only)


def open_register(address: str) -> "Register":
    """The register of people of an existing archive; raises LogFault."""
    if not is_postgres(address):
        from records.log.people import SqliteRegister

        return SqliteRegister(sqlite_path(address))
    from records.log.postgres.people import PostgresRegister

    return PostgresRegister(postgres_target(address))


def open_owners(address: str, log: Log) -> "StoredOwners":
    """The owners of the matches of an existing archive, which is open; for copies of it."""
    if not is_postgres(address):
        from records.log.owners import OwnersOfFile

        return OwnersOfFile(sqlite_path(address), log.matches())
    from records.log.postgres.owners import PostgresOwners

    return PostgresOwners(postgres_target(address))


def shown_address(address: str) -> str:
    """An address for people to read; without the user, and of a database only where it is."""
    return str(postgres_target(address)) if is_postgres(address) else str(sqlite_path(address))


def postgres_target(address: str) -> "Target":
    """The address of a PostgreSQL archive, checked; raises BadArchiveAddress."""
    try:
        from records.log.postgres.connection import BadTarget, Target
    except ModuleNotFoundError:
        raise BadArchiveAddress(
            "archives in PostgreSQL need psycopg: install it with pip install 'shiji[postgres]'"
        ) from None
    try:
        return Target.parse(address)
    except BadTarget as fault:
        raise BadArchiveAddress(str(fault)) from fault
