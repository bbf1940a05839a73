"""Judges consecutive moves of a match with concealed parts together, where the record has all of them."""

from collections.abc import Sequence

from records.codec.concealment import Hidden
from records.codec.evidence import CorruptEvidence
from records.codec.shape import CorruptMove
from records.entry import CHANCE_NUMBER, MOVE, Entry, MatchHeader, actor_of
from records.evidence.concealment import BadPart, parse_view
from records.games.candidate import Candidate
from records.games.state import BatchVerdict, GameState, Shown
from records.replay.concealing import NOTHING_CONCEALED, Place, commits_to
from records.replay.disclosure import hidden_of

"""The lowest number of those who move: seats have higher ones."""


def judge_run(header: MatchHeader, state: GameState, run: Sequence[Entry]) -> BatchVerdict | None:
    """The verdict on moves if each entry is, byte for byte, what the rules make of its move; else None.

    Each entry is made again from its move and its salts and then compared. It is for matches without sealed
    orders and choices. Where anything differs or is left out, each move has to be judged by itself, which
    finds out what is wrong.
    """
    try:
        hidden = [hidden_of(entry) for entry in run]
        candidates = _candidates(header, state, run, hidden)
    except (CorruptEvidence, CorruptMove, BadPart):
        return None
    if candidates is None:
        return None
    judged = state.judge_all(candidates)
    if judged.wrong is not None or judged.public_digests() != [entry.state for entry in run]:
        return None
    seats = len(header.setup.seats)
    whole = all(map(_is_as_shown, run, hidden, judged.shown(), [seats] * len(run)))
    return judged if whole else None


def _candidates(
    header: MatchHeader, state: GameState, run: Sequence[Entry], hidden: Sequence[Hidden]
) -> list[Candidate] | None:
    """The moves in full; None if one is not written as its edition writes it."""
    actors = {number: actor_of(number) for number in range(CHANCE_NUMBER, len(header.setup.seats))}
    candidates = []
    for entry, kept in zip(run, hidden, strict=True):
        actor = actors.get(entry.actor)
        if actor is None:
            return None
        move = parse_view(kept.parts[-1].content).move if kept.parts else entry.move
        candidate = state.parse_bytes(actor, move)
        if not state.is_canonical(candidate):
            return None
        candidates.append(candidate)
    return candidates


def _is_as_shown(entry: Entry, kept: Hidden, shown: Shown, seats: int) -> bool:
    """Whether a move has exactly the public part and the concealed parts that the rules give it."""
    if entry.kind != MOVE or entry.move != shown.move or entry.events != shown.events:
        return False
    views, parts = shown.views, kept.parts
    if not views:
        return entry.concealed == NOTHING_CONCEALED and not entry.secret
    if kept.openings or len(parts) != len(views) or any(view.audience >> seats for view in views):
        return False
    place = Place(entry.match, entry.sequence, entry.actor, entry.previous)
    return commits_to(place, views, parts, entry.concealed)
