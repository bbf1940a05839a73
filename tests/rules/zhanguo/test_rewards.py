"""Soldiers and phase 3 (sections 8 and 9 of the digest)."""

import pytest

from rules.zhanguo.pieces import Aspect, Region
from rules.zhanguo.state import State
from tests.rules.zhanguo.positions import (
    Parts,
    asked,
    awaited,
    of,
    played,
    rules_broken,
    settled,
    table,
    top,
)
from tests.rules.zhanguo.strategies import NAMES

SITE_A = {"b1": "A=MW3:...."}


def phase_3(  # noqa: PLR0913 - a table has all of these
    players: dict[str, Parts],
    *,
    turn: str = "row:0:-",
    seats: tuple[str, ...] | int = 3,
    number: int = 1,
    order: str | None = None,
    regions: dict[str, str] | None = None,
    spots: dict[str, str] | None = None,
    walls: dict[str, str] | None = None,
    rulings: tuple[tuple[str, str], ...] = (),
    options: tuple[tuple[str, str], ...] = (),
) -> State:
    """A table on which all hands are empty, after what happens there by itself."""
    names = NAMES[:seats] if isinstance(seats, int) else seats
    return settled(
        table(
            seats=seats,
            players={name: {"hand": "", **players.get(name, {})} for name in names},
            turn=turn,
            number=number,
            order=order,
            regions=regions,
            spots=spots,
            walls=walls,
            rulings=rulings,
            options=options,
        )
    )


def test_scn_13_and_14_rows_are_ranked_anew_and_takers_go_last() -> None:
    names = ("Stefania", "Marco", "Pauline")
    start = phase_3(
        {
            "Stefania": {"tokens": "3.0.1"},
            "Marco": {"tokens": "1.1.1"},
            "Pauline": {"tokens": "0.2.0"},
        },
        seats=names,
        number=4,
        regions={"qi": ";000;G1:23;000"},
    )

    assert awaited(start) == ["Stefania"]
    writing = played(start, "Stefania accept")
    assert of(writing, "Stefania").tokens[Aspect.WRITING] == 0
    assert of(writing, "Stefania").entrance == 3

    assert awaited(writing) == ["Pauline"]
    currency = played(writing, "Pauline accept", "Pauline install qi area")

    assert awaited(currency) == ["Marco"]
    laws = played(currency, "Marco pass")

    assert awaited(laws) == ["Stefania"]
    after = played(laws, "Stefania accept", "Stefania wall CL 1")

    assert of(after, "Marco").tokens == (1, 1, 1)
    assert [names[seat] for seat in after.track] == ["Marco", "Pauline", "Stefania"]


def test_scn_15_soldiers_are_paid_for_and_placed() -> None:
    start = phase_3(
        {"green": {"tokens": "2.3.1"}},
        turn="payment:-",
        spots=SITE_A,
        walls={"AL": "?:1..."},
    )
    paid = played(start, "green pay wwc", "green pay ccl")

    assert of(paid, "green").tokens == (0, 0, 0)
    assert of(paid, "green").entrance == 3

    after = played(paid, "green soldier b1")

    assert of(after, "green").entrance == 2
    assert of(after, "green").vp == 9


def test_scn_16_large_tokens_go_back_and_five_small_ones_are_kept() -> None:
    start = phase_3(
        {"green": {"tokens": "3.0.0L"}, "violet": {"tokens": "4.0.2"}, "amber": {"tokens": "0.0.2"}},
        turn="limit:-",
    )

    assert awaited(start) == ["violet"]
    assert asked(start) == ["return w", "return l"]
    large = phase_3({"green": {"tokens": "3.0.0L"}}, turn="payment:3")
    assert of(large, "green").large == ()


def test_scn_17_the_highest_free_slot_is_taken() -> None:
    start = table(
        turn="play:3",
        spots={"b1": "A=MW3:1..."},
        walls={"AL": "?:..3."},
        players={"green": {"entrance": 0}},
    )
    after = played(start, "amber unify 12 chu", "amber soldier b1")

    assert of(after, "amber").vp == 6


def test_scn_44_slots_for_three_are_not_used_by_two() -> None:
    start = table(
        seats=2,
        spots=SITE_A,
        walls={"AL": "?:12"},
    )
    first = played(start, "green unify 12 chu", "green soldier b1")

    assert of(first, "green").vp == 9

    second = played(first, "violet unify 13 chu", "violet soldier b1")

    assert of(second, "violet").vp == 4


@pytest.mark.parametrize(("generals", "offered"), [("ggg", False), ("gg", True)])
def test_scn_38_a_reward_is_accepted_only_in_full(generals: str, *, offered: bool) -> None:
    state = phase_3({"green": {"tokens": "0.1.0", "wei": f";{generals};0;0"}})

    assert (awaited(state) == ["green"] and "accept" in asked(state)) is offered


def test_scn_39_taking_every_reward_costs_the_turn_order_once() -> None:
    start = phase_3({"amber": {"tokens": "2.2.2"}}, seats=4, number=2)
    after = played(start, "amber accept", "amber place A1 chu", "amber accept", "amber accept")

    assert after.track == (0, 1, 3, 2)


def test_scn_40_of_equal_totals_in_the_column_the_upper_one_is_first() -> None:
    state = phase_3(
        {"violet": {"tokens": "0.0.2"}, "white": {"tokens": "0.0.2"}},
        seats=4,
        order="13|42-",
        turn="row:2:-",
    )

    assert awaited(state) == ["white"]
    assert awaited(played(state, "white pass")) == ["violet"]


@pytest.mark.parametrize(
    ("tokens", "rulings", "payments"),
    [
        ("1.0.0L", (), ["Lw"]),
        ("1.0.0CL", (), ["CL", "Cw", "Lw"]),
        ("1.0.0CL", (("unlock-cost", "count"),), ["CLw"]),
    ],
)
def test_scn_51_payments_have_no_token_that_could_be_left_out(
    tokens: str, rulings: tuple[tuple[str, str], ...], payments: list[str]
) -> None:
    state = phase_3({"green": {"tokens": tokens}}, turn="payment:-", rulings=rulings)

    assert asked(state) == [*(f"pay {payment}" for payment in payments), "done"]


def test_scn_52_a_large_token_counts_two_and_ties_follow_the_track() -> None:
    state = phase_3(
        {"green": {"tokens": "1.0.0"}, "violet": {"tokens": "0.0.0W"}, "amber": {"tokens": "2.0.0"}},
        order="312|---",
    )

    assert awaited(state) == ["amber"]
    after = played(state, "amber pass")
    assert awaited(after) == ["violet"]
    assert awaited(played(after, "violet pass")) == ["green"]


def test_scn_53_a_free_palace_takes_no_large_token() -> None:
    start = phase_3(
        {"green": {"tokens": "1.0.0", "chu": "12,14;;0;2"}},
        number=5,
        regions={"chu": "w;000;;000"},
    )
    after = played(start, "green accept", "green palace chu")

    assert of(after, "green").vp == 12
    assert of(after, "green").large == ()
    assert of(after, "green").domains[Region.CHU].unrest == 2


def test_scn_56_a_boat_as_a_reward_meets_its_symbols() -> None:
    start = phase_3({"green": {"tokens": "0.1.0", "boat": 12}}, number=5, options=(("table", "T2"),))
    after = played(start, "green accept")

    assert of(after, "green").boat == 19
    assert of(after, "green").entrance == 3


def test_scn_33_a_boat_at_the_end_cannot_take_a_boat_as_a_reward() -> None:
    state = phase_3({"green": {"tokens": "0.1.0", "boat": 20}}, number=2)

    assert of(state, "green").tokens == (0, 1, 0)
    assert "offer" not in top(state)


def test_scn_57_who_cannot_take_a_reward_passes_without_an_entry() -> None:
    state = phase_3(
        {
            "green": {"tokens": "2.0.0", "locked": 1, "entrance": 8},
            "violet": {"tokens": "1.0.0"},
        },
        number=4,
    )

    assert awaited(state) == ["violet"]
    assert of(state, "green").tokens == (2, 0, 0)


def test_scn_59_tokens_of_choice_go_back() -> None:
    state = phase_3({"green": {"tokens": "4.1.4"}}, turn="limit:-")

    assert len(asked(state)) == 9
    assert {len(move.split()[1]) for move in asked(state)} == {4}
    assert rules_broken(state, "green return www") == ["REW-31"]


def test_scn_62_an_accepted_large_token_goes_back_to_the_board() -> None:
    start = phase_3({"green": {"tokens": "0.0.0W"}, "violet": {"tokens": "1.0.0"}})

    assert awaited(start) == ["green"]
    after = played(start, "green accept", "green recruit general chu")

    assert after.holder(Aspect.WRITING) is None


def test_a_late_answer_is_judged_by_the_frame_that_is_then_on_top() -> None:
    state = phase_3({"violet": {"tokens": "1.0.0"}})

    assert rules_broken(state, "green accept") == ["STM-03"]
    assert rules_broken(state, "violet done") == ["REW-05"]
