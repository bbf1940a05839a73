"""Both ways into the final phase, the final phase and the end. Scenarios by their ids (S-T, S-F)."""

import pytest
from hypothesis import given

from rules.khan.conquest import somebody_could_conquer
from rules.khan.events import (
    CardTurned,
    ConquestProposed,
    FinalPhaseTriggered,
    LeaderFled,
    LeaderRemoved,
    MatchEnded,
    TurnBegan,
)
from rules.khan.game import KHAN
from rules.khan.moves import Conquer, Pass
from rules.khan.state import ACTIONS, Conquering, Over, Turning
from tests.rules.khan.positions import GONE, ROWS, ask, do, drawn, is_legal, position, rules_broken, turn_of
from tests.rules.khan.strategies import KhanMatch, fewer, matches

FOUR = {"a1": "A", "d1": "B", "f1": "C", "j1": "D"}
"""Four leaders are left."""

LAST = "1.5.5.5.0.0.0.0"
"""The next to move is the last to leave."""

OWN = {"a9": "1", "b9": "1", "c9": "2", "d9": "2"}


def test_s_t_1_in_step_1_the_turn_is_over_and_the_same_seat_goes_on() -> None:
    state = position(OWN, "turn:red", leaders=FOUR, camps=LAST)

    verdict = ask(state, "turn seljuk.N.mountain")
    after = do(state, "turn seljuk.N.mountain")

    assert isinstance(verdict, tuple)
    assert [type(event) for event in verdict[1:4]] == [LeaderRemoved, FinalPhaseTriggered, TurnBegan]
    assert [drawn(after)[cell] for cell in FOUR] == ["0"] * 4
    assert sum(after.camps) == 0
    assert turn_of(after) == "conquer:red:2"


def test_s_t_1_the_opening_seats_own_restriction_ends_at_once() -> None:
    state = position(OWN, "turn:red", leaders=FOUR, camps=LAST, active={"red": "protection"})

    assert do(state, "turn seljuk.N.mountain").active[0] is None


def test_s_t_2_in_the_actions_the_turn_goes_on_without_chases() -> None:
    hand = {"red": "seljuk.N.joker,rus.NE.joker,leader-3.E.joker,leader-4.SE.joker"}
    state = position(OWN, "act:red:2", leaders=FOUR, camps=LAST, hands=hand, options="draws=recorded")

    triggered = do(state, "red chase seljuk", "turn seljuk.N.mountain")
    assert turn_of(triggered) == "act:red:1"
    assert rules_broken(triggered, "red chase rus") == ["KHAN-TRIG-3"]

    after = do(triggered, "red invade f9 seljuk.N.joker", "red done", "draw ?")
    assert turn_of(after) == "conquer:yellow:2"


def test_the_fifth_leader_may_leave_by_high_morale() -> None:
    state = position(OWN, "act:red:1", leaders=FOUR, camps=LAST, options="morale=used")

    after = do(state, "red chase seljuk", "turn seljuk.N.mountain")

    assert turn_of(after) == "conquer:yellow:2"


def test_s_t_3_a_protection_of_that_turn_binds_until_its_seat_opens() -> None:
    marks = {**OWN, "b10": "2", "c10": "1", "m7": "2", "n7": "2"}
    state = position(marks, "special:red", leaders={}, camps=GONE)

    bound = do(state, "red protection")
    assert turn_of(bound) == "conquer:yellow:2"
    assert rules_broken(bound, "yellow conquer T3I b9c9d9") == ["KHAN-SPEC-P"]
    assert KHAN.awaiting(do(bound, "yellow conquer T2 b10c10")) == (0,)

    later = do(bound, "yellow conquer T2 m7n7", "yellow conquer T2 c9d9", "blue pass", "green pass")
    assert later.active[0] is None


def test_s_f_1_no_cards_in_the_final_phase() -> None:
    state = position(OWN, "conquer:red:2", leaders={}, camps=GONE)

    for text in (
        "red invade f9 seljuk.N.joker",
        "red morale",
        "red chase seljuk",
        "red anywhere f9",
        "red done",
    ):
        assert rules_broken(state, text) == ["KHAN-FINAL-1"]


@pytest.mark.parametrize(
    ("marks", "conquests"),
    [({"c9": "2", "d9": "2"}, 0), (OWN, 1), ({**OWN, "m7": "1", "n7": "0"}, 2)],
    ids=["none", "one", "two"],
)
def test_s_f_2_conquests_are_made_as_long_as_there_are_any(marks: dict[str, str], conquests: int) -> None:
    state = position(marks, "conquer:red:2", leaders={}, camps=GONE)

    for piece in ("T2 a9b9", "T2 m7n7")[:conquests]:
        assert rules_broken(state, "red pass") == ["KHAN-FINAL-2"]
        state = do(state, f"red conquer {piece}")

    if conquests < ACTIONS:
        state = do(state, "red pass")
    assert turn_of(state) == "conquer:yellow:2"


def test_s_f_3_a_match_goes_on_while_somebody_is_only_barred() -> None:
    marks = {"a9": "1", "b9": "0"}
    state = position(marks, "conquer:red:2", leaders={}, camps=GONE, seats=2, active={"yellow": "support"})
    assert rules_broken(state, "red conquer T2 a9b9") == ["KHAN-SPEC-S"]

    passed = do(state, "red pass")
    assert turn_of(passed) == "conquer:yellow:2"

    again = do(passed, "yellow pass")
    assert turn_of(again) == "conquer:red:2"
    assert turn_of(do(again, "red conquer T2 a9b9", "red pass")) == "over"


def test_a_conquest_that_takes_consent_obliges_nobody() -> None:
    marks = {"a9": "1", "b9": "2"}
    state = position(marks, "conquer:red:2", leaders={}, camps=GONE, seats=2, active={"yellow": "protection"})

    assert is_legal(state, "red pass")
    assert is_legal(state, "red conquer T2 a9b9")


def test_an_action_is_forfeited_only_where_none_is_possible() -> None:
    """AMB-9: the fifth leader has left, no cell is free, and no conquest is possible."""
    taken = {
        f"{chr(ord('a') + x)}{y + 1}": "2"
        for y, row in enumerate(ROWS)
        for x, mark in enumerate(row)
        if mark == "."
    }
    state = position(taken, "act:red:1", leaders={}, camps=GONE)

    assert turn_of(do(state, "red pass")) == "special:red"

    free = {cell: mark for cell, mark in taken.items() if cell != "a1"}
    unknown = position(free, "act:red:1", leaders={}, camps=GONE)
    known = position(
        free,
        "act:red:1",
        leaders={},
        camps=GONE,
        hands={"red": "seljuk.N.joker"},
        options="draws=recorded",
    )
    assert rules_broken(unknown, "red pass") == []
    assert rules_broken(known, "red pass") == ["KHAN-TURN-2"]


def test_after_the_end_nobody_acts() -> None:
    state = position({"a9": "1"}, "over", leaders={}, camps=GONE, pieces="T2:c9d9:1")

    assert rules_broken(state, "red pass") == ["KHAN-TURN-1"]
    assert rules_broken(state, "turn seljuk.N.mountain") == ["KHAN-TURN-1"]


# Properties 4, 5 and 12.


@fewer
@given(matches())
def test_the_final_phase_only_takes_yurts_away(match: KhanMatch) -> None:
    for step in match.steps:
        if isinstance(step.before.turn, Conquering):
            before, after = step.before, step.after

            assert after.occupied.bit_count() <= before.occupied.bit_count()
            assert (after.hands, after.discard, after.specials) == (
                before.hands,
                before.discard,
                before.specials,
            )


@fewer
@given(matches())
def test_a_match_ends_exactly_when_nobody_can_conquer_any_more(match: KhanMatch) -> None:
    assert isinstance(match.last.turn, Over)
    assert not somebody_could_conquer(match.last)
    for step in match.steps:
        ended = any(isinstance(event, MatchEnded) for event in step.events)
        new_turn = isinstance(step.after.turn, Conquering) and step.after.left == ACTIONS
        if new_turn and not ended:
            assert somebody_could_conquer(step.after)


@fewer
@given(matches())
def test_whoever_passes_in_the_final_phase_has_only_conquests_that_take_consent(match: KhanMatch) -> None:
    for step in match.steps:
        if isinstance(step.before.turn, Conquering) and isinstance(step.move, Pass):
            for move in KHAN.legal_moves(step.before, step.actor):
                verdict = KHAN.decide(step.before, step.actor, move)
                if isinstance(move, Conquer):
                    assert isinstance(verdict, tuple)
                    assert isinstance(verdict[0], ConquestProposed)


@fewer
@given(matches())
def test_departed_leaders_are_four_at_most_before_the_trigger_and_eight_after_it(match: KhanMatch) -> None:
    for state in match.states:
        gone = sum(1 for cell in state.leaders if not cell)

        assert gone <= 4 or gone == 8


@fewer
@given(matches())
def test_each_step_1_moves_or_ends_one_leader_and_there_are_37_at_most(match: KhanMatch) -> None:
    turns = 0
    for step in match.steps:
        turn = step.before.turn
        if isinstance(turn, Turning) and turn.leader is None:
            chased = [event for event in step.events if isinstance(event, LeaderFled | LeaderRemoved)]
            turned = next(event for event in step.events if isinstance(event, CardTurned))
            on_board = step.before.leaders[step.before.table.parts.cards[turned.card].leader]

            assert len(chased) == (1 if on_board else 0)
            turns += len(chased)
    assert turns <= 37
