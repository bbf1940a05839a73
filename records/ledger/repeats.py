"""What was asked for with an entry, to recognize a request that is repeated."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, takewhile
from typing import Final, TypeAlias

from records.entry import CHANCE_NUMBER, MOVE, Entry, EntryKind, MatchId, actor_number
from records.evidence.concealment import parse_choice
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.results import Appended
from records.log.contract import RequestReused
from records.replay.disclosure import hidden_of, in_full
from records.replay.fold import CHANGES, apply_entry

AskedEntry: TypeAlias = tuple[int, int, bytes]
"""Kind, actor and content: what identifies a repeated request."""

ReadMatch: TypeAlias = Callable[[MatchId, int, int], list[Entry]]
"""Reads entries of a match, from a sequence on and up to a maximum number."""

_PAGE_ENTRIES: Final = 64
"""Entries of a record that are read at a time, in search of those of one request."""

_BY_SERVICE: Final = frozenset({EntryKind.SEAL, EntryKind.UNSEAL, EntryKind.REVEAL_CHOICES})
"""Entries that no caller asks for."""


def asked_by_moves(moves: Sequence[Candidate]) -> list[AskedEntry]:
    """What a caller asks for who sends these moves."""
    return [(MOVE, actor_number(each.actor), each.data) for each in moves]


def asked_with(entry: Entry) -> AskedEntry:
    """What was asked for with an entry, in full: a choice that the service sealed was sent as a move."""
    if entry.kind == EntryKind.CHOOSE:
        parts = hidden_of(entry).parts
        if parts:
            return MOVE, entry.actor, parse_choice(parts[0].content)
        return entry.kind, entry.actor, entry.concealed
    if entry.kind == EntryKind.OPEN_CHOICE:
        return entry.kind, entry.actor, hidden_of(entry).parts[0].content
    return entry.kind, entry.actor, in_full(entry)[0]


def asked_by_caller(asked: Iterable[AskedEntry], *, dealt: bool) -> list[AskedEntry]:
    """Without what the service adds by itself: seals, reveals, and draws where it deals."""
    return [
        each
        for each in asked
        if each[0] not in _BY_SERVICE and not (dealt and each[:2] == (MOVE, CHANCE_NUMBER))
    ]


def entries_of_request(first: Entry, read: ReadMatch) -> list[Entry]:
    """The entries that a request stored, of which this is the first.

    Raises RequestReused if the entry was itself stored for another request, whose id its own is derived from.
    """
    if first.actor == CHANCE_NUMBER and _derived(first, read):
        raise RequestReused(first)
    following = zip(count(1), _following(first, read), strict=False)
    return [entry for _, entry in takewhile(partial(_belongs, first), following)]


def _following(first: Entry, read: ReadMatch) -> Iterator[Entry]:
    """The entries from this one on; few requests store many, so that they are read in pages."""
    start = first.sequence
    while page := read(first.match, start, _PAGE_ENTRIES):
        yield from page
        start += len(page)


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
