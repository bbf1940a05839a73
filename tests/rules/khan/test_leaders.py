"""Hunting leaders: how they flee and how they leave. Scenarios by their ids (S-FLEE, S-REM, S-B)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.cells import cell_name
from rules.khan.board import flee_target
from rules.khan.cards import Direction
from rules.khan.events import CardTurned, LeaderAnnounced, LeaderFled, LeaderRemoved
from rules.khan.game import KHAN
from rules.khan.state import State
from tests.rules.khan.positions import LEADERS, ask, at, do, drawn, position, rules_broken, turn_of
from tests.rules.khan.strategies import KhanMatch, fewer, matches

SELJUK = {
    "N": "seljuk.N.mountain",
    "NE": "seljuk.NE.ice",
    "E": "seljuk.E.tundra",
    "SE": "seljuk.SE.rock",
    "S": "seljuk.S.sand",
    "SW": "seljuk.SW.forest",
    "W": "seljuk.W.river",
    "NW": "seljuk.NW.neighbour",
}
FAR = {cell: letter for cell, letter in LEADERS.items() if letter != "A"}


def seljuk_at(
    row: int, column: int, others: dict[str, str] | None = None, *, camps: str = "", pieces: str = "-"
) -> State:
    """Step 1 with the Seljuk leader on a cell and the others far away."""
    leaders = {**FAR, at(row, column): "A"}
    return position(others or {}, "turn:red", leaders=leaders, camps=camps, pieces=pieces)


def flight(state: State, direction: str) -> str:
    """Where the Seljuk leader flees to."""
    return next(cell for cell, mark in drawn(do(state, f"turn {SELJUK[direction]}")).items() if mark == "A")


class TestTheExampleOfTheRulebook:
    """S-FLEE-1 to -3: bridge to the west, river, yurt and tile to the south-west."""

    STATE = seljuk_at(6, 9, {at(8, 7): "0"}, pieces="B3I:g7h7i7:1,T2:f10g10:1")

    def test_s_flee_1_one_cell_north(self) -> None:
        after = do(self.STATE, "turn seljuk.N.mountain")

        assert drawn(after)[at(5, 9)] == "A"
        assert drawn(after)[at(6, 9)] == "0"
        assert after.camps[0] == 4

    @pytest.mark.parametrize("direction", ["SW", "W"], ids=["s_flee_2", "s_flee_3"])
    def test_a_blocked_direction_turns_clockwise(self, direction: str) -> None:
        assert flight(self.STATE, direction) == at(5, 8)


@pytest.mark.parametrize(
    ("direction", "target"),
    [
        ("N", at(1, 0)),
        ("NE", at(1, 1)),
        ("E", at(2, 1)),
        ("SE", at(3, 1)),
        ("S", at(3, 0)),
        ("SW", at(1, 0)),
        ("W", at(1, 0)),
        ("NW", at(1, 0)),
    ],
)
def test_s_flee_4_at_an_edge_five_directions_are_open(direction: str, target: str) -> None:
    others = {cell: letter for cell, letter in FAR.items() if cell != "a4"} | {"h11": "G"}
    state = position({}, "turn:red", leaders={**others, at(2, 0): "A"})

    assert flight(state, direction) == target


@pytest.mark.parametrize(
    ("filled", "direction", "target"),
    [
        ([(7, 3), (8, 4), (9, 5)], "SE", at(7, 2)),
        ([(5, 1), (4, 0)], "NW", at(5, 2)),
    ],
    ids=["s_flee_5", "s_flee_6"],
)
def test_the_next_direction_clockwise(filled: list[tuple[int, int]], direction: str, target: str) -> None:
    state = seljuk_at(6, 2, {at(*cell): "0" for cell in filled})

    assert flight(state, direction) == target


@pytest.mark.parametrize(
    ("filled", "target"),
    [([], at(1, 5)), ([(1, 5)], at(1, 6)), ([(1, 5), (1, 6)], at(3, 5))],
    ids=["s_flee_7", "s_flee_8", "s_flee_9"],
)
def test_river_is_counted_and_obstacles_are_jumped(filled: list[tuple[int, int]], target: str) -> None:
    state = seljuk_at(1, 3, {at(*cell): "0" for cell in filled})

    assert flight(state, "E") == target


def test_s_flee_10_three_cells_of_river_are_too_wide() -> None:
    assert flight(seljuk_at(3, 7), "S") == at(5, 5)


def test_s_flee_11_a_corner_leaves_three_directions() -> None:
    others = {cell: letter for cell, letter in FAR.items() if cell != "n1"} | {"h11": "F"}
    state = position({}, "turn:red", leaders={**others, at(0, 13): "A"})

    assert flight(state, "N") == at(1, 13)


def test_s_rem_1_the_last_yurt_takes_the_leaders_place() -> None:
    state = seljuk_at(6, 2, camps="1.5.5.5.5.5.5.5")

    after = do(state, "turn seljuk.N.mountain")

    assert drawn(after)[at(6, 2)] == "0"
    assert "A" not in drawn(after).values()
    assert after.camps[0] == 0
    assert turn_of(after) == "act:red:2"


def test_s_rem_2_a_leader_with_nowhere_to_flee_leaves() -> None:
    ring = {
        at(9 + y, 1 + x): "0" for y in range(-3, 2) for x in range(-1, 4) if (y, x) != (0, 0) and 9 + y < 11
    }
    state = seljuk_at(9, 1, ring, camps="4.5.5.5.5.5.5.5")

    verdict = ask(state, "turn seljuk.N.mountain")
    after = do(state, "turn seljuk.N.mountain")

    assert isinstance(verdict, tuple)
    assert any(isinstance(event, LeaderRemoved) and event.cause.value == "blocked" for event in verdict)
    assert drawn(after)[at(9, 1)] == "0"
    assert after.camps[0] == 0


def test_s_rem_3_cards_of_departed_leaders_are_laid_aside() -> None:
    leaders = {cell: letter for cell, letter in LEADERS.items() if letter not in "CD"}
    state = position({}, "turn:red", leaders=leaders)

    after = do(state, "turn leader-3.E.mountain", "turn leader-4.S.ice")
    assert turn_of(after) == "turn:red"

    last = do(after, "turn seljuk.S.sand")
    assert turn_of(last) == "act:red:2"
    assert sum(last.discard) == 3
    assert last.leaders[1:] == state.leaders[1:]


@pytest.mark.parametrize(("ruling", "stays"), [("", False), ("last-camp-yurt=flee", True)])
def test_s_rem_4_the_last_yurt_in_action_b(ruling: str, stays: bool) -> None:  # noqa: FBT001 - a column of the table
    leaders = {**FAR, at(6, 2): "A"}
    state = position({}, "act:red:2", leaders=leaders, camps="1.5.5.5.5.5.5.5", options=ruling)

    after = do(state, "red chase seljuk", "turn rus.NE.mountain")

    assert ("A" in drawn(after).values()) == stays
    assert after.camps[0] == (1 if stays else 0)
    assert drawn(after)[at(6, 2)] == "0"


def test_s_b_1_the_yurt_of_action_b_comes_from_the_reserve() -> None:
    leaders = {**FAR, at(6, 2): "A"}
    state = position({}, "act:red:2", leaders=leaders, camps="3.5.5.5.5.5.5.5")

    named = ask(state, "red chase seljuk")
    chased = do(state, "red chase seljuk")
    turned = ask(chased, "turn rus.NE.joker")
    after = do(chased, "turn rus.NE.joker")

    assert isinstance(named, tuple)
    assert isinstance(turned, tuple)
    assert [type(event) for event in (*named, *turned)] == [LeaderAnnounced, CardTurned, LeaderFled]
    assert drawn(after)[at(5, 3)] == "A"
    assert after.camps[0] == 3
    assert turn_of(after) == "act:red:1"


def test_the_leader_is_named_before_the_card_is_turned() -> None:
    assert rules_broken(position({}, "act:red:2"), "turn seljuk.NE.ice") == ["KHAN-TURN-1"]


def test_a_leader_who_has_left_cannot_be_chased() -> None:
    leaders = {cell: letter for cell, letter in LEADERS.items() if letter != "A"}
    state = position({}, "act:red:2", leaders=leaders)

    assert rules_broken(state, "red chase seljuk") == ["KHAN-ACT-B"]
    assert rules_broken(state, "red chase rus") == []


# Property 6: the flight is what brute force finds.


@fewer
@given(matches())
def test_a_flight_is_the_first_free_cell_by_direction_then_distance(match: KhanMatch) -> None:
    for step in match.steps:
        for event in step.events:
            if isinstance(event, LeaderFled):
                turned = next(each for each in step.events if isinstance(each, CardTurned))
                printed = step.before.table.parts.cards[turned.card].direction

                assert cell_name(event.target) == by_brute_force(
                    step.before, cell_name(event.origin), printed
                )


def by_brute_force(state: State, origin: str, printed: Direction) -> str | None:
    """Over (turns clockwise, distance), on the rows of the position line."""
    rows = KHAN.notation.write_position(state).split()[1].split("/")
    y, x = int(origin[1:]) - 1, ord(origin[0]) - ord("a")
    for turns in range(8):
        down, right = Direction((printed + turns) % 8).step
        for distance in (1, 2, 3):
            row, column = y + down * distance, x + right * distance
            if not (0 <= row < len(rows) and 0 <= column < len(rows[0])) or rows[row][column] == "_":
                break
            if rows[row][column] == ".":
                return at(row, column)
    return None


@fewer
@given(matches(), st.sampled_from(Direction))
def test_a_flight_turns_with_the_board(match: KhanMatch, printed: Direction) -> None:
    """Property 6: a quarter turn of the board and of the direction turns the flight."""
    board = match.start.table.parts.board
    for step in match.steps[::40]:
        for leader in filter(None, step.after.leaders):
            found = flee_target(board, step.after.free, leader, printed)
            origin = cell_name(board.first(leader))

            expected = None if found is None else cell_name(board.first(found))
            assert quarter_turned(step.after, origin, printed) == expected


def quarter_turned(state: State, origin: str, printed: Direction) -> str | None:
    """The flight on the board turned clockwise by a quarter, turned back."""
    rows = KHAN.notation.write_position(state).split()[1].split("/")
    turned = ["".join(row[x] for row in reversed(rows)) for x in range(len(rows[0]))]
    y, x = int(origin[1:]) - 1, ord(origin[0]) - ord("a")
    row, column = x, len(rows) - 1 - y
    for turns in range(8):
        down, right = Direction((printed + 2 + turns) % 8).step
        for distance in (1, 2, 3):
            below, beside = row + down * distance, column + right * distance
            if not (0 <= below < len(turned) and 0 <= beside < len(turned[0])):
                break
            if turned[below][beside] == ".":
                return at(len(rows) - 1 - beside, below)
    return None
