"""The plain model itself, on examples whose result the digest states."""

import random
from collections import Counter

import pytest

from tests.rules.qin.naive import ALLOTMENT, KINDS, TILES, CellXY, Naive, flood, write_placement

BIRD = (
    "a...........b/............./....cc...d.../............./e............/............f/"
    "....R.Y.B...f/............./.g.........../.........h.../.....i......./.....i......./"
    "jj..........k"
)
G, W, V, K = range(4)
THREE_BY_THREE = "RRRR...../...R...../RRR.RRR../........."  # X-ABS-6


def changes(match: Naive, move: str) -> list[int]:
    """How the supplies change when the seat to act makes this move."""
    before = list(match.supplies)
    match.play(match.turn[1], move)
    return [now - then for now, then in zip(match.supplies, before, strict=True)]


# The start.


def test_bird_starts_with_three_singles_and_nobody_owning_anything() -> None:
    match = Naive(BIRD, 3)

    assert match.colours == {(6, 4): "R", (6, 6): "Y", (6, 8): "B"}
    assert match.owners == {}
    assert match.villages == dict.fromkeys("abcdefghijk")
    assert match.supplies == [19, 19, 19]
    assert match.turn == ("place", 0)


def test_legal_placements_are_those_that_judge_lets_pass() -> None:
    match = Naive(BIRD, 2)
    for move in ("Re8Re9", "Yg8Bh8", "Rd9Rd8", "Bi8Bi9"):
        match.play(match.turn[1], move)
    cells = [(row, col) for row in range(13) for col in range(13)]
    candidates = {
        write_placement([(x, a), (y, b)])
        for a in cells
        for b in [(a[0], a[1] + 1), (a[0] + 1, a[1])]
        for x in "RYB"
        for y in "RYB"
    }

    assert len(match.legal()) == len(set(match.legal()))
    assert set(match.legal()) == {move for move in candidates if not match.judge(0, move)}


def test_a_recorded_match_begins_with_the_deal() -> None:
    match = Naive(BIRD, 2, recorded=True, rulings={"fair-start": "redeal-all"})

    assert match.judge(0, "Re8Re9") == ["QIN-TURN-1"]
    assert match.judge(None, "draw RB") == ["QIN-SETUP-2"]
    assert match.judge(None, "deal 2 RR RR RR") == ["QIN-SETUP-2"]
    assert match.judge(None, "deal 0 RR RR") == ["QIN-SETUP-2"]
    assert match.judge(None, "deal 0 RB YR BY") == ["QIN-SETUP-4"]

    match.play(None, "deal 1 BR YY ?")

    assert match.hands == [[], ["RB", "YY", "?"]]
    assert match.judge(None, "deal 1 RR RR RR") == ["QIN-SETUP-2"]

    match.play(None, "deal 0 RR RR RR")

    assert match.turn == ("place", 0)
    assert match.judge(0, "Re8Ye9") == ["QIN-TURN-1"]

    match.play(0, "Re9Re8")

    assert match.judge(None, "deal 0 RR RR RR") == ["QIN-DRAW-1"]
    assert match.judge(None, "draw RB from 5") == ["QIN-DRAW-1"]

    match.play(None, "draw BR from 4")

    assert match.hands[0] == ["RR", "RR", "RB"]
    assert match.turn == ("place", 1)
    assert match.judge(1, "pass") == ["QIN-TURN-2"]
    assert match.judge(1, "end") == ["QIN-END-3"]
    assert match.judge(1, "Bi8Bi9") == []  # the third tile may be that one


def test_a_thirteenth_tile_of_a_kind_cannot_come() -> None:
    match = Naive(BIRD, 2, recorded=True)
    match.set_position(hands=[["RR"] * 3, ["?"] * 3], placed={"RR": 9})
    match.turn = ("draw", 0)
    match.named_draws[3] = 16  # 66 tiles in piles of 17, 17, 16 and 16

    assert match.judge(None, "draw RR from 3") == ["QIN-COMP-1", "QIN-DRAW-1"]
    assert match.judge(None, "draw RY from 2") == []


# Where a tile may lie.


@pytest.mark.parametrize(
    ("map_text", "move", "broken"),
    [
        ("R../...", "Rb2Rc2", ["QIN-PLACE-3", "QIN-PLACE-4"]),
        ("Rv..", "Rc1Rd1", ["QIN-PLACE-3", "QIN-PLACE-5"]),
        ("R~./...", "Rb1Rc1", ["QIN-PLACE-1"]),
        ("R...", "Ra1Rb1", ["QIN-PLACE-1"]),
        ("R...", "Rb1Rd1", ["QIN-PLACE-2"]),
        ("R...", "Rd1Re1", ["QIN-PLACE-1", "QIN-PLACE-3"]),
        ("R...", "Rc1Rb1", []),
    ],
)
def test_a_tile_lies_on_two_free_cells_beside_a_territory(
    map_text: str, move: str, broken: list[str]
) -> None:
    match = Naive(map_text, 2)
    match.set_position()  # on some of these boards no tile can be placed at all

    assert match.judge(0, move) == broken


# Provinces.


def test_x_found_1_three_singles_and_a_tile_found_a_major() -> None:
    match = Naive(".R../...R/.R..", 2)

    assert changes(match, "Rb2Rc2") == [-2, 0]
    assert list(match.owners.values()) == [(G, 2)]


def test_ex_absorb_2_the_surplus_pagoda_goes_back() -> None:
    match = Naive("RRRR./..R../RR.RR/.....", 2)
    match.set_position(owners={(0, 0): G, (2, 0): G, (2, 3): W})

    assert changes(match, "Rc3Yc4") == [+1, +1]
    assert [(len(cells), owner) for cells, owner in match.owners.items()] == [(10, (G, 2))]


@pytest.mark.parametrize(
    ("map_text", "owners", "move", "rulings", "broken"),
    [
        ("RR.RR/.....", {(0, 0): G, (0, 3): W}, "Rc1Yc2", {}, ["QIN-ABSORB-4"]),
        ("RR.RR/.....", {(0, 0): G, (0, 3): G}, "Rc1Yc2", {}, []),
        ("RRRRR.RRRRR/" + "." * 11, {(0, 0): G, (0, 6): G}, "Rf1Yf2", {}, ["QIN-ABSORB-5"]),
        (THREE_BY_THREE, {(0, 0): G, (2, 0): W, (2, 4): W}, "Rd3Yd4", {}, ["QIN-ABSORB-6"]),
        (
            THREE_BY_THREE,
            {(0, 0): G, (2, 0): W, (2, 4): W},
            "Rd3Yd4",
            {"major-conflict": "major-keeps"},
            [],
        ),
        (THREE_BY_THREE, {(0, 0): G, (2, 0): W, (2, 4): V}, "Rd3Yd4", {}, []),
        (
            THREE_BY_THREE,
            {(0, 0): G, (2, 0): W, (2, 4): V},
            "Rd3Yd4",
            {"join-tie": "any", "major-conflict": "major-keeps"},
            ["QIN-ABSORB-4"],
        ),
        ("..R../RR.RR/.....", {(1, 0): G, (1, 3): W}, "Rc2Yc3", {}, ["QIN-ABSORB-4"]),
        ("..R../RR.RR/.....", {(1, 0): G, (1, 3): W}, "Rc2Yc3", {"singles": "mover"}, []),
    ],
)
def test_a_join_needs_an_owner_and_no_major_is_lost(
    map_text: str,
    owners: dict[CellXY, int],
    move: str,
    rulings: dict[str, str],
    broken: list[str],
) -> None:
    match = Naive(map_text, 3, rulings=rulings)
    match.set_position(owners=owners)

    assert match.judge(0, move) == broken


def test_x_abs_4_sums_and_single_provinces_give_different_owners() -> None:
    owners = {}
    for count in ("sum", "largest"):
        match = Naive("..R.../..R.../RR.RRR/......", 2, rulings={"join-count": count})
        match.set_position(owners={(0, 2): G, (2, 0): G, (2, 3): W})
        match.play(0, "Rc3Yc4")
        owners[count] = list(match.owners.values())

    assert owners == {"sum": [(G, 2)], "largest": [(W, 2)]}


# Villages.


def test_x_vil_6_two_equal_challengers_leave_the_village_with_its_owner() -> None:
    match = Naive("....../..BBBB/YYv.../..RRRR", 4)
    match.set_position(seat=V, owners={(2, 0): G, (1, 2): W, (3, 2): K}, villages={"v": G})

    assert changes(match, "Be3Rf3") == [0, -1, 0, -1]
    assert match.villages == {"v": G}


def test_x_vil_5_a_player_may_lose_a_village_on_his_own_turn() -> None:
    match = Naive("RRRR../BBv...", 2)
    match.set_position(owners={(0, 0): W, (1, 0): G}, villages={"v": G})

    assert changes(match, "Re1Yf1") == [+1, -2]
    assert match.villages == {"v": W}


# The end.


def test_x_end_3_when_two_would_place_their_last_the_active_seat_wins() -> None:
    match = Naive("YYYY..R", 2)
    match.set_position(owners={(0, 0): W}, supplies={G: 1, W: 1})

    assert changes(match, "Ye1Rf1") == [-1, 0]
    assert (match.turn, match.reason, match.winners) == (("over", None), "last-pagoda", [G])
    assert sorted(match.owners.values()) == [(G, 1), (W, 1)]  # W's second is due, not placed
    assert match.judge(1, "pass") == ["QIN-TURN-1"]


def test_x_end_4_settling_the_villages_first_can_take_the_victory_away() -> None:
    ends = {}
    for ruling in ("staged", "settled"):
        match = Naive("RRRR..Y/BBv....", 2, rulings={"last-pagoda": ruling})
        match.set_position(owners={(0, 0): W, (1, 0): G}, villages={"v": G}, supplies={G: 1})
        match.play(0, "Re1Yf1")
        ends[ruling] = (match.winners, match.villages["v"], match.supplies[G])

    assert ends == {"staged": ([G], G, 0), "settled": ([], W, 1)}


def test_a_table_that_all_passed_must_place_or_end() -> None:
    match = Naive(BIRD, 2)
    match.play(0, "pass")
    match.play(1, "pass")

    assert match.judge(0, "pass") == ["QIN-END-3"]
    assert match.judge(0, "end") == []

    match.play(0, "end")

    assert (match.reason, match.winners) == ("no-placement", [0, 1])


def test_stuck_by_the_hand_is_a_pass_or_the_end() -> None:
    match = Naive("RR.~/~~.~", 2, recorded=True)  # only c1c2 is free; RR would expand
    match.set_position(owners={(0, 0): G}, hands=[["?"], ["RR"]])

    assert match.judge(0, "pass") == []
    assert match.judge(0, "end") == ["QIN-END-3"]  # the other seat can place

    match.play(0, "pass")

    assert match.judge(1, "pass") == ["QIN-TURN-2"]

    match = Naive("RR.~/~~.~", 2, recorded=True, rulings={"stuck": "end"})
    match.set_position(owners={(0, 0): G}, hands=[["?"], ["RR"]])

    assert match.judge(0, "pass") == ["QIN-TURN-2"]
    assert match.judge(0, "end") == []


# Whole matches.


def assert_sound(match: Naive, bag: list[str] | None) -> None:
    """P1, P2, P3 and P4 of the digest."""
    for seat in range(match.seats):
        assert match.supplies[seat] + match.on_board(seat) == ALLOTMENT[match.seats]
    if bag is not None:
        for kind in KINDS:
            held = sum(hand.count(kind) for hand in match.hands)
            assert match.placed[kind] + held + bag.count(kind) == 12
        assert match.stock() == len(bag)
    assert sum(match.placed.values()) * 2 + 3 == len(match.colours)
    assert max(match.placed.values()) <= 12

    groups = {flood(match.colours, cell) for cell in match.colours}
    assert set(match.owners) == {group for group in groups if len(group) > 1}
    if match.reason == "last-pagoda":
        assert [seat for seat, left in enumerate(match.supplies) if left == 0] == match.winners
    else:
        assert min(match.supplies) >= 1
        for province, (_, pagodas) in match.owners.items():
            assert pagodas == (2 if len(province) >= 5 else 1)


def play_at_random(match: Naive, chance: random.Random) -> Counter[str]:
    """To the end, checking at every step; answers how often each sort of move was made."""
    made: Counter[str] = Counter()
    bag = [kind for kind in KINDS for _ in range(12)] if match.recorded else None
    if bag is not None:
        chance.shuffle(bag)
        for seat in range(match.seats):
            match.play(None, " ".join(["deal", str(seat), bag.pop(), bag.pop(), bag.pop()]))
    while match.turn[0] != "over":
        due, actor = match.turn
        if due == "draw":
            assert bag is not None
            move, by = f"draw {bag.pop()}", None
        else:
            placements = match.legal()
            move, by = (chance.choice(placements) if placements else "pass"), actor
        match.play(by, move)
        made[move if move == "pass" else due] += 1
        assert_sound(match, bag)
        if match.turn[0] == "place":
            assert all(len(hand) == 3 for hand in match.hands) or match.stock() == 0
    return made


@pytest.mark.parametrize("seed", range(20))
def test_a_random_match_is_sound_to_its_end(seed: int) -> None:
    match = Naive(BIRD, 2 + seed % 3, recorded=seed % 2 == 0)

    made = play_at_random(match, random.Random(seed))  # noqa: S311 (repeatable, not secret)

    assert made["place"] <= TILES
    assert match.reason in ("last-pagoda", "no-placement")


@pytest.mark.parametrize(
    "rulings",
    [
        {"major-conflict": "major-keeps", "singles": "mover"},
        {"join-count": "largest", "join-tie": "any", "singles": "mover"},
        {"last-pagoda": "settled", "stuck": "end"},
    ],
    ids=",".join,
)
def test_a_random_match_is_sound_under_other_rulings(rulings: dict[str, str]) -> None:
    match = Naive(BIRD, 4, recorded=True, rulings=rulings)

    play_at_random(match, random.Random(7))  # noqa: S311 (repeatable, not secret)

    assert match.winners
