"""Tiles of the Merkle tree as a log stores them: full ones only, each with its root."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from records.evidence.merkle import leaf_hash, root_of
from records.evidence.tiles import WIDTH


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


def filled_tiles(
    before: int, after: int, hashes: Hashes, roots: Roots, store: Callable[[StoredTile], None]
) -> None:
    """Store every tile that is full with `after` entries and was not with `before`.

    The right edge of the tree is never stored: it is read back from at most 255 hashes per level.
    """
    level, old, new = 0, before // WIDTH, after // WIDTH
    while old != new:
        for index in range(old, new):
            first, last = index * WIDTH, index * WIDTH + WIDTH - 1
            below = (
                [leaf_hash(each) for each in hashes(first + 1, last + 1)]
                if level == 0
                else [*roots(level - 1, first, last)]
            )
            store(StoredTile(level, index, b"".join(below), root_of(below)))
        level, old, new = level + 1, old // WIDTH, new // WIDTH
