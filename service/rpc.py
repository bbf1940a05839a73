"""The life of a call: admitted, decoded, answered, and reported. method_table.py has the methods."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NoReturn, Protocol, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.ledger.loading import NotLoaded
from service.admission import Admission
from service.authorization import Caller
from service.bounds import bounds_check
from service.call import (
    Answered,
    Call,
    CallOutcome,
    Cancelled,
    Context,
    Failed,
    Observer,
    Rejected,
    RejectedRequest,
)
from service.error_mapping import error_for
from service.errors import CallError, Reason, made_room, slow_consumer, stopping
from service.forgetting import forget_frames, forget_traceback
from service.grpc_calls import drop_call
from service.methods.append import Reject
from service.pending import Pending
from service.resources import Resources
from service.work_queue import WorkLane
from service.worker_process import Work

DESCRIPTOR: Final = pb.DESCRIPTOR.services_by_name["RecordService"]

SMALL_REQUEST_BYTES: Final = 256
"""Requests up to this size are parsed at once: they have no room for anything that takes long. Smaller bounds
are checked by the methods."""

LARGE_REQUEST_BYTES: Final = 262_144
"""Requests of more than this size are received, decoded and answered in callbacks of their own: to copy four
megabytes takes milliseconds each time."""

_STATUS_SECONDS: Final = 5.0
"""Time for a caller to take the status of its call."""

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response")
Reply = TypeVar("Reply", bound=Message)

Decode: TypeAlias = Callable[[Call, bytes], Message]
"""Decodes a request once its caller is admitted, and keeps it in the call for observers; raises CallError."""


class DecodeApart(Exception):
    """A request that takes too long to decode in the event loop: a process makes protobuf's bytes of it."""

    def __init__(self, work: Work[bytes], lane: WorkLane, decode: Decode) -> None:
        super().__init__()
        self.work: Final = work
        self.lane: Final = lane
        self.decode: Final = decode
        """Decodes what the work returns."""


class Serve(Protocol):
    """Answers one call of a method; requests are read from the context, and streams are written to it."""

    def __call__(self, requests: object, context: Context, /) -> Awaitable[Message | None]:
        """The response, or None for a stream; raises what the context raises when a call is refused.

        What gRPC hands over as the requests is not used.
        """


Binding: TypeAlias = "Callable[[CallHandler, str, Decode], Serve]"
"""Makes what serves a method, which has this name and whose requests are decoded so."""


class CallHandler:
    """Takes calls from a transport through admission to their methods, and reports how they end."""

    def __init__(self, resources: Resources, admission: Admission, observers: Sequence[Observer]) -> None:
        self.resources: Final = resources
        self.admission: Final = admission
        self.observers: Final = observers
        resources.intake.know_calls(admission.calls_of)
        self._answer_observers: Final = [observer for observer in observers if observer.wants_answers]

    async def handle(self, call: Call, answer: Callable[[Call, Caller], Awaitable[Response]]) -> Response:
        """The answer to an admitted caller."""
        caller = await self._admit(call)
        try:
            response = await answer(call, caller)
        except asyncio.CancelledError as left:
            self.report(call, Cancelled(caller))
            forget_frames(left)
            raise
        except aio.InternalError:  # gRPC could not send anything: the caller has left
            self.report(call, Cancelled(caller))
            context = cast("aio.ServicerContext[Message, Message]", call.context)
            await _end(context.abort(grpc.StatusCode.CANCELLED, "the caller has left"))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the caller gets an error for it
            try:
                await self._fail(call, caller, fault)
            finally:
                forget_frames(fault)
        else:
            for observer in self._answer_observers:
                observer.ended(call, Answered(caller))
            return response
        finally:
            self.admission.leave(call.method, caller)
            if call.request_bytes:
                self.admission.budget.give(caller.account, call.context.peer, call.request_bytes)
                call.request = None

    def report(self, call: Call, outcome: CallOutcome) -> None:
        """Notify the observers that a call, or one request of a stream, did not end well."""
        for observer in self.observers:
            observer.ended(call, outcome)

    async def write(self, context: Context, response: Message) -> None:
        """Send one response of a stream; a caller that does not take it in time has its call ended."""
        try:
            async with asyncio.timeout(self.resources.stall_seconds):
                await context.write(response)
        except TimeoutError:
            raise slow_consumer() from None

    async def receive(self, call: Call, caller: Caller) -> bytes:
        """The request of a caller that is admitted; until then gRPC has received no more than its beginning.

        Its bytes are counted until the call has ended.
        """
        read, peer = call.context.read, call.context.peer
        try:
            data = await self.admission.budget.receive(
                caller.account, peer, read, self.resources.stall_seconds
            )
        except TimeoutError:
            raise CallError(Reason.UNREADABLE_REQUEST, "the request did not arrive in time") from None
        if not isinstance(data, bytes):
            raise CallError(Reason.UNREADABLE_REQUEST, "the call has no request")
        self.admission.budget.take(caller.account, peer, len(data))
        call.request_bytes = len(data)
        return data

    async def request(self, call: Call, caller: Caller, decode: Callable[[Call, bytes], Request]) -> Request:
        """The decoded request of a caller that is admitted."""
        data = await self.receive(call, caller)
        await _next_callback(len(data))
        try:
            request = decode(call, data)
        except DecodeApart as apart:
            data = await self.resources.workers.run(caller.account, apart.work, apart.lane)
            request = cast("Request", apart.decode(call, data))
        await _next_callback(len(data))
        return request

    async def _admit(self, call: Call) -> Caller:
        try:
            if self.resources.shutdown.begun:
                raise stopping()
            return self.admission.enter(call.method, call.context)
        except CallError as error:
            self.report(call, Rejected(None, error))
            if error.reason is not Reason.DRAINING:
                await self.admission.hold_back(call.context)
            await _end(call.context.abort_with_status(error.status()))

    async def _fail(self, call: Call, caller: Caller, fault: Exception) -> NoReturn:
        error = error_for(fault)
        if error is None:
            message = f"an internal error; report its id, {call.id}, to the operator"
            error = CallError(Reason.INTERNAL, message, {"call_id": call.id})
            self.report(call, Failed(caller, error, fault))
        else:
            self.report(call, Rejected(caller, error))
        try:
            await _end(call.context.abort_with_status(error.status()))
        finally:
            if error.reason is Reason.SLOW_CONSUMER:
                drop_call()


async def _next_callback(size: int) -> None:
    """Let the event loop go on after it has copied a large request, which takes as long as a call."""
    if size > LARGE_REQUEST_BYTES:
        await asyncio.sleep(0)


async def _end(ending: Awaitable[object]) -> NoReturn:
    """End a call with a status; a caller that has left in the meantime, or reads nothing, does not get it."""
    with suppress(aio.InternalError, TimeoutError):
        try:
            async with asyncio.timeout(_STATUS_SECONDS):
                await ending
        except Exception as ended:
            # The transport keeps the exception in the call, to which its traceback leads back.
            asyncio.get_running_loop().call_soon(forget_traceback, ended)
            raise
    raise asyncio.CancelledError


# Each of these binds one kind of method. A request is received and decoded after its caller
# is admitted. For that, gRPC must take every request for a stream, which on the wire is the same: of other
# methods it receives the request before it calls us.


def batched(
    prepare: Callable[[Resources, Caller, Request], Reply | Pending[Reply]],
    cost: Callable[[Request], int] = lambda _: 1,
    apart: Callable[[Resources, Caller, Request], Awaitable[Reply] | None] = lambda *_: None,
    match: Callable[[Request], str] = lambda _: "",
) -> Binding:
    """One request and one response, judged and stored in batches by the intake.

    `apart` answers the requests that take too long for a batch, and returns None for the others. `match` is
    the match that a request is to be appended to.
    """

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)
        resources = handler.resources

        async def answer(call: Call, caller: Caller) -> Reply:
            request = await handler.request(call, caller, read)
            work = partial(prepare, resources, caller, request)
            subject = MatchId(match(request))
            try:
                if (longer := apart(resources, caller, request)) is not None:
                    return await longer
                return await resources.intake.submit(caller.account, work, cost(request), subject)
            except NotLoaded as missing:
                first = missing

            async def again() -> Reply:
                longer = apart(resources, caller, request)
                if longer is not None:
                    return await longer
                return await resources.intake.submit(caller.account, work, 1, subject)

            return await resources.loop_share.retry(caller.account, first, again)

        async def serve(_: object, context: Context) -> Reply:
            return await handler.handle(Call(name, context), answer)

        return serve

    return bind


def question(
    ask: Callable[[Resources, Caller, Request], Reply],
    apart: Callable[[Resources, Caller, Request], Awaitable[Reply] | None] = lambda *_: None,
) -> Binding:
    """As batched, for requests that store nothing.

    Where reading the archive waits for a network, threads do it, and nobody waits for those who write.
    """
    in_batches = batched(ask, apart=apart)

    async def read(resources: Resources, caller: Caller, request: Request) -> Reply:
        longer = apart(resources, caller, request)
        return await (longer or resources.off_loop(partial(ask, resources, caller, request)))

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        return (in_batches if handler.resources.readers is None else unary(read))(handler, name, decode)

    return bind


def unary(do: Callable[[Resources, Caller, Request], Awaitable[Reply]]) -> Binding:
    """One request and one response; the method takes its turn in the intake and then works on its own."""

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)

        async def answer(call: Call, caller: Caller) -> Reply:
            request = await handler.request(call, caller, read)
            attempt = partial(do, handler.resources, caller, request)
            return await handler.resources.in_turn(caller.account, name, attempt)

        async def serve(_: object, context: Context) -> Reply:
            return await handler.handle(Call(name, context), answer)

        return serve

    return bind


def stream(do: Callable[[Resources, Caller, Request], Awaitable[AsyncIterator[Message]]]) -> Binding:
    """One request and any number of responses; what is wrong with the request is found before the first."""

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)

        async def answer(call: Call, caller: Caller) -> None:
            request = await handler.request(call, caller, read)
            begin = partial(do, handler.resources, caller, request)
            responses = await handler.resources.in_turn(caller.account, name, begin)
            await _accept(call.context)
            async for response in responses:
                handler.admission.require_valid(caller)
                await handler.write(call.context, response)

        async def serve(_: object, context: Context) -> None:
            await handler.handle(Call(name, context), answer)

        return serve

    return bind


def exchange(
    prepare: Callable[[Resources, Caller, Request, Reject], Reply | Pending[Reply]],
    match: Callable[[Request], str],
) -> Binding:
    """Any number of requests and a response to each; a request counts as much as a call of its own.

    A caller that does not take its responses cannot send more requests, and keeps only itself waiting.
    """

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)
        resources, admission = handler.resources, handler.admission

        async def serve(_: object, context: Context) -> None:
            read_bytes = context.read

            async def next_request(call: Call, caller: Caller) -> Request | None:
                budget = admission.budget
                if call.request_bytes:  # the request before is answered
                    budget.give(caller.account, context.peer, call.request_bytes)
                    call.request_bytes = 0
                if budget.bytes:
                    await budget.room(caller.account, context.peer)
                data = await read_bytes()
                admission.require_valid(caller)
                if not isinstance(data, bytes):  # the end of the stream
                    return None
                budget.take(caller.account, context.peer, len(data))
                call.request_bytes = len(data)
                request = read(call, data)
                if delay := admission.request_delay(caller):
                    await asyncio.sleep(delay)
                return request

            async def answer(call: Call, caller: Caller) -> None:
                def reject(request: Message, error: CallError) -> None:
                    handler.report(call, RejectedRequest(caller, request, error))

                await _accept(context)
                read_next = partial(next_request, call, caller)
                resources.intake.streams += 1
                try:
                    while (request := await resources.shutdown.wait_for(read_next)) is not None:
                        work = partial(prepare, resources, caller, request, reject)
                        subject = MatchId(match(request))
                        submit = partial(resources.intake.submit, caller.account, work, 1, subject)
                        try:
                            response = await submit()
                        except NotLoaded as missing:
                            response = await resources.loop_share.retry(caller.account, missing, submit)
                        admission.require_valid(caller)
                        await context.write(response)
                finally:
                    resources.intake.streams -= 1
                if resources.shutdown.begun:
                    raise stopping()
                if resources.shutdown.released:
                    raise made_room()

            await handler.handle(Call(name, context), answer)

        return serve

    return bind


def binary_decoder(method: MethodDescriptor) -> Decode:
    """Decodes the requests of a method from protobuf's binary form, within their bounds."""
    kind, require_bounds = GetMessageClass(method.input_type), bounds_check(method.input_type)

    def decode(call: Call, data: bytes) -> Message:
        if len(data) > SMALL_REQUEST_BYTES:
            require_bounds(data)
        try:
            call.request = request = kind.FromString(data)
        except DecodeError:
            message = f"the bytes are not a {kind.DESCRIPTOR.name}"
            raise CallError(Reason.UNREADABLE_REQUEST, message) from None
        return request

    return decode


async def _accept(context: Context) -> None:
    """Let the caller know that the stream has begun before anything is sent on it."""
    await context.send_initial_metadata(())
