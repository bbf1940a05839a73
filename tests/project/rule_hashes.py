"""Plays random matches of Qin with legal and illegal moves, and hashes every answer of the rules.

`python -m tests.project.rule_hashes FIRST LAST` prints one hash per match; with
SHIJI_UNCOMPILED=1 it runs the sources.
"""

import hashlib
import sys
from collections.abc import Iterator

from tests.project import uncompiled

if uncompiled.REQUESTED:
    uncompiled.run_sources()

from records.codec.qin import QIN_CODEC
from rules.kernel.rule import Illegal
from rules.qin import decide
from rules.qin.game import QIN
from tests.rules.laws import seeded
from tests.rules.qin.strategies import random_actor, random_move, random_setup

MOVES_PER_MATCH = 120
"""Moves tried in a match, legal or not: enough for a whole match without recorded draws, of 72 tiles."""


def hashes(seeds: range) -> Iterator[str]:
    """For each seed, a hash of everything that the rules and the codec answer in its match."""
    for seed in seeds:
        digest = hashlib.sha256()
        for answer in _answers(seed):
            digest.update(repr(answer).encode())
        yield digest.hexdigest()


def _answers(seed: int) -> Iterator[object]:
    chance = seeded(seed)
    state = QIN.start(random_setup(chance))
    for _ in range(MOVES_PER_MATCH):
        actor = random_actor(chance, state)
        legal = list(QIN.legal_moves(state, actor))
        yield legal
        move = chance.choice(legal) if legal and chance.randrange(4) else random_move(chance, state)
        verdict = QIN.decide(state, actor, move)
        yield verdict
        if isinstance(verdict, Illegal):
            continue
        yield QIN_CODEC.encode_events(state, verdict)
        for event in verdict:
            yield QIN.display.describe(state, event)
            state = QIN.evolve(state, event)
        yield state
        yield QIN_CODEC.state_bytes(state)
        yield QIN.notation.write_position(state), QIN.problems(state), QIN.outcome(state)


def main() -> None:
    """Print the file that the rules were imported from, then the hashes."""
    first, last = map(int, sys.argv[1:])
    print(decide.__file__, *hashes(range(first, last)), sep="\n")  # noqa: T201 - the test reads it


if __name__ == "__main__":
    main()
