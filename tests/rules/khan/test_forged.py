"""Events that no match has: they are refused, or lead to a state that can be asked anything."""

import pytest
from msgspec import structs

from rules.kernel.actors import Seat
from rules.khan.cards import UNKNOWN, CardKind, Leader, Special
from rules.khan.events import (
    CardsDrawn,
    CardTurned,
    ConquestProposed,
    DeckReshuffled,
    Event,
    LeaderFled,
    PiecePlaced,
    SpecialRetired,
)
from rules.khan.flow import due
from rules.khan.game import KHAN
from rules.khan.shapes import ShapeKind
from rules.khan.state import Drawing, State
from tests.rules.khan.positions import GONE, position

RED = Seat(0)
USED_UP = position({}, "act:red:2").table.parts.shape_names.number_of["T4O"]
"""A shape of which there is one piece."""


@pytest.mark.parametrize(
    "events",
    [
        [CardsDrawn(RED, 2**31 - 1)],
        [CardTurned(CardKind(0)), CardTurned(CardKind(0))],
        [ConquestProposed(RED, ShapeKind(0), 3, (Seat(1), Seat(1)))],
        [DeckReshuffled()] * 256,
        [SpecialRetired(RED, Special.MORALE)],
        [ConquestProposed(RED, USED_UP, 3, (Seat(1),))],
    ],
    ids=["cards", "discards", "seats", "shuffles", "special", "piece"],
)
def test_what_no_match_has_is_refused(events: list[Event]) -> None:
    state = position({"a6": "#", "b6": "#", "a7": "#", "b7": "#"}, "act:red:2", pieces="T4O:a6b6a7b7:2")
    assert not state.supply[USED_UP]

    with pytest.raises(ValueError, match=r"cards|discarded|seats|shuffles|Morale|is left"):
        KHAN.fold(state, events)


def test_a_leader_that_has_left_does_not_flee() -> None:
    state = position({}, "act:red:1", leaders={}, camps=GONE)
    origin, target = state.table.parts.board.cells[:2]

    with pytest.raises(ValueError, match="the leader has left"):
        KHAN.fold(state, [LeaderFled(Leader(0), origin, target, from_camp=True)])


def test_a_piece_that_nobody_owns_is_put_into_words_without_shares() -> None:
    state = position({}, "act:red:2")

    placed = KHAN.display.describe(state, PiecePlaced(RED, USED_UP, 3, ()))

    assert "shared" not in placed.text


@pytest.mark.parametrize(("held", "pile"), [(5, 60), (3, 0), (3, -4)])
def test_refilling_a_hand_comes_to_an_end_whatever_a_hand_and_the_pile_hold(held: int, pile: int) -> None:
    state = _drawing(held, pile)

    assert KHAN.problems(state) != ()
    for _ in range(5):
        event = due(state)
        if event is None:
            return
        state = KHAN.evolve(state, event)
    pytest.fail("something is still due after five events")


def _drawing(held: int, pile: int) -> State:
    state = position({}, "act:red:2")
    hands = (bytes((UNKNOWN,)) * held, *state.hands[1:])
    return structs.replace(state, hands=hands, pile=pile, turn=Drawing(RED))
