"""The service in the process of the test, over any ledger; its internal errors fail the test."""

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self, cast

import grpc
from grpc import aio
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.entry import MatchId
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.contract import Log
from records.log.people import MemoryRegister
from records.log.sqlite import SqliteLog
from rules.kernel.actors import Seat
from service import rpc
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
from service.resources import Resources, SignedLog
from service.server_secret import ServerSecret
from service.shutdown import Shutdown
from service.workers import Workers
from tests.service.http_channel import HttpChannel

MAX_REQUESTS = 1000
MAX_RESPONSE_BYTES = 4 * 1024 * 1024
STALL_SECONDS = 30.0

TIMEOUT_SECONDS = 60.0
"""Limit for anything that a test waits for; no test gets near it."""


@dataclass
class FaultCollector(Observer):
    """Collects the exceptions that the service reports as its own faults."""

    faults: list[Exception] = field(default_factory=list)

    def ended(self, call: Call, outcome: CallOutcome) -> None:  # noqa: ARG002 - as Observer has it
        if isinstance(outcome, Failed):
            self.faults.append(outcome.fault)


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


@contextmanager
def serving_in_process(  # noqa: PLR0913 - all but the first have defaults
    ledger: Ledger,
    open_log: Callable[[], Log] = no_log,
    *,
    max_response_bytes: int = MAX_RESPONSE_BYTES,
    stall_seconds: float = STALL_SECONDS,
    max_recent: int = MAX_RECENT_ENTRIES,
    observers: Sequence[Observer] = (),
    authenticator: Authenticator | None = None,
    access: Access | None = None,
    signed: SignedLog | None = None,
    seat_token: Callable[[MatchId, Seat], str] | None = None,
) -> Iterator[InProcessService]:
    """The service over this ledger; fails at the end if it had an internal error."""
    ready: Future[tuple[int, int, EntryFeed, Shutdown, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    collector = FaultCollector()

    async def run() -> None:
        feed, shutdown, stop = EntryFeed(ledger, max_recent), Shutdown(), asyncio.Event()
        server = aio.server()
        index = ArchiveIndex(ledger.log, current=ledger.current)
        resources = Resources(
            ledger,
            Intake(ledger.log, feed),
            Workers(0, ledger, lambda: ledger),
            feed,
            shutdown,
            open_log,
            max_response_bytes,
            stall_seconds,
            MemoryRegister(),
            seat_token,
            index,
            access or Access(None),
            lambda owner, request: f"{request}@{owner}",
            signed,
        )
        admission = Admission(authenticator or ByAddress(certified=False), Config(), shutdown)
        handler = rpc.CallHandler(resources, admission, (collector, *observers))
        rpc.add_to(server, handler)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        listening, address = bound_socket(Address("127.0.0.1", 0))
        web = HttpPort(HttpApplication(handler, OwnHosts(address, "")), listening, None, MAX_REQUESTS)
        await web.start()
        watching = asyncio.create_task(feed.watch(shutdown))
        ready.set_result((port, address.port, feed, shutdown, asyncio.get_running_loop(), stop))
        await stop.wait()
        shutdown.begin()
        await server.stop(None)
        await web.stop(0)
        await watching
        index.close()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    port, web, feed, shutdown, loop, stop = ready.result(TIMEOUT_SECONDS)
    address, web_address = f"127.0.0.1:{port}", f"127.0.0.1:{web}"
    try:
        with grpc.insecure_channel(address) as channel, closing(HttpChannel(web_address, channel)) as http:
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
    assert not collector.faults, "".join(traceback.format_exception(collector.faults[0]))


@contextmanager
def serving_file(
    path: Path, *, stall_seconds: float = STALL_SECONDS, max_recent: int = MAX_RECENT_ENTRIES
) -> Iterator[InProcessService]:
    """The service over an archive in this file, with its secret, as the server has them."""
    secret = ServerSecret.load(path.with_name(f"{path.name}.secret"))

    def open_log() -> Log:
        return SqliteLog.open(path, read_only=True)

    with SqliteLog.open(path) as log:
        ledger = Ledger(log, secrets=secret.of_match)
        with serving_in_process(
            ledger, open_log, stall_seconds=stall_seconds, max_recent=max_recent
        ) as running:
            yield running
