"""`shiji forget`: deletes the data of a person from an archive without changing its records."""

from contextlib import closing

import click

from records.log.opening import open_log, open_register
from tools.terminal.output import Line, plural, show
from tools.terminal.progress import exit_on_archive_fault


@click.command(
    epilog="Exit codes: 0 the data is deleted, 1 the archive has no data of this person, 2 the archive could"
    " not be written.\n\n"
    "Example: shiji forget shiji.db player-4711"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("person", metavar="PERSON")
@click.pass_context
def command(ctx: click.Context, archive: str, person: str) -> None:
    """Delete everything that the archive stores about PERSON, an id given by the app, and the person's key.

    Records hold only commitments under that key: hashes, signatures and proofs remain valid, but nobody can
    find out any more whom they are about. Copies and backups of the file still have the data.
    """
    with exit_on_archive_fault():
        open_log(archive).close()  # fails unless it is an archive of this version
        with closing(open_register(archive)) as register:
            forgotten = register.forget(person)
    if not forgotten:
        show([Line(f"The archive has no data of {person!r}.")], err=True)
        ctx.exit(1)
    show([Line(f"{plural(forgotten, 'fact', 'facts')} forgotten.")])
