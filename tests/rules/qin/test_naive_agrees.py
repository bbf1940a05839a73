"""The real rules and the plain model say the same, move by move, over thousands of random matches."""

import os
import random

import pytest

from rules.kernel.actors import ARBITER, Actor, Office
from rules.kernel.setup import Draws, Setup
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.notation import write_tile
from rules.qin.rulebook import QIN_1
from rules.qin.state import State
from tests.rules.laws import accepted, cited, seeded
from tests.rules.qin.naive import KINDS, UNKNOWN, Naive
from tests.rules.qin.plain import Plain, plain, xy
from tests.rules.qin.strategies import (
    NAMES,
    WAYS,
    Way,
    likes_pagodas,
    likes_to_join,
    random_actor,
    random_move,
    random_rulings,
    random_setup,
    shuns_pagodas,
    takes_any,
)

TIMES = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 1


def naive_of(setup: Setup) -> Naive:
    """The same match in the plain model."""
    return Naive(
        QIN.start(setup).table.board.map,
        len(setup.seats),
        recorded=setup.draws is Draws.RECORDED,
        rulings=dict(setup.rulings),
    )


def shape(match: Naive) -> Plain:
    """All that the plain model knows, to be compared with a state."""
    return Plain(
        colours=match.colours,
        provinces=match.owners,
        villages=match.villages,
        supplies=match.supplies,
        placed=match.placed,
        hands=[sorted(hand, key=(*KINDS, UNKNOWN).index) for hand in match.hands],
        stock=match.stock(),
        turn=match.turn,
        passes=match.passes,
        reason=match.reason,
        winners=match.winners,
    )


def said(move: Move) -> str:
    """The move as the plain model reads it."""
    match move:
        case PlaceTile():
            return _half(move.first) + _half(move.second)
        case DealTiles():
            return " ".join(["deal", str(move.seat), *map(write_tile, move.tiles)])
        case DrawTile():
            return f"draw {write_tile(move.tile)}" + ("" if move.pile is None else f" from {move.pile}")
        case Pass():
            return "pass"
        case DeclareEnd():
            return "end"


def _half(half: Half) -> str:
    row, column = xy(half.cell)
    return f"{half.colour.letter}{chr(ord('a') + column)}{row + 1}"


def who(actor: Actor) -> int | None:
    """The plain model knows seats, and chance as nobody."""
    return None if isinstance(actor, Office) else actor


def assert_same_verdict(state: State, match: Naive, actor: Actor, move: Move) -> None:
    """Both cite the same rules, or none."""
    rules = cited(QIN.decide(state, actor, move))

    assert rules == match.judge(who(actor), said(move)), f"{actor} {said(move)}"


def play_both(setup: Setup, chance: random.Random, way: Way, *, asked: int) -> None:
    """One match in both, compared after every entry, with so many random questions before each."""
    state, match = QIN.start(setup), naive_of(setup)
    while True:
        assert plain(state) == shape(match)

        for _ in range(asked):
            actor = random_actor(chance, state)
            if actor is not ARBITER:
                assert_same_verdict(state, match, actor, random_move(chance, state))
        if not QIN.awaiting(state):
            return
        actor = QIN.awaiting(state)[0]
        listed = list(QIN.legal_moves(state, actor))

        assert sorted(said(move) for move in listed if isinstance(move, PlaceTile)) == sorted(match.legal())

        others = [move for move in listed if not isinstance(move, PlaceTile)]
        for move in chance.sample(others, min(len(others), asked)):
            assert_same_verdict(state, match, actor, move)
        chosen = way(chance, state, listed)
        match.play(who(actor), said(chosen))
        state = QIN.fold(state, accepted(QIN, state, actor, chosen) or ())


def play_all(seeds: range, lengths: range, ways: tuple[Way, ...]) -> None:
    """Two matches by each seed, on a map with sides of such lengths."""
    for seed in seeds:
        chance = seeded(seed)
        setup = random_setup(chance, lengths=lengths)
        try:
            for _ in range(2):
                play_both(setup, chance, chance.choice(ways), asked=4)
        except AssertionError as fault:
            fault.add_note(f"seed {seed}: {setup}")
            raise


@pytest.mark.parametrize("chunk", range(20 * TIMES))
def test_both_say_the_same_on_small_maps(chunk: int) -> None:
    play_all(range(50 * chunk, 50 * chunk + 50), range(1, 8), WAYS)


@pytest.mark.parametrize("chunk", range(6 * TIMES))
def test_both_say_the_same_where_pagodas_run_out(chunk: int) -> None:
    play_all(range(2 * chunk, 2 * chunk + 2), range(11, 14), (likes_pagodas, likes_to_join))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("draws", Draws)
@pytest.mark.parametrize("way", [takes_any, shuns_pagodas])
@pytest.mark.parametrize("seed", range(TIMES))
def test_both_say_the_same_on_bird(seats: int, draws: Draws, way: Way, seed: int) -> None:
    chance = seeded(seed)
    setup = Setup(QIN_1, NAMES[:seats], "bird", draws, random_rulings(chance, {}))
    play_both(setup, chance, way, asked=10)
