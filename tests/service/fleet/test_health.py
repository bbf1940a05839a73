"""What a server of a shared archive reports of its clock."""

import asyncio
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from grpc_health.v1.health import aio as health

from records.log.postgres.checkpoints import PublishedCheckpoints
from records.log.postgres.log import PostgresLog
from records.log.postgres.pulse import Pulse
from service.fleet_health import watch_fleet
from service.observability.logs import LOG
from service.shutdown import Shutdown
from tests.postgres import shared_cluster

LEAD_SECONDS = 20.0
"""Far above what is reported, and far below what stops a server, whatever a busy machine adds."""
WAIT_SECONDS = 60.0


def test_a_clock_that_is_some_seconds_off_is_reported_once_and_stops_no_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    target, now = shared_cluster().target(), time.time

    def warnings() -> list[str]:
        lines = [line for line in caplog.records if line.name == LOG.name]
        return [line.message for line in lines if "clock" in line.message]

    async def until(true: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT_SECONDS
        while not true():
            assert time.monotonic() < end
            await asyncio.sleep(0.01)

    async def look_again(pulse: Pulse) -> None:
        last = pulse.report
        await until(lambda: pulse.report is not last)

    async def watch(log: PostgresLog, pulse: Pulse) -> None:
        checkpoints = PublishedCheckpoints(target, log, tmp_path / "checkpoint", None)
        shutdown = Shutdown()
        watching = asyncio.create_task(
            watch_fleet(log, pulse, checkpoints, health.HealthServicer(), "shiji", shutdown)
        )
        await look_again(pulse)
        assert warnings() == []

        monkeypatch.setattr("records.log.postgres.fleet.time.time", lambda: now() + LEAD_SECONDS)
        await until(lambda: bool(warnings()))
        await look_again(pulse)
        await look_again(pulse)

        assert warnings() == ["the clock differs from the database's"]
        assert pulse.write_fault() is None
        shutdown.begin()
        await watching

    with PostgresLog.open(target) as log, closing(Pulse(target)) as pulse:
        asyncio.run(watch(log, pulse))
