"""The RecordService: which function answers which method of the .proto."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb

from service.authorization import Caller
from service.door import Context, Door, Exchange, Quick, Stream, Unary
from service.errors import CallError, Reason
from service.methods import append as appending
from service.methods import audit as auditing
from service.methods import notices as noting
from service.methods import proofs as proving
from service.methods import query as asking
from service.methods import read as reading
from service.resources import Resources

DESCRIPTOR: Final = pb.DESCRIPTOR.services_by_name["RecordService"]

Request = TypeVar("Request")
Response = TypeVar("Response")
Reply = TypeVar("Reply", bound=Message)

Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"
HandlerFactory: TypeAlias = Callable[[Door, MethodDescriptor], Handler]


def _unary(do: Unary[Request, Response]) -> HandlerFactory:
    """A method with one request and one answer."""

    def handler(door: Door, method: MethodDescriptor) -> Handler:
        async def call(request: Request, context: Context) -> Response:
            return await door.unary(method.name, do, request, context)

        return _made(grpc.unary_unary_rpc_method_handler, call, method)

    return handler


def _quick(do: Quick[Request, Response]) -> HandlerFactory:
    """As _unary, for what is answered at once and in rounds."""

    async def in_a_round(resources: Resources, caller: Caller, request: Request) -> Response:
        return await resources.rounds.answer(partial(do, resources, caller, request))

    return _unary(in_a_round)


def _stream(do: Stream[Request, Reply]) -> HandlerFactory:
    """A method with one request and a stream of answers."""

    def handler(door: Door, method: MethodDescriptor) -> Handler:
        async def call(request: Request, context: Context) -> None:
            await door.stream(method.name, do, request, context)

        return _made(grpc.unary_stream_rpc_method_handler, call, method)

    return handler


def _exchange(do: Exchange[Request, Reply]) -> HandlerFactory:
    """A method with a stream of requests and an answer to each, in rounds."""

    def handler(door: Door, method: MethodDescriptor) -> Handler:
        async def call(requests: object, context: Context) -> None:
            await door.exchange(method.name, do, requests, context)

        return _made(grpc.stream_stream_rpc_method_handler, call, method)

    return handler


def _made(make: object, call: object, method: MethodDescriptor) -> Handler:
    # The stubs of gRPC know only handlers that are not async.
    build = cast("Callable[[object, object, object], Handler]", make)
    request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    return build(call, partial(_read, request), response.SerializeToString)


def _read(kind: type[Message], data: bytes) -> Message | CallError:
    """The message; gRPC itself would call bytes that are none a fault of ours."""
    try:
        return kind.FromString(data)
    except DecodeError:
        return CallError(Reason.UNREADABLE_REQUEST, f"the bytes are no {kind.DESCRIPTOR.name}")


METHODS: Final[Mapping[str, HandlerFactory]] = {
    "StartMatch": _unary(appending.start_match),
    "AppendMove": _quick(appending.append_move),
    "AppendMoves": _quick(appending.append_moves),
    "Play": _exchange(appending.play),
    "CheckMove": _quick(asking.check_move),
    "ListLegalMoves": _quick(asking.list_legal_moves),
    "GetMatch": _quick(asking.get_match),
    "ListMatches": _unary(asking.list_matches),
    "GetState": _quick(asking.get_state),
    "ReadRecord": _stream(reading.read_record),
    "FollowRecord": _stream(reading.follow_record),
    "FollowArchive": _stream(reading.follow_archive),
    "ImportRecord": _unary(appending.import_record),
    "ExportRecord": _unary(reading.export_record),
    "AuditMatch": _unary(auditing.audit_match),
    "AuditArchive": _stream(auditing.audit_archive),
    "Retract": _unary(appending.retract),
    "RotateKey": _unary(noting.rotate_key),
    "CommitShare": _unary(noting.commit_share),
    "RevealShare": _unary(noting.reveal_share),
    "OpenDispute": _unary(noting.open_dispute),
    "ResolveDispute": _unary(noting.resolve_dispute),
    "RequestTakeback": _unary(noting.request_takeback),
    "GrantTakeback": _unary(noting.grant_takeback),
    "CompareRecords": _unary(noting.compare_records),
    "GetCheckpoint": _unary(proving.get_checkpoint),
    "GetInclusionProof": _unary(proving.get_inclusion_proof),
    "GetConsistencyProof": _unary(proving.get_consistency_proof),
}


def add_to(server: aio.Server, door: Door) -> None:
    """Have the server answer every method."""
    handlers = {method.name: METHODS[method.name](door, method) for method in DESCRIPTOR.methods}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(DESCRIPTOR.full_name, handlers),))
