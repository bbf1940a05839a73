"""Judges one move of a match with concealed parts, of which some may be left out."""

from dataclasses import dataclass, replace
from typing import Final

from records.audit.move import EVENTS_NOT_CANONICAL, MANY_OUTCOMES, OTHER_EVENTS, JudgedMove
from records.codec.concealment import Hidden
from records.entry import Entry, actor_of
from records.evidence.concealment import Commitment, parse_concealed, view_content
from records.games.candidate import Candidate
from records.games.state import Applied, GameState, Shown
from records.replay.concealing import Place, conceal_views, derived_salts, part_hasher
from records.replay.deriving import DerivedMove, derive_move
from records.replay.disclosure import hidden_of, in_full
from records.replay.entry_rules import hidden_fault
from records.replay.sealed_draws import openings_fault, opens_places, orders_due
from records.replay.seals import Sealing
from records.verdict import BadVerdict, CorruptAt, DivergedAt, IllegalAt
from rules.kernel.actors import CHANCE
from rules.kernel.rule import Illegal

_OTHER_PUBLIC_MOVE: Final = "what everybody sees of the move is not what the move is"
_OTHER_PUBLIC_EVENTS: Final = "what everybody sees of the events is not what happened"
_OTHER_AUDIENCES: Final = "the concealed parts are not for those who may see what is hidden here"
_OTHER_PART: Final = "a concealed part does not say what its seats see of the move"
_PART_NOT_SHOWN: Final = "a concealed part is not shown"
_NOT_OPENED: Final = "the sealed place of the draw is not opened"
NOT_CANONICAL: Final = "the bytes of the move are not those that its edition writes"


@dataclass(frozen=True, slots=True)
class PartsContext:
    """What is known of a match of version 2 before one of its moves."""

    conceals: bool
    """Whether what the game declares secret is concealed."""
    sealing: Sealing | None
    seed: bytes | None
    """The seed of all sealed orders, once the record reveals it: then every part is derived."""
    lacking: bool
    """Whether something is left out of an earlier entry, so that the state is not known in full."""
    changed: bool
    """Whether the match is judged by other rules than its own, by which other parts may be due."""


def judge_parts(before: GameState, entry: Entry, context: PartsContext) -> JudgedMove | BadVerdict:
    """Judge a move; raises CorruptMove, CorruptEvents or CorruptEvidence if the entry cannot be read."""
    hidden, commitments = hidden_of(entry), parse_concealed(entry.concealed)
    case = _Case(before, entry, context, hidden, commitments)
    why = hidden_fault(part_hasher(entry.match), entry, hidden.parts) or case.stray_openings()
    if why is not None:
        return CorruptAt(entry.sequence, why)
    candidate = before.parse_bytes(actor_of(entry.actor), in_full(entry)[0])
    if not context.changed and not before.is_canonical(candidate):
        return CorruptAt(entry.sequence, NOT_CANONICAL)
    if context.seed is not None and context.sealing is not None and case.derivable(candidate):
        return case.derived(context.sealing, context.seed)
    return case.judged(candidate)


def other_parts(before: GameState, entry: Entry, shown: Shown, seed: bytes | None) -> BadVerdict | None:
    """What an entry known in full shows or conceals otherwise than it should; None if nothing.

    With the seed of a sealed match, the commitments of parts that are left out are compared too.
    """
    bad = _other_public(before, entry, shown)
    if bad is not None:
        return bad
    if [each.audience for each in parse_concealed(entry.concealed)] != [
        each.audience for each in shown.views
    ]:
        return DivergedAt(entry.sequence, _OTHER_AUDIENCES)
    contents = [view_content(view.move, view.events) for view in shown.views]
    if any(part.content != contents[part.place] for part in hidden_of(entry).parts):
        return DivergedAt(entry.sequence, _OTHER_PART)
    if seed is None:
        return None
    place = Place(entry.match, entry.sequence, entry.actor, entry.previous)
    if conceal_views(place, shown.views, derived_salts(place, seed)).field != entry.concealed:
        return DivergedAt(entry.sequence, _OTHER_PART)
    return None


def _other_public(before: GameState, entry: Entry, shown: Shown) -> BadVerdict | None:
    if entry.move != shown.move:
        return DivergedAt(entry.sequence, _OTHER_PUBLIC_MOVE)
    if entry.events != shown.events:
        return DivergedAt(
            entry.sequence,
            _OTHER_PUBLIC_EVENTS,
            before.events_as_json(entry.events),
            before.events_as_json(shown.events),
        )
    return None


@dataclass(frozen=True, slots=True)
class _Case:
    """A move and everything that it is judged by."""

    before: GameState
    entry: Entry
    context: PartsContext
    hidden: Hidden
    commitments: tuple[Commitment, ...]

    @property
    def is_draw(self) -> bool:
        """Whether it draws from a sealed order."""
        return self.context.sealing is not None and actor_of(self.entry.actor) is CHANCE

    @property
    def missing(self) -> int:
        """How many parts are left out."""
        return len(self.commitments) - len(self.hidden.parts)

    @property
    def is_whole(self) -> bool:
        """Whether the entry is known in full: the last part holds everything."""
        if not self.commitments:
            return True
        return bool(self.hidden.parts) and self.hidden.parts[-1].place == len(self.commitments) - 1

    def stray_openings(self) -> str | None:
        """Why the entry cannot open sealed places as it does; None if it can."""
        if not self.hidden.openings:
            return None
        if not self.is_draw:
            return "the entry opens sealed places, and draws from none"
        if not self.is_whole and self.context.seed is None:
            return "the entry opens sealed places, and does not show what was drawn from them"
        return None

    def derivable(self, candidate: Candidate) -> bool:
        """Whether the seed yields all that is left out; what a seat chose does not follow from it."""
        if self.context.changed:
            return False
        return self.is_draw or self.is_whole or not self.before.hides_move(candidate)

    def derived(self, sealing: Sealing, seed: bytes) -> JudgedMove | BadVerdict:
        """Make the entry again from the seed, and compare every byte."""
        entry = self.entry
        try:
            found = derive_move(self.before, sealing, seed, entry)
        except ValueError as fault:
            return DivergedAt(entry.sequence, str(fault))
        if not isinstance(found, DerivedMove):
            candidate, illegal = found
            return IllegalAt(entry.sequence, self.before.write_move(candidate), illegal.violations)
        if self.is_whole and in_full(entry)[0] != found.move.data:
            return DivergedAt(entry.sequence, "the draw has other components than were sealed at its places")
        if self.hidden.openings:
            why = openings_fault(self.before, sealing, self.hidden.openings, found.move.data)
            if why is not None:
                return DivergedAt(entry.sequence, why)
        bad = _other_public(self.before, entry, found.shown)
        if bad is not None:
            return bad
        if found.hidden.field != entry.concealed:
            why = _OTHER_PART if self._audiences(found.shown) else _OTHER_AUDIENCES
            return DivergedAt(entry.sequence, why)
        return JudgedMove(found.applied.after, left_out=self.missing > 0)

    def judged(self, candidate: Candidate) -> JudgedMove | BadVerdict:
        """Judge the entry by what it shows."""
        before, entry, context = self.before, self.entry, self.context
        if self.is_draw and not context.changed:
            why = self._draw_fault(candidate)
            if why is not None:
                return DivergedAt(entry.sequence, why)
        verdict = before.judge_shown(candidate) if context.conceals else before.judge(candidate)
        if isinstance(verdict, Illegal):
            return IllegalAt(entry.sequence, before.write_move(candidate), verdict.violations)
        applied, shown = (
            (verdict, Shown(candidate.data, verdict.events)) if isinstance(verdict, Applied) else verdict
        )
        lacking = context.lacking or not self.is_whole
        outcomes = before.outcomes(candidate) if lacking else (applied,)
        events = in_full(entry)[1]
        found = next((each for each in outcomes if each.events == events), None)
        if found is None:
            if any(before.same_events(events, each.events) for each in outcomes):
                return CorruptAt(entry.sequence, EVENTS_NOT_CANONICAL)
            described = before.events_as_json(events), before.events_as_json(outcomes[0].events)
            return DivergedAt(entry.sequence, OTHER_EVENTS, *described)
        if events != applied.events:
            shown = before.shown(candidate, events) if context.conceals else Shown(candidate.data, events)
        bad = None if context.changed else self._other_parts(shown)
        return bad or self._unjudged(JudgedMove(found.after), certain=len(outcomes) == 1)

    def _unjudged(self, judged: JudgedMove, *, certain: bool) -> JudgedMove:
        """What could not be judged of it."""
        if certain and self.is_whole and not self.is_draw and not self.missing:
            return judged
        why = None if certain else MANY_OUTCOMES
        if self.is_draw and self.is_whole and not self.hidden.openings and opens_places(self.before):
            why = _NOT_OPENED
        if self.missing:
            why = _PART_NOT_SHOWN
        left_out = why in {_NOT_OPENED, _PART_NOT_SHOWN}
        return replace(judged, unjudged=why, left_out=left_out, lacking=not self.is_whole)

    def _draw_fault(self, candidate: Candidate) -> str | None:
        """Why the draw is not what was sealed and due, as far as that is shown."""
        sealing = self.context.sealing
        if sealing is None:
            return None
        if self.is_whole and (self.hidden.openings or not opens_places(self.before)):
            return openings_fault(self.before, sealing, self.hidden.openings, candidate.data)
        try:
            orders_due(self.before, sealing)
        except ValueError as fault:
            return str(fault)
        return None

    def _other_parts(self, shown: Shown) -> BadVerdict | None:
        """What the public part and the parts shown say otherwise than the move and its events."""
        if self.is_whole:
            return other_parts(self.before, self.entry, shown, None)
        bad = _other_public(self.before, self.entry, shown)
        if bad is None and not self._audiences(shown):
            return DivergedAt(self.entry.sequence, _OTHER_AUDIENCES)
        return bad

    def _audiences(self, shown: Shown) -> bool:
        """Whether the parts are for those who see something else than everybody does."""
        return [each.audience for each in self.commitments] == [view.audience for view in shown.views]
