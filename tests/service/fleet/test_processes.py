"""A server of an archive in PostgreSQL: its event loop and its processes."""

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.log.postgres.connection import Target
from tests.postgres import as_role
from tests.service.calls import begin
from tests.service.fleet.common import MOVES, SERVING, WAIT_SECONDS, eventually
from tests.service.servers import connected, not_serving, serving


def children(process: int) -> list[int]:
    """The server processes that a process has started, without those of Python itself."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found if b"spawn_main" in command_line(child)]


def command_line(process: str) -> bytes:
    """The command that a process runs; nothing of one that has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


class TestTheEventLoop:
    def test_a_server_answers_while_the_database_does_not(self, target: Target, secret: Path) -> None:
        """A lock on the table of matches stops every question; health checks go on, and nothing is lost."""
        with serving(target.url, "--secret-file", secret) as server, ExitStack() as stack:
            table = begin(server.stub)
            blocker = stack.enter_context(psycopg.connect(as_role(target, "owner").url))
            blocker.execute("LOCK TABLE shiji.match IN ACCESS EXCLUSIVE MODE")
            asked = [server.stub.GetMatch.future(pb.GetMatchRequest(match_id=table.match)) for _ in range(20)]
            append = server.stub.AppendMove.future(table.append_request(MOVES[0]))
            began = time.monotonic()

            assert server.check() == SERVING

            assert not append.done()
            assert not any(each.done() for each in asked)
            assert time.monotonic() - began < WAIT_SECONDS
            blocker.rollback()
            assert {each.result(WAIT_SECONDS).match.match_id for each in asked} == {table.match}
            assert append.result(WAIT_SECONDS).appended.entries[0].sequence == 1


class TestSeveralProcesses:
    def test_processes_share_a_port_and_one_that_ends_is_replaced(self, target: Target, secret: Path) -> None:
        with serving(target.url, "--secret-file", secret, "--workers", "2", "--no-web") as server:
            assert "listens with 2 processes on" in server.startup_lines[0]
            workers = children(server.process.pid)
            table = begin(server.stub)
            table.play(*MOVES[:2])
            os.kill(workers[0], signal.SIGKILL)
            eventually(lambda: len(children(server.process.pid)) >= len(workers))
            asked = pb.GetMatchRequest(match_id=table.match)
            for _ in range(8):
                with connected(server.address) as channel:
                    stub = RecordServiceStub(channel)
                    found = stub.GetMatch(asked, wait_for_ready=True, timeout=WAIT_SECONDS)
                    assert found.match.sequence == 2

            server.signal(signal.SIGTERM)

            assert server.exit_code() == 0

    def test_a_server_that_is_stopped_while_it_replaces_a_process_stops(
        self, target: Target, secret: Path
    ) -> None:
        with serving(target.url, "--secret-file", secret, "--workers", "2", "--no-web") as server:
            killed = children(server.process.pid)[0]
            os.kill(killed, signal.SIGKILL)
            eventually(lambda: not Path(f"/proc/{killed}").exists())  # the server has noticed
            server.signal(signal.SIGTERM)

            assert server.exit_code() == 0

    def test_a_file_has_one_process_and_the_reason_is_given(self, tmp_path: Path) -> None:
        outcome = not_serving(tmp_path / "games.db", "--workers", "2")

        assert outcome.returncode == 2
        assert "two processes on one SQLite file" in outcome.stderr

    def test_a_fault_of_a_process_is_that_of_the_server(self, target: Target, tmp_path: Path) -> None:
        outcome = not_serving(target.url, "--secret-file", tmp_path / "none", "--workers", "2")

        assert outcome.returncode == 2
        assert "none of them creates it" in outcome.stderr
