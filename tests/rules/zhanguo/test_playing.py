"""Playing a card and Court actions (sections 5 and 6 of the digest)."""

import pytest

from rules.zhanguo.pieces import OFFICIALS, Aspect, Card, Official, Region
from rules.zhanguo.player_board import Hand
from rules.zhanguo.state import State
from tests.rules.zhanguo.positions import Parts, asked, board, of, played, rules_broken, table


def test_scn_01_the_first_card_of_a_region_gives_one_token_and_no_unrest() -> None:
    after = played(table(), "green unify 12 zhao")

    assert of(after, "green").tokens == (1, 0, 0)
    assert after.supply(Aspect.WRITING) == 10
    assert board(after, "green", Region.ZHAO) == "12;;0;0"


def test_scn_02_the_second_card_gives_two_tokens_and_unrest() -> None:
    after = played(table(players={"green": {"wei": "12;;0;0"}}), "green unify 50 wei")

    assert of(after, "green").tokens == (0, 2, 0)
    assert after.supply(Aspect.CURRENCY) == 9
    assert board(after, "green", Region.WEI) == "12,50;;0;1"


SCN_03 = {
    "chu": ";;0;3",
    "wei": "1,2;;0;2",
    "zhao": "3;;0;2",
    "qi": "4,5;;0;1",
    "yan": "6,7;;0;2",
}


@pytest.mark.parametrize(("region", "broken"), [("wei", ["UNI-04"]), ("yan", ["UNI-04"])])
def test_scn_03_a_card_goes_nowhere_where_unrest_would_exceed_3(region: str, broken: list[str]) -> None:
    state = table(players={"green": SCN_03})

    assert rules_broken(state, f"green unify 12 {region}") == broken


def test_scn_03_a_card_goes_wherever_unrest_stays_at_3_or_below() -> None:
    regions = {
        move.split()[2] for move in asked(table(players={"green": SCN_03})) if move.startswith("unify")
    }

    assert regions == {"chu", "zhao", "qi"}


def test_scn_04_an_official_is_recruited_anywhere() -> None:
    after = played(table(), "green court 70", "green recruit alchemist wei")

    assert board(after, "green", Region.WEI) == ";a;0;0"
    assert of(after, "green").reserve(Official.ALCHEMIST) == 3
    assert [card + 1 for card in after.court] == [70]


def test_scn_05_symbols_are_asked_in_the_order_of_the_route() -> None:
    start = table(players={"green": {"boat": 9, "wei": ";a;0;0"}}, masters="M1M2M3")
    at_ten = played(start, "green court 70", "green search")

    assert of(at_ten, "green").boat == 12
    assert asked(at_ten) == ["unlock", *(f"place A{number} wei" for number in range(1, 6))]

    at_master = played(at_ten, "green place A3 wei")

    assert of(at_master, "green").tokens == (0, 0, 0)
    assert board(at_master, "green", Region.WEI) == "A3;a;0;0"
    assert asked(at_master) == ["master M1", "master M2", "master M3"]

    after = played(at_master, "green master M2")

    assert [card - 119 for card in of(after, "green").aside] == [1, 2, 4, 5, 7]
    assert of(after, "green").locked == 8


def test_scn_06_a_governor_sends_officials_home_and_calms_the_region() -> None:
    start = table(players={"green": {"wei": ";argg;0;2"}}, regions={"wei": ";000;G4:..;000"})
    after = played(start, "green court 70", "green install wei 1")
    green = of(after, "green")

    assert board(after, "green", Region.WEI) == ";g;0;0"
    assert [green.reserve(official) for official in OFFICIALS] == [4, 4, 3]
    assert (green.locked, green.entrance) == (7, 2)


def test_scn_07_hiring_brings_two_workers_where_one_general_is_and_unrest() -> None:
    start = table(players={"green": {"zhao": ";g;0;1", "yan": ";gg;0;0"}})
    at_court = played(start, "green court 70")
    after = played(at_court, "green hire zhao")

    assert board(after, "green", Region.ZHAO) == ";g;2;2"
    assert board(after, "green", Region.YAN) == ";gg;0;0"
    assert rules_broken(at_court, "green hire chu") == ["CRT-40"]


def test_scn_08_a_palace_takes_a_tile_and_a_large_token() -> None:
    start = table(players={"green": {"qi": "12;r;2;0", "chu": ";;1;0"}}, regions={"qi": "wl;000;;000"})
    after = played(
        start, "green court 70", "green palace qi chu", "green tile writing", "green large writing"
    )
    green = of(after, "green")

    assert [domain.workers for domain in green.domains] == [0] * 5
    assert board(after, "green", Region.QI) == "12;r;0;0"
    assert green.vp == 9
    assert green.large == (Aspect.WRITING,)
    assert [kind.word for kind in after.regions[Region.QI].tiles] == ["laws"]


def test_scn_09_the_first_wall_of_a_section_takes_the_top_emperor_tile() -> None:
    start = table(
        seats=4,
        players={"green": {"chu": ";;1;0", "wei": "A3;;2;0", "qi": ";;1;0"}},
        emperors="E1E2/-/-",
    )
    after = played(start, "green court 70", "green wall AL 1 chu+wei+qi")

    assert board(after, "green", Region.WEI) == "A3*E1;;1;0"
    assert [tile + 1 for tile in after.emperors[0]] == [2]


def test_scn_10_any_card_pays_for_any_action() -> None:
    after = played(table(players={"green": {"qi": ";;1;0"}}), "green court 3", "green wall AL 4 qi")

    assert after.walls[0].slots[3] == 0


@pytest.mark.parametrize(("unrest", "vp", "tiles", "left"), [(3, 6, 1, 3), (2, 10, 0, 3)])
def test_scn_34_the_tile_with_unrest_cannot_be_taken_at_3(
    unrest: int, vp: int, tiles: int, left: int
) -> None:
    start = table(
        players={"green": {"qi": f"5,11;r;2;{unrest}", "chu": ";;1;0"}},
        regions={"qi": "u;000;;000"},
        court="40",
    )
    after = played(start, "green court 70", "green palace qi chu", "green large laws")
    green = of(after, "green")

    assert green.vp == vp
    assert len(after.regions[Region.QI].tiles) == tiles
    assert green.domains[Region.QI].unrest == left
    assert "activate 5" not in asked(after)


@pytest.mark.parametrize("regions", [{"qi": ";r;3;0"}, {"qi": ";r;1;0", "chu": ";;2;0"}])
def test_scn_35_the_third_worker_of_a_palace_comes_from_elsewhere(regions: dict[str, str]) -> None:
    state = played(table(players={"green": regions}), "green court 70")

    assert [move for move in asked(state) if move.startswith("palace")] == []


def test_scn_36_workers_of_one_region_pay_for_one_stroke() -> None:
    state = played(table(seats=4, players={"green": {"qi": ";;3;0"}}), "green court 70")
    walls = [move for move in asked(state) if move.startswith("wall")]

    assert walls == [f"wall {section} 4 qi" for section in ("AL", "AR", "BL", "BR", "CL", "CR")]
    assert rules_broken(state, "green wall AL 1 qi+qi+qi") == ["CRT-62"]


@pytest.mark.parametrize(("seats", "slots"), [(3, [1, 2, 4]), (4, [1, 2, 3, 4])])
def test_slots_for_four_players_do_not_exist_for_three(seats: int, slots: list[int]) -> None:
    workers = dict.fromkeys(("chu", "wei", "zhao"), ";;1;0")
    state = played(table(seats=seats, players={"green": workers}), "green court 70")
    of_al = {int(move.split()[2]) for move in asked(state) if move.startswith("wall AL")}

    assert sorted(of_al) == slots
    if seats == 3:
        assert rules_broken(state, "green wall AL 3 chu+wei") == ["SET-07"]


def test_scn_32_a_short_supply_gives_what_it_has_and_unrest_rises_all_the_same() -> None:
    start = table(
        players={"green": {"wei": "1,2;;0;0"}, "violet": {"tokens": "0.0.5"}, "amber": {"tokens": "0.0.5"}}
    )
    after = played(start, "green unify 90 wei")

    assert of(after, "green").tokens == (0, 0, 1)
    assert after.supply(Aspect.LAWS) == 0
    assert of(after, "green").domains[Region.WEI].unrest == 2


def test_scn_49_a_first_card_is_placed_at_unrest_3() -> None:
    after = played(table(players={"green": {"chu": ";;0;3"}}), "green unify 12 chu")

    assert board(after, "green", Region.CHU) == "12;;0;3"
    assert of(after, "green").tokens == (1, 0, 0)
    assert rules_broken(table(players={"green": {"chu": "1;;0;3"}}), "green unify 12 chu") == ["UNI-04"]


def test_scn_33_movement_beyond_the_end_is_lost_and_a_boat_at_the_end_does_not_search() -> None:
    after = played(table(players={"green": {"boat": 19}}), "green court 70", "green search")

    assert of(after, "green").boat == 20
    assert of(after, "green").entrance == 3

    state = played(table(players={"green": {"boat": 20}}), "green court 70")

    assert rules_broken(state, "green search") == ["CRT-20"]


def test_scn_54_an_emperor_tile_that_was_not_taken_waits_for_the_other_section() -> None:
    without_cards = table(seats=4, players={"green": {"qi": ";;9;0"}}, emperors="E1E2/-/-")
    first = played(without_cards, "green court 70", "green wall AL 4 qi")

    assert [tile + 1 for tile in first.emperors[0]] == [1, 2]

    both = table(
        seats=4,
        players={"violet": {"qi": ";;9;0", "chu": ";;9;0", "wei": "12;;0;0"}},
        walls={"AL": "?:...1"},
        emperors="E1E2/-/-",
        turn="play:2",
    )
    later = played(both, "violet court 71", "violet wall AL 2 chu+qi")

    assert [tile + 1 for tile in later.emperors[0]] == [1, 2]

    taken = played(both, "violet court 71", "violet wall AR 4 qi")

    assert [tile + 1 for tile in taken.emperors[0]] == [2]
    assert board(taken, "violet", Region.WEI) == "12*E1;;0;0"


def test_scn_55_the_reserve_limits_each_type() -> None:
    state = played(table(players={"green": {"chu": ";aaaa;0;0"}}), "green court 70")

    assert rules_broken(state, "green recruit alchemist wei") == ["CRT-10"]
    assert "recruit general wei" in asked(state)


def test_scn_60_a_bonus_is_used_as_far_as_it_goes() -> None:
    start = table(
        players={"green": {"wei": ";argg;0;0", "chu": ";aa;0;0"}}, regions={"wei": ";000;G4:..;000"}
    )
    after = played(start, "green court 70", "green install wei 2")

    assert of(after, "green").reserve(Official.ALCHEMIST) == 2

    all_out = table(
        players={"green": {"wei": ";arg;0;0", "chu": ";aaa;0;0"}}, regions={"wei": ";000;G4:..;000"}
    )
    after = played(all_out, "green court 70", "green install wei 2", "green recruit alchemist yan")

    assert board(after, "green", Region.YAN) == ";a;0;0"


def test_a_card_may_be_forfeited_only_where_nothing_can_be_played() -> None:
    stuck: Parts = {
        "boat": 20,
        "chu": "1,2,3;aaaa;0;0",
        "wei": "4,5,6;rrrr;0;0",
        "zhao": "7,8,9;gggg;0;3",
        "qi": "10,11,12;;0;0",
        "yan": "13,14,15;;0;0",
    }
    state = table(players={"green": stuck}, seats=2)

    assert {move.split()[0] for move in asked(state)} == {"forfeit"}
    assert rules_broken(state, "green court 70") == ["CRT-02"]
    after = played(state, "green forfeit 70")

    assert [card + 1 for card in after.court] == [70]
    assert rules_broken(table(), "green forfeit 70") == ["PLY-02"]


@pytest.mark.parametrize(
    "state",
    [
        table(court="70"),
        table(players={"violet": {"wei": "70;;0;0"}}),
    ],
    ids=["at Court", "above a board"],
)
def test_an_unknown_card_is_none_that_lies_face_up(state: State) -> None:
    assert rules_broken(state, "green unify 70 chu") == ["CMP-18"]
    assert "unify 70 chu" not in asked(state)
    assert "unify 71 chu" in asked(state)


@pytest.mark.parametrize("move", ["unify 70 chu", "court 70"])
def test_an_unknown_card_may_be_one_that_is_recorded_in_another_hand(move: str) -> None:
    """To refuse it would tell green of violet's hand; once it is played, violet cannot have it."""
    state = table(players={"violet": {"hand": "12,70,w?,c?,l?,l?"}})

    assert move in asked(state)
    after = played(state, f"green {move}")

    assert of(after, "green").hand == Hand((), (2, 1, 2))
    assert of(after, "violet").hand == Hand((Card(11),), (1, 2, 2))


def test_a_hand_that_is_known_in_full_keeps_its_cards() -> None:
    state = table(players={"green": {"hand": "1,2,50,70,90,91"}, "violet": {"hand": "12,71,w?,c?,l?,l?"}})
    after = played(state, "green court 70")

    assert rules_broken(state, "green court 71") == ["PLY-01"]
    assert of(after, "violet").hand == of(state, "violet").hand


def test_a_card_of_an_aspect_that_the_hand_lacks_is_not_in_it() -> None:
    state = table(players={"green": {"hand": "w?,w?,l?,l?"}})

    assert rules_broken(state, "green court 70") == ["PLY-01"]
