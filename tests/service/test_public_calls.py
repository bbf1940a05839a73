"""Health checks and reflection need no token, and cost the server little whatever is sent to them."""

import asyncio
from collections.abc import Iterator
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from service import public_streams
from service.health import HealthMethods, HealthReports
from service.public_streams import (
    MAX_PUBLIC_READS,
    MAX_PUBLIC_READS_PER_HOST,
    MAX_PUBLIC_REQUEST_BYTES,
    MAX_PUBLIC_STREAMS_PER_HOST,
    PublicContext,
    PublicStreams,
)
from tests.service.servers import TIMEOUT_SECONDS, Running, refusal_of, serving

LARGE = HealthCheckRequest(service="a" * 4_000_000).SerializeToString()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("public") / "shiji.db") as running:
        yield running


@pytest.mark.parametrize(
    "method", ["grpc.health.v1.Health/Check", "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"]
)
def test_a_request_without_a_token_is_small(server: Running, method: str) -> None:
    call: grpc.UnaryStreamMultiCallable[bytes, bytes] = server.channel.unary_stream(f"/{method}")
    with pytest.raises(grpc.RpcError) as raised:
        next(call(LARGE, timeout=TIMEOUT_SECONDS))

    error = refusal_of(raised.value)
    assert error.reason == "UNREADABLE_REQUEST"
    assert str(MAX_PUBLIC_REQUEST_BYTES) in error.message
    assert server.check() == HealthCheckResponse.SERVING


def test_what_is_no_request_is_refused(server: Running) -> None:
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = server.channel.unary_unary(
        "/grpc.health.v1.Health/Check"
    )
    with pytest.raises(grpc.RpcError) as raised:
        call(b"\xff", timeout=TIMEOUT_SECONDS)

    assert refusal_of(raised.value).reason == "UNREADABLE_REQUEST"


def test_a_part_that_is_not_known_has_no_health(server: Running) -> None:
    with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
        server.check("nowhere")


def test_reflection_answers_each_request_of_a_stream(server: Running) -> None:
    call = server.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )
    asked = [
        ServerReflectionRequest(list_services=""),
        ServerReflectionRequest(file_containing_symbol="grpc.health.v1.Health"),
    ]
    answers = list(call(iter(asked), timeout=TIMEOUT_SECONDS))

    assert "grpc.health.v1.Health" in [each.name for each in answers[0].list_services_response.service]
    assert answers[1].file_descriptor_response.file_descriptor_proto


class Caller:
    """The part of gRPC's context that is used, of a caller that sends and takes what a test lets it."""

    def __init__(self, host: int, *, sends: bytes | None = None, takes: bool = True) -> None:
        self._host, self._sends, self._takes = host, sends, takes
        self.taken = list[Message]()
        self.took_two = asyncio.Event()
        self.status: grpc.Status | None = None

    @property
    def context(self) -> PublicContext:
        return cast("PublicContext", self)

    def peer(self) -> str:
        return f"ipv4:192.0.2.{self._host}:1"

    async def read(self) -> object:
        if self._sends is None:
            await asyncio.Event().wait()
        return self._sends

    async def write(self, message: Message) -> None:
        if not self._takes:
            await asyncio.Event().wait()
        self.taken.append(message)
        if len(self.taken) > 1:
            self.took_two.set()

    async def abort_with_status(self, status: grpc.Status) -> None:
        self.status = status


def test_few_requests_without_a_token_are_received_at_once() -> None:
    async def received() -> tuple[int, ...]:
        streams, hosts = PublicStreams(), 4
        tasks = [
            asyncio.create_task(streams.receive(Caller(host).context))
            for host in range(hosts)
            for _ in range(MAX_PUBLIC_STREAMS_PER_HOST)
        ]
        await asyncio.sleep(0)
        arriving = streams.arriving
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        one_host = [
            asyncio.create_task(streams.receive(Caller(0).context))
            for _ in range(MAX_PUBLIC_STREAMS_PER_HOST)
        ]
        await asyncio.sleep(0)
        arriving_of_one = streams.arriving
        for task in one_host:
            task.cancel()
        await asyncio.gather(*one_host, return_exceptions=True)
        return arriving, arriving_of_one, streams.arriving

    assert asyncio.run(received()) == (MAX_PUBLIC_READS, MAX_PUBLIC_READS_PER_HOST, 0)


def test_a_check_is_counted_before_it_is_received_and_the_next_one_refused() -> None:
    async def refused() -> tuple[int, grpc.Status | None]:
        checks = PublicStreams("public-checks")
        methods = HealthMethods(HealthReports(), checks, PublicStreams())
        silent = [
            asyncio.create_task(methods.check(None, Caller(0).context))
            for _ in range(MAX_PUBLIC_STREAMS_PER_HOST)
        ]
        await asyncio.sleep(0)
        further = Caller(0, sends=b"")
        await methods.check(None, further.context)
        size = checks.size
        for task in silent:
            task.cancel()
        await asyncio.gather(*silent, return_exceptions=True)
        return size, further.status

    size, status = asyncio.run(refused())

    assert size == MAX_PUBLIC_STREAMS_PER_HOST
    assert status is not None
    assert "public-checks-per-host" in str(status.details)


def test_a_watcher_that_does_not_read_holds_up_no_change_and_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(public_streams, "PUBLIC_SECONDS", 0.1)

    async def watched() -> tuple[list[Message], grpc.Status | None]:
        reports, streams = HealthReports(), PublicStreams()
        methods = HealthMethods(reports, PublicStreams(), streams)
        stalled, reading = Caller(0, sends=b"", takes=False), Caller(1, sends=b"")
        tasks = [asyncio.create_task(methods.watch(None, each.context)) for each in (stalled, reading)]
        await asyncio.sleep(0)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await reports.enter_graceful_shutdown()
            await tasks[0]
            await reading.took_two.wait()
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return reading.taken, stalled.status

    taken, status = asyncio.run(watched())

    assert [cast("HealthCheckResponse", each).status for each in taken] == [
        HealthCheckResponse.SERVING,
        HealthCheckResponse.NOT_SERVING,
    ]
    assert status is not None
    assert "in time" in str(status.details)
