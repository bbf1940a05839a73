"""Faults around the service: nothing is lost or stored twice, and it recovers without a restart."""

import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import grpc
import pytest
from grpc import StatusCode, aio
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from service import rpc
from tests.records.matches import MOVES
from tests.service.calls import AUDITOR, Table, begin, refusal, text
from tests.service.running import TIMEOUT_SECONDS, serving_in_process
from tests.service.servers import connected, serving

Response = TypeVar("Response")

PLAYERS = 4
KILLS = 3


@contextmanager
def impatient(path: Path, busy_timeout: float = 0.05) -> Iterator[RecordServiceStub]:
    """A service that waits for locks of other programs only for a short time, in seconds."""
    with SqliteLog.open(path, busy_timeout=busy_timeout) as log, serving_in_process(Ledger(log)) as running:
        yield running.stub


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the write lock for the duration of the block."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def test_a_caller_that_leaves_while_its_stream_begins_is_no_fault_of_the_service(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service fails at its end if it had a fault."""

    async def fail(_: object) -> None:  # as gRPC does where the call is gone
        raise aio.InternalError('Failed "execute_batch"')

    monkeypatch.setattr(rpc, "_accept", fail)
    with SqliteLog.open(path) as log, serving_in_process(Ledger(log)) as running:
        table = begin(running.stub)
        followed = running.stub.FollowRecord(pb.FollowRecordRequest(match_id=table.match))

        with pytest.raises(grpc.RpcError):
            list(followed)

    assert followed.code() is StatusCode.CANCELLED


def texts(table: Table) -> list[str]:
    return [entry.text for entry in table.record(AUDITOR)][1:]


def test_while_another_program_locks_the_archive_moves_wait_and_are_then_refused(path: Path) -> None:
    with impatient(path) as stub:
        table = begin(stub)
        request = table.append_request(MOVES[0])
        with locked(path):
            error = refusal(lambda: stub.AppendMove(request))
            assert table.state().sequence == 0

        assert error.reason == "STORAGE_UNAVAILABLE"
        assert stub.AppendMove(request).appended.entries[0].sequence == 1
        assert texts(table) == [MOVES[0]]


def test_while_a_move_waits_for_a_lock_other_calls_are_answered(path: Path) -> None:
    with impatient(path, busy_timeout=TIMEOUT_SECONDS) as stub:
        table, other = begin(stub), begin(stub)
        with locked(path):
            waiting = stub.AppendMove.future(table.append_request(MOVES[0]))
            other_waiting = stub.AppendMove.future(other.append_request(MOVES[0]))
            for _ in range(20):
                assert table.state().sequence == 0
            assert not waiting.done()

        assert waiting.result().appended.entries[0].sequence == 1
        assert other_waiting.result().appended.entries[0].sequence == 1


def test_while_personal_data_waits_for_a_lock_other_calls_are_answered(path: Path) -> None:
    with serving(path) as server:
        stub = server.stub
        table = begin(stub)
        known = stub.StartMatch(people("one", "Ada"))
        with locked(path):
            waiting = stub.StartMatch.future(people("two", "Bob"))
            for _ in range(20):
                assert table.state().sequence == 0
            request = pb.GetMatchRequest(match_id=known.match.match_id)
            assert [each.value for each in stub.GetMatch(request).match.people] == ["Ada"]
            assert not waiting.done()

        assert waiting.result().match.people[0].value == "Bob"


def test_an_audit_whose_caller_has_gone_ends_without_a_fault(path: Path) -> None:
    with (
        SqliteLog.open(path) as log,
        serving_in_process(Ledger(log), partial(SqliteLog.open, path)) as running,
    ):
        for _ in range(150):
            begin(running.stub).play(*MOVES)
        for milliseconds in range(1, 60, 3):
            with suppress(grpc.RpcError):
                list(running.stub.AuditArchive(pb.AuditArchiveRequest(), timeout=milliseconds / 1000))

        *_, last = running.stub.AuditArchive(pb.AuditArchiveRequest())
        assert last.summary.matches == 150


def people(request: str, name: str) -> pb.StartMatchRequest:
    person = pb.Person(seat=0, person_id=name, field="name", value=name)
    return pb.StartMatchRequest(request_id=request, game="qin", seats=["green", "violet"], people=[person])


def test_a_move_whose_caller_no_longer_waits_is_stored_once_or_not_at_all(path: Path) -> None:
    with impatient(path, busy_timeout=TIMEOUT_SECONDS) as stub:
        table = begin(stub)
        request = table.append_request(MOVES[0])
        with locked(path), pytest.raises(grpc.RpcError) as caught:
            stub.AppendMove(request, timeout=0.3)
        assert code_of(caught.value) == StatusCode.DEADLINE_EXCEEDED

        settled = stub.AppendMove(request).appended

        assert settled.entries[0].sequence == 1
        assert texts(table) == [MOVES[0]]


def test_a_caller_that_cancels_may_repeat_the_request(path: Path) -> None:
    with impatient(path) as stub:
        table = begin(stub)
        for expected, move in enumerate(MOVES):
            request = table.append_request(move)
            stub.AppendMove.future(request).cancel()
            table.last = stub.AppendMove(request).appended.entries[-1].sequence
            assert table.last == expected + 1

        assert texts(table) == list(MOVES)


def code_of(fault: object) -> StatusCode:
    assert isinstance(fault, grpc.Call)
    return fault.code()


def test_a_read_only_archive_can_be_read(path: Path) -> None:
    with impatient(path) as stub:
        table = begin(stub)
        table.play(*MOVES)
    with SqliteLog.open(path, read_only=True) as log, serving_in_process(Ledger(log)) as running:
        table = Table(running.stub, table.match, table.last)

        assert texts(table) == list(MOVES)
        assert refusal(lambda: table.play("violet pass")).reason == "STORAGE_UNAVAILABLE"


def test_a_full_disk_is_reported_and_freed_space_is_used_without_a_restart(path: Path) -> None:
    with serving(path) as server:
        table = begin(server.stub)
        table.play(MOVES[0])
        room = path.with_name(f"{path.name}-wal").stat().st_size + 20_000
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        request = table.append_request(MOVES[1])

        def fill_up() -> None:
            for _ in range(100):
                begin(server.stub).play(*MOVES)

        error = refusal(fill_up)
        assert error.reason in {"STORAGE_FULL", "STORAGE_UNAVAILABLE"}
        assert texts(table) == [MOVES[0]]

        resource.prlimit(
            server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        )

        assert server.stub.AppendMove(request).appended.entries[0].sequence == 2


class Player(threading.Thread):
    """Plays a match on a server that is killed repeatedly, and remembers which moves were acknowledged."""

    def __init__(self, address: str, name: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.address = address
        self.called = name
        self.stop = stop
        self.match = ""
        self.acknowledged: list[str] = []

    def run(self) -> None:
        start = pb.StartMatchRequest(request_id=self.called, game="qin", seats=("green", "violet"))
        self.match = self.insist(lambda stub: stub.StartMatch(start)).match.match_id
        listing = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=self.match), page_size=1)
        while not self.stop.is_set():
            move = self.insist(lambda stub: stub.ListLegalMoves(listing)).moves[0]
            request = pb.AppendMoveRequest(
                match_id=self.match,
                expected_sequence=len(self.acknowledged),
                request_id=f"{self.called} {len(self.acknowledged)}",
                move=text(move.text),
            )
            (entry,) = self.insist(partial(_append, request=request)).appended.entries
            assert entry.sequence == len(self.acknowledged) + 1
            self.acknowledged.append(entry.text)

    def insist(self, call: Callable[[RecordServiceStub], Response]) -> Response:
        """The response; the same request is sent until there is one."""
        while True:
            with connected(self.address) as channel:
                try:
                    return call(RecordServiceStub(channel))
                except grpc.RpcError as fault:
                    assert code_of(fault) == StatusCode.UNAVAILABLE, fault  # noqa: PT017 - any other is a failure
            self.stop.wait(0.05)


def _append(stub: RecordServiceStub, request: pb.AppendMoveRequest) -> pb.AppendMoveResponse:
    return stub.AppendMove(request)


def test_a_server_that_is_killed_under_load_loses_no_move_and_stores_none_twice(path: Path) -> None:
    stop = threading.Event()
    with serving(path) as server:
        address = server.address
        players = [Player(address, f"player {number}", stop) for number in range(PLAYERS)]
        for player in players:
            player.start()
        wait_for(players, 2)
    for kill in range(KILLS):
        before = min(len(player.acknowledged) for player in players)
        with serving(path, listen=address) as server:
            wait_for(players, before + 2)
            if kill == KILLS - 1:
                stop.set()
                for player in players:
                    player.join(TIMEOUT_SECONDS)
                for player in players:
                    assert texts(Table(server.stub, player.match)) == player.acknowledged
                *_, summary = server.stub.AuditArchive(pb.AuditArchiveRequest())
                assert summary.summary.clean
                assert summary.summary.matches == PLAYERS


def wait_for(players: list[Player], moves: int) -> None:
    """Waits until each player has at least this number of moves acknowledged."""
    while min(len(player.acknowledged) for player in players) < moves:
        assert all(player.is_alive() for player in players)
        threading.Event().wait(0.02)
