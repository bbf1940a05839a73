"""The RecordService: which function answers which method of the .proto, and the life of a call."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NoReturn, Protocol, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb

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
from service.errors import CallError, Reason, made_room, stopping
from service.intake import Pending
from service.methods import append, audit, choices, imports, listing, notices, proofs, query, read
from service.resources import Resources

DESCRIPTOR: Final = pb.DESCRIPTOR.services_by_name["RecordService"]

SMALL_REQUEST_BYTES: Final = 256
"""Requests up to this size are parsed at once: they have no room for anything that takes long. Smaller bounds
are checked by the methods."""

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response")
Reply = TypeVar("Reply", bound=Message)

Decode: TypeAlias = Callable[[Call, bytes], Message]
"""Decodes a request once its caller is admitted, and keeps it in the call for observers; raises CallError."""


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
        self._observers: Final = observers
        self._answer_observers: Final = [observer for observer in observers if observer.sees_answers]

    async def handle(self, call: Call, answer: Callable[[Call, Caller], Awaitable[Response]]) -> Response:
        """The answer to an admitted caller."""
        caller = await self._admit(call)
        try:
            response = await answer(call, caller)
        except asyncio.CancelledError:
            self.report(call, Cancelled(caller))
            raise
        except aio.InternalError:  # gRPC could not send anything: the caller has left
            self.report(call, Cancelled(caller))
            context = cast("aio.ServicerContext[Message, Message]", call.context)
            await _end(context.abort(grpc.StatusCode.CANCELLED, "the caller has left"))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the caller gets an error for it
            await self._fail(call, caller, fault)
        else:
            for observer in self._answer_observers:
                observer.ended(call, Answered(caller))
            return response
        finally:
            self.admission.leave(call.method, caller)
            if call.request_bytes:
                self.admission.budget.give(caller.account, call.request_bytes)

    def report(self, call: Call, outcome: CallOutcome) -> None:
        """Notify the observers that a call, or one request of a stream, did not end well."""
        for observer in self._observers:
            observer.ended(call, outcome)

    async def write(self, context: Context, response: Message) -> None:
        """Send one response of a stream; a caller that does not take it in time has its call ended."""
        try:
            async with asyncio.timeout(self.resources.stall_seconds):
                await context.write(response)
        except TimeoutError:
            raise CallError(
                Reason.SLOW_CONSUMER, "the client did not take a response in time; resume after the last one"
            ) from None

    async def receive(self, call: Call, caller: Caller) -> bytes:
        """The request of a caller that is admitted; until then gRPC has received no more than its beginning.

        Its bytes are counted until the call has ended.
        """
        read = call.context.read
        try:
            data = await self.admission.budget.receive(caller.account, read, self.resources.stall_seconds)
        except TimeoutError:
            raise CallError(Reason.UNREADABLE_REQUEST, "the request did not arrive in time") from None
        if not isinstance(data, bytes):
            raise CallError(Reason.UNREADABLE_REQUEST, "the call has no request")
        self.admission.budget.take(caller.account, len(data))
        call.request_bytes = len(data)
        return data

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
        await _end(call.context.abort_with_status(error.status()))


async def _end(ending: Awaitable[object]) -> NoReturn:
    """End a call with a status; a caller that has left in the meantime does not get it."""
    with suppress(aio.InternalError):
        await ending
    raise asyncio.CancelledError


# Each of these binds one kind of method. A request is received and decoded after its caller
# is admitted. For that, gRPC must take every request for a stream, which on the wire is the same: of other
# methods it receives the request before it calls us.


def _batched(
    prepare: Callable[[Resources, Caller, Request], Reply | Pending[Reply]],
    cost: Callable[[Request], int] = lambda _: 1,
    apart: Callable[[Resources, Caller, Request], Awaitable[Reply] | None] = lambda *_: None,
) -> Binding:
    """One request and one response, judged and stored in batches by the intake.

    `apart` answers the requests that take too long for a batch, and returns None for the others.
    """

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)
        resources = handler.resources

        async def answer(call: Call, caller: Caller) -> Reply:
            request = read(call, await handler.receive(call, caller))
            if (longer := apart(resources, caller, request)) is not None:
                return await longer
            work = partial(prepare, resources, caller, request)
            return await resources.intake.submit(caller.account, work, cost(request))

        async def serve(_: object, context: Context) -> Reply:
            return await handler.handle(Call(name, context), answer)

        return serve

    return bind


def _unary(do: Callable[[Resources, Caller, Request], Awaitable[Reply]]) -> Binding:
    """One request and one response; the method takes its turn in the intake and then works on its own."""

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)

        async def answer(call: Call, caller: Caller) -> Reply:
            request = read(call, await handler.receive(call, caller))
            await handler.resources.intake.turn(caller.account)
            return await do(handler.resources, caller, request)

        async def serve(_: object, context: Context) -> Reply:
            return await handler.handle(Call(name, context), answer)

        return serve

    return bind


def _stream(do: Callable[[Resources, Caller, Request], AsyncIterator[Message]]) -> Binding:
    """One request and any number of responses; what is wrong with the request is found before the first."""

    def bind(handler: CallHandler, name: str, decode: Decode) -> Serve:
        read = cast("Callable[[Call, bytes], Request]", decode)

        async def answer(call: Call, caller: Caller) -> None:
            request = read(call, await handler.receive(call, caller))
            await handler.resources.intake.turn(caller.account)
            responses = do(handler.resources, caller, request)
            await _accept(call.context)
            async for response in responses:
                handler.admission.require_valid(caller)
                await handler.write(call.context, response)

        async def serve(_: object, context: Context) -> None:
            await handler.handle(Call(name, context), answer)

        return serve

    return bind


def _exchange(
    prepare: Callable[[Resources, Caller, Request, append.Reject], Reply | Pending[Reply]],
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
                data = await read_bytes()
                admission.require_valid(caller)
                if not isinstance(data, bytes):  # the end of the stream
                    return None
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
                        response = await resources.intake.submit(caller.account, work)
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


METHODS: Final[Mapping[str, Binding]] = {
    "StartMatch": _unary(append.start_match),
    "AppendMove": _batched(append.append_move),
    "AppendMoves": _batched(append.append_moves, lambda request: max(len(request.moves), 1)),
    "Play": _exchange(append.play),
    "CheckMove": _batched(query.check_move, apart=query.check_sent_move),
    "ListLegalMoves": _unary(query.list_legal_moves),
    "GetMatch": _batched(query.get_match),
    "ListMatches": _unary(listing.list_matches),
    "GetState": _batched(query.get_state, apart=query.get_state_with_pictures),
    "ReadRecord": _stream(read.read_record),
    "FollowRecord": _stream(read.follow_record),
    "FollowArchive": _stream(read.follow_archive),
    "ImportRecord": _unary(imports.import_record),
    "ExportRecord": _unary(read.export_record),
    "AuditMatch": _unary(audit.audit_match),
    "AuditArchive": _stream(audit.audit_archive),
    "Retract": _unary(append.retract),
    "RotateKey": _unary(notices.rotate_key),
    "CommitShare": _unary(notices.commit_share),
    "RevealShare": _unary(notices.reveal_share),
    "OpenDispute": _unary(notices.open_dispute),
    "ResolveDispute": _unary(notices.resolve_dispute),
    "RequestTakeback": _unary(notices.request_takeback),
    "GrantTakeback": _unary(notices.grant_takeback),
    "Choose": _unary(choices.choose),
    "SealChoice": _unary(choices.seal_choice),
    "OpenChoice": _unary(choices.open_choice),
    "AnswerFor": _unary(choices.answer_for),
    "CloseMatch": _unary(choices.close_match),
    "CompareRecords": _unary(audit.compare_records),
    "GetCheckpoint": _unary(proofs.get_checkpoint),
    "GetInclusionProof": _unary(proofs.get_inclusion_proof),
    "GetConsistencyProof": _unary(proofs.get_consistency_proof),
}


def add_to(server: aio.Server, handler: CallHandler) -> None:
    """Add every method to the server."""
    handlers = {method.name: _grpc_handler(handler, method) for method in DESCRIPTOR.methods}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(DESCRIPTOR.full_name, handlers),))


def _grpc_handler(handler: CallHandler, method: MethodDescriptor) -> "grpc.RpcMethodHandler[bytes, Message]":
    serve = METHODS[method.name](handler, method.name, binary_decoder(method))
    # gRPC's type stubs know only handlers that are not async. Without a deserializer, gRPC hands over bytes.
    make = cast(
        "Callable[[Serve, None, object], grpc.RpcMethodHandler[bytes, Message]]",
        grpc.stream_stream_rpc_method_handler
        if method.server_streaming
        else grpc.stream_unary_rpc_method_handler,
    )
    return make(serve, None, GetMessageClass(method.output_type).SerializeToString)
