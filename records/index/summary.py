"""From a record to what the index says of its match, in the form that everybody may see."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import structs

from records.codec.header import CorruptHeader, decode_header
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import (
    ENTRY_VERSION_1,
    HEADER,
    MOVE,
    Entry,
    MatchHeader,
    MatchId,
    actor_number,
    actor_of,
)
from records.games.state import GameState, has_secrets
from records.index.values import IndexedMatch, PlayState, words_in
from records.log.contract import Log, LogUnavailable, LogUnreadable
from records.log.listing import MatchListing
from records.replay.fold import BadRecord, MatchSnapshot, open_record, rebuild, states_before
from records.replay.wording import actor_name, describe_entry
from records.verdict import winners_of
from rules.kernel.actors import SPECTATOR

CurrentMatch: TypeAlias = Callable[[MatchId], MatchSnapshot]
"""Returns a match after its last entry; raises BadRecord or LogFault."""

_UNREADABLE: Final = (BadRecord, CorruptMove, CorruptEvents, ValueError)


class EntryWords(NamedTuple):
    """An entry in words that everybody may read, as a row of the index."""

    number: int
    sequence: int
    position: int
    kind: int
    actor: str
    move: str
    events: str
    recorded: int


def folded_match(log: Log, match: MatchId) -> MatchSnapshot:
    """A match after its last entry, folded from its record; raises BadRecord or LogFault."""
    entries = list(log.read(match))
    if not entries:
        raise LogUnreadable(f"match {match} has no entries")
    return structs.replace(rebuild(entries), copy=log.is_copy(match))


def opened(listing: MatchListing, first: Entry | None) -> IndexedMatch:
    """The row of a match of which only the header is known; `first` is None if that cannot be read."""
    header: MatchHeader | None = None
    if first is not None and first.kind == HEADER:
        try:
            header = decode_header(first.move)
        except CorruptHeader:
            header = None
    tags = () if header is None else header.tags
    return IndexedMatch(
        listing.number,
        listing.match,
        listing.game,
        listing.edition,
        listing.seats,
        listing.started,
        b"" if header is None or first is None else first.move,
        tags,
        f" {' '.join(words_in([*listing.seats, *(value for _, value in tags)]))} ",
        listing.copy,
    )


def refreshed(row: IndexedMatch, log: Log, current: CurrentMatch) -> IndexedMatch:
    """The row as of the last entry of the match; raises LogUnavailable."""
    try:
        snapshot = current(row.match)
        last = next(iter(log.read(row.match, snapshot.sequence, 1)))
    except LogUnavailable:
        raise
    except (BadRecord, LogUnreadable) as fault:
        return structs.replace(row, state=PlayState.DAMAGED, stale=False, damage=str(fault))
    state = snapshot.state
    outcome = state.outcome()
    closed = snapshot.guards.closed
    over = outcome is not None or closed
    return structs.replace(
        row,
        copy=snapshot.copy,
        state=PlayState.OVER if over else PlayState.OPEN,
        stale=False,
        sequence=snapshot.sequence,
        active=last.recorded,
        closed=closed,
        awaiting=() if closed else tuple(map(actor_number, snapshot.awaiting())),
        turn=_public(snapshot.header, state).display.turn(),
        outcome=b"" if outcome is None else msgspec.json.encode(outcome),
        winners=winners_of(row.seats, outcome),
        damage="",
    )


def entry_words(number: int, entries: Sequence[Entry], start: int) -> list[EntryWords]:
    """The entries of a complete record from a sequence on, in words, without what is hidden from spectators.

    An entry that cannot be read has no words.
    """
    try:
        opened_record = open_record(entries[0])
        before: list[GameState | None] = [*states_before(opened_record.start, entries)]
        header = opened_record.header
    except BadRecord:
        return [_worded(number, entry, None, None) for entry in entries[start:]]
    return [
        _worded(number, entry, header, state)
        for entry, state in zip(entries[start:], before[start:], strict=True)
    ]


def _worded(number: int, entry: Entry, header: MatchHeader | None, before: GameState | None) -> EntryWords:
    actor = move = events = ""
    if header is not None and before is not None:
        try:
            actor = actor_name(header, actor_of(entry.actor))
            if entry.kind != HEADER:
                move, events = _public_words(header, before, entry)
        except _UNREADABLE:
            move = events = ""
    return EntryWords(number, entry.sequence, entry.position, entry.kind, actor, move, events, entry.recorded)


def _public_words(header: MatchHeader, before: GameState, entry: Entry) -> tuple[str, str]:
    """The move and the events of an entry as a spectator sees them."""
    if entry.kind != MOVE:
        text, events = describe_entry(header, before, entry), entry.events
    else:
        candidate = before.parse_bytes(actor_of(entry.actor), entry.move)
        events = entry.events
        if _in_clear(header, before):
            candidate, events = before.seen_move(candidate, SPECTATOR), before.seen_events(events, SPECTATOR)
        text = _public(header, before).write_move(candidate)
    texts = _public(header, before).display.describe(events) if events else ()
    return text, "; ".join(each.text for each in texts)


def _in_clear(header: MatchHeader, state: GameState) -> bool:
    """Whether entries have hidden hands in what is hashed, instead of in concealed parts."""
    return header.entry_version == ENTRY_VERSION_1 and not header.pledge and has_secrets(header, state)


def _public(header: MatchHeader, state: GameState) -> GameState:
    return state.view(SPECTATOR) if has_secrets(header, state) else state
