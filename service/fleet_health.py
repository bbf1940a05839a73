"""Reports in health checks what of a shared archive works, and publishes its checkpoints."""

import asyncio
import logging
from functools import partial
from typing import Final

from grpc_health.v1.health import aio as health

from records.log.contract import LogFault, LogUnreadable
from records.log.postgres.checkpoints import BadCheckpointFile, PublishedCheckpoints
from records.log.postgres.fleet import WARN_CLOCK_SECONDS
from records.log.postgres.log import PostgresLog
from records.log.postgres.pulse import Pulse
from service.observability.logs import log_event
from service.shutdown import Shutdown
from service.storage_health import READ, SEQUENCER, SERVER, WRITE, report_health

_PULSE_POLL_SECONDS: Final = 0.25
"""Time between two looks at the pulse, which is kept in memory."""


_CHECKPOINT_SECONDS: Final = 1.0
"""Time between two checkpoints, and so how much of the archive nothing has been published of."""


async def watch_fleet(  # noqa: PLR0913, PLR0917 - what is watched, and where it is reported
    log: PostgresLog,
    pulse: Pulse,
    checkpoints: PublishedCheckpoints,
    servicer: health.HealthServicer,
    name: str,
    shutdown: Shutdown,
) -> None:
    """Set the health of the server and its parts, and publish checkpoints, until it stops."""
    await asyncio.gather(
        _watch_pulse(log, pulse, servicer, name, shutdown), _watch_checkpoints(checkpoints, shutdown)
    )


async def _watch_checkpoints(checkpoints: PublishedCheckpoints, shutdown: Shutdown) -> None:
    while not shutdown.begun:
        try:
            await asyncio.to_thread(checkpoints.look)
        except (BadCheckpointFile, LogUnreadable) as fault:
            log_event(logging.ERROR, "the newest checkpoint is not kept", {"why": str(fault)})
        except LogFault:
            pass  # the health of the server says so
        await shutdown.wait_for(partial(asyncio.sleep, _CHECKPOINT_SECONDS))


async def _watch_pulse(
    log: PostgresLog, pulse: Pulse, servicer: health.HealthServicer, name: str, shutdown: Shutdown
) -> None:
    known: dict[str, str | None] = {READ: None, WRITE: None, SEQUENCER: None}
    warned, failed = False, None
    while not shutdown.begun:
        report = pulse.report
        fault = None if log.sequencer is None else log.sequencer.status.fault
        if fault is not None and fault != failed:
            log_event(logging.ERROR, "the sequencer of this server cannot number", {"why": fault})
        failed = fault
        late = abs(report.clock_lead) > WARN_CLOCK_SECONDS
        if late and not warned:
            log_event(
                logging.WARNING,
                "the clock differs from the database's",
                {"seconds": round(report.clock_lead, 1)},
            )
        warned = late
        found = {READ: report.read, WRITE: log.hold(), SEQUENCER: report.sequencer}
        for part, why in found.items():
            if why != known[part]:
                level = logging.INFO if why is None else logging.ERROR
                log_event(level, "health", {"part": part, "why": why or "it works again"})
                await report_health(servicer, (part,), good=why is None)
                if part == READ:
                    await report_health(servicer, (SERVER, name), good=why is None)
        known = found
        await shutdown.wait_for(partial(asyncio.sleep, _PULSE_POLL_SECONDS))
