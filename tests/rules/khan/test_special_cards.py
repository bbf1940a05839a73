"""Special cards and consent. Scenarios by their ids (S-M, S-P, S-S, S-E, S-3)."""

import pytest

from rules.khan.game import KHAN
from rules.khan.state import State
from tests.rules.khan.positions import ask, do, drawn, is_legal, position, rules_broken, turn_of

JOKERS = "draws=recorded"
HAND = {"red": "seljuk.N.joker,rus.NE.joker,leader-3.E.joker,leader-4.SE.joker"}
YURTS = {"b9": "1", "c9": "1"}


def acting(marks: dict[str, str] | None = None, turn: str = "act:red:2", seats: int = 4) -> State:
    return position(marks or YURTS, turn, hands=HAND, options=JOKERS, seats=seats)


A1, A2 = "red invade f9 seljuk.N.joker", "red invade g9 rus.NE.joker"
B1, B2 = ("red chase seljuk", "turn leader-5.S.joker"), ("red chase rus", "turn leader-5.N.sand")
C = "red conquer T2 b9c9"


@pytest.mark.parametrize(
    "entries",
    [
        (A1, A2, "red morale", C),
        (A1, C, "red morale", "red conquer T2 d9d8"),
        ("red anywhere f9", "red done", "red morale", C),
        (*B1, *B2, "red morale", C),
    ],
    ids=["s_m_1-AAC", "s_m_2-ACC", "s_m_3-DC", "s_m_4-BBC"],
)
def test_high_morale_gives_one_more_action(entries: tuple[str, ...]) -> None:
    state = acting({**YURTS, "d9": "1", "d8": "1"})

    after = do(state, *entries)

    assert turn_of(after) in {"draw:red", "turn:yellow"}
    assert after.specials[0][0] == 0


@pytest.mark.parametrize("before", [(A1, A2), ("red anywhere f9", "red done")], ids=["AAD", "DD"])
def test_s_m_5_the_extra_action_is_a_single_one(before: tuple[str, ...]) -> None:
    state = do(acting(), *before, "red morale")

    assert rules_broken(state, "red anywhere g10") == ["KHAN-SPEC-M"]


def test_s_m_6_a_third_action_takes_the_card() -> None:
    assert rules_broken(do(acting(), A1, A2), C) == ["KHAN-TURN-2"]


def test_a_special_card_must_be_held() -> None:
    state = position(YURTS, "special:red", specials="M1")

    assert rules_broken(state, "red protection") == ["KHAN-SPEC-1"]
    assert rules_broken(state, "red morale") == []


def test_step_4_is_skipped_by_those_who_can_use_no_card() -> None:
    state = position(YURTS, "act:red:1", specials="", hands=HAND, options=JOKERS)

    assert turn_of(do(state, A1)) == "draw:red"


# Protection.


class TestProtection:
    SHARED = position({"a9": "1", "b9": "2"}, "act:red:2", active={"yellow": "protection"})

    def test_s_p_1_a_shared_conquest_asks_the_protected(self) -> None:
        asked = do(self.SHARED, "red conquer T2 a9b9")

        assert KHAN.awaiting(asked) == (1,)
        assert do(asked, "yellow agree").placed[-1].owners == (0, 1)
        assert turn_of(do(asked, "yellow agree")) == "act:red:1"

    def test_s_p_1_a_refusal_changes_nothing_but_the_proposals(self) -> None:
        """Property 9."""
        refused = do(self.SHARED, "red conquer T2 a9b9", "yellow refuse")

        assert refused.refused != ()
        assert drawn(refused) == drawn(self.SHARED)
        assert turn_of(refused) == "act:red:2"
        assert rules_broken(refused, "red conquer T2 a9b9") == ["KHAN-CONSENT-1"]

    def test_nothing_else_happens_while_an_answer_is_due(self) -> None:
        asked = do(self.SHARED, "red conquer T2 a9b9")

        assert rules_broken(asked, "red chase seljuk") == ["KHAN-TURN-1"]
        assert rules_broken(asked, "yellow pass") == ["KHAN-CONSENT-1"]
        assert rules_broken(asked, "blue agree") == ["KHAN-TURN-1"]
        assert rules_broken(self.SHARED, "red agree") == ["KHAN-CONSENT-1"]

    def test_s_p_2_without_a_share_nobody_is_asked(self) -> None:
        state = position({"a9": "1", "b9": "1", "c9": "2"}, "act:red:2", active={"yellow": "protection"})

        assert rules_broken(state, "red conquer T3I a9b9c9") == ["KHAN-SPEC-P"]

    def test_s_p_3_other_yurts_are_not_protected(self) -> None:
        state = position({"a9": "1", "b9": "1", "c9": "2"}, "act:red:2", active={"yellow": "protection"})

        assert is_legal(state, "red conquer T2 a9b9")

    def test_s_p_4_one_protection_at_a_time(self) -> None:
        state = position({}, "special:red", active={"yellow": "protection"})

        assert rules_broken(state, "red protection") == ["KHAN-SPEC-P"]

    @pytest.mark.parametrize("card", ["protection", "support"])
    def test_s_p_5_with_two_seats_not_in_two_turns_running(self, card: str) -> None:
        running = position({}, "special:red", seats=2, specials="P1S1", options=f"retired={card}")
        later = position({}, "special:red", seats=2, specials="P1S1")

        assert rules_broken(running, f"red {card}") == [f"KHAN-SPEC-{card[0].upper()}"]
        assert rules_broken(later, f"red {card}") == []

    def test_s_p_5_over_three_turns(self) -> None:
        state = do(
            position(YURTS, "special:red", seats=2, specials="M1P2"),
            "red protection",
            *idle("yellow", "seljuk"),
            *actions("red", "rus"),
        )
        assert rules_broken(state, "red protection") == ["KHAN-SPEC-P"]

        later = do(state, "red done", *idle("yellow", "leader-3"), *actions("red", "leader-4"))
        assert rules_broken(later, "red protection") == []

    def test_the_protected_may_conquer(self) -> None:
        state = position({"a9": "1", "b9": "2"}, "act:yellow:2", active={"yellow": "protection"})

        assert do(state, "yellow conquer T2 a9b9").placed[-1].owners == (0, 1)


CARDS = {
    "seljuk": ("seljuk.S.sand", "seljuk.SE.rock", "seljuk.E.tundra"),
    "rus": ("rus.S.rock", "rus.SE.tundra", "rus.E.ice"),
    "leader-3": ("leader-3.S.tundra", "leader-3.SE.ice", "leader-3.SW.rock"),
    "leader-4": ("leader-4.S.ice", "leader-4.SE.mountain", "leader-4.SW.tundra"),
}


def actions(name: str, leader: str) -> tuple[str, ...]:
    """Step 1 and two chases, all by cards of one leader."""
    first, second, third = CARDS[leader]
    return (
        f"turn {first}",
        f"{name} chase leader-8",
        f"turn {second}",
        f"{name} chase leader-7",
        f"turn {third}",
    )


def idle(name: str, leader: str) -> tuple[str, ...]:
    """A whole turn without a special card."""
    return (*actions(name, leader), f"{name} done")


# Support of the Gods.


def test_s_s_1_with_three_seats_all_neutral_yurts_are_protected() -> None:
    marks = {"a9": "1", "b9": "0", "c9": "2"}
    state = position(marks, "act:red:2", seats=3, active={"yellow": "support"}, specials="M1")

    assert rules_broken(state, "red conquer T2 a9b9") == ["KHAN-SPEC-S"]

    shared = do(state, "red conquer T3I a9b9c9")
    assert KHAN.awaiting(shared) == (1,)
    assert do(shared, "yellow agree").placed[-1].owners == (0, 1)


def test_s_s_2_with_four_seats_those_of_a_region() -> None:
    marks = {"d7": "1", "e7": "0", "d8": "0"}
    state = position(marks, "act:red:2", active={"yellow": "support.rock"})

    assert is_legal(state, "red conquer T2 d7e7")
    assert rules_broken(state, "red conquer T2 d7d8") == ["KHAN-SPEC-S"]


def test_s_s_3_regions_are_supported_once() -> None:
    state = position({}, "special:red", active={"yellow": "support.rock"})

    assert rules_broken(state, "red support rock") == ["KHAN-SPEC-S"]
    assert rules_broken(state, "red support sand") == []
    assert rules_broken(state, "red support") == ["KHAN-SPEC-S"]


def test_with_fewer_seats_there_is_one_support_for_everything() -> None:
    free = position({}, "special:red", seats=3)
    taken = position({}, "special:red", seats=3, active={"yellow": "support"})

    assert rules_broken(free, "red support sand") == ["KHAN-SPEC-S"]
    assert rules_broken(free, "red support") == []
    assert rules_broken(taken, "red support") == ["KHAN-SPEC-S"]


def test_all_who_are_asked_must_agree() -> None:
    marks = {"a9": "1", "b9": "2", "c9": "3", "d9": "0"}
    active = {"yellow": "protection", "blue": "support.rock"}
    state = do(position(marks, "act:red:2", active=active), "red conquer T4I a9b9c9d9")

    assert KHAN.awaiting(state) == (1, 2)
    one = do(state, "blue agree")
    assert KHAN.awaiting(one) == (1,)
    assert do(one, "yellow agree").placed[-1].owners == (0, 1, 2)
    assert do(one, "yellow refuse").placed == ()


# Exploration.


@pytest.mark.parametrize("seats", [2, 3])
def test_s_e_1_a_reservation_bars_the_whole_shape(seats: int) -> None:
    marks = {"a9": "1", "b9": "1", "c9": "1", "h10": "1", "j10": "0"}
    reserved = {"yellow": "explore.T3I"}
    acting_ = position(marks, "act:red:2", seats=seats, active=reserved, specials="E1")
    choosing = position(marks, "special:red", seats=seats, active=reserved, specials="E1")

    assert rules_broken(acting_, "red conquer T3I a9b9c9") == ["KHAN-SPEC-E"]
    assert rules_broken(choosing, "red explore T3I") == ["KHAN-SPEC-E"]
    assert is_legal(acting_, "red conquer B3I h10i10j10")
    assert is_legal(choosing, "red explore B3I")


def test_s_e_2_with_four_seats_it_bars_one_piece() -> None:
    marks = {"a9": "1", "b9": "1", "c9": "1"}
    three_left = position(marks, "act:red:2", active={"yellow": "explore.T3I"})
    one_left = position(
        marks,
        "act:red:2",
        active={"yellow": "explore.T3I"},
        pieces="T3I:a11b11c11:1,T3I:e11f11g11:1,T3I:k11l11m11:1",
    )

    assert is_legal(three_left, "red conquer T3I a9b9c9")
    assert rules_broken(one_left, "red conquer T3I a9b9c9") == ["KHAN-SPEC-E"]


def test_s_e_3_the_owner_may_use_the_piece_until_step_3() -> None:
    marks = {"a9": "2", "b9": "2", "c9": "2", "a8": "1", "b8": "1", "c8": "1"}
    state = position(marks, "act:yellow:2", seats=3, active={"yellow": "explore.T3I"}, specials="E1")

    used = do(state, "yellow conquer T3I a9b9c9")
    assert used.active[1] is None

    unused = do(state, "yellow chase seljuk", "turn rus.S.rock", "yellow chase rus", "turn rus.SE.tundra")
    assert unused.active[1] is None
    after = do(unused, "yellow done", *actions("blue", "leader-3"), "blue done", "turn rus.W.forest")
    assert is_legal(after, "red conquer T3I a8b8c8")


def test_a_piece_that_is_gone_cannot_be_reserved() -> None:
    state = position({}, "special:red", pieces="T4I:a11b11c11d11:1")

    assert rules_broken(state, "red explore T4I") == ["KHAN-SPEC-E"]
    assert is_legal(state, "red explore T4O")


# Step 3.


def test_s_3_1_a_card_is_retired_after_the_actions_and_before_the_next() -> None:
    state = position(YURTS, "turn:red", seats=3, specials="P1E1", active={"red": "protection"})

    first = do(state, "turn seljuk.S.sand", "red chase rus", "turn rus.S.rock")
    assert first.active[0] is not None

    last = do(first, "red chase rus", "turn rus.SE.tundra")
    assert last.active[0] is None
    assert turn_of(last) == "special:red"
    assert is_legal(last, "red explore T2")


def test_one_special_card_a_turn() -> None:
    state = do(position({}, "special:red", seats=2), "red protection")

    assert turn_of(state) == "turn:yellow"
    assert isinstance(ask(state, "turn seljuk.S.sand"), tuple)
