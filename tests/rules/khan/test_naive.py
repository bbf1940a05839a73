"""The plain model on the board, by the examples of the digest; their ids are in the comments."""

import random

import pytest

from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_line import read_line, write_line
from tests.rules.khan.naive_position import CARDS, HAND, UNKNOWN, Piece, Turn
from tests.rules.khan.naive_score import territories
from tests.rules.khan.naive_set import CLOCKWISE, CellXY, Footprint
from tests.rules.khan.naive_tables import (
    FAR,
    NAMES,
    B,
    G,
    N,
    R,
    Y,
    conquer,
    owners,
    played,
    protected,
    table,
    with_seljuk,
)

# Leaders flee.


def captioned() -> Naive:
    """The reconstructed figure of S-FLEE-1 to -3."""
    match = with_seljuk((6, 9), {(8, 7): N})
    match.pieces = [Piece("B3I", ((6, 6), (6, 7), (6, 8)), (Y,)), Piece("T2", ((9, 6), (10, 6)), (R,))]
    return match


@pytest.mark.parametrize(("direction", "target"), [("N", (5, 9)), ("SW", (5, 8)), ("W", (5, 8))])
def test_a_leader_flees_over_river_yurt_and_pieces_or_turns_clockwise(direction: str, target: CellXY) -> None:
    assert captioned().flee_target((6, 9), direction) == target  # S-FLEE-1, -2, -3


@pytest.mark.parametrize("direction", CLOCKWISE)
def test_a_leader_at_the_edge_has_five_directions(direction: str) -> None:
    ways = {"N": (1, 0), "NE": (1, 1), "E": (2, 1), "SE": (3, 1), "S": (3, 0)}

    assert with_seljuk((2, 0)).flee_target((2, 0), direction) == ways.get(direction, (1, 0))  # S-FLEE-4


@pytest.mark.parametrize(
    ("stands", "taken", "direction", "target"),
    [
        ((6, 11), [(7, 12), (8, 13)], "SE", (7, 11)),  # S-FLEE-5
        ((8, 3), [(7, 2), (6, 1), (5, 0)], "NW", (7, 3)),  # S-FLEE-6
        ((1, 3), [], "E", (1, 5)),  # S-FLEE-7
        ((1, 3), [(1, 5)], "E", (1, 6)),  # S-FLEE-8
        ((1, 3), [(1, 5), (1, 6)], "E", (3, 5)),  # S-FLEE-9
        ((3, 7), [], "S", (5, 5)),  # S-FLEE-10
        ((0, 13), [], "N", (1, 13)),  # S-FLEE-11
    ],
)
def test_a_leader_flees_to_the_nearest_free_cell_of_the_first_ray_that_has_one(
    stands: CellXY, taken: list[CellXY], direction: str, target: CellXY
) -> None:
    match = table(yurts=dict.fromkeys(taken), leaders={"seljuk": stands})

    assert match.flee_target(stands, direction) == target


def test_a_leader_who_flees_leaves_a_yurt_of_its_camp_behind() -> None:
    match = played(captioned(), "turn seljuk.N.joker")

    assert match.leaders["seljuk"] == (5, 9)
    assert match.yurts == {(8, 7): N, (6, 9): N}
    assert match.camps["seljuk"] == 4
    assert match.turn == Turn("act", Y, 2)


def test_a_leader_with_one_yurt_in_camp_leaves() -> None:
    match = played(with_seljuk((6, 9), camp=1), "turn seljuk.N.joker")  # S-REM-1

    assert match.yurts == {(6, 9): N}
    assert match.camps["seljuk"] == 0
    assert "seljuk" not in match.leaders


def test_a_leader_without_a_way_out_leaves() -> None:
    full = {(row, col): N for row in range(3) for col in range(4)}
    del full[0, 0]
    match = with_seljuk((0, 0), {**full, (3, 0): N, (3, 3): N}, camp=4)
    match.leaders["rus"] = (6, 0)

    played(match, "turn seljuk.N.joker")  # S-REM-2

    assert match.yurts[0, 0] is N
    assert match.camps["seljuk"] == 0
    assert match.turn == Turn("act", Y, 2)


def test_cards_of_leaders_who_have_left_are_turned_and_nothing_happens() -> None:
    match = played(with_seljuk((6, 9)), "turn leader-6.N.rock", "turn leader-7.N.tundra")  # S-REM-3

    assert match.turn == Turn("turn", Y)

    played(match, "turn seljuk.N.mountain")

    assert len(match.discard) == 3
    assert match.yurts == {(6, 9): N}


@pytest.mark.parametrize(("ruling", "camp"), [("remove", 0), ("flee", 1)])
def test_a_leader_with_one_yurt_in_camp_leaves_by_action_or_flees_by_ruling(ruling: str, camp: int) -> None:
    match = with_seljuk((6, 9), camp=1)
    match.rulings["last-camp-yurt"] = ruling
    match.turn = Turn("act", Y, 2)

    played(match, "chase seljuk", "turn rus.NE.joker")  # S-REM-4

    assert match.yurts == {(6, 9): N}
    assert match.camps["seljuk"] == camp
    assert match.leaders.get("seljuk") == ((5, 10) if camp else None)


def test_a_leader_chased_by_action_flees_by_any_card_and_its_camp_stays() -> None:
    match = with_seljuk((6, 9), camp=3)
    match.turn = Turn("act", Y, 2)

    played(match, "chase seljuk", "turn rus.NE.joker")  # S-B-1

    assert match.leaders["seljuk"] == (5, 10)
    assert match.camps["seljuk"] == 3
    assert match.turn == Turn("act", Y, 1)


# Invading.


@pytest.mark.parametrize(
    ("cell", "card", "broken"),
    [
        ("f1", "seljuk.NE.ice", []),  # S-A-1
        ("l1", "seljuk.NE.ice", ["KHAN-ACT-A"]),
        ("d2", "seljuk.W.river", []),  # S-A-2
        ("c2", "seljuk.W.river", ["KHAN-ACT-A"]),
        ("c1", "rus.N.neighbour", []),  # S-A-3
        ("b1", "rus.N.neighbour", ["KHAN-ACT-A"]),
        ("f6", "rus.N.neighbour", ["KHAN-ACT-A"]),
        ("g5", "seljuk.N.joker", ["KHAN-FREE-1"]),  # S-A-4
        ("a1", "seljuk.N.joker", ["KHAN-FREE-1"]),
    ],
)
def test_a_card_lets_a_yurt_on_its_ground(cell: str, card: str, broken: list[str]) -> None:
    assert table().judge(Y, f"invade {cell} {card}") == broken


def test_a_corner_of_the_river_counts_by_ruling() -> None:
    match = table()

    assert match.judge(Y, "invade d6 seljuk.W.river") == ["KHAN-ACT-A"]

    match.rulings["river-cells"] = "corner"

    assert match.judge(Y, "invade d6 seljuk.W.river") == []


def test_invading_anywhere_takes_both_actions_and_any_number_of_cards() -> None:
    match = table()
    match.specials[Y] = {}

    played(match, "anywhere c3", "discard seljuk.N.joker", "discard rus.N.neighbour", "discard rus.E.ice")

    assert match.turn == Turn("discard", Y)
    assert len(match.hands[Y]) == 1

    played(match, "done")  # S-D-1

    assert match.yurts == {(2, 2): Y}
    assert match.hands[Y] == [UNKNOWN] * 4
    assert match.turn == Turn("turn", R)


def test_invading_anywhere_is_no_second_action() -> None:
    match = played(table(), "invade c3 seljuk.N.joker")  # S-D-2

    assert match.judge(Y, "anywhere c4") == ["KHAN-ACT-D"]


# Conquering.

FIRST_EXAMPLE = {
    (7, 10): Y,
    (8, 10): Y,
    (8, 11): G,
    (7, 11): N,
    (7, 12): N,
    (8, 12): N,
    (9, 11): N,
    (9, 12): N,
}


@pytest.mark.parametrize(
    ("seat", "move", "broken"),
    [
        (Y, "conquer T6A k8l8m8k9l9m9", []),
        (Y, "conquer T2 l10m10", ["KHAN-MAJ-1"]),
        (R, "conquer T2 l10m10", ["KHAN-MAJ-1"]),
        (G, "conquer T2 l10m10", ["KHAN-MAJ-1"]),
        (B, "conquer T2 l10m10", ["KHAN-MAJ-1"]),
        (G, "conquer T2 l9m9", []),
        (Y, "conquer T2 l9m9", ["KHAN-MAJ-1"]),
    ],
)
def test_the_first_example_of_conquests(seat: int, move: str, broken: list[str]) -> None:
    match = table(4, dict(FIRST_EXAMPLE), turn=Turn("act", seat, 2))

    assert match.judge(seat, move) == broken


def test_the_owner_of_the_first_example_is_alone() -> None:
    match = table(4, dict(FIRST_EXAMPLE))

    assert owners(match, ((7, 10), (7, 11), (7, 12), (8, 10), (8, 11), (8, 12))) == "y"
    assert owners(match, ((8, 11), (8, 12))) == "g"


SECOND_EXAMPLE = {
    (8, 0): R,
    (8, 1): R,
    (8, 2): Y,
    (9, 1): Y,
    (9, 2): Y,
    (9, 0): N,
    (9, 3): B,
    (10, 3): N,
}


@pytest.mark.parametrize(
    ("shape", "cells", "who"),
    [
        ("T3I", ((8, 0), (8, 1), (8, 2)), "r"),
        ("T3I", ((9, 0), (9, 1), (9, 2)), "y"),
        ("T2", ((9, 3), (10, 3)), "b"),
        ("T4L", ((8, 0), (8, 1), (8, 2), (9, 2)), "ry"),
        ("T2", ((9, 2), (10, 2)), ""),
    ],
)
def test_the_second_example_of_conquests(shape: str, cells: Footprint, who: str) -> None:
    able = ""
    for seat in range(4):
        match = table(4, dict(SECOND_EXAMPLE), leaders={**FAR, "seljuk": (10, 2)}, turn=Turn("act", seat, 2))
        if not match.judge(seat, conquer(shape, *cells)):
            able += match.names[seat][0]
            match.play(seat, conquer(shape, *cells))

            assert "".join(sorted(match.names[each][0] for each in match.pieces[0].owners)) == who
            assert not set(cells) & set(match.yurts)

    assert "".join(sorted(able)) == who


@pytest.mark.parametrize(
    ("yurts", "move", "broken"),
    [
        ({(9, 7): Y, (9, 9): N}, "conquer B3I h10i10j10", []),
        ({(9, 7): Y}, "conquer B3I h10i10j10", ["KHAN-BRIDGE-1"]),
        ({(9, 7): Y, (9, 9): G, (9, 10): N}, "conquer B4I h10i10j10k10", []),
        ({(7, 6): Y, (6, 8): N}, "conquer B4L g8h8i8i7", []),
        ({(9, 7): Y}, "conquer T2 h10i10", ["KHAN-TILE-1"]),
        ({(9, 7): Y, (9, 9): N}, "conquer T3I h10i10j10", ["KHAN-TILE-1"]),
        ({(0, 3): Y, (1, 3): N}, "conquer B4L d1d2e2e1", ["KHAN-ACT-C"]),
        ({(0, 3): Y, (1, 3): N}, "conquer B4L c2d2e2e1", ["KHAN-BRIDGE-1"]),
        ({(3, 3): Y, (5, 3): N}, "conquer B4L d4e4e5e6", ["KHAN-BRIDGE-1"]),
        ({(3, 3): Y, (5, 4): N}, "conquer B4L d4e4e5e6", []),
    ],
)
def test_a_bridge_has_yurts_on_both_sides_and_as_much_water_as_printed(
    yurts: dict[CellXY, int | None], move: str, broken: list[str]
) -> None:
    assert table(4, yurts).judge(Y, move) == broken


def test_a_bridge_may_have_more_water_by_ruling() -> None:
    match = table(4, {(7, 6): Y, (7, 9): N})

    assert match.judge(Y, "conquer B4I g8h8i8j8") == ["KHAN-BRIDGE-1"]

    match.rulings["bridge-water"] = "at-least-one"

    assert match.judge(Y, "conquer B4I g8h8i8j8") == []


def test_two_bridges_side_by_side_are_one_territory() -> None:
    match = table(4, {(8, 7): Y, (8, 9): N, (9, 7): Y, (9, 9): Y})

    played(match, "conquer B3I h9i9j9", "conquer B3I h10i10j10")

    assert territories(match, Y) == [6]


# The whole.


def test_legal_moves_are_those_that_judge_lets_pass() -> None:
    match = protected({**FIRST_EXAMPLE, (9, 9): R, (9, 7): N, (10, 10): R, (9, 10): Y}, "protection")
    match.hands[R] = ["seljuk.SE.rock", "rus.N.neighbour"]
    everywhere = [f"{chr(ord('a') + col)}{row + 1}" for row in range(11) for col in range(14)]
    asked = [f"invade {cell} {card}" for card in match.printed.cards for cell in everywhere]
    asked += [f"anywhere {cell}" for cell in everywhere]
    asked += [f"chase {leader}" for leader in match.printed.starts]
    asked += [conquer(word, *cells) for word, every in match.printed.footprints.items() for cells in every]
    asked += ["pass", "done", "agree", "morale", "support rock"]

    legal = match.legal(R)

    assert legal == [move for move in asked if not match.judge(R, move)]
    assert {move.split()[0] for move in legal} == {"invade", "anywhere", "chase", "conquer"}


def assert_sound(match: Naive) -> None:
    """What holds at any time (section 12 of the digest)."""
    on_board = [*match.yurts, *match.leaders.values(), *(cell for p in match.pieces for cell in p.cells)]
    left = [match.supply(shape) for shape in match.printed.shapes]

    assert len(on_board) == len(set(on_board))
    assert min(left) >= 0
    assert sum(left) + len(match.pieces) == 38
    assert match.pile() >= 0
    assert len(match.apart) == sum(match.old)
    assert all(1 <= match.camps[leader] <= 5 for leader in match.leaders)
    assert [leader for leader in match.camps if leader not in match.leaders and match.camps[leader]] == []
    assert len(match.leaders) in (0, 4, 5, 6, 7, 8)
    assert all(len(hand) <= HAND for hand in match.hands)
    assert match.pile() + len(match.discard) + sum(map(len, match.hands)) == CARDS


@pytest.mark.parametrize("seed", range(9))
def test_a_random_match_is_sound_to_its_end(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    match = Naive(NAMES[: 2 + seed % 3], recorded=seed % 2 == 0)
    turns = 0
    while match.awaiting():
        actor = chance.choice(match.awaiting())
        legal = match.legal(actor)
        kind = chance.choice(sorted({move.split()[0] for move in legal}))
        again = read_line(write_line(match))
        turns += (
            match.turn == Turn("act", match.turn.seat, 2) and match.proposal is None and not match.refused
        )
        move = chance.choice([each for each in legal if each.split()[0] == kind])
        match.play(actor, move)
        again.play(actor, move)

        assert_sound(match)
        assert write_line(again) == write_line(match)

    assert turns <= 37
    assert match.winners()
