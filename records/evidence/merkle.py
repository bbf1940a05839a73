"""The Merkle tree of RFC 6962: hashes, growth, and making and checking proofs (RFC 9162, 2.1)."""

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

HASH_SIZE: Final = 32
"""The size of a hash, in bytes (SHA-256)."""

MAX_LEAVES: Final = 2**63 - 1
"""The maximum number of leaves of a tree, as in RFC 9162."""

EMPTY_ROOT: Final = hashlib.sha256(b"").digest()

Proof: TypeAlias = tuple[bytes, ...]

Nodes: TypeAlias = Callable[[int, int], bytes]
"""Returns the hash of a full subtree by level and index: over 2^level leaves, from leaf index·2^level on.

Level 0 holds the leaf hashes. Only full subtrees are requested, so a store needs only what ExtendedTree has.
"""


class OutsideTree(IndexError):
    """A tree of that size does not have that leaf, or never had that size."""


class BadProof(ValueError):
    """A proof that does not prove what it should."""


class NotIncluded(BadProof):
    """The proof does not lead from the leaf to the root."""


class NotConsistent(BadProof):
    """The proof does not show that the later tree begins with the earlier one."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two adjacent subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Node:
    """A full subtree with its hash."""

    level: int
    index: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Frontier:
    """What is needed to extend a tree: the roots of its largest full subtrees, from left to right."""

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        return _root_of_peaks(self.peaks) if self.peaks else EMPTY_ROOT

    def append(self, leaf: bytes) -> "ExtendedTree":
        """The tree after one more leaf hash."""
        peaks, level, index, node = list(self.peaks), 0, self.size, leaf
        nodes = [Node(level, index, node)]
        while index & 1:
            level, index, node = level + 1, index >> 1, node_hash(peaks.pop(), node)
            nodes.append(Node(level, index, node))
        return ExtendedTree(Frontier(self.size + 1, (*peaks, node)), tuple(nodes))


@dataclass(frozen=True, slots=True)
class ExtendedTree:
    """A tree after one more leaf, and the subtrees that this leaf completed; the leaf itself comes first."""

    frontier: Frontier
    nodes: tuple[Node, ...]


def frontier_of(size: int, nodes: Nodes) -> Frontier:
    """The frontier of a stored tree."""
    return Frontier(size, tuple(nodes(level, index) for level, index in _peaks(0, size)))


def nodes_of(leaves: Sequence[bytes]) -> Nodes:
    """The nodes over leaf hashes that are all in memory; each level is kept as one string of bytes."""
    pair = 2 * HASH_SIZE
    levels = [b"".join(leaves)]
    while len(below := levels[-1]) >= pair:
        ends = range(pair, len(below) + 1, pair)
        levels.append(b"".join(hashlib.sha256(b"\x01" + below[end - pair : end]).digest() for end in ends))
    return lambda level, index: levels[level][index * HASH_SIZE : (index + 1) * HASH_SIZE]


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes that are all in memory."""
    return frontier_of(len(leaves), nodes_of(leaves)).root


def inclusion_proof(index: int, size: int, nodes: Nodes) -> Proof:
    """The hashes that lead from a leaf to the root of the first `size` leaves; raises OutsideTree."""
    if not 0 <= index < size <= MAX_LEAVES:
        raise OutsideTree(f"a tree of {size} leaves has no leaf {index}")
    return tuple(_subtree(*sibling, size, nodes) for sibling in _siblings(0, index, size - 1))


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raises NotIncluded unless the leaf hash is at that index in the tree with that root."""
    if not 0 <= index < size <= MAX_LEAVES:
        raise NotIncluded(f"a tree of {size} leaves has no leaf {index}")
    siblings = tuple(_siblings(0, index, size - 1))
    if len(proof) != len(siblings):
        raise NotIncluded(
            f"a proof of leaf {index} among {size} has {len(siblings)} hashes, not {len(proof)}"
        )
    _require_hash_sizes(NotIncluded, leaf, root, *proof)
    node = leaf
    for hashed, (_, place) in zip(proof, siblings, strict=True):
        node = node_hash(node, hashed) if place & 1 else node_hash(hashed, node)
    if node != root:
        raise NotIncluded(f"the proof of leaf {index} among {size} leads to another root")


def consistency_proof(old: int, new: int, nodes: Nodes) -> Proof:
    """The hashes that prove that a tree of `new` leaves extends one of `old` leaves; raises OutsideTree."""
    if not 0 <= old <= new <= MAX_LEAVES:
        raise OutsideTree(f"a tree of {new} leaves never had {old}")
    if old in {0, new}:
        return ()
    level = _trailing_zeros(old)
    start = (old - 1) >> level
    shared = () if start == 0 else (nodes(level, start),)
    siblings = _siblings(level, start, (new - 1) >> level)
    return (*shared, *(_subtree(*sibling, new, nodes) for sibling in siblings))


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Raises NotConsistent unless the tree with the new root begins with the one with the old root."""
    if not 0 <= old <= new <= MAX_LEAVES:
        raise NotConsistent(f"a tree of {new} leaves never had {old}")
    _require_hash_sizes(NotConsistent, old_root, new_root)
    if old in {0, new}:
        if proof:
            raise NotConsistent(f"a proof from {old} leaves to {new} is empty, and this one is not")
        if old_root != (new_root if old else EMPTY_ROOT):
            raise NotConsistent(f"two trees of {old} leaves have different roots")
        return
    level = _trailing_zeros(old)
    start = (old - 1) >> level
    siblings = tuple(_siblings(level, start, (new - 1) >> level))
    expected = len(siblings) + (1 if start else 0)
    if len(proof) != expected:
        raise NotConsistent(f"a proof from {old} leaves to {new} has {expected} hashes, not {len(proof)}")
    _require_hash_sizes(NotConsistent, *proof)
    # If the shared subtree is the whole old tree, its hash is the old root (RFC 9162, 2.1.4.2, step 2).
    path = proof if start else (old_root, *proof)
    before = after = path[0]
    for hashed, (_, place) in zip(path[1:], siblings, strict=True):
        if place & 1:
            after = node_hash(after, hashed)
        else:
            before, after = node_hash(hashed, before), node_hash(hashed, after)
    if before != old_root:
        raise NotConsistent(f"the proof from {old} leaves to {new} leads to another old root")
    if after != new_root:
        raise NotConsistent(f"the proof from {old} leaves to {new} leads to another new root")


def _siblings(level: int, index: int, last: int) -> Iterator[tuple[int, int]]:
    """The level and index of each node that is hashed with a node on the way up to the root.

    `last` is the last index on the node's level. A sibling with an even index is to the left, one with an odd
    index to the right.
    """
    while last:
        if index == last:
            rise = _trailing_zeros(index)
            level, index, last = level + rise, index >> rise, last >> rise
        yield level, index ^ 1
        level, index, last = level + 1, index >> 1, last >> 1


def run_hash(start: int, end: int, nodes: Nodes) -> bytes:
    """The hash of the subtree over the leaves from start up to end, which need not be full."""
    return _root_of_peaks([nodes(*peak) for peak in _peaks(start, end)])


def _subtree(level: int, index: int, size: int, nodes: Nodes) -> bytes:
    """The hash of a subtree in a tree of that size; at the right edge it may not be full."""
    return run_hash(index << level, min((index + 1) << level, size), nodes)


def _peaks(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The level and index of the largest full subtrees over these leaves; start is aligned for the first."""
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


def _root_of_peaks(peaks: Sequence[bytes]) -> bytes:
    return functools.reduce(lambda right, left: node_hash(left, right), reversed(peaks))


def _trailing_zeros(number: int) -> int:
    """The number of trailing zero bits of a number that is not 0."""
    return (number & -number).bit_length() - 1


def _require_hash_sizes(fault: type[BadProof], *found: bytes) -> None:
    """Hashes of other lengths could be split at another place and hash to the same node."""
    if any(len(one) != HASH_SIZE for one in found):
        raise fault(f"every hash has {HASH_SIZE} bytes, and one of these has not")
