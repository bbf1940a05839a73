"""`shiji copy`: copies an archive from one engine to another."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from records.log.copying import ArchiveParts, copy_archive
from records.log.opening import open_log, open_owners, open_register
from records.log.owners import BadOwners
from tools.terminal.output import Line, plural, show
from tools.terminal.progress import exit_on_archive_fault, progress


@click.command(
    epilog="Exit codes: 0 both archives are the same, 2 something could not be read or written.\n\n"
    "Example: shiji copy shiji.db postgresql://owner@localhost/shiji"
)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(source: str, target: str, *, as_json: bool) -> None:
    """Copy the archive FROM to the archive TO: entries, positions, checkpoints, people, owners of matches.

    Each is the path of a SQLite file or an address like postgresql://HOST/NAME, which `shiji migrate` has
    prepared. A copy that was interrupted goes on where it stopped. At the end the roots of both Merkle trees
    are compared. Nobody else may write to the archive TO meanwhile. The server's secret, the tokens and keys
    are files of the server: move them yourself.
    """
    with (
        exit_on_archive_fault(),
        _opened(source, read_only=True) as old,
        _opened(target) as new,
        progress("copy") as advance,
    ):
        result = copy_archive(old, new, advance)
    if as_json:
        found = {"entries": result.entries, "copied": result.copied, "checkpoints": result.checkpoints}
        found |= {"facts": result.facts, "owned": result.owned}
        click.echo(json.dumps({**found, "root": result.root.hex()}))
        return
    show(
        [
            Line(
                f"{plural(result.copied, 'entry', 'entries')} copied; both archives have "
                f"{plural(result.entries, 'entry', 'entries')}, "
                f"{plural(result.checkpoints, 'checkpoint', 'checkpoints')}, "
                f"{plural(result.facts, 'fact', 'facts')} about people, "
                f"{plural(result.owned, 'match', 'matches')} with an owner and the root {result.root.hex()}."
            )
        ]
    )


@contextmanager
def _opened(address: str, *, read_only: bool = False) -> Iterator[ArchiveParts]:
    try:
        with (
            open_log(address, read_only=read_only) as log,
            closing(open_register(address)) as people,
            closing(open_owners(address, log)) as owners,
        ):
            yield ArchiveParts(log, people, owners)
    except BadOwners as fault:
        raise click.ClickException(str(fault)) from fault
