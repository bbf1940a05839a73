"""`shiji checkpoint`: what an archive promises to hold for ever, signed."""

from pathlib import Path

import click

from records.evidence.merkle import OutsideTree
from records.evidence.note import Note, SignatureType, SignerKey, format_note
from records.evidence.witness_request import WitnessRequest, format_request
from records.log.tree import Tree
from tools.report.checkpoint_args import read_checkpoint, require_signature, signer
from tools.report.file_report import BAD
from tools.terminal.atomic_files import save
from tools.terminal.output import file_name
from tools.terminal.progress import faults_told, reading


@click.command(
    epilog="Exit codes: 0 signed, 1 the archive breaks the promise of the checkpoint in --out, so nothing was"
    " signed, 2 a file or an argument could not be read.\n\n"
    "Examples: shiji checkpoint shiji.db --key log.key --out checkpoint;"
    " shiji checkpoint shiji.db --key log.key --old 120 | shiji witness - --key witness.key …"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="The secret key of the log, made by `shiji keygen --kind log`; its name is the log's.",
)
@click.option(
    "--size", metavar="N", type=click.IntRange(min=0), help="Of the first N entries; all of them by default."
)
@click.option(
    "--old",
    metavar="N",
    type=click.IntRange(min=0),
    help="Add the proof for a witness that last saw the log with N entries.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it there. A checkpoint that is there must be kept by the archive, or nothing is signed.",
)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    archive: str,
    *,
    key_file: Path,
    size: int | None,
    old: int | None,
    out: Path | None,
) -> None:
    """Sign a checkpoint of an archive: its size and the root of the tree over all its entries.

    Give it away: whoever has it can show later that an entry was changed, taken out or put in.
    """
    key = signer(key_file, SignatureType.ED25519)
    with faults_told(), reading(archive)() as log:
        tree = Tree(log)
        if out is not None and out.exists() and (breach := _breach(tree, key, out)):
            click.echo(f"Error: {file_name(str(out))}: {breach}. Nothing was signed.", err=True)
            ctx.exit(BAD)
        try:
            data = _signed(tree, key, size, old)
        except OutsideTree as fault:
            raise click.UsageError(str(fault)) from None
    if out is None:
        click.echo(data, nl=False)
    else:
        save(out, data, durable=True)


def _breach(tree: Tree, key: SignerKey, out: Path) -> str | None:
    """How the archive breaks what was promised before."""
    note, promised = read_checkpoint(str(out))
    require_signature(note, key.verifier, str(out))
    return tree.breach(promised)


def _signed(tree: Tree, key: SignerKey, size: int | None, old: int | None) -> bytes:
    size = tree.size if size is None else size
    note: Note = tree.checkpoint(key, size)
    if old is None:
        return format_note(note)
    return format_request(WitnessRequest(old, tree.consistency(old, size), note))
