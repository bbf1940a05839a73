"""One proof for several leaves."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.merkle import NotIncluded, OutsideTree, frontier_of, inclusion_proof, run_hash
from records.evidence.multiproof import check_together, prove_together, runs_of
from tests.records.evidence.trees import LEAVES, TREE, flipped

RUN = partial(run_hash, nodes=TREE)


@st.composite
def chosen(draw: st.DrawFn) -> tuple[list[int], int]:
    size = draw(st.integers(1, len(LEAVES)))
    return sorted(draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=40))), size


def leaves_of(indices: list[int]) -> dict[int, bytes]:
    return {index: LEAVES[index] for index in indices}


@given(chosen())
def test_leaves_of_any_tree_are_proven_together(asked: tuple[list[int], int]) -> None:
    indices, size = asked

    proof = prove_together(indices, size, RUN)

    check_together(leaves_of(indices), size, proof, frontier_of(size, TREE).root)


@given(st.integers(1, len(LEAVES)), st.data())
def test_for_one_leaf_it_has_the_hashes_of_its_inclusion_proof(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))

    assert sorted(prove_together([index], size, RUN)) == sorted(inclusion_proof(index, size, TREE))


@given(chosen())
def test_the_proofs_of_single_leaves_make_one_for_all_of_them(asked: tuple[list[int], int]) -> None:
    indices, size = asked
    runs = dict(run for index in indices for run in runs_of(index, size, inclusion_proof(index, size, TREE)))

    proof = prove_together(indices, size, lambda start, end: runs[start, end])

    assert proof == prove_together(indices, size, RUN)


@given(st.integers(1, len(LEAVES)))
def test_all_leaves_need_no_proof(size: int) -> None:
    assert prove_together(range(size), size, RUN) == ()


@given(chosen(), st.data())
def test_another_leaf_another_place_or_another_proof_proves_nothing(
    asked: tuple[list[int], int], data: st.DataObject
) -> None:
    indices, size = asked
    root = frontier_of(size, TREE).root
    proof = prove_together(indices, size, RUN)
    at = data.draw(st.sampled_from(indices))
    forged = [leaves_of(indices) | {at: flipped(LEAVES[at], data.draw(st.integers(0, 255)))}]
    proofs: list[tuple[bytes, ...]] = (
        [(*proof, proof[0] if proof else root), proof[:-1]] if proof else [(root,)]
    )
    if proof:
        place = data.draw(st.integers(0, len(proof) - 1))
        proofs.append(
            (*proof[:place], flipped(proof[place], data.draw(st.integers(0, 255))), *proof[place + 1 :])
        )

    for leaves in forged:
        with pytest.raises(NotIncluded):
            check_together(leaves, size, proof, root)
    for other in proofs:
        with pytest.raises(NotIncluded):
            check_together(leaves_of(indices), size, other, root)


@pytest.mark.parametrize("indices", [[], [3, 3], [4, 3], [-1], [10]])
def test_leaves_that_no_tree_has_are_not_proven(indices: list[int]) -> None:
    with pytest.raises(OutsideTree):
        prove_together(indices, 10, RUN)
    if len(set(indices)) == len(indices):
        with pytest.raises(NotIncluded):
            check_together(dict.fromkeys(indices, LEAVES[0]), 10, (), frontier_of(10, TREE).root)


def test_hashes_of_another_length_prove_nothing() -> None:
    root = frontier_of(2, TREE).root

    with pytest.raises(NotIncluded, match="32 bytes"):
        check_together({0: LEAVES[0][:-1]}, 2, (LEAVES[1],), root)
    with pytest.raises(NotIncluded, match="32 bytes"):
        check_together({0: LEAVES[0]}, 2, (LEAVES[1] + b"\0",), root)
