"""Mutants in which a seat has chosen something else in secret than it did."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, takewhile

from msgspec import structs

from records.codec.concealment import (
    AnswerFor,
    Hidden,
    RevealedChoice,
    decode_answer,
    decode_reveal,
    encode_answer,
    encode_hidden,
    encode_reveal,
)
from records.entry import Entry, EntryKind, MatchHeader
from records.evidence.concealment import (
    format_concealed,
    opening_content,
    parse_concealed,
    parse_opening,
)
from records.games.state import GameState
from records.replay.disclosure import conceals, hidden_of, public_digest
from records.replay.fold import open_record, states_before
from rules.kernel.actors import Seat
from tests.tools.forging import LOOKED_AT, recommitted, saying

OPENED_SO = 0.5
"""How often the seat also opens what it is said to have chosen, or the arbiter answers so."""
BEFORE_A_QUESTION = {EntryKind.HEADER, EntryKind.MOVE, EntryKind.REVEAL_CHOICES, EntryKind.RETRACT}


def is_revealed(entries: Sequence[Entry]) -> bool:
    """Whether the record reveals what somebody chose in secret."""
    return any(entry.kind == EntryKind.REVEAL_CHOICES for entry in entries)


def with_other_choice(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with another choice revealed, and what it causes, perhaps without what follows; not chained.

    An answer of the arbiter is forged only where it is signed: elsewhere that is the record of another match.
    """
    opened = open_record(entries[0])
    header, before = opened.header, states_before(opened.start, entries)
    reveal = dice.choice([entry for entry in entries if entry.kind == EntryKind.REVEAL_CHOICES])
    earlier = reversed(entries[: reveal.sequence])
    question = list(takewhile(lambda entry: entry.kind not in BEFORE_A_QUESTION, earlier))
    asked = before[min(entry.sequence for entry in question if entry.kind == EntryKind.CHOOSE)]
    revealed = list(decode_reveal(reveal.move))
    at = dice.randrange(len(revealed))
    seat = Seat(revealed[at].seat)
    legal = [move.data for move in islice(asked.legal_moves(seat), LOOKED_AT)]
    revealed[at] = replace(revealed[at], move=dice.choice(legal))
    changed = list(entries)
    changed[reveal.sequence] = revealing(header, before[reveal.sequence], asked, reveal, revealed)
    if dice.random() < OPENED_SO:
        for entry in question:
            changed[entry.sequence] = with_other_answer(header, entry, seat, revealed[at].move)
    return changed if dice.random() < 0.4 else changed[: reveal.sequence + 1]


def revealing(
    header: MatchHeader,
    before: GameState,
    asked: GameState,
    reveal: Entry,
    revealed: Sequence[RevealedChoice],
) -> Entry:
    """The entry with these choices, with what they cause and the digest of where that leads to."""
    move = encode_reveal(tuple(revealed))
    answers = [asked.parse_bytes(Seat(each.seat), each.move) for each in revealed]
    applied, shown = before.reveal(asked, answers, move, conceals=conceals(header, before))
    return structs.replace(saying(header, reveal, shown), state=public_digest(header, applied.after))


def with_other_answer(header: MatchHeader, entry: Entry, seat: Seat, move: bytes) -> Entry:
    """The entry, if it opens the choice of the seat or answers for it, with another one."""
    if entry.kind == EntryKind.ANSWER_FOR and header.keys and decode_answer(entry.move).seat == seat:
        return structs.replace(entry, move=encode_answer(AnswerFor(seat, move)))
    if entry.kind != EntryKind.OPEN_CHOICE or entry.actor != seat:
        return entry
    parts = tuple(
        structs.replace(part, content=opening_content(parse_opening(part.content).salt, move))
        for part in hidden_of(entry).parts
    )
    concealed = format_concealed(recommitted(entry, parse_concealed(entry.concealed), parts))
    return structs.replace(entry, concealed=concealed, secret=encode_hidden(Hidden(parts)) if parts else b"")
