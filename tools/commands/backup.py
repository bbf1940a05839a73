"""`shiji backup`: copies an archive while a server writes it."""

import json
from pathlib import Path

import click

from records.log.backup import back_up
from records.log.opening import is_postgres, sqlite_path
from tools.terminal.output import Line, plural, show
from tools.terminal.progress import exit_on_archive_fault


@click.command(
    epilog="Exit codes: 0 the copy is complete and compared, 2 something could not be read or written.\n\n"
    "Example: shiji backup shiji.db /backups/shiji-monday.db"
)
@click.argument("db", type=click.Path())
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(db: str, file: Path, *, as_json: bool) -> None:
    """Copy the archive DB, a SQLite file, to FILE, which must not exist; a server may be writing it.

    The copy has everything that was stored at one moment. It is made durable, read again, and the root of its
    Merkle tree compared with the archive's. The server's secret, the owners of matches and keys are files of
    the server: back them up yourself. `shiji audit FILE` judges every match of the copy.
    """
    if is_postgres(db):
        raise click.UsageError(
            "an archive in PostgreSQL is backed up with pg_basebackup, as docs/fleet.md shows, or copied "
            "into a file with `shiji copy`"
        )
    with exit_on_archive_fault():
        result = back_up(sqlite_path(db), file)
    if as_json:
        click.echo(json.dumps({"file": str(file), "entries": result.entries, "root": result.root.hex()}))
        return
    show(
        [
            Line(
                f"{file} has {plural(result.entries, 'entry', 'entries')}, the same as the archive at that "
                f"size, with the root {result.root.hex()}."
            )
        ]
    )
