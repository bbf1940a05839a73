"""Judges the entries of sealed choices: what seats chose, opened and revealed, as of when they were asked."""

from dataclasses import dataclass
from typing import Final

from records.audit.move import JudgedMove, other_events
from records.audit.parts import NOT_CANONICAL, other_parts
from records.codec.concealment import (
    RevealedChoice,
    decode_answer,
    decode_choose,
    decode_open_choice,
    decode_reveal,
    encode_answer,
    encode_choose,
    encode_open_choice,
    encode_reveal,
)
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader, MatchId
from records.evidence.concealment import BadPart, parse_choice, parse_opening
from records.games.state import Applied, GameState
from records.replay.choices import (
    Choices,
    OpenedChoice,
    SealedAnswer,
    answer_for_fault,
    choose_fault,
    chooses_in_secret,
    is_complete,
    open_fault,
    opens,
)
from records.replay.concealing import part_hasher
from records.replay.disclosure import conceals, hidden_of, missing_parts
from records.replay.entry_rules import hidden_fault
from records.verdict import BadVerdict, CorruptAt, DivergedAt, IllegalAt
from rules.kernel.actors import Seat

CHOICE_KINDS: Final = frozenset(
    {EntryKind.CHOOSE, EntryKind.OPEN_CHOICE, EntryKind.ANSWER_FOR, EntryKind.REVEAL_CHOICES}
)
"""The kinds of entries that are judged here."""

_NOT_THE_BYTES: Final = "the bytes of the entry are not those that this build writes for it"


@dataclass(frozen=True, slots=True)
class ChoiceContext:
    """What is known of a match before an entry of a sealed choice."""

    header: MatchHeader
    before: GameState
    asked: GameState
    """The state in which the open question was asked; the present one if nobody has answered."""
    choices: Choices
    seed: bytes | None
    """The seed of all sealed orders, if the record reveals it."""


def open_move_fault(header: MatchHeader, before: GameState, actor: int) -> str | None:
    """Why a seat's move may not be open here: it is a sealed choice; None if it may."""
    if header.entry_version == ENTRY_VERSION_1 or not chooses_in_secret(header, before):
        return None
    return "the seat chooses in secret here, and this move is open" if actor >= 0 else None


def missing_reveal(after: GameState, choices: Choices) -> str | None:
    """Why something must be revealed after an entry; None if nothing must."""
    return "all seats have answered, and nothing is revealed with it" if is_complete(after, choices) else None


def judge_choice(entry: Entry, context: ChoiceContext) -> JudgedMove | BadVerdict:
    """Judge an entry; raises CorruptMove, CorruptEvents or CorruptEvidence if it cannot be read."""
    why = hidden_fault(part_hasher(entry.match), entry, hidden_of(entry).parts)
    if why is None and hidden_of(entry).openings:
        why = "the entry opens sealed places, and draws from none"
    if why is not None:
        return CorruptAt(entry.sequence, why)
    try:
        match entry.kind:
            case EntryKind.CHOOSE:
                return _choose(entry, context)
            case EntryKind.OPEN_CHOICE:
                return _open(entry, context)
            case EntryKind.ANSWER_FOR:
                return _answer_for(entry, context)
            case _:
                return _reveal(entry, context)
    except BadPart as fault:
        return CorruptAt(entry.sequence, str(fault))


def _choose(entry: Entry, context: ChoiceContext) -> JudgedMove | BadVerdict:
    before, seat = context.before, Seat(entry.actor)
    if encode_choose(decode_choose(entry.move)) != entry.move:
        return CorruptAt(entry.sequence, _NOT_THE_BYTES)
    why = choose_fault(context.header, before, seat)
    if why is not None:
        return DivergedAt(entry.sequence, why)
    try:
        shown: Applied = before.answered(seat)
    except ValueError as fault:
        return DivergedAt(entry.sequence, str(fault))
    if entry.events != shown.events:
        return other_events(before, entry, shown.events, exact=True) or JudgedMove(shown.after)
    parts = hidden_of(entry).parts
    bad = _illegal(entry, before, seat, parse_choice(parts[0].content)) if parts else None
    return bad or JudgedMove(shown.after, left_out=missing_parts(entry) > 0)


def _open(entry: Entry, context: ChoiceContext) -> JudgedMove | BadVerdict:
    answer = context.choices.of(entry.actor)
    if answer is None or encode_open_choice(decode_open_choice(entry.move)) != entry.move:
        return CorruptAt(entry.sequence, _NOT_THE_BYTES)
    why = open_fault(context.before, context.choices)
    if why is not None:
        return DivergedAt(entry.sequence, why)
    unchanged = JudgedMove(context.before, left_out=missing_parts(entry) > 0)
    parts = hidden_of(entry).parts
    if not parts:
        return unchanged
    opening = parse_opening(parts[0].content)
    if not opens(entry.match, answer, OpenedChoice(opening.salt, opening.move)):
        return CorruptAt(entry.sequence, f"seat {entry.actor} opens another choice than it sealed")
    return _illegal(entry, context.asked, Seat(entry.actor), opening.move) or unchanged


def _answer_for(entry: Entry, context: ChoiceContext) -> JudgedMove | BadVerdict:
    answer = decode_answer(entry.move)
    if encode_answer(answer) != entry.move:
        return CorruptAt(entry.sequence, _NOT_THE_BYTES)
    why = answer_for_fault(context.before, context.choices, answer.seat)
    if why is not None:
        return DivergedAt(entry.sequence, why)
    return _illegal(entry, context.asked, Seat(answer.seat), answer.move) or JudgedMove(context.before)


def _reveal(entry: Entry, context: ChoiceContext) -> JudgedMove | BadVerdict:
    revealed = decode_reveal(entry.move)
    if encode_reveal(revealed) != entry.move:
        return CorruptAt(entry.sequence, _NOT_THE_BYTES)
    asked_seats = {each.seat for each in context.choices.answers} | set(context.before.asked_in_secret())
    if [each.seat for each in revealed] != sorted(asked_seats):
        other = min({each.seat for each in revealed} ^ asked_seats)
        return CorruptAt(
            entry.sequence, f"seat {other} was asked and is not revealed, or the other way round"
        )
    candidates = []
    for each in revealed:
        bad = _sealed_otherwise(entry, context, each) or _illegal(
            entry, context.asked, Seat(each.seat), each.move
        )
        if bad is not None:
            return bad
        candidates.append(context.asked.parse_bytes(Seat(each.seat), each.move))
    hides = conceals(context.header, context.before)
    try:
        applied, shown = context.before.reveal(context.asked, candidates, entry.move, conceals=hides)
    except ValueError as fault:
        return DivergedAt(entry.sequence, str(fault))
    bad = other_parts(context.before, entry, shown, context.seed)
    missing = missing_parts(entry) > 0
    why = "a concealed part is not shown" if missing and context.seed is None else None
    return bad or JudgedMove(applied.after, left_out=missing, unjudged=why)


def _sealed_otherwise(entry: Entry, context: ChoiceContext, revealed: RevealedChoice) -> CorruptAt | None:
    """The verdict on a revealed choice that its seat did not seal, and the arbiter did not make."""
    answer = context.choices.of(revealed.seat)
    if answer is None or answer.sequence != revealed.sequence:
        return CorruptAt(
            entry.sequence, f"the choice of seat {revealed.seat} is not in the entry that is named"
        )
    if _is_answer(entry.match, answer, revealed):
        return None
    return CorruptAt(entry.sequence, f"seat {revealed.seat} sealed another choice than the one revealed")


def _is_answer(match: MatchId, answer: SealedAnswer, revealed: RevealedChoice) -> bool:
    if answer.digest:
        return opens(match, answer, OpenedChoice(revealed.salt, revealed.move))
    return not revealed.salt and revealed.move == answer.move


def _illegal(entry: Entry, asked: GameState, seat: Seat, move: bytes) -> BadVerdict | None:
    """The verdict on an answer that breaks a rule or is not encoded as its edition encodes it."""
    candidate = asked.parse_bytes(seat, move)
    if not asked.is_canonical(candidate):
        return CorruptAt(entry.sequence, NOT_CANONICAL)
    illegal = asked.judge_answer(candidate)
    if illegal is None:
        return None
    return IllegalAt(entry.sequence, asked.write_move(candidate), illegal.violations)
