"""Law 8: everything comes out the same, whatever order sets have in a process."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import TypeVar

from rules.kernel.display import Highlights
from tools.laws.trial import Trial, play, seeded, some

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


def digest(trial: Trial[State, Move, Event]) -> str:
    """One number for everything that a few matches say: moves, events, refusals, positions, pictures."""
    game, found = trial.game, hashlib.sha256()
    for seed, setup in enumerate(trial.examples):
        for way in trial.ways:
            chance = seeded(seed)
            match = play(game, game.start(setup), chance, way)
            for step in match.steps:
                found.update(game.notation.write_move(step.before, step.actor, step.move).encode())
                found.update(repr(step.events).encode())
                found.update(trial.codec.encode_events(step.before, step.events))
                found.update(game.notation.write_position(step.after).encode())
            for state in some(match.states, chance, 3):
                found.update(game.draw(state).encode())
                found.update(repr(game.display.picture(state, Highlights())).encode())
                for actor, move in trial.candidates(state, chance):
                    found.update(repr(game.decide(state, actor, move)).encode())
                for actor in game.awaiting(state):
                    found.update(repr(list(game.legal_moves(state, actor))).encode())
    return found.hexdigest()


def output_under_hash_seed(arguments: Sequence[str], seed: int) -> str:
    """What a new Python process prints that runs with these arguments and this PYTHONHASHSEED."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
