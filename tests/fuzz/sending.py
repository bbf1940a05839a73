"""Sends requests to a server from many callers at once, and finds faults, slow answers and bad records."""

import asyncio
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import DecodeError
from grpc import StatusCode, aio
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from service.rpc import DESCRIPTOR
from tests.fuzz.calls import Requests, Sent, Way
from tests.fuzz.direct import Metadata, reason_in
from tests.fuzz.files import some_record
from tests.fuzz.findings import SLOW_SECONDS, TRIES, Findings, Stopwatch, settled
from tests.fuzz.http_sending import FOLLOW_SECONDS, answer_over_http, answer_to_visit
from tests.fuzz.stored import look_at_records
from tests.fuzz.tables import start_request
from tests.fuzz.visits import Visit, next_visit
from tests.fuzz.world import World, running

CALLERS: Final = 24
"""Calls in progress at once."""

OPENING_TABLES: Final = 14
"""Matches that are started before anything is changed."""

_TIMEOUT_SECONDS: Final = 600.0
"""Limit for every other call; none gets near it."""

FAULTS: Final = {StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DATA_LOSS, StatusCode.UNAVAILABLE}
"""Codes that no request may lead to while the server runs."""

_IMPORTS_KEPT: Final = 0.3
"""How often requests are made about an imported match, which may be a copy."""

_MAKE_MATCHES: Final = {"StartMatch", "ImportRecord"}

_CALLS_PER_VISIT: Final = 40
"""Calls after which a page is requested."""


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
        requests, numbers, slow = Requests(world, some_record), count(), list[Sent | Visit]()

        async def caller() -> None:
            while (number := next(numbers)) < calls:
                await _one(world, requests, found, slow)
                if number % _CALLS_PER_VISIT == 0:
                    asked, began = next_visit(world), time.perf_counter()
                    await visit(world, asked, found)
                    if time.perf_counter() - began > SLOW_SECONDS:
                        slow.append(asked)

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


async def _one(world: World, requests: Requests, found: Findings, slow: list[Sent | Visit]) -> None:
    """Send one request, and keep what is wrong with the answer."""
    sent, began = requests.next(), time.perf_counter()
    code, reason = await answer_to(world, sent)
    if time.perf_counter() - began > SLOW_SECONDS:
        slow.append(sent)
    answer = f"{sent.method.name} {reason}"
    found.reasons[answer] += 1
    requests.learn(sent, found.reasons[answer])
    if code in FAULTS:
        found.crashes.append(f"{sent}: {code.name} {reason}")


async def visit(world: World, asked: Visit, found: Findings) -> str:
    """Request one page, and keep what is wrong with the answer; returns what it is."""
    code, answer = await answer_to_visit(world.web, asked)
    found.visits[f"{asked.verb} {asked.address} {answer}"] += 1
    if code in FAULTS:
        found.crashes.append(f"{asked}: {code.name} {answer}")
    return answer


async def _measure_again(world: World, slow: list[Sent | Visit], found: Findings) -> None:
    """Send alone what took long while others were served, and while the machine may have been busy."""
    for each in slow:
        seconds = SLOW_SECONDS
        for _ in range(TRIES):
            await settled()
            watch = Stopwatch()
            if isinstance(each, Visit):
                await answer_to_visit(world.web, each)
            else:
                await answer_to(world, each)
            seconds = watch.seconds
            if seconds <= SLOW_SECONDS:
                break
        found.took(seconds, str(each))


async def answer_to(world: World, sent: Sent) -> tuple[StatusCode, str]:
    """The code and the reason of the answer; OK if it is not a refusal."""
    if sent.way is Way.DIRECT:
        return await _answer_directly(world, sent)
    if sent.way is Way.HTTP:
        code, reason, body = await answer_over_http(world.web, sent.method, sent.data, sent.token, world.dice)
        if code is StatusCode.OK and sent.method.name == "StartMatch":
            with suppress(ParseError):
                _learn(world, "StartMatch", Parse(body, pb.StartMatchResponse()).SerializeToString())
        return code, reason
    path = f"/{DESCRIPTOR.full_name}/{sent.method.name}"
    metadata, follows = _bearer(sent.token), sent.method.name.startswith("Follow")
    try:
        if sent.method.client_streaming:
            exchange = world.channel.stream_stream(path, raw, raw)
            answers = exchange(iter([sent.data]), metadata=metadata, timeout=_TIMEOUT_SECONDS)
            return StatusCode.OK, _refusal([data async for data in answers])
        if sent.method.server_streaming:
            seconds = FOLLOW_SECONDS if follows else _TIMEOUT_SECONDS
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


async def _answer_directly(world: World, sent: Sent) -> tuple[StatusCode, str]:
    seconds = FOLLOW_SECONDS if sent.method.name.startswith("Follow") else None
    code, reason, responses = await world.direct.answer(
        sent.method.name, sent.data, _bearer(sent.token), seconds
    )
    if sent.method.client_streaming:
        played = (response for response in responses if isinstance(response, pb.PlayResponse))
        reason = next((each.refused.reason for each in played if each.refused.reason), reason)
    elif responses and sent.method.name in _MAKE_MATCHES:
        _learn(world, sent.method.name, responses[0].SerializeToString())
    return code, reason


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
    return reason_in(fault.trailing_metadata()) or f"{fault.code().name} {fault.details()}"


def _bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),) if token else ()
