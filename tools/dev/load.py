"""Sends the heaviest request of each method at once and many times, while another owner plays.

For each method of the descriptor, the heaviest of several sizes and shapes is found by trying them. One owner
then sends it with 1, 16 and 256 calls at once, some of them also over HTTP, and callers without a token send
what they can, while another owner appends moves. LOAD_SECONDS is the time for each flood.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
import grpc
from google.protobuf.message import Message
from grpc import aio
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from service.fair_queue import ALONE_SECONDS
from service.http.connect import PREFIX
from service.rpc import DESCRIPTOR
from tools.dev.load_echo import Recordings, echoing, recording_of, recordings_of_player
from tools.dev.load_floods import OPTIONS, TIMEOUT_SECONDS, Flood, GrpcFlood, HttpFlood, call, flooding
from tools.dev.load_requests import (
    LONG_ENTRIES,
    SHORT_ENTRIES,
    Archive,
    fill_archive,
    heavy_requests,
    http_requests,
)
from tools.dev.loaded_server import LoadedServer, loaded_server

DEFAULT_SECONDS: Final = 2.0
"""Time for each method and number of calls without LOAD_SECONDS."""

CONCURRENCY: Final = (1, 16, 256)
"""Calls that the flood has in progress."""

MAX_P99_RATIO: Final = 3.0
"""Ratio of the victim's p99 under load to that without load."""

MAX_MEMORY_MB: Final = 512.0
MAX_MEMORY_AFTER: Final = 1.2
"""Memory of the server with its processes: at any time, and after a minute of rest, to that at the start."""

MAX_COST_RATIO: Final = 12.0
"""Processor time of the server for a request about LONG_ENTRIES entries, to that about SHORT_ENTRIES."""

MAX_CALLBACK_MS: Final = 10.0
"""Processor time of one callback in the server's event loop."""

REST_SECONDS: Final = 60.0
"""Rest before the memory is measured again; not longer than all floods together took."""

SMALL_COST_SECONDS: Final = 0.02
"""Below this, the cost of a request is not compared: the call itself takes as long."""

_LONGEST_SHOWN: Final = 3
"""Callbacks that are shown of each method."""

_TRIES: Final = 5
_MIN_TRIES: Final = 2
"""Tries of a request, of which the shortest counts; fewer of one that is short or takes seconds."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What the victim noticed of one flood."""

    name: str
    p99: float
    failures: int
    echo: float = 0.0
    """The ratio of the p99 to that without the flood, at an echo; only where ours is above its bound."""


class Victim:
    """Another owner, who appends moves one after the other."""

    def __init__(self, address: str, token: str) -> None:
        self._stub: Final = RecordServiceStub(grpc.insecure_channel(address, OPTIONS))
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
        return Cell(name, took[int(len(took) * 0.99)] if took else TIMEOUT_SECONDS, failures)

    def _play_match(self) -> Iterator[float]:
        start = pb.StartMatchRequest(request_id=f"v{self._number}", game="qin", seats=["green", "violet"])
        match = self._stub.StartMatch(start, metadata=self._metadata, timeout=TIMEOUT_SECONDS).match
        for sequence, move in enumerate(("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9")):
            request = pb.AppendMoveRequest(
                match_id=match.match_id, expected_sequence=sequence, request_id=f"m{sequence}"
            )
            request.move.text = move
            began = time.perf_counter()
            self._stub.AppendMove(request, metadata=self._metadata, timeout=TIMEOUT_SECONDS)
            yield time.perf_counter() - began


async def _processor_seconds(server: LoadedServer, method: str, request: Message, token: str) -> float:
    """What a request takes at best of the server's processor time; refusals take what they take."""
    took, waited = list[float](), list[float]()
    async with aio.insecure_channel(server.address, OPTIONS) as channel:
        while len(took) < _MIN_TRIES or (len(took) < _TRIES and SMALL_COST_SECONDS < min(waited) < 1):
            before, began = server.processor_seconds(), time.perf_counter()
            with suppress(aio.AioRpcError):
                await call(channel, method, request.SerializeToString(), token)
            waited.append(time.perf_counter() - began)
            took.append(server.processor_seconds() - before)
    return min(took)


def _heaviest(server: LoadedServer, archive: Archive, method: str) -> tuple[Message, float]:
    """The request that takes longest, and the ratio of its cost on the long record to that on the short."""
    time.sleep(2 * ALONE_SECONDS)  # otherwise the first requests share the event loop with the victim's
    found: list[tuple[float, int]] = []
    candidates = heavy_requests(method, archive, archive.long)
    for number, request in enumerate(candidates):
        seconds = asyncio.run(_processor_seconds(server, method, request, archive.attacker))
        found.append((seconds, number))
    seconds, number = max(found)
    short = heavy_requests(method, archive, archive.short)[number]
    before = asyncio.run(_processor_seconds(server, method, short, archive.attacker))
    ratio = seconds / before if max(seconds, before) > SMALL_COST_SECONDS else 1.0
    return candidates[number], ratio


class Floods:
    """Sends floods, and measures what the victim notices of them."""

    def __init__(self, server: LoadedServer, archive: Archive, folder: Path, seconds: float) -> None:
        self._server: Final = server
        self._folder: Final = folder
        self._token: Final = archive.victim
        self._seconds: Final = seconds
        self._victim: Final = Victim(server.address, archive.victim)
        self._played: Final = recordings_of_player(server.address, archive.victim)
        self._victim.play("warm-up", seconds)
        self.alone: Final = self._victim.play("alone", 5 * seconds)
        self.start: Final = server.memory()
        self.peak = self.start
        self.cells: Final = list[Cell]()

    def send(self, name: str, floods: Sequence[Flood]) -> None:
        """Send some floods together."""
        cell = _under(self._victim, name, floods, self._seconds, self._note_memory)
        if cell.p99 > MAX_P99_RATIO * self.alone.p99:
            cell = replace(cell, echo=self._at_echo(floods))
        self.cells.append(cell)

    def _note_memory(self) -> None:
        self.peak = max(self.peak, self._server.memory())

    def _at_echo(self, floods: Sequence[Flood]) -> float:
        """The ratio at an echo; 0.0 where it has none, as for streams that do not end."""
        if any(isinstance(flood, HttpFlood) and not flood.body for flood in floods):
            return 0.0
        answers = Recordings({self._token: self._played}, recording_of(floods[0]))
        with echoing(self._folder, answers) as echo:
            victim = Victim(echo.address, self._token)
            victim.play("warm-up", self._seconds / 2)
            alone = victim.play("alone", self._seconds)
            cell = _under(victim, "", [echo.instead(flood) for flood in floods], self._seconds)
            return cell.p99 / alone.p99


def _under(
    victim: Victim,
    name: str,
    floods: Sequence[Flood],
    seconds: float,
    meanwhile: Callable[[], None] = lambda: None,
) -> Cell:
    """What a victim notices of floods."""
    with flooding(floods):
        time.sleep(1.0)  # until they send
        cell = victim.play(name, seconds)
        meanwhile()
        return cell


@click.command()
@click.option("--method", "methods", multiple=True, help="Only these methods.")
def main(methods: tuple[str, ...]) -> None:
    """Load a server; the last line has the figures. Exits with 1 when a bound is broken."""
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        # The kernel's threads that write to the disk would get what floods leave of a second, 50 ms.
        raise click.UsageError("not in real time, please: `nice -n -20` goes before other work, too")
    seconds = float(os.environ.get("LOAD_SECONDS", DEFAULT_SECONDS))
    with tempfile.TemporaryDirectory() as folder:
        archive = fill_archive(Path(folder))
        with loaded_server(Path(folder)) as server:
            floods = Floods(server, archive, Path(folder), seconds)
            broken = _load(server, archive, floods, methods or [each.name for each in DESCRIPTOR.methods])
    sys.exit(1 if broken else 0)


def _load(server: LoadedServer, archive: Archive, floods: Floods, methods: Sequence[str]) -> list[str]:
    began, cells = time.monotonic(), floods.cells
    click.echo(f"alone: p99 {1000 * floods.alone.p99:.1f} ms, {floods.start:.0f} MB")
    server.longest()
    costs, longest = dict[str, float](), list[str]()
    for method in methods:
        request, costs[method] = _heaviest(server, archive, method)
        for calls in CONCURRENCY:
            data = request.SerializeToString()
            flood = GrpcFlood(server.address, method, data, archive.attacker, calls)
            floods.send(f"{method} x {calls}", [flood])
        callbacks = [f"{line} under {method}" for line in server.longest()]
        longest += callbacks
        click.echo(
            f"{method}: {costs[method]:.1f} x the cost, {_worst(cells[-3:], floods.alone)}, "
            f"{server.memory():.0f} MB; longest callbacks {_first(callbacks)}"
        )
    for name, further in _further_floods(server, archive, methods):
        floods.send(name, further)
        callbacks = [f"{line} under {name}" for line in server.longest()]
        longest += callbacks
        click.echo(
            f"{_worst(cells[-1:], floods.alone)}, {server.memory():.0f} MB; "
            f"longest callbacks {_first(callbacks)}"
        )
    time.sleep(min(REST_SECONDS, time.monotonic() - began))
    longest += [f"{line} at rest" for line in server.longest()]
    longest.sort(key=lambda line: float(line.split()[0]), reverse=True)
    return _report(floods, costs, server.memory(), longest)


def _further_floods(
    server: LoadedServer, archive: Archive, methods: Collection[str]
) -> Iterator[tuple[str, Sequence[Flood]]]:
    """Floods over HTTP by the same owner, and of callers without a token."""
    for method, body in http_requests(archive).items():
        if method in methods:
            for calls in CONCURRENCY:
                flood = HttpFlood(server.web, f"{PREFIX}{method}", body, archive.attacker, calls)
                yield f"{method} over HTTP x {calls}", [flood]
    if "FollowRecord" in methods:
        for calls in CONCURRENCY:
            events = f"/matches/{archive.long}/events"
            yield f"events x {calls}", [HttpFlood(server.web, events, b"", archive.attacker, calls)]
    large = b"\x22\x00" * 1_950_000
    yield "12 without a token", [GrpcFlood(server.address, "AppendMoves", large, "", 1)] * 12
    yield "256 without a token", [GrpcFlood(server.address, "AppendMove", b"", "", 256)]
    path, body = f"{PREFIX}AppendMoves", b'{"moves": [%b{}]}' % (b"{}," * 1_300_000)
    yield "12 over HTTP without a token", [HttpFlood(server.web, path, body, "", 1)] * 12


def _first(callbacks: Sequence[str]) -> str:
    return ", ".join(callbacks[:_LONGEST_SHOWN])


def _worst(cells: Sequence[Cell], alone: Cell) -> str:
    worst = max(cells, key=lambda cell: cell.p99)
    return f"p99 {_ratio(worst, alone)} at {worst.name}, {sum(cell.failures for cell in cells)} failures"


def _ratio(cell: Cell, alone: Cell) -> str:
    return f"{cell.p99 / alone.p99:.1f} x{f' (echo {cell.echo:.1f} x)' if cell.echo else ''}"


def _report(floods: Floods, costs: dict[str, float], after: float, longest: Sequence[str]) -> list[str]:
    """Print what broke a bound, then the figures; returns the former."""
    cells, alone, start, peak = floods.cells, floods.alone, floods.start, floods.peak
    broken = [
        f"{cell.name}: p99 {_ratio(cell, alone)}" for cell in cells if cell.p99 > MAX_P99_RATIO * alone.p99
    ]
    broken += [f"{cell.name}: {cell.failures} calls of the victim failed" for cell in cells if cell.failures]
    broken += [f"{name}: {cost:.1f} x the cost" for name, cost in costs.items() if cost > MAX_COST_RATIO]
    broken += [f"callback: {line}" for line in longest if float(line.split()[0]) > MAX_CALLBACK_MS]
    if peak > MAX_MEMORY_MB or after > MAX_MEMORY_AFTER * max(start, 1.0):
        broken.append(f"memory: {peak:.0f} MB at most, {start:.0f} at the start and {after:.0f} afterwards")
    for line in broken:
        click.echo(f"broken: {line}")
    costliest, longest_one = max(costs.values(), default=1.0), next(iter(longest), "unknown")
    click.echo(
        f"load: {len(cells)} floods, victim's p99 alone {1000 * alone.p99:.1f} ms, "
        f"{_beside_echo(cells, alone)}, {_worst(cells, alone)}, "
        f"memory {start:.0f} to {peak:.0f} to {after:.0f} MB, "
        f"cost at {LONG_ENTRIES} entries at most {costliest:.1f} x that at {SHORT_ENTRIES}, "
        f"longest callback {longest_one} (ms of processor time), {len(broken)} bounds broken"
    )
    return broken


def _beside_echo(cells: Sequence[Cell], alone: Cell) -> str:
    """How many floods slow down the victim more than they may, and of these, how many an echo as well."""
    slow = [cell for cell in cells if cell.p99 > MAX_P99_RATIO * alone.p99]
    as_slow = sum(cell.echo > MAX_P99_RATIO for cell in slow)
    return f"{len(slow)} above {MAX_P99_RATIO:.0f} x ({as_slow} of them at the echo, too)"


if __name__ == "__main__":
    main()
