"""Sends requests to a server from many callers at once, and finds faults, slow answers and bad records."""

import asyncio
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from service.rpc import DESCRIPTOR
from tests.fuzz.calls import Requests, Sent
from tests.fuzz.files import some_record
from tests.fuzz.findings import SLOW_SECONDS, Findings
from tests.fuzz.stored import look_at_records
from tests.fuzz.tables import start_request
from tests.fuzz.world import World, running

CALLERS: Final = 24
"""Calls in progress at once."""

OPENING_TABLES: Final = 14
"""Matches that are started before anything is changed."""

_FOLLOW_SECONDS: Final = 0.05
"""How long a stream is followed that does not end by itself."""

_TIMEOUT_SECONDS: Final = 60.0
"""Limit for every other call; none gets near it."""

FAULTS: Final = {StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DATA_LOSS, StatusCode.UNAVAILABLE}
"""Codes that no request may lead to while the server runs."""

_IMPORTS_KEPT: Final = 0.3
"""How often requests are made about an imported match, which may be a copy."""

_DETAILS: Final = "grpc-status-details-bin"


def send_many(seed: str, calls: int, sample: int) -> Findings:
    """Make the calls of one seed to a new server, then verify what it stored and render a sample of it."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_send_many(Path(folder), seed, calls, sample))


def raw(data: bytes) -> bytes:
    """Bytes go over the wire as they are."""
    return data


async def _send_many(folder: Path, seed: str, calls: int, sample: int) -> Findings:
    found = Findings()
    async with running(folder, seed) as world:
        while len(world.tables) < OPENING_TABLES:
            await start(world)
        requests, numbers, slow = Requests(world, some_record), count(), list[Sent]()

        async def caller() -> None:
            while next(numbers) < calls:
                await _one(world, requests.next(), found, slow)

        await asyncio.gather(*(caller() for _ in range(CALLERS)))
        await _measure_again(world, slow, found)
        found.done = calls
        look_at_records(world.ledger, sample, folder, found)
        found.crashes += world.faults.texts
    return found


async def start(world: World) -> None:
    """Start a match of a recorder's, if the request for it is valid."""
    data, caller = start_request(world.dice, world.new_id()).SerializeToString(), "club recorder"
    await answer_to(world, Sent(DESCRIPTOR.methods_by_name["StartMatch"], data, caller, world.tokens[caller]))


async def _one(world: World, sent: Sent, found: Findings, slow: list[Sent]) -> None:
    """Send one request, and keep what is wrong with the answer."""
    began = time.perf_counter()
    code, reason = await answer_to(world, sent)
    if time.perf_counter() - began > SLOW_SECONDS:
        slow.append(sent)
    found.reasons[f"{sent.method.name} {reason}"] += 1
    if code in FAULTS:
        found.crashes.append(f"{sent}: {code.name} {reason}")


async def _measure_again(world: World, slow: list[Sent], found: Findings) -> None:
    """Send alone what took long while others were served, and while the machine may have been busy."""
    for sent in slow:
        began = time.process_time()
        await answer_to(world, sent)
        found.took(time.process_time() - began, str(sent))


async def answer_to(world: World, sent: Sent) -> tuple[StatusCode, str]:
    """The code and the reason of the answer; OK if it is not a refusal."""
    path = f"/{DESCRIPTOR.full_name}/{sent.method.name}"
    metadata, follows = _bearer(sent.token), sent.method.name.startswith("Follow")
    try:
        if sent.method.client_streaming:
            exchange = world.channel.stream_stream(path, raw, raw)
            answers = exchange(iter([sent.data]), metadata=metadata, timeout=_TIMEOUT_SECONDS)
            return StatusCode.OK, _refusal([data async for data in answers])
        if sent.method.server_streaming:
            seconds = _FOLLOW_SECONDS if follows else _TIMEOUT_SECONDS
            stream = world.channel.unary_stream(path, raw, raw)(sent.data, metadata=metadata, timeout=seconds)
            async for _ in stream:
                if follows:
                    stream.cancel()
                    break
            return StatusCode.OK, "OK"
        call = world.channel.unary_unary(path, raw, raw)
        answer = await call(sent.data, metadata=metadata, timeout=_TIMEOUT_SECONDS)
    except aio.AioRpcError as fault:
        if follows and fault.code() is StatusCode.DEADLINE_EXCEEDED:
            return StatusCode.OK, "OK"
        return fault.code(), _reason(fault)
    _learn(world, sent.method.name, answer)
    return StatusCode.OK, "OK"


def _learn(world: World, method: str, answer: bytes) -> None:
    """Know a match that there was not before."""
    if method == "StartMatch":
        started = pb.StartMatchResponse.FromString(answer)
        world.learn(MatchId(started.match.match_id), tuple(started.seat_tokens))
    elif method == "ImportRecord" and world.dice.random() < _IMPORTS_KEPT:
        world.learn(MatchId(pb.ImportRecordResponse.FromString(answer).match_id))


def _refusal(answers: list[bytes]) -> str:
    """The reason of a refusal that is a response of a stream."""
    for data in answers:
        with suppress(DecodeError):
            reason = pb.PlayResponse.FromString(data).refused.reason
            if reason:
                return reason
    return "OK"


def _reason(fault: aio.AioRpcError) -> str:
    for key, value in fault.trailing_metadata():
        if key == _DETAILS and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info):
                    return info.reason
    return f"{fault.code().name} {fault.details()}"


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()
