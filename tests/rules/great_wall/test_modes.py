"""What two players, solo and co-op change, where no scenario of the digest shows it."""

import pytest
from msgspec import structs

from rules.great_wall.kinds import QIN, REED, Location
from rules.great_wall.pending import (
    Activate,
    ClearTrack,
    Do,
    HordesDue,
    RecoverDue,
    ReedAt,
    Spring,
    TakeShame,
    Task,
)
from rules.great_wall.state import State
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    C,
    R,
    after,
    asking,
    begun,
    claimed,
    clerks,
    holding,
    legal,
    player,
    settled,
    tea,
    wall,
    without_abilities,
)


def outside_turns(state: State, *tasks: Task) -> State:
    """After what happens of itself from these tasks on, between two turns."""
    return settled(asking(state, *tasks, clan=None))


def test_beside_reed_a_player_rises_in_the_tea_house_by_one_place_only() -> None:
    state = clerks(tea(begun(2), BLUE, REED, GREEN), "tea-house:11r+sawmill:r+quarry:r")
    state = settled(asking(state, Activate(Location.TEA_HOUSE, advanced=False)))

    state = after(state, "green rise")

    assert state.tea == tea(state, REED, GREEN, BLUE).tea


def test_qins_archer_goes_nowhere_but_to_the_section_that_the_indicator_shows() -> None:
    state = structs.replace(begun(1), top=C)
    full = wall(state, C, firing={GREEN: 1})
    recruits = Do(QIN, state.table.parts.script_names.number_of["qin.attack-order.3"], 0)

    sent = settled(asking(state, recruits, clan=QIN))
    kept = settled(asking(full, recruits, clan=QIN))

    assert [sent.section(section).firing[QIN] for section in (C, R)] == [1, 0]
    assert [kept.section(section).firing[QIN] for section in (C, R)] == [0, 0]


def test_qin_gains_nothing_by_a_reed_spearman_that_he_sends() -> None:
    state = wall(structs.replace(begun(1), top=C), C, hordes={"h3-c": ""})

    state = settled(asking(state, ReedAt(Location.BARRACKS), clan=QIN))

    assert "r" in state.section(C).hordes[0].marks
    assert state.of_qin.honour == 0


@pytest.mark.parametrize("coop", [False, True])
def test_strategy_cards_come_back_in_summer_but_not_in_co_op(*, coop: bool) -> None:
    state = begun(3, coop=coop)
    first, *others = player(state, GREEN).strategies
    state = holding(state, GREEN, discarded=(first,), strategies=tuple(others))

    state = outside_turns(state, ClearTrack())

    assert isinstance(state.ask, RecoverDue) != coop


@pytest.mark.parametrize(("coop", "hordes"), [(False, 2), (True, 3)])
def test_a_co_op_invasion_brings_one_horde_more(*, coop: bool, hordes: int) -> None:
    state = outside_turns(begun(3, coop=coop), Spring())

    assert state.ask == HordesDue(hordes)


def test_a_claimed_horde_is_no_place_for_a_token_in_co_op() -> None:
    state = claimed(without_abilities(begun(3, coop=True)), GREEN, k1_l=0)
    state = structs.replace(holding(state, GREEN, reserve=(0, 0, 0), honour=9), pool=30)

    poor = outside_turns(state, TakeShame(GREEN, 1))
    rich = outside_turns(holding(state, GREEN, honour=10), TakeShame(GREEN, 1))

    assert (player(poor, GREEN).honour, poor.removed) == (4, 1)
    assert [move for move in legal(rich, GREEN) if not move.startswith("play")] == ["shed", "done"]
