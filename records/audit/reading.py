"""Reads consecutive moves of a match in which nothing is concealed, to judge them together."""

from collections.abc import Sequence

from records.audit.parts import NOT_CANONICAL
from records.codec.shape import CorruptMove
from records.entry import CHANCE_NUMBER, ENTRY_VERSION_1, Entry, MatchHeader, actor_of
from records.games.candidate import Candidate
from records.games.state import GameState
from records.replay.concealing import NOTHING_CONCEALED
from records.replay.entry_rules import entry_fault

"""The lowest number of those who move: seats have higher ones."""


def read_moves(
    header: MatchHeader, state: GameState, run: Sequence[Entry], *, exact: bool
) -> tuple[list[Candidate], str | None]:
    """The moves before the first that cannot be read, and what is wrong with that one.

    If they must be `exact`, only the bytes are read that their edition writes.
    """
    actors = {number: actor_of(number) for number in range(CHANCE_NUMBER, len(header.setup.seats))}
    bare = b"" if header.entry_version == ENTRY_VERSION_1 else NOTHING_CONCEALED
    candidates: list[Candidate] = []
    for entry in run:
        actor = actors.get(entry.actor)
        if actor is None or entry.secret or entry.concealed != bare:
            return candidates, entry_fault(header, entry) or "nothing is concealed in this match"
        try:
            candidate = state.parse_bytes(actor, entry.move)
        except CorruptMove as fault:
            return candidates, f"the move cannot be read: {fault}"
        if exact and not state.is_canonical(candidate):
            return candidates, NOT_CANONICAL
        candidates.append(candidate)
    return candidates, None
