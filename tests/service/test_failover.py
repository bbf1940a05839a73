"""A primary is killed and its standby promoted: with a synchronous standby nothing acknowledged is lost."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.archive import ArchiveAudit
from records.log.opening import open_log
from records.log.postgres.connection import Target
from records.log.postgres.migrations import migrate
from tests.postgres import Cluster, both
from tests.service.calls import Table, begin
from tests.service.servers import Running, refusal_of, refused, serving
from tests.tools.running import run

MOVES = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10")
WAIT_SECONDS = 60.0

WAITING = "FROM pg_stat_activity WHERE application_name = 'shiji write' AND wait_event = 'SyncRep'"
"""The writer's connections whose commit waits for the standby."""


@dataclass(frozen=True)
class Pair:
    """A primary, its standby, and a server that knows both."""

    primary: Cluster
    standby: Cluster
    server: Running
    address: str

    def fail_over(self) -> None:
        """Kill the primary, then start the standby where it stopped, and promote it."""
        self.primary.kill()
        self.standby.start()
        self.standby.promote()

    def play(self, table: Table, move: str, request: str) -> None:
        """Send a move until it is acknowledged or refused, as callers do."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self.server.stub.AppendMove(table.append_request(move, request), timeout=WAIT_SECONDS)
            except grpc.RpcError as fault:
                if refusal_of(fault).code != grpc.StatusCode.UNAVAILABLE or time.monotonic() > end:
                    raise
                time.sleep(0.1)
            else:
                table.last += 1
                return

    def audited(self) -> int:
        """The number of entries in the archive, which is in order."""
        with open_log(self.address) as log:
            audit = ArchiveAudit(lambda: open_log(self.address, read_only=True))
            for _ in audit.reports():
                pass
            assert audit.summary.clean
            return log.last_position()


@contextmanager
def pair(folder: Path, *, synchronous: bool) -> Iterator[Pair]:
    """A server with a primary and a standby, all of them running."""
    secret = folder / "secret"
    secret.write_text(secrets.token_hex(32))
    with ExitStack() as stack:
        primary = Cluster.create()
        stack.callback(primary.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        migrate(Target.parse(primary.address("shiji")))
        primary.create_roles()
        standby = Cluster.standby_of(primary)
        stack.callback(standby.remove)
        standby.start()
        if synchronous:
            primary.waits_for_standby()
        address = both(primary, standby, "shiji", "server")
        server = stack.enter_context(serving(address, "--secret-file", secret))
        yield Pair(primary, standby, server, address)


def eventually(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def eventually_serves(server: Running, part: str, status: int) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while server.check(part) != status:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_nothing_acknowledged_is_lost_with_a_synchronous_standby(tmp_path: Path) -> None:
    with pair(tmp_path, synchronous=True) as running:
        server, table = running.server, begin(running.server.stub)
        running.play(table, MOVES[0], "first")
        running.standby.stop("immediate")
        unanswered = server.stub.AppendMove.future(table.append_request(MOVES[1], "second"))
        eventually_serves(server, "shiji.write", HealthCheckResponse.NOT_SERVING)

        with refused() as refusal:
            begin(server.stub)
        examined = run("doctor", "--log", running.primary.address("shiji"))

        assert refusal.reason == "STORAGE_UNAVAILABLE"
        assert "can only be read now, because commits wait for the standby" in refusal.message
        assert examined.exit_code == 1
        assert "none is connected: nothing can be written" in " ".join(examined.output.split())
        assert server.stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match.match_id == table.match
        with refused() as outcome:
            unanswered.result(WAIT_SECONDS)
        assert outcome.code == grpc.StatusCode.UNAVAILABLE

        running.fail_over()

        running.play(table, MOVES[1], "second")
        running.play(table, MOVES[2], "third")
        eventually_serves(server, "shiji.write", HealthCheckResponse.SERVING)
        assert [entry.text for entry in table.record()][1:] == list(MOVES[:3])
        assert running.audited() == 4


def test_without_one_the_last_entries_are_lost_and_the_server_forgets_them(tmp_path: Path) -> None:
    """The control: it shows that the test above could fail."""
    with pair(tmp_path, synchronous=False) as running:
        table = begin(running.server.stub)
        running.play(table, MOVES[0], "first")
        while running.primary.ask("SELECT count(*) FROM shiji.pending", "shiji"):
            time.sleep(0.01)
        replayed = "SELECT (pg_current_wal_lsn() - replay_lsn)::bigint FROM pg_stat_replication"
        while running.primary.ask(replayed):
            time.sleep(0.01)
        running.standby.stop("immediate")
        running.play(table, MOVES[1], "second")
        running.play(table, MOVES[2], "third")

        running.fail_over()

        with refused() as refusal:
            running.play(table, MOVES[3], "fourth")
        assert refusal.reason == "SEQUENCE_TAKEN"
        assert refusal.metadata["actual_sequence"] == "1"
        table.last = 1
        running.play(table, MOVES[1], "second")
        assert [entry.text for entry in table.record()][1:] == list(MOVES[:2])
        assert running.audited() == 3


def test_a_caller_who_hangs_up_during_a_commit_does_not_end_its_wait_for_the_standby(tmp_path: Path) -> None:
    """An entry that is visible before the standby has it could be acknowledged to others, and be lost."""
    with pair(tmp_path, synchronous=True) as running:
        primary, stub = running.primary, running.server.stub
        table = begin(stub)
        running.play(table, MOVES[0], "first")
        running.standby.stop("immediate")
        leaving = stub.AppendMove.future(table.append_request(MOVES[1], "second"))
        eventually(lambda: primary.ask(f"SELECT count(*) {WAITING}") == 1)

        leaving.cancel()

        with refused() as refusal:  # the same request, of a caller who stays
            stub.AppendMove(table.append_request(MOVES[1], "second"), timeout=WAIT_SECONDS)
        assert refusal.code == grpc.StatusCode.UNAVAILABLE
        assert primary.ask(f"SELECT count(*) {WAITING}") > 0
        assert primary.ask("SELECT count(*) FROM shiji.entry", "shiji") == 2
        running.standby.start()
        running.play(table, MOVES[1], "second")
        assert [entry.text for entry in table.record()][1:] == list(MOVES[:2])


def test_a_commit_whose_wait_an_administrator_cancels_is_not_acknowledged(tmp_path: Path) -> None:
    with pair(tmp_path, synchronous=True) as running:
        primary, stub = running.primary, running.server.stub
        table = begin(stub)
        running.play(table, MOVES[0], "first")
        running.standby.stop("immediate")
        asked = stub.AppendMove.future(table.append_request(MOVES[1], "second"))
        eventually(lambda: primary.ask(f"SELECT count(*) {WAITING}") == 1)

        assert primary.ask(f"SELECT count(pg_cancel_backend(pid)) {WAITING}") == 1

        with refused() as refusal:
            asked.result(WAIT_SECONDS)
        assert refusal.code == grpc.StatusCode.UNAVAILABLE
        assert primary.ask("SELECT count(*) FROM shiji.entry", "shiji") == 3, "it is on the primary only"
        with refused() as repeated:
            stub.AppendMove(table.append_request(MOVES[1], "second"), timeout=WAIT_SECONDS)
        assert repeated.code == grpc.StatusCode.UNAVAILABLE

        running.fail_over()

        assert len(table.record()) == 2, "it has gone with the primary"
        running.play(table, MOVES[1], "second")
        assert running.audited() == 3
