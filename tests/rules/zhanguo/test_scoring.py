"""The final score (section 10 of the digest)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from rules.kernel.actors import Seat
from rules.zhanguo.annex import WallCount
from rules.zhanguo.pieces import SPOTS
from rules.zhanguo.scoring import ScoreSheet, lines, score, wall_count
from tests.rules.zhanguo.positions import table


def test_scn_18_the_worked_example_of_the_rulebook() -> None:
    state = table(
        players={
            "green": {
                "vp": 62,
                "boat": 12,
                "locked": 3,
                "entrance": 1,
                "chu": "1,A1;r;0;0",
                "wei": "2,A2;;0;0",
                "zhao": "3;;0;0",
                "qi": ";rr;0;0",
                "aside": "A3A4A5",
            }
        },
        regions={
            "chu": ";000;;010",
            "wei": ";000;;110",
            "zhao": ";000;;001",
            "qi": ";000;;210",
            "yan": ";000;;120",
        },
        spots={
            "a1": "chu=MR1:1...",
            "b1": "A=MW1:1...",
            "c1": "wei=MR2:1...",
            "a2": "B=MW2:1...",
            "a3": "qi=MR3:1...",
        },
        walls={"AL": "W2b:1...", "BL": "W1a:.1..", "CL": "W4b:.1.."},
    )

    assert score(state, Seat(0)) == ScoreSheet(62, 22, 6, 20, 19, 2, 0)
    assert score(state, Seat(0)).total == 131


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ("2221", (6, 6, 6, 0)),
        ("1100", (10, 10, 0, 0)),
        ("1111", (5, 5, 5, 5)),
        ("110", (7, 7, 0)),
        ("111", (5, 5, 5)),
        ("33", (5, 5)),
        ("00", (0, 0)),
    ],
)
def test_scn_41_equal_leaders_share_a_region(counts: str, points: tuple[int, ...]) -> None:
    none = "0" * len(counts)
    state = table(seats=len(counts), regions={"chu": f";{none};;{counts}"})

    assert tuple(score(state, seat).governors for seat in state.table.seats) == points


@pytest.mark.parametrize(("soldiers", "points"), [(0, 0), (1, 2), (2, 5), (3, 9), (5, 9)])
def test_scn_42_soldiers_at_the_entrance(soldiers: int, points: int) -> None:
    state = table(players={"green": {"entrance": soldiers, "locked": 9 - soldiers}})

    assert score(state, Seat(0)).entrance == points


def test_scn_58_what_wall_faces_count() -> None:
    cards = {"chu": "1,41;a;0;1", "wei": "81,A1;;0;0", "qi": "2,42,A2;ar;0;3"}
    state = table(players={"green": {**cards, "zhao": ";ar;0;2"}})

    assert wall_count(state, Seat(0), WallCount.SET_OF_FOUR) == 1
    assert wall_count(state, Seat(0), WallCount.PAIR) == 0
    assert wall_count(state, Seat(0), WallCount.ORDER) == 2
    assert wall_count(state, Seat(0), WallCount.CALM) == 2

    more = table(players={"green": {**cards, "zhao": "A3,M1;ar;0;2"}})

    assert wall_count(more, Seat(0), WallCount.PAIR) == 1


@given(st.sets(st.sampled_from(SPOTS)))
def test_inv_46_lines_are_bounded_by_the_soldiers_placed(placed: set[int]) -> None:
    state = table()
    mausoleum = tuple(
        structs.replace(spot, slots=(Seat(0),) if at in placed else ())
        for at, spot in enumerate(state.mausoleum)
    )
    count = lines(structs.replace(state, mausoleum=mausoleum), Seat(0))

    assert count in {0, 1, 2, 3, 4, 6}
    assert count <= (0, 0, 0, 1, 1, 2, 2, 3, 4, 6)[len(placed)]


@given(st.dictionaries(st.sampled_from(SPOTS), st.integers(0, 3)))
def test_inv_25_lines_depend_on_the_spots_and_not_on_the_slots(slots: dict[int, int]) -> None:
    state = table()

    def counted(slot_of: dict[int, int]) -> int:
        mausoleum = tuple(
            structs.replace(
                spot, slots=tuple(Seat(0) if slot_of.get(at) == slot else Seat(1) for slot in range(4))
            )
            for at, spot in enumerate(state.mausoleum)
        )
        return lines(structs.replace(state, mausoleum=mausoleum), Seat(0))

    assert counted(slots) == counted(dict.fromkeys(slots, 0))
