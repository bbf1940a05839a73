"""Judges one move of a sealed match of version 1, whose draw may be left out."""

from dataclasses import dataclass, replace
from typing import Final

from records.codec.evidence import decode_concealed
from records.codec.shape import CorruptEvents
from records.entry import Entry, actor_of
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.replay.disclosure import in_full
from records.replay.sealed_draws import derive_draw, openings_fault, orders_due
from records.replay.seals import Sealing
from records.verdict import BadVerdict, CorruptAt, DivergedAt, IllegalAt
from rules.kernel.actors import CHANCE, SPECTATOR
from rules.kernel.rule import Illegal

OTHER_EVENTS: Final = "the record has other events than the move causes by the rules"
EVENTS_NOT_CANONICAL: Final = "the bytes of the events are not those that the edition writes"
_DRAW_NOT_SHOWN: Final = "what was drawn is not shown"
MANY_OUTCOMES: Final = "what it caused depends on what is not shown"


@dataclass(frozen=True, slots=True)
class SealedContext:
    """What is known of a sealed match before one of its moves."""

    sealing: Sealing
    seed: bytes | None
    """The seed of all orders, once the record reveals it: then every draw is derived."""
    lacking: bool
    """Whether something is left out of an earlier entry, so that the state is not known in full."""
    changed: bool
    """Whether the match is judged by other rules than its own, by which other places may be due."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that is legal and caused what the record says, as far as that can be known."""

    after: GameState
    left_out: bool = False
    """Whether the record lacks something of the entry; of version 2 also where it is derived."""
    lacking: bool = False
    """Whether the state after it is not known in full."""
    unjudged: str | None = None
    """Why it could not be judged in full; None if it was."""


def judge_sealed(before: GameState, entry: Entry, context: SealedContext) -> JudgedMove | BadVerdict:
    """Judge a move; raises CorruptMove, CorruptEvents or CorruptEvidence if the entry cannot be read."""
    move, events = in_full(entry)
    actor = actor_of(entry.actor)
    candidate = before.parse_bytes(actor, move)
    verdict = before.judge(candidate)
    if isinstance(verdict, Illegal):
        return IllegalAt(entry.sequence, before.write_move(candidate), verdict.violations)
    if actor is not CHANCE:
        return _compared(before, entry, events, _outcomes(before, candidate, verdict, context))
    if entry.secret:
        why = None if context.changed else _draw_fault(before, context.sealing, entry)
        if why is not None:
            return DivergedAt(entry.sequence, why)
        return _compared(before, entry, events, _outcomes(before, candidate, verdict, context))
    drawn: Candidate | None = None
    try:
        if context.seed is not None:
            drawn = derive_draw(before, context.sealing, context.seed)
        elif not context.changed:
            orders_due(before, context.sealing)
    except ValueError as fault:
        return DivergedAt(entry.sequence, str(fault))
    if drawn is not None:
        return _derived(before, entry, drawn)
    if move != before.seen_move(candidate, SPECTATOR).data:
        return DivergedAt(entry.sequence, "the draw shows what is hidden, and nothing proves it")
    judged = _compared(before, entry, events, before.outcomes(candidate))
    return (
        replace(judged, left_out=True, lacking=True, unjudged=_DRAW_NOT_SHOWN)
        if isinstance(judged, JudgedMove)
        else judged
    )


def other_events(state: GameState, entry: Entry, events: bytes, *, exact: bool = False) -> BadVerdict | None:
    """The verdict on a move whose events are not these by the rules; None if they stand for the same.

    Of version 2 they must be `exact`, the bytes that the edition writes.
    """
    try:
        if state.same_events(entry.events, events):
            return CorruptAt(entry.sequence, EVENTS_NOT_CANONICAL) if exact else None
        return DivergedAt(
            entry.sequence, OTHER_EVENTS, state.events_as_json(entry.events), state.events_as_json(events)
        )
    except CorruptEvents as fault:
        return CorruptAt(entry.sequence, f"the events cannot be read: {fault}")


def _draw_fault(before: GameState, sealing: Sealing, entry: Entry) -> str | None:
    """What is wrong with the secret of a draw; None if it is what was sealed and due."""
    concealed = decode_concealed(entry.secret)
    why = openings_fault(before, sealing, concealed.openings, concealed.move)
    if why is not None:
        return why
    drawn = before.parse_bytes(CHANCE, concealed.move)
    if entry.move != before.seen_move(drawn, SPECTATOR).data:
        return "the move that a spectator sees is not the one that was drawn"
    if entry.events != before.seen_events(concealed.events, SPECTATOR):
        return "the events that a spectator sees are not those of the draw"
    return None


def _derived(before: GameState, entry: Entry, drawn: Candidate) -> JudgedMove | BadVerdict:
    """Compare the public form of an entry with the draw that the seed gives."""
    if entry.move != before.seen_move(drawn, SPECTATOR).data:
        return DivergedAt(entry.sequence, "the move that a spectator sees is not the one that was drawn")
    verdict = before.judge(drawn)
    if isinstance(verdict, Illegal):
        return IllegalAt(entry.sequence, before.write_move(drawn), verdict.violations)
    bad = other_events(before, entry, before.seen_events(verdict.events, SPECTATOR))
    return JudgedMove(verdict.after) if bad is None else bad


def _outcomes(
    before: GameState, candidate: Candidate, verdict: Applied, context: SealedContext
) -> tuple[Applied, ...]:
    """All that a legal move may cause; exactly what the rules say while nothing is left out."""
    return before.outcomes(candidate) if context.lacking else (verdict,)


def _compared(
    before: GameState, entry: Entry, events: bytes, outcomes: tuple[Applied, ...]
) -> JudgedMove | BadVerdict:
    """Compare the recorded events of a legal move with all that it may cause."""
    found = next((each for each in outcomes if before.same_events(events, each.events)), None)
    if found is None:
        return DivergedAt(
            entry.sequence,
            OTHER_EVENTS,
            before.events_as_json(events),
            before.events_as_json(outcomes[0].events),
        )
    return JudgedMove(found.after, unjudged=MANY_OUTCOMES if len(outcomes) > 1 else None)
