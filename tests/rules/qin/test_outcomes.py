"""What a draw may cause where hands are hidden (QIN-END-3, AMB-28)."""

import pytest

from rules.kernel.actors import CHANCE, SPECTATOR, Seat
from rules.qin.events import MatchEnded
from rules.qin.game import QIN
from rules.qin.moves import DrawTile
from rules.qin.state import EndReason, State
from rules.qin.tiles import Kind
from tests.rules.laws import accepted

GREEN, VIOLET = Seat(0), Seat(1)


def nearly_full(
    green: str = "?,?", violet: str = "?,?,?", placed: str = "RR4,RY1", options: str = "draws=recorded"
) -> State:
    """One pair of cells is free, between two red majors: no tile with red can lie there. Green is to draw."""
    return QIN.notation.read_position(
        f"map:..R/.../.../..R/... RRR/YRR/R../RRR/.RR green:22:a3::{green} violet:22:a1::{violet}"
        f" draw:green {placed} {options}"
    )


def test_an_end_that_hidden_hands_explain_is_an_outcome_of_the_public_view() -> None:
    full = nearly_full("RR,RB", "RR,RY,RY")
    events = accepted(QIN, full, CHANCE, DrawTile(Kind.RB)) or ()
    seen = QIN.view(full, SPECTATOR)

    outcomes = QIN.outcomes(seen, CHANCE, DrawTile(None))

    assert [type(event) for event in events[1:]] == [MatchEnded]
    assert outcomes == (
        QIN.seen_events(full, events[:1], SPECTATOR),
        QIN.seen_events(full, events, SPECTATOR),
    )


def test_a_match_cannot_end_where_a_tile_that_can_be_placed_is_seen() -> None:
    full = nearly_full("RR,RB", "RR,RY,YB")

    assert len(QIN.outcomes(QIN.view(full, VIOLET), CHANCE, DrawTile(None))) == 1
    assert len(QIN.outcomes(QIN.view(full, GREEN), CHANCE, DrawTile(Kind.RR))) == 2


@pytest.mark.parametrize(("red", "outcomes"), [(6, 2), (5, 1)])
def test_a_match_cannot_end_where_too_few_useless_tiles_are_left_for_the_hands(
    red: int, outcomes: int
) -> None:
    state = nearly_full(placed=f"RR12,RY12,RB{12 - red}")

    assert len(QIN.outcomes(state, CHANCE, DrawTile(None))) == outcomes


def test_a_match_must_end_where_no_tile_of_any_hand_can_be_placed() -> None:
    state = nearly_full("RR,RB", "RR,RY,RY")

    (outcome,) = QIN.outcomes(state, CHANCE, DrawTile(Kind.RR))

    assert outcome[-1] == MatchEnded(EndReason.NO_PLACEMENT, (GREEN, VIOLET))


def test_with_open_hands_only_what_is_known_counts() -> None:
    state = nearly_full(options="draws=recorded hands=open")

    assert len(QIN.outcomes(state, CHANCE, DrawTile(None))) == 1


def test_a_draw_that_is_illegal_has_no_outcome() -> None:
    assert QIN.outcomes(nearly_full(placed="RR12,RY1"), CHANCE, DrawTile(Kind.RR)) == ()


def test_only_the_seat_that_draws_may_see_its_tile_whether_it_is_known_or_not() -> None:
    state = nearly_full()
    for tile in (Kind.RR, None):
        move = DrawTile(tile)
        events = accepted(QIN, state, CHANCE, move) or ()

        assert QIN.audiences(state, CHANCE, move, events) == (frozenset({GREEN}),)

    move = DrawTile(None)
    shown = nearly_full(options="draws=recorded hands=open")
    assert QIN.audiences(shown, CHANCE, move, accepted(QIN, shown, CHANCE, move) or ()) == ()
