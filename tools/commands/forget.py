"""`shiji forget`: people are gone from an archive, and every record in it verifies as before."""

from contextlib import closing
from pathlib import Path

import click

from records.log.people import SqliteRegister
from records.log.sqlite import SqliteLog
from tools.terminal.output import Line, plural, show
from tools.terminal.progress import faults_told


@click.command(
    epilog="Exit codes: 0 the person is forgotten, 1 nothing is known of the person, 2 the archive could not"
    " be written.\n\n"
    "Example: shiji forget shiji.db player-4711"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("person", metavar="PERSON")
@click.pass_context
def command(ctx: click.Context, archive: str, person: str) -> None:
    """Delete everything that the archive knows of PERSON, by the id that the app gave, and the person's key.

    Records hold only commitments under that key, so hashes, signatures and proofs stay as good as they were,
    and nobody can tell any more whom they are about. Copies and backups of the file still know.
    """
    with faults_told():
        SqliteLog.open(archive).close()  # makes sure that it is an archive, and of this version
        with closing(SqliteRegister(Path(archive))) as register:
            gone = register.forget(person)
    if not gone:
        show([Line(f"Nothing is known of {person!r}.")], err=True)
        ctx.exit(1)
    show([Line(f"{plural(gone, 'fact', 'facts')} forgotten.")])
