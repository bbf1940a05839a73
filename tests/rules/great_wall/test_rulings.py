"""Each reading of the rulings that a match may choose, and of solo's option; scenarios have Qin's two."""

import pytest
from msgspec import structs

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import Ending, Location
from rules.great_wall.pending import (
    ArtefactsDue,
    BuildDue,
    DefeatCheck,
    EndCheck,
    HordesDue,
    NextYear,
    Places,
    RequestsDue,
    Settle,
    Turns,
)
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.kernel.edition import UnknownOption, UnknownRuling
from rules.kernel.setup import UNRECORDED, Setup
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    NAMES,
    RED,
    SET,
    C,
    R,
    after,
    asking,
    at_location,
    begun,
    broken,
    holding,
    legal,
    on_track,
    player,
    settled,
    tea,
    wall,
)


def ruled(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return ((name, value),)


def ending(state: State) -> Ending | None:
    """How the end check ends the match."""
    found = settled(asking(state, EndCheck(), NextYear(), clan=None)).result
    return None if found is None else found.cause


@pytest.mark.parametrize(("value", "pool", "removed"), [("no", 20, 2), ("yes", 30, 3)])
def test_reed_counts_for_the_pool_and_for_raids(value: str, pool: int, removed: int) -> None:
    state = begun(2, rulings=ruled("reed-counts", value))
    state = wall(state, C, hordes={"h1-c": ""})
    state = wall(state, R, hordes={"h1-r": "", "h2-r": "", "h3-r": ""})
    deck = structs.replace(state.hordes, size=len(state.table.hordes) - 4, discard=())
    state = asking(structs.replace(state, top=C, hordes=deck), HordesDue(1), clan=None)

    assert state.pool == pool
    assert after(state, "horde h4-c right").removed == removed


@pytest.mark.parametrize(("value", "hordes"), [("no", 3), ("yes", 4)])
def test_reed_counts_for_the_hordes_of_a_co_op_start(value: str, hordes: int) -> None:
    state = begun(2, coop=True, rulings=ruled("reed-counts", value))

    assert sum(len(state.section(section).hordes) for section in state.table.sections) == hordes


@pytest.mark.parametrize(
    ("value", "spaces"),
    [("four", ["place 1", "place 2", "place 3", "place 4"]), ("players", ["place 1", "place 2", "place 3"])],
)
def test_three_clans_use_four_spaces_of_the_track_or_three(value: str, spaces: list[str]) -> None:
    state = tea(begun(3, rulings=ruled("strategy-spaces", value)), GREEN, BLUE, RED)
    state = on_track(state, (0, GREEN, "economy"), (0, BLUE, "drill"), (0, RED, "labour"))
    for seat, card in ((GREEN, "economy"), (BLUE, "drill"), (RED, "labour")):
        mine = tuple(
            c for c in player(state, seat).strategies if state.table.parts.strategy_names.names[c] != card
        )
        state = holding(state, seat, strategies=mine)
    state = settled(asking(state, Places(), Turns(), clan=None))

    assert legal(state, GREEN) == spaces


@pytest.mark.parametrize(("value", "rules"), [("yes", []), ("no", ["GW-BLD-03"])])
def test_two_clerks_build_two_parts_of_one_section_or_one(value: str, rules: list[str]) -> None:
    state = holding(begun(3, rulings=ruled("double-build", value)), GREEN, "w20s20g20c0")
    state = at_location(state, Location.BUILDERS, BuildDue(GREEN, 2, ()), Settle(GREEN))
    state = after(state, "green wall C w5")

    assert broken(state, "green wall C w10") == rules
    assert broken(state, "green wall R w5") == []


@pytest.mark.parametrize(("value", "cause"), [("at-check", None), ("latched", Ending.POOL)])
def test_a_pool_that_was_empty_and_is_no_longer_ends_the_match_or_not(
    value: str, cause: Ending | None
) -> None:
    state = begun(3, rulings=ruled("pool-empty", value))
    state = structs.replace(state, pool=2, removed=28, emptied=value == "latched")

    assert ending(state) is cause


def test_a_latched_pool_is_refused_in_co_op() -> None:
    setup = Setup(COOP_1, NAMES[:3], SET, UNRECORDED, ruled("pool-empty", "latched"))

    with pytest.raises(UnknownRuling, match="coop-pool"):
        GREAT_WALL.start(setup)


@pytest.mark.parametrize(("value", "cause"), [("loss", Ending.POOL), ("on", None)])
def test_a_co_op_match_is_lost_with_an_empty_pool_or_goes_on(value: str, cause: Ending | None) -> None:
    state = begun(3, coop=True, rulings=ruled("coop-pool", value))
    assert state.coop is not None
    nothing_open = structs.replace(state.coop, requests=())

    assert ending(structs.replace(state, pool=0, removed=30, coop=nothing_open)) is cause


@pytest.mark.parametrize(("value", "honour"), [("nothing", 2), ("reward", 6)])
def test_a_horde_claimed_in_co_op_gives_nothing_or_its_reward(value: str, honour: int) -> None:
    state = begun(3, coop=True, rulings=ruled("coop-claim", value))
    state = holding(state, GREEN, honour=0, active=(), reserve=(9, 4, 2))
    state = wall(state, C, hordes={"k3-c": "1xxx"})
    state = settled(asking(state, DefeatCheck()))
    state = after(state, "green lose s1 save -")

    assert (player(state, GREEN).honour, len(player(state, GREEN).claimed)) == (honour, 1)


@pytest.mark.parametrize("honour", ["0", "50", "100"])
def test_qin_begins_a_solo_match_with_the_honour_agreed_on(honour: str) -> None:
    state = GREAT_WALL.start(
        Setup(GREAT_WALL_1, NAMES[:1], SET, UNRECORDED, options=(("qin-honour", honour),))
    )

    assert state.of_qin.honour == int(honour)


def test_another_honour_of_qin_is_refused() -> None:
    with pytest.raises(UnknownOption, match="qin-honour"):
        GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES[:1], SET, UNRECORDED, options=(("qin-honour", "70"),)))


def test_a_match_begins_with_artefacts_or_requests() -> None:
    standard = GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES[:3], SET, UNRECORDED))
    together = GREAT_WALL.start(Setup(COOP_1, NAMES[:3], SET, UNRECORDED))

    assert (standard.ask, together.ask) == (ArtefactsDue(), RequestsDue(3))
