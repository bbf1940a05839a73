"""Activation in the plain model, by the scenarios of the digest; their ids are in the comments."""

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_set import REGIONS
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


def activations(match: Naive) -> list[str]:
    return [move for move in match.legal(match.base_seat()) if move.startswith("activate")]


def palace_at_qi(court: str) -> Naive:
    match = dealt()
    match.court = [court]
    put(match, "qi", has="r", workers=2)
    put(match, "chu", workers=1)
    match.lands["qi"].tiles = []
    tokens(match, AMBER, (0, 0, 0), ("writing", "currency", "laws"))
    return match


def test_matching_cards_are_activated_or_an_official_moves() -> None:
    match = palace_at_qi("40")
    put(match, "wei", "5", "11")
    put(match, "yan", "17", unrest=3)

    play(match, GREEN, "court 70", "palace qi chu")

    assert match.players[GREEN].vp == 6  # SCN-11
    assert match.legal(GREEN) == [
        "activate 5",
        "activate 11",
        "move architect qi zhao",
        "move architect qi yan",
        "done",
    ]
    assert match.judge(GREEN, "activate 17") == ["ZHG-ACT-04"]

    play(match, GREEN, "activate 11")

    assert not any(move.startswith("move") for move in match.legal(GREEN) if match.top[0] == "step")


def test_a_failed_number_test_leaves_only_the_move() -> None:
    match = dealt()
    match.court = ["70"]
    put(match, "qi", has="g", workers=1)
    put(match, "wei", "6")
    match.piles["A"] = []

    play(match, GREEN, "court 40", "wall AL 4 qi")

    assert match.legal(GREEN) == ["move general qi zhao", "move general qi yan", "done"]  # SCN-12
    assert match.judge(GREEN, "activate 6") == ["ZHG-ACT-01"]


def test_the_first_court_action_of_the_match_passes_the_test() -> None:
    match = dealt()
    put(match, "wei", "4")
    put(match, "chu", has="g")
    put(match, "violet wei", "7")

    play(match, GREEN, "court 1", "hire chu")

    assert activations(match) == ["activate 4"]  # SCN-30

    play(match, GREEN, "done")
    play(match, VIOLET, "court 2", "recruit general chu")

    assert activations(match) == []


def test_unrest_is_looked_at_before_every_activation() -> None:
    match = dealt()
    match.court = ["1"]
    put(match, "wei", "22", "4", unrest=2)
    put(match, "qi", "106")
    put(match, "chu", has="g")

    play(match, GREEN, "court 70", "hire chu", "activate 22")

    assert activations(match) == ["activate 106"]  # SCN-31

    play(match, GREEN, "activate 106", "calm wei")

    assert activations(match) == ["activate 4"]


def test_a_governor_frees_its_region_for_activation() -> None:
    match = dealt()
    match.court = ["80"]
    put(match, "wei", "9", has="arg", unrest=3)

    play(match, GREEN, "court 70", "install wei area")

    assert (unrest(match)[1], activations(match)) == (0, ["activate 9"])  # SCN-37


def test_hiring_may_lock_its_own_region() -> None:
    match = dealt()
    match.court = ["1"]
    put(match, "chu", "4", has="ggg", unrest=2)
    put(match, "wei", "10")

    play(match, GREEN, "court 70", "hire chu")

    assert (workers(match)[0], unrest(match)[0]) == (2, 3)  # SCN-48
    assert activations(match) == ["activate 10"]


def test_a_bonus_is_taken_as_far_as_it_goes() -> None:
    match = dealt()
    put(match, "chu", has="aarg")
    put(match, "wei", has="aa")
    match.lands["chu"].governor_tiles = ["G4"]

    play(match, GREEN, "court 70", "install chu 2", "recruit alchemist yan")

    assert match.players[GREEN].board["yan"].officials["alchemist"] == 1  # SCN-60


def test_masters_score_what_they_count() -> None:
    match = dealt()
    match.court = ["80"]
    put(match, "wei", "M1", "A2")
    put(match, "qi", "A1")
    match.players[GREEN].aside = ["A3", "A4", "A5"]
    match.masters = ["M2", "M3"]

    play(match, GREEN, "court 70", "search", "activate M1")

    assert match.players[GREEN].vp == 4  # SCN-50


def test_the_round_master_scores_the_round() -> None:
    match = in_round(palace_at_qi("40"), 3)
    put(match, "wei", "M5")

    play(match, GREEN, "court 70", "palace qi chu", "activate M5")

    assert match.players[GREEN].vp == 6 + 3  # SCN-61


def test_without_any_play_a_card_is_forfeited() -> None:
    match = dealt()
    match.players[GREEN].boat = 20
    for number, region in enumerate(REGIONS):
        three = [str(3 * number + step) for step in (1, 2, 3)]
        put(match, region, *three, has="aaaa" if number == 0 else "rrrr" if number == 1 else "")
    match.players[GREEN].board["zhao"].officials["general"] = 4
    for region in REGIONS:
        match.players[GREEN].board[region].unrest = 3

    assert {move.split()[0] for move in match.legal(GREEN)} == {"forfeit"}  # AMB-12
    assert match.judge(GREEN, "court 70") == ["ZHG-CRT-02"]

    play(match, GREEN, "forfeit 70")

    assert match.court == ["70"]
    assert match.awaiting() == [VIOLET]
