"""What was asked for with an entry, to recognize a request that is repeated."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from records.entry import MOVE, Entry, EntryKind, actor_number
from records.evidence.concealment import parse_choice
from records.games.candidate import Candidate
from records.replay.disclosure import hidden_of, in_full
from rules.kernel.actors import CHANCE

Told: TypeAlias = tuple[int, int, bytes]
"""Kind, actor and content: what identifies a repeated request."""

_BY_CHANCE: Final = actor_number(CHANCE)
_BY_SERVICE: Final = frozenset({EntryKind.SEAL, EntryKind.UNSEAL, EntryKind.REVEAL_CHOICES})
"""Entries that no caller asks for."""


def told_moves(moves: Sequence[Candidate]) -> list[Told]:
    """What a caller asks for who sends these moves."""
    return [(MOVE, actor_number(each.actor), each.data) for each in moves]


def told_of(entry: Entry) -> Told:
    """What was asked for with an entry, in full: a choice that the service sealed was sent as a move."""
    if entry.kind == EntryKind.CHOOSE:
        parts = hidden_of(entry).parts
        if parts:
            return MOVE, entry.actor, parse_choice(parts[0].content)
        return entry.kind, entry.actor, entry.concealed
    if entry.kind == EntryKind.OPEN_CHOICE:
        return entry.kind, entry.actor, hidden_of(entry).parts[0].content
    return entry.kind, entry.actor, in_full(entry)[0]


def told_by_caller(told: Iterable[Told], *, dealt: bool) -> list[Told]:
    """Without what the service adds by itself: seals, reveals, and draws where it deals."""
    return [
        each for each in told if each[0] not in _BY_SERVICE and not (dealt and each[:2] == (MOVE, _BY_CHANCE))
    ]


def belongs(first: Entry, numbered: tuple[int, Entry]) -> bool:
    """Whether the entry was made by the same request as the first.

    A later request may happen to have the id ID/2, but it was recorded at another time.
    """
    place, entry = numbered
    named = first.request if place == 1 else f"{first.request}/{place}"
    return entry.request == named and entry.recorded == first.recorded
