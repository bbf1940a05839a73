"""Trees to prove things about, and a slow reading of the definition to compare with."""

import hashlib

from records.evidence.merkle import Nodes, leaf_hash, nodes_of

LEAVES = tuple(leaf_hash(f"leaf {at}".encode()) for at in range(520))
TREE: Nodes = nodes_of(LEAVES)


def defined_root(leaves: tuple[bytes, ...]) -> bytes:
    """The Merkle tree hash by the recursion that defines it (RFC 6962, 2.1), over leaf hashes."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + defined_root(leaves[:split]) + defined_root(leaves[split:])).digest()


def flipped(data: bytes, bit: int = 0) -> bytes:
    """The bytes with one bit turned over."""
    return bytes(byte ^ (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(data))
