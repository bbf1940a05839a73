"""Appends of many callers share the wait for the disk, and no answer comes before it."""

import asyncio
import os
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.contract import LogUnavailable
from records.log.sqlite import SqliteLog
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.apart import apart
from tests.records.log.making import RecordWriter, only, whole
from tests.records.log.shim import COMPILER, Shim, compiled

CALLERS, APPENDS = 32, 6


@pytest.fixture
def shim(tmp_path: Path) -> Shim:
    if COMPILER is None:
        pytest.skip("there is no C compiler to make the shim with")
    return compiled(tmp_path)


def own_shim() -> Shim:
    """The shim that this process uses."""
    return Shim(Path(os.environ["LD_PRELOAD"]), Path(os.environ["SHIJI_FSYNC_SHIM"]))


def waits_each_time(path: Path) -> None:
    shim, writer = own_shim(), RecordWriter("m")
    with SqliteLog.open(path) as log:
        writer.write(log)
        for _ in range(20):
            shim.set()
            writer.write(log)
            assert shim.count >= 1


def test_every_answer_stands_behind_a_wait_for_the_disk(shim: Shim, path: Path) -> None:
    with shim.in_force():
        apart(waits_each_time, path)


async def play_together(log: SqliteLog) -> None:
    intake = Intake(log, EntryFeed(Ledger(log)))

    async def play(writer: RecordWriter) -> None:
        for _ in range(APPENDS):
            append = writer.next()
            only([await intake.commit(append)])
            writer.done(append)

    await asyncio.gather(*(play(RecordWriter(f"m{number}")) for number in range(CALLERS)))
    await intake.close()


def waits_together(path: Path) -> None:
    shim = own_shim()
    with SqliteLog.open(path) as log:
        shim.set(delay=0.005)
        asyncio.run(play_together(log))
        counted = shim.count
        assert [len(record) for record in whole(log).values()] == [APPENDS] * CALLERS
    assert 0 < counted <= CALLERS * APPENDS // 4, counted


def test_concurrent_appends_share_the_wait_for_the_disk(shim: Shim, path: Path) -> None:
    with shim.in_force():
        apart(waits_together, path)


def survives_a_broken_disk(path: Path) -> None:
    shim, writer = own_shim(), RecordWriter("m")
    with SqliteLog.open(path) as log:
        writer.write(log, 3)
        shim.set(failing=True)
        for _ in range(3):
            with pytest.raises(LogUnavailable, match="the disk failed"):
                log.write([writer.next()])
        assert len(whole(log)[writer.match]) == 3
        shim.set()
        writer.write(log)
        assert len(whole(log)[writer.match]) == 4
    with SqliteLog.open(path) as log:
        assert len(whole(log)[writer.match]) == 4


def forgets_what_was_not_stored(path: Path) -> None:
    """The failed append and another program's have the same length, so their positions are the same."""
    shim, writer = own_shim(), RecordWriter("m")
    with SqliteLog.open(path) as log, SqliteLog.open(path) as other:
        writer.write(log, 3)
        shim.set(failing=True)
        with pytest.raises(LogUnavailable):
            log.write([writer.next()])
        shim.set()
        RecordWriter("n").write(other)
        assert writer.write(log)[0].position == 5
        assert len(whole(log)[writer.match]) == 4


def test_what_the_disk_did_not_confirm_is_not_remembered_as_stored(shim: Shim, path: Path) -> None:
    with shim.in_force():
        apart(forgets_what_was_not_stored, path)


def test_an_append_that_the_disk_does_not_confirm_is_not_acknowledged(shim: Shim, path: Path) -> None:
    with shim.in_force():
        apart(survives_a_broken_disk, path)
