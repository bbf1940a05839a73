"""The four actions and bridges: scenarios by their ids (S-A, S-D), and the examples of the rulebook."""

import pytest

from rules.khan.state import State
from tests.rules.khan.positions import LEADERS, at, do, drawn, is_legal, position, rules_broken, turn_of

HAND = {"red": "seljuk.NE.ice,seljuk.W.river,seljuk.NW.neighbour,seljuk.N.joker"}


def holding() -> State:
    """Red holds an ice, a river and a neighbour card and a joker."""
    return position({}, "act:red:2", hands=HAND, options="draws=recorded")


@pytest.mark.parametrize(
    ("cell", "card", "rules"),
    [
        (at(2, 6), "seljuk.NE.ice", []),
        (at(2, 12), "seljuk.NE.ice", ["KHAN-ACT-A"]),
        (at(1, 3), "seljuk.W.river", []),
        (at(1, 2), "seljuk.W.river", ["KHAN-ACT-A"]),
        (at(0, 2), "seljuk.NW.neighbour", []),
        (at(0, 1), "seljuk.NW.neighbour", ["KHAN-ACT-A"]),
        (at(5, 5), "seljuk.NW.neighbour", ["KHAN-ACT-A"]),
        (at(4, 6), "seljuk.N.joker", ["KHAN-FREE-1"]),
        (at(0, 0), "seljuk.N.joker", ["KHAN-FREE-1"]),
        (at(12, 0), "seljuk.N.joker", ["KHAN-FREE-1"]),
        (at(2, 6), "rus.E.ice", ["KHAN-ACT-A"]),
    ],
    ids=[
        "s_a_1-legal",
        "s_a_1-illegal",
        "s_a_2-legal",
        "s_a_2-illegal",
        "s_a_3-legal",
        "s_a_3-one-of-the-eleven",
        "s_a_3-inland",
        "s_a_4",
        "a-leader",
        "off-the-board",
        "not-held",
    ],
)
def test_invading_by_card(cell: str, card: str, rules: list[str]) -> None:
    state = holding()

    assert rules_broken(state, f"red invade {cell} {card}") == rules
    assert is_legal(state, f"red invade {cell} {card}") == (not rules)


def test_an_invasion_plays_the_card_and_places_a_yurt() -> None:
    after = do(holding(), f"red invade {at(2, 6)} seljuk.NE.ice")

    assert drawn(after)[at(2, 6)] == "1"
    assert after.held(after.table.seats[0]) == 3
    assert sum(after.discard) == 1
    assert turn_of(after) == "act:red:1"


def test_by_the_ruling_a_corner_of_the_river_is_enough() -> None:
    beside, off = f"red invade {at(3, 3)} seljuk.W.river", f"red invade {at(5, 3)} seljuk.W.river"
    by_side = position({}, "act:red:2", hands=HAND, options="draws=recorded")
    by_corner = position({}, "act:red:2", hands=HAND, options="draws=recorded river-cells=corner")

    assert [rules_broken(by_side, text) for text in (beside, off)] == [[], ["KHAN-ACT-A"]]
    assert [rules_broken(by_corner, text) for text in (beside, off)] == [[], []]


def test_s_d_1_invading_anywhere_takes_both_actions_and_discards_at_will() -> None:
    state = do(
        holding(),
        f"red anywhere {at(5, 5)}",
        "red discard seljuk.NE.ice",
        "red discard seljuk.W.river",
        "red discard seljuk.N.joker",
        "red done",
    )

    assert drawn(state)[at(5, 5)] == "1"
    assert state.held(state.table.seats[0]) == 1
    assert turn_of(state) == "special:red"

    after = do(state, "red done", "draw rus.E.ice", "draw rus.S.rock", "draw ?")
    assert after.held(state.table.seats[0]) == 4
    assert turn_of(after) == "turn:yellow"


def test_discarding_the_whole_hand_ends_by_itself() -> None:
    cards = HAND["red"].split(",")

    assert turn_of(do(holding(), "red anywhere f6", *(f"red discard {card}" for card in cards))) == (
        "special:red"
    )


def test_s_d_2_the_double_action_needs_both() -> None:
    state = do(holding(), f"red invade {at(2, 6)} seljuk.NE.ice")

    assert rules_broken(state, "red anywhere f6") == ["KHAN-ACT-D"]


def test_only_cards_of_the_hand_are_discarded() -> None:
    state = do(holding(), "red anywhere f6")

    assert rules_broken(state, "red discard rus.E.ice") == ["KHAN-ACT-D"]
    assert rules_broken(state, "red conquer T2 f6f7") == ["KHAN-TURN-1"]


def test_no_action_is_passed_while_a_leader_can_be_chased() -> None:
    assert rules_broken(holding(), "red pass") == ["KHAN-TURN-2"]


# Conquests: the first example of the rulebook.

FIRST = {
    at(7, 10): "2",
    at(8, 10): "2",
    at(8, 11): "4",
    at(7, 11): "0",
    at(7, 12): "0",
    at(8, 12): "0",
    at(9, 11): "0",
    at(9, 12): "0",
}


@pytest.mark.parametrize(
    ("name", "piece", "rules"),
    [
        ("yellow", "T6A k8l8m8k9l9m9", []),
        ("yellow", "T2 l10m10", ["KHAN-MAJ-1"]),
        ("green", "T2 l9m9", []),
        ("red", "T2 l10m10", ["KHAN-MAJ-1"]),
        ("blue", "T2 l10m10", ["KHAN-MAJ-1"]),
        ("green", "T2 l10m10", ["KHAN-MAJ-1"]),
        ("yellow", "T2 l9m9", ["KHAN-MAJ-1"]),
    ],
)
def test_example_1_of_the_rulebook(name: str, piece: str, rules: list[str]) -> None:
    state = position(FIRST, f"act:{name}:2")

    assert rules_broken(state, f"{name} conquer {piece}") == rules
    assert is_legal(state, f"{name} conquer {piece}") == (not rules)


def test_a_sole_conquest_takes_the_yurts_and_covers_the_cells() -> None:
    state = position(FIRST, "act:yellow:2")

    after = do(state, "yellow conquer T6A k8l8m8k9l9m9")

    assert after.placed[-1].owners == (1,)
    assert [drawn(after)[cell] for cell in ("k8", "l8", "m8", "k9", "l9", "m9")] == ["#"] * 6
    assert after.supply[state.table.parts.shape_names.number_of["T6A"]] == 0
    assert drawn(after)[at(9, 11)] == "0"


# Conquests: the second example.

SECOND = {
    at(8, 0): "1",
    at(8, 1): "1",
    at(8, 2): "2",
    at(9, 1): "2",
    at(9, 2): "2",
    at(9, 0): "0",
    at(9, 3): "3",
    at(10, 3): "0",
}
SECOND_LEADERS = {cell: mark for cell, mark in LEADERS.items() if mark != "A"} | {at(10, 2): "A"}


@pytest.mark.parametrize(
    ("piece", "owners"),
    [
        ("T3I a9b9c9", {"red": "1"}),
        ("T3I a10b10c10", {"yellow": "2"}),
        ("T2 d10d11", {"blue": "3"}),
        ("T4L a9b9c9c10", {"red": "12", "yellow": "12"}),
        ("T2 c10c11", {}),
    ],
)
def test_example_2_of_the_rulebook(piece: str, owners: dict[str, str]) -> None:
    for name in ("red", "yellow", "blue", "green"):
        state = position(SECOND, f"act:{name}:2", leaders=SECOND_LEADERS)

        assert is_legal(state, f"{name} conquer {piece}") == (name in owners)
        if name in owners:
            placed = do(state, f"{name} conquer {piece}").placed[-1]
            assert "".join(str(seat + 1) for seat in placed.owners) == owners[name]


def test_a_leader_is_not_covered() -> None:
    state = position(SECOND, "act:yellow:2", leaders=SECOND_LEADERS)

    assert rules_broken(state, "yellow conquer T2 c10c11") == ["KHAN-TILE-1"]


@pytest.mark.parametrize(
    ("piece", "rules"),
    [
        ("T3I a9b9a10", ["KHAN-ACT-C"]),
        ("T3I a9b9", ["KHAN-ACT-C"]),
        ("T3V a11b11a12", ["KHAN-ACT-C"]),
        ("T2 a9a8", ["KHAN-TILE-1"]),
        ("T2 d2e2", ["KHAN-TILE-1"]),
    ],
    ids=["not-the-outline", "too-few-cells", "off-the-board", "a-free-cell", "river"],
)
def test_a_piece_lies_on_yurts_in_its_own_outline(piece: str, rules: list[str]) -> None:
    state = position(SECOND, "act:red:2", leaders=SECOND_LEADERS)

    assert rules_broken(state, f"red conquer {piece}") == rules


def test_pieces_do_not_overlap_and_do_run_out() -> None:
    marks = {"b9": "1", "c9": "1", "m9": "1", "n9": "1", "a9": "0"}
    pieces = ",".join(f"T2:{cells}:1" for cells in ("a8b8", "c8d8", "a10b10", "c10d10"))
    state = position(marks, "act:red:2", pieces=pieces)

    assert rules_broken(state, "red conquer T2 m9n9") == ["KHAN-ACT-C"]
    assert rules_broken(state, "red conquer T3V b8b9c9") == ["KHAN-ACT-C"]
    assert rules_broken(state, "red conquer T3I a9b9c9") == []


def test_neutral_yurts_count_for_nobody() -> None:
    """Property 7: the result does not change with the number of neutral yurts."""
    for neutral in range(4):
        marks = {"b9": "1", "c9": "2"} | dict.fromkeys(("d9", "d8", "b8", "c8")[:neutral], "0")
        state = position(marks, "act:red:2")

        assert do(state, "red conquer T2 b9c9").placed[-1].owners == (0, 1)


# Bridges.


@pytest.mark.parametrize(
    ("marks", "piece", "owners"),
    [
        ({at(9, 7): "2", at(9, 9): "0"}, "B3I h10i10j10", "2"),
        ({at(9, 7): "2"}, "B3I h10i10j10", ""),
        ({at(9, 7): "2", at(9, 9): "4", at(9, 10): "0"}, "B4I h10i10j10k10", "24"),
        ({at(7, 6): "2", at(6, 8): "0"}, "B4L i7g8h8i8", "2"),
        ({at(9, 7): "2", at(9, 9): "0"}, "T3I h10i10j10", ""),
        ({at(9, 7): "2", at(9, 6): "0", at(9, 5): "0"}, "B3I f10g10h10", ""),
    ],
    ids=["three", "one-bank-bare", "four-shared", "l-with-two-of-water", "a-tile-on-water", "no-water"],
)
def test_bridges_span_the_river(marks: dict[str, str], piece: str, owners: str) -> None:
    state = position(marks, "act:yellow:2")

    assert is_legal(state, f"yellow conquer {piece}") == bool(owners)
    if owners:
        placed = do(state, f"yellow conquer {piece}").placed[-1]
        assert "".join(str(seat + 1) for seat in placed.owners) == owners
    else:
        rule = "KHAN-TILE-1" if piece.startswith("T") else "KHAN-BRIDGE-1"
        assert rules_broken(state, f"yellow conquer {piece}") == [rule]


def test_bridges_may_lie_side_by_side() -> None:
    marks = {at(8, 7): "2", at(8, 9): "0", at(9, 7): "2", at(9, 9): "0"}
    state = position(marks, "act:yellow:2")

    after = do(state, "yellow conquer B3I h9i9j9", "yellow conquer B3I h10i10j10")

    assert [piece.cells.bit_count() for piece in after.placed] == [3, 3]


@pytest.mark.parametrize(
    ("options", "rules"), [("", ["KHAN-BRIDGE-1"]), ("bridge-water=at-least-one", [])], ids=["exact", "loose"]
)
def test_by_the_ruling_any_water_will_do(options: str, rules: list[str]) -> None:
    marks = {at(7, 6): "2", at(7, 9): "0"}
    state = position(marks, "act:yellow:2", options=options)

    assert rules_broken(state, "yellow conquer B4I g8h8i8j8") == rules
    assert is_legal(state, "yellow conquer B4I g8h8i8j8") == (not rules)
