"""Reports in health checks whether the files of the archive are at their paths."""

import asyncio
import logging
from functools import partial
from typing import Final

from grpc_health.v1.health import aio as health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from records.log.sqlite import SqliteLog
from records.log.sqlite_places import FilesMisplaced
from service.observability.logs import log_event
from service.shutdown import Shutdown

_SECONDS: Final = 0.25
"""Time between two looks at the files, in seconds: where nobody writes, this is how long entries may be in a
write-ahead log that somebody has deleted, before they are copied into the archive."""


_SERVER: Final = ""
"""The name by which health checks ask for the whole server."""


async def watch_storage(
    log: SqliteLog, servicer: health.HealthServicer, name: str, shutdown: Shutdown
) -> None:
    """Set the health of the server, and of its service of this name, until it stops."""

    async def report(*, good: bool) -> None:
        status = HealthCheckResponse.SERVING if good else HealthCheckResponse.NOT_SERVING
        for each in (_SERVER, name):
            await servicer.set(each, status)

    serving = True
    while not shutdown.begun:
        try:
            log.require_in_place()
        except FilesMisplaced as fault:
            if serving:
                log_event(logging.ERROR, "nothing is acknowledged", {"why": str(fault)})
                await report(good=False)
            serving = False
        else:
            if not serving:
                log_event(logging.INFO, "writes are acknowledged again", {})
                await report(good=True)
            serving = True
        await shutdown.wait_for(partial(asyncio.sleep, _SECONDS))
