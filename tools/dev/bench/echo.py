"""A gRPC server that answers every call with a constant: the upper limit of what gRPC can do.

Its built answers are the upper limit of a server that reads and writes the messages of AppendMove and Play.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import cast

import click
import grpc
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb

ECHO_SERVICE = "bench.Echo"
"""Name of the gRPC service."""


async def _serve(sample: bytes) -> None:
    answer, template = bytes(len(sample)), pb.AppendMoveResponse.FromString(sample)

    def build(data: bytes) -> pb.PlayResponse:
        request = pb.PlayRequest.FromString(data)
        response = pb.PlayResponse(request_id=request.append.request_id)
        response.appended.MergeFrom(template.appended)
        return response

    async def one(_request: bytes, _context: object) -> bytes:
        return answer

    async def one_built(request: bytes, _context: object) -> bytes:
        return build(request).SerializeToString()

    async def many_built(
        requests: AsyncIterator[bytes], context: "aio.ServicerContext[bytes, bytes]"
    ) -> None:
        async for request in requests:
            await context.write(build(request).SerializeToString())

    async def many(requests: AsyncIterator[bytes], context: "aio.ServicerContext[bytes, bytes]") -> None:
        async for _ in requests:
            await context.write(answer)

    # The type stubs of gRPC have only handlers that are not async.
    unary = cast(
        "Callable[[object], grpc.RpcMethodHandler[bytes, bytes]]", grpc.unary_unary_rpc_method_handler
    )
    stream = cast(
        "Callable[[object], grpc.RpcMethodHandler[bytes, bytes]]", grpc.stream_stream_rpc_method_handler
    )
    server = aio.server(options=(("grpc.so_reuseport", 0),))
    handlers = {
        "One": unary(one),
        "OneBuilt": unary(one_built),
        "Many": stream(many),
        "ManyBuilt": stream(many_built),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(ECHO_SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    click.echo(f"echo listens on 127.0.0.1:{port}.")
    await server.wait_for_termination()


@click.command()
@click.argument("sample")
def main(sample: str) -> None:
    """Answer every call with as many bytes as SAMPLE has, an answer to AppendMove in hex."""
    asyncio.run(_serve(bytes.fromhex(sample)))


if __name__ == "__main__":
    main()
