"""Compares the SQLite log with raw sqlite3, on this disk and with an fsync of 5 ms."""

import asyncio
import multiprocessing
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import uvloop

from records.entry import Entry
from records.ledger.ledger import Ledger
from records.log.contract import Append, AppendRejected, Log
from records.log.sqlite import SqliteLog, row_of
from records.log.sqlite_rows import INSERT_ENTRY, NewRow
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.making import RecordWriter
from tests.records.log.shim import COMPILER, compiled
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import Contender, Rates, measure

CALLERS: Final = 64
"""Number of concurrent callers."""

APPENDS_PER_CALLER: Final = 15
"""Appends that each caller makes in a round."""

ENTRIES_PER_GROUP: Final = 100
"""Entries in a group commit."""

GROUP_COMMITS: Final = 10
"""Group commits in a round."""

SINGLE_COMMITS: Final = 40
"""Commits of one entry in a round."""

SLOW_FSYNC_SECONDS: Final = 0.005
"""Delay of each fsync in the measurement with a slow disk."""

MATCHES: Final = 100
"""Number of matches in the archive that is read."""

ENTRIES_PER_MATCH: Final = 80
"""Entries of each of them."""

AppendCaller: TypeAlias = Callable[[Intake], Awaitable[int]]
"""Makes its appends in sequence, and returns the number of entries stored."""


def lines(rounds: int) -> list[Figure]:
    """Measure the log."""
    return [*_writing(rounds), *_with_a_slow_disk(rounds), *_reading(rounds)]


def raw_database(path: Path) -> sqlite3.Connection:
    """A new database with the log's table of entries, without triggers, and as durable."""
    model = path.with_name("model.db")
    with SqliteLog.open(model):
        pass
    with closing(sqlite3.connect(model)) as archive:
        (table,) = archive.execute("SELECT sql FROM sqlite_master WHERE name = 'entry'").fetchone()
    raw = sqlite3.connect(path, isolation_level=None)
    raw.executescript(f"{table}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    return raw


def _writing(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        raw = raw_database(Path(folder, "raw.db"))
        rows = _raw_rows((rounds + 1) * (SINGLE_COMMITS + ENTRIES_PER_GROUP * GROUP_COMMITS))

        def commits(size: int, number: int) -> int:
            for _ in range(number):
                raw.execute("BEGIN IMMEDIATE")
                raw.executemany(INSERT_ENTRY, islice(rows, size))
                raw.execute("COMMIT")
            return size * number

        with SqliteLog.open(Path(folder, "archive.db")) as log:
            groups = _groups(log, ENTRIES_PER_GROUP, (rounds + 1) * GROUP_COMMITS)
            found = measure(
                {
                    "raw single": lambda: commits(1, SINGLE_COMMITS),
                    "raw group": lambda: commits(ENTRIES_PER_GROUP, GROUP_COMMITS),
                    "log": lambda: sum(len(log.write(group)) for group in islice(groups, GROUP_COMMITS)),
                    "callers": _callers(log, rounds),
                },
                rounds,
            )
        raw.close()
        return [
            Figure("an fsync on this disk", _fsync(Path(folder)) * 1e3, "ms"),
            Figure("raw sqlite3, one entry per commit (WAL, FULL)", found.rate("raw single"), "entries/s"),
            Figure(
                f"raw sqlite3, {ENTRIES_PER_GROUP} entries per commit", found.rate("raw group"), "entries/s"
            ),
            Figure(f"the log, {ENTRIES_PER_GROUP} appends per write", found.rate("log"), "entries/s"),
            Figure(
                f"group commit, {CALLERS} callers, one entry at a time", found.rate("callers"), "entries/s"
            ),
            Figure(
                f"the log to raw sqlite3, {ENTRIES_PER_GROUP} entries per commit",
                found.ratio("log", "raw group"),
                "x",
            ),
            Figure("group commit to raw single commits", found.ratio("callers", "raw single"), "x"),
        ]


def _with_a_slow_disk(rounds: int) -> list[Figure]:
    """Measure in a separate process, in which every fsync is delayed."""
    if COMPILER is None:
        return []
    memory = Path("/dev/shm")  # noqa: S108 - fsync itself costs nothing there, so only the delay counts
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        shim = compiled(Path(folder))
        shim.set(delay=SLOW_FSYNC_SECONDS)
        with shim.in_force(), ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(_one_and_many, Path(folder, "archive.db"), rounds).result()
    return [
        Figure("fsync of 5 ms: the log, one entry per commit", found.rate("single"), "entries/s"),
        Figure(f"fsync of 5 ms: group commit, {CALLERS} callers", found.rate("callers"), "entries/s"),
        Figure(
            "fsync of 5 ms: group commit to one entry per commit", found.ratio("callers", "single"), "x", 20.0
        ),
    ]


def _one_and_many(path: Path, rounds: int) -> Rates:
    with SqliteLog.open(path) as log:
        singles = _groups(log, 1, (rounds + 1) * SINGLE_COMMITS)
        return measure(
            {
                "single": lambda: sum(len(log.write(group)) for group in islice(singles, SINGLE_COMMITS)),
                "callers": _callers(log, rounds),
            },
            rounds,
        )


def _reading(rounds: int) -> list[Figure]:
    """Measure reads of matches that were written in turn, so that their entries are scattered in the file."""
    with tempfile.TemporaryDirectory() as folder, SqliteLog.open(Path(folder, "archive.db")) as log:
        for group in _groups(log, MATCHES, ENTRIES_PER_MATCH - 1):
            log.write(group)
        seconds = []
        for match in [*log.matches()] * rounds:
            start = time.perf_counter()
            found = len([*log.read(match)])
            seconds.append(time.perf_counter() - start)
            if found != ENTRIES_PER_MATCH:
                raise ValueError(found)
        scan = measure({"scan": lambda: sum(1 for _ in log.archive())}, rounds)
    return [
        Figure(
            f"read one match of {ENTRIES_PER_MATCH} entries",
            statistics.median(seconds) * 1e3,
            "ms",
            2.0,
            at_most=True,
        ),
        Figure("read the whole archive", scan.rate("scan"), "entries/s"),
    ]


def together(log: Log, callers: Iterable[AppendCaller]) -> int:
    """Run callers concurrently through the server's group commit; returns the number of entries stored."""

    async def work() -> int:
        intake = Intake(log, EntryFeed(Ledger(log)))
        stored = await asyncio.gather(*(caller(intake) for caller in callers))
        await intake.close()
        return sum(stored)

    return uvloop.run(work())


def _callers(log: Log, rounds: int) -> Contender:
    """Callers that each append to their own match, and wait for each answer."""
    groups = _groups(log, CALLERS, (rounds + 1) * APPENDS_PER_CALLER)

    async def append(appends: Sequence[Append], intake: Intake) -> int:
        stored = 0
        for each in appends:
            answer = await intake.commit(each)
            if isinstance(answer, AppendRejected):
                raise answer
            stored += len(answer)
        return stored

    return lambda: together(
        log, [partial(append, appends) for appends in zip(*islice(groups, APPENDS_PER_CALLER), strict=True)]
    )


def _groups(log: Log, matches: int, number: int) -> Iterator[list[Append]]:
    """Start matches, then prepare a number of groups with one entry for each match."""
    writers = [RecordWriter(f"{log.last_position()}-{name}") for name in range(matches)]
    for writer in writers:
        writer.write(log)
    made = []
    for _ in range(number):
        made.append([writer.next(move=b"fourteen bytes") for writer in writers])
        for writer, append in zip(writers, made[-1], strict=True):
            writer.done(append)
    return iter(made)


def _raw_rows(number: int) -> Iterator[NewRow]:
    """Rows of as many matches as there are entries in a group, in turn."""
    writers = [RecordWriter(f"raw {name}") for name in range(ENTRIES_PER_GROUP)]
    entries: list[Entry] = []
    while len(entries) < number:
        for writer in writers:
            append = writer.next(move=b"fourteen bytes")
            writer.done(append)
            entries.extend(append.entries)
    return iter(
        [
            row_of(entry, place, (place - 1) % ENTRIES_PER_GROUP + 1)
            for place, entry in enumerate(entries, start=1)
        ]
    )


def _fsync(folder: Path) -> float:
    """Median duration of an fsync in seconds."""
    with Path(folder, "fsync").open("wb", buffering=0) as file:
        seconds = []
        for _ in range(30):
            file.write(bytes(4096))
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)
