"""Plays whole games of Qin with seeded random players, for benchmarks."""

import random
from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal
from rules.kernel.setup import UNRECORDED, Draws, Setup
from rules.qin.game import QIN
from rules.qin.moves import DeclareEnd, Move
from rules.qin.placements import placements
from rules.qin.state import Placing, State
from rules.qin.tiles import EACH, HAND, KINDS

NAMES: Final = ("green", "violet", "white", "black")
"""Names of the seats, in seat order."""


def start(seats: int, draws: Draws) -> State:
    """Start a match on the board Bird."""
    return QIN.start(Setup(EditionKey("qin/1"), NAMES[:seats], "bird", draws))


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A whole game with unrecorded draws."""

    seats: int
    moves: tuple[tuple[Actor, Move], ...]
    held: tuple[int, ...]
    """For each move, the kinds of tile that the seat held before it, as bits."""


def play(seed: int, seats: int) -> PlayedGame:
    """Play a game of random placements with tiles from a shuffled bag."""
    chance = random.Random(seed)  # noqa: S311 - the same games every time
    bag = [kind for kind in KINDS for _ in range(EACH)]
    chance.shuffle(bag)
    hands = [[bag.pop() for _ in range(HAND)] for _ in range(seats)]
    state = start(seats, UNRECORDED)
    moves: list[tuple[Actor, Move]] = []
    held: list[int] = []
    while isinstance(state.turn, Placing):
        seat = state.turn.seat
        held.append(sum(1 << kind for kind in set(hands[seat])))
        choices = list(placements(state, seat, held[-1]))
        if not choices:
            moves.append((seat, DeclareEnd()))
            break
        move = chance.choice(choices)
        hands[seat].remove(move.kind)
        if bag:
            hands[seat].append(bag.pop())
        moves.append((seat, move))
        verdict = QIN.decide(state, seat, move)
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = QIN.fold(state, verdict)
    return PlayedGame(seats, tuple(moves), tuple(held))
