"""What happens without anybody's choice: flights, retired cards, refilled hands, ends of turns and match."""

from rules.kernel.actors import Seat
from rules.kernel.setup import UNRECORDED
from rules.khan import events as e
from rules.khan import state as s
from rules.khan.board import flee_target
from rules.khan.cards import HAND, CardKind
from rules.khan.conquest import somebody_could_conquer
from rules.khan.events import Event
from rules.khan.outcome import points, ranking
from rules.khan.state import State


def due(state: State) -> Event | None:
    """What happens next without regard to what anybody could choose."""
    turn = state.turn
    if state.table.rulings.shuffled_when_empty and not isinstance(turn, s.Over) and _is_used_up(state):
        return e.DeckReshuffled()
    match turn:
        case s.Acting() if state.triggered and state.left == s.ACTIONS:
            # Five leaders had left before any action was taken: the turn is over (KHAN-TRIG-2).
            return e.TurnBegan(turn.seat)
        case s.Choosing():
            return _retired(state, turn.seat)
        case s.Drawing():
            return _drawing(state, turn.seat)
        case s.Turning():
            return e.DeckReshuffled() if _is_used_up(state) else None
        case s.Conquering() if state.proposal is None:
            return _conquering(state, turn.seat)
        case _:
            return None


def _drawing(state: State, seat: Seat) -> Event | None:
    missing = HAND - state.held(seat)
    if missing <= 0:
        return e.TurnBegan(state.table.after(seat))
    if _is_used_up(state):
        return e.DeckReshuffled()
    if state.table.draws is UNRECORDED and state.pile > 0:
        return e.CardsDrawn(seat, min(missing, state.pile))
    return None


def _retired(state: State, seat: Seat) -> Event | None:
    restriction = state.active[seat]
    return None if restriction is None else e.SpecialRetired(seat, s.IMPOSED_BY[type(restriction)])


def _is_used_up(state: State) -> bool:
    """Whether a new draw pile can be made and must be; a forged state may have no card for one."""
    return state.pile <= 0 and any(state.discard)


def _conquering(state: State, seat: Seat) -> Event | None:
    if not state.left:
        return e.TurnBegan(state.table.after(seat))
    if state.left < s.ACTIONS:
        return None
    retired = _retired(state, seat)
    if retired is not None or somebody_could_conquer(state):
        return retired
    return e.MatchEnded(points(state), ranking(state)[0])


def turned(state: State, card: CardKind) -> tuple[Event, ...]:
    """What a card causes that is turned: a leader flees or leaves; or nothing, if its leader has left."""
    face = state.table.parts.cards[card]
    shown = e.CardTurned(card)
    chosen = state.turn.leader if isinstance(state.turn, s.Turning) else None
    leader = face.leader if chosen is None else chosen
    origin = state.leaders[leader]
    if not origin:
        return (shown,)
    board = state.table.parts.board
    target = flee_target(board, state.free, origin, face.direction)
    by_choice = chosen is not None
    is_last = state.camps[leader] == 1 and not (by_choice and state.table.rulings.last_flees)
    if target is not None and not is_last:
        return shown, e.LeaderFled(leader, board.first(origin), board.first(target), from_camp=not by_choice)
    cause = e.Cause.LAST_YURT if is_last else e.Cause.BLOCKED
    removed = e.LeaderRemoved(leader, board.first(origin), cause)
    if sum(1 for cell in state.leaders if not cell) + 1 < s.DEPARTED:
        return shown, removed
    return shown, removed, e.FinalPhaseTriggered(in_actions=by_choice)
