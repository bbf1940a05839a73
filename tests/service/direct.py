"""The service without a port: handlers are called in the thread of the test, so that calls take less time.

Everything from admission to the bytes of a response is the service's own; only sockets are left out.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Never, Protocol, Self, cast
from unittest.mock import patch

import grpc
from google.protobuf.message import Message
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.ledger.ledger import Ledger
from records.log.contract import Log
from service import intake, workers
from service.address import Address
from service.call import Context
from service.http.application import HttpApplication
from service.http.own_hosts import OwnHosts
from service.method_table import METHODS
from service.rpc import DESCRIPTOR, CallHandler, Serve, binary_decoder
from tests.service.direct_http import HOST, DirectConnection
from tests.service.http_channel import Deserialize, HttpChannel, Metadata, Serialize, UnaryCall
from tests.service.own_loop import Inline, Loop, first_of
from tests.service.running import FaultCollector, Options, handler_over

_PEER = f"ipv4:{HOST}:50422"


class DirectFault(grpc.RpcError, grpc.Call):
    """A refusal, in the form that gRPC gives it to a client."""

    def __init__(self, status: grpc.Status) -> None:
        super().__init__(status)
        self._status = status

    def code(self) -> grpc.StatusCode:
        return self._status.code

    def details(self) -> str:
        return str(self._status.details)

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:  # type: ignore[override]  # always known
        sent = self._status.trailing_metadata or ()
        return tuple((key, value if isinstance(value, bytes) else value.encode()) for key, value in sent)

    def initial_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> float:
        return 0.0

    def cancel(self) -> bool:
        return False

    def add_callback(self, callback: Callable[[], None]) -> bool:  # noqa: ARG002 - it has ended
        return False


class _DirectContext(Context):
    """A call that comes from nowhere else."""

    def __init__(self, metadata: Metadata, requests: Iterable[bytes]) -> None:
        self._metadata = tuple(metadata or ())
        self._requests = iter(requests)
        self.begun, self.arrived = asyncio.Event(), asyncio.Event()
        self.written = deque[Message]()

    def peer(self) -> str:
        return _PEER

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        return {}

    async def read(self) -> object:
        return next(self._requests, None)

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        self.begun.set()

    async def write(self, message: Message, /) -> None:
        self.written.append(message)
        self.arrived.set()

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        raise DirectFault(status)


class DirectStream:
    """The responses of a call that goes on."""

    def __init__(self, loop: Loop, serve: Serve, context: _DirectContext, read: Deserialize) -> None:
        self._loop, self._context, self._read = loop, context, read
        self._task: asyncio.Task[object] = loop.begin(serve(None, context))

    def initial_metadata(self) -> None:
        """Returns once the stream has begun or has ended."""
        self._loop.wait(first_of(self._context.begun.wait(), task=self._task))

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        context = self._context
        if not context.written:
            context.arrived.clear()
            self._loop.wait(first_of(context.arrived.wait(), task=self._task))
        if context.written:
            return self._read(context.written.popleft().SerializeToString())
        self._task.result()
        raise StopIteration

    def cancel(self) -> None:
        self._loop.end(self._task)


class StreamedCall(Protocol):
    """Makes a call with a stream of responses."""

    def __call__(
        self, request: object, timeout: float | None = None, metadata: Metadata = None
    ) -> DirectStream: ...


@dataclass(frozen=True)
class DirectChannel:
    """The part of a grpc.Channel that stubs and tests use."""

    loop: Loop
    served: Mapping[str, Serve]
    """By path."""

    def unary_unary(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> UnaryCall:
        """As a grpc.Channel has it."""

        def call(request: object, timeout: float | None = None, metadata: Metadata = None) -> object:  # noqa: ARG001 - as gRPC's
            context = _DirectContext(metadata, [request_serializer(request)])
            response = self.loop.wait(self.served[path](None, context))
            assert response is not None
            return response_deserializer(response.SerializeToString())

        return call

    def unary_stream(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> StreamedCall:
        """As a grpc.Channel has it."""

        def call(request: object, timeout: float | None = None, metadata: Metadata = None) -> DirectStream:  # noqa: ARG001 - as gRPC's
            context = _DirectContext(metadata, [request_serializer(request)])
            return DirectStream(self.loop, self.served[path], context, response_deserializer)

        return call

    def stream_stream(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> StreamedCall:
        """As a grpc.Channel has it; the requests do not depend on the responses."""

        def call(request: object, timeout: float | None = None, metadata: Metadata = None) -> DirectStream:  # noqa: ARG001 - as gRPC's
            requests = cast("Iterable[object]", request)
            context = _DirectContext(metadata, map(request_serializer, requests))
            return DirectStream(self.loop, self.served[path], context, response_deserializer)

        return call


@dataclass(frozen=True)
class DirectService:
    """A service without a port."""

    channel: grpc.Channel
    http: HttpChannel

    @property
    def stub(self) -> RecordServiceStub:
        """Calls the methods."""
        return RecordServiceStub(self.channel)

    def over_http(self) -> Self:
        """The same service, called as JSON over HTTP, its matches followed by server-sent events."""
        return replace(self, channel=cast("grpc.Channel", self.http))


@contextmanager
def serving_directly(
    ledger: Ledger, open_log: Callable[[], Log], options: Options
) -> Iterator[DirectService]:
    """The service over this ledger; fails at the end if it had an internal error."""
    loop, collector = Loop(), FaultCollector()

    async def begun() -> CallHandler:
        with (
            patch.object(intake, "ThreadPoolExecutor", Inline),
            patch.object(workers, "ThreadPoolExecutor", Inline),
        ):
            return handler_over(ledger, open_log, collector, options)

    handler = loop.wait(begun())
    watching = loop.begin(handler.resources.feed.watch(handler.resources.shutdown))
    served = {
        f"/{DESCRIPTOR.full_name}/{method.name}": METHODS[method.name](
            handler, method.name, binary_decoder(method)
        )
        for method in DESCRIPTOR.methods
    }
    channel = cast("grpc.Channel", DirectChannel(loop, served))
    application = HttpApplication(handler, OwnHosts(Address(HOST, 80), ""))
    try:
        yield DirectService(channel, HttpChannel(lambda _: DirectConnection(loop, application), channel))
    finally:
        handler.resources.shutdown.begin()
        loop.wait(watching)
        handler.resources.index.close()
        loop.close()
    assert not collector.faults, collector.tracebacks[0]
