"""A gRPC server that answers health checks and reflection, and drains before it stops."""

import asyncio
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from grpc import aio
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from service.address import Address

GRACE: Final = 5.0
"""How many seconds calls that are under way get to finish."""

# Without this, Linux lets a second server share the port and takes calls away from the first.
_OPTIONS: Final = (("grpc.so_reuseport", 0),)


class CannotListen(OSError):
    """The server cannot listen on the address."""


async def serve(address: Address, started: Callable[[Address], None]) -> None:
    """Serve until SIGINT or SIGTERM, then drain; a second signal stops at once.

    `started` is told the address with its actual port as soon as calls are answered.
    """
    server = aio.server(options=_OPTIONS)
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    reflection.enable_server_reflection((health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    bound = _listen(server, address)

    stop, hurry = asyncio.Event(), asyncio.Event()

    def signalled() -> None:
        (hurry if stop.is_set() else stop).set()

    for signum in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signum, signalled)

    await server.start()
    started(bound)
    await stop.wait()
    await servicer.enter_graceful_shutdown()
    await _drain(server, hurry)


def _listen(server: aio.Server, address: Address) -> Address:
    # gRPC tells why it cannot listen only in its own log; a socket raises it.
    try:
        family, *_, sockaddr = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(sockaddr)
        return replace(address, port=server.add_insecure_port(str(address)))
    except OSError as fault:
        raise CannotListen(f"cannot listen on {address}: {fault.strerror}") from fault
    except RuntimeError as fault:
        raise CannotListen(f"cannot listen on {address}") from fault


async def _drain(server: aio.Server, hurry: asyncio.Event) -> None:
    drained = asyncio.create_task(server.stop(GRACE))
    hurried = asyncio.create_task(hurry.wait())
    await asyncio.wait((drained, hurried), return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    await server.stop(None)
