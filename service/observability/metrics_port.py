"""The HTTP server from which Prometheus reads the metrics."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from service.address import Address

_REQUEST_TIMEOUT_SECONDS: Final = 10.0
"""Time for a client to send its request, so that a silent connection does not hold a thread for ever."""

_SHUTDOWN_POLL_SECONDS: Final = 0.1
"""Time between two checks for shutdown, and so the longest delay that this port adds to a stop."""


class MetricsPortTaken(OSError):
    """The metrics cannot be served on the address."""


@contextmanager
def serving(registry: CollectorRegistry, address: Address) -> Iterator[Address]:
    """Serve the metrics for the duration of the block; yields the address with its actual port."""
    try:
        server = _bound(registry, address)
    except OSError as fault:
        raise MetricsPortTaken(f"cannot serve metrics on {address}: {fault.strerror}") from fault
    thread = threading.Thread(
        target=server.serve_forever, args=(_SHUTDOWN_POLL_SECONDS,), name="shiji-metrics", daemon=True
    )
    thread.start()
    try:
        yield replace(address, port=server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _bound(registry: CollectorRegistry, address: Address) -> ThreadingHTTPServer:
    found, *_ = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]

    class Server(ThreadingHTTPServer):
        address_family: int = found

    class Handler(_Pages):
        metrics = registry

    return Server((address.host, address.port), Handler)


class _Pages(BaseHTTPRequestHandler):
    metrics: CollectorRegistry
    timeout: ClassVar[float | None] = _REQUEST_TIMEOUT_SECONDS

    def do_GET(self) -> None:
        """Answer a request."""
        match self.path.partition("?")[0]:
            case "/metrics":
                encode, kind = choose_encoder(self.headers.get("Accept", ""))
                self._answer(HTTPStatus.OK, kind, encode(self.metrics))
            case "/":
                self._answer(HTTPStatus.OK, "text/plain; charset=utf-8", b"Shiji metrics: /metrics\n")
            case _:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", b"Only / and /metrics.\n")

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        """The Server header, without the version of Python that http.server would send."""
        return "shiji"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server has it
        """Log nothing: requests for metrics are too frequent and of no interest."""
