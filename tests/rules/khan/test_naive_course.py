"""The special cards, the end and the scores of the plain model, by the examples of the digest."""

import pytest

from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_line import read_line, write_line
from tests.rules.khan.naive_position import UNKNOWN, Piece, Turn
from tests.rules.khan.naive_score import bonuses, scores, share
from tests.rules.khan.naive_set import CellXY
from tests.rules.khan.naive_tables import FAR, N, R, Y, played, protected, table

# Special cards.


@pytest.mark.parametrize("word", ["AAC", "ACC", "DC", "BBC"])
def test_high_morale_gives_one_more_action(word: str) -> None:
    match = table(4, {(9, 0): Y, (9, 1): N, (9, 2): Y, (9, 3): N}, leaders={**FAR, "leader-5": (3, 13)})
    moves = {
        "A": iter(["invade a7 seljuk.SE.rock", "invade b7 rus.S.rock"]),
        "B": iter(["chase leader-5", "chase rus"]),
        "C": iter(["conquer T2 a10b10", "conquer T2 c10d10"]),
        "D": iter(["anywhere c3"]),
    }
    turned = iter(["turn seljuk.NE.ice", "turn rus.NE.mountain"])
    for action in word[:-1]:
        played(match, next(moves[action]))
        if action == "B":
            played(match, next(turned))
        if action == "D":
            played(match, "done")

    played(match, "morale")  # S-M-1 to -4

    assert match.judge(Y, "anywhere c4") == ["KHAN-SPEC-M"]  # S-M-5
    assert match.specials[Y]["M"] == 0

    played(match, next(moves["C"]))

    assert match.turn == Turn("turn", R)


def test_there_is_no_third_action_without_high_morale() -> None:
    match = table(4, {(9, 0): Y, (9, 1): N})
    match.specials[Y] = {"P": 1}

    played(match, "invade a7 seljuk.SE.rock", "invade b7 rus.S.rock")  # S-M-6

    assert match.judge(Y, "conquer T2 a10b10") == ["KHAN-TURN-2"]
    assert match.judge(Y, "morale") == ["KHAN-SPEC-1"]


def test_a_protected_seat_is_asked_where_it_would_share() -> None:
    match = played(protected({(8, 0): R, (8, 1): Y}, "protection"), "conquer T2 a9b9")  # S-P-1
    before = dict(match.yurts)

    assert match.awaiting() == [Y]
    assert match.judge(R, "pass") == ["KHAN-TURN-1"]
    assert match.judge(Y, "pass") == ["KHAN-CONSENT-1"]

    refused = read_line(write_line(match))
    played(refused, "refuse")
    played(match, "agree")

    assert match.pieces == [Piece("T2", ((8, 0), (8, 1)), (Y, R))]
    assert match.turn == Turn("act", R, 1)
    assert refused.yurts == before
    assert refused.turn == Turn("act", R, 2)
    assert refused.judge(R, "conquer T2 a9b9") == ["KHAN-CONSENT-1"]


def test_a_protected_yurt_is_not_covered_without_sharing() -> None:
    match = protected({(8, 0): R, (8, 1): R, (8, 2): Y}, "protection")

    assert match.judge(R, "conquer T3I a9b9c9") == ["KHAN-SPEC-P"]  # S-P-2
    assert match.judge(R, "conquer T2 a9b9") == []  # S-P-3


def test_there_is_one_protection_at_the_table() -> None:
    match = protected({}, "protection")
    match.turn = Turn("special", R)

    assert match.judge(R, "protection") == ["KHAN-SPEC-P"]  # S-P-4


@pytest.mark.parametrize("card", ["protection", "support"])
def test_with_two_seats_a_card_may_not_follow_itself(card: str) -> None:
    match = table(2, turn=Turn("special", Y))
    played(match, card)
    hide_from_red = ("turn rus.S.rock", "anywhere a6", "done", "done")
    own_turn = ("anywhere a7", "done")

    played(match, *hide_from_red, "turn rus.SE.tundra", *own_turn)  # S-P-5

    assert match.judge(Y, card) == [f"KHAN-SPEC-{card[0].upper()}"]

    played(
        match,
        "done",
        "turn rus.SW.sand",
        "anywhere a8",
        "done",
        "done",
        "turn rus.E.ice",
        "anywhere b8",
        "done",
    )

    assert match.judge(Y, card) == []


def test_support_protects_neutral_yurts_from_others_who_do_not_share() -> None:
    match = protected({(6, 3): R, (6, 4): N, (8, 0): R, (8, 1): Y, (8, 2): N}, "support", seats=3)

    assert match.judge(R, "conquer T2 d7e7") == ["KHAN-SPEC-S"]  # S-S-1

    played(match, "conquer T3I a9b9c9")

    assert match.awaiting() == [Y]


def test_with_four_seats_support_is_for_a_region() -> None:
    match = protected({(6, 3): R, (6, 4): N, (7, 3): N}, "support.rock")  # S-S-2

    assert match.judge(R, "conquer T2 d7e7") == []
    assert match.judge(R, "conquer T2 d7d8") == ["KHAN-SPEC-S"]

    match.turn = Turn("special", R)

    assert match.judge(R, "support rock") == ["KHAN-SPEC-S"]  # S-S-3
    assert match.judge(R, "support sand") == []


@pytest.mark.parametrize(("seats", "broken"), [(2, ["KHAN-SPEC-E"]), (3, ["KHAN-SPEC-E"]), (4, [])])
def test_a_reservation_bars_a_shape_or_with_four_seats_a_piece(seats: int, broken: list[str]) -> None:
    row = {(9, col): R for col in range(3)}
    match = protected({**row, (8, 7): R, (8, 9): R}, "explore.T3I", seats=seats)

    assert match.judge(R, "conquer T3I a10b10c10") == broken  # S-E-1, -2
    assert match.judge(R, "conquer B3I h9i9j9") == []

    match.turn = Turn("special", R)

    assert match.judge(R, "explore T3I") == broken
    assert match.judge(R, "explore B3I") == []


def test_with_four_seats_the_last_piece_may_be_reserved() -> None:
    match = protected({(9, col): R for col in range(4)}, "explore.T4I")

    assert match.judge(R, "conquer T4I a10b10c10d10") == ["KHAN-SPEC-E"]


def test_the_user_of_a_reservation_may_use_it_and_then_everybody() -> None:
    match = table(2, {(9, 0): Y, (9, 1): Y, (9, 2): Y})
    match.active[Y] = "explore.T3I"
    match.specials[Y] = {}

    played(match, "invade a7 seljuk.SE.rock")

    assert match.judge(Y, "conquer T3I a10b10c10") == []  # S-E-3

    played(match, "invade b7 rus.S.rock")

    assert match.active == ["", ""]


def test_a_card_in_force_is_there_in_step_2_and_gone_after_step_3() -> None:
    match = table(4)
    match.active[Y] = "protection"

    played(match, "invade a7 seljuk.SE.rock")

    assert match.active[Y] == "protection"

    played(match, "invade b7 rus.S.rock")  # S-3-1

    assert match.active[Y] == ""
    assert match.judge(Y, "support rock") == []


# The end.


def test_the_fifth_leader_leaving_in_step_1_ends_the_turn() -> None:
    leaders = {**FAR, "seljuk": (6, 9)}
    match = table(4, {(0, 1): Y}, leaders=leaders, turn=Turn("turn", R))
    match.camps["seljuk"] = 1
    match.active[R] = "protection"
    match.hands[R] = [UNKNOWN] * 4

    played(match, "turn seljuk.N.joker")  # S-T-1

    assert match.yurts == {(0, 1): Y, (6, 9): N, **dict.fromkeys(FAR.values())}
    assert match.turn == Turn("conquer", R, 2)
    assert match.active[R] == ""


def triggered_by_action() -> Naive:
    """Yellow's first action has just made the fifth leader leave."""
    match = table(4, {(0, 1): R, (9, 0): Y}, leaders={**FAR, "seljuk": (6, 9)})
    match.camps["seljuk"] = 1
    return played(match, "chase seljuk", "turn rus.NE.joker")


def test_the_fifth_leader_leaving_by_action_leaves_the_rest_of_the_turn() -> None:
    match = triggered_by_action()

    assert match.turn == Turn("act", Y, 1)
    assert match.judge(Y, "chase rus") == ["KHAN-TRIG-3"]  # S-T-2
    assert match.judge(Y, "invade a7 seljuk.SE.rock") == []

    played(match, "invade a7 seljuk.SE.rock", "protection")

    assert match.hands[Y] == [UNKNOWN] * 4
    assert match.turn == Turn("conquer", R, 2)
    assert match.active[Y] == "protection"  # S-T-3


def test_only_conquests_are_made_in_the_final_phase() -> None:
    match = played(triggered_by_action(), "invade a7 seljuk.SE.rock", "protection")

    for move in ("invade a8 seljuk.N.joker", "protection", "chase rus", "anywhere a8", "done"):
        assert match.judge(R, move) == ["KHAN-FINAL-1"]  # S-F-1
    assert match.judge(R, "pass") == ["KHAN-FINAL-2"]


def final(yurts: dict[CellXY, int | None], seats: int = 2) -> Naive:
    """Yellow to conquer in the final phase."""
    return table(seats, yurts, leaders={}, turn=Turn("conquer", Y, 2))


def test_a_final_turn_has_as_many_conquests_as_are_possible_up_to_two() -> None:
    pairs = {(row, col): Y for row in (6, 8, 10) for col in (0, 1)}
    match = played(final({**pairs, (0, 0): R, (0, 1): N}), "conquer T2 a7b7", "conquer T2 a9b9")

    assert match.turn == Turn("conquer", R, 2)

    played(match, "conquer T2 a1b1", "pass")  # S-F-2

    assert match.turn == Turn("conquer", Y, 2)

    played(match, "conquer T2 a11b11", "pass")

    assert match.turn == Turn("over")


def test_the_match_is_not_over_while_only_a_restriction_keeps_somebody_from_conquering() -> None:
    match = final({(9, 0): Y, (9, 1): Y, (9, 2): R})
    match.pieces = [Piece("T2", ((row, 13), (row + 1, 13)), (Y,)) for row in (0, 2, 4, 6)]
    match.active[R] = "protection"

    assert match.legal(Y) == ["pass"]

    played(match, "pass")  # S-F-3

    assert match.turn == Turn("conquer", R, 2)

    played(match, "pass")

    assert match.turn == Turn("conquer", Y, 2)
    assert match.judge(Y, "conquer T3I a10b10c10") == []


# Scores.


@pytest.mark.parametrize(
    ("value", "owners", "each"),
    [(9, 1, 9), (9, 2, 5), (9, 3, 3), (9, 4, 3), (5, 2, 3), (5, 3, 2), (3, 2, 2), (3, 4, 1)],
)
def test_a_shared_piece_is_divided_and_rounded_up(value: int, owners: int, each: int) -> None:
    assert share(value, owners) == each  # S-SC-1


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (
            [
                [37, 12, 8, 3, 3, 2],
                [32, 20, 8, 4, 3, 2, 2],
                [32, 18, 12, 3, 3, 3, 2, 2],
                [32, 10, 7, 5, 5, 4],
            ],
            [10, 6, 3, 0],
        ),  # S-BO-1
        (
            [
                [24, 20, 17, 8, 5, 2, 2, 2],
                [24, 20, 17, 8, 5, 2, 2, 2],
                [20, 20, 14, 12, 11],
                [20, 18, 7, 5, 5, 4],
            ],
            [10, 10, 6, 3],
        ),  # S-BO-2
        ([[9], [9], [9], [4]], [10, 10, 10, 6]),  # S-BO-3
        ([[9, 4], [9, 4, 2], []], [6, 10, 0]),  # S-BO-4
        ([[], []], [0, 0]),
    ],
)
def test_bonuses_go_by_the_lists_of_sizes(sizes: list[list[int]], expected: list[int]) -> None:
    assert bonuses(sizes) == expected


def test_a_tie_goes_to_the_larger_territory_or_to_both() -> None:
    match = final({})
    match.turn = Turn("over")
    match.pieces = [
        Piece("T6A", ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)), (Y,)),
        Piece("T4I", ((8, 0), (8, 1), (8, 2), (8, 3)), (R,)),
        Piece("T4O", ((9, 0), (9, 1), (10, 0), (10, 1)), (R,)),
        Piece("T3V", ((0, 11), (0, 12), (1, 11)), (R,)),
    ]

    assert scores(match) == [9 + 6, 13 + 10]
    assert match.winners() == [R]

    match.pieces[0] = Piece("T6A", match.pieces[0].cells, (Y, R))
    match.pieces[1:] = []

    assert scores(match) == [5 + 10, 5 + 10]
    assert match.winners() == [Y, R]
