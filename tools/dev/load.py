"""Sends the heaviest request of each method at once and many times, while another owner plays.

For each method of the descriptor, the heaviest of several sizes and shapes is found by trying them. One owner
then sends it with 1, 16 and 256 calls at once, and callers without a token send what they can, while another
owner appends moves. LOAD_SECONDS is the time for each method and number of calls.
"""

import asyncio
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from service.rpc import DESCRIPTOR
from tools.dev.load_requests import LONG_ENTRIES, SHORT_ENTRIES, Archive, fill_archive, heavy_requests
from tools.dev.load_server import LONGEST_FILE

DEFAULT_SECONDS: Final = 2.0
"""Time for each method and number of calls without LOAD_SECONDS."""

CONCURRENCY: Final = (1, 16, 256)
"""Calls that the flood has in progress."""

MAX_P99_RATIO: Final = 3.0
"""The victim's p99 under load, to that without."""

MAX_MEMORY_MB: Final = 512.0
MAX_MEMORY_AFTER: Final = 1.2
"""Memory of the server with its processes: at any time, and after a minute of rest, to that at the start."""

MAX_COST_RATIO: Final = 12.0
"""Time of a request about LONG_ENTRIES entries, to that about SHORT_ENTRIES."""

MAX_CALLBACK_MS: Final = 10.0
"""Processor time of one callback in the server's event loop."""

REST_SECONDS: Final = 60.0
"""Rest before the memory is measured again; not longer than all floods together took."""

SMALL_COST_SECONDS: Final = 0.02
"""Below this, the cost of a request is not compared: the call itself takes as long."""

_PATH: Final = f"/{DESCRIPTOR.full_name}/"
_TIMEOUT_SECONDS: Final = 60.0
_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """What the victim noticed of one flood."""

    name: str
    p99: float
    failures: int


@dataclass(frozen=True, slots=True)
class LoadedServer:
    """A server under load."""

    address: str
    pid: int
    callbacks: Path

    def memory(self) -> float:
        """Resident memory with its processes, in MB."""
        pids = {self.pid}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            pids |= set(map(int, (task / "children").read_text("ascii").split()))
        return sum(map(_resident, pids))

    def longest(self) -> list[str]:
        """The longest callbacks of its event loop, the longest first."""
        return self.callbacks.read_text("utf-8").splitlines() if self.callbacks.exists() else []


def _resident(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def _serving(folder: Path) -> Iterator[LoadedServer]:
    callbacks = folder / "callbacks"
    command = [sys.executable, "-m", "tools.dev.load_server", "--db", str(folder / "load.db")]
    command += ["--listen", "127.0.0.1:0", "--tokens", str(folder / "tokens"), "--log-level", "error"]
    environment = {**os.environ, LONGEST_FILE: str(callbacks)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            greeting = "" if process.stdout is None else process.stdout.readline()
            found = re.search(r"on (\S+)\.$", greeting.rstrip())
            if found is None:
                raise click.ClickException(f"the server did not start: {greeting}")
            yield LoadedServer(found[1], process.pid, callbacks)
        finally:
            process.terminate()


def _flood(address: str, method: str, data: bytes, token: str, calls: int) -> None:
    """Send a request again and again, in a process of its own, until that is killed."""
    asyncio.run(_flooding(address, method, data, token, calls))


async def _flooding(address: str, method: str, data: bytes, token: str, calls: int) -> None:
    async with aio.insecure_channel(address, _OPTIONS) as channel:
        await asyncio.gather(*(_repeating(channel, method, data, token) for _ in range(calls)))


async def _repeating(channel: aio.Channel, method: str, data: bytes, token: str) -> None:
    while True:
        try:
            await _call(channel, method, data, token)
        except aio.AioRpcError as fault:
            if fault.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
                await asyncio.sleep(0.05)


async def _call(channel: aio.Channel, method: str, data: bytes, token: str) -> None:
    """Make one call; of a follower, the entries that are there."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    multi_callable: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_PATH + method)
    call = multi_callable(_once(data), timeout=_TIMEOUT_SECONDS, metadata=metadata)
    answer_type = GetMessageClass(DESCRIPTOR.methods_by_name[method].output_type)
    async for answer in call:
        message = answer_type.FromString(answer)
        if isinstance(message, pb.FollowRecordResponse) and message.entry.sequence >= message.last_sequence:
            call.cancel()
            return
        if isinstance(message, pb.FollowArchiveResponse) and message.entry.position >= message.last_position:
            call.cancel()
            return


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


class Victim:
    """Another owner, who appends moves one after the other."""

    def __init__(self, address: str, token: str) -> None:
        self._stub: Final = RecordServiceStub(grpc.insecure_channel(address, _OPTIONS))
        self._metadata: Final = (("authorization", f"Bearer {token}"),)
        self._number = 0

    def play(self, name: str, seconds: float) -> Cell:
        """Append moves for some time."""
        took, failures, end = list[float](), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            self._number += 1
            try:
                took += self._play_match()
            except grpc.RpcError:
                failures += 1
        took.sort()
        return Cell(name, took[int(len(took) * 0.99)] if took else _TIMEOUT_SECONDS, failures)

    def _play_match(self) -> Iterator[float]:
        start = pb.StartMatchRequest(request_id=f"v{self._number}", game="qin", seats=["green", "violet"])
        match = self._stub.StartMatch(start, metadata=self._metadata, timeout=_TIMEOUT_SECONDS).match
        for sequence, move in enumerate(("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9")):
            request = pb.AppendMoveRequest(
                match_id=match.match_id, expected_sequence=sequence, request_id=f"m{sequence}"
            )
            request.move.text = move
            began = time.perf_counter()
            self._stub.AppendMove(request, metadata=self._metadata, timeout=_TIMEOUT_SECONDS)
            yield time.perf_counter() - began


async def _seconds(address: str, method: str, request: Message, token: str) -> float:
    """How long a request takes, the shorter of two tries; refusals take as long as they take."""
    best = _TIMEOUT_SECONDS
    async with aio.insecure_channel(address, _OPTIONS) as channel:
        for _ in range(2):
            began = time.perf_counter()
            with suppress(aio.AioRpcError):
                await _call(channel, method, request.SerializeToString(), token)
            best = min(best, time.perf_counter() - began)
    return best


def _heaviest(server: LoadedServer, archive: Archive, method: str) -> tuple[Message, float]:
    """The request that takes longest, and the ratio of its cost on the long record to that on the short."""
    found: list[tuple[float, int]] = []
    candidates = heavy_requests(method, archive, archive.long)
    for number, request in enumerate(candidates):
        found.append((asyncio.run(_seconds(server.address, method, request, archive.attacker)), number))
    seconds, number = max(found)
    short = heavy_requests(method, archive, archive.short)[number]
    before = asyncio.run(_seconds(server.address, method, short, archive.attacker))
    ratio = seconds / before if max(seconds, before) > SMALL_COST_SECONDS else 1.0
    return candidates[number], ratio


def _under(
    server: LoadedServer,
    victim: Victim,
    name: str,
    flood: Sequence[tuple[str, bytes, str, int]],
    seconds: float,
) -> tuple[Cell, float]:
    """What the victim notices of a flood, and the memory of the server meanwhile."""
    context = multiprocessing.get_context("spawn")
    floods = [context.Process(target=_flood, args=(server.address, *each), daemon=True) for each in flood]
    for process in floods:
        process.start()
    time.sleep(1.0)  # until they send
    cell = victim.play(name, seconds)
    memory = server.memory()
    for process in floods:
        process.kill()
        process.join()
    return cell, memory


@click.command()
@click.option("--method", "methods", multiple=True, help="Only these methods.")
def main(methods: tuple[str, ...]) -> None:
    """Load a server; the last line has the figures. Exits with 1 when a bound is broken."""
    seconds = float(os.environ.get("LOAD_SECONDS", DEFAULT_SECONDS))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        archive = fill_archive(Path(folder))
        with _serving(Path(folder)) as server:
            broken = _load(
                server, archive, methods or [each.name for each in DESCRIPTOR.methods], seconds, began
            )
    sys.exit(1 if broken else 0)


def _load(
    server: LoadedServer, archive: Archive, methods: Sequence[str], seconds: float, began: float
) -> list[str]:
    victim = Victim(server.address, archive.victim)
    victim.play("warm-up", seconds)
    alone = victim.play("alone", 5 * seconds)
    start = peak = server.memory()
    cells, costs = list[Cell](), dict[str, float]()
    for method in methods:
        request, costs[method] = _heaviest(server, archive, method)
        for calls in CONCURRENCY:
            flood = [(method, request.SerializeToString(), archive.attacker, calls)]
            cell, memory = _under(server, victim, f"{method} x {calls}", flood, seconds)
            cells.append(cell)
            peak = max(peak, memory)
        click.echo(f"{method}: {costs[method]:.1f} x the cost, {_worst(cells[-3:], alone)}")
    large = b"\x22\x00" * 1_950_000
    for name, flood in (
        ("12 without a token", [("AppendMoves", large, "", 1)] * 12),
        ("256 without a token", [("AppendMove", b"", "", 256)]),
    ):
        cell, memory = _under(server, victim, name, flood, seconds)
        cells.append(cell)
        peak = max(peak, memory)
        click.echo(_worst([cell], alone))
    time.sleep(min(REST_SECONDS, time.monotonic() - began))
    after, longest = server.memory(), server.longest()
    return _report(cells, alone, costs, (start, peak, after), longest)


def _worst(cells: Sequence[Cell], alone: Cell) -> str:
    worst = max(cells, key=lambda cell: cell.p99)
    return (
        f"p99 {worst.p99 / alone.p99:.1f} x at {worst.name}, {sum(cell.failures for cell in cells)} failures"
    )


def _report(
    cells: Sequence[Cell],
    alone: Cell,
    costs: dict[str, float],
    memory: tuple[float, float, float],
    longest: Sequence[str],
) -> list[str]:
    """Print what broke a bound, then the figures; returns the former."""
    start, peak, after = memory
    broken = [
        f"{cell.name}: p99 {cell.p99 / alone.p99:.1f} x"
        for cell in cells
        if cell.p99 > MAX_P99_RATIO * alone.p99
    ]
    broken += [f"{cell.name}: {cell.failures} calls of the victim failed" for cell in cells if cell.failures]
    broken += [f"{name}: {cost:.1f} x the cost" for name, cost in costs.items() if cost > MAX_COST_RATIO]
    broken += [f"callback: {line}" for line in longest if float(line.split()[0]) > MAX_CALLBACK_MS]
    if peak > MAX_MEMORY_MB or after > MAX_MEMORY_AFTER * max(start, 1.0):
        broken.append(f"memory: {peak:.0f} MB at most, {start:.0f} at the start and {after:.0f} afterwards")
    for line in broken:
        click.echo(f"broken: {line}")
    click.echo(
        f"load: {len(cells)} floods, victim's p99 alone {1000 * alone.p99:.1f} ms, {_worst(cells, alone)}, "
        f"memory {start:.0f} to {peak:.0f} to {after:.0f} MB, cost at {LONG_ENTRIES} entries at most "
        f"{max(costs.values(), default=1.0):.1f} x that at {SHORT_ENTRIES}, longest callback "
        f"{longest[0] if longest else 'unknown'} (ms of processor time), {len(broken)} bounds broken"
    )
    return broken


if __name__ == "__main__":
    main()
