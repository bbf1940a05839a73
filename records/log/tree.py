"""The Merkle tree over all entries of an archive, from stored tiles or from the hashes of the entries."""

import threading
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Final
from weakref import WeakKeyDictionary

from records.evidence.checkpoint import Checkpoint
from records.evidence.merkle import (
    HASH_SIZE,
    Nodes,
    OutsideTree,
    Proof,
    consistency_proof,
    frontier_of,
    inclusion_proof,
    leaf_hash,
    nodes_of,
    root_of,
    run_hash,
)
from records.evidence.multiproof import prove_together
from records.evidence.note import Note, SignerKey, sign
from records.evidence.tiles import TILE_HASHES, TILE_LEVELS
from records.log.contract import Log
from records.log.tiles import split_hashes

_CACHED_TILES: Final = 64
"""Tiles of 256 hashes that are kept after they were read; about 2 MB of hashes."""


def signed_checkpoint(key: SignerKey, size: int, root: bytes) -> Note:
    """A checkpoint of a log of this size with this root; the origin is the key's name."""
    text = Checkpoint(key.name, size, root).text
    return Note(text, (sign(text, key),))


class Tree:
    """The tree over an archive; thread-safe.

    The leaf at index i is the hash of the entry at position i + 1. Full tiles of 256 hashes come from the log
    where it stores them. Elsewhere one hash per 256 entries stays in memory once it was computed, and the
    leaves below it are read again when a proof needs them.
    """

    def __init__(self, log: Log, *, stored: bool = True) -> None:
        """Without `stored`, everything is computed from the entries, even where the log has stored tiles."""
        self._log: Final = log
        self._stored: Final = stored
        self._growing: Final = threading.Lock()
        self._computed: Final[list[list[bytes]]] = []
        """The roots of full tiles that the log does not store, level by level."""
        self._tile: Final = lru_cache(_CACHED_TILES)(self._read)

    @property
    def size(self) -> int:
        """The present number of leaves."""
        return self._log.last_position()

    def nodes(self, size: int) -> Nodes:
        """The nodes of the tree of the first `size` leaves; raises OutsideTree if the log has fewer."""
        if not 0 <= size <= self.size:
            raise OutsideTree(f"the log has {self.size} entries, not {size}")
        return partial(self._node, size)

    def root(self, size: int) -> bytes:
        """The root of the tree of the first `size` leaves."""
        return frontier_of(size, self.nodes(size)).root

    def inclusion(self, position: int, size: int) -> Proof:
        """The proof that the entry at the position is among the first `size` entries."""
        nodes = self.nodes(size)
        if not 0 < position <= size:
            raise OutsideTree(f"the entry at position {position} is not among the first {size}")
        return inclusion_proof(position - 1, size, nodes)

    def together(self, positions: Sequence[int], size: int) -> Proof:
        """One proof of the same for several entries, in rising order: see records.evidence.multiproof."""
        return prove_together(
            [each - 1 for each in positions], size, partial(run_hash, nodes=self.nodes(size))
        )

    def consistency(self, old: int, new: int) -> Proof:
        """The proof that the log of the new size extends that of the old size."""
        return consistency_proof(old, new, self.nodes(new))

    def checkpoint(self, key: SignerKey, size: int | None = None) -> Note:
        """A signed checkpoint of the first `size` entries, by default all; the origin is the key's name."""
        size = self.size if size is None else size
        return signed_checkpoint(key, size, self.root(size))

    def breach(self, published: Checkpoint) -> str | None:
        """How the archive contradicts a checkpoint; None if it does not."""
        size = self.size
        if size < published.size:
            return (
                f"the checkpoint promises {published.size} entries and the archive has {size}: "
                f"{published.size - size} are gone"
            )
        if self.root(published.size) != published.root:
            return (
                f"the first {published.size} entries are not those that the checkpoint promises: "
                "some were changed, swapped, put in or taken out"
            )
        return None

    def _node(self, size: int, level: int, index: int) -> bytes:
        tile_level, height = divmod(level, TILE_LEVELS)
        number, place = divmod(index << height, TILE_HASHES)
        width = min(TILE_HASHES, (size >> tile_level * TILE_LEVELS) - number * TILE_HASHES)
        return self._tile(tile_level, number, width)(height, place >> height)

    def _read(self, level: int, number: int, width: int) -> Nodes:
        """The nodes over the first `width` hashes of a tile."""
        stored = self._log.tile(level, number) if self._stored and width == TILE_HASHES else None
        if stored is not None and len(stored) == TILE_HASHES * HASH_SIZE:
            return nodes_of(split_hashes(stored))
        if level == 0:
            return nodes_of(list(map(leaf_hash, self._log.hashes(number * TILE_HASHES, width))))
        return nodes_of(self._roots(level - 1, number * TILE_HASHES, width))

    def _roots(self, level: int, first: int, count: int) -> Sequence[bytes]:
        """The roots of full tiles of a level, from one of them on."""
        if self._stored:
            stored = self._log.tile_roots(level, first, first + count - 1)
            if [len(root) for root in stored] == [HASH_SIZE] * count:
                return stored
        with self._growing:
            self._compute(level, first + count)
            return self._computed[level][first : first + count]

    def _compute(self, level: int, count: int) -> None:
        """Compute the roots of the first `count` tiles of a level from the entries, unless they are known."""
        while len(self._computed) <= level:
            self._computed.append([])
        known = self._computed[level]
        if level == 0:
            due = count - len(known)
            leaves = (
                map(leaf_hash, self._log.hashes(len(known) * TILE_HASHES, due * TILE_HASHES))
                if due > 0
                else iter(())
            )
            known += (root_of(list(islice(leaves, TILE_HASHES))) for _ in range(due))
        else:
            self._compute(level - 1, count * TILE_HASHES)
            below = self._computed[level - 1]
            known += (
                root_of(below[at * TILE_HASHES : at * TILE_HASHES + TILE_HASHES])
                for at in range(len(known), count)
            )


_trees: Final[WeakKeyDictionary[Log, Tree]] = WeakKeyDictionary()
"""The trees of the logs that are open in this process."""


def tree_of(log: Log) -> Tree:
    """The tree over a log, which grows from one call to the next."""
    return _trees.setdefault(log, Tree(log))
