"""The metrics and the log of a real server."""

import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import Entry, MatchId
from records.files.transcript import write_transcript
from records.ledger.ledger import Ledger
from records.ledger.transfer import as_transcript
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.observability.logs import LOG
from service.observability.metrics import Metrics
from service.observability.observer import LogObserver
from tests.service.observed import ObservedServer, observed_server, wait_until
from tests.service.running import Options, serving_in_process
from tests.service.servers import SERVE, bearer, refused
from tests.service.tokens import new_token
from tools.dev.playing import ILLEGAL, SEATS, Table


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObservedServer]:
    with observed_server(tmp_path_factory.mktemp("observed")) as server:
        yield server


@pytest.fixture
def served(running: ObservedServer) -> ObservedServer:
    return running.counting_from_now()


def moves(db: Path) -> list[str]:
    """The lines of the transcript of an archive's only match, with all deals and draws."""
    with SqliteLog.open(db, read_only=True) as log:
        transcript = write_transcript(as_transcript(list(log.archive())))
    return [line for line in transcript.splitlines() if not line.startswith("[")]


def test_calls_are_counted_by_method_and_code(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "counted")
    for _ in range(3):
        table.move()
    with refused():
        served.server.stub.GetMatch(pb.GetMatchRequest(match_id="nobody-1"))

    assert served.growth("shiji_calls_total", method="AppendMove", code="OK") == 3
    assert served.growth("shiji_call_seconds_count", method="AppendMove") == 3
    assert served.growth("shiji_calls_total", method="GetMatch", code="NOT_FOUND") == 1
    assert served.growth("shiji_refusals_total", reason="NO_SUCH_MATCH") == 1


def test_broken_rules_are_counted_by_their_ids_in_calls_and_in_streams(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "broken")
    with refused() as refusal:
        table.append(ILLEGAL)
    request = pb.AppendMoveRequest(match_id=table.match, request_id="play", move=ILLEGAL)
    (answer,) = served.server.stub.Play(iter([pb.PlayRequest(append=request)]))

    assert (refusal.reason, answer.refused.reason) == ("RULE_BROKEN", "RULE_BROKEN")
    assert served.line("refused", request="play")["match"] == table.match
    assert served.growth("shiji_refusals_total", reason="RULE_BROKEN") == 2
    for rule in refusal.metadata["rules"].split(","):
        assert served.growth("shiji_rules_broken_total", rule=rule) == 2


def test_the_archive_its_writes_the_cache_and_followers_are_measured(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "measured")
    table.move()
    follower = served.server.stub.FollowRecord(pb.FollowRecordRequest(match_id=table.match))
    next(follower)

    assert served.growth("shiji_archive_entries") == 2
    assert served.growth("shiji_commit_seconds_count") == 2
    assert served.growth("shiji_commit_appends_sum") == 2
    assert served.growth("shiji_cache_matches") == 1
    assert served.growth("shiji_cache_hits_total") > 0
    assert served.now("shiji_followers") == 1
    assert served.now("shiji_writer_queue") == 0
    assert served.now("shiji_archive_bytes", file="db") > 0
    assert served.now("shiji_disk_free_bytes") > 0
    assert served.now("process_resident_memory_bytes") > 0
    follower.cancel()
    wait_until(lambda: served.now("shiji_followers") == 0)


def test_a_call_that_its_caller_cancels_is_counted_as_cancelled(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "gone")
    follower = served.server.stub.FollowRecord(pb.FollowRecordRequest(match_id=table.match))
    next(follower)
    follower.cancel()
    wait_until(lambda: served.growth("shiji_calls_total", method="FollowRecord", code="CANCELLED") == 1)
    wait_until(lambda: served.now("shiji_followers") == 0)


def test_the_metrics_port_has_two_pages(served: ObservedServer) -> None:
    assert "/metrics" in served.page("/")
    with pytest.raises(HTTPError, match="404"):
        served.page("/other")


def test_a_metrics_port_in_use_is_reported_without_a_traceback(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        command: list[str | Path] = [*SERVE, "--db", tmp_path / "a.db", "--listen", "127.0.0.1:0"]

        done = subprocess.run(
            [*command, "--metrics-listen", address], capture_output=True, text=True, check=False
        )

    assert done.returncode == 2
    assert f"cannot serve metrics on {address}: Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_refused_call_is_logged_with_its_ids_but_without_the_message(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "logged")
    request = pb.AppendMoveRequest(match_id=table.match, request_id="request 7", move=ILLEGAL)
    with refused() as refusal:
        served.server.stub.AppendMove(request, metadata=(("x-request-id", "mine-1"),))

    line = served.line("refused", call="mine-1")
    assert line["level"] == "info"
    assert line["reason"] == "RULE_BROKEN"
    assert line["rules"] == refusal.metadata["rules"]
    assert (line["method"], line["request"]) == ("AppendMove", "request 7")
    assert line["match"] == table.match
    assert refusal.message not in served.log.read_text()


class BrokenLog(MemoryLog):
    """Raises what the service does not expect."""

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        raise ZeroDivisionError(match, start, limit)


def test_an_internal_error_is_logged_and_counted_once(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    with serving_in_process(
        Ledger(BrokenLog()), options=Options(observers=(LogObserver(), metrics))
    ) as running:
        with refused() as refusal:
            running.stub.GetMatch(pb.GetMatchRequest(match_id="m"))
        faults = [*running.collector.faults]
        running.collector.faults.clear()  # otherwise they fail the test
    counted = metrics.registry.get_sample_value

    assert refusal.reason == "INTERNAL"
    assert list(map(type, faults)) == [ZeroDivisionError]
    assert [line.message for line in caplog.records if line.name == LOG.name] == ["failed"]
    assert counted("shiji_calls_total", {"method": "GetMatch", "code": "INTERNAL"}) == 1
    assert counted("shiji_refusals_total", {"reason": "INTERNAL"}) == 1


def test_an_id_that_could_forge_a_line_is_not_logged(served: ObservedServer) -> None:
    request = pb.GetStateRequest(match_id="x y=z")
    with refused():
        served.server.stub.GetState(request, metadata=(("x-request-id", "a b=c"),))

    line = served.line("refused", method="GetState")
    assert not {"x y=z", "a b=c"} & set(line.values())
    assert line["call"]


def test_only_the_operator_sees_the_message_of_a_storage_fault(served: ObservedServer) -> None:
    table = Table.begin(served.server.stub, "locked")
    with closing(sqlite3.connect(served.server.db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with refused() as refusal:
            table.move()
    table.move()

    line = served.line("refused", reason="STORAGE_UNAVAILABLE")
    assert line["level"] == "error"
    assert served.server.db.name in str(line["why"])
    assert served.server.db.name not in refusal.message


def test_the_debug_log_has_no_tile_move_position_or_secret(tmp_path: Path) -> None:
    with observed_server(tmp_path, "--log-level", "debug") as served:
        stub = served.server.stub
        table = Table.begin(stub, "dealt", pb.CHANCE_SERVICE)
        played: list[str] = []
        while len(played) < 12 and (text := table.move()):
            played.append(text)
            with refused():
                table.append(ILLEGAL)
            with refused():
                table.append(entries.Move(text=f"{SEATS[0]} nonsense {text}"))
        seen = stub.GetState(pb.GetStateRequest(match_id=table.match, viewer=entries.Viewer(seat=0)))
        served.server.signal(signal.SIGTERM)
        served.server.exit_code()

    assert served.line("started")["listen"] == served.server.address
    assert served.lines("draining")
    assert served.lines("stopped")
    log = served.log.read_text()
    secret = (tmp_path / "a.db.secret").read_text().strip()
    tiles = {word for line in moves(tmp_path / "a.db") for word in line.split() if word.isupper()}
    hidden = {*played, *tiles, seen.position, secret, ILLEGAL.text, "nonsense"}
    assert len(tiles) > 3
    assert len(served.lines("answered")) > 12
    assert [text for text in sorted(hidden) if text in log] == []


def test_the_debug_log_has_no_token(tmp_path: Path) -> None:
    token = new_token(tmp_path / "tokens", "app", "recorder")
    request = pb.StartMatchRequest(request_id="1", game="qin", seats=SEATS)
    with observed_server(tmp_path, "--log-level", "debug", "--tokens", tmp_path / "tokens") as served:
        begun = served.server.stub.StartMatch(request, metadata=bearer(token))
        query = pb.GetStateRequest(match_id=begun.match.match_id, viewer=entries.Viewer(seat=1))
        with refused():
            served.server.stub.GetState(query, metadata=bearer(begun.seat_tokens[0]))
        with refused():
            served.server.stub.GetState(query, metadata=bearer("shiji_guessed"))
        served.line("refused", reason="NO_CREDENTIALS")

    log = served.log.read_text()
    assert [line["reason"] for line in served.lines("refused")] == ["NOT_YOUR_SEAT", "NO_CREDENTIALS"]
    assert len(begun.seat_tokens) == 2
    assert [secret for secret in (token, "shiji_guessed", *begun.seat_tokens) if secret in log] == []
