"""Requests that are sent to a server again and again, by processes of their own."""

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import grpc
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.workers import begin_worker
from service.rpc import DESCRIPTOR

FLOOD_NICENESS: Final = 10
"""How much a flood yields to the server and to the victim: elsewhere, it has a machine of its own."""

TIMEOUT_SECONDS: Final = 60.0

OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
)
"""Options of a channel without limits of its own."""

_PATH: Final = f"/{DESCRIPTOR.full_name}/"
_REFUSED_SECONDS: Final = 0.05
"""Pause after a refusal, far shorter than what it asks for."""

_EVENT_SECONDS: Final = 5.0
"""How long a stream of events is read before it is opened anew: beyond the last entry, it only waits."""


class GrpcFlood(NamedTuple):
    """Calls of a method over gRPC."""

    address: str
    method: str
    data: bytes
    token: str
    calls: int
    """In progress at once."""

    def run(self) -> None:
        """Send them until the process is killed."""
        asyncio.run(self._send())

    async def _send(self) -> None:
        async with aio.insecure_channel(self.address, OPTIONS) as channel:
            await asyncio.gather(*(self._repeat(channel) for _ in range(self.calls)))

    async def _repeat(self, channel: aio.Channel) -> None:
        while True:
            try:
                await call(channel, self.method, self.data, self.token)
            except aio.AioRpcError as fault:
                if fault.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                    await asyncio.sleep(_REFUSED_SECONDS)


class HttpFlood(NamedTuple):
    """Requests to the HTTP port: of a method if there is a body, otherwise of a page or of events."""

    address: str
    path: str
    body: bytes
    token: str
    calls: int

    def run(self) -> None:
        """Send them until the process is killed."""
        asyncio.run(self._send())

    async def _send(self) -> None:
        await asyncio.gather(*(self._repeat() for _ in range(self.calls)))

    async def _repeat(self) -> None:
        while True:
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS if self.body else _EVENT_SECONDS):
                    refused = await self._ask()
            except (OSError, TimeoutError):
                refused = False
            if refused:
                await asyncio.sleep(_REFUSED_SECONDS)

    async def _ask(self) -> bool:
        """Send one request and read the whole response; whether it was refused for a limit."""
        host, _, port = self.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(self.request)
            await writer.drain()
            refused = b" 429 " in await reader.readline()
            while await reader.read(65_536):
                pass
            return refused
        finally:
            writer.transport.abort()

    @property
    def request(self) -> bytes:
        """The bytes of one request."""
        lines = [
            f"{'POST' if self.body else 'GET'} {self.path} HTTP/1.1",
            f"Host: {self.address}",
            "Connection: close",
        ]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if self.body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


Flood = GrpcFlood | HttpFlood


@contextmanager
def flooding(floods: Sequence[Flood]) -> Iterator[None]:
    """Send floods for the duration of the block."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_run, args=(flood,), daemon=True) for flood in floods]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _run(flood: Flood) -> None:
    begin_worker()
    os.nice(FLOOD_NICENESS)
    flood.run()


async def call(channel: aio.Channel, method: str, data: bytes, token: str) -> None:
    """Make one call; of a follower, the entries that are there."""
    async for _ in answers_of(channel, method, data, token):
        pass


async def answers_of(channel: aio.Channel, method: str, data: bytes, token: str) -> AsyncIterator[bytes]:
    """The answers to one call; to a follower, the entries that are there."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    multi_callable: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_PATH + method)
    answers = multi_callable(_once(data), timeout=TIMEOUT_SECONDS, metadata=metadata)
    answer_type = GetMessageClass(DESCRIPTOR.methods_by_name[method].output_type)
    async for answer in answers:
        yield answer
        message = answer_type.FromString(answer)
        if isinstance(message, pb.FollowRecordResponse) and message.entry.sequence >= message.last_sequence:
            answers.cancel()
            return
        if isinstance(message, pb.FollowArchiveResponse) and message.entry.position >= message.last_position:
            answers.cancel()
            return


async def http_answer(flood: HttpFlood) -> tuple[int, bytes]:
    """The status and the body of the response to one request of a flood."""
    host, _, port = flood.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(flood.request)
        status, (_, _, body) = await reader.readline(), (await reader.read(-1)).partition(b"\r\n\r\n")
        return int(status.split()[1]), body
    finally:
        writer.transport.abort()


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data
