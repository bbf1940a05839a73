"""Real servers for tests, each in a process of its own on a free port, and stubs to call them."""

import re
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Self, TextIO, TypeVar

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_status import rpc_status
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

SERVE = (sys.executable, "-m", "service")
TIMEOUT_SECONDS = 20.0
"""Limit for anything that a test waits for; no test gets near it."""
PROCESS_SECONDS = 120.0
"""Limit for what a process does from its start, or to its end: on a machine full of other work, its imports
alone take over 20 seconds."""

OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
"""Option of a channel that does not share its connection with other channels to the same address."""

Detail = TypeVar("Detail", bound=Message)


@dataclass(frozen=True, slots=True)
class Running:
    """A running server, and a connection to it."""

    process: subprocess.Popen[str]
    address: str
    db: Path
    """The file of its archive; empty where it is given by an address."""
    channel: grpc.Channel
    startup_lines: tuple[str, ...]
    """What it printed when it started."""

    @property
    def web(self) -> str:
        """The address of its HTTP port."""
        found = re.search(r"https?://(\S+?)/ ", " ".join(self.startup_lines))
        assert found is not None, self.startup_lines
        return found[1]

    @property
    def stub(self) -> RecordServiceStub:
        """Its methods; calls have no token unless metadata is given."""
        return RecordServiceStub(self.channel)

    def check(self, part: str = "") -> int:
        """The health status of the server, or of a part of it."""
        call = self.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        return call(HealthCheckRequest(service=part), timeout=TIMEOUT_SECONDS).status

    def watch(self) -> Generator[int, None, None]:
        """Every health status from now on, until the generator is closed."""
        call = self.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        answers = call(HealthCheckRequest(), timeout=TIMEOUT_SECONDS)
        try:
            for answer in answers:
                yield answer.status
        finally:
            answers.cancel()

    def signal(self, signum: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(signum)

    def exit_code(self) -> int:
        """The exit code, once the process has ended."""
        return self.process.wait(PROCESS_SECONDS)


@contextmanager
def serving(
    db: Path | str,
    *flags: str | Path,
    listen: str = "127.0.0.1:0",
    credentials: grpc.ChannelCredentials | None = None,
    log: TextIO | None = None,
) -> Iterator[Running]:
    """A server over this file or address, started as a user starts it; killed at the end of the block.

    It has an HTTP port only where a flag asks for it, so that tests do not compete for the default one.
    Its log goes to the file, or to pytest's captured output.
    """
    web = () if "--web" in flags else ("--no-web",)
    command = [*SERVE, *_archive(db), "--listen", listen, *web, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            lines = tuple(_startup_lines(process))
            found = re.search(r"listens .*?on (\S+)\.$", lines[0])
            assert found is not None, lines
            address = f"127.0.0.1:{found[1].rpartition(':')[2]}"
            with connected(address, credentials) as channel:
                yield Running(process, address, db if isinstance(db, Path) else Path(), channel, lines)
        finally:
            process.kill()


def not_serving(
    db: Path | str, *flags: str | Path, listen: str = "127.0.0.1:0"
) -> subprocess.CompletedProcess[str]:
    """Output and exit code of a server that cannot start."""
    command = [*SERVE, *_archive(db), "--listen", listen, *flags]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PROCESS_SECONDS)


def _archive(db: Path | str) -> tuple[str | Path, ...]:
    return ("--log", db) if isinstance(db, str) else ("--db", db)


@dataclass(frozen=True, slots=True)
class Playing:
    """An open Play stream."""

    answers: Iterator[pb.PlayResponse]
    _requests: SimpleQueue[pb.PlayRequest | None]

    @classmethod
    def of(cls, server: Running, token: str, timeout: float = TIMEOUT_SECONDS) -> Self:
        """A new stream, authenticated with this token."""
        requests = SimpleQueue[pb.PlayRequest | None]()
        sent = iter(requests.get, None)
        return cls(server.stub.Play(sent, metadata=bearer(token), timeout=timeout), requests)

    def send(self, request: pb.PlayRequest) -> None:
        """Send a request."""
        self._requests.put(request)

    def end(self) -> None:
        """Send no more requests."""
        self._requests.put(None)


def connected(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.Channel:
    """A channel with a connection of its own."""
    if credentials is None:
        return grpc.insecure_channel(address, OWN_CONNECTION)
    return grpc.secure_channel(address, credentials, OWN_CONNECTION)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a call with this token."""
    return (("authorization", f"Bearer {token}"),)


@dataclass(slots=True)
class Refusal:
    """The error that a call ended with."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    reason: str = ""
    message: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    details: tuple[Packed, ...] = ()

    def detail(self, kind: type[Detail]) -> Detail:
        """The detail of this kind; fails if there is none."""
        detail = kind()
        assert any(packed.Unpack(detail) for packed in self.details)
        return detail


def refusal_of(fault: grpc.RpcError) -> Refusal:
    """The error that a call ended with, from gRPC's exception."""
    call: object = fault
    assert isinstance(call, grpc.Call)
    refusal = Refusal(call.code(), message=call.details() or "")
    status = rpc_status.from_call(call)
    if status is not None:
        refusal.details = tuple(status.details)
        info = refusal.detail(ErrorInfo)
        refusal.reason, refusal.metadata = info.reason, dict(info.metadata)
    return refusal


@contextmanager
def refused() -> Iterator[Refusal]:
    """Expects that a call in the block is refused; the error is filled in when the block has ended."""
    refusal = Refusal()
    with pytest.raises(grpc.RpcError) as raised:
        yield refusal
    actual = refusal_of(raised.value)
    for name in ("code", "reason", "message", "metadata", "details"):
        setattr(refusal, name, getattr(actual, name))


def _startup_lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """The lines that a server prints when it starts; none if it does not start."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line.rstrip()
        if line.startswith("Ctrl-C"):
            return
