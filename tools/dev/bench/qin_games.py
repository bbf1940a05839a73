"""Whole games of Qin by seeded players, for measuring."""

import random
from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, Setup
from rules.qin.game import QIN
from rules.qin.moves import DeclareEnd, Move, PlaceTile
from rules.qin.placements import placements
from rules.qin.state import Placing, State
from rules.qin.tiles import HAND, KINDS, Kind

NAMES: Final = ("green", "violet", "white", "black")


def start(seats: int, draws: Draws) -> State:
    """A match on the board Bird."""
    return QIN.start(Setup(EditionKey("qin/1"), NAMES[:seats], "bird", draws))


def play(seed: int, seats: int) -> list[tuple[Actor, Move]]:
    """A game whose draws are not recorded, played with tiles from a shuffled bag."""
    chance = random.Random(seed)
    bag = [kind for kind in KINDS for _ in range(12)]
    chance.shuffle(bag)
    hands = [[bag.pop() for _ in range(HAND)] for _ in range(seats)]
    state = start(seats, Draws.UNRECORDED)
    moves: list[tuple[Actor, Move]] = []
    while isinstance(state.turn, Placing):
        seat = state.turn.seat
        move = _choose(chance, state, hands[seat])
        if move is None:
            moves.append((seat, DeclareEnd()))
            break
        hands[seat].remove(move.kind)
        if bag:
            hands[seat].append(bag.pop())
        moves.append((seat, move))
        verdict = QIN.decide(state, seat, move)
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = QIN.fold(state, verdict)
    return moves


def _choose(chance: random.Random, state: State, hand: list[Kind]) -> PlaceTile | None:
    if not isinstance(state.turn, Placing):
        return None
    held = sum(1 << kind for kind in set(hand))
    choices = list(placements(state, state.turn.seat, held))
    return chance.choice(choices) if choices else None
