"""Judges a transcript by playing it again."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from records.arbiter import Accepted, Standing
from records.candidate import Candidate
from records.closed_game import Arbiter
from records.header import Header, read_header, write_header
from records.transcript import Entry, Tag, Transcript, UnreadableTranscript
from records.verdict import DivergedAt, IllegalAt, Report, Verdict, Verified
from rules.kernel.actors import Actor
from rules.kernel.game import Outcome
from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup
from rules.kernel.text import Unreadable

Seen: TypeAlias = Callable[[Candidate, Accepted], None]
"""Is shown each legal move and what it causes."""


class IllegalMove(ValueError):
    """A match that was to be written down has a move that breaks the rules."""


def verify_transcript(transcript: Transcript) -> Report:
    """The verdict on the record; UnreadableTranscript if any part of it cannot be read."""
    return verify_entries(read_header(transcript), transcript.entries)


def verify_entries(header: Header, entries: tuple[Entry, ...], seen: Seen | None = None) -> Report:
    """The verdict on a record whose header has been read already."""
    _refuse_too_long(header, entries)
    standing, good = header.start, 0
    illegal: IllegalAt | None = None
    for number, entry in enumerate(entries, start=1):
        candidate = _read(standing, entry)
        if illegal is not None:
            continue  # The rest is judged no more; but a record is readable as a whole or not at all.
        verdict = standing.judge(candidate)
        if isinstance(verdict, Illegal):
            illegal = IllegalAt(number, entry.text, verdict.violations)
        else:
            standing, good = verdict.after, number
            if seen is not None:
                seen(candidate, verdict)
    return Report(illegal or judge_result(header.result, standing, good), len(entries), good, standing)


def transcript_of(
    arbiter: Arbiter, setup: Setup, moves: Iterable[tuple[Actor, bytes]], further: Iterable[Tag] = ()
) -> Transcript:
    """The transcript of a match that was played like this; the moves must be legal."""
    standing = arbiter.start(setup)
    entries = []
    for number, (actor, move) in enumerate(moves, start=1):
        candidate = standing.parse_bytes(actor, move)
        entries.append(Entry(standing.write_move(candidate)))
        verdict = standing.judge(candidate)
        if isinstance(verdict, Illegal):
            raise IllegalMove(f"entry {number} breaks {verdict.violations[0].rule.id}")
        standing = verdict.after
    return Transcript((*write_header(arbiter, standing.setup, winners(standing), further), *entries))


def winners(standing: Standing) -> tuple[str, ...]:
    """The names of the winners, in turn order; none while the match goes on."""
    return winners_of(standing.setup.seats, standing.outcome())


def winners_of(seats: tuple[str, ...], outcome: Outcome | None) -> tuple[str, ...]:
    """The same, of an outcome that is known already."""
    if outcome is None:
        return ()
    return tuple(name for seat, name in enumerate(seats) if seat in outcome.winners)


def _read(standing: Standing, entry: Entry) -> Candidate:
    try:
        return standing.parse_text(entry.text)
    except Unreadable as fault:
        raise UnreadableTranscript(entry.line, entry.column + fault.column - 1, fault.why) from None


def _refuse_too_long(header: Header, entries: tuple[Entry, ...]) -> None:
    longest = header.arbiter.longest
    if len(entries) > longest:
        beyond = entries[longest]
        raise UnreadableTranscript(
            beyond.line,
            1,
            f"the record has {len(entries)} entries; no match of this game has more than {longest}",
        )


def judge_result(result: frozenset[str] | None, standing: Standing, entries: int) -> Verdict:
    """Whether a record of so many entries states the result that the replay gives, if it states one."""
    if result is None:
        return Verified()
    won = winners(standing)
    if result == set(won):
        return Verified()
    stated = " and ".join(name for name in standing.setup.seats if name in result)
    replayed = f"it was {' and '.join(won)}" if won else "the match is not over"
    return DivergedAt(entries, f"the record states that {stated} won, but by the rules {replayed}")
