"""What was asked for with an entry, to recognize a request that is repeated."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, takewhile
from typing import Final, TypeAlias

from records.entry import MOVE, Entry, EntryKind, MatchId, actor_number
from records.evidence.concealment import parse_choice
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.results import Appended
from records.log.contract import RequestReused
from records.replay.disclosure import hidden_of, in_full
from records.replay.fold import CHANGES, apply_entry
from rules.kernel.actors import CHANCE

Told: TypeAlias = tuple[int, int, bytes]
"""Kind, actor and content: what identifies a repeated request."""

ReadMatch: TypeAlias = Callable[[MatchId, int, int | None], list[Entry]]
"""Reads entries of a match, from a sequence on and up to a maximum number, if one is given."""

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


def entries_of_request(first: Entry, read: ReadMatch) -> list[Entry]:
    """The entries that a request stored, of which this is the first.

    Raises RequestReused if the entry was itself stored for another request, whose id its own is derived from.
    """
    if first.actor == _BY_CHANCE and _derived(first, read):
        raise RequestReused(first)
    following = zip(count(1), read(first.match, first.sequence, None), strict=False)
    return [entry for _, entry in takewhile(partial(_belongs, first), following)]


def _derived(entry: Entry, read: ReadMatch) -> bool:
    base, _, place = entry.request.rpartition("/")
    if not (base and place.isdecimal() and 1 < int(place) <= entry.sequence + 1):
        return False
    first = read(entry.match, entry.sequence - int(place) + 1, 1)[0]
    return (first.request, first.recorded) == (base, entry.recorded)


def _belongs(first: Entry, numbered: tuple[int, Entry]) -> bool:
    """Whether the entry was made by the same request as the first.

    A later request may happen to have the id ID/2, but it was recorded at another time.
    """
    place, entry = numbered
    named = first.request if place == 1 else f"{first.request}/{place}"
    return entry.request == named and entry.recorded == first.recorded


def with_states(entries: Iterable[Entry], state_at: Callable[[int], GameState]) -> Iterator[Appended]:
    """Entries that were stored before, with the states after them."""
    state: GameState | None = None
    for entry in entries:
        if state is not None and entry.kind in CHANGES:
            state = apply_entry(state, entry)
        else:
            state = state_at(entry.sequence)
        yield Appended(entry, state)
