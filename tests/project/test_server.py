"""The server process: health, signals and start-up errors."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckResponse

from tests.service.servers import SERVE, Running, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "shiji.db") as running:
        yield running


def test_it_reports_that_it_serves(server: Running) -> None:
    assert server.check() == HealthCheckResponse.SERVING


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly_on_a_signal(server: Running, signum: signal.Signals) -> None:
    server.signal(signum)

    assert server.exit_code() == 0


def test_it_reports_that_it_no_longer_serves_before_it_stops(server: Running) -> None:
    statuses = server.watch()
    before = next(statuses)
    server.signal(signal.SIGTERM)
    after = next(statuses)
    statuses.close()

    assert (before, after) == (HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING)
    assert server.exit_code() == 0


def test_a_second_signal_cancels_open_calls(server: Running) -> None:
    statuses = server.watch()
    for _ in ("SERVING", "NOT_SERVING"):
        next(statuses)
        server.signal(signal.SIGINT)

    with pytest.raises(grpc.RpcError, match=r"UNAVAILABLE|CANCELLED"):
        next(statuses)
    assert server.exit_code() == 0


def test_a_port_in_use_is_reported_without_a_traceback() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"

        done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert f"cannot listen on {address}: Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["", "here", "127.0.0.1", ":50051", "127.0.0.1:", "::1:50051", "h:65536"])
def test_a_malformed_address_is_reported_without_a_traceback(address: str) -> None:
    done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "--listen takes HOST:PORT" in done.stderr
    assert "Traceback" not in done.stderr
