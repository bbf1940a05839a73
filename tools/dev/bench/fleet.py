"""Compares four writers on PostgreSQL with one, and a server on PostgreSQL with one on SQLite."""

import asyncio
import multiprocessing
import os
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from grpc import aio

from records.log.contract import AppendRejected
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from tests.postgres import Cluster
from tests.project.places import SHIJI
from tests.records.log.making import RecordWriter
from tests.records.log.shim import compiled
from tools.dev.bench.report import Figure
from tools.dev.bench.service import append_method, appends, server_process, unary_round

WRITERS: Final = 4
"""Processes that write at once."""

ENTRIES_PER_GROUP: Final = 16
"""Entries that a writer stores in one write, each of another match."""

GROUPS_PER_ROUND: Final = 60
"""Writes of each writer in a round: about half a second."""

FSYNC_SECONDS: Final = 0.001
"""Delay of each fsync: that of a good disk, whatever disk this machine has."""

_DURABLE: Final = {"fsync": "on", "shared_buffers": "64MB", "jit": "off", "checkpoint_timeout": "1h"}


class WriterRound(NamedTuple):
    """What one writer did in a round."""

    entries: int
    latencies: list[float]
    """Of each write, in seconds."""


def lines(rounds: int) -> list[Figure]:
    """Measure the fleet."""
    with _slow_disk() as folder:
        return [*_writers(rounds), *_servers(folder, rounds)]


@contextmanager
def _slow_disk() -> Iterator[Path]:
    """Everything that is started within the block has an fsync of a millisecond."""
    memory = Path("/dev/shm")  # noqa: S108 - fsync itself costs nothing there, so only the delay counts
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        shim = compiled(folder)
        shim.control.chmod(0o666)
        shim.set(delay=FSYNC_SECONDS)
        before = tempfile.tempdir
        tempfile.tempdir = name
        try:
            with shim.in_force():
                yield folder
        finally:
            tempfile.tempdir = before


@contextmanager
def _archive(*, standby: bool) -> Iterator[str]:
    with ExitStack() as stack:
        primary = Cluster.create(_DURABLE)
        stack.callback(primary.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        migrate(Target.parse(primary.address("shiji")))
        if standby:
            other = Cluster.standby_of(primary)
            stack.callback(other.remove)
            other.start()
            primary.waits_for_standby()
        yield primary.address("shiji")


def _writers(rounds: int) -> list[Figure]:
    """The log itself, with a synchronous standby: servers would share the cores with their callers."""
    with ExitStack() as stack:
        address = stack.enter_context(_archive(standby=True))
        stack.enter_context(PostgresLog.open(Target.parse(address)))  # its sequencer numbers
        spawned = multiprocessing.get_context("spawn")
        pools = [
            stack.enter_context(ProcessPoolExecutor(1, spawned, initializer=_open, initargs=(address,)))
            for _ in range(WRITERS)
        ]

        def round_of(writers: int) -> tuple[float, float]:
            """Entries per second, and the median latency."""
            began = time.perf_counter()
            running = [pool.submit(_write_groups) for pool in pools[:writers]]
            done = [each.result() for each in running]
            spent = time.perf_counter() - began
            latencies = [each for writer in done for each in writer.latencies]
            return sum(each.entries for each in done) / spent, statistics.median(latencies)

        for number in (WRITERS, 1):
            round_of(number)
        found = [(round_of(1), round_of(WRITERS)) for _ in range(rounds)]
    rate = statistics.median(many[0] / one[0] for one, many in found)
    latency = statistics.median(many[1] / one[1] for one, many in found)
    return [
        Figure("one writer, groups of 16", statistics.median(one[0] for one, _ in found), "entries/s"),
        Figure(f"{WRITERS} writers to one, groups of 16", rate, "x", 2.0),
        Figure(f"median latency of {WRITERS} writers to one's", latency, "x", 2.0, at_most=True),
    ]


_write: Callable[[], WriterRound] | None = None
"""What this process writes by; None in a process that was not started for it."""


def _open(address: str) -> None:
    global _write  # noqa: PLW0603 - a process of a pool has no other place for it
    log, numbers = PostgresLog.open(Target.parse(address), sequence=False), count()

    def write() -> WriterRound:
        writers = [RecordWriter(f"{os.getpid()}-{next(numbers)}") for _ in range(ENTRIES_PER_GROUP)]
        latencies: list[float] = []
        for _ in range(GROUPS_PER_ROUND):
            group = [writer.next() for writer in writers]
            began = time.perf_counter()
            results = log.write(group)
            latencies.append(time.perf_counter() - began)
            for writer, append, result in zip(writers, group, results, strict=True):
                if isinstance(result, AppendRejected):
                    raise result
                writer.done(append)
        return WriterRound(ENTRIES_PER_GROUP * GROUPS_PER_ROUND, latencies)

    _write = write


def _write_groups() -> WriterRound:
    if _write is None:
        raise RuntimeError("this process has no log to write to")
    return _write()


def _servers(folder: Path, rounds: int) -> list[Figure]:
    """A server on PostgreSQL without a standby beside one on SQLite."""
    (folder / "secret").write_text(secrets.token_hex(32))
    with (
        _archive(standby=False) as archive,
        _serving("--db", str(folder / "bench.db")) as file,
        _serving("--log", archive, "--secret-file", str(folder / "secret")) as database,
    ):
        return asyncio.run(_compared(file, database, rounds))


@contextmanager
def _serving(*archive: str) -> Iterator[str]:
    command: Sequence[str] = (str(SHIJI), "serve", *archive, "--listen", "127.0.0.1:0", "--no-web")
    with server_process(command) as (address, _):
        yield address


async def _compared(file: str, database: str, rounds: int) -> list[Figure]:
    rates: dict[str, list[float]] = {"file": [], "database": []}
    async with aio.insecure_channel(file) as one, aio.insecure_channel(database) as other:
        for number in range(rounds + 1):
            for name, channel in (("file", one), ("database", other)):
                found = await unary_round(append_method(channel), await appends(channel))
                if number:
                    rates[name].append(found.rate)
    pairs = zip(rates["database"], rates["file"], strict=True)
    return [
        Figure("AppendMove on SQLite", statistics.median(rates["file"]), "1/s"),
        Figure("AppendMove on PostgreSQL", statistics.median(rates["database"]), "1/s"),
        Figure("AppendMove on PostgreSQL to SQLite", statistics.median(a / b for a, b in pairs), "x", 0.8),
    ]
