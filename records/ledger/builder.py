"""Builds the entries of one request: its moves, judged one after the other, and the draws between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec import Struct

from records.codec.evidence import encode_concealed, encode_seal, encode_secret
from records.entry import ENTRY_VERSION_1, MOVE, RETRACT, Entry, EntryKind, MatchHeader
from records.games.candidate import Candidate
from records.games.state import Applied, GameState, Shown
from records.ledger.chain import EntrySource
from records.ledger.choosing import ChoiceChain
from records.ledger.results import BatchCrossesDraw, IllegalAmong
from records.log.contract import Append
from records.replay import sealed_draws as sealed
from records.replay.disclosure import conceal_draw
from records.replay.fold import MatchSnapshot
from records.replay.guards import Guards, guards_of
from records.replay.sealed_draws import Dealt
from records.replay.seals import Sealing
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Illegal

Accepted = TypeVar("Accepted", Applied, tuple[Applied, Shown])


class PreparedAppend(Struct, frozen=True):
    """A judged append, ready to be stored."""

    header: MatchHeader
    append: Append
    states: list[GameState]
    """The state after each entry."""
    guards: Guards
    """The guards after the last entry."""
    asked: GameState | None = None
    """The state in which the sealed question was asked that seats are answering after the last entry."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An entry that does not change the state of the match, such as a dispute."""

    kind: EntryKind
    actor: Actor
    content: bytes
    """The encoded protobuf message of its kind."""
    signature: bytes = b""


class EntryBuilder(ChoiceChain):
    """Builds the entries of one request, after the last entry that the caller knows."""

    @classmethod
    def of_new(
        cls, header: MatchHeader, start: GameState, first: Entry, source: EntrySource
    ) -> "EntryBuilder":
        """A builder for a new match, which has only its header; raises BadSetup if the keys are invalid."""
        guards = guards_of(header, first.match, start)
        current = MatchSnapshot(header, first.sequence, first.hash, start, guards)
        run = cls(first.match, current, source)
        run._open(first, start)
        return run

    def play(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """Add a move, or return the rules that it breaks; raises GuardRejected.

        An answer to a sealed question is sealed. Of version 2, raises CorruptMove for bytes that the
        edition's encoder would not write.
        """
        if self.chooses_in_secret(candidate.actor):
            return self.choose(candidate, signature)
        self.require_canonical(candidate)
        if self._conceals:
            judged = self._state.judge_shown(candidate)
            if isinstance(judged, Illegal):
                return judged
            self._add_shown(MOVE, candidate.actor, *judged, signature)
            return None
        verdict = self._state.judge(candidate)
        if isinstance(verdict, Illegal):
            return verdict
        self._add(MOVE, candidate.actor, candidate.data, verdict, signature)
        return None

    def play_all(self, candidates: Sequence[Candidate], signature: bytes = b"") -> IllegalAmong | None:
        """Entries for moves that follow each other, or the first that breaks a rule; raises GuardRejected.

        The signature is for the first move. Nothing is dealt between the moves.
        """
        at_once = not signature and self._guards.idle and not self.header.pledge and not self._conceals
        at_once = at_once and not self._state.has_choices()
        if len(candidates) > 1 and at_once:
            return self._play_at_once(candidates)
        for index, candidate in enumerate(candidates):
            if index:
                self.require_no_choice(index)
            illegal = self.play(candidate, b"" if index else signature)
            if illegal is not None:
                return IllegalAmong(index, illegal)
        return None

    def require_no_choice(self, index: int) -> None:
        """Raises BatchCrossesDraw if the entry before the move at this index of a batch is a choice."""
        if self._entries and self._entries[-1].kind in {EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES}:
            raise BatchCrossesDraw(index, "a batch ends with a sealed choice: send the rest later")

    def _play_at_once(self, candidates: Sequence[Candidate]) -> IllegalAmong | None:
        verdict = self._state.judge_all(candidates)
        if verdict.wrong is not None:
            return IllegalAmong(len(verdict.events), verdict.wrong)
        for candidate in candidates:
            self.require_canonical(candidate)
        # Without secrets everybody sees the whole state, so its digest is the public one.
        digests = [None] * len(candidates) if self._state.has_secrets() else verdict.digests()
        judged = zip(candidates, verdict.events, digests, strict=True)
        for index, (candidate, events, digest) in enumerate(judged):
            applied = Applied(events, verdict.state(index))
            self._add(MOVE, candidate.actor, candidate.data, applied, digest=digest)
        return None

    def go_back(self, actor: Actor, retraction: bytes, state: GameState, signature: bytes = b"") -> None:
        """Add a retraction to an earlier state; raises GuardRejected. It ends a question that is open."""
        self._add(RETRACT, actor, retraction, Applied(b"", state), signature)
        self._asked = None

    def note(self, notice: Notice) -> None:
        """Add a notice; raises GuardRejected."""
        unchanged = Applied(b"", self._state)
        self._add(notice.kind.value, notice.actor, notice.content, unchanged, notice.signature)

    def deal(self) -> None:
        """Add all draws that are due before a seat acts again, and at the end of the match its secret.

        Adds nothing while shares are missing, or if nothing is sealed.
        """
        secret, sealing = self._source.secret, self._guards.sealing
        if secret is None or sealing is None or not sealing.shared:
            return
        seed = self._seed_now(secret, sealing)
        if not self._guards.closed:
            while (dealt := sealed.deal(self._state, self._sealing(), seed)) is not None:
                for each in dealt.seals:
                    self.note(Notice(EntryKind.SEAL, CHANCE, encode_seal(each)))
                self._draw(dealt)
        over = self._guards.closed or self._state.outcome() is not None
        if over and not self._sealing().secret:
            self.note(Notice(EntryKind.UNSEAL, CHANCE, encode_secret(secret)))

    def _sealing(self) -> Sealing:
        if self._guards.sealing is None:
            raise TypeError("nothing is sealed")
        return self._guards.sealing

    def _draw(self, dealt: Dealt) -> None:
        before = self._state
        if self.header.entry_version == ENTRY_VERSION_1:
            applied = _accepted(before.judge(dealt.move))
            move, events, concealed = conceal_draw(before, dealt.move, applied.events, dealt.openings)
            self._add(MOVE, CHANCE, move, Applied(events, applied.after), secret=encode_concealed(concealed))
            return
        applied, shown = _accepted(before.judge_shown(dealt.move))
        self._add_shown(MOVE, CHANCE, applied, shown, openings=dealt.openings)

    def ready(self) -> PreparedAppend:
        """The append of all entries so far."""
        append = Append(self._match, self._expected, tuple(self._entries))
        return PreparedAppend(self.header, append, self._states, self._guards, self._asked)


def _accepted(verdict: Accepted | Illegal) -> Accepted:
    """The verdict on a draw from an order that the rules accepted."""
    if isinstance(verdict, Illegal):
        raise RuntimeError(f"chance broke {verdict.violations[0].rule.id}")  # noqa: TRY004 - a fault of ours
    return verdict
