"""An HTTP request: its headers, its body within the limits, and its caller as methods see it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Final, Never, TypeAlias, cast

import grpc
from google.protobuf.message import Message

from service.errors import CallError, Reason
from service.http.faults import AbortedCall, HttpReason, HttpRefusal

Scope: TypeAlias = MutableMapping[str, object]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, object]]]
Send: TypeAlias = Callable[[MutableMapping[str, object]], Awaitable[None]]

TLS_NAME: Final = "shiji.tls_name"
"""Where a request has the name in the certificate that its caller presented."""

ABORT: Final = "shiji.abort"
"""Where a request has what closes its connection at once, with whatever is not sent yet."""

_MAX_TIMEOUT_DIGITS: Final = 10
"""Maximum digits of Connect-Timeout-Ms, as its specification has it."""


class HttpRequest:
    """A request, and the context of the call that it makes."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope: Final = scope
        self._receive: Final = receive
        self.verb: Final = str(scope["method"])
        self.path: Final = str(scope["path"])
        sent = cast("list[tuple[bytes, bytes]]", scope["headers"])
        self.receiver: Callable[[], Awaitable[bytes]] = _nothing
        """Receives the request that the call makes."""
        self._was_read: Final = asyncio.Event()
        self.refusal: HttpRefusal | None = None
        """Why the request could not be received, if it could not: HTTP has a status of its own for that."""
        self.fields: Final = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in sent]

    def header(self, name: str) -> str | None:
        """The value of a header; None if it was not sent. Raises HttpRefusal if it was sent twice."""
        found = [value for key, value in self.fields if key == name]
        if len(found) > 1:
            raise HttpRefusal(HttpReason.BAD_PARAMETER, f"the header {name} was sent {len(found)} times")
        return found[0] if found else None

    @property
    def content_type(self) -> str:
        """The Content-Type without its parameters, of which only UTF-8 is taken."""
        kind, _, parameters = (self.header("content-type") or "").partition(";")
        charset = parameters.strip().lower().replace('"', "")
        return kind.strip().lower() if charset in {"", "charset=utf-8"} else f"{kind};{parameters}"

    @property
    def timeout(self) -> float | None:
        """Seconds that the caller waits for an answer; None if it did not say."""
        sent = self.header("connect-timeout-ms")
        if sent is None:
            return None
        if not (sent.isascii() and sent.isdigit() and len(sent) <= _MAX_TIMEOUT_DIGITS):
            raise HttpRefusal(HttpReason.BAD_PARAMETER, "connect-timeout-ms takes up to 10 digits")
        return int(sent) / 1000

    async def body(self, max_bytes: int) -> bytes:
        """The whole body; raises HttpRefusal where it is too long, and CallError where the client is gone."""
        declared = self.header("content-length")
        if declared is not None and int(declared) > max_bytes:
            raise _too_long(max_bytes)
        chunks, size, more = list[bytes](), 0, True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise CallError(
                    Reason.UNREADABLE_REQUEST, "the client is gone before it had sent its request"
                )
            chunk, more = cast("bytes", message.get("body", b"")), bool(message.get("more_body"))
            chunks.append(chunk)
            size += len(chunk)
            if size > max_bytes:
                raise _too_long(max_bytes)
        return b"".join(chunks)

    async def disconnected(self) -> None:
        """Wait until the client has closed its connection, once the request is read."""
        await self._was_read.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def forget(self) -> None:
        """Let go of what leads back to the request, once it is answered."""
        self.receiver = _nothing
        self.refusal = None

    def abort(self) -> None:
        """Close the connection at once: its client does not take what is sent."""
        close = self.scope.get(ABORT)
        if callable(close):
            close()

    # What follows is the context of the call.

    def peer(self) -> str:
        """The address of the caller, as gRPC writes it."""
        client = self.scope.get("client")
        if not isinstance(client, tuple | list):
            return "unknown"
        host, port = client
        return f"ipv6:[{host}]:{port}" if ":" in str(host) else f"ipv4:{host}:{port}"

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]]:
        """The headers."""
        return self.fields

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """The name in the caller's certificate, which the TLS layer has verified."""
        name = self.scope.get(TLS_NAME)
        return {"x509_common_name": [name.encode()]} if isinstance(name, str) else {}

    async def read(self) -> bytes:
        """The request that the call makes; raises CallError."""
        try:
            return await self.receiver()
        except HttpRefusal as refusal:
            self.refusal = refusal
            raise CallError(Reason.UNREADABLE_REQUEST, str(refusal)) from refusal
        finally:
            self._was_read.set()

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        """Nothing: one response has nothing before it."""

    async def write(self, _: Message, /) -> None:
        """Nothing is written to a call with one response."""
        raise NotImplementedError

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        """Raises the error; it is sent where the call was begun."""
        raise AbortedCall(status) if self.refusal is None else self.refusal


async def _nothing() -> bytes:
    return b""


def _too_long(max_bytes: int) -> HttpRefusal:
    message = f"the body is longer than {max_bytes} bytes"
    return HttpRefusal(HttpReason.TOO_LONG, message, [(b"connection", b"close")])
