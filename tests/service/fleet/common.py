"""What tests of several servers ask and wait for."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

from grpc_health.v1.health_pb2 import HealthCheckResponse
from shiji.record.v1 import record_service_pb2 as pb

from records.evidence.checkpoint import parse_checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.note import parse_note
from tests.service.calls import Table
from tests.service.servers import Running

SERVING = HealthCheckResponse.SERVING
NOT_SERVING = HealthCheckResponse.NOT_SERVING
MOVES = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10")
WAIT_SECONDS = 120.0
KEY = SecretKey(bytes(range(32)))


def eventually(true: Callable[[], bool]) -> None:
    """Waits until a question has the answer yes."""
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def kept_size(secret: Path) -> int:
    """The size of the newest checkpoint that a server keeps beside its secret; 0 if there is none."""
    path = secret.with_name(f"{secret.name}.checkpoint")
    return parse_checkpoint(parse_note(path.read_bytes()).text).size if path.exists() else 0


def with_person(request: str) -> pb.StartMatchRequest:
    """A request to start a match with a fact about a person."""
    fact = pb.Person(person_id="player-1", field="name", value="Ann")
    return pb.StartMatchRequest(request_id=request, game="qin", seats=("green", "violet"), people=(fact,))


def stop(server: Running) -> None:
    server.signal(signal.SIGTERM)
    assert server.exit_code() == 0


def at(server: Running, table: Table) -> Table:
    """The same match, played at another server."""
    return Table(server.stub, table.match, table.last)


def hashes(table: Table) -> list[bytes]:
    """The hashes of all entries; their positions may come later."""
    return [entry.hash for entry in table.record()]
