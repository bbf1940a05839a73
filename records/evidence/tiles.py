"""The Merkle tree in tiles of 256 hashes (C2SP tlog-tiles)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from records.evidence.merkle import HASH_SIZE, MAX_LEAVES, Nodes, root_of
from rules.kernel.text import quoted

TILE_HASHES: Final = 256
"""The hashes in a full tile."""

TILE_LEVELS: Final = 8
"""The levels of the tree that one tile spans."""

_MAX_LEVEL: Final = 63
"""The highest level of a tile, by the specification."""

_PATH: Final = re.compile(r"tile/(0|[1-9][0-9]?)/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


class BadTilePath(ValueError):
    """The path is not that of a tile."""


class BadTile(ValueError):
    """The content of a tile does not have the size that its width requires."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Up to 256 consecutive hashes, each of a full subtree of 256^level leaves."""

    level: int
    index: int
    width: int = TILE_HASHES
    """Below 256 for a partial tile, at the right edge of the tree."""


def tile_path(tile: Tile) -> str:
    """The path at which a tile is published, such as tile/0/x001/x234/067.p/8."""
    digits = f"{tile.index:03}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    path = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return f"tile/{tile.level}/{path}" + ("" if tile.width == TILE_HASHES else f".p/{tile.width}")


def parse_tile_path(path: str) -> Tile:
    """Parse what tile_path writes, for those who read published tiles; raises BadTilePath."""
    found = _PATH.fullmatch(path)
    if found is not None:
        level, index, width = found.groups()
        tile = Tile(int(level), int(re.sub("[x/]", "", index)), int(width or TILE_HASHES))
        if tile.level <= _MAX_LEVEL and tile.index <= MAX_LEAVES and tile_path(tile) == path:
            return tile
    raise BadTilePath(f"{quoted(path)} is not the path of a tile; expected one like tile/0/x001/x234/067.p/8")


def tiles_of(size: int, since: int = 0) -> Iterator[Tile]:
    """The tiles of a tree of that size, level by level, without those of the tree at the size `since`."""
    level = 0
    while size:
        full, rest = divmod(size, TILE_HASHES)
        for index in range(since // TILE_HASHES, full):
            yield Tile(level, index)
        if rest and size != since:
            yield Tile(level, full, rest)
        level, size, since = level + 1, full, since // TILE_HASHES


def tile_bytes(tile: Tile, nodes: Nodes) -> bytes:
    """The content of a tile: its hashes, concatenated."""
    first = tile.index * TILE_HASHES
    return b"".join(nodes(tile.level * TILE_LEVELS, first + at) for at in range(tile.width))


def nodes_from_tiles(size: int, read: Callable[[Tile], bytes]) -> Nodes:
    """The nodes of a tree of that size, from the bytes of its tiles, which suffice for any proof.

    For those who read published tiles, as `shiji tiles` writes them.
    """

    def node(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, TILE_LEVELS)
        place, start = divmod(index << height, TILE_HASHES)
        tile = Tile(
            tile_level, place, min(TILE_HASHES, (size >> tile_level * TILE_LEVELS) - place * TILE_HASHES)
        )
        content = read(tile)
        if len(content) != tile.width * HASH_SIZE:
            raise BadTile(f"{tile_path(tile)} has {tile.width * HASH_SIZE} bytes, not {len(content)}")
        hashes = [content[at * HASH_SIZE :][:HASH_SIZE] for at in range(start, start + (1 << height))]
        return root_of(hashes)

    return node
