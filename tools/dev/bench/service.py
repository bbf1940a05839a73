"""Compares the service with a gRPC echo server whose messages have the same size."""

import asyncio
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from grpc import aio
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.files.tags import read_header
from records.files.transcript import read_transcript, write_transcript
from records.ledger.transfer import as_transcript
from tests.project.places import ROOT, SHIJI
from tools.dev.bench.echo import ECHO_SERVICE
from tools.dev.bench.qin_records import Recorded, games
from tools.dev.bench.report import Figure

CALLERS: Final = 32
"""Number of concurrent callers."""

CALLS_PER_CALLER: Final = 40
"""Calls that each caller makes in a round."""

MOVES_PER_BATCH: Final = 50
"""Moves in one call of AppendMoves."""

COLD_MATCHES: Final = 40
"""Number of matches that are read without being in the server's memory."""

OPEN_MATCHES: Final = 10_000
"""Number of matches that are open at once to measure their memory."""

UnaryMethod: TypeAlias = "aio.UnaryUnaryMultiCallable[bytes, bytes]"
StreamMethod: TypeAlias = "aio.StreamStreamMultiCallable[bytes, bytes]"

_SERVICE_PATH: Final = "/shiji.record.v1.RecordService/"
"""Prefix of the paths of methods."""

_KHAN_MATCH: Final = (ROOT / "tests/records/golden/khan/four-random.shiji").read_text(encoding="utf-8")
"""The transcript of a match of Khan with unrecorded draws."""

numbers: Final = count()
"""Numbers that make requests unique."""


@dataclass(frozen=True, slots=True)
class Round:
    """Rate and latency in one round."""

    rate: float
    """Calls or moves per second."""
    p99: float
    """99th percentile of the latency, in seconds."""


def lines(rounds: int) -> list[Figure]:
    """Measure the service."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_lines(Path(folder), rounds))


async def _lines(folder: Path, rounds: int) -> list[Figure]:
    db = str(folder / "bench.db")
    with server_process([str(SHIJI), "serve", "--db", db, "--listen", "127.0.0.1:0"]) as (address, process):
        async with aio.insecure_channel(address) as channel:
            sample = await _first_answer(channel)
            echo = [sys.executable, "-m", "tools.dev.bench.echo", sample.hex()]
            with server_process(echo) as (other, _):
                async with aio.insecure_channel(other) as plain:
                    found = await _against_echo(channel, plain, rounds)
            return [*found, *await _cold(channel), await _open(channel, process.pid)]


def append_method(channel: aio.Channel) -> UnaryMethod:
    """AppendMove, with requests and answers as bytes."""
    return channel.unary_unary(f"{_SERVICE_PATH}AppendMove")


async def _against_echo(channel: aio.Channel, plain: aio.Channel, rounds: int) -> list[Figure]:
    request = pb.PlayRequest(append=append_request(games()[0], "0" * 36, 0)).SerializeToString()
    echo_one: UnaryMethod = plain.unary_unary(f"/{ECHO_SERVICE}/One")
    echo_many: StreamMethod = plain.stream_stream(f"/{ECHO_SERVICE}/Many")
    build_one: UnaryMethod = plain.unary_unary(f"/{ECHO_SERVICE}/OneBuilt")
    build_many: StreamMethod = plain.stream_stream(f"/{ECHO_SERVICE}/ManyBuilt")
    append = append_method(channel)
    check: UnaryMethod = channel.unary_unary(f"{_SERVICE_PATH}CheckMove")
    several: UnaryMethod = channel.unary_unary(f"{_SERVICE_PATH}AppendMoves")
    bring: UnaryMethod = channel.unary_unary(f"{_SERVICE_PATH}ImportRecord")
    play: StreamMethod = channel.stream_stream(f"{_SERVICE_PATH}Play")
    measured: dict[str, list[Round]] = {}

    async def unary(name: str, call: UnaryMethod, todo: Sequence[Sequence[bytes]], moves: int = 1) -> None:
        measured.setdefault(name, []).append(await unary_round(call, todo, moves))

    async def stream(name: str, method: StreamMethod, todo: Sequence[Sequence[bytes]]) -> None:
        async def caller(requests: Sequence[bytes], took: list[float]) -> None:
            call = method()
            for each in requests:
                begun = time.perf_counter()
                await call.write(each)
                await call.read()
                took.append(time.perf_counter() - begun)
            await call.done_writing()

        measured.setdefault(name, []).append(await _timed(caller, todo, 1))

    plenty = [[request] * CALLS_PER_CALLER] * CALLERS
    for number in range(rounds + 1):
        await unary("echo", echo_one, plenty)
        await unary("built echo", build_one, plenty)
        await unary("AppendMove", append, await appends(channel))
        await unary("brief AppendMove", append, await appends(channel, brief=True))
        await unary("AppendMove of Khan", append, await text_appends(channel, _KHAN_MATCH))
        await unary("CheckMove", check, await _checks(channel))
        await unary("brief CheckMove", check, await _checks(channel, brief=True))
        await stream("stream echo", echo_many, plenty)
        await stream("built stream echo", build_many, plenty)
        await stream("Play", play, await appends(channel, played=True))
        await stream("brief Play", play, await appends(channel, played=True, brief=True))
        await unary("AppendMoves", several, await _batches(channel), MOVES_PER_BATCH)
        await unary("AppendMoves by text", several, await _batches(channel, by_text=True), MOVES_PER_BATCH)
        if not number:
            measured.clear()  # the first round only warms up
    # Apart: as imports begin, worker processes start one after the other, and slow down everything else.
    for _ in range(rounds):
        await stream("stream echo beside imports", echo_many, plenty)
        await unary("ImportRecord", bring, *_imports())
    return _figures(measured)


def _figures(measured: dict[str, list[Round]]) -> list[Figure]:
    def rate(name: str, unit: str) -> Figure:
        return Figure(name, statistics.median(each.rate for each in measured[name]), unit)

    def ratio(name: str, to: str, target: float | None = None) -> Figure:
        pairs = zip(measured[name], measured[to], strict=True)
        return Figure(f"{name} to {to}", statistics.median(a.rate / b.rate for a, b in pairs), "x", target)

    def slowest(name: str, to: str, target: float) -> Figure:
        pairs = zip(measured[name], measured[to], strict=True)
        figure = statistics.median(a.p99 / b.p99 for a, b in pairs)
        return Figure(f"{name} to {to}, p99", figure, "x", target, at_most=True)

    return [
        rate("echo", "calls/s"),
        rate("AppendMove", "calls/s"),
        rate("CheckMove", "calls/s"),
        rate("stream echo", "messages/s"),
        rate("Play", "moves/s"),
        rate("AppendMoves", "moves/s"),
        rate("ImportRecord", "moves/s"),
        ratio("built echo", "echo"),
        ratio("AppendMove", "echo", 0.75),
        ratio("brief AppendMove", "echo", 0.75),
        ratio("AppendMove of Khan", "echo"),
        slowest("AppendMove", "echo", 2.0),
        ratio("CheckMove", "echo", 0.85),
        ratio("brief CheckMove", "echo", 0.85),
        ratio("built stream echo", "stream echo"),
        ratio("Play", "stream echo", 0.6),
        ratio("brief Play", "stream echo", 0.6),
        slowest("Play", "stream echo", 1.5),
        ratio("AppendMoves", "stream echo", 3.0),
        ratio("AppendMoves by text", "stream echo"),
        ratio("ImportRecord", "stream echo beside imports", 3.0),
    ]


async def unary_round(
    call: Callable[[bytes], Awaitable[bytes]], todo: Sequence[Sequence[bytes]], moves: int = 1
) -> Round:
    """Make the requests of all callers at once, each caller's one after the other."""

    async def caller(requests: Sequence[bytes], took: list[float]) -> None:
        for each in requests:
            begun = time.perf_counter()
            await call(each)
            took.append(time.perf_counter() - begun)

    return await _timed(caller, todo, moves)


async def _timed(
    caller: Callable[[Sequence[bytes], list[float]], Awaitable[None]],
    todo: Sequence[Sequence[bytes]],
    moves: int,
) -> Round:
    took: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(caller(requests, took) for requests in todo))
    spent = time.perf_counter() - begun
    return Round(len(took) * moves / spent, statistics.quantiles(took, n=100)[98])


async def _begin(channel: aio.Channel, game: Recorded) -> str:
    request = pb.StartMatchRequest(
        request_id=f"start {next(numbers)}", game=game.header.game, seats=game.header.setup.seats
    )
    started = await RecordServiceStub(channel).StartMatch(request)
    return started.match.match_id


def encoded_move(game: Recorded, number: int) -> entries.Move:
    """A move of a match that was played before."""
    actor, data = game.moves[number]
    return entries.Move(encoded=entries.EncodedMove(actor=entries.Actor(seat=int(str(actor))), data=data))


def append_request(game: Recorded, match: str, number: int, *, brief: bool = False) -> pb.AppendMoveRequest:
    """A request with one move of a match that was played before."""
    return pb.AppendMoveRequest(
        match_id=match,
        expected_sequence=number,
        request_id=f"move {number}",
        move=encoded_move(game, number),
        brief=brief,
    )


async def _first_answer(channel: aio.Channel) -> bytes:
    game = games()[0]
    match = await _begin(channel, game)
    answer: bytes = await append_method(channel)(append_request(game, match, 0).SerializeToString())
    return answer


async def appends(channel: aio.Channel, *, played: bool = False, brief: bool = False) -> list[list[bytes]]:
    """For each caller, requests with the moves of one match."""
    todo = []
    for number in range(CALLERS):
        game = games()[number % len(games())]
        match = await _begin(channel, game)
        requests = [
            append_request(game, match, place, brief=brief)
            for place in range(min(CALLS_PER_CALLER, len(game.moves)))
        ]
        todo.append(
            [(pb.PlayRequest(append=each) if played else each).SerializeToString() for each in requests]
        )
    return todo


async def _checks(channel: aio.Channel, *, brief: bool = False) -> list[list[bytes]]:
    game = games()[0]
    match = await _begin(channel, game)
    several = pb.AppendMovesRequest(
        match_id=match,
        expected_sequence=0,
        request_id="half",
        moves=[encoded_move(game, each) for each in range(30)],
    )
    await RecordServiceStub(channel).AppendMoves(several)
    request = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=match), move=encoded_move(game, 30), brief=brief)
    return [[request.SerializeToString()] * CALLS_PER_CALLER] * CALLERS


async def text_appends(channel: aio.Channel, text: str, *, from_middle: bool = False) -> list[list[bytes]]:
    """For each caller, moves of a transcript as text: the first ones, or those of its middle."""
    transcript = read_transcript(text)
    header = read_header(transcript).start
    moves = [entries.Move(text=line.text) for line in transcript.entries]
    first = (len(moves) - CALLS_PER_CALLER) // 2 if from_middle else 0
    stub = RecordServiceStub(channel)
    todo = []
    for _ in range(CALLERS):
        start = pb.StartMatchRequest(
            request_id=f"start {next(numbers)}",
            game=header.game,
            seats=header.setup.seats,
            components=header.setup.components,
        )
        match = (await stub.StartMatch(start)).match.match_id
        if first:
            before = pb.AppendMovesRequest(
                match_id=match, expected_sequence=0, request_id="before", moves=moves[:first]
            )
            await stub.AppendMoves(before)
        requests = [
            pb.AppendMoveRequest(
                match_id=match, expected_sequence=number, request_id=f"move {number}", move=moves[number]
            )
            for number in range(first, first + CALLS_PER_CALLER)
        ]
        todo.append([each.SerializeToString() for each in requests])
    return todo


async def _batches(channel: aio.Channel, *, by_text: bool = False) -> list[list[bytes]]:
    long = [game for game in games() if len(game.moves) >= MOVES_PER_BATCH]
    todo = []
    for number in range(CALLERS):
        game = long[number % len(long)]
        match = await _begin(channel, game)
        if by_text:
            played = as_transcript(game.entries).entries[:MOVES_PER_BATCH]
            moves = [entries.Move(text=line.text) for line in played]
        else:
            moves = [encoded_move(game, each) for each in range(MOVES_PER_BATCH)]
        request = pb.AppendMovesRequest(match_id=match, expected_sequence=0, request_id="all", moves=moves)
        todo.append([request.SerializeToString()])
    return todo


def _imports() -> tuple[list[list[bytes]], int]:
    """For each caller, a request with a transcript; and the average number of moves in one."""
    todo, moves = [], 0
    for number in range(CALLERS):
        game = games()[number % len(games())]
        text = write_transcript(as_transcript(game.entries)).replace(
            "\n\n", f'\n[Event "{next(numbers)}"]\n\n', 1
        )
        todo.append([pb.ImportRecordRequest(content=text.encode()).SerializeToString()])
        moves += len(game.moves)
    return todo, moves // CALLERS


async def _cold(channel: aio.Channel) -> list[Figure]:
    """The first read of matches that are not in the server's memory, because they were just imported."""
    game = next(game for game in games() if len(game.moves) >= MOVES_PER_BATCH)
    stub = RecordServiceStub(channel)
    known = []
    for _ in range(COLD_MATCHES):
        text = write_transcript(as_transcript(game.entries)).replace(
            "\n\n", f'\n[Event "{next(numbers)}"]\n\n', 1
        )
        imported = await stub.ImportRecord(pb.ImportRecordRequest(content=text.encode()))
        known.append(imported.match_id)
    took = []
    for match in known:
        begun = time.perf_counter()
        await stub.GetState(pb.GetStateRequest(match_id=match))
        took.append((time.perf_counter() - begun) * 1000)
    what = f"first call on a match of {len(game.moves)} entries that is not in memory"
    return [Figure(what, statistics.median(took), "ms", 5.0, at_most=True)]


async def _open(channel: aio.Channel, pid: int) -> Figure:
    """Memory that open matches take."""
    before = _resident(pid)
    game = games()[0]
    for _ in range(OPEN_MATCHES // CALLERS):
        await asyncio.gather(*(_begin(channel, game) for _ in range(CALLERS)))
    return Figure(f"{OPEN_MATCHES} open matches", (_resident(pid) - before) / 1e6, "MB", 200.0, at_most=True)


def _resident(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def processor_seconds(pid: int) -> float:
    """Processor time that a process and all its threads have taken, to the nanosecond; of Linux only."""
    return time.clock_gettime(~pid << 3 | 2)  # the clock of a process, as clock_getcpuclockid(3) has it


@contextmanager
def server_process(command: Sequence[str]) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run a server; yields the address that it prints, and its process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout is None:
            raise TypeError("the output is piped")
        found = re.search(r"listens on (\S+)\.\s", process.stdout.readline())
        if found is None:
            raise RuntimeError(f"{command} does not print its address")
        yield found[1], process
    finally:
        process.terminate()
        process.communicate()
