"""Folds the entries of a record into the state of its match, without judging the moves."""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
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
    ENTRY_VERSION_2,
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
from records.replay.concealing import NOTHING_CONCEALED, part_hasher
from records.replay.disclosure import hidden_of, in_full, missing_parts
from records.replay.entry_rules import entry_fault, hidden_fault, other_version, seats_fault
from records.replay.guards import GuardRejected, Guards, guards_of
from records.replay.notice_counts import NoticeCounts, counted
from records.replay.steps import Steps, at_once
from rules.kernel.actors import Actor
from rules.kernel.edition import UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup

MOST_ENTRIES: Final = 20_000
"""The maximum number of entries of a record, retractions included: far more than any match has."""

_RESERVED_ENTRIES: Final = 500
"""The last entries of a record: more than an arbiter needs to settle what is open."""

MOST_PLAYED_ENTRIES: Final = MOST_ENTRIES - _RESERVED_ENTRIES
"""The maximum number of entries of a record that seats add to. The rest is for the arbiter, and for what the
service draws and reveals: a record that is full for everybody else can be settled, corrected and closed."""

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
        EntryKind.OPEN_CHOICE,
        EntryKind.ANSWER_FOR,
        EntryKind.CLOSE,
    }
)
"""Entries that say something of the record and leave the match as it stands."""

CHANGES: Final = frozenset({EntryKind.MOVE, EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES})
"""Entries whose events change the state of the match."""

_LOOKED_AT_PER_STEP: Final = 512
"""Entries that are looked at in one step in the search for the moves that stand: about half a millisecond."""

_FOLDED_PER_STEP: Final = 8
"""Entries whose events are folded in one step: about half a millisecond in the slowest game."""

# Plain integers, which are quicker to find than members of an enum.
_PLAIN: Final = frozenset({HEADER, MOVE, RETRACT})
_KINDS: Final = frozenset(kind.value for kind in NOTICES | CHANGES) | {HEADER, RETRACT}
_CHOOSE: Final = EntryKind.CHOOSE.value


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
    """A stored record that this build cannot fold because it does not know something in it."""


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """What the header of a record determines."""

    header: MatchHeader
    game: BoundGame
    start: GameState
    guards: Guards


class MatchSnapshot(Struct, frozen=True):
    """A match after an entry of its record."""

    header: MatchHeader
    sequence: int
    hash: bytes
    """The hash of that entry."""
    state: GameState
    guards: Guards
    """The checks for the next entry."""
    lacks_parts: bool = False
    """Whether concealed parts are left out of its entries, so that the state is not known in full."""
    copy: bool = False
    """Whether the archive has the match as a copy, which is only read."""
    asked: GameState | None = None
    """The state in which the sealed question was asked that seats are answering; None if they are not."""
    notices: NoticeCounts = ()
    """The notices that each actor has made."""

    def awaiting(self) -> tuple[Actor, ...]:
        """The actors who must act now, seats among them that have to open a choice."""
        return self.state.awaiting() or self.guards.choices.to_open()


def open_record(first: Entry) -> OpenedRecord:
    """Read a header; raises CorruptRecord, or UnknownEntry for an unknown game, edition, ruling or option."""
    if first.kind != HEADER:
        raise CorruptRecord(first.match, first.sequence, "a record opens with its header")
    version = entry_version(first)
    if version not in {ENTRY_VERSION_1, ENTRY_VERSION_2}:
        raise UnknownEntry(first.match, first.sequence, f"this build does not know entry version {version}")
    try:
        header = decode_header(first.move)
        game = find_game(header.game)
        start = game.start(header.setup)
        opened = OpenedRecord(header, game, start, guards_of(header, first.match, start))
    except (UnknownHeader, UnknownGame, UnknownEdition, UnknownRuling, UnknownOption) as fault:
        raise UnknownEntry(first.match, first.sequence, str(fault)) from fault
    except (CorruptHeader, BadSetup) as fault:
        raise CorruptRecord(first.match, first.sequence, str(fault)) from fault
    if header.entry_version != version:
        raise CorruptRecord(
            first.match,
            first.sequence,
            f"the header is not of entry version {header.entry_version}, as it says",
        )
    why = seats_fault(header)
    if why is not None:
        raise CorruptRecord(first.match, first.sequence, why)
    return opened


def chain_fault(entry: Entry, match: MatchId, sequence: int, previous: bytes) -> str | None:
    """Why an entry cannot be at this place of a record; None if it can."""
    if entry.sequence != sequence:
        return f"entry {entry.sequence} is in the place of entry {sequence}"
    if entry.match != match:
        return f"the entry belongs to match {entry.match}"
    if entry.previous != previous:
        return "the entry does not continue the one before it: the hash chain is broken"
    try:
        right = entry.hash == entry_hash(entry)
    except (ValueError, struct.error) as fault:
        return f"the entry has an impossible value: {fault}"
    return None if right else "the hash does not match the entry: something in it was changed"


def moves_that_stand(entries: Sequence[Entry]) -> list[Entry]:
    """The moves, choices and reveals of a complete record that were not taken back, in order.

    They alone determine the state after the last entry. A retraction returns to the state after an earlier
    entry, which may itself have been taken back, or be a retraction.
    """
    return at_once(_moves_kept(entries))


def _moves_kept(entries: Sequence[Entry]) -> Steps[list[Entry]]:
    if {entry.kind for entry in entries[1:]} <= {MOVE}:  # nearly always, and quicker than the search
        return list(entries[1:])
    moves = []
    at = len(entries) - 1
    for number in count(1):
        if at <= 0:
            break
        entry = entries[at]
        if entry.kind == RETRACT:
            back_to = retracted_to(entry)
            if back_to >= at:  # an entry of a forged record may have any sequence
                raise _not_earlier(entry, back_to)
            at = back_to
        elif entry.kind in CHANGES:
            moves.append(entry)
            at -= 1
        elif entry.kind in NOTICES:
            at -= 1
        else:
            raise unknown_kind(entry)
        if number % _LOOKED_AT_PER_STEP == 0:
            yield
    return moves[::-1]


def retracted_to(entry: Entry) -> int:
    """The sequence that a retraction returns to; raises CorruptRecord."""
    try:
        to_sequence = decode_retraction(entry.move).to_sequence
    except CorruptRetraction as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
    if to_sequence >= entry.sequence:
        raise _not_earlier(entry, to_sequence)
    return to_sequence


def _not_earlier(entry: Entry, to_sequence: int) -> CorruptRecord:
    message = f"it goes back to entry {to_sequence}, which is not earlier"
    return CorruptRecord(entry.match, entry.sequence, message)


def unknown_kind(entry: Entry) -> BadRecord:
    """The fault of an entry that is not a move, a retraction or a known notice."""
    if entry.kind == HEADER:
        return CorruptRecord(entry.match, entry.sequence, "only the first entry can be a header")
    return UnknownEntry(entry.match, entry.sequence, f"this build does not know entries of kind {entry.kind}")


def rebuild(entries: Sequence[Entry]) -> MatchSnapshot:
    """The match after the last entry of a complete record; raises BadRecord."""
    return at_once(rebuilding([entries]))


def rebuilding(pages: Iterable[Sequence[Entry]]) -> Steps[MatchSnapshot]:
    """As rebuild(), in steps, of a record that is read in pages, of which there is at least one."""
    following = iter(pages)
    entries = list(next(following))
    check_links(entries, entries[0].match, 0, GENESIS)
    opened = open_record(entries[0])
    lacks_parts = check_parts(opened.header, entries)
    guards, notices = _guards_after(opened.guards, entries), counted((), entries)
    yield
    for page in following:
        check_links(page, entries[0].match, len(entries), entries[-1].hash)
        lacks_parts = check_parts(opened.header, page) or lacks_parts
        guards, notices = _guards_after(guards, page), counted(notices, page)
        entries += page
        yield
    state, asked = opened.start, None
    moves = yield from _moves_kept(entries)
    for first in range(0, len(moves), _FOLDED_PER_STEP):
        for entry in moves[first : first + _FOLDED_PER_STEP]:
            if entry.kind != MOVE:
                asked = _asked_after(asked, state, entry)
            state = apply_entry(state, entry)
        yield
    last = entries[-1]
    return MatchSnapshot(
        opened.header, last.sequence, last.hash, state, guards, lacks_parts, asked=asked, notices=notices
    )


def _asked_after(asked: GameState | None, before: GameState, entry: Entry) -> GameState | None:
    """The state in which the sealed question was asked that is open after a choice or a reveal."""
    return asked or before if entry.kind == EntryKind.CHOOSE else None


def advance(
    current: MatchSnapshot, entries: Sequence[Entry], state_after: Callable[[int], GameState]
) -> MatchSnapshot:
    """The match after further entries; raises BadRecord.

    The function returns the state after an earlier entry of the record, which a retraction may return to.
    """
    if not entries:
        return current
    check_links(entries, entries[0].match, current.sequence + 1, current.hash)
    lacks_parts = check_parts(current.header, entries) or current.lacks_parts
    guards, last = _guards_after(current.guards, entries), entries[-1]
    state, asked, following = current.state, current.asked, entries
    retractions = [place for place, entry in enumerate(entries) if entry.kind == RETRACT]
    if retractions:
        place = retractions[-1]
        state, following = state_after(retracted_to(entries[place])), entries[place + 1 :]
    for entry in following:
        if entry.kind in CHANGES:
            asked = asked if entry.kind == MOVE else _asked_after(asked, state, entry)
            state = apply_entry(state, entry)
    if retractions:
        choices = guards.choices
        asked = state_after(choices.first - 1) if choices.answers else None
    return MatchSnapshot(
        current.header,
        last.sequence,
        last.hash,
        state,
        guards,
        lacks_parts,
        copy=current.copy,
        asked=asked,
        notices=counted(current.notices, entries),
    )


def check_parts(header: MatchHeader, entries: Iterable[Entry]) -> bool:
    """Whether entries lack concealed parts; raises CorruptRecord if those that they have are wrong."""
    lacking, is_old = False, header.entry_version == ENTRY_VERSION_1
    sound = set[tuple[int, int, bool]]()  # all that matters of an entry that conceals nothing
    for entry in entries:
        if is_old and not entry.concealed:
            if entry.kind >= _CHOOSE:
                raise unknown_kind(entry)
            continue
        conceals = entry.secret or entry.concealed != NOTHING_CONCEALED
        marks = (entry.kind, entry.actor, bool(entry.events))
        if marks in sound and not conceals:
            continue
        if entry_version(entry) != header.entry_version:
            raise CorruptRecord(entry.match, entry.sequence, other_version(header, entry))
        try:
            why = entry_fault(header, entry)
            if why is None and conceals:
                why = hidden_fault(part_hasher(entry.match), entry, hidden_of(entry).parts)
                lacking = lacking or missing_parts(entry) > 0
        except CorruptEvidence as fault:
            why = str(fault)
        if why is not None:
            raise CorruptRecord(entry.match, entry.sequence, why)
        if not conceals:
            sound.add(marks)
    return lacking


def states_before(start: GameState, entries: Sequence[Entry]) -> list[GameState]:
    """The state before each entry of a record, as far as it is shown; raises BadRecord."""
    after = [start]
    for entry in entries[1:]:
        if entry.kind == RETRACT:
            after.append(after[retracted_to(entry)])
        elif entry.kind in CHANGES:
            after.append(apply_entry(after[-1], entry))
        else:
            after.append(after[-1])
    return [start, *after[:-1]]


def need_guards(entries: Iterable[Entry]) -> bool:
    """Whether an entry has something that the hash chain alone does not prove."""
    for entry in entries:  # quicker than any() of a generator
        if entry.kind not in _PLAIN or entry.signature or (entry.secret and not entry.concealed):
            return True
    return False


def _guards_after(guards: Guards, entries: Sequence[Entry]) -> Guards:
    """The guards after these entries; raises CorruptRecord."""
    if guards.idle and not need_guards(entries):
        return guards
    for entry in entries:
        try:
            guards = guards.after(entry)
        except GuardRejected as fault:
            raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
    return guards


def check_links(entries: Iterable[Entry], match: MatchId, sequence: int, previous: bytes) -> None:
    """Raises BadRecord for the first entry that does not continue a record from this sequence on."""
    for number, entry in enumerate(entries, start=sequence):
        why = chain_fault(entry, match, number, previous)
        if why is not None:
            raise CorruptRecord(match, number, why)
        if entry.kind not in _KINDS:
            raise unknown_kind(entry)
        previous = entry.hash


def apply_entry(state: GameState, entry: Entry) -> GameState:
    """The state after a move, by its recorded events; raises BadRecord."""
    try:
        return state.fold(in_full(entry)[1] if entry.secret else entry.events)
    except UnknownEvents as fault:
        raise UnknownEntry(entry.match, entry.sequence, str(fault)) from fault
    except (CorruptEvents, CorruptEvidence) as fault:
        raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
