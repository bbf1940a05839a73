"""Who must act now, and for what."""

from rules.kernel.actors import CHANCE, Actor
from rules.khan.state import (
    Acting,
    Beginning,
    Choosing,
    Conquering,
    Discarding,
    Drawing,
    Opening,
    Over,
    State,
    Turning,
)


def awaiting(state: State) -> tuple[Actor, ...]:
    """Who must act now; nobody once the match is over."""
    if state.proposal is not None:
        return state.proposal.waiting
    turn = state.turn
    match turn:
        case Beginning() | Drawing() | Turning():
            return (CHANCE,)
        case Opening() | Acting() | Discarding() | Choosing() | Conquering():
            return (turn.seat,)
        case Over():
            return ()


def told(state: State) -> str:
    """What is awaited, in words."""
    names, turn = state.table.names, state.turn
    if state.proposal is not None:
        return f"{' and '.join(names[seat] for seat in state.proposal.waiting)} must answer the proposal"
    match turn:
        case Beginning():
            return "the first player is to be drawn"
        case Opening():
            return f"{names[turn.seat]} is to place an opening yurt"
        case Drawing():
            return f"{names[turn.seat]} is to be given a card"
        case Turning():
            return f"a card is to be turned for {names[turn.seat]}"
        case Acting():
            return f"{names[turn.seat]} is to act"
        case Discarding():
            return f"{names[turn.seat]} may discard cards"
        case Choosing():
            return f"{names[turn.seat]} may use a special card"
        case Conquering():
            return f"{names[turn.seat]} is to conquer"
        case Over():
            return "the match is over"
