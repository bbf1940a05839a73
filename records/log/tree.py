"""The Merkle tree over all entries of an archive, computed from their hashes on demand."""

import threading
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from records.evidence.checkpoint import Checkpoint
from records.evidence.merkle import (
    Nodes,
    OutsideTree,
    Proof,
    consistency_proof,
    frontier_of,
    inclusion_proof,
    leaf_hash,
    node_hash,
    nodes_of,
    root_of,
    run_hash,
)
from records.evidence.multiproof import prove_together
from records.evidence.note import Note, SignerKey, sign
from records.evidence.tiles import HEIGHT, WIDTH
from records.log.contract import Log

_CACHED_BLOCKS: Final = 64
"""Blocks of 256 leaves that are kept after they were read; about 2 MB of hashes."""


class Tree:
    """The tree over an archive; thread-safe.

    The leaf at index i is the hash of the entry at position i + 1. Nothing is computed when entries are
    appended, and nothing is stored: one hash per 256 entries stays in memory, and the leaves below it are
    read again when a proof needs them.
    """

    def __init__(self, log: Log) -> None:
        self._log: Final = log
        self._growing: Final = threading.Lock()
        self._upper: Final[list[list[bytes]]] = [[]]
        """The hashes of full subtrees of 256 leaves and more, level by level."""
        self._block: Final = lru_cache(_CACHED_BLOCKS)(self._read)

    @property
    def size(self) -> int:
        """The present number of leaves."""
        return self._log.last_position()

    def nodes(self, size: int) -> Nodes:
        """The nodes of the tree of the first `size` leaves; raises OutsideTree if the log has fewer."""
        if not 0 <= size <= self.size:
            raise OutsideTree(f"the log has {self.size} entries, not {size}")
        self._grow(size // WIDTH)
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
        text = Checkpoint(key.name, size, self.root(size)).text
        return Note(text, (sign(text, key),))

    def breach(self, promised: Checkpoint) -> str | None:
        """How the archive contradicts a checkpoint; None if it does not."""
        size = self.size
        if size < promised.size:
            return (
                f"the checkpoint promises {promised.size} entries and the archive has {size}: "
                f"{promised.size - size} are gone"
            )
        if self.root(promised.size) != promised.root:
            return (
                f"the first {promised.size} entries are not those that the checkpoint promises: "
                "some were changed, swapped, put in or taken out"
            )
        return None

    def _grow(self, blocks: int) -> None:
        with self._growing:
            known = len(self._upper[0])
            if blocks > known:
                hashes = map(leaf_hash, self._log.hashes(known * WIDTH, (blocks - known) * WIDTH))
                for _ in range(known, blocks):
                    self._add_block(root_of(list(islice(hashes, WIDTH))))

    def _add_block(self, node: bytes) -> None:
        """Add the root of a full block, and of every subtree that it completes."""
        for level in self._upper:
            level.append(node)
            if len(level) % 2:
                return
            node = node_hash(*level[-2:])
        self._upper.append([node])

    def _node(self, size: int, level: int, index: int) -> bytes:
        if level >= HEIGHT:
            return self._upper[level - HEIGHT][index]
        block, place = divmod(index << level, WIDTH)
        return self._block(block, min(WIDTH, size - block * WIDTH))(level, place >> level)

    def _read(self, block: int, width: int) -> Nodes:
        """The nodes over the first `width` leaves of a block."""
        return nodes_of(list(map(leaf_hash, self._log.hashes(block * WIDTH, width))))
