"""Health checks by gRPC's protocol: anybody may ask, and nobody holds up the server by asking."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, cast

import grpc
from google.protobuf.message import DecodeError, Message
from grpc import aio
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from service.errors import CallError, Reason
from service.public_streams import PublicContext, PublicStreams, write_public

Status: TypeAlias = int
"""One of HealthCheckResponse.ServingStatus."""


class HealthReports(health.aio.HealthServicer):
    """The health of the server and its parts, by name.

    A caller that watches and does not read holds up nobody: gRPC's own servicer waits for it before it
    changes the status.
    """

    def __init__(self) -> None:
        super().__init__()
        self._statuses: Final[dict[str, Status]] = {"": HealthCheckResponse.SERVING}
        self._changed = asyncio.Event()
        self._stopping = False

    def status(self, name: str) -> Status | None:
        """The status of a part; None if it is not known."""
        return self._statuses.get(name)

    async def wait(self, name: str, last: Status | None) -> Status:
        """The status of a part, as soon as it is another than the last."""
        while (status := self._statuses.get(name, HealthCheckResponse.SERVICE_UNKNOWN)) == last:
            await self._changed.wait()
        return status

    async def set(self, service: str, status: Status) -> None:
        """Set the status of a part, unless the server stops."""
        if not self._stopping:
            self._set_all({service: status})

    async def enter_graceful_shutdown(self) -> None:
        """Nothing is served from now on."""
        self._stopping = True
        self._set_all(dict.fromkeys(self._statuses, HealthCheckResponse.NOT_SERVING))

    def _set_all(self, statuses: dict[str, Status]) -> None:
        self._statuses.update(statuses)
        self._changed.set()
        self._changed = asyncio.Event()


class HealthMethods:
    """Health.Check and Health.Watch, whose requests are received when their callers are counted."""

    def __init__(self, reports: HealthReports, checks: PublicStreams, watches: PublicStreams) -> None:
        self._reports: Final = reports
        self._checks: Final = checks
        self._watches: Final = watches

    def add_to(self, server: aio.Server) -> None:
        """Answer health checks at the server."""
        # gRPC's type stubs know only handlers that are not async. Without a deserializer, gRPC hands over
        # bytes, and of a stream it receives none before they are read.
        make = cast(
            "Callable[[object, None, object], grpc.RpcMethodHandler[bytes, Message]]",
            grpc.stream_stream_rpc_method_handler,
        )
        handlers = {
            name: make(answer, None, HealthCheckResponse.SerializeToString)
            for name, answer in (("Check", self.check), ("Watch", self.watch))
        }
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(health.SERVICE_NAME, handlers),)
        )

    async def check(self, _: object, context: PublicContext) -> None:
        """The status of one part."""

        async def answer(name: str) -> None:
            status = self._reports.status(name)
            if status is None:
                await context.abort(grpc.StatusCode.NOT_FOUND)
            await write_public(context, HealthCheckResponse(status=status))

        await self._answered(context, self._checks, answer)

    async def watch(self, _: object, context: PublicContext) -> None:
        """The status of one part, and every change of it until the caller leaves."""

        async def answer(name: str) -> None:
            last: Status | None = None
            while True:
                last = await self._reports.wait(name, last)
                await write_public(context, HealthCheckResponse(status=last))

        await self._answered(context, self._watches, answer)

    async def _answered(
        self, context: PublicContext, streams: PublicStreams, answer: Callable[[str], Awaitable[None]]
    ) -> None:
        try:
            with streams.opened(context.peer()):
                data = await streams.receive(context)
                await answer(_named(data or b""))
        except CallError as error:
            await context.abort_with_status(error.status())


def _named(data: bytes) -> str:
    try:
        return HealthCheckRequest.FromString(data).service
    except DecodeError:
        raise CallError(Reason.UNREADABLE_REQUEST, "the bytes are not a HealthCheckRequest") from None
