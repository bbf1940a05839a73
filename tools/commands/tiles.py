"""`shiji tiles`: writes the Merkle tree of an archive as files, to publish or mirror a log."""

from pathlib import Path

import click

from records.evidence.merkle import Nodes, OutsideTree
from records.evidence.note import SignatureType, format_note
from records.evidence.tiles import TILE_HASHES, Tile, tile_bytes, tile_path, tiles_of
from records.log.tree import Tree
from tools.report.checkpoint_args import load_signer_key
from tools.terminal.atomic_files import make_folder, save_bytes
from tools.terminal.output import Line, file_name, plural, show
from tools.terminal.progress import exit_on_archive_fault, progress, read_only_opener


@click.command(
    epilog="Exit codes: 0 all tiles were written, 2 the archive could not be read, or a file could not be"
    " written.\n\n"
    "Example: shiji tiles shiji.db public/ --key log.key"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The secret key of the log: also write a signed checkpoint.",
)
@click.option(
    "--size", metavar="N", type=click.IntRange(min=0), help="Cover the first N entries; by default all."
)
def command(archive: str, folder: str, *, key_file: Path | None, size: int | None) -> None:
    """Write the Merkle tree of an archive to DIR as tiles of 256 hashes, as in c2sp.org/tlog-tiles.

    From the tiles anyone can compute every proof of the log. Full tiles never change, so existing ones are
    not written again.
    """
    key = None if key_file is None else load_signer_key(key_file, SignatureType.ED25519)
    with exit_on_archive_fault(), read_only_opener(archive)() as log, progress("tiles") as advance:
        tree, target = Tree(log), make_folder(folder)
        size = tree.size if size is None else size
        try:
            nodes = tree.nodes(size)
        except OutsideTree as fault:
            raise click.UsageError(str(fault)) from None
        written = 0
        for tile in tiles_of(size):
            written += _write(target, tile, nodes)
            advance(written, None)
        if key is not None:
            save_bytes(target / "checkpoint", format_note(tree.checkpoint(key, size)), durable=True)
    show([Line(f"{plural(written, 'tile', 'tiles')} written to {file_name(folder)}", style="bold")])


def _write(target: Path, tile: Tile, nodes: Nodes) -> bool:
    """Write a tile, unless it is full and exists already; returns whether it was written."""
    path = target / tile_path(tile)
    if tile.width == TILE_HASHES and path.exists():
        return False
    save_bytes(make_folder(str(path.parent)) / path.name, tile_bytes(tile, nodes))
    return True
