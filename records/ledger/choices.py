"""Sealed choices: seats choose and open, the arbiter answers for a seat; nothing is shown before the reveal.

A choice that the service seals needs no call of its own: a move that answers a sealed question becomes one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from records.codec.concealment import AnswerFor, encode_answer
from records.entry import EntryKind, MatchId, actor_number
from records.evidence.concealment import (
    CHOICE,
    DIGEST_SIZE,
    SALT_SIZE,
    Commitment,
    format_concealed,
    opening_content,
)
from records.games.candidate import Candidate
from records.ledger.builder import PreparedAppend
from records.ledger.choosing import ChoiceBuilder
from records.ledger.ledger import Ledger, require_request_id
from records.ledger.repeats import AskedEntry, asked_by_moves
from records.ledger.results import Appended
from records.ledger.room import require_room
from records.replay.guards import GuardRejected
from rules.kernel.actors import ARBITER, Office, Seat
from rules.kernel.rule import Illegal

JudgedChoice: TypeAlias = PreparedAppend | tuple[Appended, ...] | Illegal
"""What is to be stored, or the answer of the first time, or the rules that a move breaks."""


@dataclass(frozen=True, slots=True)
class At:
    """Where a request belongs."""

    match: MatchId
    expected: int
    """The sequence of the last entry that the caller knows."""
    request: str
    signature: bytes = b""


def judge_choose(ledger: Ledger, at: At, candidate: Candidate, salt: bytes) -> JudgedChoice:
    """A choice with the seat's own salt, which a seat needs that signs the digest; raises GuardRejected."""
    _require_size("a salt", salt, SALT_SIZE)
    return _judged(
        ledger, at, asked_by_moves([candidate]), lambda run: run.choose(candidate, at.signature, salt)
    )


def judge_choose_sealed(ledger: Ledger, at: At, seat: Seat, digest: bytes) -> JudgedChoice:
    """A choice that only the seat knows until it opens it; raises GuardRejected."""
    _require_size("a digest", digest, DIGEST_SIZE)
    line = format_concealed([Commitment(CHOICE, 1 << seat, digest)])
    asked: list[AskedEntry] = [(EntryKind.CHOOSE, actor_number(seat), line)]
    return _judged(ledger, at, asked, lambda run: run.choose_sealed(seat, digest, at.signature))


def judge_open_choice(ledger: Ledger, at: At, candidate: Candidate, salt: bytes) -> JudgedChoice:
    """The opening of a choice that the seat sealed itself; raises GuardRejected if it is another one."""
    _require_size("a salt", salt, SALT_SIZE)
    content = opening_content(salt, candidate.data)
    asked: list[AskedEntry] = [(EntryKind.OPEN_CHOICE, actor_number(candidate.actor), content)]
    return _judged(ledger, at, asked, lambda run: run.open_choice(candidate, salt, at.signature))


def judge_answer_for(ledger: Ledger, at: At, candidate: Candidate) -> JudgedChoice:
    """The arbiter's answer for the seat of the candidate; raises GuardRejected where it is not due."""
    if isinstance(candidate.actor, Office):
        raise GuardRejected(f"the arbiter answers for a seat, not for {candidate.actor.value}")
    answer = AnswerFor(actor_number(candidate.actor), candidate.data)
    asked: list[AskedEntry] = [(EntryKind.ANSWER_FOR, actor_number(ARBITER), encode_answer(answer))]
    return _judged(ledger, at, asked, lambda run: run.answer_for(candidate, at.signature))


def _require_size(what: str, raw: bytes, size: int) -> None:
    if len(raw) != size:
        raise GuardRejected(f"{what} has {size} bytes, not {len(raw)}")


def _judged(
    ledger: Ledger, at: At, asked: list[AskedEntry], add: Callable[[ChoiceBuilder], Illegal | None]
) -> JudgedChoice:
    require_request_id(at.request)
    current = ledger.playable(at.match)
    if current.sequence != at.expected:
        repeat = ledger.repeated(at.match, at.request, asked)
        if repeat:
            return repeat
        current = ledger.at_expected(at.match, at.expected, current)
    kind, actor, _ = asked[0]
    require_room(at.match, current, actor, kind)
    run = ledger.choice_builder(at.match, current, at.request)
    illegal = add(run)
    if illegal is not None:
        return illegal
    run.deal()
    return run.ready()
