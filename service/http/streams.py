"""Streams of responses over HTTP: as lines of JSON, as messages of the Connect protocol, as events."""

import asyncio
import struct
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, cast

from google.protobuf.message import Message
from msgspec import json
from shiji.record.v1.record_service_pb2 import FollowRecordResponse

from service.http.faults import AbortedCall, HttpError, HttpReason, HttpRefusal
from service.http.requests import HttpRequest, Send
from service.http.responses import COMMON_HEADERS, send_error
from service.rpc import Serve

PING_SECONDS: Final = 15.0
"""Time between two signs of life on a stream of events: less than the idle time after which proxies close."""

_LAST_WORDS_SECONDS: Final = 1.0
"""Time for a client to take the error that ends its stream: one that has stalled does not take it at all."""


Encode: TypeAlias = Callable[[Message], Awaitable[bytes]]
"""Encodes one message of a stream."""


class Framing(ABC):
    """How messages and the end of a stream are written."""

    content_type: bytes
    errors_in_stream = False
    """Whether an error is a part of the stream even when nothing was sent before it."""
    ping = b""
    """What is sent from time to time to show that the stream is alive; nothing by default."""

    @abstractmethod
    def frame(self, message: Message, data: bytes) -> bytes:
        """One message, which is encoded as these bytes."""

    @abstractmethod
    def end(self, error: HttpError | None) -> bytes:
        """The end of a stream that has begun."""


class LineFraming(Framing):
    """One message per line; an error is the last line, under the key `error`."""

    content_type = b"application/x-ndjson"

    def frame(self, _: Message, data: bytes) -> bytes:
        """The message on a line of its own."""
        return data + b"\n"

    def end(self, error: HttpError | None) -> bytes:
        """The error; nothing if all went well."""
        return b"" if error is None else json.encode({"error": error.body}) + b"\n"


class EnvelopeFraming(Framing):
    """Messages with their length before them, and a last one with the error, as Connect clients read them."""

    errors_in_stream = True

    def __init__(self, content_type: bytes) -> None:
        self.content_type = content_type

    def frame(self, _: Message, data: bytes) -> bytes:
        """The message in its envelope."""
        return self._envelope(0, data)

    def end(self, error: HttpError | None) -> bytes:
        """The end-of-stream message."""
        return self._envelope(2, json.encode({} if error is None else {"error": error.body}))

    @staticmethod
    def _envelope(flags: int, data: bytes) -> bytes:
        return struct.pack(">BI", flags, len(data)) + data


class EventFraming(Framing):
    """Entries as events whose id is their sequence, so that a browser resumes where it was cut off."""

    content_type = b"text/event-stream"
    ping = b":\n\n"

    def frame(self, message: Message, data: bytes) -> bytes:
        """An event `entry`."""
        followed = cast("FollowRecordResponse", message)
        return b"id: %d\nevent: entry\ndata: %b\n\n" % (followed.entry.sequence, data)

    def end(self, error: HttpError | None) -> bytes:
        """An event `error`."""
        return b"" if error is None else b"event: error\ndata: %b\n\n" % error.encoded()


class StreamContext:
    """The context of a call whose responses are streamed."""

    def __init__(self, request: HttpRequest, send: Send, framing: Framing, encode: Encode) -> None:
        self.request: Final = request
        self.framing: Final = framing
        self._encode: Final = encode
        self._send: Final = send
        self.begun = False
        self.peer: Final = request.peer
        self.invocation_metadata: Final = request.invocation_metadata
        self.auth_context: Final = request.auth_context
        self.read: Final = request.read
        self.abort_with_status: Final = request.abort_with_status

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        """Send the status and the headers."""
        self.begun = True
        headers = [*COMMON_HEADERS, (b"content-type", self.framing.content_type)]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.send(self.framing.ping)

    async def write(self, message: Message, /) -> None:
        """Send one message."""
        await self.send(self.framing.frame(message, await self._encode(message)))

    async def send(self, data: bytes, *, more: bool = True) -> None:
        """Send a part of the body."""
        await self._send({"type": "http.response.body", "body": data, "more_body": more})

    async def finish(self, error: HttpError | None) -> None:
        """Send the end of the stream, and the error if there is one."""
        if not self.begun:
            if error is not None and not self.framing.errors_in_stream:
                await send_error(self._send, error)
                return
            await self.send_initial_metadata(())
        await self.send(self.framing.end(error), more=False)


async def stream(serve: Serve, context: StreamContext) -> None:
    """Serve a call until it ends, its time is over, or the client is gone."""
    serving = asyncio.ensure_future(_served(serve(None, context), context.request.timeout))
    leaving = asyncio.ensure_future(context.request.disconnected())
    try:
        while not (serving.done() or leaving.done()):
            await asyncio.wait({serving, leaving}, timeout=PING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if context.begun and context.framing.ping and not serving.done():
                await context.send(context.framing.ping)
        if serving.done():
            async with asyncio.timeout(_LAST_WORDS_SECONDS):
                await context.finish(serving.result())
    except TimeoutError:
        context.request.abort()  # without the end of the stream, from which the client sees it
    finally:
        leaving.cancel()
        serving.cancel()
        await asyncio.wait({serving, leaving})


async def _served(served: Awaitable[object], seconds: float | None) -> HttpError | None:
    """The error with which a call ended; None if all went well."""
    try:
        async with asyncio.timeout(seconds):
            await served
    except (AbortedCall, HttpRefusal) as aborted:
        return aborted.error
    except TimeoutError:
        return timed_out(seconds).error
    return None


def timed_out(seconds: float | None) -> HttpRefusal:
    """The error for a call that took longer than its caller waits."""
    return HttpRefusal(HttpReason.TIMED_OUT, f"there was no answer within {seconds or 0:.3f} seconds")
