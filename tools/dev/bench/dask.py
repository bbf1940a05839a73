"""Compares an audit on two workers of a Dask cluster with one in a single process, by processor time.

The busier worker ends last, so efficiency is the time of one process over twice that worker's. Workers that
share two cores with their scheduler wait for it and for each other, and the one that waits less does more.
"""

import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from dask import config

from records.audit.archive import ArchiveAudit
from records.audit.dask_cluster import DaskCluster
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from tests.postgres import running
from tests.tools.dask_run import TLS, DaskRun
from tools.dev.bench.qin_records import fill
from tools.dev.bench.report import Figure

ENTRIES: Final = 100_000
"""Size of the archive: each worker gets about eight ranges."""

MATCHES_PER_RANGE: Final = 46
"""About 6,000 entries, as 100 matches of most archives have; those of this benchmark are long."""

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def lines(rounds: int) -> list[Figure]:
    """Measure audits on a cluster."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(running())
        cluster.execute("CREATE DATABASE shiji")
        target = Target.parse(cluster.address("shiji"))
        migrate(target)
        with PostgresLog.open(target) as log:
            entries = fill(log, ENTRIES)
        dask = DaskRun(folder, target.url, stack)
        stack.enter_context(_configured(dask))
        found = [_round(target, dask) for _ in range(rounds + 1)][1:]
    alone = statistics.median(one for one, _ in found)
    efficiency = statistics.median(one / (len(workers) * max(workers)) for one, workers in found)
    cost = statistics.median(sum(workers) / one for one, workers in found)
    return [
        Figure("audit in one process on PostgreSQL", entries / alone, "entries/s of CPU"),
        Figure("audit on 2 Dask workers, efficiency by processor time", efficiency, "x", 0.8),
        Figure("processor time of both workers, beside that of one process", cost, "x"),
    ]


def _configured(dask: DaskRun) -> "config.set":
    """The certificates of the cluster, for this process."""
    names = {"ca-file": "CA_FILE", "client.cert": "CLIENT__CERT", "client.key": "CLIENT__KEY"}
    return config.set(
        {f"distributed.comm.tls.{name}": dask.environment[TLS + known] for name, known in names.items()}
    )


def _round(target: Target, dask: DaskRun) -> tuple[float, list[float]]:
    """Processor seconds of an audit in this process, and of each worker for the same audit."""
    began = time.process_time()
    _audit(target, None)
    alone = time.process_time() - began
    before = [_processor_seconds(worker.pid) for worker in dask.workers]
    with DaskCluster(dask.address, MATCHES_PER_RANGE) as cluster:
        _audit(target, cluster)
    after = [_processor_seconds(worker.pid) for worker in dask.workers]
    return alone, [late - early for early, late in zip(before, after, strict=True)]


def _audit(target: Target, cluster: DaskCluster | None) -> None:
    audit = ArchiveAudit(partial(PostgresLog.open, target, read_only=True), jobs=1, cluster=cluster)
    for _ in audit.reports():
        pass
    if not audit.summary.clean:
        raise RuntimeError(f"the archive is not in order: {audit.summary.flaws}")


def _processor_seconds(process: int) -> float:
    """The processor time that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
