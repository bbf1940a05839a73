"""The Merkle tree, beside its definition, at every size up to several hundred and at random large ones."""

import functools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.merkle import (
    EMPTY_ROOT,
    MAX_LEAVES,
    BadProof,
    Frontier,
    NotConsistent,
    NotIncluded,
    OutsideTree,
    check_consistency,
    check_inclusion,
    consistency_proof,
    frontier_of,
    inclusion_proof,
    leaf_hash,
    node_hash,
    nodes_of,
    root_of,
)
from tests.records.evidence.trees import LEAVES, TREE, defined_root, flipped

ROOTS = tuple(frontier_of(size, TREE).root for size in range(len(LEAVES) + 1))

sizes = st.integers(1, len(LEAVES))
large = st.integers(1, MAX_LEAVES)


def refused(check: Callable[[], None]) -> bool:
    try:
        check()
    except BadProof:
        return True
    return False


def test_the_root_is_the_one_of_the_definition_at_every_size() -> None:
    for size in range(0, len(LEAVES), 7):
        assert ROOTS[size] == root_of(LEAVES[:size]) == defined_root(LEAVES[:size])
    for size in range(130):
        assert ROOTS[size] == defined_root(LEAVES[:size])


def test_a_tree_that_grows_leaf_by_leaf_has_every_root_and_returns_every_full_subtree_once() -> None:
    frontier, nodes = Frontier(), {}
    for size, leaf in enumerate(LEAVES, start=1):
        growth = frontier.append(leaf)
        frontier = growth.frontier
        for node in growth.nodes:
            assert (node.level, node.index) not in nodes
            nodes[node.level, node.index] = node.hash

        assert frontier == frontier_of(size, lambda level, index: nodes[level, index])
        assert frontier.root == ROOTS[size]

    assert all(found == TREE(*place) for place, found in nodes.items())
    assert len(nodes) == sum(len(LEAVES) >> level for level in range(len(LEAVES).bit_length()))


def test_every_leaf_of_every_size_has_its_proof() -> None:
    for size in range(1, 301):
        for index in range(size):
            proof = inclusion_proof(index, size, TREE)
            check_inclusion(LEAVES[index], index, size, proof, ROOTS[size])

            assert len(proof) <= (size - 1).bit_length()


def test_every_size_is_consistent_with_every_earlier_one() -> None:
    for new in range(301):
        for old in range(new + 1):
            proof = consistency_proof(old, new, TREE)
            check_consistency(old, ROOTS[old], new, ROOTS[new], proof)

            assert len(proof) <= max(new - 1, 0).bit_length() + 1


@given(sizes, st.data())
def test_a_proof_fits_no_other_leaf_index_or_root(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof, root = inclusion_proof(index, size, TREE), ROOTS[size]
    other = data.draw(st.integers(0, len(LEAVES) - 1).filter(lambda at: at != index))

    assert refused(lambda: check_inclusion(LEAVES[other], index, size, proof, root))
    assert refused(lambda: check_inclusion(LEAVES[index], other, size, proof, root))
    assert refused(lambda: check_inclusion(LEAVES[index], index, size, proof, flipped(root)))
    assert refused(lambda: check_inclusion(LEAVES[index], index, size, proof, ROOTS[size - 1]))


@given(sizes.filter(lambda size: size > 1), st.data())
def test_a_proof_that_was_cut_stretched_swapped_or_changed_proves_nothing(
    size: int, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(index, size, TREE)
    at = data.draw(st.integers(0, len(proof) - 1))
    bit = data.draw(st.integers(0, 255))
    changed = [
        proof[:at] + proof[at + 1 :],
        (*proof[: at + 1], proof[at], *proof[at + 1 :]),
        (*proof, ROOTS[size]),
        (*proof[:at], flipped(proof[at], bit), *proof[at + 1 :]),
        (*proof[:at], proof[at][:-1], *proof[at + 1 :]),
        (*proof[:at], b"", *proof[at + 1 :]),
    ]
    if len(proof) > 1:
        changed.append((*proof[1:], proof[0]))

    for wrong in changed:
        with pytest.raises(NotIncluded):
            check_inclusion(LEAVES[index], index, size, wrong, ROOTS[size])


@given(st.integers(2, len(LEAVES)), st.data())
def test_a_consistency_proof_fits_no_other_trees(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new - 1))
    proof = consistency_proof(old, new, TREE)
    at = data.draw(st.integers(0, len(proof) - 1))
    bit = data.draw(st.integers(0, 255))
    roots = ROOTS[old], ROOTS[new]
    trials = [
        (old, flipped(roots[0], bit), new, roots[1], proof),
        (old, roots[0], new, flipped(roots[1], bit), proof),
        (old, roots[1], new, roots[0], proof),
        (old - 1, roots[0], new, roots[1], proof),
        (old + 1, roots[0], new, roots[1], proof),
        (new, roots[1], old, roots[0], proof),
        (old, roots[0], new, roots[1], proof[:at] + proof[at + 1 :]),
        (old, roots[0], new, roots[1], (*proof, proof[-1])),
        (old, roots[0], new, roots[1], (*proof[:at], flipped(proof[at], bit), *proof[at + 1 :])),
        (old, roots[0], new, roots[1], (*proof[:at], proof[at] + b"\0", *proof[at + 1 :])),
    ]

    for trial in trials:
        assert refused(functools.partial(check_consistency, *trial))


def test_hashes_that_are_cut_elsewhere_are_refused_though_they_lead_to_the_root() -> None:
    joined = LEAVES[0] + LEAVES[1]
    leaf, sibling = joined[:31], joined[31:]

    assert node_hash(leaf, sibling) == ROOTS[2]
    with pytest.raises(NotIncluded, match="every hash has 32 bytes"):
        check_inclusion(leaf, 0, 2, (sibling,), ROOTS[2])


def test_a_hash_of_another_length_is_refused_in_every_place() -> None:
    short = LEAVES[0][:31]

    with pytest.raises(NotIncluded, match="every hash has 32 bytes"):
        check_inclusion(LEAVES[0], 0, 4, (short, TREE(1, 1)), ROOTS[4])
    with pytest.raises(NotConsistent, match="every hash has 32 bytes"):
        check_consistency(2, ROOTS[2], 4, ROOTS[4], (short,))
    with pytest.raises(NotConsistent, match="every hash has 32 bytes"):
        check_consistency(2, short, 4, ROOTS[4], consistency_proof(2, 4, TREE))


def test_a_rewritten_leaf_is_consistent_with_nothing_that_held_the_old_one() -> None:
    rewritten = (*LEAVES[:40], leaf_hash(b"another"), *LEAVES[41:])
    proof = consistency_proof(
        64, 100, lambda level, index: root_of(rewritten[index << level :][: 1 << level])
    )

    with pytest.raises(NotConsistent, match="another"):
        check_consistency(64, ROOTS[64], 100, root_of(rewritten[:100]), proof)


@given(large, st.data())
def test_random_large_trees_prove_the_same(size: int, data: st.DataObject) -> None:
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    nodes = _hashed_upwards(size.bit_length())

    proof = inclusion_proof(index, size, nodes)
    check_inclusion(LEAVES[0], index, size, proof, frontier_of(size, nodes).root)
    steps = consistency_proof(old, size, nodes)
    check_consistency(old, frontier_of(old, nodes).root, size, frontier_of(size, nodes).root, steps)

    assert len(proof) <= 63
    assert len(steps) <= 64


def _hashed_upwards(levels: int) -> Callable[[int, int], bytes]:
    """All leaves alike, so that a full subtree's hash depends on its level only."""
    hashes = [LEAVES[0]]
    for _ in range(levels):
        hashes.append(node_hash(hashes[-1], hashes[-1]))
    return lambda level, _index: hashes[level]


def test_the_first_checkpoint_needs_no_proof_but_an_empty_tree_has_one_root() -> None:
    check_consistency(0, EMPTY_ROOT, 5, ROOTS[5], ())

    with pytest.raises(NotConsistent, match="different roots"):
        check_consistency(0, ROOTS[1], 5, ROOTS[5], ())
    with pytest.raises(NotConsistent, match="is empty"):
        check_consistency(0, EMPTY_ROOT, 5, ROOTS[5], (ROOTS[1],))
    with pytest.raises(NotConsistent, match="different roots"):
        check_consistency(5, ROOTS[4], 5, ROOTS[5], ())


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 3), (0, 2**63), (5, -1)])
def test_there_is_no_proof_of_a_leaf_outside_the_tree(index: int, size: int) -> None:
    with pytest.raises(OutsideTree, match="no leaf"):
        inclusion_proof(index, size, TREE)
    with pytest.raises(NotIncluded, match="no leaf"):
        check_inclusion(LEAVES[0], index, size, (), LEAVES[0])


@pytest.mark.parametrize(("old", "new"), [(4, 3), (-1, 3), (1, 2**63)])
def test_there_is_no_proof_from_a_tree_to_a_smaller_one(old: int, new: int) -> None:
    with pytest.raises(OutsideTree, match="never had"):
        consistency_proof(old, new, TREE)
    with pytest.raises(NotConsistent, match="never had"):
        check_consistency(old, ROOTS[4], new, ROOTS[3], ())


def test_a_huge_proof_is_refused_by_its_length() -> None:
    huge = (ROOTS[1],) * 1_000_000

    with pytest.raises(NotIncluded, match="has 3 hashes, not 1000000"):
        check_inclusion(LEAVES[0], 0, 8, huge, ROOTS[8])
    with pytest.raises(NotConsistent, match="has 3 hashes, not 1000000"):
        check_consistency(6, ROOTS[6], 8, ROOTS[8], huge)


class TestPublishedVectors:
    """The tree of eight leaves that implementations of Certificate Transparency test each other with."""

    LEAVES = tuple(
        leaf_hash(bytes.fromhex(data))
        for data in (
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        )
    )
    ROOTS = tuple(
        bytes.fromhex(root)
        for root in (
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        )
    )

    def test_every_root(self) -> None:
        assert tuple(root_of(self.LEAVES[:size]) for size in range(9)) == self.ROOTS

    @pytest.mark.parametrize(
        ("index", "size", "proof"),
        [
            (0, 1, []),
            (0, 8, ["96a296d2", "5f083f0a", "6b47aaf2"]),
            (5, 8, ["bc1a0643", "ca854ea1", "d37ee418"]),
            (2, 3, ["fac54203"]),
            (1, 5, ["6e340b9c", "5f083f0a", "bc1a0643"]),
        ],
    )
    def test_inclusion(self, index: int, size: int, proof: list[str]) -> None:
        found = inclusion_proof(index, size, nodes_of(self.LEAVES))

        assert [one.hex()[:8] for one in found] == proof

    @pytest.mark.parametrize(
        ("old", "new", "proof"),
        [
            (1, 1, []),
            (1, 8, ["96a296d2", "5f083f0a", "6b47aaf2"]),
            (6, 8, ["0ebc5d34", "ca854ea1", "d37ee418"]),
            (2, 5, ["5f083f0a", "bc1a0643"]),
            (6, 7, ["0ebc5d34", "b08693ec", "d37ee418"]),
        ],
    )
    def test_consistency(self, old: int, new: int, proof: list[str]) -> None:
        found = consistency_proof(old, new, nodes_of(self.LEAVES))

        assert [one.hex()[:8] for one in found] == proof
