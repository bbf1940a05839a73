"""Answers that nobody takes are counted while they wait, and given up in time."""

import asyncio
import gc
import socket
import struct
import threading
from collections.abc import Callable, Coroutine, Iterator, MutableMapping
from functools import partial
from queue import SimpleQueue
from typing import cast

import pytest
from google.protobuf.message import Message
from grpc import Status
from shiji.record.v1 import record_service_pb2 as pb

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service import admission
from service.address import Address
from service.answers import LARGE_ANSWER_BYTES, AnswerWriter, too_much_unsent
from service.authorization import Caller
from service.call import Call, CallOutcome, Context, Observer
from service.grpc_calls import UndroppableCall
from service.http.application import HttpApplication
from service.http.own_hosts import OwnHosts
from service.http.sending import PART_BYTES
from service.method_table import LARGE_ANSWERS
from service.rpc import DESCRIPTOR
from tests.records.matches import MOVES, Table, begin
from tests.service.running import FaultCollector, Options, handler_over, no_log, serving_in_process
from tests.service.servers import TIMEOUT_SECONDS

LARGE = LARGE_ANSWER_BYTES + 1


class Ended(Exception):
    """The call was ended with an error."""


class GrpcCaller:
    """The context of a call whose caller takes its answer when a test lets it."""

    def __init__(self) -> None:
        self.may_take = asyncio.Event()
        self.offered = asyncio.Event()
        self.status: Status | None = None

    @property
    def context(self) -> Context:
        return cast("Context", self)

    def peer(self) -> str:
        return "ipv4:192.0.2.1:1"

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def auth_context(self) -> dict[str, list[bytes]]:
        return {}

    async def write(self, _: Message) -> None:
        self.offered.set()
        await self.may_take.wait()

    async def abort_with_status(self, status: Status) -> None:
        self.status = status
        raise Ended


async def give(size: int, _: Call, __: Caller) -> pb.ExportRecordResponse:
    return pb.ExportRecordResponse(content=bytes(size))


def test_an_answer_is_refused_while_too_many_bytes_before_it_are_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "MAX_REQUEST_BYTES_PER_ACCOUNT", LARGE)

    async def answered() -> tuple[int, Status | None, bool]:
        handler = handler_over(Ledger(MemoryLog()), no_log, FaultCollector(), Options())
        writer = AnswerWriter(handler.resources, handler.admission, handler.observers)
        unread, late, small = GrpcCaller(), GrpcCaller(), GrpcCaller()
        small.may_take.set()
        ready = asyncio.Event()

        async def give_late(_: Call, __: Caller) -> pb.ExportRecordResponse:
            await ready.wait()  # it was begun before there was too much
            return pb.ExportRecordResponse(content=bytes(LARGE))

        second = asyncio.create_task(writer.handle(Call("ExportRecord", late.context), give_late))
        first = asyncio.create_task(writer.handle(Call("ExportRecord", unread.context), partial(give, LARGE)))
        await asyncio.wait_for(unread.offered.wait(), TIMEOUT_SECONDS)
        waiting = writer.admission.unsent.bytes
        ready.set()
        with pytest.raises(Ended):
            await second
        third = asyncio.create_task(writer.handle(Call("ExportRecord", small.context), partial(give, 1)))
        await asyncio.sleep(0)
        waits = not third.done()
        unread.may_take.set()
        await asyncio.wait_for(asyncio.gather(first, third), TIMEOUT_SECONDS)
        assert writer.admission.unsent.bytes == writer.admission.calls.size == 0
        return waiting, late.status, waits

    waiting, status, waits = asyncio.run(answered())

    assert waiting >= LARGE
    assert status is not None
    assert status.details == too_much_unsent().message
    assert waits


async def _schedule_rpc_coro(answering: Coroutine[object, object, object]) -> None:
    """Keeps a call until it has ended, as the coroutine of gRPC with this name does."""
    answer = asyncio.create_task(answering)
    await asyncio.wait([answer])
    with pytest.raises(Ended):
        answer.result()
    await asyncio.Event().wait()


async def keep_otherwise(answering: Coroutine[object, object, object]) -> None:
    """The same in a version of gRPC that calls it by another name."""
    with pytest.raises(Ended):
        await asyncio.create_task(answering)


@pytest.mark.parametrize(("keep", "droppable"), [(_schedule_rpc_coro, True), (keep_otherwise, False)])
def test_an_answer_that_grpc_cannot_be_made_to_drop_stays_counted(
    keep: Callable[[Coroutine[object, object, object]], Coroutine[object, object, None]], *, droppable: bool
) -> None:
    async def given_up() -> tuple[int, list[Exception]]:
        faults = FaultCollector()
        handler = handler_over(Ledger(MemoryLog()), no_log, faults, Options(stall_seconds=0.01))
        writer = AnswerWriter(handler.resources, handler.admission, handler.observers)
        call = Call("ExportRecord", GrpcCaller().context)
        keeping = asyncio.create_task(keep(writer.handle(call, partial(give, LARGE))))
        await asyncio.wait_for(asyncio.wait([keeping]), TIMEOUT_SECONDS)
        assert keeping.cancelled() == droppable
        return writer.admission.unsent.bytes, faults.faults

    unsent, faults = asyncio.run(given_up())

    assert (unsent == 0) == droppable
    assert [type(fault) for fault in faults] == ([] if droppable else [UndroppableCall])


def test_every_method_with_one_answer_says_whether_it_may_be_large() -> None:
    unary = {method.name for method in DESCRIPTOR.methods if not method.server_streaming}

    assert unary > LARGE_ANSWERS
    assert "ExportRecord" in LARGE_ANSWERS
    assert "AppendMove" not in LARGE_ANSWERS


@pytest.fixture(scope="module")
def table() -> Table:
    """A match whose record is a large answer."""
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES)
    for _ in range(300):
        table.go_back(table.last - 1)
    return table


def frame(kind: int, flags: int, stream: int, data: bytes) -> bytes:
    """A frame of HTTP/2."""
    return struct.pack(">I", len(data))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + data


def header(name: str, value: str) -> bytes:
    """A header that no table knows."""
    return b"\0" + b"".join(bytes([len(each)]) + each.encode() for each in (name, value))


def frames(client: socket.socket) -> Iterator[tuple[int, int]]:
    """The kinds and streams of the frames that arrive."""
    with client.makefile("rb") as arriving:
        while head := arriving.read(9):
            arriving.read(int.from_bytes(head[:3], "big"))
            yield head[3], int.from_bytes(head[5:9], "big")


class EndedCalls(Observer):
    """Notes the calls that were refused."""

    def __init__(self) -> None:
        self.calls = SimpleQueue[CallOutcome]()
        self.done = threading.Event()

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        if call.method == "ExportRecord":
            self.calls.put(outcome)


def collect_often(done: threading.Event) -> None:
    """Collect garbage, as a busy server does."""
    while not done.wait(0.01):
        gc.collect()


def test_a_call_whose_answer_is_not_taken_is_dropped_by_grpc(table: Table) -> None:
    request = pb.ExportRecordRequest(match_id=table.match, format=pb.RECORD_FORMAT_RECORD).SerializeToString()
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": f"/{DESCRIPTOR.full_name}/ExportRecord",
        ":authority": "127.0.0.1",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    ended = EndedCalls()
    options = Options(stall_seconds=0.1, observers=[ended])
    with serving_in_process(table.ledger, options=options) as running:
        host, _, port = running.address.partition(":")
        with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as client:
            nothing_is_taken = frame(4, 0, 0, struct.pack(">HI", 4, 0))
            client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + nothing_is_taken + frame(4, 1, 0, b""))
            for stream in (1, 3):
                client.sendall(frame(1, 4, stream, b"".join(header(*each) for each in headers.items())))
                client.sendall(frame(0, 1, stream, b"\0" + struct.pack(">I", len(request)) + request))
            for _ in range(2):
                ended.calls.get(timeout=TIMEOUT_SECONDS)
            running.stub.ListMatches(
                pb.ListMatchesRequest()
            )  # gRPC keeps the latest call until another comes
            collecting = threading.Thread(target=collect_often, args=(ended.done,))
            collecting.start()

            # RST_STREAM: without it gRPC keeps the answer. It never lets go of the first call of a process.
            assert (3, 3) in frames(client)
            ended.done.set()
            collecting.join()


class HttpCaller:
    """A client that takes parts of its response when a test lets it."""

    def __init__(self, path: str, *, takes: bool) -> None:
        self.scope: MutableMapping[str, object] = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "headers": [(b"host", b"127.0.0.1")],
            "client": ("192.0.2.1", 1),
        }
        self.may_take, self.offered = asyncio.Event(), asyncio.Event()
        if takes:
            self.may_take.set()
        self.status: object = None
        self.parts = list[bytes]()

    async def receive(self) -> MutableMapping[str, object]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: MutableMapping[str, object]) -> None:
        self.offered.set()
        await self.may_take.wait()
        self.status = message.get("status", self.status)
        self.parts.append(cast("bytes", message.get("body", b"")))


def test_over_http_it_comes_in_parts_and_is_counted_until_the_last_is_taken(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "MAX_REQUEST_BYTES_PER_ACCOUNT", LARGE)
    path = f"/matches/{table.match}/record"

    async def asked() -> tuple[HttpCaller, HttpCaller]:
        handler = handler_over(table.ledger, no_log, FaultCollector(), Options())
        application = HttpApplication(handler, OwnHosts(Address("127.0.0.1", 80), ""))
        unread, late = HttpCaller(path, takes=False), HttpCaller(path, takes=True)
        first = asyncio.create_task(application(unread.scope, unread.receive, unread.send))
        await asyncio.wait_for(unread.offered.wait(), TIMEOUT_SECONDS)
        await asyncio.wait_for(application(late.scope, late.receive, late.send), TIMEOUT_SECONDS)
        unread.may_take.set()
        await asyncio.wait_for(first, TIMEOUT_SECONDS)
        assert handler.admission.unsent.bytes == 0
        return unread, late

    unread, late = asyncio.run(asked())

    assert (unread.status, late.status) == (200, 429)
    assert b"unsent-bytes" in b"".join(late.parts)
    assert max(map(len, unread.parts)) <= PART_BYTES
    assert sum(map(len, unread.parts)) > LARGE
