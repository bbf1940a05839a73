"""One proof for several leaves of a tree: every hash that theirs do not give, and each only once."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from records.evidence.merkle import (
    HASH_SIZE,
    MAX_SIZE,
    NotIncluded,
    OutsideTree,
    Proof,
    node_hash,
)

LeafRange: TypeAlias = Callable[[int, int], bytes]
"""The hash of the subtree that holds the leaves from one index up to another."""


def prove_together(indices: Sequence[int], size: int, run: LeafRange) -> Proof:
    """What leads from these leaves, in rising order, to the root of the first leaves, as many as size says.

    They are the hashes of the largest subtrees that hold none of the leaves, from left to right.
    """
    if not _rising(indices, size):
        raise OutsideTree(f"a tree of {size} leaves has no such leaves, each once and in their order")

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
    """The subtrees whose hashes an inclusion proof tells, each by the first leaf in it and that behind it."""
    start, end = 0, size
    for hashed in reversed(proof):
        split = _split(start, end)
        beside = (split, end) if index < split else (start, split)
        start, end = (start, split) if index < split else (split, end)
        yield beside, hashed


def check_together(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Passes if all these leaf hashes, by index in rising order, are in the tree; NotIncluded otherwise."""
    indices = tuple(leaves)
    if not _rising(indices, size):
        raise NotIncluded(f"a tree of {size} leaves has no such leaves, each once and in their order")
    if any(len(each) != HASH_SIZE for each in (*leaves.values(), *proof, root)):
        raise NotIncluded(f"every hash has {HASH_SIZE} bytes, and one of these has not")
    left = iter(proof)

    def subtree(low: int, high: int, start: int, end: int) -> bytes:
        if low == high:
            found = next(left, None)
            if found is None:
                raise NotIncluded(f"the proof has {len(proof)} hashes, and {size} leaves call for more")
            return found
        if end - start == 1:
            return leaves[start]
        split = _split(start, end)
        middle = bisect_left(indices, split, low, high)
        return node_hash(subtree(low, middle, start, split), subtree(middle, high, split, end))

    found = subtree(0, len(indices), 0, size)
    if next(left, None) is not None:
        raise NotIncluded(f"the proof has {len(proof)} hashes, and {size} leaves call for fewer")
    if found != root:
        raise NotIncluded(f"the proof of {len(indices)} leaves among {size} leads to another root")


def _rising(indices: Sequence[int], size: int) -> bool:
    """Whether there is at least one, and each is a leaf behind the one before."""
    bounds = (-1, *indices, size)
    return bool(indices) and size <= MAX_SIZE and all(a < b for a, b in pairwise(bounds))


def _split(start: int, end: int) -> int:
    """Where the tree over these leaves parts (RFC 6962, 2.1)."""
    return start + (1 << (end - start - 1).bit_length() - 1)
