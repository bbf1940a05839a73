"""Makes any number of records of whole games of Qin, for benchmarks."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec import structs

from records.codec.qin import encode_move
from records.entry import Entry, EntryKind, MatchHeader, MatchId, actor_number, with_hash
from records.games.registry import find_game
from records.ledger.opening import header_entry
from records.log.contract import NEW, Append, Log
from records.log.sqlite import SqliteLog
from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from rules.kernel.setup import UNRECORDED
from rules.qin.game import QIN
from tools.dev.bench.qin_games import PlayedGame, play, start

ActorMove: TypeAlias = tuple[Actor, bytes]
"""The actor, and the encoded move."""

DIFFERENT_GAMES = 24
"""Number of different games; a large archive repeats them as different matches."""

ARCHIVE_ENTRIES = int(os.environ.get("SHIJI_BENCH_ENTRIES", "200000"))
"""Minimum number of entries in a large archive: enough that starting an audit does not count."""

START_MICROSECONDS = 1_700_000_000_000_000
"""Time of the first entry, in microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as input for a ledger, and its record."""

    header: MatchHeader
    moves: tuple[ActorMove, ...]
    entries: tuple[Entry, ...]


@cache
def games() -> tuple[Recorded, ...]:
    """The games, with 2 to 4 seats in turn."""
    return tuple(_recorded(play(seed, 2 + seed % 3), seed) for seed in range(DIFFERENT_GAMES))


def _recorded(game: PlayedGame, seed: int) -> Recorded:
    first = start(game.seats, UNRECORDED)
    header = MatchHeader(QIN.about.key, QIN.setup(first))
    state = find_game(QIN.about.key).start(header.setup)
    moves = tuple((actor, encode_move(first, move)) for actor, move in game.moves)
    entries = [header_entry(header, state, MatchId(f"game-{seed}"), f"start {seed}", START_MICROSECONDS)]
    for sequence, (actor, move) in enumerate(moves, start=1):
        verdict = state.judge(state.parse_bytes(actor, move))
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = verdict.after
        entries.append(
            with_hash(
                Entry(
                    entries[0].match,
                    sequence,
                    EntryKind.MOVE,
                    actor_number(actor),
                    move,
                    verdict.events,
                    state.digest(),
                    f"request {sequence}",
                    START_MICROSECONDS + sequence,
                    entries[-1].hash,
                )
            )
        )
    return Recorded(header, moves, tuple(entries))


def copied(entries: Sequence[Entry], match: str) -> tuple[Entry, ...]:
    """A copy of a record as another match."""
    copies: list[Entry] = []
    for entry in entries:
        previous = copies[-1].hash if copies else entry.previous
        request = f"{match} {entry.request}"
        copies.append(
            with_hash(structs.replace(entry, match=MatchId(match), request=request, previous=previous))
        )
    return tuple(copies)


def records(least: int) -> Iterator[tuple[Entry, ...]]:
    """Records with together at least this number of entries."""
    number = 0
    while least > 0:
        record = copied(games()[number % DIFFERENT_GAMES].entries, f"match-{number:08}")
        yield record
        number += 1
        least -= len(record)


def fill(log: Log, least: int) -> int:
    """Store at least this number of entries, in whole records; returns the number stored."""
    done = 0
    group: list[Append] = []
    for record in records(least):
        group.append(Append(record[0].match, NEW, record))
        done += len(record)
        if len(group) == 64:  # noqa: PLR2004 - a few thousand entries in one write
            log.write(group)
            group = []
    if group:
        log.write(group)
    return done


def archive(path: Path, least: int) -> int:
    """Make an archive file with at least this number of entries; returns the number stored."""
    with SqliteLog.open(path) as log:
        return fill(log, least)
