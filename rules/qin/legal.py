"""Every legal move of an actor, in a defined order."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Illegal
from rules.qin.decide import decide
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Move, Pass
from rules.qin.placements import placements
from rules.qin.state import Dealing, Drawing, Over, Placing, State
from rules.qin.tiles import HAND, KINDS, Kind


def legal_moves(state: State, actor: Actor) -> Iterator[Move]:
    """Placements as placements.py orders them, pass, end; for chance, deals by seat or draws by kind."""
    turn = state.turn
    match turn:
        case Placing() if actor == turn.seat:
            yield from placements(state, turn.seat, state.possibly_held(turn.seat))
            yield from _accepted(state, actor, (Pass(), DeclareEnd()))
        case Drawing() if actor is CHANCE:
            yield from _accepted(state, actor, _draws(state))
        case Dealing() if actor is CHANCE:
            yield from _accepted(state, actor, _deals(state))
        case _:
            return


def awaiting(state: State) -> tuple[Actor, ...]:
    """Who must act now; nobody once the match is over."""
    turn = state.turn
    match turn:
        case Placing():
            return (turn.seat,)
        case Drawing() | Dealing():
            return (CHANCE,)
        case Over():
            return ()


def _accepted(state: State, actor: Actor, moves: Iterator[Move] | tuple[Move, ...]) -> Iterator[Move]:
    return (move for move in moves if not isinstance(decide(state, actor, move), Illegal))


def _draws(state: State) -> Iterator[Move]:
    tiles: tuple[Kind | None, ...] = (*KINDS, None)
    for pile in (None, *range(1, len(state.drawn) + 1)):
        for tile in tiles:
            yield DrawTile(tile, pile)


def _deals(state: State) -> Iterator[Move]:
    tiles: tuple[Kind | None, ...] = (*KINDS, None)
    for seat in range(len(state.hands)):
        for hand in combinations_with_replacement(tiles, HAND):
            yield DealTiles(Seat(seat), hand)
