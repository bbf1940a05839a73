"""Whatever is sent, the service answers or refuses: it never fails, falls silent or grows.

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
from grpc import StatusCode
from shiji.record.v1 import record_service_pb2 as pb

from service.rpc import DESCRIPTOR
from tests.service.calls import begin
from tests.service.mutants import mutants
from tests.service.running import PATIENCE, Inside

ROUNDS = int(os.environ.get("SHIJI_FUZZ", "100"))
WAIT = 0.2
"""So many seconds a follower waits, who may be where nothing comes."""

NEVER = {StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DATA_LOSS}
"""What nothing that is sent may lead to."""

KEEPING = {"StartMatch", "ImportRecord"}
"""What they are sent stays."""

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


def call(running: Inside, method: MethodDescriptor, data: bytes) -> StatusCode:
    """How the call ends to which these bytes are sent, as far as it is looked at."""
    path = f"/{DESCRIPTOR.full_name}/{method.name}"
    follows = method.name.startswith("Follow")
    try:
        if method.client_streaming:
            list(running.channel.stream_stream(path, raw, raw)(iter([data]), timeout=PATIENCE))
        elif method.server_streaming:
            answers = running.channel.unary_stream(path, raw, raw)(
                data, timeout=WAIT if follows else PATIENCE
            )
            list(islice(answers, 1 if follows else None))
            answers.cancel()
        else:
            running.channel.unary_unary(path, raw, raw)(data, timeout=PATIENCE)
    except grpc.RpcError as fault:
        return code_of(fault)
    return StatusCode.OK


def code_of(fault: object) -> StatusCode:
    """The stubs do not know that what is raised is also the call."""
    assert isinstance(fault, grpc.Call)
    return fault.code()


@pytest.fixture(scope="module")
def told(running: Inside) -> dict[str, str]:
    """A match for the requests to be about."""
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    return {"match": played.match, "position": played.state().position, "transcript": TRANSCRIPT}


@each_method
def test_random_bytes_are_refused_or_answered(
    running: Inside, method: MethodDescriptor, record_property: Callable[[str, int], None]
) -> None:
    record_property("requests", ROUNDS)
    dice = random.Random(method.name)  # noqa: S311 - the same bytes each time

    for _ in range(ROUNDS):
        data = dice.randbytes(dice.choice((0, 1, 2, 3, 8, 40, 300)))
        assert call(running, method, data) not in NEVER, data
    assert running.noted.faults == []


@each_method
def test_requests_that_are_nearly_good_are_refused_or_answered(
    running: Inside,
    told: dict[str, str],
    method: MethodDescriptor,
    record_property: Callable[[str, int], None],
) -> None:
    record_property("requests", ROUNDS)
    dice = random.Random(method.name)  # noqa: S311 - the same requests each time

    for data in islice(mutants(method, told, dice), ROUNDS):
        assert call(running, method, data) not in NEVER, data
    assert running.noted.faults == []


def test_what_is_refused_leaves_nothing_behind(running: Inside, told: dict[str, str]) -> None:
    asked = [
        (method, data)
        for method in METHODS
        if method.name not in KEEPING
        for data in islice(mutants(method, told, random.Random(1)), 4)  # noqa: S311 - as above
    ]

    def send() -> int:
        for method, data in asked:
            call(running, method, data)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    held = [send() for _ in range(7)]
    tracemalloc.stop()

    # A cache may fill once, whenever it likes; what leaks grows every time.
    assert min(later - before for before, later in pairwise(held)) < 100 * len(asked)
