"""What a seat or another viewer may see of a state, of a move and of its events."""

from typing import Final

from msgspec import structs

from rules.kernel.actors import AUDITOR, Actor, Seat, Viewer
from rules.kernel.game import Secret, secret
from rules.kernel.setup import RECORDED
from rules.khan.cards import UNKNOWN, Hand
from rules.khan.events import CardDrawn, Event
from rules.khan.moves import DrawCard, Move
from rules.khan.state import Drawing, State


def has_secrets(state: State) -> bool:
    """Whether the record contains hands, which other seats may not see."""
    return state.table.draws is RECORDED


def view(state: State, viewer: Viewer) -> State:
    """The state with every hand that the viewer may not see turned face down."""
    hands = tuple(
        hand if _may_see(seat, viewer) else concealed(hand)
        for seat, hand in zip(state.table.seats, state.hands, strict=True)
    )
    return structs.replace(state, hands=hands)


def seen_move(state: State, _: Actor, move: Move, viewer: Viewer) -> Move:
    """The move with a card that goes into a hand turned face down, for a viewer who may not see that hand."""
    turn = state.turn
    if isinstance(move, DrawCard) and isinstance(turn, Drawing) and not _may_see(turn.seat, viewer):
        return DrawCard(None)
    return move


def seen_events(_: State, events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """The events with the same cards turned face down."""
    return tuple(
        CardDrawn(event.seat, None)
        if isinstance(event, CardDrawn) and not _may_see(event.seat, viewer)
        else event
        for event in events
    )


def _may_see(seat: Seat, viewer: Viewer) -> bool:
    return viewer is AUDITOR or viewer == seat


def concealed(hand: Hand) -> Hand:
    """As many cards, none of them known."""
    return bytes((UNKNOWN,)) * len(hand)


def _draws(state: State, _: DrawCard) -> Seat | None:
    return state.turn.seat if isinstance(state.turn, Drawing) else None


SECRETS: Final[tuple[Secret[State], ...]] = (
    secret(DrawCard, "card", _draws),
    secret(CardDrawn, "card", lambda _, event: event.seat),
)
