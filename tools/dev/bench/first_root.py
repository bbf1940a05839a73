"""Measures the first root of a large archive after it was opened, on both engines."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from records.log.contract import Log
from records.log.copying import PIECE_ENTRIES
from records.log.postgres.log import PostgresLog
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.postgres import running
from tests.records.log.making import RecordWriter
from tools.dev.bench.report import Figure

DEFAULT_LEAVES: Final = 1_000_000
"""Entries of the archive; making both takes minutes."""

TARGET_MS: Final = 10.0
"""Milliseconds that the first root may take, whatever the size."""

_ENTRIES_PER_MATCH: Final = 100
_MATCHES_PER_WRITE: Final = 100


def lines(rounds: int, leaves: int = DEFAULT_LEAVES) -> list[Figure]:
    """Measure the first root of an archive of this many entries, in SQLite and in PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder, running() as cluster:
        path, target = Path(folder, "bench.db"), cluster.target()
        with SqliteLog.open(path) as log:
            _fill(log, leaves)
        with SqliteLog.open(path, read_only=True) as source, PostgresLog.open(target, sequence=False) as copy:
            for after in range(0, leaves, PIECE_ENTRIES):
                copy.copy_in(list(source.archive(after, PIECE_ENTRIES)), ())
        file, database = list[float](), list[float]()
        roots = set[bytes]()
        for _ in range(rounds):
            with SqliteLog.open(path, read_only=True) as log:
                file.append(_first_root(log, leaves, roots))
            with PostgresLog.open(target, read_only=True) as log:
                database.append(_first_root(log, leaves, roots))
    if len(roots) != 1:
        raise RuntimeError("the engines have different roots")
    return [
        Figure(
            f"first root of {leaves:,} leaves, {name}",
            statistics.median(found),
            "ms",
            TARGET_MS,
            at_most=True,
        )
        for name, found in (("SQLite", file), ("PostgreSQL", database))
    ]


def _fill(log: Log, leaves: int) -> None:
    stored = 0
    while stored < leaves:
        appends = []
        for number in range(_MATCHES_PER_WRITE):
            count = min(_ENTRIES_PER_MATCH, leaves - stored)
            if count:
                appends.append(RecordWriter(f"{stored}-{number}").next(count))
                stored += count
        log.write(appends)


def _first_root(log: Log, leaves: int, roots: set[bytes]) -> float:
    """Milliseconds that it takes, once there is a connection."""
    log.last_position()
    began = time.perf_counter()
    roots.add(Tree(log).root(leaves))
    return (time.perf_counter() - began) * 1000
