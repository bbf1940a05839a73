"""The log in a SQLite file against raw sqlite3, on this disk and on one whose fsync takes 5 ms."""

import asyncio
import multiprocessing
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import uvloop

from records.entry import Entry
from records.ledger.ledger import Ledger
from records.log.contract import Append, AppendRejected, Log
from records.log.sqlite import SqliteLog
from records.log.sqlite_rows import INSERT_ENTRY, NewRow, row_of
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.making import Scribe
from tests.records.log.shim import COMPILER, compiled
from tools.dev.bench.report import Line
from tools.dev.bench.rounds import Contender, Figures, measure

CALLERS: Final = 64
EACH: Final = 15
"""So many appends each caller makes in a round."""

GROUP: Final = 100
GROUPS: Final = 10
SINGLE: Final = 40
"""So many commits of one entry there are in a round."""

SLOW_FSYNC: Final = 0.005
MATCHES: Final = 100
LENGTH: Final = 80

Caller: TypeAlias = Callable[[Intake], Awaitable[int]]
"""Appends one thing after the other, and says how many were stored."""

_RAW: Final = """
CREATE TABLE entry (
    position INTEGER PRIMARY KEY, match INTEGER NOT NULL, sequence INTEGER NOT NULL, kind INTEGER NOT NULL,
    actor INTEGER NOT NULL, move BLOB NOT NULL, events BLOB NOT NULL, state BLOB NOT NULL,
    request TEXT NOT NULL, recorded INTEGER NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL,
    signature BLOB NOT NULL, secret BLOB NOT NULL,
    UNIQUE (match, sequence), UNIQUE (match, request)
) STRICT;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
"""


def lines(rounds: int) -> list[Line]:
    """Everything measured of the log."""
    return [*_writing(rounds), *_with_a_slow_disk(rounds), *_reading(rounds)]


def _writing(rounds: int) -> list[Line]:
    with tempfile.TemporaryDirectory() as folder:
        raw = sqlite3.connect(Path(folder, "raw.db"), isolation_level=None)
        raw.executescript(_RAW)
        rows = _raw_rows((rounds + 1) * (SINGLE + GROUP * GROUPS))

        def commits(size: int, number: int) -> int:
            for _ in range(number):
                raw.execute("BEGIN IMMEDIATE")
                raw.executemany(INSERT_ENTRY, islice(rows, size))
                raw.execute("COMMIT")
            return size * number

        with SqliteLog.open(Path(folder, "archive.db")) as log:
            groups = _groups(log, GROUP, (rounds + 1) * GROUPS)
            found = measure(
                {
                    "raw single": lambda: commits(1, SINGLE),
                    "raw group": lambda: commits(GROUP, GROUPS),
                    "log": lambda: sum(len(log.write(group)) for group in islice(groups, GROUPS)),
                    "callers": _callers(log, rounds),
                },
                rounds,
            )
        raw.close()
        return [
            Line("an fsync on this disk", _fsync(Path(folder)) * 1e3, "ms"),
            Line("raw sqlite3, a commit an entry (WAL, FULL)", found.rate("raw single"), "entries/s"),
            Line(f"raw sqlite3, {GROUP} entries a commit", found.rate("raw group"), "entries/s"),
            Line(f"the log, {GROUP} appends a write", found.rate("log"), "entries/s"),
            Line(f"group commit, {CALLERS} callers, an entry at a time", found.rate("callers"), "entries/s"),
            Line(f"the log to raw sqlite3, {GROUP} entries a commit", found.ratio("log", "raw group"), "x"),
            Line("group commit to raw single commits", found.ratio("callers", "raw single"), "x"),
        ]


def _with_a_slow_disk(rounds: int) -> list[Line]:
    """In a process of its own, whose every fsync is delayed."""
    if COMPILER is None:
        return []
    memory = Path("/dev/shm")  # noqa: S108 - where fsync itself costs nothing, all of it is the delay
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        shim = compiled(Path(folder))
        shim.set(delay=SLOW_FSYNC)
        with shim.in_force(), ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(_one_and_many, Path(folder, "archive.db"), rounds).result()
    return [
        Line("fsync of 5 ms: the log, a commit an entry", found.rate("single"), "entries/s"),
        Line(f"fsync of 5 ms: group commit, {CALLERS} callers", found.rate("callers"), "entries/s"),
        Line("fsync of 5 ms: group commit to a commit an entry", found.ratio("callers", "single"), "x", 20.0),
    ]


def _one_and_many(path: Path, rounds: int) -> Figures:
    with SqliteLog.open(path) as log:
        singles = _groups(log, 1, (rounds + 1) * SINGLE)
        return measure(
            {
                "single": lambda: sum(len(log.write(group)) for group in islice(singles, SINGLE)),
                "callers": _callers(log, rounds),
            },
            rounds,
        )


def _reading(rounds: int) -> list[Line]:
    """Matches that have grown by turns, so that the entries of each lie scattered over the file."""
    with tempfile.TemporaryDirectory() as folder, SqliteLog.open(Path(folder, "archive.db")) as log:
        for group in _groups(log, MATCHES, LENGTH - 1):
            log.write(group)
        spent = []
        for match in [*log.matches()] * rounds:
            begun = time.perf_counter()
            found = len([*log.read(match)])
            spent.append(time.perf_counter() - begun)
            if found != LENGTH:
                raise ValueError(found)
        scan = measure({"scan": lambda: sum(1 for _ in log.archive())}, rounds)
    return [
        Line(f"read one match of {LENGTH} entries", statistics.median(spent) * 1e3, "ms", 2.0, at_most=True),
        Line("read the whole archive", scan.rate("scan"), "entries/s"),
    ]


def together(log: Log, callers: Iterable[Caller]) -> int:
    """What callers in one event loop store at the same time, through the server's group commit."""

    async def work() -> int:
        intake = Intake(log, EntryFeed(Ledger(log)))
        stored = await asyncio.gather(*(caller(intake) for caller in callers))
        await intake.close()
        return sum(stored)

    return uvloop.run(work())


def _callers(log: Log, rounds: int) -> Contender:
    """Callers that each append to a match of their own, and wait for each answer."""
    groups = _groups(log, CALLERS, (rounds + 1) * EACH)

    async def append(appends: Sequence[Append], intake: Intake) -> int:
        stored = 0
        for each in appends:
            answer = await intake.commit(each)
            if isinstance(answer, AppendRejected):
                raise answer
            stored += len(answer)
        return stored

    return lambda: together(
        log, [partial(append, appends) for appends in zip(*islice(groups, EACH), strict=True)]
    )


def _groups(log: Log, matches: int, number: int) -> Iterator[list[Append]]:
    """Matches are begun; then so many groups, each with an entry for every match, all made beforehand."""
    scribes = [Scribe(f"{log.last_position()}-{name}") for name in range(matches)]
    for scribe in scribes:
        scribe.write(log)
    made = []
    for _ in range(number):
        made.append([scribe.next(move=b"fourteen bytes") for scribe in scribes])
        for scribe, append in zip(scribes, made[-1], strict=True):
            scribe.done(append)
    return iter(made)


def _raw_rows(number: int) -> Iterator[NewRow]:
    """The rows of as many matches as there are in a group, growing by turns."""
    scribes = [Scribe(f"raw {name}") for name in range(GROUP)]
    entries: list[Entry] = []
    while len(entries) < number:
        for scribe in scribes:
            append = scribe.next(move=b"fourteen bytes")
            scribe.done(append)
            entries.extend(append.entries)
    return iter(
        [row_of(entry, place, (place - 1) % GROUP + 1) for place, entry in enumerate(entries, start=1)]
    )


def _fsync(folder: Path) -> float:
    """Seconds, the median of some."""
    with Path(folder, "fsync").open("wb", buffering=0) as file:
        spent = []
        for _ in range(30):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            spent.append(time.perf_counter() - begun)
    return statistics.median(spent)
