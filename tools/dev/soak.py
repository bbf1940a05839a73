"""Calls every method of a real server for a given time, restarts it, and audits the archive.

SHIJI_SOAK is the duration in seconds. In the first eighth the server is repeatedly stopped or killed; after
that it runs undisturbed, with clients that come, go, hang and reconnect. From a sixth of the run on, its
memory, threads and open files must not grow.
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
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple

import click
import grpc
from shiji.client import Client
from shiji.client.errors import Refused
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.log.contract import Log
from records.verdict import Verified
from tools.dev.every_call import EveryCall
from tools.dev.playing import ILLEGAL, CallResult, Table
from tools.terminal.progress import read_only_opener

DEFAULT_SECONDS: Final = 600.0
"""Duration without SHIJI_SOAK; slow leaks need a longer run."""

PLAYERS: Final = 4
"""Number of players, each of which plays one match at a time."""

VISITORS: Final = 2
"""Number of clients that connect, call every method, and leave."""

HANGERS: Final = 2
"""Number of clients that open streams and do not read them, and then vanish."""

SIGNALS: Final = (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)
"""Signals that end the server in the first eighth."""

CACHED_MATCHES: Final = 64
"""Size of the server's cache, in matches: small, so that it is soon full and stops growing."""

MAX_GROWTH: Final = 1.1
"""Accepted ratio of what the server uses at the end to what it used after a sixth of the run."""

MORE_FILES: Final = 8
"""Accepted difference of the numbers of threads and of open files, which clients that come and go change."""

MOVES_PER_MATCH: Final = 40
"""Moves played of a match: many short matches fill more memory than a few long ones."""

_RETRIED_CODES: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,  # the connection was lost in the middle of an answer
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""Status codes after which a call is sent again, as docs/errors.md advises."""

_TIMEOUT_SECONDS: Final = 120.0
"""Timeout for the server to stop, and for retries of a call: far more than a restart takes, also on a machine
with thirty other busy processes, where it was 40 seconds."""

_RETRY_SECONDS: Final = 0.05
"""Pause before a retry."""

_HANG_SECONDS: Final = 3.0
"""How long a client hangs, in seconds."""

_SHOWN_SECONDS: Final = 60.0
"""Time between two lines with what the server uses."""

_SCENES_PER_VISIT: Final = 5
"""Scenes of one visit: together they call every method."""

_CHANNEL_OPTIONS: Final = (("grpc.max_reconnect_backoff_ms", 500), ("grpc.use_local_subchannel_pool", 1))
"""Each player reconnects on its own, and soon after a restart."""


class SoakFailed(Exception):
    """The soak test has found a fault."""


class Usage(NamedTuple):
    """What a server uses at one moment."""

    memory: float
    """In MB."""
    threads: int
    files: int
    """Open descriptors."""


class Server:
    """A server that can be stopped and started again on the same port."""

    def __init__(self, db: Path, log: Path) -> None:
        self._db: Final = db
        self._log: Final = log
        self.address = "127.0.0.1:0"
        self._process = self._start()

    def restart(self, signum: signal.Signals) -> None:
        """End it with a signal and start it again."""
        self.end(signum)
        self._process = self._start()

    def end(self, signum: signal.Signals) -> None:
        """End it with a signal; after SIGTERM its exit code must be 0."""
        self._process.send_signal(signum)
        try:
            code = self._process.wait(_TIMEOUT_SECONDS)  # its workers may have its output open for longer
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGABRT)  # it writes into its log what its threads are doing
            self._process.wait(_TIMEOUT_SECONDS)
            message = (
                f"the server did not stop in {_TIMEOUT_SECONDS:.0f} s; its log:\n{self._log.read_text()}"
            )
            raise SoakFailed(message) from None
        if self._process.stdout is not None:
            self._process.stdout.close()
        if signum is signal.SIGTERM and code != 0:
            raise SoakFailed(f"the server stopped with {code}; its log:\n{self._log.read_text()}")

    def memory(self) -> float:
        """Its resident memory in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def usage(self) -> "Usage":
        """What it uses now."""
        process = Path(f"/proc/{self._process.pid}")
        return Usage(
            self.memory(), len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))
        )

    def faults(self) -> list[str]:
        """The errors in its log."""
        return [line for line in self._log.read_text().splitlines() if " ERROR " in line]

    def _start(self) -> "subprocess.Popen[str]":
        command = [
            sys.executable,
            "-X",
            "faulthandler",
            "-m",
            "service",
            "--db",
            str(self._db),
            "--listen",
            self.address,
        ]
        with self._log.open("a") as log:
            process = subprocess.Popen(
                [*command, "--cache-matches", str(CACHED_MATCHES)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        greeting = "" if process.stdout is None else process.stdout.readline().rstrip()
        address = re.search(r"on (\S+)\.$", greeting)
        if address is None:
            raise SoakFailed(f"the server does not start; its log:\n{self._log.read_text()}")
        self.address = address[1]
        return process


@dataclass(slots=True)
class Load:
    """Players and a follower, which run until `stopping` is set."""

    address: str
    stopping: threading.Event = field(default_factory=threading.Event)
    tables: list[Table] = field(default_factory=list)
    followed: list[int] = field(default_factory=list)
    """Positions of the entries that the follower received, in order."""
    faults: list[str] = field(default_factory=list)
    retries: Counter[str] = field(default_factory=Counter)
    noted: dict[str, set[int]] = field(default_factory=dict)
    """By match: the sequences that visitors saw acknowledged."""
    scenes: Counter[str] = field(default_factory=Counter)
    """What visitors played to the end."""

    def threads(self) -> list[threading.Thread]:
        """Start the players, the follower, the visitors and those that hang."""
        work = [
            *(partial(self._play, number) for number in range(PLAYERS)),
            self._follow,
            *(partial(self._visit, number) for number in range(VISITORS)),
            *[self._hang] * HANGERS,
        ]
        started = [threading.Thread(target=self._guarded, args=(each,)) for each in work]
        for thread in started:
            thread.start()
        return started

    def _guarded(self, work: Callable[[RecordServiceStub], None]) -> None:
        try:
            with grpc.insecure_channel(self.address, _CHANNEL_OPTIONS) as channel:
                work(RecordServiceStub(channel))
        except Exception as fault:  # noqa: BLE001 - any error is a finding
            self.faults.append(repr(fault))
            self.stopping.set()

    def _play(self, number: int, stub: RecordServiceStub) -> None:
        for match in count():
            dealt = pb.CHANCE_SERVICE if match % 2 else pb.CHANCE_UNRECORDED
            table = Table.begin(stub, f"player {number} match {match}", dealt, self._retry)
            self.tables.append(table)
            while not table.over and table.sequence < MOVES_PER_MATCH:
                if self.stopping.is_set():
                    return
                table.move()
            self._query(stub, table)

    def _query(self, stub: RecordServiceStub, table: Table) -> None:
        """Read the state of a match, and try a move that must be refused."""
        self._retry(lambda: stub.GetState(pb.GetStateRequest(match_id=table.match, with_drawing=True)))
        request = pb.AppendMoveRequest(
            match_id=table.match, expected_sequence=table.sequence, request_id="illegal", move=ILLEGAL
        )
        try:
            self._retry(lambda: stub.AppendMove(request))
        except grpc.RpcError as fault:
            if _code(fault) is grpc.StatusCode.FAILED_PRECONDITION:
                return
            raise
        raise SoakFailed(f"an illegal move was stored in match {table.match}")

    def _note(self, match: str, sequence: int, _: str) -> None:
        self.noted.setdefault(match, set()).add(sequence)

    def _visit(self, number: int, _: RecordServiceStub) -> None:
        """Connect, call every method of the service, leave, and come again."""
        for visit in count():
            if self.stopping.is_set():
                return
            with Client(self.address, timeout=_TIMEOUT_SECONDS) as client:
                player = EveryCall(client, f"visitor {number}-{visit}", self._note)
                try:
                    for scene in islice(player.play(), _SCENES_PER_VISIT):
                        self.scenes[scene] += 1
                        if self.stopping.is_set():
                            return
                except (
                    Refused,
                    grpc.RpcError,
                ) as fault:  # a restart, or a full server
                    self.retries[f"visitor {type(fault).__name__}"] += 1
                    time.sleep(_RETRY_SECONDS)

    def _hang(self, _: RecordServiceStub) -> None:
        """Open streams and read nothing from them; then the connection is gone."""
        while not self.stopping.is_set():
            with grpc.insecure_channel(self.address, _CHANNEL_OPTIONS) as channel:
                stub = RecordServiceStub(channel)
                held = (
                    stub.FollowArchive(pb.FollowArchiveRequest()),
                    stub.AuditArchive(pb.AuditArchiveRequest()),
                    stub.ListMatches.future(pb.ListMatchesRequest()),
                )
                self.stopping.wait(_HANG_SECONDS)
                for call in held:
                    call.cancel()

    def _follow(self, stub: RecordServiceStub) -> None:
        while not self.stopping.is_set():
            after = self.followed[-1] if self.followed else 0
            call = stub.FollowArchive(pb.FollowArchiveRequest(after_position=after), timeout=_TIMEOUT_SECONDS)
            try:
                for answer in call:
                    self.followed.append(answer.entry.position)
                    if self.stopping.is_set():
                        call.cancel()
            except grpc.RpcError as fault:
                if _code(fault) not in _RETRIED_CODES:
                    raise
                self.retries[f"FollowArchive {_code(fault).name}"] += 1
                time.sleep(_RETRY_SECONDS)

    def _retry(self, call: Callable[[], CallResult]) -> CallResult:
        """Make a call, and make it again after an error that docs/errors.md says to retry."""
        deadline = time.monotonic() + _TIMEOUT_SECONDS
        while True:
            try:
                return call()
            except grpc.RpcError as fault:
                if _code(fault) not in _RETRIED_CODES or time.monotonic() > deadline:
                    raise
                self.retries[_code(fault).name] += 1
                time.sleep(_RETRY_SECONDS)


def _code(fault: object) -> grpc.StatusCode:
    return fault.code() if isinstance(fault, grpc.Call) else grpc.StatusCode.UNKNOWN


def soak(
    seconds: float, folder: Path, signals: Sequence[signal.Signals] = SIGNALS, growth: float = MAX_GROWTH
) -> str:
    """Run the test for a number of seconds; returns a report, or raises SoakFailed."""
    db = folder / "soak.db"
    server = Server(db, folder / "log")
    load = Load(server.address)
    threads = load.threads()
    try:
        for signum in signals:
            load.stopping.wait(seconds / 8 / len(signals))
            server.restart(signum)
        used = _measure(server, load.stopping, seconds * 7 / 8)
    finally:
        load.stopping.set()
        for thread in threads:
            thread.join()
        server.end(signal.SIGTERM)
    stable = require_stable(used, growth)
    if found := load.faults or server.faults():
        raise SoakFailed("\n".join(found[:5]))
    with read_only_opener(str(db))() as log:
        require_every_entry_once(
            log, {table.match: table.acknowledged for table in load.tables}, load.followed
        )
        require_all_noted(log, load.noted)
        last = log.last_position()
    audit = ArchiveAudit(read_only_opener(str(db)))
    bad = [report.match for report in audit.reports() if not isinstance(report.verdict, Verified)]
    if bad or not audit.summary.clean:
        raise SoakFailed(f"the audit finds fault with {len(bad)} matches and with {audit.summary.flaws}")
    return (
        f"{len(load.tables)} matches, {last} entries: all that were acknowledged are stored, all verify; "
        f"the server was ended {len(signals)} times, {load.scenes.total()} scenes over all methods, "
        f"retries: {dict(load.retries)}; {stable}"
    )


def _measure(server: Server, stopping: threading.Event, seconds: float) -> list[Usage]:
    """Measure what the server uses, at intervals for a number of seconds."""
    deadline = time.monotonic() + seconds
    used, shown = [server.usage()], time.monotonic() + _SHOWN_SECONDS
    while time.monotonic() < deadline and not stopping.wait(min(1.0, seconds / 84)):
        used.append(server.usage())
        if time.monotonic() > shown:
            shown += _SHOWN_SECONDS
            click.echo(f"{used[-1].memory:.0f} MB, {used[-1].threads} threads, {used[-1].files} files")
    return used


def require_stable(used: Sequence[Usage], growth: float = MAX_GROWTH) -> str:
    """Compare the last twelfth with what followed a sixth of the run; raises SoakFailed for growth.

    Measured from an eighth of the run on.
    """
    sixth, window = len(used) // 21, max(len(used) // 10, 1)
    early, late = used[sixth : sixth + window], used[-window:]
    figures = []
    for name in Usage._fields:
        before, after = (statistics.median(getattr(each, name) for each in part) for part in (early, late))
        more = 0 if name == "memory" else MORE_FILES
        if after > before * growth + more:
            raise SoakFailed(f"{name} of the server grew from {before:.0f} to {after:.0f} while undisturbed")
        figures.append(f"{name} {before:.0f}, then {after:.0f}")
    return f"from a sixth of the run to its end: {', '.join(figures)}"


def require_all_noted(log: Log, noted: Mapping[str, set[int]]) -> None:
    """Raise SoakFailed unless every entry that a visitor saw acknowledged is stored."""
    for match, sequences in noted.items():
        stored = sum(1 for _ in log.read(MatchId(match)))
        if lost := sorted(sequence for sequence in sequences if sequence >= stored):
            raise SoakFailed(f"match {match} does not have the entries {lost}")


def require_every_entry_once(
    log: Log, acknowledged: Mapping[str, Sequence[str]], followed: Sequence[int]
) -> None:
    """Raise SoakFailed unless every acknowledged request is stored once and every entry was followed once."""
    for match, requests in acknowledged.items():
        stored = Counter(entry.request for entry in log.read(MatchId(match)))
        if lost := [request for request in requests if stored[request] != 1]:
            raise SoakFailed(f"match {match} does not have {lost} exactly once")
    if list(followed) != list(range(1, len(followed) + 1)):
        raise SoakFailed("the follower missed or repeated an entry")


@click.command()
def main() -> None:
    """Run the soak test for SHIJI_SOAK seconds; a fault is printed, and the exit code is 1."""
    seconds = float(os.environ.get("SHIJI_SOAK", DEFAULT_SECONDS))
    click.echo(
        f"{PLAYERS} players, a follower, {VISITORS} visitors and {HANGERS} that hang, for "
        f"{seconds:.0f} seconds; SHIJI_SOAK=3600 runs for an hour."
    )
    with tempfile.TemporaryDirectory() as folder:
        try:
            click.echo(soak(seconds, Path(folder)))
        except SoakFailed as fault:
            raise click.ClickException(str(fault)) from fault


if __name__ == "__main__":
    main()
