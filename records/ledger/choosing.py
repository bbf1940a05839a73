"""Builds the entries of sealed choices: seats choose and open, and all is revealed with the last answer."""

from records.codec.concealment import (
    AnswerFor,
    Choose,
    OpenChoice,
    encode_answer,
    encode_choose,
    encode_open_choice,
    encode_reveal,
)
from records.entry import EntryKind
from records.evidence.concealment import (
    CHOICE,
    VIEW,
    Commitment,
    Part,
    Slot,
    choice_content,
    format_concealed,
    opening_content,
)
from records.games.candidate import Candidate
from records.games.state import Applied
from records.ledger.builder import EntryBuilder
from records.ledger.results import BatchCrossesDraw
from records.replay.choices import (
    OpenedChoice,
    answer_for_fault,
    answers_in_secret,
    choose_fault,
    digest_of,
    is_complete,
    open_fault,
    opens,
    revealed,
)
from records.replay.concealing import ConcealedParts, part_hasher
from records.replay.guards import GuardRejected
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from rules.kernel.rule import Illegal


class ChoiceBuilder(EntryBuilder):
    """Builds the entries of one request of a game with sealed choices."""

    def play(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """As for any game, but an answer to a sealed question is sealed."""
        if answers_in_secret(self.header, self._state, candidate.actor):
            return self.choose(candidate, signature)
        return super().play(candidate, signature)

    def require_no_choice(self, index: int) -> None:
        """Raises BatchCrossesDraw if the entry before the move at this index of a batch is a choice."""
        if self._entries and self._entries[-1].kind in {EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES}:
            raise BatchCrossesDraw(index, "a batch ends with a sealed choice: send the rest later")

    def choose(
        self, candidate: Candidate, signature: bytes = b"", salt: bytes | None = None
    ) -> Illegal | None:
        """Add a choice that the service seals, or return the rules that it breaks; raises GuardRejected.

        A seat that signs brings the salt, since its signature covers the digest.
        """
        self.require_canonical(candidate)
        seat = self._require_asked(candidate.actor)
        # The seat's own view first: the reasons given must not depend on what others hide.
        illegal = self._state.view(seat).judge_answer(candidate) or self._state.judge_answer(candidate)
        if illegal is not None:
            return illegal
        choice = OpenedChoice(self._source.salts() if salt is None else salt, candidate.data)
        place = self._place(seat)
        digest = digest_of(self._match, seat, place.sequence, choice)
        part = Part(0, choice.salt, choice_content(choice.move))
        self._add_choice(seat, Choose(held=True), digest, (part,), signature)
        self._source.opened[seat] = choice
        self._reveal_if_complete()
        return None

    def choose_sealed(self, actor: Actor, digest: bytes, signature: bytes = b"") -> None:
        """Add a choice that the seat sealed itself; raises GuardRejected."""
        self._add_choice(self._require_asked(actor), Choose(held=False), digest, (), signature)

    def _require_asked(self, actor: Actor) -> Seat:
        if not isinstance(actor, int):
            raise GuardRejected("only a seat makes a sealed choice")
        why = choose_fault(self.header, self._state, actor)
        if why is not None:
            raise GuardRejected(why)
        return actor

    def _add_choice(
        self, seat: Seat, choose: Choose, digest: bytes, parts: tuple[Part, ...], signature: bytes
    ) -> None:
        if self._asked is None:
            self._asked = self._state
        hidden = ConcealedParts(format_concealed([Commitment(CHOICE, 1 << seat, digest)]), parts)
        move, answered = encode_choose(choose), self._state.answered(seat)
        self._add_hidden(EntryKind.CHOOSE.value, seat, move, answered, hidden, signature=signature)

    def open_choice(self, candidate: Candidate, salt: bytes, signature: bytes = b"") -> Illegal | None:
        """Open a choice that the seat sealed itself, or return the rules that it breaks.

        Raises GuardRejected if it is not what the seat sealed, or is not opened now.
        """
        self.require_canonical(candidate)
        answer = self._guards.choices.of(candidate.actor) if isinstance(candidate.actor, int) else None
        if answer is None or answer.known or self._asked is None:
            raise GuardRejected("the seat has sealed no choice itself, or has opened it")
        why = open_fault(self._state, self._guards.choices)
        if why is not None:
            raise GuardRejected(why)
        choice = OpenedChoice(salt, candidate.data)
        if not opens(self._match, answer, choice):
            raise GuardRejected("salt and move are not those that the seat sealed")
        illegal = self._asked.judge_answer(candidate)
        if illegal is not None:
            return illegal
        seat = Seat(answer.seat)
        move = encode_open_choice(OpenChoice(answer.sequence))
        unchanged = Applied(b"", self._state)
        hidden = self._opening_part(seat, choice)
        self._add_hidden(EntryKind.OPEN_CHOICE.value, seat, move, unchanged, hidden, signature=signature)
        self._source.opened[answer.seat] = choice
        self._reveal_if_complete()
        return None

    def _opening_part(self, seat: Seat, choice: OpenedChoice) -> ConcealedParts:
        """What a seat opens is shown to nobody else before all is revealed."""
        place, hasher, audience = self._place(seat), part_hasher(self._match), 1 << seat
        slot = Slot(place.sequence, 0, VIEW, seat, audience)
        content, salt = opening_content(*choice), self._source.salts()
        digest = hasher.digest(slot, salt, content)
        return ConcealedParts(
            format_concealed([Commitment(VIEW, audience, digest)]), (Part(0, salt, content),)
        )

    def answer_for(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """Let the arbiter answer for a seat, or return the rules that it breaks; raises GuardRejected.

        The candidate is the seat's.
        """
        self.require_canonical(candidate)
        if not isinstance(candidate.actor, int):
            raise GuardRejected("the arbiter answers for a seat")
        why = answer_for_fault(self._state, self._guards.choices, candidate.actor)
        if why is not None:
            raise GuardRejected(why)
        asked = self._asked or self._state
        illegal = asked.judge_answer(candidate)
        if illegal is not None:
            return illegal
        move = encode_answer(AnswerFor(candidate.actor, candidate.data))
        self._asked = asked
        self._add(EntryKind.ANSWER_FOR.value, ARBITER, move, Applied(b"", self._state), signature)
        self._source.opened[candidate.actor] = OpenedChoice(b"", candidate.data)
        self._reveal_if_complete()
        return None

    def _reveal_if_complete(self) -> None:
        """Reveal all choices with the last answer that was needed."""
        choices, asked = self._guards.choices, self._asked
        if asked is None or not is_complete(self._state, choices):
            return
        answers = revealed(choices, self._source.opened)
        move = encode_reveal(answers)
        candidates = [asked.parse_bytes(Seat(each.seat), each.move) for each in answers]
        applied, shown = self._state.reveal(asked, candidates, move, conceals=self._conceals)
        self._add_shown(EntryKind.REVEAL_CHOICES.value, CHANCE, applied, shown)
        self._asked = None
