"""Keepalive: silent connections stay open while the peer answers pings, and are closed when it does not."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.service.servers import TIMEOUT_SECONDS, Running, serving

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, GOAWAY = 4, 6, 7
ACK = 1
ENHANCE_YOUR_CALM = 11
"""The error code of HTTP/2 for a peer that sends too much."""


class Peer:
    """The client side of an HTTP/2 connection, which answers nothing unless the test does."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._file = connection.makefile("rb")
        connection.sendall(PREFACE)
        self.send(SETTINGS)

    def send(self, kind: int, flags: int = 0, body: bytes = b"") -> None:
        self._connection.sendall(
            struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, 0) + body
        )

    def frames(self) -> Iterator[tuple[int, int, bytes]]:
        """Kind, flags and content of each frame until the server closes the connection."""
        try:
            while head := self._file.read(9):
                kind, flags, _ = struct.unpack(">BBI", head[3:])
                yield kind, flags, self._file.read(int.from_bytes(head[:3]))
        except ConnectionResetError:
            return


@contextmanager
def peer_of(server: Running) -> Iterator[Peer]:
    host, port = server.address.split(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS) as connection:
        yield Peer(connection)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "archive.db", "--keepalive=1", "--keepalive-timeout=1") as running:
        yield running


def test_a_connection_that_answers_no_ping_is_closed(server: Running) -> None:
    with peer_of(server) as peer:
        kinds = [kind for kind, _, _ in peer.frames()]

    assert PING in kinds


def test_a_connection_that_answers_pings_stays_open(server: Running) -> None:
    with peer_of(server) as peer:
        pings = 0
        for kind, flags, body in peer.frames():
            assert kind != GOAWAY
            if kind == PING and not flags & ACK:
                peer.send(PING, ACK, body)
                pings += 1
            if pings == 3:
                break

    assert pings == 3


def test_a_client_that_pings_too_often_is_disconnected(server: Running) -> None:
    with peer_of(server) as peer:
        with suppress(BrokenPipeError):  # it may be disconnected before the last one
            for number in range(10):
                peer.send(PING, 0, struct.pack(">Q", number))
        reasons = [int.from_bytes(body[4:8]) for kind, _, body in peer.frames() if kind == GOAWAY]

    assert ENHANCE_YOUR_CALM in reasons
