"""Reports in health checks whether the files of the archive are at their paths."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final, TypeAlias

from grpc_health.v1.health import aio as health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from records.log.sqlite import SqliteLog
from records.log.sqlite_places import FilesMisplaced
from service.observability.logs import log_event
from service.shutdown import Shutdown

_FILES_POLL_SECONDS: Final = 0.25
"""Time between two looks at the files, in seconds: where nobody writes, this is how long entries may be in a
write-ahead log that somebody has deleted, before they are copied into the archive."""


SERVER: Final = ""
READ: Final = "shiji.read"
WRITE: Final = "shiji.write"
SEQUENCER: Final = "shiji.sequencer"
"""The names by which health checks ask: for the whole server, and for reading, writing and numbering."""

WatchStorage: TypeAlias = Callable[[health.HealthServicer, str, Shutdown], Awaitable[None]]
"""Sets the health of the server, of its parts, and of its service of this name, until it stops."""


async def report_health(servicer: health.HealthServicer, names: Iterable[str], *, good: bool) -> None:
    """Set the health of parts of the server."""
    for name in names:
        await servicer.set(name, HealthCheckResponse.SERVING if good else HealthCheckResponse.NOT_SERVING)


async def watch_files(log: SqliteLog, servicer: health.HealthServicer, name: str, shutdown: Shutdown) -> None:
    """Set the health of a server whose archive is a file: all of it depends on where the file is."""
    names = (SERVER, name, READ, WRITE, SEQUENCER)
    serving = True
    while not shutdown.begun:
        try:
            log.require_in_place()
        except FilesMisplaced as fault:
            if serving:
                log_event(logging.ERROR, "nothing is acknowledged", {"why": str(fault)})
                await report_health(servicer, names, good=False)
            serving = False
        else:
            if not serving:
                log_event(logging.INFO, "writes are acknowledged again", {})
                await report_health(servicer, names, good=True)
            serving = True
        await shutdown.wait_for(partial(asyncio.sleep, _FILES_POLL_SECONDS))
