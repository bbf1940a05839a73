"""Scenarios of the digest about hordes, attacks, defeats, breaches and shame, by their ids."""

import pytest
from msgspec import structs

from rules.great_wall.kinds import Ending, Location
from rules.great_wall.pending import (
    Assault,
    CleanseDue,
    DefeatCheck,
    EndCheck,
    FireDue,
    HordesDue,
    Kill,
    NextYear,
    PickDue,
    RecoverDue,
    RecruitDue,
    Settle,
    ShameDue,
    Summer,
    TakeShame,
    Task,
    Turn,
    Turns,
)
from rules.great_wall.state import State
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    RED,
    C,
    L,
    R,
    after,
    asking,
    at_location,
    awaited,
    begun,
    broken,
    claimed,
    foremen,
    holding,
    horde,
    legal,
    on_track,
    player,
    resources,
    settled,
    strategy,
    tactic,
    tea,
    wall,
    with_general,
    without_abilities,
)


def winter(state: State, *tasks: Task) -> State:
    """After what happens of itself from these tasks on, outside of anybody's turn."""
    return settled(asking(state, *tasks, clan=None))


# Invasions and raids.


def test_sc_13_a_drawn_horde_goes_where_the_card_now_on_top_points() -> None:
    state = begun()
    for section, name in ((L, "h1-c"), (C, "h2-c"), (R, "h3-c")):
        state = wall(state, section, hordes={name: ""})
    state = structs.replace(asking(state, HordesDue(1), clan=None), top=L)

    state = after(state, "horde h8-l right")

    assert [lying.horde for lying in state.section(R).hordes] == [horde(state, "h3-c"), horde(state, "h8-l")]


def test_sc_79_empty_sections_are_looked_for_again_before_each_card() -> None:
    state = begun()
    for section, hordes in ((L, {}), (C, {"h2-c": ""}), (R, {"h3-c": ""})):
        state = wall(state, section, hordes=hordes)
    state = structs.replace(asking(state, HordesDue(2), clan=None), top=L)

    state = after(state, "horde h8-l right", "horde h8-r centre")

    assert [lying.horde for lying in state.section(L).hordes] == [horde(state, "h8-l")]
    assert [lying.horde for lying in state.section(C).hordes][1:] == [horde(state, "h8-r")]


@pytest.mark.parametrize(("seats", "pool", "left"), [(3, 2, 0), (4, 3, 0)], ids=["sc_38", "sc_80"])
def test_a_full_section_is_raided_and_the_card_discarded(seats: int, pool: int, left: int) -> None:
    state = begun(seats)
    state = wall(state, L, hordes={"h1-l": "", "h2-l": "", "h3-l": ""})
    state = wall(wall(state, C, hordes={"h1-c": ""}), R, hordes={"h1-r": ""})
    state = structs.replace(asking(state, HordesDue(1), PickDue(), clan=None), top=R, pool=pool)
    honour = [each.honour for each in state.players]

    state = after(state, "horde h8-r left")

    assert (state.pool, state.removed, state.hordes.discard) == (left, pool, (horde(state, "h8-r"),))
    assert [each.honour for each in state.players] == honour


# Assaults.


@pytest.mark.parametrize(
    ("hordes", "held"),
    [
        ({"h4-l": ""}, True),
        ({"h4-l": "", "h7-l": "", "h3-l": ""}, False),
        ({"h8-l": ""}, True),
        ({"h8-l": "", "h1-l": ""}, False),
        ({"h1-l": "", "h8-l": ""}, True),
    ],
    ids=["sc_56", "sc_57", "sc_58_holds", "sc_58_breaches", "sc_58_behind_the_front"],
)
def test_a_section_holds_if_its_defence_is_at_least_the_power(hordes: dict[str, str], *, held: bool) -> None:
    state = wall(without_abilities(begun()), L, level=0, barricades=3, hordes=hordes)

    state = winter(state, Assault(L))

    assert isinstance(state.ask, ShameDue) != held


def test_sc_21_defence_8_holds_against_8_and_not_against_9() -> None:
    # Level 1 defends 7; one barricade that h8 in front makes worth 1.
    state = wall(without_abilities(begun()), L, level=1, barricades=1, hordes={"h8-l": "", "h2-l": ""})

    assert not isinstance(winter(state, Assault(L)).ask, ShameDue)
    more = wall(state, L, hordes={"h8-l": "", "h2-l": "", "h1-l": ""})
    assert isinstance(winter(more, Assault(L)).ask, ShameDue)


def test_sc_37_a_player_takes_shame_only_for_hordes_without_an_own_soldier() -> None:
    state = tea(without_abilities(begun()), GREEN, BLUE, RED)
    state = wall(state, L, level=0, barricades=0, hordes={"h3-l": "1...", "h2-l": ""})
    state = winter(structs.replace(state, pool=30), Assault(L))

    assert awaited(state) == ["green"]
    state = after(state, "green shame spearman")
    assert awaited(state) == ["blue"]


def test_sc_44_archers_in_slots_die_in_a_breach_and_resting_ones_do_not() -> None:
    state = wall(
        without_abilities(begun()), L, firing={GREEN: 1}, rest={GREEN: (0, 1, 0)}, hordes={"h1-l": ""}
    )
    state = holding(state, GREEN, "w0s0g0c2", reserve=(10, 2, 2))
    state = winter(state, Kill(L, None))

    assert broken(state, "green lose a2 save -") == ["GW-KIL-01"]
    killed, saved = after(state, "green lose a1 save -"), after(state, "green lose - save a1")
    assert (player(killed, GREEN).reserve, killed.section(L).rest[GREEN]) == ((10, 3, 2), (0, 1, 0))
    assert (resources(saved, GREEN)[3], saved.section(L).rest[GREEN]) == (0, (0, 2, 0))


def test_sc_36_a_horseman_that_dies_in_a_breach_leaves_two_wounds_and_the_spearman_stays() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h3-l": "A1A."})
    state = winter(holding(state, GREEN, "w0s0g0c0"), Kill(L, None))

    state = after(state, "green lose h1 save -")

    assert state.section(L).hordes[0].marks == "x1x."


def test_sc_05_and_82_a_boosted_retreat_saves_everybody_of_one_breach() -> None:
    state = wall(
        without_abilities(begun()), L, level=1, hordes={"h3-l": "1...", "h2-l": "AA."}, firing={GREEN: 2}
    )
    state = holding(state, GREEN, "w0s0g0c2", tactics=(tactic(state, "retreat"),))
    state = winter(state, Kill(L, None))

    state = after(state, "green play retreat boosted", "green lose - save s1", "green lose - save h1")
    state = after(state, "green lose - save a2")

    assert state.section(L).rest[GREEN] == (1, 2, 1)
    assert resources(state, GREEN)[3] == 0
    assert state.saves == ()


# Attacks.


def test_sc_29_and_62_a_horseman_covers_two_spots_side_by_side() -> None:
    state = wall(without_abilities(begun()), C, hordes={"h1-c": "", "h3-c": ""})
    state = wall(state, L, hordes={"h5-l": ""})
    state = holding(state, GREEN, "w9s9g9c9")
    state = at_location(state, Location.BARRACKS, RecruitDue(GREEN, 1), Settle(GREEN))

    assert broken(state, "green recruit horseman C2a1a2") == []
    assert broken(state, "green recruit horseman C2a1b2") == ["GW-ATK-07"]
    assert broken(state, "green recruit horseman L1a1b1") == ["GW-CRD-13"]


def test_sc_30_only_the_first_line_is_open_to_spearmen() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h1-l": "xxx", "h3-l": ""})
    state = holding(state, GREEN, "w9s9g9c9")
    state = at_location(state, Location.BARRACKS, RecruitDue(GREEN, 1), Settle(GREEN))

    assert broken(state, "green recruit spearman L2a1") == ["GW-ATK-05"]
    assert broken(state, "green recruit horseman L2a1b1") == []
    assert broken(state, "green recruit archer L2a1") == []


def test_sc_31_a_wound_gives_no_reward() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h1-l": ""})
    state = holding(state, GREEN, "w1s0g0c2")
    state = at_location(state, Location.BARRACKS, RecruitDue(GREEN, 1), Settle(GREEN))

    state = after(state, "green recruit archer L1b1")

    assert resources(state, GREEN) == (0, 0, 0, 0)


def test_sc_63_an_archer_needs_a_free_slot_to_attack_and_none_to_rest() -> None:
    state = wall(without_abilities(begun()), L, level=0, firing={BLUE: 1}, hordes={"h1-l": ""})
    state = holding(state, GREEN, "w9s9g9c9")
    state = at_location(state, Location.BARRACKS, RecruitDue(GREEN, 1), Settle(GREEN))

    assert broken(state, "green recruit archer L1a1") == ["GW-ATK-08"]
    assert broken(state, "green recruit archer rest L") == []


def test_sc_64_nobody_fires_where_no_spot_can_be_wounded() -> None:
    state = wall(begun(), L, firing={GREEN: 1}, hordes={"h6-l": ""})

    assert not isinstance(winter(state, FireDue(GREEN, L, 1)).ask, FireDue)
    assert isinstance(winter(wall(state, L, hordes={"h3-l": ""}), FireDue(GREEN, L, 1)).ask, FireDue)


# Defeats.


def test_sc_32_a_horseman_counts_two_spots_for_the_claim() -> None:
    state = tea(without_abilities(begun()), BLUE, GREEN, RED)
    state = wall(state, L, hordes={"h7-l": "AA2xxx"}, firing={})
    state = holding(holding(state, GREEN, "w0s0g0c0"), BLUE, "w0s0g0c0")
    state = winter(state, DefeatCheck())
    assert [player(state, seat).honour for seat in (GREEN, BLUE)] == [2 + 0, 2]

    state = after(state, "blue lose s1 save -", "green lose h1 save -")

    assert [card.horde for card in player(state, GREEN).claimed] == [horde(state, "h7-l")]


def test_sc_33_a_tie_goes_to_the_higher_marker() -> None:
    state = tea(without_abilities(begun()), BLUE, GREEN, RED)
    state = wall(state, L, hordes={"h3-l": "1122"})
    state = winter(state, DefeatCheck())

    state = after(state, "blue lose s1 save -", "green lose s1 save -")

    assert [card.horde for card in player(state, BLUE).claimed] == [horde(state, "h3-l")]


def test_sc_34_archers_are_paid_where_nobody_claims() -> None:
    state = wall(without_abilities(begun()), L, level=1, hordes={"h3-l": "xxxx"}, firing={RED: 2})

    state = winter(state, DefeatCheck())

    assert player(state, RED).honour == 4
    assert state.hordes.discard == (horde(state, "h3-l"),)


def test_sc_35_the_dead_go_home_and_saved_and_unharmed_soldiers_rest() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h3-l": "111x"}, rest={})
    state = holding(structs.replace(state, time=3), GREEN, "w0s0g0c2", reserve=(7, 4, 2))
    state = winter(state, DefeatCheck())

    state = after(state, "green lose s1 save s1")

    assert (player(state, GREEN).reserve[0], state.section(L).rest[GREEN]) == (8, (2, 0, 0))
    assert resources(state, GREEN)[3] == 0


def test_sc_59_a_deadly_horde_puts_one_more_at_risk() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h7-l": "111xxx"}, rest={})
    state = winter(holding(state, GREEN, "w0s0g0c2"), DefeatCheck())

    assert broken(state, "green lose - save s2") == ["GW-SAV-01"]
    assert broken(state, "green lose s1 save -") == ["GW-KIL-01"]
    done = after(state, "green lose s1 save s1")
    assert (resources(done, GREEN)[3], done.section(L).rest[GREEN]) == (0, (2, 0, 0))


def test_sc_83_a_player_whose_soldiers_all_die_still_claims() -> None:
    state = tea(without_abilities(begun()), GREEN, BLUE, RED)
    state = wall(structs.replace(state, time=3), L, hordes={"h3-l": "112x"})
    state = winter(state, DefeatCheck())
    assert [player(state, seat).honour for seat in (GREEN, BLUE)] == [2, 2]

    state = after(state, "green lose s2 save -", "blue lose s1 save -")

    assert [card.horde for card in player(state, GREEN).claimed] == [horde(state, "h3-l")]


def test_cards_behind_a_defeated_one_close_up_before_the_next_is_resolved() -> None:
    state = wall(without_abilities(begun()), L, hordes={"h1-l": "xxx", "h3-l": ".xxx", "h2-l": "xxx"})

    state = winter(state, DefeatCheck())

    assert [lying.horde for lying in state.section(L).hordes] == [horde(state, "h3-l")]


# Shame.


def test_sc_25_a_token_without_a_place_leaves_the_game_for_5_honour() -> None:
    state = holding(without_abilities(begun()), GREEN, reserve=(0, 0, 0), honour=7)

    state = winter(state, TakeShame(GREEN, 1))

    assert (player(state, GREEN).honour, state.removed, state.pool) == (2, 1, 29)


def test_sc_26_an_empty_pool_costs_5_honour() -> None:
    state = structs.replace(holding(without_abilities(begun()), GREEN, honour=3), pool=0)

    state = winter(state, TakeShame(GREEN, 1))

    assert (player(state, GREEN).honour, state.removed) == (0, 0)


def test_sc_27_and_88_a_claimed_horde_has_room_for_two_tokens() -> None:
    state = holding(claimed(without_abilities(begun()), GREEN, h1_l=0), GREEN, reserve=(0, 0, 0), honour=9)
    state = winter(state, TakeShame(GREEN, 3))

    state = after(state, "green shame h1-l", "green shame h1-l")

    assert player(state, GREEN).claimed[0].tokens == 2
    assert (player(state, GREEN).honour, state.removed) == (4, 1)
    full = winter(holding(state, GREEN, reserve=(1, 0, 0)), TakeShame(GREEN, 1))
    assert broken(full, "green shame h1-l") == ["GW-SHM-04"]


def test_sc_78_shame_is_discarded_with_the_income_of_the_same_summer() -> None:
    state = foremen(with_general(begun(), GREEN, "general-10", 0), GREEN, temple=2)
    state = holding(state, GREEN, "w0s0g0c3", shamed=(3, 0, 0), active=())
    state = winter(state, Summer())
    while awaited(state) != ["green"]:
        state = after(state, f"{awaited(state)[0]} done")
    assert isinstance(state.ask, CleanseDue)

    state = after(state, "green cleanse spearman", "green cleanse spearman")

    assert (resources(state, GREEN)[3], player(state, GREEN).shamed) == (1, (1, 0, 0))
    assert broken(state, "green cleanse spearman") == ["GW-SHM-07"]


# The year.


def test_sc_40_honour_instead_of_recovery_leaves_the_cards_in_the_discard() -> None:
    state = begun()
    cards = tuple(strategy(state, name) for name in ("attack-order", "betrayal", "economy"))
    state = holding(state, GREEN, discarded=cards, strategies=state.table.cards[3:])

    state = after(asking(state, RecoverDue(GREEN), clan=None), "green honour")

    assert (player(state, GREEN).honour, player(state, GREEN).discarded) == (6, cards)


def test_amb_20_with_an_empty_hand_the_cards_are_taken_back() -> None:
    state = begun()
    state = holding(state, GREEN, discarded=state.table.cards, strategies=(), tactics=())
    state = asking(state, RecoverDue(GREEN), clan=None)

    assert legal(state, GREEN) == ["recover"]
    assert broken(state, "green honour") == ["GW-SUM-04"]


def test_sc_81_turns_follow_the_spaces_of_the_track() -> None:
    state = on_track(begun(), (2, GREEN, "drill"), (4, BLUE, "drill"), (3, RED, "drill"))
    state = structs.replace(state, ask=Turns())

    events = [task for task in winter(state, Turns()).then if isinstance(task, Turn)]

    assert events == [Turn(3), Turn(4)]


def test_sc_39_a_pool_refilled_in_summer_does_not_end_the_match() -> None:
    state = structs.replace(begun(), pool=1, emptied=False)

    ended = winter(structs.replace(state, pool=0), EndCheck(), NextYear())
    goes_on = winter(state, EndCheck(), NextYear())

    assert ended.result is not None
    assert ended.result.cause is Ending.POOL
    assert goes_on.result is None


def test_sc_28_shame_is_floored_at_nothing_before_hordes_give_honour() -> None:
    state = claimed(without_abilities(begun()), GREEN, h5_l=0)
    state = holding(state, GREEN, honour=3, shamed=(2, 0, 0))
    state = structs.replace(state, pool=0, artefacts=())

    state = winter(state, EndCheck(), NextYear())

    assert player(state, GREEN).honour == 6
