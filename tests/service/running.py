"""The service in this process, over any ledger, with whatever goes wrong in it kept in sight."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc import aio
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.ledger.ledger import Ledger
from records.log.contract import Log
from records.log.people import MemoryRegister
from records.log.sqlite import SqliteLog
from service import rpc
from service.admission import Admission
from service.authentication import ByAddress
from service.call import Call, CallOutcome, Failed, Observer
from service.config import Config
from service.feed import RING, EntryFeed
from service.import_workers import ImportWorkers
from service.intake import Intake
from service.resources import Resources
from service.server_secret import Secret
from service.shutdown import Shutdown

LARGEST = 4 * 1024 * 1024
STALL = 30.0
PATIENCE = 60.0
"""A safety net: so many seconds nothing here ever takes."""


@dataclass
class Noting(Observer):
    """Keeps the faults that the service calls its own."""

    faults: list[Exception] = field(default_factory=list)

    def ended(self, call: Call, outcome: CallOutcome) -> None:  # noqa: ARG002 - as the door calls it
        if isinstance(outcome, Failed):
            self.faults.append(outcome.fault)


@dataclass(frozen=True)
class Inside:
    """A service that runs."""

    address: str
    channel: grpc.Channel
    stub: RecordServiceStub
    feed: EntryFeed
    shutdown: Shutdown
    noted: Noting
    loop: asyncio.AbstractEventLoop

    def drain(self) -> None:
        """Let followers go, as a server does that stops."""
        self.loop.call_soon_threadsafe(self.shutdown.begin)


def no_log() -> Log:
    """Where nobody audits the archive."""
    raise NotImplementedError


@contextmanager
def inside(  # noqa: PLR0913 - all but the first can be left out
    ledger: Ledger,
    open_log: Callable[[], Log] = no_log,
    *,
    largest: int = LARGEST,
    stall: float = STALL,
    ring: int = RING,
    observers: Sequence[Observer] = (),
) -> Iterator[Inside]:
    """The service over this ledger; at the end it must have had no fault of its own."""
    ready: Future[tuple[int, EntryFeed, Shutdown, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    noted = Noting()

    async def run() -> None:
        feed, shutdown, stop = EntryFeed(ledger, ring), Shutdown(), asyncio.Event()
        server = aio.server()
        resources = Resources(
            ledger,
            Intake(ledger.log, feed),
            ImportWorkers(0),
            feed,
            shutdown,
            open_log,
            largest,
            stall,
            MemoryRegister(),
            None,
        )
        admission = Admission(ByAddress(certified=False), Config())
        rpc.add_to(server, rpc.CallHandler(resources, admission, (noted, *observers)))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        watching = asyncio.create_task(feed.watch(shutdown))
        ready.set_result((port, feed, shutdown, asyncio.get_running_loop(), stop))
        await stop.wait()
        shutdown.begin()
        await server.stop(None)
        await watching

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    port, feed, shutdown, loop, stop = ready.result(PATIENCE)
    address = f"127.0.0.1:{port}"
    try:
        with grpc.insecure_channel(address) as channel:
            yield Inside(address, channel, RecordServiceStub(channel), feed, shutdown, noted, loop)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)
    assert noted.faults == []


@contextmanager
def over_file(path: Path, *, stall: float = STALL, ring: int = RING) -> Iterator[Inside]:
    """The service over an archive in this file, with the secret beside it, as the server has it."""
    secret = Secret.load(path.with_name(f"{path.name}.secret"))

    def open_log() -> Log:
        return SqliteLog.open(path, read_only=True)

    with SqliteLog.open(path) as log:
        ledger = Ledger(log, secrets=secret.of_match)
        with inside(ledger, open_log, stall=stall, ring=ring) as running:
            yield running
