"""A server that answers with bytes that another server has sent, for `make load`.

What a flood does to it is what gRPC, uvicorn and the machine permit at best, with requests and answers of the
same size.
"""

import asyncio
import pickle
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, cast

import click
import grpc
import uvicorn
from grpc import StatusCode, aio
from shiji.record.v1 import record_service_pb2 as pb

from service.address import Address
from service.http.port import bound_socket
from service.rpc import DESCRIPTOR
from tools.dev.load_floods import OPTIONS, Flood, GrpcFlood, answers_of, http_answer

_CODES: Final = {code.value[0]: code for code in StatusCode}


class Recording(NamedTuple):
    """What a server has answered to a call."""

    responses: tuple[bytes, ...]
    code: int = 0
    """Its status, as gRPC or HTTP numbers it."""
    details: str = ""


class Recordings(NamedTuple):
    """What an echo answers."""

    known: Mapping[str, Mapping[str, Recording]]
    """By token and method."""
    other: Recording
    """To all other calls, and over HTTP."""


@dataclass(frozen=True, slots=True)
class Echo:
    """A running echo."""

    address: str
    web: str

    def instead(self, flood: Flood) -> Flood:
        """The same flood, to this server."""
        return flood._replace(address=self.address if isinstance(flood, GrpcFlood) else self.web)


def recording_of(flood: Flood) -> Recording:
    """What the server of a flood answers to one of its calls."""
    if isinstance(flood, GrpcFlood):
        return asyncio.run(_grpc_answer(flood.address, flood.method, flood.data, flood.token))
    code, body = asyncio.run(http_answer(flood))
    return Recording((body,), code)


def recordings_of_player(address: str, token: str) -> dict[str, Recording]:
    """What a server answers to a player's first move, and before it."""
    start = pb.StartMatchRequest(request_id="echoed", game="qin", seats=["green", "violet"])
    started = asyncio.run(_grpc_answer(address, "StartMatch", start.SerializeToString(), token))
    match = pb.StartMatchResponse.FromString(started.responses[0]).match.match_id
    append = pb.AppendMoveRequest(match_id=match, request_id="echoed")
    append.move.text = "green Re8Re9"
    appended = asyncio.run(_grpc_answer(address, "AppendMove", append.SerializeToString(), token))
    return {"StartMatch": started, "AppendMove": appended}


async def _grpc_answer(address: str, method: str, data: bytes, token: str) -> Recording:
    responses = list[bytes]()
    async with aio.insecure_channel(address, OPTIONS) as channel:
        try:
            async for response in answers_of(channel, method, data, token):
                responses.append(response)
        except aio.AioRpcError as fault:
            return Recording(tuple(responses), fault.code().value[0], fault.details() or "")
    return Recording(tuple(responses))


@contextmanager
def echoing(folder: Path, answers: Recordings) -> Iterator[Echo]:
    """Run an echo for the duration of the block."""
    path = folder / "answers"
    path.write_bytes(pickle.dumps(answers))
    command = [sys.executable, "-m", "tools.dev.load_echo", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = "" if process.stdout is None else process.stdout.readline()
            found = re.fullmatch(r"echo on (\S+) and (\S+)\n", line)
            if found is None:
                raise click.ClickException(f"the echo did not start: {line}")
            yield Echo(found[1], found[2])
        finally:
            process.kill()


# In the process of the echo.


async def _serve(answers: Recordings) -> None:
    async def answer(
        method: str, _: AsyncIterator[bytes], context: "aio.ServicerContext[bytes, bytes]"
    ) -> None:
        metadata = dict(context.invocation_metadata() or ())
        token = str(metadata.get("authorization", "")).removeprefix("Bearer ")
        found = answers.known.get(token, {}).get(method, answers.other)
        await context.read()
        for response in found.responses:
            await context.write(response)
        if found.code:
            await context.abort(_CODES[found.code], found.details)

    # The type stubs of gRPC have only handlers that are not async.
    stream = cast(
        "Callable[[object], grpc.RpcMethodHandler[bytes, bytes]]", grpc.stream_stream_rpc_method_handler
    )
    handlers = {method.name: stream(partial(answer, method.name)) for method in DESCRIPTOR.methods}
    server = aio.server(options=(("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", -1)))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(DESCRIPTOR.full_name, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    listening, web = bound_socket(Address("127.0.0.1", 0))
    app = partial(_answer_http, answers.other)
    # Without the interface, a partial is taken for an application of ASGI 2.
    config = uvicorn.Config(
        app, interface="asgi3", http="httptools", ws="none", lifespan="off", log_config=None
    )
    click.echo(f"echo on 127.0.0.1:{port} and {web}")
    await uvicorn.Server(config).serve([listening])


async def _answer_http(
    answer: Recording,
    _: object,
    receive: Callable[[], "asyncio.Future[dict[str, object]]"],
    send: Callable[[dict[str, object]], "asyncio.Future[None]"],
) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": answer.code, "headers": []})
    await send({"type": "http.response.body", "body": b"".join(answer.responses)})


@click.command()
@click.argument("answers", type=click.Path(exists=True, path_type=Path))
def main(answers: Path) -> None:
    """Recording every call with what the file ANSWERS has for it."""
    asyncio.run(_serve(pickle.loads(answers.read_bytes())))  # noqa: S301 - the file is ours


if __name__ == "__main__":
    main()
