"""The audit of a transcript, by judging its moves again."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from records.entry import MatchHeader, MatchId
from records.files.tags import Header, write_header
from records.files.transcript import Tag, Transcript, TranscriptLine, UnreadableTranscript
from records.games.bound import BoundGame
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.verdict import AuditReport, DivergedAt, IllegalAt, Verdict, Verified, winners_of
from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup
from rules.kernel.text import Unreadable, listed

OnMove: TypeAlias = Callable[[Candidate, Applied], None]
"""Called with each legal move and its verdict."""


class IllegalMove(ValueError):
    """A match cannot be written as a transcript because a move breaks the rules."""


def verify_entries(
    header: Header, entries: tuple[TranscriptLine, ...], on_move: OnMove | None = None
) -> AuditReport:
    """Audit the entries of a transcript whose tags were already read."""
    _require_possible_length(header, entries)
    state, good = header.start, 0
    illegal: IllegalAt | None = None
    for number, entry in enumerate(entries, start=1):
        candidate = _read(state, entry)
        if illegal is not None:
            continue  # not judged, but it must be readable: a transcript is readable as a whole or not at all
        verdict = state.judge(candidate)
        if isinstance(verdict, Illegal):
            illegal = IllegalAt(number, entry.text, verdict.violations)
        else:
            state, good = verdict.after, number
            if on_move is not None:
                on_move(candidate, verdict)
    overall = illegal or judge_result(header.result, state, good)
    about = MatchHeader(header.game.about.key, header.start.setup)
    return AuditReport(MatchId(""), overall, len(entries), good, about, state)


def transcript_of(
    game: BoundGame, setup: Setup, moves: Iterable[tuple[Actor, bytes]], further: Iterable[Tag] = ()
) -> Transcript:
    """Write the transcript of a match with these moves; raises IllegalMove if one is not legal."""
    state = game.start(setup)
    entries = []
    for number, (actor, move) in enumerate(moves, start=1):
        candidate = state.parse_bytes(actor, move)
        entries.append(TranscriptLine(state.write_move(candidate)))
        verdict = state.judge(candidate)
        if isinstance(verdict, Illegal):
            raise IllegalMove(f"entry {number} breaks {verdict.violations[0].rule.id}")
        state = verdict.after
    return Transcript((*write_header(game, state.setup, _result(state), further), *entries))


def winners(state: GameState) -> tuple[str, ...]:
    """The names of the winners, in turn order; empty while the match is under way, and if nobody won."""
    return winners_of(state.setup.seats, state.outcome())


def _result(state: GameState) -> tuple[str, ...] | None:
    """The names of the winners; None while the match is under way."""
    return None if state.outcome() is None else winners(state)


def _read(state: GameState, entry: TranscriptLine) -> Candidate:
    try:
        return state.parse_text(entry.text)
    except Unreadable as fault:
        raise UnreadableTranscript(entry.line, entry.column + fault.column - 1, fault.why) from None


def _require_possible_length(header: Header, entries: tuple[TranscriptLine, ...]) -> None:
    max_entries = header.game.max_entries
    if len(entries) > max_entries:
        beyond = entries[max_entries]
        raise UnreadableTranscript(
            beyond.line,
            1,
            f"the record has {len(entries)} entries; no match of this game has more than {max_entries}",
        )


def judge_result(result: frozenset[str] | None, state: GameState, entries: int) -> Verdict:
    """The verdict on the stated result of a record with this many entries; Verified if none is stated."""
    if result is None:
        return Verified()
    won = _result(state)
    if won is not None and result == set(won):
        return Verified()
    stated = [name for name in state.setup.seats if name in result]
    if won is None:
        replayed = "the match is not over"
    elif won:
        replayed = f"it was {listed(won)}"
    else:
        replayed = "nobody did"
    return DivergedAt(
        entries,
        f"the record states that {listed(stated) if stated else 'nobody'} won, but by the rules {replayed}",
    )
