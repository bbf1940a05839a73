"""Requests that are refused leave nothing behind in memory; tests/fuzz looks for those that break it."""

import gc
import random
import tracemalloc
from itertools import islice, pairwise

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from grpc import StatusCode
from shiji.record.v1 import record_service_pb2 as pb

from service.rpc import DESCRIPTOR
from tests.service.calls import begin
from tests.service.mutants import mutants
from tests.service.running import TIMEOUT_SECONDS, InProcessService

FOLLOW_SECONDS = 0.2
"""Timeout of calls that follow, as there may be no entry for them to receive."""

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


@pytest.fixture(scope="module")
def values(running: InProcessService) -> dict[str, str]:
    """What fills the braces in the valid requests: a match, its position, and a transcript."""
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    return {"match": played.match, "position": played.state().position, "transcript": TRANSCRIPT}


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
