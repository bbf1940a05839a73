"""Reading from a standby, which may be behind, and which cancels queries that stand in its way."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest

from records.audit.archive import ArchiveAudit
from records.audit.chunk import AuditRange, audit_range
from records.ledger.ledger import Ledger
from records.log.postgres.connection import SessionPool, Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from records.log.postgres.rows import ask
from records.verdict import Verified
from tests.postgres import Cluster
from tests.records.matches import MOVES, begin

WAIT_SECONDS = 60


@dataclass
class Pair:
    primary: Cluster
    standby: Cluster
    archive: Target
    replica: Target

    def wait_for(self, query: str) -> None:
        """Wait until the standby answers a query with something else than 0."""
        end = time.monotonic() + WAIT_SECONDS
        while not self.standby.ask(query, "shiji"):
            assert time.monotonic() < end, query
            time.sleep(0.01)


class CountingLog(PostgresLog):
    """A log that knows how often somebody waited for new entries."""

    waits = 0

    def wait(self, after: int, timeout: float) -> int:
        self.waits += 1
        return super().wait(after, timeout)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """A primary and a standby that waits for no query."""
    with ExitStack() as stack:
        primary = Cluster.create()
        stack.callback(primary.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        archive = Target.parse(primary.address("shiji"))
        migrate(archive)
        standby = Cluster.standby_of(primary)
        standby.settings = {**standby.settings, "max_standby_streaming_delay": "0"}
        stack.callback(standby.remove)
        standby.start()
        yield Pair(primary, standby, archive, Target.parse(standby.address("shiji")))


def test_an_audit_waits_for_a_standby_that_is_behind(pair: Pair) -> None:
    pair.standby.execute("SELECT pg_wal_replay_pause()")
    pair.wait_for("SELECT (pg_get_wal_replay_pause_state() = 'paused')::integer")
    with PostgresLog.open(pair.archive) as log:
        table = begin(Ledger(log))
        for move in MOVES:
            table.play(move)
        log.wait(len(MOVES), WAIT_SECONDS)
        audit = ArchiveAudit(lambda: PostgresLog.open(pair.archive, read_only=True), jobs=1)
        task, chunks = audit.task(log), list(audit.chunks(log))
        within = AuditRange(chunks[0], log.last_position(), next(log.hashes(log.last_position() - 1, 1)))
    with CountingLog.open(pair.replica, read_only=True) as replica, ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(audit_range, replica, task, within)
        end = time.monotonic() + WAIT_SECONDS
        while replica.waits < 2:
            assert time.monotonic() < end
            assert not waiting.done()
            time.sleep(0.01)

        pair.standby.execute("SELECT pg_wal_replay_resume()")

        (report,) = waiting.result(WAIT_SECONDS).reports
        assert report.verdict == Verified()
        assert report.entries == len(MOVES)


def test_a_query_that_a_standby_has_cancelled_is_asked_again(pair: Pair) -> None:
    pair.primary.execute("CREATE TABLE wide AS SELECT generate_series(1, 3) AS number", "shiji")
    pair.wait_for("SELECT count(*) FROM pg_class WHERE relname = 'wide'")
    asked = "SELECT count(*), pg_sleep(CASE count(*) WHEN 3 THEN 60 ELSE 0 END) FROM wide"
    with closing(SessionPool(pair.replica, read_only=True)) as readers:
        found: list[tuple[object, ...]] = []
        reading = threading.Thread(target=lambda: found.extend(ask(readers, asked)))
        reading.start()
        pair.wait_for("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
        pair.primary.execute("INSERT INTO wide VALUES (4); LOCK TABLE wide", "shiji")
        reading.join(WAIT_SECONDS)

        assert [row[0] for row in found] == [4]
