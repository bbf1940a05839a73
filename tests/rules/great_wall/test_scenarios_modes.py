"""Scenarios of the digest about two players, solo and co-op, by their ids."""

import pytest
from msgspec import structs

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import QIN, REED, Clan, Ending, Kind, Location
from rules.great_wall.pending import (
    Activate,
    ActsDue,
    AgreeDue,
    BuildDue,
    ClanDies,
    ClerksDue,
    CopyDue,
    DefeatCheck,
    DismissDue,
    Do,
    EndCheck,
    FulfilDue,
    LoseDue,
    NextYear,
    RequestsDue,
    Settle,
    ShameDue,
    StartActs,
    TakeShame,
    Task,
)
from rules.great_wall.state import State
from rules.great_wall.wall import SPEARS
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    RED,
    C,
    R,
    after,
    asking,
    at_location,
    awaited,
    begun,
    broken,
    clerks,
    holding,
    horde,
    legal,
    on_track,
    player,
    qin_track,
    resources,
    settled,
    tea,
    wall,
    without_abilities,
)


def outside(state: State, *tasks: Task) -> State:
    """After what happens of itself from these tasks on, outside of anybody's turn."""
    return settled(asking(state, *tasks, clan=None))


def script(state: State, name: str) -> Task:
    """A block of a card, done by Qin on his own turn."""
    return Do(QIN, state.table.parts.script_names.number_of[name], 0)


# The Reed Clan.


def test_sc_47_reed_alone_activates_no_special_location_but_fills_standard_ones() -> None:
    state = clerks(without_abilities(begun(2)), "embassy:r+sawmill:r+quarry:r")
    lone = settled(asking(state, ActsDue(Clan(GREEN), (), ())))
    full = settled(asking(clerks(state, "gold-mine:22r+sawmill:r+quarry:r"), ActsDue(Clan(GREEN), (), ())))

    assert lone.at == state.at
    assert not isinstance(lone.ask, DismissDue)
    assert resources(full, BLUE)[2] == resources(state, BLUE)[2] + 2
    assert full.clerks(Location.GOLD_MINE, REED) == 1


def test_sc_48_a_horde_that_reed_covers_most_is_discarded() -> None:
    state = wall(without_abilities(begun(2)), C, hordes={"h3-c": "rr1x"})
    state = outside(state, DefeatCheck())

    state = after(state, "green lose s1 save -")

    assert (player(state, GREEN).honour, player(state, GREEN).claimed) == (2, ())
    assert horde(state, "h3-c") in state.hordes.discard


@pytest.mark.parametrize(("turn", "asked"), [(Clan(GREEN), True), (REED, False)])
def test_sc_49_and_85_reed_in_the_temple_absolves_the_active_player(turn: Clan, *, asked: bool) -> None:
    state = clerks(without_abilities(begun(2)), "temple:22r+sawmill:r+quarry:r")
    state = holding(holding(state, GREEN, shamed=(1, 0, 0)), BLUE, shamed=(1, 0, 0))
    state = structs.replace(state, pool=18)
    state = settled(asking(state, Activate(Location.TEMPLE, advanced=False), clan=turn))
    if asked:
        state = after(state, "green absolve spearman")

    assert (state.pool, player(state, BLUE).shamed) == (19 if asked else 18, (1, 0, 0))


def test_sc_69_reed_clerks_stand_one_to_a_location_and_leave_no_full_one() -> None:
    state = clerks(begun(2), "sawmill:1122r+tea-house:r+academy:r")
    state = asking(state, ClerksDue(GREEN, REED, 1, ()))

    assert broken(state, "green reed sawmill temple") == ["GW-CLK-03"]
    assert broken(state, "green reed academy tea-house") == ["GW-2P-09"]
    assert broken(state, "green reed academy temple") == []
    assert broken(state, "blue reed academy temple") == ["GW-ASK-02"]


def test_sc_84_reed_keeps_a_player_from_filling_the_tea_house_alone() -> None:
    state = clerks(tea(begun(2), BLUE, GREEN, REED), "tea-house:11r+sawmill:r+quarry:r")
    state = settled(asking(state, Activate(Location.TEA_HOUSE, advanced=False)))

    state = after(state, "green rise")

    assert state.tea == tea(state, GREEN, REED, BLUE).tea


def test_reed_donates_from_the_stock_and_stays() -> None:
    state = clerks(without_abilities(begun(2)), "gold-mine:12r+sawmill:r+quarry:r")
    state = settled(asking(state, Activate(Location.GOLD_MINE, advanced=False)))
    while any(state.at[Location.GOLD_MINE][:2]):
        state = after(state, f"{awaited(state)[0]} done")

    assert state.ware == (0, 0, 1)
    assert state.clerks(Location.GOLD_MINE, REED) == 1


def test_the_overlord_answers_for_reed_and_on_its_turn_that_is_the_top_player() -> None:
    state = clerks(tea(begun(2), BLUE, GREEN, REED), "builders:r1+sawmill:r+quarry:r")
    own = settled(asking(state, Activate(Location.BUILDERS, advanced=True), clan=GREEN))
    reeds = settled(asking(state, Activate(Location.BUILDERS, advanced=True), clan=REED))

    assert awaited(after(own, "green done")) != ["blue"]
    assert awaited(after(reeds, "green done")) == ["blue"] or reeds.section(C).barricades == 3


# Solo.


@pytest.mark.parametrize(
    ("where", "track"),
    [
        ("sawmill", ("wood", "stone", "gold", "chi", "wound")),
        ("gold-mine", ("gold", "wood", "stone", "chi", "wound")),
    ],
)
@pytest.mark.parametrize("turn", [QIN, REED, Clan(GREEN)])
def test_sc_50_the_token_of_an_activated_location_goes_to_the_front_on_anybodys_turn(
    where: str, track: tuple[str, ...], turn: Clan
) -> None:
    state = qin_track(begun(1), "wood", "stone", "gold", "chi", "wound")
    state = clerks(state, f"{where}:q+temple:r")
    location = Location[where.upper().replace("-", "_")]

    state = settled(asking(state, Activate(location, advanced=True), clan=turn))

    assert tuple(token.word for token in state.of_qin.track) == track


def test_sc_16_qin_gains_honour_by_his_clerks_and_his_foremans_level() -> None:
    state = clerks(qin_track(begun(1), "wood", "stone", "gold", "chi", "wound"), "quarry:qq+temple:r")
    foremen = list(state.of_qin.foremen)
    foremen[1] = structs.replace(foremen[1], level=2) if foremen[1] is not None else None
    state = structs.replace(state, qin=structs.replace(state.of_qin, foremen=tuple(foremen)))

    state = settled(asking(state, Activate(Location.QUARRY, advanced=True), clan=QIN))

    assert (state.of_qin.honour, state.ware) == (4, (0, 0, 0))


def test_sc_14_qins_economy_helps_the_players_despotism() -> None:
    state = on_track(begun(1), (1, GREEN, "despotism"), (2, QIN, "economy"))
    number = state.table.parts.script_names.number_of["despotism.1"]

    assert settled(asking(state, Do(Clan(GREEN), number, 0))).ask == ClerksDue(GREEN, Clan(GREEN), 4, ())


def test_sc_19_betrayal_copies_the_players_version_of_qins_card() -> None:
    state = on_track(begun(1), (1, GREEN, "betrayal"), (2, QIN, "economy"))
    number = state.table.parts.script_names.number_of["betrayal.1"]
    state = settled(asking(state, Do(Clan(GREEN), number, 0)))
    assert isinstance(state.ask, CopyDue)

    assert after(state, "green copy qin").ask == ClerksDue(GREEN, Clan(GREEN), 3, ())


def test_sc_15_and_70_qin_sends_two_clerks_to_the_lowest_that_are_not_full() -> None:
    state = qin_track(begun(1), "wood", "gold", "chi", "stone", "wound")
    state = clerks(state, "quarry:111r+sawmill:r+gold-mine:r")
    number = state.table.parts.script_names.number_of["economy.2"]

    state = settled(asking(state, Do(QIN, number, 0), clan=GREEN))

    assert (state.clerks(Location.BARRACKS, QIN), state.clerks(Location.TEMPLE, QIN)) == (1, 1)
    assert state.of_qin.clerks == 6


@pytest.mark.parametrize(
    ("rulings", "track"),
    [
        ((), ("wood", "stone", "gold", "chi", "wound")),
        ((("qin-order", "highest"),), ("stone", "wood", "gold", "chi", "wound")),
    ],
)
def test_sc_71_qins_locations_activate_in_an_order_fixed_at_the_start(
    rulings: tuple[tuple[str, str], ...], track: tuple[str, ...]
) -> None:
    state = qin_track(begun(1, rulings=rulings), "wood", "gold", "chi", "stone", "wound")
    state = clerks(state, "quarry:qqqq+sawmill:qqqqq+temple:r")

    state = settled(asking(state, StartActs(QIN), clan=QIN))

    assert tuple(token.word for token in state.of_qin.track) == track


@pytest.mark.parametrize(("rulings", "marks"), [((), "qqq."), ((("qin-fill", "rows"),), "qqq.")])
def test_sc_72_qin_fills_spots_by_columns_or_by_rows(
    rulings: tuple[tuple[str, str], ...], marks: str
) -> None:
    state = wall(begun(1, rulings=rulings), C, hordes={"h3-c": ""})
    state = clerks(structs.replace(state, top=C), "barracks:qqq+temple:r")
    state = qin_track(state, "wood", "stone", "gold", "chi", "wound")

    two = settled(
        asking(clerks(state, "barracks:qq+temple:r"), Activate(Location.BARRACKS, advanced=True), clan=QIN)
    )
    three = settled(asking(state, Activate(Location.BARRACKS, advanced=True), clan=QIN))

    assert two.section(C).hordes[0].marks == ("qq.." if rulings else "q.q.")
    assert (three.section(C).hordes[0].marks, three.of_qin.honour) == (marks, 6)


def test_sc_73_qin_builds_with_what_the_warehouse_has() -> None:
    state = structs.replace(wall(begun(1), R, level=0), top=R, ware=(2, 1, 0))

    state = settled(asking(state, script(state, "qin.labour.3"), clan=QIN))

    assert (state.section(R).level, state.ware, state.of_qin.honour) == (1, (0, 0, 0), 5)


def test_sc_74_qin_as_overlord_sends_reed_from_where_he_has_no_use() -> None:
    state = qin_track(begun(1), "wood", "gold", "chi", "stone", "wound")
    state = clerks(state, "academy:r+sawmill:r+gold-mine:r")
    number = state.table.parts.script_names.number_of["qin.betrayal.2"]

    state = settled(asking(state, Do(REED, number, 0), clan=QIN))

    assert (state.clerks(Location.ACADEMY, REED), state.clerks(Location.BARRACKS, REED)) == (0, 1)


def test_sc_17_qins_despotism_activates_his_lowest_location() -> None:
    state = qin_track(begun(1), "wood", "gold", "chi", "stone", "wound")
    state = clerks(state, "sawmill:q+quarry:q+temple:r")

    state = settled(asking(state, script(state, "qin.despotism.3"), clan=QIN))

    assert (state.clerks(Location.SAWMILL, QIN), state.clerks(Location.QUARRY, QIN)) == (1, 0)


@pytest.mark.parametrize(("honour", "won"), [(100, False), (101, True)])
def test_sc_51_the_player_needs_strictly_more_honour_than_qin(honour: int, *, won: bool) -> None:
    state = holding(without_abilities(begun(1)), GREEN, honour=honour)
    state = structs.replace(state, qin=structs.replace(state.of_qin, honour=100), artefacts=())
    state = structs.replace(state, time=state.table.final_slot)

    state = outside(state, EndCheck(), NextYear())

    assert state.result is not None
    assert bool(state.result.winners) == won


def test_an_empty_pool_loses_solo_whatever_the_honour() -> None:
    state = structs.replace(holding(begun(1), GREEN, honour=300), pool=0)

    state = outside(state, EndCheck(), NextYear())

    assert state.result is not None
    assert (state.result.cause, state.result.winners) == (Ending.POOL, ())


def test_reed_and_qin_lose_spearmen_first_and_save_nobody() -> None:
    state = wall(begun(1), C, hordes={"h3-c": "qII."})

    state = outside(state, ClanDies(QIN, C, horde(state, "h3-c")))

    assert state.section(C).hordes[0].marks == "xII."
    assert state.of_qin.reserve[Kind.SPEARMAN] == 9


# Co-op.


def test_sc_18_requests_are_fulfilled_only_in_their_step() -> None:
    state = asking(begun(3, coop=True), ClerksDue(GREEN, Clan(GREEN), 1, ()))

    assert broken(state, "green fulfil request-09") == ["GW-COP-08"]


def test_sc_52_a_token_is_shed_for_10_honour() -> None:
    state = holding(begun(3, coop=True), GREEN, honour=12)
    state = outside(structs.replace(state, pool=30), TakeShame(GREEN, 1))
    assert isinstance(state.ask, ShameDue)

    assert broken(holding(state, GREEN, honour=9), "green shed") == ["GW-COP-16"]
    state = after(state, "green shed")
    assert (player(state, GREEN).honour, state.pool) == (2, 30)


def test_sc_53_a_gain_from_an_empty_pool_loses_at_once() -> None:
    state = structs.replace(begun(3, coop=True), pool=0)

    state = outside(state, TakeShame(GREEN, 1))

    assert state.result is not None
    assert (state.result.cause, state.result.winners) == (Ending.SHAME, ())


def test_sc_54_the_win_is_tested_before_the_defeats() -> None:
    state = begun(3, coop=True)
    fulfilled = tuple(state.table.parts.request_names.number_of.values())[5:12]
    coop = structs.replace(state.in_coop, requests=(), fulfilled=fulfilled)
    state = structs.replace(state, coop=coop, time=state.table.final_slot, pool=0)

    state = outside(state, EndCheck(), NextYear())

    assert state.result is not None
    assert (state.result.cause, state.result.winners) == (Ending.REQUESTS, (GREEN, BLUE, RED))


def test_sc_75_a_request_to_all_fails_with_the_first_refusal() -> None:
    state = begun(3, coop=True)
    request = state.table.parts.request_names.number_of["request-05"]
    state = structs.replace(state, coop=structs.replace(state.in_coop, requests=(request,)))
    for seat, held in ((GREEN, "w2s0g0c0"), (BLUE, "w1s0g0c0"), (RED, "w2s0g0c0")):
        state = holding(state, seat, held)
    state = asking(state, FulfilDue((), ()), EndCheck(), NextYear(), clan=None)

    state = after(state, "green fulfil request-05")
    assert state.ask == AgreeDue(request, (), (), ())
    assert legal(state, BLUE) == ["refuse"]
    assert broken(state, "blue agree") == ["GW-COP-09"]
    state = after(state, "green agree", "blue refuse")

    assert broken(state, "green fulfil request-05") == ["GW-COP-08"]
    assert [resources(state, seat)[0] for seat in (GREEN, BLUE, RED)] == [2, 1, 2]


def test_nobody_is_asked_to_agree_to_a_request_that_does_not_lie_open() -> None:
    state = begun(3, coop=True)
    request = state.table.parts.request_names.number_of["request-05"]
    state = structs.replace(state, ask=AgreeDue(request, (), (), ()), then=(EndCheck(), NextYear()))
    closed = structs.replace(state, coop=structs.replace(state.in_coop, requests=()))
    opened = structs.replace(state, coop=structs.replace(state.in_coop, requests=(request,)))
    found = "AgreeDue cannot be pending in this match"

    assert found in GREAT_WALL.problems(closed)
    assert found not in GREAT_WALL.problems(opened)


@pytest.mark.parametrize("stranger", [Clan(RED), QIN])
def test_no_soldier_of_a_clan_that_does_not_play_is_at_the_wall(stranger: Clan) -> None:
    state, name = begun(2), "h4-c"
    spots = len(state.table.parts.hordes[horde(state, name)].cells)
    on_card = wall(state, C, hordes={name: SPEARS[stranger].ljust(spots, ".")})
    in_slots = wall(state, C, firing={stranger: 1})

    assert f"soldiers stand on {name} that are not in the match" in GREAT_WALL.problems(on_card)
    assert "archers stand in the centre section that are not in the match" in GREAT_WALL.problems(in_slots)


def test_nobody_has_agreed_to_a_request_without_the_means_to_pay_it() -> None:
    state = begun(3, coop=True)
    names = state.table.parts.request_names.number_of
    wood, walls = names["request-05"], names["request-11"]
    state = structs.replace(state, coop=structs.replace(state.in_coop, requests=(wood, walls)))
    state = structs.replace(state, then=(EndCheck(), NextYear()))
    agreed = structs.replace(state, ask=AgreeDue(wood, (GREEN,), (), ()))
    found = "AgreeDue cannot be pending in this match"

    assert found in GREAT_WALL.problems(holding(agreed, GREEN, "w1s9g9c9"))
    assert found not in GREAT_WALL.problems(holding(agreed, GREEN, "w2s0g0c0"))
    for impossible in (
        AgreeDue(wood, (), (), (wood,)),
        AgreeDue(walls, (), (), ()),
        AgreeDue(wood, (GREEN, BLUE, RED), (), ()),
    ):
        assert found in GREAT_WALL.problems(structs.replace(state, ask=impossible))


def test_a_request_to_all_is_paid_by_all_at_the_last_agreement() -> None:
    state = begun(2, coop=True)
    request = state.table.parts.request_names.number_of["request-05"]
    state = structs.replace(state, coop=structs.replace(state.in_coop, requests=(request,)))
    for seat in (GREEN, BLUE):
        state = holding(state, seat, "w2s0g0c0")
    state = asking(state, FulfilDue((), ()), EndCheck(), NextYear(), clan=None)

    state = after(state, "blue fulfil request-05", "blue agree", "green agree")

    assert [resources(state, seat)[0] for seat in (GREEN, BLUE)] == [0, 0]
    assert state.in_coop.fulfilled == (request,)


def test_sc_76_requests_that_lie_open_shame_everybody_and_are_replaced() -> None:
    state = without_abilities(begun(3, coop=True))
    state = structs.replace(state, coop=structs.replace(state.in_coop, requests=state.in_coop.requests[:2]))
    state = outside(structs.replace(state, pool=7), NextYear())
    while isinstance(state.ask, ShameDue):
        state = after(state, f"{awaited(state)[0]} shame spearman")

    assert state.pool == 1
    assert state.ask == RequestsDue(1)


def test_sc_77_an_event_makes_battles_deadlier() -> None:
    state = wall(without_abilities(begun(3, coop=True)), C, hordes={"k3-c": "111x"})
    event = state.table.parts.event_names.number_of["event-05"]
    state = structs.replace(state, time=3, coop=structs.replace(state.in_coop, events=(event,)))
    state = outside(state, DefeatCheck())

    assert isinstance(state.ask, LoseDue)
    assert broken(state, "green lose s3 save -") == []


def test_in_co_op_seats_act_in_any_order_and_one_that_has_begun_finishes_first() -> None:
    state = clerks(without_abilities(begun(3, coop=True)), "academy:112+builders:3")
    state = settled(asking(state, Activate(Location.ACADEMY, advanced=False)))
    assert awaited(state) == ["green", "blue"]

    state = after(state, "blue study 0")

    assert awaited(state) == ["green"]


def test_in_co_op_no_shame_goes_on_hordes_and_nothing_is_recovered_in_summer() -> None:
    state = outside(begun(3, coop=True), TakeShame(GREEN, 1))

    assert broken(state, "green shame k1-l") == ["GW-COP-15"]
    assert broken(state, "green recover") == ["GW-COP-17"]


def test_in_co_op_a_builder_takes_back_a_card_after_a_wall_part() -> None:
    state = without_abilities(begun(3, coop=True))
    cards = state.table.cards
    state = holding(state, GREEN, "w9s0g0c0", discarded=cards[:2], strategies=cards[2:])
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 1, ()), Settle(GREEN))

    state = after(state, "green wall C w5")
    assert broken(state, "green recover drill") == ["GW-COP-18"]
    state = after(state, "green recover attack-order")

    assert player(state, GREEN).discarded == cards[1:2]
