"""Li Si in the plain model, by the scenarios of the digest; their ids are in the comments."""

import pytest

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_course import begin_row
from tests.rules.zhanguo.naive_score import breakdown, governors
from tests.rules.zhanguo.naive_table import RIVAL
from tests.rules.zhanguo.naive_tables import GREEN, dealt, in_round, tokens

LI_SI = 1


def his_turn(number: int, level: int = 1) -> Naive:
    """Li Si is to act in this round; the human has cards left."""
    match = in_round(dealt(rival=f"{RIVAL}-{level}"), number)
    match.stack = [["reveal"]]
    return match


def test_a_kept_palace_tile_is_the_leftmost_and_scores_at_the_end() -> None:
    match = his_turn(1)
    match.lands["wei"].tiles = ["c", "l"]
    match.play(None, "reveal 15")

    rival = match.players[LI_SI]
    assert (rival.vp, rival.large, match.kept["wei"]) == (6, ["writing"], ["c"])  # SCN-19

    rival.board["wei"].cards = ["41", "42"]

    assert breakdown(match, LI_SI)["palace tiles"] == 6  # SCN-20


def test_the_card_comes_before_the_soldier() -> None:
    match = his_turn(3)
    rival = match.players[LI_SI]
    rival.boat = 17
    rival.board["zhao"].cards = ["1", "2"]
    match.play(None, "reveal 6")

    assert match.top == ["rival-alchemist"]  # SCN-21

    match.play(None, "deal A2")

    assert rival.board["zhao"].cards == ["1", "2", "A2"]
    assert (rival.locked, rival.entrance) == (7, 2)


def test_his_cards_fill_the_regions_up_to_the_round() -> None:
    match = his_turn(2)
    rival = match.players[LI_SI]
    rival.board["chu"].cards = ["81", "82"]
    match.play(None, "reveal 1")
    match.play(None, "card 12")

    assert (rival.board["chu"].cards[-1], rival.tokens["writing"]) == ("12", 3)  # SCN-22

    match.stack = [["reveal"]]
    match.play(None, "reveal 2")
    match.play(None, "card 50")

    assert (rival.board["wei"].cards, rival.tokens["currency"]) == (["50"], 1)
    assert rival.board["chu"].unrest == 0


def test_without_room_his_card_goes_to_court() -> None:
    match = his_turn(1)
    rival = match.players[LI_SI]
    rival.board["chu"].cards = ["81", "82", "83"]
    match.play(None, "reveal 1")
    match.play(None, "card 12")

    assert match.court == ["12"]
    assert rival.tokens == {"writing": 1, "currency": 1, "laws": 1}


def test_he_takes_a_reward_for_which_he_is_tied_and_above() -> None:
    match = in_round(dealt(rival="li-si-1"), 1, "offer:1:1")
    match.track = [LI_SI, GREEN]
    tokens(match, GREEN, (1, 0, 0))
    tokens(match, LI_SI, (1, 0, 0))
    begin_row(match, 1)
    match.settle()

    assert match.players[LI_SI].tokens["writing"] == 0  # SCN-46
    assert match.players[GREEN].tokens["writing"] == 1


@pytest.mark.parametrize(("level", "tie"), [(1, [5, 5]), (3, [0, 10])])
def test_only_face_b_wins_ties(level: int, tie: list[int]) -> None:
    match = dealt(rival=f"{RIVAL}-{level}")
    match.lands["qi"].area = [2, 2]

    assert governors(match, "qi") == tie  # SCN-47
    assert governors(match, "chu") == [0, 0]


def test_his_last_governor_goes_where_he_does_not_lead() -> None:
    match = his_turn(5)
    for region, count in {"chu": 2, "wei": 1, "zhao": 1, "qi": 2, "yan": 0}.items():
        match.lands[region].area[LI_SI] = count
        match.lands[region].palaces[LI_SI] = 2
    for spot, tile in {"a1": "MR1", "c1": "MR3", "c2": "MR5", "a3": "MR4", "c3": "MR2"}.items():
        match.spots[spot].tile = tile
    match.players[LI_SI].board["zhao"].cards = ["1", "2", "3"]
    match.lands["zhao"].area[GREEN] = 1
    match.play(None, "reveal 10")

    assert match.governors(LI_SI, "zhao") == 2  # ZHG-SOL-42, the first of the card's order with a tie


def test_the_human_chooses_where_he_has_fewer_soldiers_than_tiles() -> None:
    match = his_turn(1)
    match.spots["b1"].tile, match.spots["a2"].tile = "MW3", "MW1"
    match.players[LI_SI].boat = 12
    match.players[LI_SI].board["chu"].cards = ["A1", "A2"]
    match.walls["AR"].slots[0] = LI_SI
    match.play(None, "reveal 20")

    assert match.top == ["rival-soldier"]
    assert match.legal(GREEN) == ["soldier b1", "soldier b2"]

    match.play(GREEN, "soldier b2")

    assert match.players[LI_SI].vp == 9
    assert match.awaiting() == [GREEN]
