"""Every method of the service at /shiji.record.v1.RecordService/METHOD, by the Connect protocol.

A request and its response are JSON or protobuf. A stream of responses is sent as lines of JSON to a request
in plain JSON, which is convenient for curl, and in envelopes to clients of Connect. docs/architecture.md says
why it is not the package connectrpc.
"""

import asyncio
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from service.http.codec import AT_ONCE_BYTES, STREAMED_AT_ONCE_BYTES, json_decoder, written_json
from service.http.faults import AbortedCall, HttpReason, HttpRefusal
from service.http.requests import HttpRequest, Send
from service.http.responses import send_body, send_error
from service.http.streams import EnvelopeFraming, Framing, LineFraming, StreamContext, stream, timed_out
from service.method_table import METHODS
from service.rpc import DESCRIPTOR, CallHandler, Decode, Serve, binary_decoder

PREFIX: Final = f"/{DESCRIPTOR.full_name}/"
"""What the path of every method begins with."""

_ENVELOPE: Final = struct.Struct(">BI")
"""The head of a message in a stream: its flags and its length."""

JSON_GROWTH: Final = 2
"""Bytes of a file take a third more in base64, and text with many escapes up to twice as much."""

_COMPRESSION_HEADERS: Final = ("content-encoding", "connect-content-encoding")


@dataclass(frozen=True, slots=True)
class _Form:
    """A content type that requests may have."""

    decoder: Callable[[MethodDescriptor], Decode]
    as_json: bool
    framing: Callable[[], Framing] = LineFraming
    enveloped: bool = False
    """Whether the request is in an envelope as well."""
    growth: int = 1
    """How much longer than a message in protobuf it may be."""


_UNARY_FORMS: Final[Mapping[str, _Form]] = {
    "application/json": _Form(json_decoder, as_json=True, growth=JSON_GROWTH),
    "application/proto": _Form(binary_decoder, as_json=False),
}
_STREAM_FORMS: Final[Mapping[str, _Form]] = {
    "application/json": _UNARY_FORMS["application/json"],
    "application/connect+json": _Form(
        json_decoder,
        as_json=True,
        framing=lambda: EnvelopeFraming(b"application/connect+json"),
        enveloped=True,
        growth=JSON_GROWTH,
    ),
    "application/connect+proto": _Form(
        binary_decoder,
        as_json=False,
        framing=lambda: EnvelopeFraming(b"application/connect+proto"),
        enveloped=True,
    ),
}


class ConnectMethods:
    """The methods of the service, each in every form that it takes."""

    def __init__(self, handler: CallHandler, max_bytes: int) -> None:
        self._handler: Final = handler
        self._max_bytes: Final = max_bytes
        self._served: Final[dict[str, tuple[MethodDescriptor, Mapping[str, tuple[_Form, Serve]]]]] = {}
        for method in DESCRIPTOR.methods:
            forms = _STREAM_FORMS if method.server_streaming else _UNARY_FORMS
            bind = METHODS[method.name]
            served = {
                kind: (form, bind(handler, method.name, form.decoder(method))) for kind, form in forms.items()
            }
            self._served[method.name] = method, served

    async def __call__(self, request: HttpRequest, send: Send) -> None:
        """Answer a request; raises HttpRefusal where it is not one for a method."""
        name = request.path.removeprefix(PREFIX)
        if name not in self._served:
            raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"the service has no method {name[:100]!r}")
        if request.verb != "POST":
            message = f"{name} takes POST, not {request.verb}"
            raise HttpRefusal(HttpReason.WRONG_VERB, message, [(b"allow", b"POST")])
        method, served = self._served[name]
        if method.client_streaming:
            raise HttpRefusal(HttpReason.NEEDS_GRPC, f"{name} needs gRPC, because its requests are a stream")
        form, serve = _form_of(request, served)
        request.receiver = partial(self._receive, request, form)
        if method.server_streaming:
            encode = partial(self._encoded, request, method, form, STREAMED_AT_ONCE_BYTES)
            await stream(serve, StreamContext(request, send, form.framing(), encode))
        else:
            await self._answer(request, send, method, form, serve)

    async def _receive(self, request: HttpRequest, form: _Form) -> bytes:
        data = await request.body(self._max_bytes * form.growth)
        return _out_of_envelope(data) if form.enveloped else data

    async def _answer(
        self, request: HttpRequest, send: Send, method: MethodDescriptor, form: _Form, serve: Serve
    ) -> None:
        timeout = request.timeout
        leaving = asyncio.ensure_future(request.disconnected())
        try:
            async with asyncio.timeout(timeout) as deadline:
                leaving.add_done_callback(partial(_expire, deadline))
                response = await serve(None, request)
        except AbortedCall as aborted:
            await send_error(send, aborted.error)
        except TimeoutError:
            if not leaving.done():
                raise timed_out(timeout) from None
        else:
            encoded = await self._encoded(request, method, form, AT_ONCE_BYTES, cast("Message", response))
            await send_body(send, request.content_type.encode(), encoded)
        finally:
            leaving.cancel()

    async def _encoded(
        self, request: HttpRequest, method: MethodDescriptor, form: _Form, at_once: int, response: Message
    ) -> bytes:
        if form.as_json:
            return await written_json(self._handler, request, method, at_once, response)
        return response.SerializeToString()


def _expire(deadline: asyncio.Timeout, leaving: asyncio.Future[None]) -> None:
    """End a call whose client is gone; nothing if it has ended already."""
    if not leaving.cancelled():
        with suppress(RuntimeError):
            deadline.reschedule(0.0)


def _form_of(request: HttpRequest, served: Mapping[str, tuple[_Form, Serve]]) -> tuple[_Form, Serve]:
    kind = request.content_type
    if kind not in served:
        message = f"this method takes {' or '.join(served)}, not {kind[:100] or 'a request without a type'}"
        raise HttpRefusal(HttpReason.WRONG_TYPE, message, [(b"accept-post", ", ".join(served).encode())])
    for name in _COMPRESSION_HEADERS:
        if (request.header(name) or "identity") != "identity":
            raise HttpRefusal(HttpReason.WRONG_TYPE, "compressed requests are not taken")
    return served[kind]


def _out_of_envelope(data: bytes) -> bytes:
    if len(data) < _ENVELOPE.size or _ENVELOPE.unpack_from(data) != (0, len(data) - _ENVELOPE.size):
        message = (
            "the body is not one message in an envelope: a zero byte, its length in four bytes, the message"
        )
        raise HttpRefusal(HttpReason.BAD_PARAMETER, message)
    return data[_ENVELOPE.size :]
