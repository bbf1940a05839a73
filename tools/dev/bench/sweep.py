"""Compares the constants of the intake with other values: `python -m tools.dev.bench.sweep [CONSTANT...]`.

A server with one constant changed and one with none run beside each other and are measured in alternation.
For each other value the medians of the ratios, changed to unchanged, are printed: rates of 32 callers of
AppendMove, of 32 streams of Play and of a lone caller, where more is better, and latencies, where less is
better: the p99 of Play, and the p95 of a client that appends while another floods the server with batches.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import click
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.project.places import SHIJI
from tools.dev.bench import service
from tools.dev.bench.qin_records import games

OTHER_VALUES: Final[Mapping[str, Sequence[float]]] = {
    "GATHER_SECONDS": (0.001, 0.004),
    "GATHER_REQUESTS": (8, 24),
    "MIN_CALLERS_TO_GATHER": (2, 16),
    "FIRST_COUNT_BATCHES": (2, 32),
    "LAST_COUNT_BATCHES": (64, 1024),
    "SHARE_MOVES": (4, 64),
    "SHARE_MOVES_BESIDE_LIGHT": (2, 16),
    "MAX_LIGHT_CALLS": (0, 4),
    "MAX_LIGHT_MOVES": (16, 256),
    "LIGHT_SECONDS": (0.01, 1.0),
    "DRAIN_SECONDS": (0.001, 0.01),
    "ROUND_SECONDS": (0.01, 0.2),
    "ALONE_SECONDS": (0.1, 10.0),
    "MAX_BATCH_MOVES": (64, 1024),
    "MAX_BATCH_BYTES": (16_384, 1_048_576),
    "JUDGING_SLICE_SECONDS": (0.001, 0.01),
    "SLOW_WRITE_SECONDS": (0.001, 0.016),
    "NEWEST_WRITE_WEIGHT": (0.05, 0.8),
}
"""A smaller and a larger value of each constant."""

_LAUNCH: Final = """
import sys
from service import fair_queue, intake
from tools.cli import main
if sys.argv[1]:
    module = fair_queue if hasattr(fair_queue, sys.argv[1]) else intake
    kind = type(getattr(module, sys.argv[1]))
    setattr(module, sys.argv[1], kind(float(sys.argv[2])))
sys.argv = ["shiji", *sys.argv[3:]]
main()
"""
"""Starts the command with one constant changed, or none where its name is empty."""

_LONE_CALLS: Final = 200
_VICTIM_CALLS: Final = 60
_FLOOD_CALLERS: Final = 16

_Metadata = Sequence[tuple[str, str]]


class _Measured:
    """A server, and two clients of it."""

    def __init__(self, channel: aio.Channel, tokens: Sequence[str]) -> None:
        self._channel: Final = channel
        self._one, self._other = ((("authorization", f"Bearer {token}"),) for token in tokens)

    async def measure(self) -> dict[str, float]:
        """Every figure, by its name."""
        appends, _ = await self._appends(self._one, service.CALLERS, service.CALLS_PER_CALLER)
        lone, _ = await self._appends(self._one, 1, _LONE_CALLS)
        played, slowest = await self._play()
        return {
            "appends": appends,
            "play": played,
            "lone": lone,
            "play p99": slowest,
            "victim p95": await self._victim(),
        }

    async def _match(self, metadata: _Metadata, number: int) -> str:
        game = games()[number % len(games())]
        request = pb.StartMatchRequest(
            request_id=f"start {next(service.numbers)}", game=game.header.game, seats=game.header.setup.seats
        )
        started = await RecordServiceStub(self._channel).StartMatch(request, metadata=metadata)
        return started.match.match_id

    async def _requests(self, metadata: _Metadata, number: int) -> list[pb.AppendMoveRequest]:
        game, match = games()[number % len(games())], await self._match(metadata, number)
        return [service.append_request(game, match, place) for place in range(service.CALLS_PER_CALLER)]

    async def _appends(self, metadata: _Metadata, callers: int, calls: int) -> tuple[float, list[float]]:
        """Calls per second, and how long each took."""
        stub, took = RecordServiceStub(self._channel), list[float]()
        each = service.CALLS_PER_CALLER
        todo = [
            [request for part in range(-(-calls // each)) for request in await self._requests(metadata, part)]
            for _ in range(callers)
        ]

        async def caller(requests: Sequence[pb.AppendMoveRequest]) -> None:
            for request in requests[:calls]:
                begun = time.perf_counter()
                await stub.AppendMove(request, metadata=metadata)
                took.append(time.perf_counter() - begun)

        begun = time.perf_counter()
        await asyncio.gather(*map(caller, todo))
        return callers * calls / (time.perf_counter() - begun), took

    async def _play(self) -> tuple[float, float]:
        stub, took = RecordServiceStub(self._channel), list[float]()
        todo = [await self._requests(self._one, number) for number in range(service.CALLERS)]

        async def caller(requests: Sequence[pb.AppendMoveRequest]) -> None:
            call = stub.Play(metadata=self._one)
            for request in requests:
                begun = time.perf_counter()
                await call.write(pb.PlayRequest(append=request))
                await call.read()
                took.append(time.perf_counter() - begun)
            await call.done_writing()

        begun = time.perf_counter()
        await asyncio.gather(*map(caller, todo))
        return len(took) / (time.perf_counter() - begun), statistics.quantiles(took, n=100)[98]

    async def _victim(self) -> float:
        async def flood(number: int) -> None:
            stub, game = RecordServiceStub(self._channel), games()[number % len(games())]
            moves = [service.encoded_move(game, place) for place in range(service.MOVES_PER_BATCH)]
            while True:
                request = pb.AppendMovesRequest(
                    match_id=await self._match(self._other, number), request_id="all", moves=moves
                )
                await stub.AppendMoves(request, metadata=self._other)

        floods = [asyncio.create_task(flood(number)) for number in range(_FLOOD_CALLERS)]
        _, took = await self._appends(self._one, 1, _VICTIM_CALLS)
        for task in floods:
            task.cancel()
        await asyncio.gather(*floods, return_exceptions=True)
        return statistics.quantiles(took, n=20)[18]


async def _compare(folder: Path, tokens: Sequence[str], name: str, value: float, rounds: int) -> None:
    """Print one line: the ratios of a server with this value of the constant to one with none changed."""

    def command(constant: str) -> list[str]:
        db = str(folder / f"{constant or 'unchanged'}-{value}.db")
        serve = [
            "serve",
            "--db",
            db,
            "--listen",
            "127.0.0.1:0",
            "--tokens",
            str(folder / "tokens.json"),
            "--no-web",
        ]
        return [sys.executable, "-c", _LAUNCH, constant, str(value), *serve]

    start = service.server_process
    with start(command(name)) as (changed, _), start(command("")) as (unchanged, _):
        async with aio.insecure_channel(changed) as ours, aio.insecure_channel(unchanged) as theirs:
            contenders = [_Measured(ours, tokens), _Measured(theirs, tokens)]
            found: list[list[dict[str, float]]] = [[], []]
            for place in islice(cycle((0, 1, 1, 0)), 2 * rounds + 2):
                found[place].append(await contenders[place].measure())
    ratios = {
        what: statistics.median(a[what] / b[what] for a, b in zip(found[0][1:], found[1][1:], strict=True))
        for what in found[0][0]
    }
    click.echo(f"{name} = {value:g}: " + ", ".join(f"{what} {ratio:.2f}" for what, ratio in ratios.items()))


@click.command()
@click.argument("constants", nargs=-1, type=click.Choice(sorted(OTHER_VALUES)))
@click.option("--rounds", default=5, show_default=True, help="Measurements of each server per value.")
def main(constants: tuple[str, ...], rounds: int) -> None:
    """Compare the constants named, or all, with a smaller and a larger value."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        new = [str(SHIJI), "token", "new", "--role", "recorder", "--tokens", str(folder / "tokens.json")]
        tokens = [
            subprocess.run(
                [*new, "--name", caller],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.split()[-1]
            for caller in ("one", "other")
        ]
        for constant in constants or OTHER_VALUES:
            for value in OTHER_VALUES[constant]:
                asyncio.run(_compare(folder, tokens, constant, value, rounds))


main()
