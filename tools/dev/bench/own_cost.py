"""Measures what one AppendMove costs the server beside gRPC, from admission to the encoded answer."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Never

import grpc
import uvloop
from google.protobuf.message import Message

from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from service.admission import Admission
from service.authentication import ByAddress
from service.config import Config
from service.feed import EntryFeed
from service.method_table import METHODS
from service.rpc import DESCRIPTOR, CallHandler, Serve, binary_decoder
from service.shutdown import Shutdown
from tests.service.running import resources_over
from tools.dev.bench.qin_records import games
from tools.dev.bench.report import Figure
from tools.dev.bench.service import CALLERS, CALLS_PER_CALLER, append_request

_METHOD = DESCRIPTOR.methods_by_name["AppendMove"]


class _LocalCall:
    """The context of a call whose request is there already."""

    def __init__(self, request: bytes) -> None:
        self._request = request

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50051"

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]]:
        return ()

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        return {}

    async def read(self) -> object:
        return self._request

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        raise RuntimeError("an append answers with one message, not with a stream")

    async def write(self, _: Message, /) -> None:
        raise RuntimeError("an append answers with one message, not with a stream")

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        raise RuntimeError(status.details)


def lines(rounds: int) -> list[Figure]:
    """Measure processor time, with as many callers as over gRPC."""
    with tempfile.TemporaryDirectory() as folder:
        cost = uvloop.run(_own_cost(Path(folder), rounds))
    return [Figure("AppendMove without gRPC, processor time", cost, "us per call", 100.0, at_most=True)]


async def _own_cost(folder: Path, rounds: int) -> float:
    ledger = Ledger(SqliteLog.open(folder / "own.db"), in_steps=True)
    shutdown = Shutdown()
    resources = resources_over(ledger, EntryFeed(ledger), shutdown)
    handler = CallHandler(resources, Admission(ByAddress(certified=False), Config(), shutdown), ())
    serve = METHODS[_METHOD.name](handler, _METHOD.name, binary_decoder(_METHOD))
    found = [await _round(ledger, serve, number) for number in range(rounds + 1)]
    await resources.intake.close()
    ledger.log.close()
    return statistics.median(found[1:])


async def _round(ledger: Ledger, serve: Serve, number: int) -> float:
    """Microseconds per append."""
    todo = [_requests(ledger, f"start {number}/{caller}", caller) for caller in range(CALLERS)]
    begun = time.process_time()
    await asyncio.gather(*(_calls(serve, requests) for requests in todo))
    return (time.process_time() - begun) * 1e6 / sum(map(len, todo))


def _requests(ledger: Ledger, request: str, caller: int) -> list[bytes]:
    game = games()[caller % len(games())]
    match = ledger.start(game.header, request).entry.match
    moves = range(min(CALLS_PER_CALLER, len(game.moves)))
    return [append_request(game, match, move).SerializeToString() for move in moves]


async def _calls(serve: Serve, requests: Sequence[bytes]) -> None:
    for request in requests:
        response = await asyncio.ensure_future(serve(None, _LocalCall(request)))  # as gRPC does
        if response is not None:
            response.SerializeToString()
