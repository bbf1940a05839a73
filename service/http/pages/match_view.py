"""What the page of a match shows: a position with its entry, and all entries in groups, one per turn."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from shiji.record.v1.entry_pb2 import Viewer as ViewerMessage

from records.codec.shape import CorruptEvents
from records.entry import HEADER, MOVE, Entry, EntryKind, MatchHeader, MatchId, actor_of
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.games.state import GameState
from records.ledger.results import NoSuchEntry
from records.replay.fold import MatchSnapshot, retracted_to
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Office, Viewer
from rules.kernel.display import Highlights
from rules.kernel.text import Unreadable
from service.access import Sight, is_over, require_own_match
from service.authorization import Caller
from service.feed import StateTracker
from service.http.pages.board import BoardDrawing, BoardView, board_drawing, board_view
from service.messages import conceals, entry_message, position_of, state_for
from service.requests import match_id, viewer_of
from service.resources import Resources

_ENTRIES_PER_TURN_OF_THE_LOOP: Final = 50
"""Entries that are put into words before other calls have their turn: a few milliseconds of work."""

MAX_LISTED_ENTRIES: Final = 2_000
"""Entries that one page lists; of a longer match, those around the entry that is shown."""


class ListedEntry(Struct, frozen=True):
    """An entry in the list."""

    sequence: int
    text: str
    drawn: bool
    """Whether chance made it, so that it is folded away."""
    taken_back: bool


class TurnGroup(Struct, frozen=True):
    """Consecutive entries of one actor, with the draws among them."""

    who: str
    rows: tuple[ListedEntry, ...]
    draws: tuple[ListedEntry, ...]


class ShownEntryView(Struct, frozen=True):
    """The entry whose position is shown."""

    sequence: int
    text: str
    events: tuple[str, ...]
    """What it caused, in words; nothing while something is hidden from the viewer."""
    recorded: str
    hash: str


class MatchView(Struct, frozen=True):
    """The page of a match, in values."""

    match_id: str
    game: str
    edition: str
    title: str
    seats: tuple[str, ...]
    started: str
    tags: tuple[tuple[str, str], ...]
    viewer: str
    """As the parameter `as` has it."""
    over: bool
    headline: str
    """Who won, or whose turn it is, after the last entry."""
    last: int
    """The sequence of the last entry."""
    copy: bool
    closed: bool
    entry: ShownEntryView
    board: BoardView
    turns: tuple[TurnGroup, ...]


class RenderedMatch(Struct, frozen=True):
    """The page of a match, in values and in drawings."""

    view: MatchView
    drawing: BoardDrawing


def default_viewer(caller: Caller) -> Viewer:
    """As whom a caller looks at a match unless it says something else."""
    return SPECTATOR if caller.seat is None else caller.seat


async def match_page(
    resources: Resources,
    caller: Caller,
    *,
    match_text: str,
    sequence: int | None,
    asked: ViewerMessage | None,
) -> RenderedMatch:
    """The page of a match after an entry, by default the last, as the caller may see it; raises CallError."""
    match = match_id(match_text)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    seen_as = default_viewer(caller) if asked is None else viewer_of(asked, current.header)
    sight = resources.access.looking(caller, match, current, seen_as)
    shown = current.sequence if sequence is None else sequence
    if shown > current.sequence:
        raise NoSuchEntry(match, shown)
    first = next(iter(resources.ledger.read(match, 0, 1)))
    rows = await _rows(resources, sight, match, _window(shown, current.sequence))
    entry, before, after = _shown(resources, match, current, shown)
    visible = state_for(sight, after)
    message = entry_message(sight, before, entry)
    header, about = current.header, find_game(current.header.game).about
    view = MatchView(
        match_id=match,
        game=about.key,
        edition=header.setup.edition,
        title=about.title,
        seats=header.setup.seats,
        started=when(first.recorded),
        tags=header.tags,
        viewer=str(seen_as) if isinstance(seen_as, int) else seen_as.name.lower(),
        over=is_over(current),
        headline=headline(sight, current),
        last=current.sequence,
        copy=current.copy,
        closed=current.guards.closed,
        entry=ShownEntryView(
            shown,
            message.text or "the match begins",
            _events(sight, before, entry),
            when(entry.recorded),
            message.hash.hex(),
        ),
        board=board_view(visible, position_of(sight, after)),
        turns=tuple(_turns(header, rows)),
    )
    label = f"{about.title}, after entry {shown}"
    return RenderedMatch(view, board_drawing(visible, _highlights(sight, before, entry, message.text), label))


def headline(sight: Sight, current: MatchSnapshot) -> str:
    """Who won, or whose turn it is."""
    if current.guards.closed and current.state.outcome() is None:
        return "closed by the arbiter, without a result"
    return state_for(sight, current.state).display.turn()


def when(microseconds: int) -> str:
    """A time to the second, in UTC."""
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def actor_name(header: MatchHeader, actor: Actor) -> str:
    """The name of a seat or office."""
    if isinstance(actor, Office):
        return "the draw" if actor is CHANCE else actor.name.lower()
    return header.setup.seats[actor]


def _window(shown: int, last: int) -> tuple[int, int]:
    """The first sequence and the number of the entries to list."""
    first = max(1, min(shown - MAX_LISTED_ENTRIES // 2, last - MAX_LISTED_ENTRIES + 1))
    return first, MAX_LISTED_ENTRIES


async def _rows(
    resources: Resources, sight: Sight, match: MatchId, window: tuple[int, int]
) -> list[tuple[ListedEntry, Actor]]:
    tracker = StateTracker(resources.ledger)
    found: list[tuple[ListedEntry, Actor]] = []
    entries = list(resources.ledger.read(match, *window))
    gone = _taken_back(entries)
    for number, entry in enumerate(entries):
        if number % _ENTRIES_PER_TURN_OF_THE_LOOP == 0:
            await asyncio.sleep(0)
        actor = actor_of(entry.actor)
        text = tracker.track(entry).message_for(sight).text
        found.append((ListedEntry(entry.sequence, text, actor is CHANCE, entry.sequence in gone), actor))
    return found


def _taken_back(entries: Sequence[Entry]) -> set[int]:
    gone = set[int]()
    for entry in entries:
        if entry.kind == EntryKind.RETRACT:
            gone.update(range(retracted_to(entry) + 1, entry.sequence))
    return gone


def _turns(header: MatchHeader, rows: Sequence[tuple[ListedEntry, Actor]]) -> Iterator[TurnGroup]:
    """Groups that begin whenever somebody else acts; draws stay with the turn in which they came."""
    who, made, drawn = "the draw", list[ListedEntry](), list[ListedEntry]()
    for row, actor in rows:
        name = actor_name(header, actor)
        if not row.drawn and name != who:
            if made or drawn:
                yield TurnGroup(who, tuple(made), tuple(drawn))
            who, made, drawn = name, [], []
        (drawn if row.drawn else made).append(row)
    if made or drawn:
        yield TurnGroup(who, tuple(made), tuple(drawn))


def _shown(
    resources: Resources, match: MatchId, current: MatchSnapshot, sequence: int
) -> tuple[Entry, GameState, GameState]:
    """The entry, with the states before and after it."""
    entry = next(iter(resources.ledger.read(match, sequence, 1)))
    ledger = resources.ledger
    after = current.state if sequence == current.sequence else ledger.state_at(match, sequence)
    before = after if entry.kind == HEADER else ledger.state_at(match, sequence - 1)
    return entry, before, after


def _events(sight: Sight, before: GameState, entry: Entry) -> tuple[str, ...]:
    if entry.kind != MOVE or conceals(sight, before):
        return ()
    try:
        return tuple(event.text for event in before.display.tell(entry.events))
    except CorruptEvents:
        return ()


def _highlights(sight: Sight, before: GameState, entry: Entry, text: str) -> Highlights[Candidate]:
    """The move that led to the position, read from what the viewer sees of it."""
    if entry.kind == MOVE and actor_of(entry.actor) is not CHANCE:
        with suppress(Unreadable):
            return Highlights(last=state_for(sight, before).parse_text(text))
    return Highlights()
