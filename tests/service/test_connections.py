"""Connections to the HTTP port are bounded in all and per host, and never take all files of the process."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.http.connections import Connections
from tests.service.http_calls import ask, connected
from tests.service.servers import Running, serving


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=50))
def test_a_host_and_all_hosts_have_their_bound(events: list[tuple[str, bool]]) -> None:
    connections, held = Connections(5, 3), list[str]()
    for host, opens in events:
        if opens:
            expected = len(held) < 5 and held.count(host) < 3
            assert connections.open(host) is expected
            if expected:
                held.append(host)
        elif host in held:
            connections.close(host)
            held.remove(host)

        assert connections.size == len(held)


def test_half_of_the_files_are_left_for_others() -> None:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    connections = Connections(10 * files, 10 * files)

    opened = sum(connections.open("a") for _ in range(files))
    assert opened == files // 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    flags = ("--web", "127.0.0.1:0", "--max-web-connections-per-host", "2")
    with serving(tmp_path / "shiji.db", *flags) as running:
        yield running


def test_a_connection_too_many_is_refused_and_others_go_on(server: Running) -> None:
    with connected(server.web) as first, connected(server.web) as second:
        for each in (first, second):
            each.sendall(f"GET /check HTTP/1.1\r\nHost: {server.web}\r\n\r\n".encode())
            assert each.recv(100).startswith(b"HTTP/1.1 200 ")
        with connected(server.web) as third:
            refused = third.recv(1000)
        second.sendall(b"")

    head, _, body = refused.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 ")
    assert f"content-length: {len(body)}".encode() in head
    assert "max-web-connections" in json.loads(body)["message"]
    assert server.check()


def test_when_connections_are_closed_others_may_be_opened(server: Running) -> None:
    assert [ask(server.web, "/check").status for _ in range(6)] == [200] * 6
