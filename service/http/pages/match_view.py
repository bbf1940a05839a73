"""What the page of a match shows: a position with its entry, and all entries in groups, one per turn."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Final

from msgspec import Struct

from records.codec.shape import CorruptEvents
from records.entry import HEADER, MOVE, Entry, EntryKind, MatchHeader, MatchId, actor_of
from records.files.comments import entry_comments, readable_tags
from records.games.candidate import Candidate
from records.games.headline import headline
from records.games.registry import find_game, is_plugin
from records.games.state import GameState
from records.index.values import LastAudit
from records.replay.fold import MatchSnapshot, retracted_to
from records.replay.transcript_numbers import number_words, shifts, transcript_numbers
from records.replay.wording import explain_entry
from records.verdict import named_scores
from rules.kernel.actors import CHANCE, Actor, Office
from rules.kernel.display import Highlights
from rules.kernel.text import Unreadable
from service.authorization import Caller
from service.feed import StateTracker
from service.http.pages.board import BoardDrawing, BoardView, board_drawing, board_view
from service.http.pages.entry_texts import EntryTexts
from service.http.pages.match_request import MatchRequest
from service.http.pages.play_view import PlayView
from service.loop_share import StreamThrottle
from service.messages import Viewpoint, conceals, entry_message, is_over, state_for
from service.resources import Resources
from service.state_messages import position_of

_ENTRIES_PER_READ: Final = 200
"""Entries of the list that are read from the archive at a time: about a millisecond."""

MAX_LISTED_ENTRIES: Final = 2_000
"""Entries that one page lists; of a longer match, those around the entry that is shown."""


class ListedEntry(Struct, frozen=True):
    """An entry in the list."""

    sequence: int
    transcript: str
    """Its number in the transcript, in words, if that is another."""
    shifts: bool
    """Whether it is the first since the transcript counts differently."""
    text: str
    drawn: bool
    """Whether chance made it, so that it is folded away."""
    taken_back: bool
    fault: str = ""
    """What the last audit found wrong with it, in one word."""
    comment: str = ""
    """What the transcript said of it that the match was imported from."""


class TurnGroup(Struct, frozen=True):
    """Consecutive entries of one actor, with the draws among them."""

    who: str
    rows: tuple[ListedEntry, ...]
    draws: tuple[ListedEntry, ...]


class ShownEntryView(Struct, frozen=True):
    """The entry whose position is shown."""

    sequence: int
    transcript: str
    """Its number in the transcript, in words, if that is another."""
    text: str
    comment: str
    """What the transcript said of it that the match was imported from."""
    explanation: str
    """The names of the cards that the move chooses and what they do, where its text has only their ids."""
    events: tuple[str, ...]
    """What it caused, in words; nothing while something is hidden from the viewer."""
    recorded: str
    hash: str


class AuditView(Struct, frozen=True):
    """The last audit of the match."""

    word: str
    """verified, as-shown, illegal, diverged or corrupt."""
    sentence: str
    entries: int
    """The last entry that it covered."""
    first_bad: int | None
    time: str


class MatchView(Struct, frozen=True):
    """The page of a match, in values."""

    match_id: str
    game: str
    edition: str
    title: str
    seats: tuple[str, ...]
    started: str
    tags: tuple[tuple[str, str], ...]
    """Comments that are on no entry are among them, each named for its place."""
    viewer: str
    """As the parameter `as` has it."""
    over: bool
    headline: str
    """Who won, or whose turn it is, after the last entry."""
    last: int
    """The sequence of the last entry."""
    copy: bool
    closed: bool
    audit: AuditView | None
    """None if it was never audited, or the viewer may not ask for that."""
    entry: ShownEntryView
    board: BoardView
    turns: tuple[TurnGroup, ...]
    play: PlayView
    whole: bool
    """Whether the caller may see all of every entry, as a bundle shows it."""
    logged: bool
    """Whether a bundle has the proof of a log, as this server signs one."""
    pages: bool
    """Whether this server makes pages to download."""
    plugin: bool
    """Whether the game comes from another distribution, so that no browser has its rules."""


class RenderedMatch(Struct, frozen=True):
    """The page of a match, in values and in drawings."""

    view: MatchView
    drawing: BoardDrawing


async def match_page(
    resources: Resources, caller: Caller, texts: EntryTexts, wanted: MatchRequest
) -> RenderedMatch:
    """The page; nothing in it depends on more than the request. The caller only pays for making it."""
    match, current, viewpoint, shown = wanted.match, wanted.current, wanted.viewpoint, wanted.shown
    first = await resources.off_loop(lambda: next(iter(resources.ledger.read(match, 0, 1))))
    throttle = resources.throttle(caller)
    entries = await _listed(resources, throttle, match, _window(shown, current.sequence))
    # Parts that a copy lacks may come later, and change what was said of an entry.
    kept = EntryTexts() if current.lacks_parts else texts
    words = await _texts(resources, throttle, kept, viewpoint, entries)
    await asyncio.sleep(0)  # thousands of rows take milliseconds each time that one goes through them
    comments = entry_comments(current.header.tags)
    rows = await _rows(resources, wanted, entries, words, comments)
    await asyncio.sleep(0)
    turns = tuple(_turns(current.header, rows))
    await asyncio.sleep(0)
    entry, before, after = await resources.off_loop(partial(_shown, resources, match, current, shown))
    visible = state_for(viewpoint, after)
    message = entry_message(viewpoint, before, entry)
    move = drawn_move(viewpoint, before, entry, message.text)
    header, about = current.header, find_game(current.header.game).about
    view = MatchView(
        match_id=match,
        game=about.key,
        edition=header.setup.edition,
        title=about.title,
        seats=header.setup.seats,
        started=when(first.recorded),
        tags=tuple(readable_tags(header.tags, without=range(1, current.sequence + 1)).items()),
        viewer=str(wanted.seen_as) if isinstance(wanted.seen_as, int) else wanted.seen_as.name.lower(),
        over=is_over(current),
        headline=_headline(viewpoint, current),
        last=current.sequence,
        copy=current.copy,
        closed=current.guards.closed,
        audit=None if wanted.audited is None else _audit(wanted.audited),
        entry=ShownEntryView(
            shown,
            next((row.transcript for row, _ in rows if row.sequence == shown), ""),
            message.text or "the match begins",
            comments.get(shown, ""),
            _explanation(viewpoint, before, entry, move),
            _events(viewpoint, before, entry),
            when(entry.recorded),
            message.hash.hex(),
        ),
        board=board_view(visible, position_of(viewpoint, after)),
        turns=turns,
        play=wanted.play,
        whole=wanted.whole,
        logged=resources.log_key is not None,
        pages=resources.page_of is not None,
        plugin=is_plugin(about.key),
    )
    label, highlights = f"{about.title}, after entry {shown}", Highlights(last=move)
    to_play = view.play.awaited and shown == current.sequence
    return RenderedMatch(view, board_drawing(visible, highlights, label, to_play=to_play))


def _headline(viewpoint: Viewpoint, current: MatchSnapshot) -> str:
    """Who won, or whose turn it is."""
    outcome = current.state.outcome()
    if current.guards.closed and outcome is None:
        return "closed by the arbiter, without a result"
    scores = () if outcome is None else named_scores(current.header.setup.seats, outcome)
    turn = state_for(viewpoint, current.state).display.turn()
    return headline(turn, ((name, score.points) for name, score in scores))


def _audit(last: LastAudit) -> AuditView:
    where = "" if last.first_bad is None else f" at entry {last.first_bad}"
    return AuditView(
        last.verdict.word,
        f"The last audit found it {last.verdict.word}{where}",
        last.sequence,
        last.first_bad,
        when(last.time),
    )


def when(microseconds: int) -> str:
    """A time to the second, in UTC."""
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def actor_name(header: MatchHeader, actor: Actor) -> str:
    """The name of a seat or office."""
    if isinstance(actor, Office):
        return "the draw" if actor is CHANCE else actor.name.lower()
    return header.setup.seats[actor]


def _window(shown: int, last: int) -> range:
    """The sequences of the entries to list."""
    first = max(1, min(shown - MAX_LISTED_ENTRIES // 2, last - MAX_LISTED_ENTRIES + 1))
    return range(first, min(first + MAX_LISTED_ENTRIES, last + 1))


async def _listed(
    resources: Resources, throttle: StreamThrottle, match: MatchId, window: range
) -> list[Entry]:
    found = list[Entry]()
    for at in range(window.start, window.stop, _ENTRIES_PER_READ):
        limit = min(_ENTRIES_PER_READ, window.stop - at)
        found += await throttle.do(partial(_read, resources, match, at, limit))
        await throttle.rest_when_due()
    return found


def _read(resources: Resources, match: MatchId, start: int, limit: int) -> list[Entry]:
    return list(resources.ledger.read(match, start, limit))


async def _texts(
    resources: Resources,
    throttle: StreamThrottle,
    kept: EntryTexts,
    viewpoint: Viewpoint,
    entries: Sequence[Entry],
) -> Sequence[str]:
    """The text of each entry, as the viewer may see it; only those that are not kept are read."""
    texts = [*kept.known(viewpoint, entries)]
    tracker = StateTracker(resources.ledger)
    for entry in entries[len(texts) :]:
        texts.append(await throttle.do(partial(_text, tracker, viewpoint, entry)))
        await throttle.rest_when_due()
    kept.keep(viewpoint, entries, texts)
    return texts


def _text(tracker: StateTracker, viewpoint: Viewpoint, entry: Entry) -> str:
    return tracker.track(entry).message_for(viewpoint).text


async def _rows(
    resources: Resources,
    wanted: MatchRequest,
    entries: Sequence[Entry],
    texts: Sequence[str],
    comments: Mapping[int, str],
) -> list[tuple[ListedEntry, Actor]]:
    found: list[tuple[ListedEntry, Actor]] = []
    gone = taken_back(entries)
    numbers = await resources.off_loop(partial(_numbers, resources, wanted.match, entries))
    audited = wanted.audited
    shifted = set(shifts(numbers))
    for entry, text in zip(entries, texts, strict=True):
        actor, sequence = actor_of(entry.actor), entry.sequence
        words = number_words(numbers.get(sequence), sequence) if numbers else ""
        fault = audited.verdict.word if audited is not None and audited.first_bad == sequence else ""
        drawn = actor is CHANCE
        comment = comments.get(sequence, "")
        row = ListedEntry(sequence, words, sequence in shifted, text, drawn, sequence in gone, fault, comment)
        found.append((row, actor))
    return found


def _numbers(resources: Resources, match: MatchId, listed: Sequence[Entry]) -> dict[int, range]:
    """The numbers of the entries in a transcript; nothing if those of a match too long to be listed."""
    if not listed or listed[0].sequence != 1:
        return {}
    header = next(iter(resources.ledger.read(match, 0, 1)))
    return transcript_numbers((header, *listed))


def taken_back(entries: Sequence[Entry]) -> set[int]:
    """The sequences of those among consecutive entries that a later one of them takes back."""
    gone = set[int]()
    back_to = entries[-1].sequence if entries else 0
    for entry in reversed(entries):
        if entry.sequence > back_to:
            gone.add(entry.sequence)
        if entry.kind == EntryKind.RETRACT:
            back_to = min(back_to, retracted_to(entry))
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


def _explanation(viewpoint: Viewpoint, before: GameState, entry: Entry, move: Candidate | None) -> str:
    if entry.kind == MOVE:
        return "" if move is None else state_for(viewpoint, before).display.explain(move)
    return explain_entry(before, entry)  # what it reveals is open to everybody


def _events(viewpoint: Viewpoint, before: GameState, entry: Entry) -> tuple[str, ...]:
    if entry.kind != MOVE or conceals(viewpoint, before):
        return ()
    try:
        return tuple(event.text for event in before.display.describe(entry.events))
    except CorruptEvents:
        return ()


def drawn_move(viewpoint: Viewpoint, before: GameState, entry: Entry, text: str) -> Candidate | None:
    """The move of a seat, read from what the viewer sees of it; None if it cannot be drawn."""
    if entry.kind == MOVE and actor_of(entry.actor) is not CHANCE:
        with suppress(Unreadable):
            return state_for(viewpoint, before).parse_text(text)
    return None
