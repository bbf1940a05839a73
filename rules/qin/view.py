"""What a seat or another viewer may see of a state, of a move and of its events."""

from typing import Final

from rules.kernel.actors import AUDITOR, Actor, Seat, Viewer
from rules.kernel.game import Secret, secret
from rules.kernel.setup import RECORDED
from rules.qin.events import Event, TileDrawn, TilesDealt
from rules.qin.moves import DealTiles, DrawTile, Move
from rules.qin.state import Drawing, State
from rules.qin.tiles import concealed


def has_secrets(state: State) -> bool:
    """Whether the record contains hands, which other seats may not see."""
    return state.table.draws is RECORDED


def view(state: State, viewer: Viewer) -> State:
    """The state with every hand that the viewer may not see turned face down (AMB-04)."""
    if viewer is AUDITOR or state.table.rulings.open_hands:
        return state
    hands = [hand if seat == viewer else concealed(hand) for seat, hand in enumerate(state.hands)]
    return state.with_hands(tuple(hands))


def seen_move(state: State, _: Actor, move: Move, viewer: Viewer) -> Move:
    """The move with tiles that go into a hand turned face down, if the viewer may not see that hand."""
    if isinstance(move, DealTiles) and not _may_see(state, move.seat, viewer):
        return DealTiles(move.seat, (None,) * len(move.tiles))
    turn = state.turn
    if isinstance(move, DrawTile) and isinstance(turn, Drawing) and not _may_see(state, turn.seat, viewer):
        return DrawTile(None, move.pile)
    return move


def seen_events(state: State, events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """The events with the same tiles turned face down."""
    return tuple([_seen(state, event, viewer) for event in events])


def _seen(state: State, event: Event, viewer: Viewer) -> Event:
    if isinstance(event, TileDrawn):
        return event if _may_see(state, event.seat, viewer) else TileDrawn(event.seat, None, event.pile)
    if isinstance(event, TilesDealt) and not _may_see(state, event.seat, viewer):
        return TilesDealt(event.seat, (None,) * len(event.tiles))
    return event


def _may_see(state: State, seat: Seat, viewer: Viewer) -> bool:
    return viewer == seat or viewer is AUDITOR or state.table.rulings.open_hands


def _audience(state: State, seat: Seat) -> Seat | None:
    """Who sees a hand; None where all hands lie open (AMB-04)."""
    return None if state.table.rulings.open_hands else seat


def _draws(state: State, _: DrawTile) -> Seat | None:
    turn = state.turn
    return _audience(state, turn.seat) if isinstance(turn, Drawing) else None


SECRETS: Final[tuple[Secret[State], ...]] = (
    secret(DealTiles, "tiles", lambda state, move: _audience(state, move.seat)),
    secret(DrawTile, "tile", _draws),
    secret(TilesDealt, "tiles", lambda state, event: _audience(state, event.seat)),
    secret(TileDrawn, "tile", lambda state, event: _audience(state, event.seat)),
)
