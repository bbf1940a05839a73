"""`shiji migrate`: creates or updates the tables of an archive in PostgreSQL."""

import click

from records.log.opening import is_postgres, postgres_target
from tools.terminal.output import Line, show
from tools.terminal.progress import exit_on_archive_fault


@click.command(
    epilog="Exit codes: 0 the archive is up to date, 2 the database could not be reached or changed.\n\n"
    "Example: shiji migrate postgresql://owner@localhost/shiji"
)
@click.argument("url", metavar="URL")
def command(url: str) -> None:
    """Create or update the tables and roles of the archive at URL, a database of PostgreSQL that exists.

    No other command does this. Migrations only add, so that programs of the version before can go on while
    they are applied. Connect as the owner of the database. Programs that write connect as roles that were
    granted shiji_server, and shiji_sequencer if they may number entries; audits as shiji_auditor.
    """
    if not is_postgres(url):
        raise click.ClickException(
            f"{url} is not an address like postgresql://HOST/NAME; a SQLite file is updated when it is opened"
        )
    with exit_on_archive_fault():
        from records.log.postgres.migrations import migrate  # noqa: PLC0415 - needs psycopg

        target = postgres_target(url)
        applied = migrate(target)
    if applied:
        show([Line(f"{target}: applied {', '.join(applied)}.")])
    else:
        show([Line(f"{target} is up to date.")])
