"""Sealed choices at each point of a record: who has chosen, what is open, and when all is revealed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from records.codec.concealment import (
    RevealedChoice,
    decode_answer,
    decode_choose,
    decode_open_choice,
)
from records.codec.header import decode_retraction
from records.entry import ChoicePolicy, Concealment, Entry, EntryKind, MatchHeader, MatchId
from records.evidence.concealment import (
    CHOICE,
    BadPart,
    Slot,
    choice_content,
    parse_choice,
    parse_concealed,
    parse_opening,
)
from records.games.state import GameState
from records.replay.concealing import part_hasher
from records.replay.disclosure import hidden_of
from rules.kernel.actors import Actor, Seat


class ChoiceBroken(ValueError):
    """An entry that the sealed choices so far do not allow."""


class OpenedChoice(NamedTuple):
    """What opens a sealed choice."""

    salt: bytes
    """Empty for an answer by the arbiter, which is public."""
    move: bytes


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """The answer of one seat to a sealed question."""

    seat: int
    sequence: int
    """Of the entry with it."""
    digest: bytes
    """What it was sealed with; empty for an answer by the arbiter."""
    known: bool
    """Whether the service knows it: because it sealed it, it was opened, or the arbiter gave it."""
    move: bytes = b""
    """What the arbiter answered."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The answers to the sealed question that is open, at one point of a record."""

    policy: ChoicePolicy
    answers: tuple[SealedAnswer, ...] = ()
    """In the order in which they were given; none where no question is open."""
    first: int = 0
    """The sequence of the first of them."""
    questions: tuple[tuple[int, int], ...] = ()
    """For each earlier question its first answer, and the entry that revealed it or took it back."""

    @property
    def idle(self) -> bool:
        """Whether there has never been a sealed choice."""
        return not self.answers and not self.questions

    def of(self, seat: int) -> SealedAnswer | None:
        """The answer of a seat."""
        return next((each for each in self.answers if each.seat == seat), None)

    def to_open(self) -> tuple[Seat, ...]:
        """The seats that sealed their choice themselves and have not opened it."""
        return tuple(Seat(each.seat) for each in self.answers if not each.known)

    def after(self, entry: Entry) -> "Choices":
        """The choices after the entry; raises ChoiceBroken or CorruptEvidence if it is not allowed here."""
        match entry.kind:
            case EntryKind.CHOOSE:
                return self._chosen(entry)
            case EntryKind.OPEN_CHOICE:
                return self._opened(entry)
            case EntryKind.ANSWER_FOR:
                return self._answered_for(entry)
            case EntryKind.REVEAL_CHOICES:
                return self._closed(entry.sequence)
            case EntryKind.RETRACT:
                return self._went_back(entry.sequence, decode_retraction(entry.move).to_sequence)
            case _:
                return self

    def _chosen(self, entry: Entry) -> "Choices":
        if self.of(entry.actor) is not None:
            raise ChoiceBroken("the seat has chosen already")
        commitments = parse_concealed(entry.concealed)
        if len(commitments) != 1:
            raise ChoiceBroken("a sealed choice has one concealed part")
        held = decode_choose(entry.move).held
        return self._with(SealedAnswer(entry.actor, entry.sequence, commitments[0].digest, held))

    def _opened(self, entry: Entry) -> "Choices":
        answer = self.of(entry.actor)
        if answer is None or answer.sequence != decode_open_choice(entry.move).choice or answer.known:
            raise ChoiceBroken("the seat has sealed no such choice itself, or has opened it")
        opened = tuple(replace(each, known=True) if each == answer else each for each in self.answers)
        return replace(self, answers=opened)

    def _answered_for(self, entry: Entry) -> "Choices":
        given = decode_answer(entry.move)
        if self.policy is not ChoicePolicy.ARBITER:
            raise ChoiceBroken("in this match the arbiter does not answer for seats")
        answer = self.of(given.seat)
        if answer is not None and answer.known:
            raise ChoiceBroken("the seat has answered itself")
        return self._with(SealedAnswer(given.seat, entry.sequence, b"", known=True, move=given.move))

    def _with(self, answer: SealedAnswer) -> "Choices":
        """With a further answer, in place of one that was never opened."""
        others = tuple(each for each in self.answers if each.seat != answer.seat)
        first = self.first if self.answers else answer.sequence
        return replace(self, answers=(*others, answer), first=first)

    def _closed(self, sequence: int) -> "Choices":
        if not self.answers:
            raise ChoiceBroken("no choices are there to be revealed")
        return Choices(self.policy, questions=(*self.questions, (self.first, sequence)))

    def _went_back(self, sequence: int, to_sequence: int) -> "Choices":
        now = self._closed(sequence) if self.answers else self
        for first, end in now.questions:
            if first <= to_sequence < end:
                raise ChoiceBroken(
                    f"nothing goes back between entries {first} and {end}, where seats choose in secret: "
                    "take back to before the first choice, or to after the reveal"
                )
        return now


def chooses_in_secret(header: MatchHeader, state: GameState) -> bool:
    """Whether those who are awaited now make a sealed choice."""
    sealed = header.entry_version > 1 and header.concealment is Concealment.SECRETS
    return sealed and bool(state.asked_in_secret())


def answers_in_secret(header: MatchHeader, state: GameState, actor: Actor) -> bool:
    """Whether what the actor plays next is a sealed choice."""
    return chooses_in_secret(header, state) and actor in state.asked_in_secret()


def choose_fault(header: MatchHeader, before: GameState, seat: int) -> str | None:
    """Why a seat makes no sealed choice here; None if it does."""
    if chooses_in_secret(header, before) and seat in before.asked_in_secret():
        return None
    return "the seat is not asked for a sealed choice here"


def open_fault(before: GameState, choices: Choices) -> str | None:
    """Why no choice is opened here; None if one may be.

    Where the arbiter may answer for a seat that never chooses, the others open theirs before that.
    """
    if before.asked_in_secret() and choices.policy is ChoicePolicy.WAIT:
        return "choices are opened once all seats have chosen"
    return None


def answer_for_fault(before: GameState, choices: Choices, seat: int) -> str | None:
    """Why the arbiter does not answer for this seat here; None if they may."""
    waiting = before.asked_in_secret()
    answer = choices.of(seat)
    if answer is None and seat not in waiting:
        return "the seat is not asked for a sealed choice here"
    others = [each for each in waiting if each != seat]
    if others or any(each != seat for each in choices.to_open()):
        return "the arbiter answers for a seat once all others have chosen and opened"
    return None


def is_complete(before: GameState, choices: Choices) -> bool:
    """Whether every seat has answered, and every answer is known."""
    answered = {each.seat for each in choices.answers}
    return bool(answered) and not choices.to_open() and answered.issuperset(before.asked_in_secret())


def revealed(choices: Choices, opened: Mapping[int, OpenedChoice]) -> tuple[RevealedChoice, ...]:
    """All answers in the order of seats; KeyError if one of them is not there."""
    return tuple(
        RevealedChoice(each.seat, each.sequence, *opened[each.seat])
        for each in sorted(choices.answers, key=lambda answer: answer.seat)
    )


def opened_choices(entries: Iterable[Entry]) -> dict[int, OpenedChoice]:
    """By seat: the answers among these entries that the service knows; raises CorruptEvidence or BadPart."""
    found: dict[int, OpenedChoice] = {}
    for entry in entries:
        parts = hidden_of(entry).parts
        if entry.kind == EntryKind.CHOOSE and parts:
            found[entry.actor] = OpenedChoice(parts[0].salt, parse_choice(parts[0].content))
        elif entry.kind == EntryKind.OPEN_CHOICE and parts:
            opening = parse_opening(parts[0].content)
            found[entry.actor] = OpenedChoice(opening.salt, opening.move)
        elif entry.kind == EntryKind.ANSWER_FOR:
            answer = decode_answer(entry.move)
            found[answer.seat] = OpenedChoice(b"", answer.move)
    return found


def digest_of(match: MatchId, seat: int, sequence: int, choice: OpenedChoice) -> bytes:
    """The digest of a sealed choice; raises BadPart."""
    slot = Slot(sequence, 0, CHOICE, seat, 1 << seat)
    return part_hasher(match).digest(slot, choice.salt, choice_content(choice.move))


def opens(match: MatchId, answer: SealedAnswer, choice: OpenedChoice) -> bool:
    """Whether salt and move are those that the answer was sealed with."""
    try:
        return digest_of(match, answer.seat, answer.sequence, choice) == answer.digest
    except BadPart:
        return False
