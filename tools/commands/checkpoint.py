"""`shiji checkpoint`: signs a checkpoint of an archive."""

from pathlib import Path

import click

from records.evidence.merkle import OutsideTree
from records.evidence.note import Note, SignatureType, SignerKey, format_note, parse_note
from records.evidence.witness_request import WitnessRequest, format_request
from records.log.opening import is_postgres, postgres_target
from records.log.tree import Tree
from tools.report.checkpoint_args import load_signer_key, read_checkpoint, require_signature
from tools.report.file_report import BAD
from tools.terminal.atomic_files import save_bytes
from tools.terminal.output import file_name, show_error
from tools.terminal.progress import exit_on_archive_fault, read_only_opener


@click.command(
    epilog="Exit codes: 0 signed, 1 the archive contradicts the checkpoint in --out, so nothing was signed,"
    " 2 a file or an argument could not be read.\n\n"
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
    help="The secret key of the log, from `shiji keygen --kind log`; its name is the name of the log.",
)
@click.option(
    "--size", metavar="N", type=click.IntRange(min=0), help="Cover the first N entries; by default all."
)
@click.option(
    "--old",
    metavar="N",
    type=click.IntRange(min=0),
    help="Add the consistency proof for a witness that last saw the log with N entries.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write. If it holds a checkpoint that the archive contradicts, nothing is signed.",
)
@click.option(
    "--kept",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="For an archive in PostgreSQL: the newest checkpoint, which its servers keep beside their secret.",
)
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    archive: str,
    *,
    key_file: Path,
    size: int | None,
    old: int | None,
    out: Path | None,
    kept: Path | None,
) -> None:
    """Sign a checkpoint of an archive: its size and the root of the Merkle tree of its entries.

    Give copies to others: anyone who has one can prove later that an entry was changed, removed or inserted.

    A checkpoint of an archive in PostgreSQL is stored there before it is shown, as its servers do, if the
    archive has everything that the checkpoint in --kept promises; that file takes it up.
    """
    key = load_signer_key(key_file, SignatureType.ED25519)
    if is_postgres(archive) != (kept is not None):
        raise click.UsageError(
            "an archive in PostgreSQL needs --kept FILE: SECRET.checkpoint beside the secret of its servers"
            if kept is None
            else "--kept is for archives in PostgreSQL; for a file, --out is compared"
        )
    with exit_on_archive_fault(), read_only_opener(archive)() as log:
        tree = Tree(log)
        if out is not None and out.exists() and (breach := _breach(tree, key, out)):
            show_error(f"Error: {file_name(str(out))}: {breach}. Nothing was signed.")
            ctx.exit(BAD)
        try:
            data = _signed(tree, key, size, old)
        except OutsideTree as fault:
            raise click.UsageError(str(fault)) from None
        if kept is not None:
            _publish(archive, key, kept, data if old is None else _signed(tree, key, size, None))
    if out is None:
        click.echo(data, nl=False)
    else:
        save_bytes(out, data, durable=True)


def _publish(archive: str, key: SignerKey, kept: Path, data: bytes) -> None:
    """Store a checkpoint in PostgreSQL; raises LogFault if the archive lacks what was published before."""
    from records.log.postgres.checkpoints import publish_once  # noqa: PLC0415 - needs psycopg

    publish_once(postgres_target(archive), kept, key, parse_note(data))


def _breach(tree: Tree, key: SignerKey, out: Path) -> str | None:
    """How the archive contradicts the earlier checkpoint in a file."""
    note, earlier = read_checkpoint(str(out))
    require_signature(note, key.verifier, str(out))
    return tree.breach(earlier)


def _signed(tree: Tree, key: SignerKey, size: int | None, old: int | None) -> bytes:
    size = tree.size if size is None else size
    note: Note = tree.checkpoint(key, size)
    if old is None:
        return format_note(note)
    return format_request(WitnessRequest(old, tree.consistency(old, size), note))
