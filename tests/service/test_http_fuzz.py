"""Whatever is sent over HTTP, the service answers or refuses it, and has no internal errors.

SHIJI_FUZZ is the number of requests per test.
"""

import os
import random
from itertools import islice

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from shiji.record.v1 import record_service_pb2 as pb

from service.http.connect import PREFIX
from service.rpc import DESCRIPTOR
from tests.service.calls import begin
from tests.service.http_calls import ask
from tests.service.http_channel import as_json
from tests.service.mutants import mutants
from tests.service.running import InProcessService

REQUESTS = int(os.environ.get("SHIJI_FUZZ", "40"))
TIMEOUT_MILLISECONDS = "200"
"""Time for calls that follow, which would go on for ever."""

STATUSES = {200, 400, 401, 403, 404, 409, 413, 429, 501, 504}
"""What a request may lead to."""

each_method = pytest.mark.parametrize("method", list(DESCRIPTOR.methods), ids=lambda method: method.name)


@pytest.fixture(scope="module")
def values(running: InProcessService) -> dict[str, str]:
    """What fills the braces in the valid requests: a match, its position, and a transcript."""
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    export = running.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=begin(running.stub).match, format=pb.RECORD_FORMAT_TRANSCRIPT)
    )
    return {
        "match": played.match,
        "position": played.state().position,
        "transcript": export.content.decode(),
    }


@each_method
def test_random_bytes_are_refused_or_answered(running: InProcessService, method: MethodDescriptor) -> None:
    dice = random.Random(method.name)  # noqa: S311 - the same bytes each time
    for _ in range(REQUESTS):
        data = dice.randbytes(dice.choice((0, 1, 2, 3, 8, 40, 300)))
        kind = dice.choice(("application/json", "application/proto", "application/connect+proto"))
        reply = ask(running.web, f"{PREFIX}{method.name}", data, kind=kind, **timed())

        assert reply.status in STATUSES | {415}, (kind, data, reply.body)
    assert running.collector.faults == []


@each_method
def test_nearly_valid_json_is_refused_or_answered(
    running: InProcessService, values: dict[str, str], method: MethodDescriptor
) -> None:
    dice = random.Random(method.name)  # noqa: S311 - the same requests each time
    kind = GetMessageClass(method.input_type)
    for data in islice(mutants(method, values, dice), REQUESTS // 4):
        _, body = as_json(data, kind)
        for changed in (body, *(garbled(body, dice) for _ in range(3))):
            reply = ask(running.web, f"{PREFIX}{method.name}", changed, **timed())

            assert reply.status in STATUSES, (changed, reply.body)
    assert running.collector.faults == []


def timed() -> dict[str, str]:
    """The header that bounds the time of a call."""
    return {"connect_timeout_ms": TIMEOUT_MILLISECONDS}


def garbled(body: bytes, dice: random.Random) -> bytes:
    """The bytes with a part cut out, doubled, or replaced by something that JSON may have."""
    start, end = sorted(dice.randrange(len(body) + 1) for _ in range(2))
    middle = dice.choice(
        (b"", body[start:end] * 2, b"null", b"[]", b"{}", b"-1", b"1e400", b'"\\ud800"', b"\xff")
    )
    return body[:start] + middle + body[end:]
