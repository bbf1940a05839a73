"""A server that stops while clients play."""

import signal
import threading
from pathlib import Path
from queue import SimpleQueue

import grpc
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.log.sqlite import SqliteLog
from tests.service.calls import begin, request_id, text
from tests.service.running import serving_file
from tests.service.servers import Running, refusal_of, refused, serving
from tools.dev.playing import Table

PLAYERS = 8


class Player(threading.Thread):
    """Plays until a call fails."""

    def __init__(self, server: Running, number: int) -> None:
        super().__init__()
        self.table = Table.begin(server.stub, f"player {number}")
        self.code = grpc.StatusCode.OK

    def run(self) -> None:
        try:
            while not self.table.over:
                self.table.move()
        except grpc.RpcError as fault:
            self.code = refusal_of(fault).code


def test_players_get_unavailable_and_every_acknowledged_move_is_stored(tmp_path: Path) -> None:
    with serving(tmp_path / "a.db") as server:
        players = [Player(server, number) for number in range(PLAYERS)]
        for player in players:
            player.start()
        server.signal(signal.SIGTERM)
        for player in players:
            player.join()
        code = server.exit_code()

    assert code == 0
    assert {player.code for player in players} == {grpc.StatusCode.UNAVAILABLE}
    with SqliteLog.open(tmp_path / "a.db") as log:
        for player in players:
            table = player.table
            assert [entry.request for entry in log.read(MatchId(table.match))] == table.acknowledged


def test_a_play_stream_takes_no_more_moves_once_the_server_stops(tmp_path: Path) -> None:
    with serving_file(tmp_path / "a.db") as service:
        match = begin(service.stub).match
        todo: SimpleQueue[pb.PlayRequest] = SimpleQueue()
        answers = service.stub.Play(iter(todo.get, None))
        for sequence, move_text in enumerate(("green Re8Re9", "violet Yg8Bh8")):
            if sequence:
                service.drain()
            move = pb.AppendMoveRequest(
                match_id=match, expected_sequence=sequence, request_id=request_id(), move=text(move_text)
            )
            todo.put(pb.PlayRequest(append=move))
            if not sequence:
                assert next(answers).HasField("appended")

        with refused() as error:
            next(answers)

        assert error.reason == "DRAINING"
        todo.put(pb.PlayRequest())  # releases the thread that waits for another request


def test_a_move_delayed_by_the_rate_limit_is_refused_at_once_when_the_server_stops(tmp_path: Path) -> None:
    limits = ("--calls-per-second=0.01", "--calls-burst=3", "--drain-grace=60")
    with serving(tmp_path / "a.db", *limits) as server:
        match = begin(server.stub).match
        moves = [
            pb.AppendMoveRequest(
                match_id=match, expected_sequence=sequence, request_id=request_id(), move=text(move)
            )
            for sequence, move in enumerate(("green Re8Re9", "violet Yg8Bh8"))
        ]
        answers = server.stub.Play(iter([pb.PlayRequest(append=move) for move in moves]))
        assert next(answers).HasField("appended")
        server.signal(signal.SIGTERM)

        with refused() as error:
            next(answers)

        assert error.reason == "DRAINING"
        assert server.exit_code() == 0
