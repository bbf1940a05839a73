"""Cards, Court actions and soldiers in the plain model, by the scenarios of the digest, with their ids."""

import pytest

from tests.rules.zhanguo.naive_set import OFFICIALS, REGIONS, SECTIONS
from tests.rules.zhanguo.naive_tables import (
    AMBER,
    GREEN,
    VIOLET,
    dealt,
    in_round,
    play,
    put,
    tokens,
    unrest,
    workers,
)

# Cards that only their holder sees.


def test_an_unknown_card_may_be_one_that_another_hand_is_said_to_hold() -> None:
    match = dealt(recorded=True)
    match.players[VIOLET].hand = ["12", "70", "w?", "c?", "l?", "l?"]

    assert match.judge(GREEN, "unify 70 chu") == []
    play(match, GREEN, "court 70")

    assert match.players[GREEN].hand == ["w?", "w?", "c?", "l?", "l?"]
    assert match.players[VIOLET].hand == ["12", "c?", "w?", "c?", "l?", "l?"]


# Unification.


def test_a_first_card_gives_one_token_and_no_unrest() -> None:
    match = dealt()

    play(match, GREEN, "unify 12 zhao")

    assert match.players[GREEN].tokens["writing"] == 1  # SCN-01
    assert match.supply("writing") == 10
    assert match.players[GREEN].board["zhao"].cards == ["12"]
    assert unrest(match) == [0, 0, 0, 0, 0]


def test_a_second_card_gives_two_tokens_and_one_unrest() -> None:
    match = dealt()
    put(match, "wei", "12")

    play(match, GREEN, "unify 50 wei")

    assert match.players[GREEN].tokens["currency"] == 2  # SCN-02
    assert match.supply("currency") == 9
    assert unrest(match) == [0, 1, 0, 0, 0]


def test_unrest_above_three_forbids_a_region() -> None:
    match = dealt()
    put(match, "chu", unrest=3)
    put(match, "wei", "1", "2", unrest=2)
    put(match, "zhao", "3", unrest=2)
    put(match, "qi", "4", "5", unrest=1)
    put(match, "yan", "6", "7", unrest=2)

    verdicts = {region: match.judge(GREEN, f"unify 12 {region}") for region in REGIONS}

    forbidden = ["ZHG-UNI-04"]
    assert verdicts == {"chu": [], "wei": forbidden, "zhao": [], "qi": [], "yan": forbidden}  # SCN-03


@pytest.mark.parametrize(("cards", "broken"), [((), []), (("1",), ["ZHG-UNI-04"])])
def test_at_unrest_three_only_a_first_card_is_legal(cards: tuple[str, ...], broken: list[str]) -> None:
    match = dealt()
    put(match, "chu", *cards, unrest=3)

    assert match.judge(GREEN, "unify 12 chu") == broken  # SCN-49


def test_a_short_supply_gives_what_there_is() -> None:
    match = dealt()
    put(match, "wei", "1", "2")
    tokens(match, VIOLET, (0, 0, 10))

    play(match, GREEN, "unify 90 wei")

    assert match.players[GREEN].tokens["laws"] == 1  # SCN-32
    assert (unrest(match)[1], match.supply("laws")) == (2, 0)


# Court actions.


def test_an_official_is_recruited() -> None:
    match = dealt()

    play(match, GREEN, "court 70", "recruit alchemist wei")

    assert match.players[GREEN].board["wei"].officials["alchemist"] == 1  # SCN-04
    assert match.reserve(GREEN, "alchemist") == 3
    assert match.court == ["70"]


def test_a_type_without_reserve_cannot_be_recruited() -> None:
    match = dealt()
    put(match, "chu", has="aaaa")

    play(match, GREEN, "court 70")

    assert match.judge(GREEN, "recruit alchemist wei") == ["ZHG-CRT-10"]  # SCN-55
    assert match.judge(GREEN, "recruit general wei") == []


def test_symbols_of_a_search_are_resolved_in_route_order() -> None:
    match = dealt()
    put(match, "wei", has="a")
    match.players[GREEN].boat = 9

    play(match, GREEN, "court 70", "search")

    assert match.players[GREEN].boat == 12  # SCN-05
    assert match.legal(GREEN) == ["unlock", *(f"place A{number} wei" for number in range(1, 6))]

    play(match, GREEN, "place A3 wei")

    assert match.legal(GREEN) == ["master M1", "master M2", "master M3"]
    assert (unrest(match)[1], match.players[GREEN].tokens) == (0, {"writing": 0, "currency": 0, "laws": 0})

    play(match, GREEN, "master M2")

    assert match.players[GREEN].aside == ["A1", "A2", "A4", "A5", "M2"]
    assert match.players[GREEN].locked == 8


def test_what_has_one_answer_is_not_asked_at_the_end_of_the_route() -> None:
    match = dealt()
    match.players[GREEN].boat = 19

    play(match, GREEN, "court 70", "search")

    assert (match.players[GREEN].boat, match.players[GREEN].entrance) == (20, 3)  # SCN-33


def test_a_boat_at_the_end_cannot_search() -> None:
    match = dealt()
    match.players[GREEN].boat = 20

    play(match, GREEN, "court 70")

    assert match.judge(GREEN, "search") == ["ZHG-CRT-20"]  # SCN-33


def test_a_governor_costs_three_officials_and_calms_its_region() -> None:
    match = dealt()
    put(match, "wei", has="argg", unrest=2)
    match.lands["wei"].governor_tiles = ["G4"]

    play(match, GREEN, "court 70", "install wei 1")

    assert match.players[GREEN].board["wei"].officials["general"] == 1  # SCN-06
    assert [match.reserve(GREEN, official) for official in OFFICIALS] == [4, 4, 3]
    assert unrest(match)[1] == 0
    assert (match.players[GREEN].locked, match.players[GREEN].entrance) == (7, 2)


def test_hiring_adds_two_workers_and_one_unrest() -> None:
    match = dealt()
    put(match, "zhao", has="g", unrest=1)
    put(match, "yan", has="gg")

    play(match, GREEN, "court 70")

    assert match.judge(GREEN, "hire chu") == ["ZHG-CRT-40"]  # SCN-07

    play(match, GREEN, "hire zhao")

    assert (workers(match), unrest(match)) == ([0, 0, 2, 0, 0], [0, 0, 2, 0, 0])


def test_a_palace_costs_three_workers_and_gives_tile_and_large_token() -> None:
    match = dealt()
    put(match, "qi", "12", has="r", workers=2)
    put(match, "chu", workers=1)
    match.lands["qi"].tiles = ["w", "l"]

    play(match, GREEN, "court 70", "palace qi chu", "tile writing", "large writing")

    assert workers(match) == [0] * 5  # SCN-08
    assert match.players[GREEN].board["qi"].officials["architect"] == 1
    assert (match.players[GREEN].vp, match.players[GREEN].large) == (9, ["writing"])
    assert match.lands["qi"].tiles == ["l"]


@pytest.mark.parametrize(("before", "points", "after"), [(3, 6, 3), (2, 10, 3)])
def test_the_unrest_tile_is_taken_only_below_three(before: int, points: int, after: int) -> None:
    match = dealt()
    put(match, "qi", "5", "11", has="r", workers=2, unrest=before)
    put(match, "chu", workers=1)
    match.lands["qi"].tiles = ["u"]

    play(match, GREEN, "court 70", "palace qi chu", "large writing")

    assert (match.players[GREEN].vp, unrest(match)[3]) == (points, after)  # SCN-34
    assert not any(move.startswith("activate") for move in match.legal(GREEN))


@pytest.mark.parametrize(("at_qi", "at_chu"), [(3, 0), (1, 2)])
def test_the_third_worker_comes_from_another_region(at_qi: int, at_chu: int) -> None:
    match = dealt()
    put(match, "qi", has="r", workers=at_qi)
    put(match, "chu", workers=at_chu)

    play(match, GREEN, "court 70")

    assert not any(move.startswith("palace") for move in match.legal(GREEN))  # SCN-35


def test_the_first_wall_of_a_section_takes_the_emperor_tile() -> None:
    match = dealt(4)
    for region, cards, count in (("chu", (), 1), ("wei", ("A3",), 2), ("qi", (), 1)):
        put(match, region, *cards, workers=count)
    match.piles["A"] = ["E1", "E2"]

    play(match, GREEN, "court 70", "wall AL 1 chu+wei+qi")

    assert workers(match) == [0, 1, 0, 0, 0]  # SCN-09
    assert match.triggers(GREEN, "A3") == ("recruit", "hire")
    assert match.piles["A"] == ["E2"]


def test_any_card_pays_for_any_action() -> None:
    match = dealt()
    put(match, "qi", workers=1)

    play(match, GREEN, "court 3", "wall AL 4 qi")

    assert match.walls["AL"].slots[3] == GREEN  # SCN-10


def test_wall_workers_come_from_different_regions() -> None:
    match = dealt(4)
    put(match, "qi", workers=3)

    play(match, GREEN, "court 70")

    assert [move for move in match.legal(GREEN) if move.startswith("wall")] == [
        f"wall {section} 4 qi" for section in SECTIONS
    ]  # SCN-36


def test_an_emperor_tile_is_for_the_first_wall_of_a_section_only() -> None:
    match = dealt(4)
    match.piles["A"] = ["E1", "E2"]
    put(match, "chu", workers=1)
    put(match, "violet chu", "12", workers=3)
    put(match, "violet wei", workers=2)
    play(match, GREEN, "court 70", "wall AL 4 chu")

    assert match.piles["A"] == ["E1", "E2"]  # SCN-54

    in_round(match, 1).stack = [["play", "2"]]
    play(match, VIOLET, "court 71", "wall AL 2 chu+wei")

    assert match.piles["A"] == ["E1", "E2"]

    match.stack = [["play", "2"]]
    play(match, VIOLET, "court 72", "wall AR 4 chu")

    assert match.players[VIOLET].emperors == {"12": "E1"}


# Mausoleum.


def test_a_soldier_takes_the_highest_free_slot() -> None:
    match = dealt()
    match.spots["b1"].tile = "MW3"
    match.spots["b1"].slots[0] = GREEN
    match.players[GREEN].entrance = 0
    match.walls["AL"].slots[0] = AMBER
    match.stack = [["play", "3"]]

    play(match, AMBER, "unify 12 chu", "soldier b1")

    assert match.players[AMBER].vp == 6  # SCN-17


def test_two_players_skip_the_slots_of_three() -> None:
    match = dealt(2)
    match.spots["b1"].tile = "MW3"
    match.walls["AL"].slots = [GREEN, VIOLET]

    play(match, GREEN, "unify 12 chu", "soldier b1")
    play(match, VIOLET, "unify 13 chu", "soldier b1")

    assert [player.vp for player in match.players] == [9, 4]  # SCN-44
