"""Scenarios of the digest about clerks, locations and building, by their ids."""

import pytest
from msgspec import structs

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import Clan, Kind, Location, Role
from rules.great_wall.pending import (
    Activate,
    ActsDue,
    AdvanceDue,
    BuildDue,
    ClerksDue,
    Collect,
    CopyDue,
    Do,
    DonateDue,
    HireDue,
    MarchDue,
    PickDue,
    RecruitDue,
    Settle,
    ShameDue,
    StudyDue,
    Turn,
    UpgradeDue,
)
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    C,
    L,
    advisor,
    after,
    asking,
    at_location,
    awaited,
    begun,
    broken,
    clerks,
    foremen,
    holding,
    legal,
    on_track,
    player,
    resources,
    settled,
    tactic,
    tea,
    wall,
    why,
    with_general,
    without_abilities,
)


def test_sc_01_song_ci_gives_two_honour_per_assistant_on_each_upgrade() -> None:
    before = with_general(begun(), GREEN, "song-ci", 3)
    before = at_location(
        holding(before, GREEN, "w0s0g0c2"), Location.SAWMILL, UpgradeDue(GREEN, Location.SAWMILL)
    )

    state = after(before, "green upgrade sawmill spearman")

    assert player(state, GREEN).honour == 6


def test_sc_02_the_sawmill_example_of_the_rulebook() -> None:
    state = tea(without_abilities(begun()), GREEN, BLUE, RED)
    state = clerks(state, "sawmill:11223")
    state = foremen(foremen(state, GREEN, sawmill=2), BLUE, sawmill=3)
    for seat, held in ((GREEN, "w0s0g0c4"), (BLUE, "w0s0g0c9"), (RED, "w0s0g0c2")):
        state = holding(state, seat, held)
    pool = state.pool

    state = settled(asking(state, Activate(Location.SAWMILL, advanced=False)))
    assert [resources(state, seat)[0] for seat in (GREEN, BLUE, RED)] == [4, 5, 1]

    state = after(state, "green upgrade sawmill")
    assert (resources(state, GREEN)[3], state.foreman_level(Clan(GREEN), Location.SAWMILL)) == (0, 3)
    assert awaited(state) == ["red"]

    state = after(state, "red upgrade sawmill archer")
    assert (resources(state, RED)[3], player(state, RED).reserve[Kind.ARCHER]) == (0, 3)

    state = after(state, "green donate", "blue done", "red done")
    assert (state.ware, resources(state, GREEN)[0], player(state, GREEN).honour) == ((1, 0, 0), 3, 2)
    assert sum(state.at[Location.SAWMILL]) == 0
    assert state.pool == pool


def test_sc_03_the_warehouse_pays_first_and_own_resources_complete_the_cost() -> None:
    state = wall(without_abilities(begun()), L, level=0)
    state = structs.replace(holding(state, GREEN, "w2s5g0c0"), ware=(0, 3, 0))
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 1, ()), Settle(GREEN))

    assert broken(state, "green wall L s5") == ["GW-BLD-05"]
    assert why(state, "green wall L s5") == "the warehouse holds 3 stone, so green adds 2, not 5"
    built = after(state, "green wall L w2")
    assert (built.ware, resources(built, GREEN), player(built, GREEN).honour) == ((0, 0, 0), (0, 5, 0, 0), 5)
    assert built.section(L).level == 1


def test_sc_04_an_advisor_costs_as_many_gold_as_there_are_after_the_hire() -> None:
    state = with_general(begun(), GREEN, "general-10", 1)
    state = holding(state, GREEN, "w0s0g3c0", active=(advisor(state, "a36"),))
    state = at_location(state, Location.EMBASSY, HireDue(GREEN, 1))
    some = state.table.parts.advisor_names.names[state.advisors.track[0]]

    assert broken(holding(state, GREEN, "w0s0g2c0"), f"green hire {some} active") == ["GW-EMB-02"]
    assert resources(after(state, f"green hire {some} assistant"), GREEN)[2] == 0


def test_sc_06_chi_gained_by_playing_a_tactic_cannot_boost_it() -> None:
    state = with_general(begun(), GREEN, "general-02", 1)
    state = holding(state, GREEN, "w0s0g0c0", tactics=(tactic(state, "ceremony"),))
    state = at_location(state, Location.TEA_HOUSE, StudyDue(GREEN, 1))

    assert broken(state, "green play ceremony boosted") == ["GW-TAC-02"]
    assert resources(after(state, "green play ceremony"), GREEN)[3] == 1


def test_sc_07_a_foreman_on_the_slot_worth_2_has_level_2() -> None:
    state = foremen(without_abilities(begun()), GREEN, quarry=2)
    state = clerks(holding(state, GREEN, "w0s0g0c0"), "quarry:1")

    collected = settled(asking(state, Collect(Location.QUARRY, (Clan(GREEN),))))

    assert resources(collected, GREEN)[1] == 3


def test_sc_08_a_clerk_that_does_nothing_goes_home_and_still_takes_shame() -> None:
    state = clerks(holding(without_abilities(begun()), GREEN, "w0s0g0c0"), "barracks:111")
    state = settled(asking(state, Activate(Location.BARRACKS, advanced=False)))

    state = after(state, "green done")

    assert sum(state.at[Location.BARRACKS]) == 0
    assert isinstance(state.ask, ShameDue)


def test_sc_09_clerks_of_one_effect_go_to_different_locations() -> None:
    state = asking(begun(), ClerksDue(GREEN, Clan(GREEN), 2, ()))

    moved = after(state, "green move reserve temple")

    assert broken(moved, "green move reserve temple") == ["GW-CLK-05"]
    assert broken(clerks(moved, "temple:1+quarry:1"), "green move reserve quarry") == []


@pytest.mark.parametrize(
    ("there", "answers", "order"),
    [
        ("tea-house:12", ["blue rise"], (BLUE, GREEN, RED)),
        ("tea-house:333", ["red rise"], (RED, GREEN, BLUE)),
    ],
    ids=["sc_10_the_second_passes_the_top", "sc_11_a_lone_filler_goes_to_the_top"],
)
def test_the_tea_house_lifts_markers(there: str, answers: list[str], order: tuple[int, ...]) -> None:
    state = clerks(tea(begun(), GREEN, BLUE, RED), there)

    state = after(settled(asking(state, Activate(Location.TEA_HOUSE, advanced=False))), *answers)

    assert state.tea == order


@pytest.mark.parametrize(
    ("there", "answers", "order"),
    [
        ("tea-house:23", ["blue rise", "red rise"], (BLUE, RED, GREEN, YELLOW)),
        ("tea-house:34", ["red rise", "yellow rise"], (GREEN, RED, YELLOW, BLUE)),
        ("tea-house:1234", ["blue rise", "red rise", "yellow rise"], (BLUE, RED, YELLOW, GREEN)),
    ],
)
def test_sc_55_markers_rise_in_the_order_that_the_stack_had(
    there: str, answers: list[str], order: tuple[int, ...]
) -> None:
    state = clerks(tea(begun(4), GREEN, BLUE, RED, YELLOW), there)

    state = after(settled(asking(state, Activate(Location.TEA_HOUSE, advanced=True))), *answers)

    assert state.tea == order


def test_sc_12_walls_cost_and_give_5_10_and_15() -> None:
    state = holding(without_abilities(begun()), GREEN, "w30s0g0c0")
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 3, ()), Settle(GREEN))

    honour = []
    for pay in ("w5", "w10", "w15"):
        state = after(state, f"green wall C {pay}")
        honour.append(player(state, GREEN).honour)

    assert (honour, resources(state, GREEN)[0], state.section(C).level) == ([5, 15, 30], 0, 3)


def test_sc_20_a_match_begins_with_the_strategy_choice_of_autumn() -> None:
    state = begun()

    assert (state.time, isinstance(state.ask, PickDue)) == (0, True)
    assert awaited(state) == ["green", "blue", "red"]


@pytest.mark.parametrize(("there", "shamed"), [("quarry:1111", True), ("quarry:1112", False)])
def test_sc_22_a_lone_colour_takes_shame_at_the_icon(there: str, *, shamed: bool) -> None:
    state = clerks(holding(without_abilities(begun()), GREEN, "w0s0g0c0"), there)
    state = settled(asking(state, Activate(Location.QUARRY, advanced=False)))
    while not isinstance(state.ask, ShameDue) and any(state.at[Location.QUARRY]):
        state = after(state, f"{awaited(state)[0]} done")

    assert isinstance(state.ask, ShameDue) == shamed


def test_sc_23_an_advanced_activation_brings_no_shame() -> None:
    state = clerks(holding(without_abilities(begun()), GREEN, "w0s0g0c0"), "quarry:1")
    state = after(asking(state, AdvanceDue(GREEN)), "green activate quarry", "green done", "green done")

    assert resources(state, GREEN)[1] == 1
    assert state.pool == 30


def test_sc_24_no_clerk_leaves_a_full_standard_location() -> None:
    state = clerks(begun(), "gold-mine:122+quarry:1")
    state = asking(state, ClerksDue(GREEN, Clan(GREEN), 1, ()))

    assert broken(state, "green move gold-mine temple") == ["GW-CLK-03"]
    assert broken(state, "green move quarry temple") == []
    assert broken(state, "green move quarry gold-mine") == ["GW-CLK-04"]


def test_sc_41_tactics_over_the_limit_are_discarded_at_once() -> None:
    state = begun()
    state = holding(state, GREEN, tactics=tuple(tactic(state, "harvest") for _ in range(4)))
    state = structs.replace(state, tactics=structs.replace(state.tactics, size=10))
    state = after(at_location(state, Location.ACADEMY, StudyDue(GREEN, 3)), "green study 3")

    assert len(player(state, GREEN).tactics) == 7
    state = after(state, "green discard harvest", "green discard harvest")
    assert len(player(state, GREEN).tactics) == 5
    assert awaited(state) != ["green"] or broken(state, "green discard harvest")


def test_sc_42_what_an_attack_wins_cannot_pay_for_the_next_recruit() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h2-l": ""})
    state = holding(state, GREEN, "w2s3g0c0")
    state = at_location(state, Location.BARRACKS, RecruitDue(GREEN, 2), Settle(GREEN))

    state = after(state, "green recruit spearman L1a2")

    assert broken(state, "green recruit spearman L1a1") == ["GW-BAR-02"]


def test_sc_43_resting_archers_never_march_into_a_slot() -> None:
    state = wall(begun(), L, firing={}, rest={GREEN: (0, 1, 0)})
    state = after(at_location(state, Location.LOGISTICS, MarchDue(GREEN, 1)), "green march L C")

    assert broken(state, "green cross 1") == ["GW-LOG-02"]
    slotted = wall(state, L, firing={GREEN: 1}, rest={})
    assert after(slotted, "green lower 1").section(C).rest[GREEN] == (0, 1, 0)


def test_sc_45_archers_move_up_when_the_wall_is_built() -> None:
    state = wall(without_abilities(begun()), L, level=1, firing={GREEN: 1, BLUE: 1})
    state = holding(state, GREEN, "w10s0g0c0")
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 1, ()), Settle(GREEN))

    built = after(state, "green wall L w10").section(L)

    assert (built.level, built.firing[:2]) == (2, (1, 1))


def test_sc_46_chi_is_never_donated() -> None:
    state = at_location(begun(), Location.TEMPLE, UpgradeDue(GREEN, Location.TEMPLE))

    assert broken(state, "green donate") == ["GW-PRD-08"]


def test_sc_60_and_61_recruits_are_paid_from_what_was_held_before() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h1-l": ""})
    both = holding(state, GREEN, "w2s4g0c0")
    both = at_location(both, Location.BARRACKS, RecruitDue(GREEN, 2), Settle(GREEN))
    one = holding(both, GREEN, "w1s4g0c0")

    whole = after(both, "green recruit spearman L1b1", "green recruit spearman L1a2")
    assert (resources(whole, GREEN)[:2], player(whole, GREEN).honour) == ((1, 0), 2)

    short = after(one, "green recruit spearman L1b1")
    assert broken(short, "green recruit spearman L1a2") == ["GW-BAR-02"]
    assert resources(after(short, "green done"), GREEN)[0] == 1


def test_sc_65_advisors_are_hired_clerk_by_clerk_and_the_track_is_refilled_between() -> None:
    state = with_general(begun(), GREEN, "general-10", 1)
    state = holding(state, GREEN, "w0s0g7c0", active=(advisor(state, "a36"),))
    state = at_location(state, Location.EMBASSY, HireDue(GREEN, 3))
    names = state.table.parts.advisor_names.names
    first, second = (names[card] for card in state.advisors.track[:2])

    state = after(state, f"green hire {first} active")
    assert awaited(state) == ["chance"]
    state = after(state, "advisor a44", f"green hire {second} active", "advisor a43")

    assert resources(state, GREEN)[2] == 0
    assert broken(holding(state, GREEN, "w0s0g4c0"), "green hire a44 active") == ["GW-EMB-02"]


def test_sc_66_without_a_usable_soldier_nobody_is_asked_for_a_first_foreman() -> None:
    state = holding(begun(), GREEN, "w0s0g2c0", reserve=(1, 0, 0), shamed=(1, 0, 0))

    state = settled(at_location(state, Location.TEMPLE, UpgradeDue(GREEN, Location.TEMPLE)))

    assert not isinstance(state.ask, UpgradeDue)


def test_sc_67_despotism_moves_two_clerks_more_beside_anothers_economy() -> None:
    state = begun()
    script = state.table.parts.script_names.number_of["despotism.1"]
    with_economy = on_track(state, (1, GREEN, "despotism"), (2, BLUE, "economy"))
    own_only = on_track(state, (1, GREEN, "despotism"), (2, BLUE, "drill"))

    helped = settled(asking(with_economy, Do(Clan(GREEN), script, 0)))
    alone = settled(asking(own_only, Do(Clan(GREEN), script, 0)))

    assert (helped.ask, alone.ask) == (
        ClerksDue(GREEN, Clan(GREEN), 4, ()),
        ClerksDue(GREEN, Clan(GREEN), 2, ()),
    )


def test_sc_68_betrayal_copies_the_self_blocks_and_then_the_others_move() -> None:
    state = tea(begun(), GREEN, BLUE, RED)
    state = on_track(state, (1, GREEN, "betrayal"), (2, BLUE, "attack-order"))
    state = wall(state, L, rest={GREEN: (1, 0, 0)}, hordes={"h1-l": ""})
    state = settled(structs.replace(asking(state, Turn(1), clan=None)))
    assert isinstance(state.ask, CopyDue)

    state = after(state, "green copy blue", "green done", "green attack spearman L1a1")

    assert state.ask == ClerksDue(BLUE, Clan(BLUE), 1, ())


def test_sc_86_a_builder_chooses_what_the_warehouse_gives_where_it_has_more() -> None:
    state = structs.replace(holding(without_abilities(begun()), GREEN, "w9s9g9c0"), ware=(4, 2, 0))
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 1, ()), Settle(GREEN))

    assert [text for text in legal(state, GREEN) if text.startswith("wall L")] == [
        "wall L w3s2",
        "wall L w4s1",
    ]
    built = after(state, "green wall L w3s2")
    assert (built.ware, resources(built, GREEN)) == ((1, 0, 0), (9, 9, 9, 0))


def test_sc_87_as_many_tactics_are_drawn_as_there_are() -> None:
    state = begun(4)
    state = structs.replace(
        state, tactics=structs.replace(state.tactics, size=0, discard=(tactic(state, "harvest"),))
    )
    state = holding(state, GREEN, tactics=(None,) * 4)

    state = after(at_location(state, Location.ACADEMY, StudyDue(GREEN, 3)), "green study 3")

    assert len(player(state, GREEN).tactics) == 5


def test_a_location_activates_once_in_a_step_and_never_by_choice_of_a_lone_one() -> None:
    state = clerks(begun(), "embassy:1+academy:2")
    state = settled(asking(state, ActsDue(Clan(GREEN), (), ())))

    assert legal(state, GREEN) == ["activate embassy", "activate academy"]
    assert broken(state, "green activate quarry") == ["GW-LOC-03"]
    done = after(state, "green activate embassy", "green done")
    assert done.ask == StudyDue(BLUE, 1)


def test_the_first_questions_of_a_queue_keep_the_order_in_which_it_began() -> None:
    state = tea(begun(), GREEN, BLUE, RED)
    state = holding(state, BLUE, "w5s5g5c5", tactics=(tactic(state, "ceremony"),))
    state = clerks(state, "academy:123")
    state = settled(asking(state, Activate(Location.ACADEMY, advanced=False)))

    state = after(state, "green study 0", "blue play ceremony", "blue study 0")

    assert state.tea == tea(state, BLUE, GREEN, RED).tea
    assert awaited(state) == ["red"]


def test_a_role_is_named_with_every_hire() -> None:
    state = holding(begun(), GREEN, "w0s0g9c0")
    state = at_location(state, Location.EMBASSY, HireDue(GREEN, 1))
    name = state.table.parts.advisor_names.names[state.advisors.track[0]]

    hired = after(state, f"green hire {name} {Role.ASSISTANT.value}")

    assert advisor(state, name) in player(hired, GREEN).assistants


def test_a_seat_without_the_resource_is_still_asked_to_donate() -> None:
    state = holding(begun(), GREEN, "w0s0g0c0", tactics=())
    state = at_location(state, Location.SAWMILL, DonateDue(GREEN, Location.SAWMILL))

    assert legal(state, GREEN) == ["done"]
    assert broken(state, "green donate") == ["GW-PRD-07"]


def test_logistics_needs_two_open_sections() -> None:
    state = at_location(begun(), Location.LOGISTICS, MarchDue(GREEN, 1))

    assert broken(state, "green march L L") == ["GW-LOG-01"]
    assert len([text for text in legal(state, GREEN) if text.startswith("march")]) == 6


FIRST_BLOCK = (
    "great-wall-reference-0 time=0 pool=30.0 top=left tea=green+red+blue ware=w0s0g0 "
    "left=0/3/h7-r:....../-/- centre=0/3/h8-r:......./-/- right=0/3/h2-r:.../-/- at=- "
    "green=general-08/a04/a40/w5s5g3c3/0/5.3/s10a4h2/-/-/attack-order+economy+despotism+labour+drill/-/?/-/- "
    "blue=general-10/a09/a25/w5s3g5c3/0/5.3/s10a4h2/-/-/attack-order+betrayal+economy+labour"
    "+drill/-/ambush/-/- "
    "red=general-13/a12/a10/w4s5g4c3/0/5.3/s10a4h2/-/-/attack-order+betrayal+despotism+labour"
    "+drill/-/?+?/-/- "
    "hordes=21/- advisors=a06+a34+a29+a03/-/3 tactics=16/- "
    "artefacts=artefact-3+artefact-4+artefact-5 "
    "track=1:blue.despotism+3:red.economy+4:green.betrayal secret=- ask=clerks:blue:blue:4:- "
    "then=others:blue:despotism.2>do:blue:despotism.3:0>start-acts:blue>check>turn-over:blue"
    ">turn:3>turn:4>winter>yearend "
    "draws=recorded"
)
"""Blue moves clerks by the first block of its own card; the others' block is still to come."""


def test_a_tactic_may_be_played_at_the_first_block_of_the_own_card() -> None:
    state = GREAT_WALL.notation.read_position(FIRST_BLOCK)

    assert broken(state, "blue play ambush") == []
