"""A real server whose disk or files fail: what it answers, and that nothing acknowledged is lost."""

import errno
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckResponse
from shiji.record.v1 import record_service_pb2 as pb

from records.log.sqlite import SqliteLog
from tests.records.log.making import whole
from tests.records.log.power import Disk
from tests.records.log.shim import COMPILER, Shim, compiled
from tests.service.servers import Running, serving
from tools.dev.playing import Table

NOT_SERVING = HealthCheckResponse.NOT_SERVING
SERVING = HealthCheckResponse.SERVING


def until(running: Running, status: int) -> None:
    """Wait until health checks say so."""
    for seen in running.watch():
        if seen == status:
            return


def play(table: Table, moves: int) -> None:
    for _ in range(moves):
        table.move()


def stored(db: Path) -> set[str]:
    with SqliteLog.open(db) as log:
        return {entry.request for record in whole(log).values() for entry in record}


def test_a_server_without_its_write_ahead_log_stops_acknowledging_and_says_why(tmp_path: Path) -> None:
    db, log = tmp_path / "a.db", tmp_path / "log"
    with log.open("w") as file, serving(db, log=file) as running:
        table = Table.begin(running.stub, "one")
        play(table, 5)
        (tmp_path / "a.db-wal").unlink()
        with pytest.raises(grpc.RpcError) as refused:
            play(table, 5)
        until(running, NOT_SERVING)

        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "a.db-wal was deleted or replaced" in log.read_text()
        assert running.stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match.match_id == table.match

    assert stored(db).issuperset(table.acknowledged)


def test_entries_are_saved_from_a_deleted_write_ahead_log_although_nobody_writes(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with serving(db) as running:
        table = Table.begin(running.stub, "one")
        play(table, 5)
        (tmp_path / "a.db-wal").unlink()
        until(running, NOT_SERVING)

    assert stored(db).issuperset(table.acknowledged)


def test_a_server_whose_archive_was_moved_goes_on_once_it_is_back(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with serving(db) as running:
        table = Table.begin(running.stub, "one")
        db.rename(tmp_path / "moved.db")
        until(running, NOT_SERVING)
        with pytest.raises(grpc.RpcError, match="not available now"):
            table.move()
        (tmp_path / "moved.db").rename(db)
        until(running, SERVING)
        table.move()

    assert stored(db).issuperset(table.acknowledged)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m", "shiji-test", str(folder)]
    try:
        mounted = subprocess.run(mounting, check=False, capture_output=True, text=True)
    except OSError as fault:
        pytest.skip(f"there is no mount: {fault}")
    if mounted.returncode:
        pytest.skip(f"only root may mount: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)  # noqa: S607 - the system's own umount


def test_a_server_on_a_full_disk_refuses_writes_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    db = small_disk / "a.db"
    with serving(db) as running:
        table = Table.begin(running.stub, "one")
        ballast = small_disk / "ballast"
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(bytes(4096))
        with pytest.raises(grpc.RpcError) as refused:
            play(table, 200)
        ballast.unlink()
        table.move()

        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "the disk of the archive is full" in str(refused.value.details())

    assert stored(db).issuperset(table.acknowledged)


@pytest.fixture
def shim(tmp_path: Path) -> Shim:
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    return compiled(tmp_path)


@pytest.mark.parametrize("delay", [0.005, 1.0])
def test_a_slow_disk_delays_acknowledgements_and_nothing_else(
    tmp_path: Path, shim: Shim, delay: float
) -> None:
    db = tmp_path / "a.db"
    with shim.in_force(), serving(db) as running:
        first, *tables = [Table.begin(running.stub, f"match {number}") for number in range(5)]
        shim.set(delay=delay)
        first.move()  # from now on the server knows that the disk is slow, if it is
        shim.set(delay=delay)
        players = [threading.Thread(target=table.move) for table in tables]
        for player in players:
            player.start()
        while not shim.count:
            assert running.check() == SERVING
        answered = running.stub.GetState(pb.GetStateRequest(match_id=tables[0].match))
        for player in players:
            player.join()
        shim.set()

        if delay >= 1.0:  # a millisecond may be over before the question arrives
            assert answered.sequence == 0
        assert all(len(table.acknowledged) == 2 for table in tables)

    assert stored(db).issuperset(name for table in tables for name in table.acknowledged)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize("error", [errno.EROFS, errno.EIO])
def test_a_server_on_a_disk_that_cannot_be_written_any_more_refuses_writes_and_reads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """As a file system answers that was remounted read-only, or whose disk fails."""
    db = tmp_path / "a.db"
    disk = Disk.compiled(tmp_path, db)
    for name, value in disk.environment.items():
        monkeypatch.setenv(name, value)
    with serving(db) as running:
        table = Table.begin(running.stub, "one")
        table.move()
        disk.fail(error)
        with pytest.raises(grpc.RpcError) as refused:
            table.move()
        read = running.stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match
        disk.fail(0)
        table.move()

        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        assert read.match_id == table.match

    assert stored(db).issuperset(table.acknowledged)
