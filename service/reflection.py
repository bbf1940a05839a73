"""Server reflection, v1 and v1alpha, by which tools such as grpcurl learn what the server offers.

The package for Python has v1alpha only. Version 1 has the same messages under another name.
"""

from collections.abc import Callable, Sequence
from typing import Final, cast

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc import aio
from grpc_reflection.v1alpha import reflection, reflection_pb2

from service.public_streams import LimitedReflection, PublicStreams

_OLD: Final = "grpc.reflection.v1alpha"
_NEW: Final = "grpc.reflection.v1"

_METHOD: Final = "ServerReflectionInfo"


def add_reflection(services: Sequence[str], server: aio.Server, streams: PublicStreams) -> None:
    """Describe these services, and reflection itself, to a limited number of callers at a time."""
    new_name = _new_service()
    names = (*services, reflection.SERVICE_NAME, new_name)
    described = LimitedReflection(names, streams)
    # gRPC's type stubs know only handlers that are not async.
    make = cast(
        "Callable[[object, object, object], grpc.RpcMethodHandler[bytes, bytes]]",
        grpc.stream_stream_rpc_method_handler,
    )
    handler = make(
        described.ServerReflectionInfo,
        reflection_pb2.ServerReflectionRequest.FromString,
        reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    for name in (reflection.SERVICE_NAME, new_name):
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {_METHOD: handler}),))


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
