"""Plays against two servers on a primary with a synchronous standby, kills all of them in turn, and counts.

FLEET_KILLS is how often something is killed: a server, the sequencer's connection, the primary, and so on.
After a primary, the standby is promoted, and a new standby takes the place of the old primary. Before that, a
control without synchronous replication must lose something, or the count would mean nothing.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from typing import Final

import click
import grpc
import psycopg
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey, parse_note
from records.files.key_file import save_secret
from records.log.opening import open_log
from records.log.postgres.connection import Target
from records.log.postgres.migrations import migrate
from records.log.tree import Tree
from records.verdict import Verified
from tests.postgres import Cluster, both, free_port
from tools.dev.playing import CallResult, Table

DEFAULT_KILLS: Final = 3
"""One of each kind."""

PLAYERS: Final = 4
"""Number of players, each of which plays one match at a time: they keep two cores busy."""

MOVES_PER_MATCH: Final = 12
"""Moves played of a match."""

ACKNOWLEDGED_BETWEEN: Final = 25
"""Moves that are acknowledged between two kills."""

_TIMEOUT_SECONDS: Final = 120.0
"""Limit for anything that is waited for; on a busy machine a failover takes seconds."""

_CHECKPOINT_SECONDS: Final = 0.2
"""Pause between two requests for a checkpoint."""

_RETRY_SECONDS: Final = 0.05
"""Pause before a call is sent again."""

_RETRIED: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""Status codes after which a call is sent again, with the same request id."""

_CHANNEL_OPTIONS: Final = (
    ("grpc.lb_policy_name", "round_robin"),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.use_local_subchannel_pool", 1),
)
"""Calls go to the servers in turn, and to one that was started again soon."""

_SERVER_OPTIONS: Final = ("--no-web", "--worker-processes", "0")
"""A server that is soon up again: its processes for longer work store nothing, and take longer to start."""

_END_SEQUENCER: Final = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
    "application_name = 'shiji sequencer' AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"
)


class FleetFailed(Exception):
    """Something was lost, or does not come back."""


@dataclass
class FleetPlayers:
    """FleetPlayers that send every request until it is answered, to whichever server answers."""

    addresses: list[str]
    tables: list[Table] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    """When moves were acknowledged."""
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)
    """Checkpoints that servers have shown, by size."""
    stopping: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    @property
    def acknowledged(self) -> int:
        """Requests that were acknowledged."""
        return sum(len(table.acknowledged) for table in list(self.tables))

    def start(self) -> None:
        """Start all players."""
        work = [self._ask_for_checkpoints, *(partial(self._play, number) for number in range(PLAYERS))]
        self.threads = [threading.Thread(target=self._guarded, args=(each,)) for each in work]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """Let every player finish its request; raises FleetFailed if one of them failed."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(_TIMEOUT_SECONDS)
        self._require_well()

    def wait_for_more(self, number: int) -> None:
        """Wait until further moves are acknowledged, this number of them."""
        begun, end = len(self.moments), time.monotonic() + _TIMEOUT_SECONDS
        while len(self.moments) < begun + number:
            self._require_well()
            if time.monotonic() > end:
                raise FleetFailed(f"nothing was acknowledged for {_TIMEOUT_SECONDS:.0f} seconds")
            time.sleep(0.005)

    def first_after(self, moment: float) -> float:
        """When the first move was acknowledged after a moment; waits for it."""
        while not (later := [each for each in self.moments if each > moment]):
            self.wait_for_more(1)
        return min(later)

    def _require_well(self) -> None:
        if self.faults:
            raise FleetFailed(self.faults[0])

    def _guarded(self, work: Callable[[RecordServiceStub], None]) -> None:
        target = f"ipv4:{','.join(self.addresses)}"
        try:
            with grpc.insecure_channel(target, _CHANNEL_OPTIONS) as channel:
                work(RecordServiceStub(channel))
        except Exception as fault:  # noqa: BLE001 - any error is a finding
            self.faults.append(repr(fault))

    def _ask_for_checkpoints(self, stub: RecordServiceStub) -> None:
        while not self.stopping.wait(_CHECKPOINT_SECONDS):
            answer = self._retry(partial(stub.GetCheckpoint, pb.GetCheckpointRequest()))
            found = parse_checkpoint(parse_note(answer.checkpoint).text)
            if self.checkpoints.setdefault(found.size, found) != found:
                raise FleetFailed(f"there are two checkpoints of {found.size} entries")

    def _play(self, number: int, stub: RecordServiceStub) -> None:
        for match in count():
            table = Table.begin(stub, f"player {number} match {match}", policy=self._retry)
            self.tables.append(table)
            while not table.over and table.sequence < MOVES_PER_MATCH:
                if self.stopping.is_set():
                    return
                table.move()
                self.moments.append(time.monotonic())

    @staticmethod
    def _retry(call: Callable[[], CallResult]) -> CallResult:
        end = time.monotonic() + _TIMEOUT_SECONDS
        while True:
            try:
                return call()
            except grpc.RpcError as fault:
                answer: object = fault
                retried = isinstance(answer, grpc.Call) and answer.code() in _RETRIED
                if not retried or time.monotonic() > end:
                    raise
                time.sleep(_RETRY_SECONDS)


@dataclass
class Fleet:
    """Two servers, a primary and a standby, and who plays."""

    folder: Path
    primary: Cluster
    standby: Cluster
    players: FleetPlayers
    servers: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The address of the archive on both clusters."""
        return both(self.primary, self.standby, "shiji", "server")

    def start_server(self, number: int) -> None:
        """Start a server on its port, and return when it listens."""
        command = [sys.executable, "-m", "service", "--log", self.address, *_SERVER_OPTIONS, "--listen"]
        with (self.folder / f"server-{number}.log").open("ab") as log:
            process = subprocess.Popen(
                [
                    *command,
                    self.players.addresses[number],
                    *("--secret-file", self.folder / "secret", "--log-key", self.folder / "log.key"),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
            )
        if process.stdout is None or b"listens" not in process.stdout.readline():
            raise FleetFailed(
                f"a server does not start:\n{(self.folder / f'server-{number}.log').read_text()}"
            )
        self.servers[number : number + 1] = [process]

    def kill_server(self, number: int) -> None:
        """Kill a server and start it again."""
        self.end_server(number)
        self.start_server(number)

    def end_server(self, number: int) -> None:
        """Kill a server."""
        process = self.servers[number]
        process.send_signal(signal.SIGKILL)
        process.wait(_TIMEOUT_SECONDS)
        if process.stdout is not None:
            process.stdout.close()

    def kill_sequencer(self) -> None:
        """End the connection of whichever server numbers entries."""
        self.primary.ask(_END_SEQUENCER)

    def fail_over(self) -> tuple[float, float]:
        """Kill the primary and promote the standby; returns when that began, and when it was promoted."""
        self.primary.kill()
        began = time.monotonic()
        self.standby.promote()
        return began, time.monotonic()

    def replace_standby(self) -> None:
        """Make a new standby in the place of the old primary, and wait for it from now on."""
        old, self.primary = self.primary, self.standby
        old.remove()
        self.standby = Cluster.standby_of(self.primary, old.port)
        self.standby.start()
        self.primary.waits_for_standby()

    def remove(self) -> None:
        """Stop both clusters and delete their folders."""
        self.standby.remove()
        self.primary.remove()

    def lost_checkpoints(self) -> int:
        """How many checkpoints were shown that the archive contradicts, or does not have."""
        with open_log(self.primary.address("shiji"), read_only=True) as log:
            tree = Tree(log)
            stored = {parse_checkpoint(note.text) for note in log.checkpoints()}
            shown = self.players.checkpoints.values()
            return sum(tree.breach(each) is not None or each not in stored for each in shown)

    def lost(self) -> int:
        """How many acknowledged requests are not in the archive; raises FleetFailed if it is not in order."""
        with open_log(self.primary.address("shiji")) as log:
            end = time.monotonic() + _TIMEOUT_SECONDS
            while self.primary.ask("SELECT count(*) FROM shiji.pending", "shiji") and time.monotonic() < end:
                time.sleep(_RETRY_SECONDS)
            audit = ArchiveAudit(partial(open_log, self.primary.address("shiji"), read_only=True))
            for report in audit.reports():
                if not isinstance(report.verdict, Verified):
                    raise FleetFailed(f"match {report.match} is not verified")
            if not audit.summary.clean:
                raise FleetFailed(f"the archive is not in order: {audit.summary.flaws}")
            positions = [entry.position for entry in log.archive()]
            if positions != list(range(1, len(positions) + 1)):
                raise FleetFailed("positions are missing or doubled")
            lost = 0
            for table in self.players.tables:
                stored = [entry.request for entry in log.read(MatchId(table.match))]
                if len(set(stored)) < len(stored):
                    raise FleetFailed(f"match {table.match} has a request twice")
                lost += len(set(table.acknowledged) - set(stored))
            return lost


@contextmanager
def running_fleet(*, synchronous: bool) -> Iterator[Fleet]:
    """Everything started, in a scratch folder that is deleted at the end."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="shiji-fleet-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        (folder / "secret").write_text(secrets.token_hex(32))
        key = SignerKey("example.com/fleet", SignatureType.ED25519, SecretKey(secrets.token_bytes(32)))
        save_secret(folder / "log.key", key.secret_text)
        primary = Cluster.create()
        players = FleetPlayers([f"127.0.0.1:{free_port()}" for _ in range(2)])
        fleet = Fleet(folder, primary, primary, players)
        stack.callback(fleet.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        migrate(Target.parse(primary.address("shiji")))
        primary.create_roles()
        fleet.standby = Cluster.standby_of(primary)
        fleet.standby.start()
        if synchronous:
            primary.waits_for_standby()
        stack.callback(_end_servers, fleet)
        for number in range(len(players.addresses)):
            fleet.start_server(number)
        yield fleet


def _end_servers(fleet: Fleet) -> None:
    fleet.players.stopping.set()
    for number in range(len(fleet.servers)):
        with suppress(ProcessLookupError):
            fleet.end_server(number)


def control() -> int:
    """How much an asynchronous standby loses that was stopped before the primary died."""
    with running_fleet(synchronous=False) as fleet:
        fleet.players.start()
        fleet.players.wait_for_more(ACKNOWLEDGED_BETWEEN)
        fleet.standby.stop("immediate")
        fleet.players.wait_for_more(ACKNOWLEDGED_BETWEEN)
        fleet.players.stop()
        fleet.primary.kill()
        fleet.standby.start()
        fleet.standby.promote()
        fleet.primary, fleet.standby = fleet.standby, fleet.primary
        return fleet.lost()


@dataclass
class Figures:
    """What a run has found."""

    acknowledged: int = 0
    lost: int = 0
    checkpoints: int = 0
    lost_checkpoints: int = 0
    kills: int = 0
    back: list[float] = field(default_factory=list)
    """Seconds from each promotion to the next acknowledgement."""

    def __str__(self) -> str:
        back = f", back after {max(self.back):.1f} s" if self.back else ""
        return f"{self.acknowledged:,} acknowledged, {self.lost} lost, {self.kills} kills{back}"


def run(kills: int) -> Figures:
    """Play while servers, the sequencer and the primary are killed in turn."""
    figures = Figures()
    with running_fleet(synchronous=True) as fleet:
        players = fleet.players
        players.start()
        players.wait_for_more(ACKNOWLEDGED_BETWEEN)
        for number, victim in enumerate(islice(cycle(("server", "sequencer", "primary")), kills)):
            if victim == "server":
                fleet.kill_server(number % len(fleet.servers))
            elif victim == "sequencer":
                fleet.kill_sequencer()
            else:
                began, promoted = fleet.fail_over()
                figures.back.append(players.first_after(began) - began)
                click.echo(
                    f"kill {number + 1}: promoted within {promoted - began:.1f} s, "
                    f"back after {figures.back[-1]:.1f} s"
                )
                fleet.replace_standby()
            figures.kills += 1
            players.wait_for_more(ACKNOWLEDGED_BETWEEN)
        players.stop()
        figures.acknowledged, figures.lost = players.acknowledged, fleet.lost()
        figures.checkpoints, figures.lost_checkpoints = len(players.checkpoints), fleet.lost_checkpoints()
    return figures


@click.command()
def main() -> None:
    """Run the control and the fleet; exits with 1 if something is lost, or the control loses nothing."""
    kills = int(os.environ.get("FLEET_KILLS", DEFAULT_KILLS))
    try:
        lost = control()
        click.echo(f"control without a synchronous standby: {lost} lost")
        figures = run(kills)
    except (FleetFailed, psycopg.Error, OSError) as fault:
        click.echo(f"fleet: failed: {fault}")
        sys.exit(1)
    click.echo(f"{figures.checkpoints} checkpoints shown, {figures.lost_checkpoints} of them lost")
    click.echo(f"fleet: {figures}")
    sys.exit(0 if lost and not figures.lost and not figures.lost_checkpoints and figures.checkpoints else 1)


if __name__ == "__main__":
    main()
