"""What `make crash`, `make soak` and `make fleet` put under load: every method of the service."""

from itertools import islice
from pathlib import Path

from shiji import Client

from records.log.sqlite import SqliteLog
from service.rpc import DESCRIPTOR
from tests.records.log.making import whole
from tests.service.observed import observed_server, wait_until
from tools.dev.every_call import READING_METHODS, EveryCall

SCENES = 4
"""Scenes of one player before it begins again, without that of the methods that store nothing."""

ENDINGS = ("OK", "CANCELLED")
"""How a call ends that was not refused: a stream is left by its client."""


def test_every_method_that_may_store_something_is_played_and_everything_acknowledged_is_noted(
    tmp_path: Path,
) -> None:
    writing = {method.name for method in DESCRIPTOR.methods} - READING_METHODS
    noted = set[tuple[str, int]]()
    with observed_server(tmp_path) as served, Client(served.server.address, timeout=60.0) as client:
        before = served.counting_from_now()

        def ended(method: str) -> bool:
            return any(before.growth("shiji_calls_total", method=method, code=code) for code in ENDINGS)

        def note(match: str, sequence: int, _: str) -> None:
            noted.add((match, sequence))

        scenes = list(islice(EveryCall(client, "every", note, reads=False).play(), SCENES))
        wait_until(lambda: ended("Play"))
        played = {method for method in writing if ended(method)}
    with SqliteLog.open(tmp_path / "a.db", read_only=True) as log:
        stored = {(entry.match, entry.sequence) for record in whole(log).values() for entry in record}

    assert len(set(scenes)) == SCENES
    assert played == writing
    assert noted == stored


def test_methods_that_are_said_to_store_nothing_take_no_request_id() -> None:
    for name in READING_METHODS:
        assert "request_id" not in DESCRIPTOR.methods_by_name[name].input_type.fields_by_name
