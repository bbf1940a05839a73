"""The plain model in phase 3 and at the end, by the scenarios of the digest, with their ids in comments."""

import pytest

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_course import begin_row
from tests.rules.zhanguo.naive_rewards import ranking
from tests.rules.zhanguo.naive_score import breakdown, face_count, governors, scores
from tests.rules.zhanguo.naive_tables import (
    AMBER,
    GREEN,
    VIOLET,
    WHITE,
    dealt,
    in_round,
    play,
    put,
    tokens,
    unrest,
)


def rewards(match: Naive, number: int) -> Naive:
    """Phase 3 of this round begins."""
    in_round(match, number, "offer:1:1")
    begin_row(match, 1)
    match.settle()
    return match


def test_rewards_are_offered_row_by_row_and_cost_turn_order() -> None:
    match = dealt()
    tokens(match, GREEN, (3, 0, 1))
    tokens(match, VIOLET, (1, 1, 1))
    tokens(match, AMBER, (0, 2, 0))
    match.lands["qi"].spaces = [WHITE, WHITE]
    rewards(match, 4)

    assert match.top == ["offer", "1", "1"]  # SCN-13

    play(match, GREEN, "accept")

    assert (match.players[GREEN].tokens["writing"], match.players[GREEN].entrance) == (0, 3)
    assert match.top == ["offer", "3", "2"]

    play(match, AMBER, "accept", "install qi area")

    assert match.top == ["offer", "2", "3"]

    play(match, VIOLET, "pass")
    play(match, GREEN, "accept", "wall CL 1", "done")

    assert match.track == [VIOLET, AMBER, GREEN]  # SCN-14
    assert match.players[VIOLET].tokens == {"writing": 1, "currency": 1, "laws": 1}


def test_six_tokens_unlock_two_soldiers() -> None:
    match = dealt()
    tokens(match, GREEN, (2, 3, 1))
    match.walls["AL"].slots[0] = GREEN
    match.spots["b1"].tile = "MW3"
    in_round(match, 1, "pay:1:0")

    play(match, GREEN, "pay wwc", "pay ccl")

    assert (match.players[GREEN].entrance, sum(match.players[GREEN].tokens.values())) == (3, 0)  # SCN-15

    play(match, GREEN, "soldier b1")

    assert (match.players[GREEN].entrance, match.players[GREEN].vp) == (2, 9)


def test_only_who_has_more_than_five_tokens_returns_some() -> None:
    match = dealt()
    tokens(match, GREEN, (3, 0, 0), ("laws",))
    tokens(match, VIOLET, (4, 0, 2))
    tokens(match, AMBER, (0, 0, 2))
    in_round(match, 1, "pay:3:0")
    match.settle()

    assert match.large_left("laws")  # SCN-16
    assert match.legal(VIOLET) == ["return w", "return l"]

    play(match, VIOLET, "return l")

    assert (match.round, match.awaiting()) == (2, [GREEN])


def test_there_are_nine_ways_to_return_four_of_nine_tokens() -> None:
    match = dealt()
    tokens(match, GREEN, (4, 1, 4))
    in_round(match, 1, "return:1")

    assert len(match.legal(GREEN)) == 9  # SCN-59


@pytest.mark.parametrize(("on_board", "offered"), [("ggg", False), ("gg", True)])
def test_a_reward_is_taken_whole_or_not_at_all(on_board: str, offered: bool) -> None:  # noqa: FBT001 - a table
    match = dealt()
    put(match, "yan", has=on_board)
    tokens(match, GREEN, (0, 1, 0))
    rewards(match, 1)

    assert (match.top == ["offer", "1", "2"]) is offered  # SCN-38


def test_who_takes_rewards_plays_last() -> None:
    match = dealt(4)
    tokens(match, AMBER, (2, 2, 2))
    rewards(match, 1)

    play(match, AMBER, "accept", "recruit general chu", "accept", "accept")

    assert match.track == [GREEN, VIOLET, WHITE, AMBER]  # SCN-39


def test_ties_go_by_the_track_and_then_by_the_column() -> None:
    match = in_round(dealt(4), 1, "offer:4:3")
    match.track, match.column = [GREEN, AMBER], [WHITE, VIOLET, None]
    tokens(match, VIOLET, (0, 0, 2))
    tokens(match, WHITE, (0, 0, 2))

    assert ranking(match, 3) == [WHITE, VIOLET]  # SCN-40


def test_a_large_token_counts_two() -> None:
    match = in_round(dealt(), 1, "offer:1:1")
    match.track = [AMBER, GREEN, VIOLET]
    tokens(match, GREEN, (1, 0, 0))
    tokens(match, VIOLET, (0, 0, 0), ("writing",))
    tokens(match, AMBER, (2, 0, 0))

    assert ranking(match, 1) == [AMBER, VIOLET, GREEN]  # SCN-52


def test_accepting_gives_the_large_token_back() -> None:
    match = dealt()
    tokens(match, GREEN, (0, 0, 0), ("writing",))
    tokens(match, VIOLET, (1, 0, 0))
    rewards(match, 1)

    play(match, GREEN, "accept")

    assert match.large_left("writing")  # SCN-62


def test_a_soldier_is_paid_with_as_few_tokens_as_reach_three() -> None:
    match = dealt()
    tokens(match, GREEN, (1, 0, 0), ("laws",))
    in_round(match, 1, "pay:1:0")

    assert match.legal(GREEN) == ["pay Lw", "done"]  # SCN-51

    tokens(match, GREEN, (1, 0, 0), ("laws", "currency"))

    assert match.legal(GREEN) == ["pay CL", "pay Cw", "pay Lw", "done"]

    match.settings["unlock-cost"] = "count"

    assert match.legal(GREEN) == ["pay CLw", "done"]


def test_a_free_palace_gives_its_tile_but_no_large_token() -> None:
    match = dealt()
    put(match, "chu", "12", "14", unrest=2)
    match.lands["chu"].tiles = ["w"]
    tokens(match, GREEN, (1, 0, 0))
    rewards(match, 5)

    play(match, GREEN, "accept", "palace chu")

    assert (match.players[GREEN].vp, match.players[GREEN].large, unrest(match)[0]) == (12, [], 2)  # SCN-53


def test_a_long_boat_reward_passes_two_symbols() -> None:
    match = dealt(table="T2")
    match.players[GREEN].boat = 12
    tokens(match, GREEN, (0, 1, 0))
    rewards(match, 5)

    play(match, GREEN, "accept")

    assert (match.players[GREEN].boat, match.players[GREEN].entrance) == (19, 3)  # SCN-56


def test_who_cannot_take_a_reward_passes_without_an_entry() -> None:
    match = dealt()
    match.players[GREEN].locked, match.players[GREEN].entrance = 1, 8
    tokens(match, GREEN, (2, 0, 0))
    tokens(match, VIOLET, (1, 0, 0))
    rewards(match, 4)

    assert match.top == ["offer", "2", "1"]  # SCN-57
    assert match.players[GREEN].tokens["writing"] == 2


def test_a_boat_at_the_end_makes_a_boat_reward_impossible() -> None:
    match = dealt()
    match.players[GREEN].boat = 20
    tokens(match, GREEN, (0, 1, 0))
    rewards(match, 2)

    assert match.round == 3  # SCN-33


# Scoring.


def test_the_worked_example_scores_131() -> None:
    match = in_round(dealt(), 5, "over")
    green = match.players[GREEN]
    green.vp, green.boat = 62, 12
    for region, counts in {
        "wei": [1, 1, 0],
        "qi": [2, 1, 0],
        "chu": [0, 1, 0],
        "zhao": [0, 0, 1],
        "yan": [1, 2, 0],
    }.items():
        match.lands[region].area = counts
    put(match, "chu", "1", "A1", has="r")
    put(match, "wei", "2", "A2")
    put(match, "zhao", "3")
    put(match, "qi", has="rr")
    for spot in ("a1", "b1", "c1", "a2", "a3"):
        match.spots[spot].slots[0] = GREEN
    for section, face, slot in (("AL", "W2b", 1), ("BL", "W1a", 2), ("CL", "W4b", 2)):
        match.walls[section].face = face
        match.walls[section].slots[slot - 1] = GREEN

    assert list(breakdown(match, GREEN).values()) == [62, 22, 6, 20, 19, 2]  # SCN-18
    assert scores(match)[GREEN] == 131


@pytest.mark.parametrize(
    ("counts", "shares"),
    [
        ([2, 2, 2, 1], [6, 6, 6, 0]),
        ([1, 1, 0, 0], [10, 10, 0, 0]),
        ([1, 1, 1, 1], [5, 5, 5, 5]),
        ([1, 1, 0], [7, 7, 0]),
        ([1, 1, 1], [5, 5, 5]),
        ([3, 3], [5, 5]),
        ([0, 0], [0, 0]),
    ],
)
def test_governors_share_a_majority(counts: list[int], shares: list[int]) -> None:
    match = dealt(len(counts))
    match.lands["qi"].area = counts

    assert governors(match, "qi") == shares  # SCN-41


@pytest.mark.parametrize(("soldiers", "points"), [(0, 0), (1, 2), (2, 5), (3, 9), (5, 9)])
def test_soldiers_at_the_entrance_score(soldiers: int, points: int) -> None:
    match = dealt()
    match.players[GREEN].entrance = soldiers

    assert breakdown(match, GREEN)["entrance"] == points  # SCN-42


def test_wall_faces_count() -> None:
    match = dealt()
    put(match, "chu", "1", "41", has="a", unrest=1)
    put(match, "wei", "81", "A1")
    put(match, "zhao", has="rr", unrest=2)
    put(match, "qi", "2", "42", "A2", has="gg", unrest=3)

    assert [face_count(match, GREEN, what) for what in ("set4", "pair", "order", "calm")] == [
        *(1, 0),
        *(2, 2),
    ]  # SCN-58

    put(match, "zhao", "A3", "M1")

    assert face_count(match, GREEN, "pair") == 1
