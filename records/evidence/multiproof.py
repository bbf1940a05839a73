"""One inclusion proof for several leaves of a tree, in which no hash occurs twice."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from records.evidence.merkle import (
    HASH_SIZE,
    MAX_LEAVES,
    NotIncluded,
    OutsideTree,
    Proof,
    node_hash,
)

LeafRange: TypeAlias = Callable[[int, int], bytes]
"""Returns the hash of the subtree over the leaves from one index up to another."""


def prove_together(indices: Sequence[int], size: int, run: LeafRange) -> Proof:
    """The hashes that lead from these leaves, in ascending order, to the root of the first `size` leaves.

    They are those of the largest subtrees that contain none of the leaves, from left to right. Raises
    OutsideTree.
    """
    if not _ascending(indices, size):
        raise OutsideTree(f"a tree of {size} leaves has no such leaves, each once and in ascending order")

    def hashes(low: int, high: int, start: int, end: int) -> Iterator[bytes]:
        if low == high:
            yield run(start, end)
        elif end - start > 1:
            split = _split(start, end)
            middle = bisect_left(indices, split, low, high)
            yield from hashes(low, middle, start, split)
            yield from hashes(middle, high, split, end)

    return tuple(hashes(0, len(indices), 0, size))


def runs_of(index: int, size: int, proof: Proof) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The subtrees whose hashes are in an inclusion proof, by their first leaf and the one after the last."""
    start, end = 0, size
    for hashed in reversed(proof):
        split = _split(start, end)
        beside = (split, end) if index < split else (start, split)
        start, end = (start, split) if index < split else (split, end)
        yield beside, hashed


def check_together(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raises NotIncluded unless all these leaf hashes, by index in ascending order, are in the tree."""
    indices = tuple(leaves)
    if not _ascending(indices, size):
        raise NotIncluded(f"a tree of {size} leaves has no such leaves, each once and in ascending order")
    if any(len(each) != HASH_SIZE for each in (*leaves.values(), *proof, root)):
        raise NotIncluded(f"every hash has {HASH_SIZE} bytes, and one of these has not")
    left = iter(proof)

    def subtree(low: int, high: int, start: int, end: int) -> bytes:
        if low == high:
            found = next(left, None)
            if found is None:
                raise NotIncluded(f"the proof has {len(proof)} hashes, too few for a tree of {size} leaves")
            return found
        if end - start == 1:
            return leaves[start]
        split = _split(start, end)
        middle = bisect_left(indices, split, low, high)
        return node_hash(subtree(low, middle, start, split), subtree(middle, high, split, end))

    found = subtree(0, len(indices), 0, size)
    if next(left, None) is not None:
        raise NotIncluded(f"the proof has {len(proof)} hashes, too many for a tree of {size} leaves")
    if found != root:
        raise NotIncluded(f"the proof of {len(indices)} leaves among {size} leads to another root")


def _ascending(indices: Sequence[int], size: int) -> bool:
    """Whether there is at least one index, and they are leaves in ascending order without repeats."""
    bounds = (-1, *indices, size)
    return bool(indices) and size <= MAX_LEAVES and all(a < b for a, b in pairwise(bounds))


def _split(start: int, end: int) -> int:
    """The first leaf of the right subtree of the tree over these leaves (RFC 6962, 2.1)."""
    return start + (1 << (end - start - 1).bit_length() - 1)
