"""Server reflection, v1 and v1alpha, by which tools such as grpcurl learn what the server offers.

The package for Python has v1alpha only. Version 1 has the same messages under another name.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, cast

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message import DecodeError
from grpc import aio
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from service.errors import CallError, Reason
from service.public_streams import PublicContext, PublicStreams, write_public

_OLD: Final = "grpc.reflection.v1alpha"
_NEW: Final = "grpc.reflection.v1"

_METHOD: Final = "ServerReflectionInfo"


def add_reflection(services: Sequence[str], server: aio.Server, streams: PublicStreams) -> None:
    """Describe these services, and reflection itself, to a limited number of callers at a time."""
    new_name = _new_service()
    names = (*services, reflection.SERVICE_NAME, new_name)
    described = _LimitedReflection(names, streams)
    # gRPC's type stubs know only handlers that are not async. Without a deserializer, gRPC hands over bytes.
    make = cast(
        "Callable[[object, None, object], grpc.RpcMethodHandler[bytes, bytes]]",
        grpc.stream_stream_rpc_method_handler,
    )
    handler = make(described.answer, None, ServerReflectionResponse.SerializeToString)
    for name in (reflection.SERVICE_NAME, new_name):
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {_METHOD: handler}),))


class _LimitedReflection:
    """The description of the service, read by a limited number of callers at a time."""

    def __init__(self, names: tuple[str, ...], streams: PublicStreams) -> None:
        self._described: Final = reflection.aio.ReflectionServicer(names)
        self._streams: Final = streams

    async def answer(self, _: object, context: PublicContext) -> None:
        """One response per request; a caller that sends none for some time opens another stream."""
        try:
            with self._streams.opened(context.peer()):
                while (data := await self._streams.receive(context)) is not None:
                    answers = self._described.ServerReflectionInfo(_once(_request(data)), context)
                    async for response in cast("AsyncIterator[ServerReflectionResponse]", answers):
                        await write_public(context, response)
        except CallError as error:
            await context.abort_with_status(error.status())


async def _once(request: ServerReflectionRequest) -> AsyncIterator[ServerReflectionRequest]:
    yield request


def _request(data: bytes) -> ServerReflectionRequest:
    try:
        return ServerReflectionRequest.FromString(data)
    except DecodeError:
        message = "the bytes are not a ServerReflectionRequest"
        raise CallError(Reason.UNREADABLE_REQUEST, message) from None


def _new_service() -> str:
    """The name of the service in version 1, whose file is made known from that of v1alpha."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = "grpc/reflection/v1/reflection.proto", _NEW
    for message in file.message_type:
        for field in filter(lambda field: field.type_name, message.field):
            field.type_name = field.type_name.replace(_OLD, _NEW)
    for method in file.service[0].method:
        method.input_type = method.input_type.replace(_OLD, _NEW)
        method.output_type = method.output_type.replace(_OLD, _NEW)
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    return f"{_NEW}.{file.service[0].name}"
