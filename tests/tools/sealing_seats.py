"""A staged match in which seats seal what they choose, open it later, or let the arbiter answer for them."""

import random
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from records.codec.concealment import (
    AnswerFor,
    Choose,
    OpenChoice,
    encode_answer,
    encode_choose,
    encode_open_choice,
)
from records.entry import EntryKind, MatchHeader
from records.evidence.concealment import CHOICE, SALT_SIZE, Commitment, choice_lines, format_concealed
from records.evidence.ed25519 import SecretKey
from records.games.candidate import Candidate
from records.ledger.choices import At, judge_answer_for, judge_choose_sealed, judge_open_choice
from records.ledger.ledger import Ledger
from records.replay.choices import OpenedChoice, digest_of
from rules.kernel.actors import ARBITER, Actor, Seat
from tools.dev.staged import StagedMatch, first_of

SEALED_BY_SEATS = 0.7
"""How often a seat seals what it chooses; otherwise the service does."""
LEFT_TO_THE_ARBITER = 0.5
"""How often the last seat that should open its choice does not."""


class _Sealed(NamedTuple):
    sequence: int
    salt: bytes
    move: Candidate


class SealingMatch(StagedMatch):
    """A match in a ledger whose header lets the arbiter answer for seats."""

    def __init__(
        self, ledger: Ledger, header: MatchHeader, keys: Mapping[Actor, SecretKey], dice: random.Random
    ) -> None:
        super().__init__(ledger, header, keys)
        self._dice: Final = dice
        self._sealed: Final[dict[Seat, _Sealed]] = {}
        """What is not opened yet."""

    def play(self, choose: Callable[[list[Candidate]], Candidate] = first_of) -> bool:
        """Play one of the legal moves, or open a choice once every seat has chosen."""
        if not self._sealed or self.current.state.asked_in_secret():
            return super().play(choose)
        seat = min(self._sealed)
        sealed = self._sealed.pop(seat)
        if not self._sealed and self._dice.random() < LEFT_TO_THE_ARBITER:
            content = encode_answer(AnswerFor(seat, sealed.move.data))
            at = self._at(self.sign(EntryKind.ANSWER_FOR, ARBITER, content))
            self.store(judge_answer_for(self.ledger, at, sealed.move))
        else:
            content = encode_open_choice(OpenChoice(sealed.sequence))
            at = self._at(self.sign(EntryKind.OPEN_CHOICE, seat, content))
            self.store(judge_open_choice(self.ledger, at, sealed.move, sealed.salt))
        return True

    def go_back(self, actor: Actor, to_sequence: int) -> None:
        """Take entries back, and with them what was sealed."""
        super().go_back(actor, to_sequence)
        for seat, sealed in list(self._sealed.items()):
            if sealed.sequence > to_sequence:
                del self._sealed[seat]

    def _choose(self, seat: Seat, move: Candidate) -> None:
        if self._dice.random() >= SEALED_BY_SEATS:
            super()._choose(seat, move)
            return
        sequence = self.last + 1
        salt = bytes([seat + 1]) * (SALT_SIZE - 2) + sequence.to_bytes(2)
        digest = digest_of(self.match, seat, sequence, OpenedChoice(salt, move.data))
        lines = choice_lines(format_concealed([Commitment(CHOICE, 1 << seat, digest)]))
        at = self._at(self.sign(EntryKind.CHOOSE, seat, encode_choose(Choose(held=False)), lines))
        self.store(judge_choose_sealed(self.ledger, at, seat, digest))
        self._sealed[seat] = _Sealed(sequence, salt, move)

    def _at(self, signature: bytes) -> At:
        return At(self.match, self.last, self._request, signature)
