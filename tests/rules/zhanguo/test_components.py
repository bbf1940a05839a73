"""Component sets: the reference set, and files of one's own with everything that can be wrong with them."""

import pytest

from rules.kernel.setup import BadSetup, Setup, UnreadableComponents
from rules.zhanguo.component_checks import check_file
from rules.zhanguo.components import REFERENCE_LABEL, ZHG_REFERENCE, find_file, read_file, set_tag
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.rulebook import ZHANGUO_1
from tests.rules.zhanguo.strategies import NAMES, SET

OWN = ZHG_REFERENCE.data.replace('"zhg-ref-1"', '"mine"', 1)


def changed(old: str, new: str) -> str:
    """The reference set under a name of its own, with one part replaced once."""
    assert old in OWN, old
    return OWN.replace(old, new, 1)


def fields(text: str) -> set[str]:
    return {fault.field for fault in check_file(text).faults}


def test_the_reference_set_passes_every_check_and_is_called_invented() -> None:
    report = check_file(ZHG_REFERENCE.data)

    assert report.faults == ()
    assert report.playable
    assert report.provenance == "reference-invented"
    assert not ZHG_REFERENCE.verified


def test_a_match_on_invented_components_says_so() -> None:
    assert ZHANGUO.caution(ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SET))) == REFERENCE_LABEL


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"1,recruit,ZHG-ABL-01,",', '"1,recruit,ZHG-ABL-99,",', "cards[0]"),
        ('"1,recruit,ZHG-ABL-01,",', '"1,search,ZHG-ABL-01,",', "cards[0]"),
        ('"1,recruit,ZHG-ABL-01,",', '"1,recruit",', "cards[0]"),
        ('"1,recruit,ZHG-ABL-01,",', '"2,recruit,ZHG-ABL-01,",', "cards"),
        ('effect = "ZHG-ALC-01"', 'effect = "ZHG-ALC-02"', "alchemist.effect"),
        (
            'effect = "ZHG-MAS-05"\ntrigger = "palace"',
            'effect = "ZHG-MAS-05"\ntrigger = "fish"',
            "master[4].trigger",
        ),
        ('site = "A"', 'site = "D"', "emperor.site"),
        ('triggers = ["recruit", "hire"]', "triggers = []", "emperor[0].triggers"),
        ('"ZHG-WAL-01"', '"ZHG-WAL-02"', "wall_tile.faces"),
        ("AL = [[3, 2], [2, 2]]", "AL = [[3, 2]]", "side.p2.wall.AL"),
        ("AL = [[3, 2], [2, 2]]", "AL = [[4, 2], [2, 2]]", "side.p2.wall.AL"),
        ("length = 20", "length = 0", "elixir.length"),
        ("length = 20", "length = 19", "elixir.two"),
        ("length = 20", "length = 19", "elixir.vp"),
        ("master = [12]", "master = [12, 14]", "elixir.master"),
        ("two = [20]", "two = []", "elixir.two"),
        ("two = [20]", "two = [12]", "elixir"),
        ("[12, 3]", "[8, 3]", "elixir.vp"),
        ("[12, 3]", "[12, 2]", "elixir.vp"),
        ('target = "chu"', 'target = "wei"', "mausoleum_spot.target"),
        ("slots = [[9, 2], [6, 3]", "slots = [[6, 2], [9, 3]", "mausoleum_tile[0].slots"),
        ("copies = 3", "copies = 4", "palace_tile.copies"),
        ("copies = 3", "copies = -3", "palace_tile[0].copies"),
        ("slots = [[9, 2], [6, 3]", "slots = [[9, 2], [6, 5]", "mausoleum_tile[0].slots"),
        ('official = "alchemist"', 'official = "monk"', "start_tile[0].official"),
        ('tokens = "writing+currency"', 'tokens = "writing"', "start_tile[3].tokens"),
        (
            "deck = [1, 2, 3, 6, 10, 15, 20, 14, 18]",
            "deck = [1, 1, 3, 6, 10, 15, 20, 14, 18]",
            "lisi[0].deck",
        ),
        ('under = "C"', 'under = "B"', "lisi[0].top"),
        ("order_space = 2", "order_space = 3", "lisi[0].order_space"),
        ('manner = "two_right"', 'manner = "area"', "solo_action[13].manner"),
        ('kind = "unification"', 'kind = "wall"', "solo_action"),
        ('provenance = "reference-invented"', 'provenance = "owner-transcribed"', "set.checked_by"),
    ],
)
def test_a_disagreement_with_the_rulebook_is_found_at_its_field(old: str, new: str, field: str) -> None:
    assert field in fields(changed(old, new))


ORDER = 'regions = ["zhao", "qi", "wei", "yan", "chu"]\nmanner = "two_right"'


@pytest.mark.parametrize("regions", ['"zhao"', '"qi", "wei", "yan"', '"yan", "qi", "zhao", "wei", "chu"'])
def test_the_order_of_regions_on_an_action_card_may_stop_before_the_last(regions: str) -> None:
    own = changed(ORDER, f'regions = [{regions}]\nmanner = "two_right"')

    assert check_file(own).faults == ()


@pytest.mark.parametrize(
    ("regions", "why"),
    [
        ("", "expected one region or more, in the order printed"),
        ('"zhao", "qi", "zhao"', "'zhao' is listed twice, not once"),
        ('"zhao", "han"', "'han' is no region; expected chu, qi, wei, yan, zhao"),
    ],
)
def test_an_order_of_regions_names_regions_each_at_most_once(regions: str, why: str) -> None:
    own = changed(ORDER, f'regions = [{regions}]\nmanner = "two_right"')

    assert [(fault.field, fault.why) for fault in check_file(own).faults] == [
        ("solo_action[13].regions", why)
    ]


@pytest.mark.parametrize(
    ("old", "new", "whys"),
    [
        (
            "copies = 3",
            "copies = -3",
            ["-3 is not from 0 to 15", "there are 15 palace tiles, not 9"],
        ),
        (
            'site = "A"',
            'site = "D"',
            ["'A' is listed once, not twice", "'D' is not expected here"],
        ),
        (
            'target = "chu"',
            'target = "wei"',
            ["'region chu' is listed nowhere, not once", "'region wei' is listed twice, not once"],
        ),
        ('"57,', '"58,', ["'57' is listed nowhere, not once", "'58' is listed twice, not once"]),
        ('id = "W1"', 'id = "W8"', ["'W1' is listed nowhere, not once", "'W8' is not expected here"]),
        ("level = 1", "level = 4", ["'1' is listed nowhere, not once", "'4' is listed twice, not once"]),
    ],
)
def test_a_fault_names_the_number_that_is_wrong(old: str, new: str, whys: list[str]) -> None:
    assert [fault.why for fault in check_file(changed(old, new)).faults] == whys


def test_cards_that_are_all_there_in_another_order_are_named() -> None:
    first, second = OWN.index('"57,') + 1, OWN.index('"58,') + 1
    own = OWN[:first] + "58" + OWN[first + 2 : second] + "57" + OWN[second + 2 :]

    assert [(fault.field, fault.why) for fault in check_file(own).faults] == [
        ("cards[56]", "'58' stands where '57' is expected")
    ]


GOVERNORS = "need = { governors = 2 }"
ELIXIR_CARD = 'n = 6\nkind = "elixir"\nboat = 3'


@pytest.mark.parametrize(
    ("old", "new", "field", "why"),
    [
        (GOVERNORS, "need = {}", "mausoleum_tile[0].need", "'MR1' has no condition"),
        (
            GOVERNORS,
            "need = { walls = 2 }",
            "mausoleum_tile[0].need.walls",
            "'MR1' is of the kind region, which has no walls",
        ),
        (GOVERNORS, "need = { governors = 8 }", "mausoleum_tile[0].need.governors", "8 is not from 0 to 7"),
        (GOVERNORS, "need = { palaces = 7 }", "mausoleum_tile[0].need.palaces", "7 is not from 0 to 6"),
        (GOVERNORS, "need = { cards = 4 }", "mausoleum_tile[0].need.cards", "4 is not from 0 to 3"),
        (
            GOVERNORS,
            "need = { boat_space = 21 }",
            "mausoleum_tile[0].need.boat_space",
            "21 is not from 0 to 20",
        ),
        (GOVERNORS, "need = { boat_vp = 6 }", "mausoleum_tile[0].need.boat_vp", "6 is not from 0 to 5"),
        (
            GOVERNORS,
            "need = { alchemist_cards = 7 }",
            "mausoleum_tile[0].need.alchemist_cards",
            "7 is not from 0 to 6",
        ),
        (
            "ZHG-ABL-09,writing+currency",
            "ZHG-ABL-09," + "+".join(["laws"] * 14),
            "cards[4]",
            "14 tokens of laws are printed, and the box has 13",
        ),
        (
            'n = 20\nkind = "wall"',
            'n = 20\nkind = "wall"\nboat = 3',
            "solo_action[19].boat",
            "'3' is not printed on the kind wall",
        ),
        (ELIXIR_CARD, ELIXIR_CARD + "1", "solo_action[5].boat", "31 is not from 1 to 20"),
        (
            'id = "S1"\n',
            'id = "S1"\ntokens = "laws"\n',
            "start_tile[0].tokens",
            "'laws' is not printed on the kind ZHG-STA-01",
        ),
    ],
)
def test_what_no_component_of_its_kind_can_print_is_named(old: str, new: str, field: str, why: str) -> None:
    assert [(fault.field, fault.why) for fault in check_file(changed(old, new)).faults] == [(field, why)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "schema"),
        ("[set", "Expected"),
        (changed("components/1", "components/2"), "schema"),
        (changed("length = 20", 'length = "long"'), "elixir.length"),
        (changed("length = 20", "length = 20\nboats = 4"), "boats"),
        ("[" * 5_000, ""),
    ],
)
def test_a_file_that_is_no_set_is_refused_with_its_field(text: str, why: str) -> None:
    with pytest.raises(UnreadableComponents) as refused:
        check_file(text)

    assert why in str(refused.value)


def test_a_set_with_a_fault_cannot_be_played() -> None:
    tag = set_tag(read_file(changed("copies = 3", "copies = 4")))

    with pytest.raises(BadSetup, match=r"palace_tile\.copies"):
        ZHANGUO.start(Setup(ZHANGUO_1, NAMES, tag))


def test_a_set_of_ones_own_is_played_from_its_tag() -> None:
    tag = set_tag(read_file(OWN))
    state = ZHANGUO.start(Setup(ZHANGUO_1, NAMES, tag))

    assert tag.startswith("set:")
    assert find_file(tag).set_id == "mine"
    assert ZHANGUO.notation.read_position(ZHANGUO.notation.write_position(state)) == state


def test_nobody_passes_another_set_off_as_the_reference_set() -> None:
    assert "set.id" in fields(ZHG_REFERENCE.data.replace("copies = 3", "copies = 4", 1))


@pytest.mark.parametrize("components", ["zhg-ref-2", "set:", "set:{}", "set:[1]", "zhg-ref-1#sha256=00"])
def test_a_header_with_no_such_set_is_refused(components: str) -> None:
    with pytest.raises(BadSetup):
        ZHANGUO.start(Setup(ZHANGUO_1, NAMES, components))
