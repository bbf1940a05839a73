"""The server as a process of its own."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

SERVE = [sys.executable, "-m", "service"]
PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Running:
    process: subprocess.Popen[str]
    channel: grpc.Channel

    def check(self) -> int:
        """The status that the server gives of itself."""
        call = self.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        return call(HealthCheckRequest(), timeout=PATIENCE).status

    def watch(self) -> Generator[int, None, None]:
        """Every status that the server gives of itself from now on, until the generator is closed."""
        call = self.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        answers = call(HealthCheckRequest(), timeout=PATIENCE)
        try:
            for answer in answers:
                yield answer.status
        finally:
            answers.cancel()

    def signal(self, signum: signal.Signals) -> None:
        self.process.send_signal(signum)

    def exit_code(self) -> int:
        return self.process.wait(PATIENCE)


@pytest.fixture
def server() -> Iterator[Running]:
    with subprocess.Popen([*SERVE, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = re.search(r"listens on (\S+)\.$", process.stdout.readline().rstrip())
            assert told is not None
            with grpc.insecure_channel(told[1]) as channel:
                yield Running(process, channel)
        finally:
            process.kill()


def test_it_says_that_it_serves(server: Running) -> None:
    assert server.check() == HealthCheckResponse.SERVING


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly_when_asked(server: Running, signum: signal.Signals) -> None:
    server.signal(signum)

    assert server.exit_code() == 0


def test_it_says_that_it_no_longer_serves_before_it_stops(server: Running) -> None:
    statuses = server.watch()
    before = next(statuses)
    server.signal(signal.SIGTERM)
    after = next(statuses)
    statuses.close()

    assert (before, after) == (HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING)
    assert server.exit_code() == 0


def test_a_second_signal_ends_calls_under_way(server: Running) -> None:
    statuses = server.watch()
    for _ in ("SERVING", "NOT_SERVING"):
        next(statuses)
        server.signal(signal.SIGINT)

    with pytest.raises(grpc.RpcError, match=r"UNAVAILABLE|CANCELLED"):
        next(statuses)
    assert server.exit_code() == 0


def test_a_port_that_is_taken_is_told_without_a_traceback() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"

        done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert f"cannot listen on {address}: Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["", "here", "127.0.0.1", ":50051", "127.0.0.1:", "::1:50051", "h:65536"])
def test_a_malformed_address_is_told_without_a_traceback(address: str) -> None:
    done = subprocess.run([*SERVE, "--listen", address], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "Invalid value for '--listen'" in done.stderr
    assert "Traceback" not in done.stderr
