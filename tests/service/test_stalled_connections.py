"""HTTP clients that stop in the middle: their connections are closed, whatever they are waiting for."""

import asyncio
import socket
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager

import pytest

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service.address import Address
from service.http import port, streams
from service.http.application import HttpApplication
from service.http.own_hosts import OwnHosts
from service.http.requests import ABORT
from tests.records.matches import MOVES, Table, begin
from tests.service.http_calls import TIMEOUT_SECONDS
from tests.service.running import (
    FaultCollector,
    InProcessService,
    Options,
    handler_over,
    no_log,
    serving_in_process,
)

SHORT_SECONDS = 0.1
"""Stands for every time that a client has, so that tests need not wait for it."""


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[InProcessService]:
    for name in ("HEAD_SECONDS", "LAST_BYTES_SECONDS"):
        monkeypatch.setattr(port, name, SHORT_SECONDS)
    with serving_in_process(Ledger(MemoryLog())) as service:
        yield service


@contextmanager
def connected(running: InProcessService) -> Iterator[socket.socket]:
    """A connection that takes little at a time."""
    host, _, number = running.web.partition(":")
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(TIMEOUT_SECONDS)
        client.connect((host, int(number)))
        yield client


def get(running: InProcessService, path: str, *headers: str) -> bytes:
    """A request, without its last empty line."""
    lines = (f"GET {path} HTTP/1.1", f"Host: {running.web}", *headers)
    return "".join(f"{line}\r\n" for line in lines).encode()


def until_closed(client: socket.socket) -> bytes:
    """What arrives until the server closes the connection."""
    found = b""
    try:
        while data := client.recv(65536):
            found += data
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n", b"\r\n"])
def test_headers_that_do_not_end_close_the_connection(running: InProcessService, begun: bytes) -> None:
    with connected(running) as client:
        client.sendall(begun)

        assert until_closed(client) == b""


@pytest.mark.parametrize(
    ("begun", "together"),
    [(b"G", True), (b"G", False), (b"GET / HTTP/1.1\r\nX: y\r\n", True), (b"\r\n", False)],
)
def test_so_do_those_of_a_further_request(
    running: InProcessService,
    begun: bytes,
    together: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    first = get(running, "/check") + b"\r\n"
    with connected(running) as client:
        client.sendall(first + (begun if together else b""))
        received = client.recv(65536)
        if not together:
            client.sendall(begun)
        received += until_closed(client)

    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1") == 1


def test_a_body_that_nobody_asked_for_and_does_not_end_closes_the_connection(
    running: InProcessService,
) -> None:
    with connected(running) as client:
        client.sendall(get(running, "/check", "Content-Length: 1000000") + b"\r\n")
        received = client.recv(65536)
        client.sendall(b"x")

        assert (received + until_closed(client)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("taken", [0, 1, 4])
@pytest.mark.parametrize("path", ["/matches/{}/events", "/matches/{}", "/matches/{}/transcript", "/nowhere"])
def test_a_response_that_its_client_stops_to_take_ends_with_the_connection(
    monkeypatch: pytest.MonkeyPatch, path: str, taken: int
) -> None:
    monkeypatch.setattr(streams, "PING_SECONDS", SHORT_SECONDS / 2)
    monkeypatch.setattr(streams, "_LAST_WORDS_SECONDS", SHORT_SECONDS)
    table, collector = in_memory_match(), FaultCollector()

    async def closed() -> bool:
        handler = handler_over(table.ledger, no_log, collector, Options(stall_seconds=SHORT_SECONDS))
        application = HttpApplication(handler, OwnHosts(Address("127.0.0.1", 80), ""))
        client = StallingClient(taken)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await application(client.scope(path.format(table.match)), client.receive, client.send)
        return client.is_closed.is_set() or client.sent <= taken

    assert asyncio.run(closed())
    assert not collector.faults


def in_memory_match() -> Table:
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES)
    return table


class StallingClient:
    """Takes some messages of a response, and then no more."""

    def __init__(self, taken: int) -> None:
        self.sent = 0
        self._taken = taken
        self.is_closed = asyncio.Event()

    def scope(self, path: str) -> dict[str, object]:
        fields: dict[str, object] = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        headers = [(b"host", b"127.0.0.1")]
        return fields | {"headers": headers, "client": ("127.0.0.1", 1), ABORT: self.is_closed.set}

    async def receive(self) -> MutableMapping[str, object]:
        await self.is_closed.wait()
        return {"type": "http.disconnect"}

    async def send(self, _: MutableMapping[str, object]) -> None:
        self.sent += 1
        if self.sent > self._taken:
            await self.is_closed.wait()
