"""Entries folded into how their match stands, without judging a move."""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from records.codec.evidence import CorruptEvidence
from records.codec.header import (
    CorruptHeader,
    CorruptRetraction,
    UnknownHeader,
    decode_header,
    decode_retraction,
)
from records.codec.shape import CorruptEvents, UnknownEvents
from records.entry import (
    ENTRY_VERSION_1,
    GENESIS,
    HEADER,
    MOVE,
    RETRACT,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    entry_hash,
    entry_version,
)
from records.games.bound import BoundGame
from records.games.registry import UnknownGame, find_game
from records.games.state import GameState
from records.replay.guards import GuardRejected, Guards, guards_of
from records.replay.sealed_draws import in_full
from rules.kernel.edition import UnknownEdition, UnknownRuling
from rules.kernel.setup import BadSetup

MOST_ENTRIES: Final = 20_000
"""No record goes on after so many entries, retractions included."""

NOTICES: Final = frozenset(
    {
        EntryKind.ROTATE_KEY,
        EntryKind.SEAL,
        EntryKind.REVEAL_SHARE,
        EntryKind.UNSEAL,
        EntryKind.OPEN_DISPUTE,
        EntryKind.RESOLVE_DISPUTE,
        EntryKind.REQUEST_TAKEBACK,
        EntryKind.GRANT_TAKEBACK,
        EntryKind.COMMIT_SHARE,
    }
)
"""Entries that say something of the record and leave the match as it stands."""

_KINDS: Final = NOTICES | {EntryKind.HEADER, EntryKind.MOVE, EntryKind.RETRACT}


class BadRecord(Exception):
    """A stored record that cannot be folded."""

    def __init__(self, match: MatchId, sequence: int, why: str) -> None:
        super().__init__(f"entry {sequence} of match {match}: {why}")
        self.match = match
        self.sequence = sequence
        self.why = why


class CorruptRecord(BadRecord):
    """A stored record that is damaged."""


class UnknownEntry(BadRecord):
    """A stored record that has something which this build does not know: it stops here and skips nothing."""


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """A record of which the header has been read."""

    header: MatchHeader
    game: BoundGame
    start: GameState
    guards: Guards


class MatchSnapshot(Struct, frozen=True):
    """How a match stands after an entry of its record."""

    header: MatchHeader
    sequence: int
    hash: bytes
    """Of that entry."""
    state: GameState
    guards: Guards
    """What vouches for the next entry."""


def open_record(first: Entry) -> OpenedRecord:
    """What a header settles; raises CorruptRecord, or UnknownEntry for a game, an edition or a ruling."""
    if first.kind != HEADER:
        raise CorruptRecord(first.match, first.sequence, "a record opens with its header")
    if entry_version(first) != ENTRY_VERSION_1:
        raise UnknownEntry(first.match, first.sequence, "this build judges no match of entry version 2")
    try:
        header = decode_header(first.move)
        game = find_game(header.game)
        start = game.start(header.setup)
        opened = OpenedRecord(header, game, start, guards_of(header, first.match, start))
    except (UnknownHeader, UnknownGame, UnknownEdition, UnknownRuling) as fault:
        raise UnknownEntry(first.match, first.sequence, str(fault)) from fault
    except (CorruptHeader, BadSetup) as fault:
        raise CorruptRecord(first.match, first.sequence, str(fault)) from fault
    if header.entry_version != entry_version(first):
        raise CorruptRecord(
            first.match,
            first.sequence,
            f"the header is not of entry version {header.entry_version}, as it says",
        )
    return opened


def chain_fault(entry: Entry, match: MatchId, sequence: int, previous: bytes) -> str | None:
    """Why an entry is not the one that stands at this place of a record; None where it is."""
    if entry.sequence != sequence:
        return f"entry {entry.sequence} stands where entry {sequence} should"
    if entry.match != match:
        return f"the entry belongs to match {entry.match}"
    if entry.concealed:
        return "the entry has concealed parts, which no entry of version 1 has"
    if entry.previous != previous:
        return "the entry does not follow on the one before: the chain of hashes is broken"
    try:
        right = entry.hash == entry_hash(entry)
    except (ValueError, struct.error) as fault:
        return f"the entry has a value that no entry can have: {fault}"
    return None if right else "the hash is not that of the entry: something in it was changed"


def moves_that_stand(entries: Sequence[Entry]) -> list[Entry]:
    """Of a whole record, the moves that no retraction has taken back, in order.

    Only they lead to how the match stands after its last entry: a retraction goes back to how it stood
    after another entry, which may be one that was itself taken back, or a retraction.
    """
    state = []
    at = len(entries) - 1
    while at > 0:
        entry = entries[at]
        if entry.kind == RETRACT:
            at = retracted_to(entry)
        elif entry.kind == MOVE:
            state.append(entry)
            at -= 1
        elif entry.kind in NOTICES:
            at -= 1
        else:
            raise unknown_kind(entry)
    return state[::-1]


def retracted_to(entry: Entry) -> int:
    """The last sequence that a retraction leaves standing."""
    try:
        to_sequence = decode_retraction(entry.move).to_sequence
    except CorruptRetraction as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
    if to_sequence >= entry.sequence:
        raise CorruptRecord(
            entry.match, entry.sequence, f"it goes back to entry {to_sequence}, which is later"
        )
    return to_sequence


def unknown_kind(entry: Entry) -> BadRecord:
    """What is wrong with an entry that is neither a move nor a retraction."""
    if entry.kind == HEADER:
        return CorruptRecord(
            entry.match, entry.sequence, "a header stands where only the first entry can be one"
        )
    return UnknownEntry(entry.match, entry.sequence, f"this build knows no entry of kind {entry.kind}")


def rebuild(entries: Sequence[Entry]) -> MatchSnapshot:
    """How a match stands after the last entry of a whole record; raises BadRecord."""
    first = entries[0]
    _check_links(entries, first.match, 0, GENESIS)
    opened = open_record(first)
    state = opened.start
    for entry in moves_that_stand(entries):
        state = apply_entry(state, entry)
    last = entries[-1]
    guards = _vouched(opened.guards, entries)
    return MatchSnapshot(opened.header, last.sequence, last.hash, state, guards)


def advance(current: MatchSnapshot, entries: Sequence[Entry]) -> MatchSnapshot | None:
    """How a match stands after the entries that follow; None where that takes the whole record.

    A retraction may go back to any entry, so only the whole record tells what it leaves standing.
    """
    if not entries:
        return current
    _check_links(entries, entries[0].match, current.sequence + 1, current.hash)
    state = current.state
    for entry in entries:
        if entry.kind == RETRACT:
            return None
        if entry.kind == MOVE:
            state = apply_entry(state, entry)
        elif entry.kind not in NOTICES:
            raise unknown_kind(entry)
    guards = _vouched(current.guards, entries)
    return MatchSnapshot(current.header, entries[-1].sequence, entries[-1].hash, state, guards)


def needs_vouching(entry: Entry) -> bool:
    """Whether the entry has something that hashes alone do not vouch for."""
    return bool(entry.signature or entry.secret) or entry.kind in NOTICES


def _vouched(guards: Guards, entries: Sequence[Entry]) -> Guards:
    """What vouches for the entry behind these."""
    if guards.idle and not any(map(needs_vouching, entries)):
        return guards
    for entry in entries:
        try:
            guards = guards.after(entry)
        except GuardRejected as fault:
            raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
    return guards


def _check_links(entries: Iterable[Entry], match: MatchId, sequence: int, previous: bytes) -> None:
    for number, entry in enumerate(entries, start=sequence):
        why = chain_fault(entry, match, number, previous)
        if why is not None:
            raise CorruptRecord(match, number, why)
        if entry.kind not in _KINDS:
            raise unknown_kind(entry)
        previous = entry.hash


def apply_entry(state: GameState, entry: Entry) -> GameState:
    """How the match stands after a move; raises BadRecord."""
    try:
        return state.fold(in_full(entry)[1])
    except UnknownEvents as fault:
        raise UnknownEntry(entry.match, entry.sequence, str(fault)) from fault
    except (CorruptEvents, CorruptEvidence) as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
