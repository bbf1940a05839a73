"""Li Si (section 11 of the digest)."""

import pytest

from rules.kernel.actors import Seat
from rules.zhanguo.components import ZHG_REFERENCE, read_file, set_tag
from rules.zhanguo.pieces import Aspect, Region
from rules.zhanguo.scoring import score
from rules.zhanguo.state import State
from tests.rules.zhanguo.positions import (
    Parts,
    asked,
    awaited,
    board,
    of,
    played,
    rules_broken,
    settled,
    table,
)
from tests.rules.zhanguo.strategies import SET, SOLO

LEVEL_1 = (("rival", "li-si-1"),)
LEVEL_2 = (("rival", "li-si-2"),)
LEVEL_3 = (("rival", "li-si-3"),)
LEVEL_4 = (("rival", "li-si-4"),)
EVERY_REGION = {
    "a1": "chu=MR1:....",
    "b1": "A=MW1:....",
    "c1": "wei=MR2:....",
    "a2": "B=MW2:....",
    "b2": "elixir=ME1:....",
    "c2": "zhao=MR3:....",
    "a3": "qi=MR4:....",
    "b3": "C=MW3:....",
    "c3": "yan=MR5:....",
}


def solo(  # noqa: PLR0913 - a table has all of these
    rival: Parts | None = None,
    *,
    green: Parts | None = None,
    turn: str = "reveal",
    number: int = 1,
    regions: dict[str, str] | None = None,
    spots: dict[str, str] | None = None,
    walls: dict[str, str] | None = None,
    emperors: str = "-/-/-",
    masters: str = "M1M2",
    deck: str = "wwccll",
    court: str = "-",
    order: str | None = None,
    kept: str = "",
    options: tuple[tuple[str, str], ...] = LEVEL_1,
    rulings: tuple[tuple[str, str], ...] = (),
    components: str = SET,
) -> State:
    """A solo table, Li Si's card about to be revealed."""
    return table(
        seats=SOLO[0],
        players={"green": green or {}, "li-si": rival or {}},
        turn=turn,
        number=number,
        regions=regions,
        spots=spots or EVERY_REGION,
        walls=walls,
        emperors=emperors,
        masters=masters,
        deck=deck,
        court=court,
        order=order,
        kept=kept,
        options=options,
        rulings=rulings,
        components=components,
    )


def test_scn_19_a_palace_card_keeps_the_leftmost_tile_for_the_end() -> None:
    after = played(solo(regions={"wei": "cl;00;;00"}), "reveal 15")

    assert of(after, "li-si").vp == 6
    assert [kind.word for kind in after.kept[Region.WEI]] == ["currency"]
    assert [kind.word for kind in after.regions[Region.WEI].tiles] == ["laws"]
    assert after.holder(Aspect.WRITING) == 1


def test_scn_20_a_kept_tile_scores_for_the_cards_of_its_region() -> None:
    state = solo({"wei": "41,42;;0;0"}, kept="-/c/-/-/-")

    assert score(state, Seat(1)).tiles == 6


def test_scn_21_a_card_first_and_a_soldier_where_there_is_no_place() -> None:
    state = played(solo({"boat": 2, "zhao": "1,2;;0;0"}, number=3, deck="-"), "reveal 6")

    assert of(state, "li-si").boat == 5
    assert asked(state) == [f"deal A{number}" for number in range(1, 6)]

    two = solo({"boat": 2, "zhao": "1,2;;0;0"}, number=3, options=LEVEL_3)
    moved = played(two, "reveal 7", "deal A2")

    assert board(moved, "li-si", Region.ZHAO) == "1,2,A2;;0;0"
    assert of(moved, "li-si").entrance == 2


def test_scn_22_regions_are_filled_from_chu_to_that_of_the_round() -> None:
    start = solo({"chu": "1,2;;0;0"}, number=2)
    first = played(start, "reveal 1", "card 90")

    assert board(first, "li-si", Region.CHU) == "1,2,90;;0;0"
    assert of(first, "li-si").tokens == (0, 0, 3)

    second = played(first, "green unify 12 chu", "reveal 2", "card 91")

    assert board(second, "li-si", Region.WEI) == "91;;0;0"
    assert of(second, "li-si").tokens == (0, 0, 4)


def test_without_a_place_his_card_goes_to_court_for_a_token_of_each_aspect() -> None:
    start = solo({"chu": "1,2,3;;0;0"})
    after = played(start, "reveal 1", "card 90")

    assert [card + 1 for card in after.court] == [90]
    assert of(after, "li-si").tokens == (1, 1, 1)


def test_an_elixir_card_unlocks_where_no_soldier_is_at_the_entrance() -> None:
    after = played(solo({"boat": 2, "entrance": 0, "locked": 9}), "reveal 6")

    assert of(after, "li-si").entrance == 1


def test_the_master_comes_after_all_options() -> None:
    start = solo({"boat": 9}, number=1)
    first = played(start, "reveal 6")

    assert asked(first) == [f"deal A{number}" for number in range(1, 6)]

    second = played(first, "deal A1")

    assert asked(second) == ["deal M1", "deal M2"]
    assert rules_broken(second, "deal A2") == ["SOL-34"]
    after = played(second, "deal M2")
    assert [card - 119 for card in of(after, "li-si").aside] == [2, 3, 4, 5, 7]


def test_a_governor_goes_to_the_first_region_whose_condition_is_not_met() -> None:
    spaces = {"chu": ";00;G1:..;02", "wei": ";00;G2:1.;00"}
    after = played(solo(regions=spaces), "reveal 10")

    assert after.regions[Region.WEI].spots[0].spaces == (0, 1)


def test_card_14_places_two_governors_on_the_rightmost_spaces() -> None:
    after = played(solo(regions={"zhao": ";00;G3:..;00"}), "reveal 14")

    assert after.regions[Region.ZHAO].spots[0].spaces == (1, 1)
    assert 13 not in (*after.actions.left, *after.actions.discarded)


def test_card_14_goes_on_into_the_area() -> None:
    after = played(solo(regions={"zhao": ";00;G3:.1;00"}), "reveal 14")

    assert after.regions[Region.ZHAO].spots[0].spaces == (1, 0)
    assert after.regions[Region.ZHAO].area == (0, 1)


ALL_MET = {
    "a1": "chu=MR1:2...",
    "c1": "wei=MR2:2...",
    "c2": "zhao=MR3:2...",
    "a3": "qi=MR4:2...",
    "c3": "yan=MR5:2...",
    "b1": "A=MW1:2...",
    "a2": "B=MW2:2...",
    "b2": "elixir=ME1:2...",
    "b3": "C=MW3:2...",
}


@pytest.mark.parametrize(
    ("options", "card", "green", "region"),
    [
        (LEVEL_1, "10", {"chu": 0}, Region.WEI),
        (LEVEL_1, "10", {"chu": 2}, Region.CHU),
        (LEVEL_3, "12", {"zhao": 1, "chu": 2}, Region.WEI),
        (LEVEL_2, "11", {"yan": 0}, Region.YAN),
    ],
    ids=["majority", "equal is none with face A", "face B wins ties but not at 0", "card 14 not in the deck"],
)
def test_the_last_governor_goes_where_he_has_no_majority(
    options: tuple[tuple[str, str], ...], card: str, green: dict[str, int], region: Region
) -> None:
    built = {"chu": (0, 2), "wei": (2, 0), "zhao": (1, 1), "qi": (1, 2), "yan": (1, 1)}
    state = solo(
        {"locked": 0, "entrance": 0, "yan": "1,2,3;;0;0"},
        regions={
            name: f";0{palaces};;{green.get(name, 0)}{governors}"
            for name, (palaces, governors) in built.items()
        },
        spots=ALL_MET,
        options=options,
    )
    after = played(state, f"reveal {card}")

    assert state.governors_left(Seat(1)) == 1
    assert after.regions[region].governors(Seat(1)) == state.regions[region].governors(Seat(1)) + 1


SHORT_ORDER = set_tag(
    read_file(
        ZHG_REFERENCE.data.replace('"zhg-ref-1"', '"short"', 1).replace(
            'regions = ["chu", "wei", "zhao", "qi", "yan"]\nmanner', 'regions = ["chu", "wei"]\nmanner', 1
        )
    )
)
"""Components on which the Action card 10 names Chu and Wei only."""


@pytest.mark.parametrize(("at_yan", "region"), [(1, Region.WEI), (0, Region.CHU)])
def test_a_card_that_names_two_regions_still_asks_for_the_conditions_of_all(
    at_yan: int, region: Region
) -> None:
    state = solo(
        {"locked": 0, "entrance": 0, "yan": "1,2,3;;0;0"},
        regions={
            "chu": ";00;;02",
            "wei": ";02;;00",
            "zhao": ";01;;01",
            "qi": ";01;;02",
            "yan": f";0{at_yan};;01",
        },
        spots=ALL_MET,
        components=SHORT_ORDER,
    )
    after = played(state, "reveal 10")

    assert after.regions[region].governors(Seat(1)) == state.regions[region].governors(Seat(1)) + 1


def test_a_wall_is_built_without_workers_and_removes_an_emperor_tile() -> None:
    after = played(solo(emperors="E1E2/-/-"), "reveal 20")

    assert after.walls[0].slots == (None, 1)
    assert [tile + 1 for tile in after.emperors[0]] == [2]


def test_the_other_section_where_he_has_a_wall() -> None:
    after = played(solo(walls={"AL": "?:2."}), "reveal 20")

    assert after.walls[1].slots == (None, 1)


def test_soldiers_stand_by_themselves_when_his_card_is_settled() -> None:
    after = played(solo(regions={"chu": ";00;G1:2.;00"}), "reveal 10")

    assert 1 in after.mausoleum[0].slots
    assert of(after, "li-si").vp == 9
    assert of(after, "li-si").entrance == 0


def test_the_human_chooses_where_more_tiles_qualify_than_soldiers() -> None:
    state = solo(
        regions={"chu": ";00;G1:2.;00", "qi": ";00;;02", "yan": ";00;;00"},
        spots={
            **EVERY_REGION,
            "a3": "qi=MR4:....",
            "c1": "wei=MR2:....",
        },
        walls={"CL": "?:2.", "CR": "?:.."},
    )
    asked_for = played(state, "reveal 10")

    assert awaited(asked_for) == ["green"]
    assert asked(asked_for) == ["soldier a1", "soldier b3"]
    assert rules_broken(asked_for, "green soldier a2") == ["MAU-03"]
    assert rules_broken(asked_for, "green done") == ["SOL-70"]
    after = played(asked_for, "green soldier b3")
    assert 1 in after.mausoleum[7].slots


def test_scn_46_he_takes_what_he_is_offered_first() -> None:
    state = settled(
        solo(
            {"tokens": "1.0.0"},
            green={"hand": "", "tokens": "1.0.0"},
            turn="row:0:-",
            order="21|---",
            number=4,
        )
    )

    assert of(state, "li-si").tokens == (0, 0, 0)
    assert of(state, "green").tokens == (1, 0, 0)
    assert of(state, "li-si").entrance == 1


@pytest.mark.parametrize(
    ("counts", "options", "points"),
    [
        ("22", LEVEL_1, (5, 5)),
        ("22", LEVEL_3, (0, 10)),
        ("00", LEVEL_1, (0, 0)),
        ("00", LEVEL_3, (0, 0)),
    ],
)
def test_scn_47_ties_for_governors_by_his_face(
    counts: str, options: tuple[tuple[str, str], ...], points: tuple[int, int]
) -> None:
    state = solo(regions={"chu": f";00;;{counts}"}, options=options)

    assert (score(state, Seat(0)).governors, score(state, Seat(1)).governors) == points


@pytest.mark.parametrize(
    ("tokens", "rulings", "left", "entrance"),
    [
        ("2.0.0W", (), "1.0.0", 2),
        ("0.0.0WL", (), "0.0.0", 2),
        ("3.2.0", (), "1.1.0", 2),
        ("1.0.0WC", (), "0.0.0C", 2),
        ("1.0.0WC", (("unlock-cost", "count"),), "0.0.0", 2),
        ("1.1.0", (), "1.1.0", 1),
    ],
)
def test_he_pays_large_tokens_first_and_then_what_he_holds_most_of(
    tokens: str, rulings: tuple[tuple[str, str], ...], left: str, entrance: int
) -> None:
    state = settled(
        solo({"tokens": tokens}, green={"hand": ""}, turn="pay:2:0", order="12|---", rulings=rulings)
    )
    expected = of(solo({"tokens": left.rstrip("WCL")}), "li-si").tokens

    assert of(state, "li-si").tokens == expected
    assert of(state, "li-si").entrance == entrance


def test_scores_of_his_faces() -> None:
    cards: Parts = {"chu": "A1;;0;0", "boat": 12}
    walls = {"AL": "W1a:2.", "AR": "W2a:2."}

    tables = [solo(cards, walls=walls, options=options) for options in (LEVEL_1, LEVEL_3, LEVEL_4)]

    assert [score(state, Seat(1)).walls for state in tables] == [6 + 4, 8 + 6, 9 + 7]
    assert [score(solo(cards, options=options), Seat(1)).alchemy for options in (LEVEL_1, LEVEL_3)] == [3, 5]
