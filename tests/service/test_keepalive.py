"""Connections that say nothing: whoever is there stays, and whoever is gone is found out."""

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.service.servers import PATIENCE, Running, serving

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, GOAWAY = 4, 6, 7
ACK = 1
TOO_OFTEN = 11
"""ENHANCE_YOUR_CALM, as HTTP/2 calls it."""


class Peer:
    """One side of an HTTP/2 connection, which answers nothing by itself."""

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
        """Kind, flags and content of each frame until the server hangs up."""
        try:
            while head := self._file.read(9):
                kind, flags, _ = struct.unpack(">BBI", head[3:])
                yield kind, flags, self._file.read(int.from_bytes(head[:3]))
        except ConnectionResetError:
            return


@contextmanager
def peer_of(server: Running) -> Iterator[Peer]:
    host, port = server.address.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        yield Peer(connection)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "archive.db", "--keepalive=1", "--keepalive-timeout=1") as running:
        yield running


def test_whoever_answers_nothing_is_hung_up_on(server: Running) -> None:
    with peer_of(server) as peer:
        kinds = [kind for kind, _, _ in peer.frames()]

    assert PING in kinds


def test_whoever_says_that_he_is_there_stays(server: Running) -> None:
    with peer_of(server) as peer:
        asked = 0
        for kind, flags, body in peer.frames():
            assert kind != GOAWAY
            if kind == PING and not flags & ACK:
                peer.send(PING, ACK, body)
                asked += 1
            if asked == 3:
                break

    assert asked == 3


def test_whoever_asks_too_often_whether_the_server_is_there_is_told_to_go(server: Running) -> None:
    with peer_of(server) as peer:
        for number in range(10):
            peer.send(PING, 0, struct.pack(">Q", number))
        reasons = [int.from_bytes(body[4:8]) for kind, _, body in peer.frames() if kind == GOAWAY]

    assert TOO_OFTEN in reasons
