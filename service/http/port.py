"""The HTTP port of a server: it runs in the server's event loop, and stops when it drains."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.address import Address
from service.http.application import HttpApplication
from service.http.connections import Connections
from service.http.requests import ABORT, TLS_NAME

MAX_HEAD_BYTES: Final = 65_536
"""Maximum bytes of a request's first line and headers; tokens and addresses take a few hundred."""

HEAD_SECONDS: Final = 20.0
"""Time for a client to send the headers of a request, of its first as of every further one, so that silent
connections do not add up."""

KEEP_ALIVE_SECONDS: Final = 60
"""Time for which a connection without a request is kept."""

LAST_BYTES_SECONDS: Final = 30.0
"""Time for a client to take what is left of a response after which its connection is closed."""


class HttpPort:
    """A listening HTTP port."""

    def __init__(
        self,
        app: HttpApplication,
        listening: socket.socket,
        tls: ssl.SSLContext | None,
        max_requests: int,
        connections: Connections | None = None,
    ) -> None:
        counted = self.connections = connections or Connections()

        class Protocol(_BoundedProtocol):
            counts = counted

        config = uvicorn.Config(
            app,
            http=Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level=_NO_LOG_LEVEL,  # what matters is logged by the application
            access_log=False,
            proxy_headers=False,  # anybody could send them
            server_header=False,
            limit_concurrency=max_requests,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ssl_context_factory=None if tls is None else lambda _config, _default: tls,
        )
        self._server: Final = _Server(config)
        self._sockets: Final = [listening]
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take requests from now on."""
        self._serving = asyncio.create_task(self._server.serve(self._sockets))
        await self._server.listening.wait()

    async def stop(self, grace: float) -> None:
        """Take no more requests, and wait for those in progress, but not longer than this."""
        if self._serving is None:
            return
        self._server.should_exit = True
        done, _ = await asyncio.wait({self._serving}, timeout=grace)
        if not done:
            self._server.abort()
            await self._serving


_NO_LOG_LEVEL: Final = 60
"""Above every level of a log line."""


_TOO_MANY: Final = (
    b'{"code":"unavailable","message":"too many connections are open, in all or from this host'
    b' (max-web-connections, max-web-connections-per-host)",'
    b'"advice":"Close some of them, or try again in 5 seconds."}'
)
_TOO_MANY_CONNECTIONS: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
) % (len(_TOO_MANY), _TOO_MANY)
"""What a client gets for a connection that is one too many, before it has sent anything."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening: Final = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the server that this is a part of."""
        yield

    def abort(self) -> None:
        """Close all connections."""
        self.force_exit = True
        for task in self.server_state.tasks:
            task.cancel()
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class _BoundedProtocol(HttpToolsProtocol):
    """A connection whose client must send its headers in time, and few of them, and take its responses."""

    counts: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        super().connection_made(transport)
        self._head_bytes = 0
        self._headers_done = False
        self._timer: asyncio.TimerHandle | None = None
        """Closes the connection; None while a request is answered."""
        self._close_in(HEAD_SECONDS)
        self._tls_name = _certificate_name(transport)
        self._host = self.client[0] if self.client else ""
        self._is_counted = self.counts.open(self._host)
        if not self._is_counted:
            transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()
            self._close_in(LAST_BYTES_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._go_on()
        if self._is_counted:
            self.counts.close(self._host)
        super().connection_lost(exc)
        # They lead back to the connection, which would stay in memory until garbage is collected.
        self.pipeline.clear()
        for part in ("cycle", "scope", "flow"):
            setattr(self, part, None)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._timer is None and self.cycle.response_complete:
            # Also of what is no beginning of a request: empty lines, or a body that nobody reads any more.
            self._close_in(HEAD_SECONDS)
        if self._headers_done:
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"The headers are longer than {MAX_HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._headers_done = False
        scope = cast("dict[str, object]", self.scope)
        scope[ABORT] = self._abort
        if self._tls_name:
            scope[TLS_NAME] = self._tls_name

    def on_headers_complete(self) -> None:
        self._headers_done = True
        self._head_bytes = 0
        self._go_on()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._close_in(LAST_BYTES_SECONDS)
        elif not self._headers_done:  # the next request has begun while this one was answered
            self._close_in(HEAD_SECONDS)

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        self._close_in(LAST_BYTES_SECONDS)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its client has not taken all of the last response."""
        self.transport.abort()

    def _close_in(self, seconds: float) -> None:
        self._go_on()
        self._timer = self.loop.call_later(seconds, self._abort)

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _abort(self) -> None:
        """Close the connection without waiting for its client."""
        self.counts.stalled += 1
        self.transport.abort()


def bound_socket(address: Address, *, shared: bool = False) -> tuple[socket.socket, Address]:
    """A socket that is bound to the address, and the address with its actual port; raises OSError.

    With `shared`, other processes of the server listen there, too.
    """
    family, *_, sockaddr = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1)
        bound.bind(sockaddr)
        bound.listen()
    except OSError:
        bound.close()
        raise
    return bound, replace(address, port=bound.getsockname()[1])


def _certificate_name(transport: asyncio.Transport) -> str:
    """The common name in the client's certificate; empty where it presented none."""
    certificate: object = transport.get_extra_info("peercert")
    subject = certificate.get("subject", ()) if isinstance(certificate, dict) else ()
    return next((value for part in subject for key, value in part if key == "commonName"), "")
