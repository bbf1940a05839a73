"""The activation step (section 7 of the digest): a loop over what is triggered now."""

import pytest

from rules.zhanguo.pieces import Region
from tests.rules.zhanguo.positions import asked, board, of, played, rules_broken, table

BUILDER = {"qi": ";r;2;0", "chu": ";;1;0"}


def test_scn_11_a_card_at_unrest_3_is_not_activated_and_moving_is_offered_until_one_is() -> None:
    start = table(
        players={
            "green": {**BUILDER, "wei": "5,11;;0;0", "yan": "17;;0;3"},
            "violet": {"tokens": "0.0.0WCL"},
        },
        court="40",
    )
    built = played(start, "green court 70", "green palace qi chu")

    assert of(built, "green").vp == 6
    assert asked(built) == [
        "activate 5",
        "activate 11",
        "move architect qi zhao",
        "move architect qi yan",
        "done",
    ]
    assert rules_broken(built, "green activate 17") == ["ACT-04"]

    after = played(built, "green activate 11")

    assert [move for move in asked(after) if move.startswith("move architect")] == []


def test_scn_12_without_the_number_test_an_official_may_still_move() -> None:
    start = table(players={"green": {"qi": ";g;1;0", "wei": "6;;0;0"}}, court="70")
    built = played(start, "green court 40", "green wall AL 4 qi")

    assert asked(built) == ["move general qi zhao", "move general qi yan", "done"]
    assert rules_broken(built, "green activate 6") == ["ACT-01"]


def test_scn_30_the_first_court_action_of_the_match_passes_the_test() -> None:
    start = table(players={"green": {"wei": "4;;0;0", "chu": ";g;0;0"}, "violet": {"wei": "7;;0;0"}})
    first = played(start, "green court 1", "green hire chu")

    assert "activate 4" in asked(first)

    second = played(first, "green done", "violet court 2", "violet recruit general chu")

    assert rules_broken(second, "violet activate 7") == ["ACT-01"]


def test_scn_31_unrest_is_looked_at_before_every_activation() -> None:
    start = table(
        players={"green": {"wei": "22,4;;0;2", "qi": "106;;0;0", "chu": ";g;0;0"}},
        court="1",
    )
    raised = played(start, "green court 70", "green hire chu", "green activate 22")

    assert of(raised, "green").domains[Region.WEI].unrest == 3
    assert rules_broken(raised, "green activate 4") == ["ACT-04"]
    assert "activate 106" in asked(raised)

    calmed = played(raised, "green activate 106", "green calm wei")

    assert "activate 4" in asked(calmed)
    assert rules_broken(calmed, "green activate 22") == ["ACT-03"]


def test_scn_37_a_governor_calms_the_region_before_the_activation() -> None:
    start = table(players={"green": {"wei": "9;arg;0;3"}}, court="80")
    after = played(start, "green court 70", "green install wei area")

    assert board(after, "green", Region.WEI) == "9;;0;0"
    assert "activate 9" in asked(after)


def test_scn_48_hiring_locks_the_cards_of_its_region() -> None:
    start = table(players={"green": {"chu": "4;ggg;0;2", "wei": "10;;0;0"}}, court="1")
    after = played(start, "green court 70", "green hire chu")

    assert board(after, "green", Region.CHU) == "4;ggg;2;3"
    assert [move for move in asked(after) if move.startswith("activate")] == ["activate 10"]


def test_scn_50_a_master_counts_itself_and_others_of_its_region() -> None:
    start = table(players={"green": {"wei": "M1,A2;;0;0", "qi": "A1;;0;0"}}, court="80")
    after = played(start, "green court 70", "green search", "green activate M1")

    assert of(after, "green").vp == 4


def test_scn_61_a_master_gives_points_as_the_number_of_the_round() -> None:
    start = table(players={"green": {**BUILDER, "wei": "M5;;0;0"}}, court="1", number=3)
    built = played(start, "green court 70", "green palace qi chu", "green large laws")
    after = played(built, "green activate M5")

    assert of(after, "green").vp == 6 + 3


def test_a_card_that_a_symbol_brought_is_activated_in_the_same_turn() -> None:
    start = table(players={"green": {"boat": 9, "wei": ";a;0;0"}}, court="80", masters="M1M2")
    sailed = played(start, "green court 70", "green search", "green place A4 wei", "green master M1")

    assert asked(sailed)[0] == "activate A4"


@pytest.mark.parametrize(
    ("rulings", "wall", "hire"), [((), False, True), ((("emperor-effect", "adds"),), True, True)]
)
def test_an_emperor_tile_replaces_the_trigger_or_adds_to_it(
    rulings: tuple[tuple[str, str], ...], *, wall: bool, hire: bool
) -> None:
    """AMB-03: 6 is triggered by walls, and E1 says recruit and hire."""
    start = table(
        seats=4,
        players={"green": {"wei": "6*E1;;0;0", "qi": ";g;1;0"}},
        court="1",
        rulings=rulings,
    )
    at_court = played(start, "green court 70")

    assert ("activate 6" in asked(played(at_court, "green wall AL 4 qi"))) is wall
    assert ("activate 6" in asked(played(at_court, "green hire qi"))) is hire
