"""A gRPC server that answers every call with a constant: the upper limit of what gRPC can do."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import cast

import click
import grpc
from grpc import aio

ECHO_SERVICE = "bench.Echo"
"""Name of the gRPC service."""


async def _serve(size: int) -> None:
    answer = bytes(size)

    async def one(_request: bytes, _context: object) -> bytes:
        return answer

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
    handlers = {"One": unary(one), "Many": stream(many)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(ECHO_SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    click.echo(f"echo listens on 127.0.0.1:{port}.")
    await server.wait_for_termination()


@click.command()
@click.argument("size", type=int)
def main(size: int) -> None:
    """Answer every call with SIZE bytes until the process is ended."""
    asyncio.run(_serve(size))


if __name__ == "__main__":
    main()
