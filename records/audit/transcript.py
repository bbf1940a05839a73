"""Judges a transcript by playing it again."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from records.entry import MatchHeader, MatchId
from records.files.tags import Header, read_header, write_header
from records.files.transcript import Tag, Transcript, TranscriptLine, UnreadableTranscript
from records.games.bound import BoundGame
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.verdict import AuditReport, DivergedAt, IllegalAt, Verdict, Verified, winners_of
from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup
from rules.kernel.text import Unreadable

Seen: TypeAlias = Callable[[Candidate, Applied], None]
"""Is shown each legal move and what it causes."""


class IllegalMove(ValueError):
    """A match that was to be written down has a move that breaks the rules."""


def verify_transcript(transcript: Transcript) -> AuditReport:
    """The verdict on the record; UnreadableTranscript if any part of it cannot be read."""
    return verify_entries(read_header(transcript), transcript.entries)


def verify_entries(
    header: Header, entries: tuple[TranscriptLine, ...], seen: Seen | None = None
) -> AuditReport:
    """The verdict on a record whose header has been read already."""
    _refuse_too_long(header, entries)
    state, good = header.start, 0
    illegal: IllegalAt | None = None
    for number, entry in enumerate(entries, start=1):
        candidate = _read(state, entry)
        if illegal is not None:
            continue  # The rest is judged no more; but a record is readable as a whole or not at all.
        verdict = state.judge(candidate)
        if isinstance(verdict, Illegal):
            illegal = IllegalAt(number, entry.text, verdict.violations)
        else:
            state, good = verdict.after, number
            if seen is not None:
                seen(candidate, verdict)
    whole = illegal or judge_result(header.result, state, good)
    about = MatchHeader(header.game.about.key, header.start.setup)
    return AuditReport(MatchId(""), whole, len(entries), good, about, state)


def transcript_of(
    game: BoundGame, setup: Setup, moves: Iterable[tuple[Actor, bytes]], further: Iterable[Tag] = ()
) -> Transcript:
    """The transcript of a match that was played like this; the moves must be legal."""
    state = game.start(setup)
    entries = []
    for number, (actor, move) in enumerate(moves, start=1):
        candidate = state.parse_bytes(actor, move)
        entries.append(TranscriptLine(state.write_move(candidate)))
        verdict = state.judge(candidate)
        if isinstance(verdict, Illegal):
            raise IllegalMove(f"entry {number} breaks {verdict.violations[0].rule.id}")
        state = verdict.after
    return Transcript((*write_header(game, state.setup, winners(state), further), *entries))


def winners(state: GameState) -> tuple[str, ...]:
    """The names of the winners, in turn order; none while the match goes on."""
    return winners_of(state.setup.seats, state.outcome())


def _read(state: GameState, entry: TranscriptLine) -> Candidate:
    try:
        return state.parse_text(entry.text)
    except Unreadable as fault:
        raise UnreadableTranscript(entry.line, entry.column + fault.column - 1, fault.why) from None


def _refuse_too_long(header: Header, entries: tuple[TranscriptLine, ...]) -> None:
    longest = header.game.longest
    if len(entries) > longest:
        beyond = entries[longest]
        raise UnreadableTranscript(
            beyond.line,
            1,
            f"the record has {len(entries)} entries; no match of this game has more than {longest}",
        )


def judge_result(result: frozenset[str] | None, state: GameState, entries: int) -> Verdict:
    """Whether a record of so many entries states the result that the replay gives, if it states one."""
    if result is None:
        return Verified()
    won = winners(state)
    if result == set(won):
        return Verified()
    stated = " and ".join(name for name in state.setup.seats if name in result)
    replayed = f"it was {' and '.join(won)}" if won else "the match is not over"
    return DivergedAt(entries, f"the record states that {stated} won, but by the rules {replayed}")
