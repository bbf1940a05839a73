"""A real server for a test: a process of its own on a free port, and stubs to call it with."""

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
PATIENCE = 20.0
OWN = (("grpc.use_local_subchannel_pool", 1),)
"""Channels to one address share their connection otherwise."""

Detail = TypeVar("Detail", bound=Message)


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs, and a connection to it."""

    process: subprocess.Popen[str]
    address: str
    db: Path
    channel: grpc.Channel
    said: tuple[str, ...]
    """The lines that it began with."""

    @property
    def stub(self) -> RecordServiceStub:
        """Its methods, for whoever needs no token."""
        return RecordServiceStub(self.channel)

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
        """Send it a signal."""
        self.process.send_signal(signum)

    def exit_code(self) -> int:
        """What it ends with, once it has ended."""
        return self.process.wait(PATIENCE)


@contextmanager
def serving(
    db: Path,
    *flags: str | Path,
    listen: str = "127.0.0.1:0",
    credentials: grpc.ChannelCredentials | None = None,
    log: TextIO | None = None,
) -> Iterator[Running]:
    """A server over this file, started as a user starts it; it ends with the block, if not before.

    Its log goes to the file, or is shown with the test.
    """
    command = [*SERVE, "--db", db, "--listen", listen, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            said = tuple(_opening(process))
            told = re.search(r"listens on (\S+)\.$", said[0])
            assert told is not None, said
            address = f"127.0.0.1:{told[1].rpartition(':')[2]}"
            with connected(address, credentials) as channel:
                yield Running(process, address, db, channel, said)
        finally:
            process.kill()


def not_serving(
    db: Path, *flags: str | Path, listen: str = "127.0.0.1:0"
) -> subprocess.CompletedProcess[str]:
    """What is told by a server that cannot start."""
    command = [*SERVE, "--db", db, "--listen", listen, *flags]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


@dataclass(frozen=True, slots=True)
class Playing:
    """A stream of moves that is open."""

    answers: Iterator[pb.PlayResponse]
    _requests: SimpleQueue[pb.PlayRequest | None]

    @classmethod
    def of(cls, server: Running, token: str, timeout: float = PATIENCE) -> Self:
        """A new one, of whoever has this token."""
        requests = SimpleQueue[pb.PlayRequest | None]()
        asked = iter(requests.get, None)
        return cls(server.stub.Play(asked, metadata=bearer(token), timeout=timeout), requests)

    def send(self, request: pb.PlayRequest) -> None:
        """One more move."""
        self._requests.put(request)

    def end(self) -> None:
        """No more moves."""
        self._requests.put(None)


def connected(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.Channel:
    """A connection of its own."""
    if credentials is None:
        return grpc.insecure_channel(address, OWN)
    return grpc.secure_channel(address, credentials, OWN)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a call with this token."""
    return (("authorization", f"Bearer {token}"),)


@dataclass(slots=True)
class Refusal:
    """What a call was refused with, once it was."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    reason: str = ""
    message: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    details: tuple[Packed, ...] = ()

    def detail(self, kind: type[Detail]) -> Detail:
        """The detail of this kind, which there must be."""
        detail = kind()
        assert any(packed.Unpack(detail) for packed in self.details)
        return detail


def refusal_of(fault: grpc.RpcError) -> Refusal:
    """What a call was refused with."""
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
    """Within the block a call is refused; afterwards it is known with what."""
    refusal = Refusal()
    with pytest.raises(grpc.RpcError) as raised:
        yield refusal
    told = refusal_of(raised.value)
    for name in ("code", "reason", "message", "metadata", "details"):
        setattr(refusal, name, getattr(told, name))


def _opening(process: subprocess.Popen[str]) -> Iterator[str]:
    """The lines that a server begins with; none where it did not start."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line.rstrip()
        if line.startswith("Ctrl-C"):
            return
