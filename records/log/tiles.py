"""Tiles of the Merkle tree as a log stores them: full ones only, each with its root."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from records.evidence.merkle import HASH_SIZE, leaf_hash, root_of
from records.evidence.tiles import TILE_HASHES
from records.log.contract import UnreadableEntry


@dataclass(frozen=True, slots=True)
class StoredTile:
    """A full tile: 256 hashes of full subtrees of 256^level leaves, and the hash over all of them."""

    level: int
    index: int
    hashes: bytes
    root: bytes


Hashes: TypeAlias = Callable[[int, int], Sequence[bytes]]
"""Returns the hashes of the entries from one position to another."""

Roots: TypeAlias = Callable[[int, int, int], Sequence[bytes]]
"""Returns the roots of the stored tiles of a level, from one index to another."""


def fill_tiles(
    before: int, after: int, hashes: Hashes, roots: Roots, store: Callable[[StoredTile], None]
) -> None:
    """Store every tile that is full with `after` entries and was not with `before`, in the order of filling.

    The right edge of the tree is never stored: it is read back from at most 255 hashes per level. Raises
    UnreadableEntry where entries or tiles are missing; what was stored until then is in order.
    """
    for full in range(before // TILE_HASHES, after // TILE_HASHES):
        first = full * TILE_HASHES
        level, index = 0, full
        below: Sequence[bytes] = [leaf_hash(each) for each in hashes(first + 1, first + TILE_HASHES)]
        while True:
            if len(below) != TILE_HASHES:
                raise UnreadableEntry(f"what tile {index} of level {level} covers is not complete")
            store(StoredTile(level, index, b"".join(below), root_of(below)))
            index, place = divmod(index, TILE_HASHES)
            if place != TILE_HASHES - 1:
                break
            below = roots(level, index * TILE_HASHES, index * TILE_HASHES + TILE_HASHES - 1)
            level += 1


def split_hashes(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[at : at + HASH_SIZE] for at in range(0, len(tile), HASH_SIZE)]


def tile_flaws(
    last: int,
    filled: int,
    hashes: Hashes,
    stored: Callable[[int, int], tuple[object, object] | None],
    counts: Mapping[int, int],
) -> Iterator[str]:
    """Where stored tiles are not those of the entries, which are read and hashed again.

    `last` is the number of entries, `filled` that of the entries whose tiles must be there; `stored` returns
    the hashes and the root of a tile, and `counts` has the number of tiles of each level. What follows an
    entry that cannot be read is not compared.
    """
    roots: dict[int, list[bytes]] = {}
    flaws: list[str] = []

    def compare(tile: StoredTile) -> None:
        roots.setdefault(tile.level, []).append(tile.root)
        found = stored(tile.level, tile.index)
        if found != (tile.hashes, tile.root):
            what = "is missing" if found is None else "is not that of the entries"
            flaws.append(f"tile {tile.index} of level {tile.level} of the Merkle tree {what}")

    with suppress(UnreadableEntry):  # the audit of the entries reports it
        fill_tiles(0, filled, hashes, lambda level, first, end: roots[level][first : end + 1], compare)
    yield from flaws
    for level, count in sorted(counts.items()):
        most = last // TILE_HASHES ** (level + 1)
        if count > most:
            yield f"level {level} of the Merkle tree has {count} tiles, and the entries fill {most}"
