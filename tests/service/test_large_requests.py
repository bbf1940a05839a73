"""Large requests and answers do not hold up the event loop, and leave the memory with their call."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Never

import grpc
import pytest
from google.protobuf.message import Message
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.entry_pb2 import Entry

from records.ledger.ledger import Ledger
from service.authorization import Caller
from service.call import Call, Context
from service.errors import CallError, Reason
from service.http.codec import to_json, written_json
from service.rpc import DESCRIPTOR, LARGE_REQUEST_BYTES, CallHandler
from tests.apart import run_apart
from tests.records.matches import ledger_in_memory
from tests.service.running import USUAL, FaultCollector, handler_over, no_log, serving_in_process

MESSAGE = pb.ReadRecordResponse(entry=Entry(match_id="m", sequence=1, text="green Re8Re9"))


class Refused(Exception):
    """The call was refused."""


class OneRequest(Context):
    """A call with one request."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50422"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        return {}

    async def read(self) -> object:
        return self._receive()

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        """Nobody waits for it."""

    async def write(self, _: Message, /) -> None:
        """Nobody reads it."""

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        raise Refused(status.code)


def handler() -> CallHandler:
    return handler_over(ledger_in_memory(), no_log, FaultCollector(), USUAL)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (LARGE_REQUEST_BYTES, ["decoded", "answered"]),
        (LARGE_REQUEST_BYTES + 1, ["others", "decoded", "others", "answered"]),
    ],
)
def test_others_go_on_between_receiving_decoding_and_answering_a_large_request(
    size: int, expected: list[str]
) -> None:
    async def call() -> list[str]:
        order, here, loop = list[str](), handler(), asyncio.get_running_loop()

        def receive() -> bytes:
            loop.call_soon(order.append, "others")
            return bytes(size)

        def decode(_: Call, __: bytes) -> pb.ImportRecordRequest:
            order.append("decoded")
            loop.call_soon(order.append, "others")
            return pb.ImportRecordRequest()

        async def answer(call: Call, caller: Caller) -> list[str]:
            await here.request(call, caller, decode)
            return [*order, "answered"]

        with closing(here.resources.index):
            return await here.handle(Call("ImportRecord", OneRequest(receive)), answer)

    assert run_apart(call()) == expected


@pytest.mark.parametrize("more", [0, 1])
def test_a_long_message_is_written_as_json_outside_of_the_event_loop(more: int) -> None:
    async def write() -> tuple[int, bytes]:
        here, method = handler(), DESCRIPTOR.methods_by_name["ReadRecord"]
        with closing(here.resources.index), closing(here.resources.workers):
            writing = asyncio.create_task(
                written_json(here, OneRequest(bytes), method, MESSAGE.ByteSize() - more, MESSAGE)
            )
            await asyncio.sleep(0)
            return here.resources.workers.busy, await writing

    assert run_apart(write()) == (more, to_json(MESSAGE))


class Content:
    """Something that a request has brought along."""


def refuse(_: Ledger) -> None:
    raise CallError(Reason.UNREADABLE_RECORD, "the record cannot be read")


def test_a_request_that_is_refused_leaves_the_memory_without_a_collection_of_garbage() -> None:
    async def call() -> bool:
        here, brought = handler(), list[weakref.ref[Content]]()

        async def answer(_: Call, caller: Caller) -> None:
            content = Content()
            brought.append(weakref.ref(content))
            await here.resources.workers.run(caller.account, refuse)

        with closing(here.resources.index), closing(here.resources.workers):
            with pytest.raises(Refused):
                await here.handle(Call("ImportRecord", OneRequest(bytes)), answer)
            return brought[0]() is None

    with no_collections():
        assert run_apart(call())


def test_a_call_that_its_caller_leaves_leaves_the_memory_without_a_collection_of_garbage() -> None:
    async def call() -> bool:
        here, brought, begun = handler(), list[weakref.ref[Content]](), asyncio.Event()

        async def answer(_: Call, __: Caller) -> None:
            content = Content()
            brought.append(weakref.ref(content))
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError as left:
                raise left from None  # refers to this function, which refers to it

        with closing(here.resources.index), closing(here.resources.workers):
            task = asyncio.create_task(here.handle(Call("FollowArchive", OneRequest(bytes)), answer))
            await begun.wait()
            task.cancel()
            await asyncio.wait([task])
            return brought[0]() is None

    with no_collections():
        assert run_apart(call())


def test_a_refused_call_over_grpc_is_no_garbage() -> None:
    with serving_in_process(ledger_in_memory()) as service, no_collections():
        for _ in range(20):
            with pytest.raises(grpc.RpcError):
                service.stub.OpenDispute(pb.OpenDisputeRequest(match_id="m"))
        left = [each for each in gc.get_objects() if isinstance(each, Call)]

    assert len(left) <= 1  # the last one may just be ending


class RefusedAgain(OneRequest):
    """A call that ends with the exception for which its request could not be received."""

    def __init__(self) -> None:
        self.refusal = Refused()
        super().__init__(bytes)

    async def abort_with_status(self, _: grpc.Status, /) -> Never:
        raise self.refusal


def test_a_call_ends_with_the_exception_that_caused_its_refusal() -> None:
    async def call() -> None:
        here, context = handler(), RefusedAgain()

        async def answer(_: Call, __: Caller) -> None:
            try:
                raise context.refusal
            except Refused as refusal:
                raise CallError(Reason.UNREADABLE_REQUEST, "it did not arrive") from refusal

        with closing(here.resources.index):
            await here.handle(Call("ImportRecord", context), answer)

    with pytest.raises(Refused):
        run_apart(call())


@contextmanager
def no_collections() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
