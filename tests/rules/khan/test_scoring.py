"""Points, territories, bonuses and winners. Scenarios by their ids (S-SC, S-BO, S-W)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.khan.game import KHAN
from rules.khan.outcome import bonuses, piece_points, points, share, territories
from tests.rules.khan.positions import GONE, position
from tests.rules.khan.strategies import KhanMatch, fewer, matches

TABLE_1 = (
    (37, 12, 8, 3, 3, 2),
    (32, 20, 8, 4, 3, 2, 2),
    (32, 18, 12, 3, 3, 3, 2, 2),
    (32, 10, 7, 5, 5, 4),
)
TABLE_2 = (
    (24, 20, 17, 8, 5, 2, 2, 2),
    (24, 20, 17, 8, 5, 2, 2, 2),
    (20, 20, 14, 12, 11),
    (20, 18, 7, 5, 5, 4),
)


@pytest.mark.parametrize(
    ("value", "owners", "each"), [(9, 1, 9), (9, 2, 5), (9, 3, 3), (9, 4, 3), (5, 2, 3), (3, 3, 1), (3, 4, 1)]
)
def test_s_sc_1_a_shared_value_is_rounded_up_for_each_owner(value: int, owners: int, each: int) -> None:
    assert share(value, owners) == each


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (TABLE_1, (10, 6, 3, 0)),
        (TABLE_2, (10, 10, 6, 3)),
        (((9,), (9,), (9,), (4,)), (10, 10, 10, 6)),
        (((9, 4), (9, 4, 2)), (6, 10)),
        (((), (4,)), (0, 10)),
        (((), ()), (0, 0)),
    ],
    ids=["s_bo_1", "s_bo_2", "s_bo_3", "s_bo_4-longer", "s_bo_4-none", "nobody"],
)
def test_bonuses(sizes: tuple[tuple[int, ...], ...], expected: tuple[int, ...]) -> None:
    assert bonuses(sizes) == expected


lists = st.lists(st.integers(2, 40), max_size=5).map(lambda sizes: tuple(sorted(sizes, reverse=True)))


@given(st.lists(lists, min_size=2, max_size=4))
def test_bonuses_depend_on_the_sizes_alone(sizes: list[tuple[int, ...]]) -> None:
    """Property 13: not on the order of seats; equal lists have equal ones; at most three ranks have any."""
    given_ = bonuses(sizes)

    for order in permutations(range(len(sizes))):
        assert bonuses([sizes[seat] for seat in order]) == tuple(given_[seat] for seat in order)
    assert len({bonus for bonus in given_ if bonus}) <= 3
    assert all((given_[i] == given_[j]) for i in order for j in order if sizes[i] == sizes[j])


def test_a_territory_counts_river_and_shared_pieces_in_full() -> None:
    state = position(
        {},
        "over",
        leaders={},
        camps=GONE,
        pieces="B3I:h9i9j9:2,B3I:h10i10j10:2,T2:f9g9:12,T2:a1b1:2,T2:c2c3:2",
    )

    assert territories(state, state.table.seats[1]) == (8, 2, 2)
    assert territories(state, state.table.seats[0]) == (2,)
    assert piece_points(state, state.table.seats[1]) == 4 + 4 + 1 + 2 + 2
    assert points(state) == (1 + 6, 13 + 10, 0, 0)


@pytest.mark.parametrize(
    ("pieces", "winners"),
    [
        ("T4I:a1b1c1d1:1,T2:a3b3:1,T2:a5b5:1,T2:f7g7:1,T4O:f1g1f2g2:2,T2:h1h2:2", (1,)),
        ("T4I:a1b1c1d1:1,T4O:f1g1f2g2:2", (0, 1)),
    ],
    ids=["s_w_1-larger", "s_w_1-level"],
)
def test_s_w_1_the_largest_territory_breaks_a_tie(pieces: str, winners: tuple[int, ...]) -> None:
    state = position({}, "over", leaders={}, camps=GONE, pieces=pieces, seats=2)
    outcome = KHAN.outcome(state)

    assert len(set(points(state))) == 1
    assert outcome is not None
    assert outcome.winners == winners


@fewer
@given(matches())
def test_shares_and_territories_add_up(match: KhanMatch) -> None:
    """Property 13."""
    state = match.last
    shapes = state.table.parts.shapes
    for piece in state.placed:
        value, owners = shapes[piece.shape].value, len(piece.owners)
        assert value <= share(value, owners) * owners < value + owners
    for seat in state.table.seats:
        owned = sum(piece.cells.bit_count() for piece in state.placed if seat in piece.owners)
        assert sum(territories(state, seat)) == owned
    outcome = KHAN.outcome(state)
    assert outcome is not None
    assert outcome.winners
