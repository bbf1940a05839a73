"""The tree as tiles, with the examples of the tlog-tiles specification."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.merkle import (
    check_consistency,
    check_inclusion,
    consistency_proof,
    frontier_of,
    inclusion_proof,
    leaf_hash,
    nodes_of,
)
from records.evidence.tiles import (
    BadTile,
    BadTilePath,
    Tile,
    nodes_from_tiles,
    parse_tile_path,
    tile_bytes,
    tile_path,
    tiles_of,
)
from tests.records.evidence.trees import LEAVES, TREE

tiles = st.builds(Tile, st.integers(0, 63), st.integers(0, 2**63 - 1), st.integers(1, 256))


@given(tiles)
def test_a_path_names_its_tile(tile: Tile) -> None:
    assert parse_tile_path(tile_path(tile)) == tile


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 1_234_067), "tile/0/x001/x234/067"),
        (Tile(0, 0), "tile/0/000"),
        (Tile(1, 999, 17), "tile/1/999.p/17"),
        (Tile(63, 1_000, 255), "tile/63/x001/000.p/255"),
        (Tile(0, 273, 112), "tile/0/273.p/112"),
    ],
)
def test_paths_are_those_of_the_specification(tile: Tile, path: str) -> None:
    assert tile_path(tile) == path
    assert parse_tile_path(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "",
        "tile/0",
        "tile/0/67",
        "tile/00/067",
        "tile/64/067",
        "tile/-1/067",
        "tile/0/x000/067",
        "tile/0/001/067",
        "tile/0/x001",
        "tile/0/067.p/0",
        "tile/0/067.p/256",
        "tile/0/067.p/08",
        "tile/0/067.p/",
        "tile/0/067\n",
        "/tile/0/067",
        "tile/0/../067",
        "tile/0/٠٦٧",
        "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/0/" + "x001/" * 100_000 + "067",
    ],
)
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(BadTilePath, match="is not the path of a tile"):
        parse_tile_path(path)


def test_seventy_thousand_leaves_are_the_tiles_that_the_specification_counts() -> None:
    found = list(tiles_of(70_000))

    assert [tile for tile in found if tile.width == 256] == [
        *(Tile(0, index) for index in range(273)),
        Tile(1, 0),
    ]
    assert [tile for tile in found if tile.width < 256] == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert list(tiles_of(256)) == [Tile(0, 0), Tile(1, 0, 1)]
    assert not list(tiles_of(0))


@given(st.integers(0, 200_000), st.integers(0, 200_000))
def test_growth_adds_exactly_the_tiles_that_were_not_there(one: int, other: int) -> None:
    old, new = sorted((one, other))

    assert set(tiles_of(new, since=old)) == set(tiles_of(new)) - set(tiles_of(old))


def test_a_tile_holds_the_hashes_of_full_subtrees() -> None:
    assert tile_bytes(Tile(0, 1, 3), TREE) == b"".join(LEAVES[256:259])
    assert tile_bytes(Tile(1, 0, 2), TREE) == TREE(8, 0) + TREE(8, 1)


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 511, 513, 520])
def test_the_tiles_suffice_for_every_proof(size: int) -> None:
    published = {tile_path(tile): tile_bytes(tile, TREE) for tile in tiles_of(size)}
    nodes = nodes_from_tiles(size, lambda tile: published[tile_path(tile)])
    root = frontier_of(size, nodes).root

    assert root == frontier_of(size, TREE).root
    for at in range(0, size, 5):
        check_inclusion(LEAVES[at], at, size, inclusion_proof(at, size, nodes), root)
        check_consistency(at, frontier_of(at, nodes).root, size, root, consistency_proof(at, size, nodes))


def test_three_levels_of_tiles_hold_together() -> None:
    size = 66_000
    whole = nodes_of(tuple(leaf_hash(at.to_bytes(4)) for at in range(size)))
    nodes = nodes_from_tiles(size, lambda tile: tile_bytes(tile, whole))

    assert frontier_of(size, nodes) == frontier_of(size, whole)
    assert inclusion_proof(65_700, size, nodes) == inclusion_proof(65_700, size, whole)


def test_a_tile_of_another_length_is_refused() -> None:
    nodes = nodes_from_tiles(300, lambda tile: tile_bytes(tile, TREE)[:-1])

    with pytest.raises(BadTile, match=r"tile/0/001\.p/44 has 1408 bytes, not 1407"):
        nodes(0, 256)
