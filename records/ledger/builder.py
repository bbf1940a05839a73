"""Builds the entries of one request: its moves, judged one after the other, and the draws between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from records.codec.evidence import encode_concealed, encode_seal, encode_secret
from records.entry import MOVE, RETRACT, Entry, EntryKind, MatchHeader, MatchId, actor_number, with_hash
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.ledger.results import IllegalAmong
from records.log.contract import NEW, Append
from records.replay import sealed_draws as sealed
from records.replay.disclosure import conceal_draw, public_digest
from records.replay.fold import MatchSnapshot
from records.replay.guards import Guards, guards_of
from records.replay.sealed_draws import Dealt
from records.replay.seals import Sealing
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Illegal

_UNSIGNED: Final = frozenset({MOVE, RETRACT})
"""Kinds of entries that need no guards in a match without keys, seals and disputes."""


class PreparedAppend(Struct, frozen=True):
    """A judged append, ready to be stored."""

    header: MatchHeader
    append: Append
    states: list[GameState]
    """The state after each entry."""
    guards: Guards
    """The guards after the last entry."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An entry that does not change the state of the match, such as a dispute."""

    kind: EntryKind
    actor: Actor
    content: bytes
    """The encoded protobuf message of its kind."""
    signature: bytes = b""


class EntryBuilder:
    """Builds the entries of one request, after the last entry that the caller knows."""

    def __init__(self, match: MatchId, current: MatchSnapshot, request: str, recorded: int) -> None:
        self._match: Final = match
        self.header: Final = current.header
        self._request: Final = request
        self._recorded: Final = recorded
        self._expected = current.sequence
        self._last = current.hash
        self._state = current.state
        self._guards = current.guards
        self._entries: list[Entry] = []
        self._states: list[GameState] = []

    @classmethod
    def of_new(cls, header: MatchHeader, start: GameState, first: Entry) -> "EntryBuilder":
        """A builder for a new match, which has only its header; raises BadSetup if the keys are invalid."""
        guards = guards_of(header, first.match, start)
        current = MatchSnapshot(header, first.sequence, first.hash, start, guards)
        run = cls(first.match, current, first.request, first.recorded)
        run._expected = NEW
        run._entries.append(first)
        run._states.append(start)
        return run

    def play(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """Add a move, or return the rules that it breaks; raises GuardRejected."""
        verdict = self._state.judge(candidate)
        if isinstance(verdict, Illegal):
            return verdict
        self._add(MOVE, candidate.actor, candidate.data, verdict, signature)
        return None

    def play_all(self, candidates: Sequence[Candidate], signature: bytes = b"") -> IllegalAmong | None:
        """Entries for moves that follow each other, or the first that breaks a rule; raises GuardRejected.

        The signature is for the first move. Nothing is dealt between the moves.
        """
        if len(candidates) > 1 and not signature and self._guards.idle and not self.header.pledge:
            return self._play_at_once(candidates)
        for index, candidate in enumerate(candidates):
            illegal = self.play(candidate, b"" if index else signature)
            if illegal is not None:
                return IllegalAmong(index, illegal)
        return None

    def _play_at_once(self, candidates: Sequence[Candidate]) -> IllegalAmong | None:
        verdict = self._state.judge_all(candidates)
        if verdict.wrong is not None:
            return IllegalAmong(len(verdict.events), verdict.wrong)
        judged = zip(candidates, verdict.events, verdict.digests(), strict=True)
        for index, (candidate, events, digest) in enumerate(judged):
            applied = Applied(events, verdict.state(index))
            self._add(MOVE, candidate.actor, candidate.data, applied, digest=digest)
        return None

    def go_back(self, actor: Actor, retraction: bytes, state: GameState, signature: bytes = b"") -> None:
        """Add a retraction to an earlier state; raises GuardRejected."""
        self._add(RETRACT, actor, retraction, Applied(b"", state), signature)

    def note(self, notice: Notice) -> None:
        """Add a notice; raises GuardRejected."""
        unchanged = Applied(b"", self._state)
        self._add(notice.kind.value, notice.actor, notice.content, unchanged, notice.signature)

    def deal(self, secret: bytes) -> None:
        """Add all draws that are due before a seat acts again, and at the end of the match its secret.

        Adds nothing while shares are missing, or if nothing is sealed.
        """
        if self._guards.sealing is None or not self._guards.sealing.shared:
            return
        seed = self._guards.sealing.seed(secret)
        while (dealt := sealed.deal(self._state, self._sealing(), seed)) is not None:
            for each in dealt.seals:
                self.note(Notice(EntryKind.SEAL, CHANCE, encode_seal(each)))
            self._draw(dealt)
        if self._state.outcome() is not None and not self._sealing().secret:
            self.note(Notice(EntryKind.UNSEAL, CHANCE, encode_secret(secret)))

    def _sealing(self) -> Sealing:
        if self._guards.sealing is None:
            raise TypeError("nothing is sealed")
        return self._guards.sealing

    def _draw(self, dealt: Dealt) -> None:
        before = self._state
        verdict = before.judge(dealt.move)
        if isinstance(verdict, Illegal):
            raise RuntimeError(f"chance broke {verdict.violations[0].rule.id}")  # noqa: TRY004 - a fault of ours
        move, events, concealed = conceal_draw(before, dealt.move, verdict.events, dealt.openings)
        self._add(MOVE, CHANCE, move, Applied(events, verdict.after), secret=encode_concealed(concealed))

    def _add(  # noqa: PLR0913 - an entry has many parts
        self,
        kind: int,
        actor: Actor,
        move: bytes,
        accepted: Applied,
        signature: bytes = b"",
        *,
        secret: bytes = b"",
        digest: bytes | None = None,
    ) -> None:
        self._state = accepted.after
        place = len(self._entries) + 1
        entry = with_hash(
            Entry(
                self._match,
                self._expected + place,
                kind,
                actor_number(actor),
                move,
                accepted.events,
                digest or self._digest(accepted.after),
                self._request if place == 1 else f"{self._request}/{place}",
                self._recorded,
                self._last,
                signature=signature,
                secret=secret,
            )
        )
        if not self._guards.idle or signature or kind not in _UNSIGNED:
            self._guards = self._guards.after(entry)
        self._last = entry.hash
        self._entries.append(entry)
        self._states.append(accepted.after)

    def _digest(self, state: GameState) -> bytes:
        return public_digest(self.header, state) if self.header.pledge else state.digest()

    @property
    def state(self) -> GameState:
        """The state after the last entry."""
        return self._state

    def ready(self) -> PreparedAppend:
        """The append of all entries so far."""
        append = Append(self._match, self._expected, tuple(self._entries))
        return PreparedAppend(self.header, append, self._states, self._guards)
