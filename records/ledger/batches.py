"""Plays the moves of one request in steps."""

from collections.abc import Sequence
from typing import Final

from records.games.candidate import Candidate
from records.ledger.builder import EntryBuilder
from records.ledger.results import IllegalAmong
from records.replay.steps import Steps

_PLAYED_PER_STEP: Final = 4
"""Moves that are judged in one step: about a millisecond in the slowest game."""


def playing(run: EntryBuilder, moves: Sequence[Candidate], signature: bytes) -> Steps[IllegalAmong | None]:
    """As EntryBuilder.play_part, in steps."""
    for first in range(0, len(moves), _PLAYED_PER_STEP):
        part = moves[first : first + _PLAYED_PER_STEP]
        illegal = run.play_part(part, b"" if first else signature, first)
        if illegal is not None:
            return illegal
        yield
    return None
