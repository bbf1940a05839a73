"""Every legal move of an actor, in a defined order."""

from collections.abc import Iterator

from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Illegal
from rules.khan.ages import may_come, may_hold
from rules.khan.conquest import conquests
from rules.khan.decide import decide
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Finish,
    Invade,
    InvadeAnywhere,
    Move,
    Pass,
    PlaceYurt,
    Refuse,
    TurnCard,
)
from rules.khan.special_checks import usable
from rules.khan.state import (
    ACTIONS,
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
from rules.khan.waiting import awaiting


def legal_moves(state: State, actor: Actor) -> Iterator[Move]:
    """As docs/khan.md orders them: by kind of move, then by card, leader or shape, then by cell."""
    if actor not in awaiting(state):
        return
    if state.proposal is not None:
        yield Agree()
        yield Refuse()
        return
    turn, board = state.turn, state.table.kit.board
    match turn:
        case Beginning():
            yield from (DrawFirstPlayer(seat) for seat in state.table.seats)
        case Opening():
            yield from (PlaceYurt(cell) for cell in board.each(state.free))
        case Turning():
            yield from (TurnCard(card) for card in _coming(state))
        case Drawing():
            yield from (DrawCard(card) for card in _coming(state))
            yield DrawCard(None)
        case Acting():
            yield from _actions(state, turn.seat)
        case Discarding():
            yield from (Discard(card) for card in _in_hand(state, turn.seat))
            yield Finish()
        case Choosing():
            yield from usable(state, turn.seat)
            yield Finish()
        case Conquering():
            yield from _conquests(state, turn.seat)
            yield from _pass(state, turn.seat)
        case Over():
            return


def _coming(state: State) -> Iterator[int]:
    return (card for card in range(len(state.table.kit.cards)) if may_come(state, card))


def _in_hand(state: State, seat: Seat) -> Iterator[int]:
    return (card for card in range(len(state.table.kit.cards)) if may_hold(state, seat, card))


def _actions(state: State, seat: Seat) -> Iterator[Move]:
    table = state.table
    for card in _in_hand(state, seat):
        for cell in table.kit.board.each(state.free & table.openings[card]):
            yield Invade(cell, card)
    if state.left == ACTIONS and not state.morale:
        yield from (InvadeAnywhere(cell) for cell in table.kit.board.each(state.free))
    yield from (Chase(leader) for leader, cell in enumerate(state.leaders) if cell)
    yield from _conquests(state, seat)
    yield from _pass(state, seat)


def _conquests(state: State, seat: Seat) -> Iterator[Move]:
    each = state.table.kit.board.each
    return (Conquer(site.shape, each(site.cells)) for site, _ in conquests(state, seat))


def _pass(state: State, seat: Seat) -> Iterator[Move]:
    if not isinstance(decide(state, seat, Pass()), Illegal):
        yield Pass()
