"""What once broke Shiji does not break it any more: one file in `crashers` for each."""

import asyncio
import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from shiji.record.v1 import record_service_pb2 as pb

from service.rpc import DESCRIPTOR
from tests.fuzz.calls import Sent
from tests.fuzz.files import KINDS
from tests.fuzz.parts import CALLS
from tests.fuzz.sending import FAULTS, answer_to
from tests.fuzz.world import World, running

CRASHERS = sorted((Path(__file__).parent / "crashers").iterdir())
"""Files are named after their kind: `components-…`, or `calls-…` for calls, which are in JSON."""


FILES = [path for path in CRASHERS if not path.name.startswith(CALLS)]
REQUESTS = [path for path in CRASHERS if path.name.startswith(CALLS)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_file_is_read_or_refused(path: Path, tmp_path: Path) -> None:
    kind = KINDS[path.name.partition("-")[0]]
    for seed in range(3):
        dice = random.Random(seed)  # noqa: S311 - the same each time
        kind.read(path.read_bytes(), tmp_path / "file", dice)


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.name)
def test_the_call_is_answered_or_refused(path: Path, tmp_path: Path) -> None:
    asyncio.run(replay(Crasher(**json.loads(path.read_text("utf-8"))), tmp_path))


@dataclass(frozen=True)
class Crasher:
    """A match, and a call about it: `{match}` stands for its id."""

    start: dict[str, object]
    method: str
    request: dict[str, object]


async def replay(crasher: Crasher, folder: Path) -> None:
    """Start the match, and make the call."""
    async with running(folder, "crasher") as world:
        start = ParseDict(crasher.start, pb.StartMatchRequest())
        await answer_to(world, sent(world, "StartMatch", start))
        text = json.dumps(crasher.request).replace("{match}", world.tables[0].match)
        kind = GetMessageClass(DESCRIPTOR.methods_by_name[crasher.method].input_type)
        request = ParseDict(json.loads(text), kind())

        code, reason = await answer_to(world, sent(world, crasher.method, request))

        assert code not in FAULTS, reason
        assert world.faults.texts == []


def sent(world: World, method: str, request: Message) -> Sent:
    caller = "club recorder"
    data = request.SerializeToString()
    return Sent(DESCRIPTOR.methods_by_name[method], data, caller, world.tokens[caller])
