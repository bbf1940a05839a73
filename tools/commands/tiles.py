"""`shiji tiles`: the tree over an archive as files, for whoever serves or copies a log."""

from pathlib import Path

import click

from records.evidence.merkle import Nodes, OutsideTree
from records.evidence.note import SignatureType, format_note
from records.evidence.tiles import WIDTH, Tile, tile_bytes, tile_path, tiles_of
from records.log.tree import Tree
from tools.report.checkpoint_args import signer
from tools.terminal.atomic_files import made, save
from tools.terminal.output import Line, file_name, plural, show
from tools.terminal.progress import faults_told, progress, reading


@click.command(
    epilog="Exit codes: 0 all is written, 2 the archive could not be read, or a file not be written.\n\n"
    "Example: shiji tiles shiji.db public/ --key log.key"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The secret key of the log: write a signed checkpoint beside the tiles.",
)
@click.option(
    "--size", metavar="N", type=click.IntRange(min=0), help="Of the first N entries; all of them by default."
)
def command(archive: str, folder: str, *, key_file: Path | None, size: int | None) -> None:
    """Write the tree over an archive to DIR as tiles of 256 hashes, after c2sp.org/tlog-tiles.

    Whoever has them can make every proof of the log. Tiles that are full never change, and those that are
    there already are left as they are.
    """
    key = None if key_file is None else signer(key_file, SignatureType.ED25519)
    with faults_told(), reading(archive)() as log, progress("tiles") as advance:
        tree, target = Tree(log), made(folder)
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
            save(target / "checkpoint", format_note(tree.checkpoint(key, size)), durable=True)
    show([Line(f"{plural(written, 'tile', 'tiles')} written to {file_name(folder)}", style="bold")])


def _write(target: Path, tile: Tile, nodes: Nodes) -> bool:
    """Write a tile, unless it is full and there already."""
    path = target / tile_path(tile)
    if tile.width == WIDTH and path.exists():
        return False
    save(made(str(path.parent)) / path.name, tile_bytes(tile, nodes))
    return True
