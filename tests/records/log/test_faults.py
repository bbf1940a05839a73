"""A disk that is full, files that cannot be written, and programs that hold a lock."""

import asyncio
import errno
import os
import resource
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.contract import AppendResult, LogBusy, LogUnavailable
from records.log.sqlite import SqliteLog
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.apart import apart, without_privileges
from tests.records.log.making import RecordWriter, only, whole


def limited(size: int) -> None:
    """No file of this process may grow beyond this size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def fill_up(log: SqliteLog, writer: RecordWriter) -> int:
    """Append until the disk is full; returns the number of acknowledged entries."""
    acknowledged = 0
    while True:
        try:
            acknowledged += len(writer.write(log, 7, move=bytes(500)))
        except LogUnavailable as fault:
            if "full" in str(fault) or "no space" in str(fault):
                return acknowledged
            raise


def survives_a_full_disk(path: Path) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        limited(600_000)
        acknowledged = 1 + fill_up(log, writer)
        assert len(whole(log)[writer.match]) == acknowledged
        with pytest.raises(LogUnavailable):
            log.write([writer.next(7, move=bytes(500))])
        limited(resource.RLIM_INFINITY)
        writer.write(log, 7)
        assert len(whole(log)[writer.match]) == acknowledged + 7
    with SqliteLog.open(path) as log:
        assert len(whole(log)[writer.match]) == acknowledged + 7


def test_a_full_disk_loses_nothing_and_the_log_goes_on_when_there_is_room(path: Path) -> None:
    apart(survives_a_full_disk, path)


def cannot_begin_on_a_full_disk(path: Path) -> None:
    limited(5000)
    with pytest.raises(LogUnavailable):
        SqliteLog.open(path)
    limited(resource.RLIM_INFINITY)
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log)
        assert len(whole(log)) == 1


def test_an_archive_that_could_not_be_created_on_a_full_disk_is_created_later(path: Path) -> None:
    apart(cannot_begin_on_a_full_disk, path)


async def asks_on_a_full_disk(path: Path, log: SqliteLog) -> None:
    intake = Intake(log, EntryFeed(Ledger(log)))
    writers = [RecordWriter(f"m{number}") for number in range(20)]
    for writer in writers:
        writer.write(log)

    def everybody() -> Iterator[asyncio.Future[AppendResult]]:
        return (intake.commit(writer.next(20, move=bytes(500))) for writer in writers)

    limited(path.with_name("archive.db-wal").stat().st_size + 10_000)
    answers = await asyncio.gather(*everybody(), return_exceptions=True)
    limited(resource.RLIM_INFINITY)
    assert any(isinstance(answer, LogUnavailable) for answer in answers)
    stored = {
        writer.match for writer, answer in zip(writers, answers, strict=True) if isinstance(answer, tuple)
    }
    assert {match for match, record in whole(log).items() if len(record) > 1} == stored
    for answer in await asyncio.gather(*everybody()):
        assert len(only([answer])) == 20
    assert {len(record) for record in whole(log).values()} == {21}
    await intake.close()


def answers_every_caller_on_a_full_disk(path: Path) -> None:
    with SqliteLog.open(path) as log:
        asyncio.run(asks_on_a_full_disk(path, log))


def test_every_caller_learns_of_a_full_disk_and_may_send_the_append_again(path: Path) -> None:
    apart(answers_every_caller_on_a_full_disk, path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=1m", "shiji-test", str(folder)]
    try:
        mounted = subprocess.run(mounting, check=False, capture_output=True, text=True)
    except OSError as fault:
        pytest.skip(f"there is no mount: {fault}")
    if mounted.returncode:
        pytest.skip(f"only root may mount: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)  # noqa: S607 - the system's own umount


def test_a_small_disk_that_is_really_full_loses_nothing(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(300_000))
    path = small_disk / "archive.db"
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        acknowledged = 1 + fill_up(log, writer)
        assert len(whole(log)[writer.match]) == acknowledged
        ballast.unlink()
        writer.write(log, 7)
    with SqliteLog.open(path) as log:
        assert len(whole(log)[writer.match]) == acknowledged + 7


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that nobody may enter, with an archive of two entries."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with SqliteLog.open(folder / "archive.db") as log:
            RecordWriter("m").write(log, 2)
        yield folder
        folder.chmod(0o755)


def refuses_to_write(path: Path) -> None:
    without_privileges()
    with pytest.raises(LogUnavailable, match=r"check the permissions|check that the folder exists"):
        SqliteLog.open(path)


def reads(path: Path) -> None:
    without_privileges()
    with SqliteLog.open(path, read_only=True) as log:
        assert [len(record) for record in whole(log).values()] == [2]


def test_a_read_only_file_is_refused_for_writing_and_read_for_reading(public: Path) -> None:
    (public / "archive.db").chmod(0o444)
    public.chmod(0o777)

    apart(refuses_to_write, public / "archive.db")
    apart(reads, public / "archive.db")


def test_a_read_only_folder_is_refused_for_writing_and_read_for_reading(public: Path) -> None:
    (public / "archive.db").chmod(0o666)
    public.chmod(0o555)

    apart(refuses_to_write, public / "archive.db")
    apart(reads, public / "archive.db")
    assert [file.name for file in public.iterdir()] == ["archive.db"]


def refuses_to_read(path: Path) -> None:
    without_privileges()
    for read_only in (False, True):
        with pytest.raises(LogUnavailable, match="permissions"):
            SqliteLog.open(path, read_only=read_only)


def test_a_file_that_may_not_be_read_is_reported(public: Path) -> None:
    (public / "archive.db").chmod(0)

    apart(refuses_to_read, public / "archive.db")


def test_a_locked_archive_is_reported_and_works_again_when_it_is_free(path: Path) -> None:
    with SqliteLog.open(path, busy_timeout=0.05) as log:
        writer = RecordWriter("m")
        writer.write(log, 2)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LogUnavailable, match="another program holds it"):
            log.write([writer.next()])
        assert len([*log.archive()]) == 2
        other.execute("ROLLBACK")
        other.close()
        writer.write(log)

        assert len(whole(log)[writer.match]) == 3


def test_a_caller_that_does_not_wait_is_refused_at_once_and_the_next_one_still_waits(path: Path) -> None:
    with SqliteLog.open(path) as log, ThreadPoolExecutor(1) as thread:
        writer = RecordWriter("m")
        writer.write(log)
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogBusy):
            log.write([writer.next()], wait=False)
        future = thread.submit(log.write, [writer.next()])
        with pytest.raises(TimeoutError):
            future.result(0.2)
        with pytest.raises(LogBusy, match="being written"):
            log.write([writer.next()], wait=False)
        other.execute("COMMIT")
        other.close()

        assert len(only(future.result())) == 1


def test_a_lock_that_is_released_in_time_is_not_noticed(path: Path) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(log.write, [writer.next()])
            waiting = not future.done()
            other.execute("COMMIT")
            other.close()

    assert waiting
    assert only(future.result())[0].sequence == 1


def test_an_archive_that_another_program_holds_exclusively_is_reported(path: Path) -> None:
    SqliteLog.open(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")

    for read_only in (False, True):
        with pytest.raises(LogUnavailable, match="another program holds it"):
            SqliteLog.open(path, read_only=read_only, busy_timeout=0.05)
    other.close()
    SqliteLog.open(path).close()


def test_the_limit_on_file_size_is_what_makes_the_disk_full(tmp_path: Path) -> None:
    """What the tests above rely on: a write beyond the limit is an error, not the end of the process."""
    apart(exceeds_the_limit, tmp_path / "file")


def exceeds_the_limit(path: Path) -> None:
    limited(10)
    with path.open("wb", buffering=0) as file:
        file.write(bytes(10))
        with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            file.write(b"x")
