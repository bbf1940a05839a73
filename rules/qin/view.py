"""What a seat or an onlooker may know of a state, of a move and of what it caused."""

from rules.kernel.actors import AUDITOR, Actor, Seat, Viewer
from rules.kernel.setup import RECORDED
from rules.kernel.value import replaced
from rules.qin.events import Event, TileDrawn, TilesDealt
from rules.qin.moves import DealTiles, DrawTile, Move
from rules.qin.state import Drawing, State
from rules.qin.tiles import concealed


def has_secrets(state: State) -> bool:
    """Whether the record tells hands, which others may not see."""
    return state.table.draws is RECORDED


def view(state: State, viewer: Viewer) -> State:
    """The state with every hand that the viewer may not see turned face down (AMB-04)."""
    hands = tuple(
        hand if _may_see(state, seat, viewer) else concealed(hand)
        for seat, hand in zip(state.table.seats, state.hands, strict=True)
    )
    return replaced(state, hands=hands)


def seen_move(state: State, _: Actor, move: Move, viewer: Viewer) -> Move:
    """The move with every tile that goes into a hand turned face down to whoever may not see that hand."""
    if isinstance(move, DealTiles) and not _may_see(state, move.seat, viewer):
        return replaced(move, tiles=(None,) * len(move.tiles))
    turn = state.turn
    if isinstance(move, DrawTile) and isinstance(turn, Drawing) and not _may_see(state, turn.seat, viewer):
        return replaced(move, tile=None)
    return move


def seen_events(state: State, events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """The events with the same tiles turned face down."""
    return tuple(_seen(state, event, viewer) for event in events)


def _seen(state: State, event: Event, viewer: Viewer) -> Event:
    if isinstance(event, TilesDealt) and not _may_see(state, event.seat, viewer):
        return replaced(event, tiles=(None,) * len(event.tiles))
    if isinstance(event, TileDrawn) and not _may_see(state, event.seat, viewer):
        return replaced(event, tile=None)
    return event


def _may_see(state: State, seat: Seat, viewer: Viewer) -> bool:
    return viewer is AUDITOR or viewer == seat or state.table.rulings.open_hands
