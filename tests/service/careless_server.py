"""A server that does not sync what it writes: a simulator of power cuts must find what it loses."""

import sqlite3
from pathlib import Path

from records.log import sqlite_file
from service.__main__ import command

_switch = sqlite_file._use_wal  # noqa: SLF001 - broken on purpose


def _careless(connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
    _switch(connection, path, busy_timeout)
    connection.execute("PRAGMA synchronous = OFF")


sqlite_file._use_wal = _careless  # noqa: SLF001 - as above

if __name__ == "__main__":
    command(prog_name="careless")
