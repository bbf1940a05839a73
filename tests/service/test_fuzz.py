"""Whatever is sent, the service answers or refuses: it has no internal errors, never hangs, leaks no memory.

SHIJI_FUZZ is the number of requests per test; `make fuzz` sends many more.
"""

import gc
import os
import random
import tracemalloc
from collections.abc import Callable
from itertools import islice, pairwise

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode
from shiji.record.v1 import record_service_pb2 as pb

from service.http.connect import PREFIX
from service.rpc import DESCRIPTOR
from tests.service.calls import begin
from tests.service.http_calls import ask
from tests.service.http_channel import as_json
from tests.service.mutants import mutants
from tests.service.running import TIMEOUT_SECONDS, InProcessService

REQUESTS = int(os.environ.get("SHIJI_FUZZ", "100"))

FOLLOW_SECONDS = 0.2
"""Timeout of calls that follow, as there may be no entry for them to receive."""

FORBIDDEN_CODES = {StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DATA_LOSS}
"""Codes that no request may lead to."""

ANSWERED_OR_REFUSED = {200, 400, 401, 403, 404, 409, 413, 429, 501, 504}
"""HTTP statuses that a request may lead to."""

STORING_METHODS = {"StartMatch", "ImportRecord"}
"""Methods whose requests use memory for good, as they add matches."""

TRANSCRIPT = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Rulings ""]
[Board "bird"]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "*"]

"""

METHODS: tuple[MethodDescriptor, ...] = tuple(DESCRIPTOR.methods)
each_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


def raw(data: bytes) -> bytes:
    return data


def call(running: InProcessService, method: MethodDescriptor, data: bytes) -> StatusCode:
    """The code of a call with these bytes; of a call that follows, at most one response is read."""
    path = f"/{DESCRIPTOR.full_name}/{method.name}"
    follows = method.name.startswith("Follow")
    try:
        if method.client_streaming:
            list(running.channel.stream_stream(path, raw, raw)(iter([data]), timeout=TIMEOUT_SECONDS))
        elif method.server_streaming:
            answers = running.channel.unary_stream(path, raw, raw)(
                data, timeout=FOLLOW_SECONDS if follows else TIMEOUT_SECONDS
            )
            list(islice(answers, 1 if follows else None))
            answers.cancel()
        else:
            running.channel.unary_unary(path, raw, raw)(data, timeout=TIMEOUT_SECONDS)
    except grpc.RpcError as fault:
        return code_of(fault)
    return StatusCode.OK


def code_of(fault: object) -> StatusCode:
    """The code of a failed call: gRPC's exception is also the call, which its type stubs do not know."""
    assert isinstance(fault, grpc.Call)
    return fault.code()


@pytest.fixture(scope="module", params=["grpc", "http"])
def service(running: InProcessService, request: pytest.FixtureRequest) -> InProcessService:
    """The service over gRPC, and as JSON over HTTP."""
    return running if request.param == "grpc" else running.over_http()


@pytest.fixture(scope="module")
def values(running: InProcessService) -> dict[str, str]:
    """What fills the braces in the valid requests: a match, its position, and a transcript."""
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    return {"match": played.match, "position": played.state().position, "transcript": TRANSCRIPT}


@each_method
def test_random_bytes_are_refused_or_answered(
    service: InProcessService, method: MethodDescriptor, record_property: Callable[[str, int], None]
) -> None:
    record_property("requests", REQUESTS)
    dice = random.Random(method.name)  # noqa: S311 - the same bytes each time

    for _ in range(REQUESTS):
        data = dice.randbytes(dice.choice((0, 1, 2, 3, 8, 40, 300)))
        assert call(service, method, data) not in FORBIDDEN_CODES, data
    assert service.collector.faults == []


@each_method
def test_nearly_valid_requests_are_refused_or_answered(
    service: InProcessService,
    values: dict[str, str],
    method: MethodDescriptor,
    record_property: Callable[[str, int], None],
) -> None:
    record_property("requests", REQUESTS)
    dice = random.Random(method.name)  # noqa: S311 - the same requests each time

    for data in islice(mutants(method, values, dice), REQUESTS):
        assert call(service, method, data) not in FORBIDDEN_CODES, data
    assert service.collector.faults == []


@each_method
def test_nearly_valid_json_is_refused_or_answered(
    running: InProcessService,
    values: dict[str, str],
    method: MethodDescriptor,
    record_property: Callable[[str, int], None],
) -> None:
    """What is cut, doubled or changed in the JSON of a request never fails the service."""
    record_property("requests", REQUESTS)
    dice = random.Random(method.name)  # noqa: S311 - the same requests each time
    kind = GetMessageClass(method.input_type)
    path, timeout = f"{PREFIX}{method.name}", str(round(FOLLOW_SECONDS * 1000))
    for data in islice(mutants(method, values, dice), REQUESTS // 4):
        _, body = as_json(data, kind)
        for changed in (garbled(body, dice) for _ in range(4)):
            reply = ask(running.web, path, changed, connect_timeout_ms=timeout)

            assert reply.status in ANSWERED_OR_REFUSED, (changed, reply.body)
    assert running.collector.faults == []


def garbled(body: bytes, dice: random.Random) -> bytes:
    """The bytes with a part cut out, doubled, or replaced by something that JSON may have."""
    start, end = sorted(dice.randrange(len(body) + 1) for _ in range(2))
    middle = dice.choice(
        (b"", body[start:end] * 2, b"null", b"[]", b"{}", b"-1", b"1e400", b'"\\ud800"', b"\xff")
    )
    return body[:start] + middle + body[end:]


def test_refused_requests_leak_no_memory(running: InProcessService, values: dict[str, str]) -> None:
    requests = [
        (method, data)
        for method in METHODS
        if method.name not in STORING_METHODS
        for data in islice(mutants(method, values, random.Random(1)), 4)  # noqa: S311 - as above
    ]

    def send() -> int:
        for method, data in requests:
            call(running, method, data)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    held = [send() for _ in range(7)]
    tracemalloc.stop()

    # A cache may grow in some of the rounds; a leak grows in every one.
    assert min(later - before for before, later in pairwise(held)) < 100 * len(requests)
