"""The service in the process of the test, over any ledger; its internal errors fail the test."""

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self, cast

import grpc
from grpc import aio
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.entry import MatchId
from records.evidence.note import SignerKey
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.contract import Log
from records.log.people import MemoryRegister
from records.log.sqlite import SqliteLog
from rules.kernel.actors import Seat
from service import method_table, rpc
from service.access import Access
from service.address import Address
from service.admission import Admission
from service.authentication import Authenticator, ByAddress
from service.call import Call, CallOutcome, Failed, Observer
from service.config import Config
from service.feed import MAX_RECENT_ENTRIES, EntryFeed
from service.http.application import HttpApplication
from service.http.own_hosts import OwnHosts
from service.http.port import HttpPort, bound_socket
from service.intake import Intake
from service.loop_share import LoopShare
from service.quota import MatchQuota
from service.resources import PageOf, Resources
from service.server_secret import ServerSecret
from service.shutdown import Shutdown
from service.workers import Workers
from tests.service.http_channel import HttpChannel, http_connection

MAX_REQUESTS = 1000
MAX_RESPONSE_BYTES = 4 * 1024 * 1024
STALL_SECONDS = 30.0

TIMEOUT_SECONDS = 60.0
"""Limit for anything that a test waits for; no test gets near it."""


@dataclass
class FaultCollector(Observer):
    """Collects the exceptions that the service reports as its own faults."""

    faults: list[Exception] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    """Where they were raised: the service forgets that once it has reported them."""

    def ended(self, call: Call, outcome: CallOutcome) -> None:  # noqa: ARG002 - as Observer has it
        if isinstance(outcome, Failed):
            self.faults.append(outcome.fault)
            self.tracebacks.append("".join(traceback.format_exception(outcome.fault)))


@dataclass(frozen=True)
class InProcessService:
    """A running service."""

    address: str
    web: str
    """The address of its HTTP port."""
    channel: grpc.Channel
    http: HttpChannel
    stub: RecordServiceStub
    feed: EntryFeed
    shutdown: Shutdown
    collector: FaultCollector
    loop: asyncio.AbstractEventLoop

    def over_http(self) -> Self:
        """The same service, called as JSON over HTTP, its matches followed by server-sent events."""
        channel = cast("grpc.Channel", self.http)
        return replace(self, channel=channel, stub=RecordServiceStub(channel))

    def drain(self) -> None:
        """Begin the shutdown, as a server does on SIGTERM."""
        self.loop.call_soon_threadsafe(self.shutdown.begin)


def no_log() -> Log:
    """Stands for a second connection to the archive in tests that need none."""
    raise NotImplementedError


def resources_over(ledger: Ledger, feed: EntryFeed, shutdown: Shutdown) -> Resources:
    """What methods need over this ledger, without tokens, secrets and processes."""
    intake = Intake(ledger.log, feed, ledger.prefetch)
    return Resources(
        ledger,
        intake,
        LoopShare(intake.is_alone),
        Workers(0, ledger, lambda: ledger),
        feed,
        shutdown,
        no_log,
        MAX_RESPONSE_BYTES,
        STALL_SECONDS,
        MemoryRegister(),
        None,
        ArchiveIndex(ledger.log, current=ledger.current),
        Access(None),
        MatchQuota(None, 0),
        lambda owner, request: f"{request}@{owner}",
        readers=None if ledger.log.local else ThreadPoolExecutor(4, "read"),
    )


@dataclass(frozen=True)
class Options:
    """What a service in the process of a test may have otherwise than usual."""

    max_response_bytes: int = MAX_RESPONSE_BYTES
    stall_seconds: float = STALL_SECONDS
    max_recent: int = MAX_RECENT_ENTRIES
    observers: Sequence[Observer] = ()
    authenticator: Authenticator | None = None
    access: Access | None = None
    log_key: SignerKey | None = None
    seat_token: Callable[[MatchId, Seat], str] | None = None
    page_of: PageOf | None = None
    writes: bool = True
    """Whether pages offer what would write."""


USUAL = Options()


def handler_over(
    ledger: Ledger, open_log: Callable[[], Log], collector: FaultCollector, options: Options
) -> rpc.CallHandler:
    """What answers the calls of a service over this ledger, in the event loop that runs."""
    feed, shutdown = EntryFeed(ledger, options.max_recent), Shutdown()
    resources = replace(
        resources_over(ledger, feed, shutdown),
        open_log=open_log,
        max_response_bytes=options.max_response_bytes,
        stall_seconds=options.stall_seconds,
        seat_token=options.seat_token,
        access=options.access or Access(None),
        log_key=options.log_key,
        page_of=options.page_of,
    )
    admission = Admission(options.authenticator or ByAddress(certified=False), Config(), shutdown)
    return rpc.CallHandler(resources, admission, (collector, *options.observers))


@contextmanager
def serving_in_process(
    ledger: Ledger, open_log: Callable[[], Log] = no_log, options: Options = USUAL
) -> Iterator[InProcessService]:
    """The service over this ledger; fails at the end if it had an internal error."""
    ready: Future[tuple[int, int, EntryFeed, Shutdown, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    collector = FaultCollector()

    async def run() -> None:
        server, stop = aio.server(), asyncio.Event()
        handler = handler_over(ledger, open_log, collector, options)
        feed, shutdown = handler.resources.feed, handler.resources.shutdown
        method_table.add_to(server, handler)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        listening, address = bound_socket(Address("127.0.0.1", 0))
        app = HttpApplication(handler, OwnHosts(address, ""), writes=options.writes)
        web = HttpPort(app, listening, None, MAX_REQUESTS)
        await web.start()
        watching = asyncio.create_task(feed.watch(shutdown))
        ready.set_result((port, address.port, feed, shutdown, asyncio.get_running_loop(), stop))
        await stop.wait()
        shutdown.begin()
        await server.stop(None)
        await web.stop(0)
        await watching
        handler.resources.index.close()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    port, web, feed, shutdown, loop, stop = ready.result(TIMEOUT_SECONDS)
    address, web_address = f"127.0.0.1:{port}", f"127.0.0.1:{web}"
    try:
        with (
            grpc.insecure_channel(address) as channel,
            closing(HttpChannel(partial(http_connection, web_address), channel)) as http,
        ):
            yield InProcessService(
                address,
                web_address,
                channel,
                http,
                RecordServiceStub(channel),
                feed,
                shutdown,
                collector,
                loop,
            )
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(TIMEOUT_SECONDS)
    assert not collector.faults, collector.tracebacks[0]


@contextmanager
def serving_file(
    path: Path, *, stall_seconds: float = STALL_SECONDS, max_recent: int = MAX_RECENT_ENTRIES
) -> Iterator[InProcessService]:
    """The service over an archive in this file, with its secret, as the server has them."""
    secret = ServerSecret.load(path.with_name(f"{path.name}.secret"))

    def open_log() -> Log:
        return SqliteLog.open(path, read_only=True)

    with SqliteLog.open(path) as log:
        ledger = Ledger(log, secrets=secret.of_match, in_steps=True)
        options = Options(stall_seconds=stall_seconds, max_recent=max_recent)
        with serving_in_process(ledger, open_log, options) as running:
            yield running
