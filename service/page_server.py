"""Serves the pages of an archive over HTTP, and nothing that writes: what `shiji web` runs."""

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

from records.audit.archive import OpenLog
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.people import MemoryRegister
from service.access import Access
from service.address import Address
from service.admission import Admission
from service.authentication import ByAddress
from service.authorization import Role
from service.config import Config
from service.feed import EntryFeed
from service.http.application import HttpApplication
from service.http.connections import Connections
from service.http.own_hosts import OwnHosts
from service.http.port import HttpPort, bound_socket
from service.indexing import IndexKeeper
from service.intake import Intake
from service.loop_share import LoopShare
from service.observability.observer import LogObserver
from service.quota import MatchQuota
from service.resources import PageOf, Resources
from service.rpc import CallHandler
from service.server import CannotListen
from service.shutdown import Shutdown
from service.workers import Workers, read_only_ledger

_READING_THREADS: Final = 4
"""Threads that read an archive over a network, for few people who look at pages."""

_STOP_SECONDS: Final = 2.0
"""Time for requests in progress to finish once the server is stopped; a page takes less."""


async def serve_pages(  # noqa: PLR0913 - the last one has a default
    open_log: OpenLog,
    archive: Path | str | None,
    listen: Address,
    config: Config,
    started: Callable[[Address], None],
    *,
    page_of: PageOf | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; everybody who reaches it may read and audit, and nobody may write.

    The index of an archive without a path or address is kept in memory. Raises LogFault and CannotListen.
    """
    async with AsyncExitStack() as exit_stack:
        log = exit_stack.enter_context(open_log())
        ledger = Ledger(log, cache=config.cache_matches, in_steps=log.local)
        feed, shutdown = EntryFeed(ledger, max_matches=config.cache_matches), Shutdown()
        index = exit_stack.enter_context(ArchiveIndex(log, archive, ledger.current))
        workers = Workers(config.worker_processes, ledger, partial(read_only_ledger, open_log))
        intake = Intake(log, feed)
        resources = Resources(
            ledger,
            intake,
            LoopShare(intake.is_alone),
            exit_stack.enter_context(closing(workers)),
            feed,
            shutdown,
            open_log,
            config.max_message_bytes,
            config.follower_stall,
            MemoryRegister(),
            None,
            index,
            Access(None),
            MatchQuota(None, 0),
            lambda _, request: request,
            page_of=page_of,
            readers=None if log.local else ThreadPoolExecutor(_READING_THREADS, "read"),
        )
        admission = Admission(ByAddress(certified=False, role=Role.AUDITOR), config, shutdown)
        handler = CallHandler(resources, admission, [LogObserver()])
        try:
            listening, address = bound_socket(listen)
        except OSError as fault:
            raise CannotListen(f"cannot listen on {listen}: {fault.strerror}") from fault
        app = HttpApplication(handler, OwnHosts(address, config.web_hosts), writes=False)
        connections = Connections(config.max_web_connections, config.max_web_connections_per_host)
        port = HttpPort(app, listening, None, 2 * (config.max_calls + config.max_followers), connections)
        stop = asyncio.Event()
        for signum in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signum, stop.set)
        await port.start()
        watching = asyncio.gather(feed.watch(shutdown), IndexKeeper(index, ledger).run(shutdown))
        started(address)
        await stop.wait()
        shutdown.begin()
        await port.stop(_STOP_SECONDS)
        await intake.close()
        await watching
