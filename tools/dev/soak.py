"""Plays against a real server for as long as one likes, ends and restarts it, and audits what is left.

SHIJI_SOAK is how many seconds it lasts. In the first half the server is stopped, or killed, again and again;
in the second it is left alone, and must not grow.
"""

import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

import click
import grpc
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.log.contract import Log
from records.verdict import Verified
from tools.dev.playing import ILLEGAL, Table
from tools.terminal.progress import reading

USUAL: Final = 180.0
PLAYERS: Final = 4
ENDS: Final = (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)
"""How the server is ended in the first half."""

CACHED: Final = 64
"""So few matches are kept in memory that it is full of them soon."""

GROWTH: Final = 1.1
"""By this factor the server may have grown in the end."""

MOVES: Final = 40
"""So many moves of a match are played: many short matches fill more memory than few long ones."""

_AGAIN: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,  # the connection was cut in the middle of an answer
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
_PATIENCE: Final = 30.0
_PAUSE: Final = 0.05
_OPTIONS: Final = (("grpc.max_reconnect_backoff_ms", 500), ("grpc.use_local_subchannel_pool", 1))

Answer = TypeVar("Answer")


class Unwell(Exception):
    """The soak has found something."""


class Server:
    """A server that can be ended and started again, on the same port."""

    def __init__(self, db: Path, log: Path) -> None:
        self._db: Final = db
        self._log: Final = log
        self.address = "127.0.0.1:0"
        self._process = self._started()

    def restart(self, signum: signal.Signals) -> None:
        """End it and start it again."""
        self.end(signum)
        self._process = self._started()

    def end(self, signum: signal.Signals) -> None:
        """End it; asked to stop, it must stop well."""
        self._process.send_signal(signum)
        self._process.communicate(timeout=_PATIENCE)
        code = self._process.returncode
        if signum is signal.SIGTERM and code != 0:
            raise Unwell(f"the server stopped with {code}; its log:\n{self._log.read_text()}")

    def memory(self) -> float:
        """How many MB it holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def faults(self) -> list[str]:
        """What it has logged as an error."""
        return [line for line in self._log.read_text().splitlines() if " ERROR " in line]

    def _started(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "service", "--db", str(self._db), "--listen", self.address]
        with self._log.open("a") as log:
            process = subprocess.Popen(
                [*command, "--cache-matches", str(CACHED)], stdout=subprocess.PIPE, stderr=log, text=True
            )
        told = (
            None if process.stdout is None else re.search(r"on (\S+)\.$", process.stdout.readline().rstrip())
        )
        if told is None:
            raise Unwell(f"the server does not start; its log:\n{self._log.read_text()}")
        self.address = told[1]
        return process


@dataclass(slots=True)
class Soak:
    """Players and a follower, until they are told to stop."""

    address: str
    stopping: threading.Event = field(default_factory=threading.Event)
    tables: list[Table] = field(default_factory=list)
    followed: list[int] = field(default_factory=list)
    """Positions, as they came."""
    faults: list[str] = field(default_factory=list)
    retries: Counter[str] = field(default_factory=Counter)

    def threads(self) -> list[threading.Thread]:
        """Everybody, at work."""
        work = [*(partial(self._play, number) for number in range(PLAYERS)), self._follow]
        started = [threading.Thread(target=self._guarded, args=(each,)) for each in work]
        for thread in started:
            thread.start()
        return started

    def _guarded(self, work: Callable[[RecordServiceStub], None]) -> None:
        try:
            with grpc.insecure_channel(self.address, _OPTIONS) as channel:
                work(RecordServiceStub(channel))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the soak has found it
            self.faults.append(repr(fault))
            self.stopping.set()

    def _play(self, number: int, stub: RecordServiceStub) -> None:
        for match in count():
            dealt = pb.CHANCE_SERVICE if match % 2 else pb.CHANCE_UNRECORDED
            table = Table.begin(stub, f"player {number} match {match}", dealt, self._patient)
            self.tables.append(table)
            while not table.over and table.sequence < MOVES:
                if self.stopping.is_set():
                    return
                table.move()
            self._look(stub, table)

    def _look(self, stub: RecordServiceStub, table: Table) -> None:
        """What others ask of a match, and a move that must be refused."""
        self._patient(lambda: stub.GetState(pb.GetStateRequest(match_id=table.match, with_drawing=True)))
        request = pb.AppendMoveRequest(
            match_id=table.match, expected_sequence=table.sequence, request_id="illegal", move=ILLEGAL
        )
        try:
            self._patient(lambda: stub.AppendMove(request))
        except grpc.RpcError as fault:
            if _code(fault) is grpc.StatusCode.FAILED_PRECONDITION:
                return
            raise
        raise Unwell(f"an illegal move was stored in match {table.match}")

    def _follow(self, stub: RecordServiceStub) -> None:
        while not self.stopping.is_set():
            after = self.followed[-1] if self.followed else 0
            call = stub.FollowArchive(pb.FollowArchiveRequest(after_position=after), timeout=_PATIENCE)
            try:
                for answer in call:
                    self.followed.append(answer.entry.position)
                    if self.stopping.is_set():
                        call.cancel()
            except grpc.RpcError as fault:
                if _code(fault) not in _AGAIN:
                    raise
                self.retries[f"FollowArchive {_code(fault).name}"] += 1
                time.sleep(_PAUSE)

    def _patient(self, call: Callable[[], Answer]) -> Answer:
        """Send again whatever was not answered, as docs/errors.md has it."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                return call()
            except grpc.RpcError as fault:
                if _code(fault) not in _AGAIN or time.monotonic() > deadline:
                    raise
                self.retries[_code(fault).name] += 1
                time.sleep(_PAUSE)


def _code(fault: object) -> grpc.StatusCode:
    return fault.code() if isinstance(fault, grpc.Call) else grpc.StatusCode.UNKNOWN


def soak(seconds: float, folder: Path, ends: Sequence[signal.Signals] = ENDS) -> str:
    """Soak for so long; what there is to tell of it. Raises Unwell."""
    db = folder / "soak.db"
    server = Server(db, folder / "log")
    everybody = Soak(server.address)
    threads = everybody.threads()
    try:
        for signum in ends:
            everybody.stopping.wait(seconds / 2 / len(ends))
            server.restart(signum)
        memory = _watch(server, everybody.stopping, seconds / 2)
    finally:
        everybody.stopping.set()
        for thread in threads:
            thread.join()
        server.end(signal.SIGTERM)
    held = refuse_growth(memory)
    if found := everybody.faults or server.faults():
        raise Unwell("\n".join(found[:5]))
    with reading(str(db))() as log:
        refuse_losses(
            log, {table.match: table.acknowledged for table in everybody.tables}, everybody.followed
        )
        last = log.last_position()
    audit = ArchiveAudit(reading(str(db)))
    bad = [report.match for report in audit.reports() if not isinstance(report.verdict, Verified)]
    if bad or not audit.summary.clean:
        raise Unwell(f"the audit finds fault with {len(bad)} matches and with {audit.summary.flaws}")
    return (
        f"{len(everybody.tables)} matches, {last} entries: all that were acknowledged are there, all verify; "
        f"the server was ended {len(ends)} times, sent again: {dict(everybody.retries)}; "
        f"left alone, it held {held}"
    )


def _watch(server: Server, stopping: threading.Event, seconds: float) -> list[float]:
    """The memory of the server, measured now and then."""
    deadline = time.monotonic() + seconds
    memory = [server.memory()]
    while time.monotonic() < deadline and not stopping.wait(min(1.0, seconds / 30)):
        memory.append(server.memory())
    return memory


def refuse_growth(memory: Sequence[float]) -> str:
    """How the last third compares with the second; Unwell where it is larger.

    In the first third the server fills its caches.
    """
    third = max(len(memory) // 3, 1)
    early, late = statistics.median(memory[-2 * third : -third] or memory), statistics.median(memory[-third:])
    if late > early * GROWTH:
        raise Unwell(f"the server grew from {early:.0f} to {late:.0f} MB while it was left alone")
    return f"{early:.1f}, then {late:.1f} MB"


def refuse_losses(log: Log, acknowledged: Mapping[str, Sequence[str]], followed: Sequence[int]) -> None:
    """Unwell where an acknowledged move is not there exactly once, or the follower missed or repeated one."""
    for match, requests in acknowledged.items():
        stored = Counter(entry.request for entry in log.read(MatchId(match)))
        if lost := [request for request in requests if stored[request] != 1]:
            raise Unwell(f"match {match} does not have {lost} exactly once")
    if list(followed) != list(range(1, len(followed) + 1)):
        raise Unwell("the follower missed or repeated an entry")


@click.command()
def main() -> None:
    """Soak for SHIJI_SOAK seconds; what is wrong is told, and leads to exit code 1."""
    seconds = float(os.environ.get("SHIJI_SOAK", USUAL))
    click.echo(
        f"{PLAYERS} players and a follower, for {seconds:.0f} seconds; SHIJI_SOAK=3600 makes it an hour."
    )
    with tempfile.TemporaryDirectory() as folder:
        try:
            click.echo(soak(seconds, Path(folder)))
        except Unwell as fault:
            raise click.ClickException(str(fault)) from fault


if __name__ == "__main__":
    main()
