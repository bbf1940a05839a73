"""A small HTTP server of its own, on which Prometheus reads the metrics."""

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

_PATIENCE: Final = 10.0
"""So many seconds whoever connects has to say what he wants."""

_LOOK: Final = 0.1
"""So many seconds it takes at most to notice that the port is closed."""


class MetricsPortTaken(OSError):
    """The metrics cannot be served on the address."""


@contextmanager
def serving(registry: CollectorRegistry, address: Address) -> Iterator[Address]:
    """Serves the metrics as long as it lasts, on the address with its actual port."""
    try:
        server = _bound(registry, address)
    except OSError as fault:
        raise MetricsPortTaken(f"cannot serve metrics on {address}: {fault.strerror}") from fault
    thread = threading.Thread(target=server.serve_forever, args=(_LOOK,), name="shiji-metrics", daemon=True)
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
    timeout: ClassVar[float | None] = _PATIENCE

    def do_GET(self) -> None:
        """Answer with a page."""
        match self.path.partition("?")[0]:
            case "/metrics":
                encode, kind = choose_encoder(self.headers.get("Accept", ""))
                self._answer(HTTPStatus.OK, kind, encode(self.metrics))
            case "/":
                self._answer(HTTPStatus.OK, "text/plain; charset=utf-8", b"Shiji. Its metrics: /metrics\n")
            case _:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", b"Only / and /metrics.\n")

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        """Which Python it runs on is nobody's business."""
        return "shiji"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server has it
        """Who reads the metrics is not logged."""
