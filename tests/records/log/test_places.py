"""A log acknowledges only while the archive and the files beside it are the ones at their paths."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from records.entry import MatchId
from records.log.contract import LogUnavailable
from records.log.sqlite import SqliteLog
from records.log.sqlite_places import FilesMisplaced
from tests.project.places import ROOT
from tests.records.log.making import RecordWriter, whole

MATCH = MatchId("m")


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_acknowledged_without_the_files_beside_the_archive(
    path: Path, suffix: str, *, replaced: bool
) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        file = beside(path, suffix)
        content = file.read_bytes()
        file.unlink()
        if replaced:
            file.write_bytes(content)

        for _ in range(2):
            with pytest.raises(FilesMisplaced, match=f"{suffix} was deleted or replaced"):
                log.write([writer.next()])
        with pytest.raises(FilesMisplaced):
            log.require_in_place()


def test_what_was_acknowledged_reads_on_while_the_write_ahead_log_is_gone(path: Path) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log, 3)
        assert len(whole(log)[MATCH]) == 3
        beside(path, "-wal").unlink()
        with pytest.raises(FilesMisplaced):
            log.write([writer.next()])

        assert len(whole(log)[MATCH]) == 3


LOSING = """
import os, sys, pathlib
from records.log.sqlite import SqliteLog
from tests.records.log.making import RecordWriter
path = pathlib.Path(sys.argv[1])
log = SqliteLog.open(path)
writer = RecordWriter("m")
acknowledged = len(writer.write(log, 20))
path.with_name(path.name + "-wal").unlink()
try:
    for _ in range(5):
        acknowledged += len(writer.write(log, 1))
except Exception as fault:
    print(acknowledged, type(fault).__name__, flush=True)
os.kill(os.getpid(), 9)
"""


def test_entries_in_a_deleted_write_ahead_log_are_copied_into_the_archive(path: Path) -> None:
    """Nothing that was acknowledged is lost, although the program is killed right after."""
    program = subprocess.run(
        [sys.executable, "-c", LOSING, path], cwd=ROOT, check=False, capture_output=True, text=True
    )
    acknowledged, fault = program.stdout.split()
    with SqliteLog.open(path) as log:
        assert len(whole(log)[MATCH]) >= int(acknowledged) == 20
    assert fault == "SideFileMisplaced"


def test_an_archive_that_is_put_back_is_written_again(path: Path) -> None:
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log)
        path.rename(path.with_name("moved.db"))
        with pytest.raises(FilesMisplaced, match="put it back"):
            log.require_in_place()
        path.with_name("moved.db").rename(path)
        log.require_in_place()

        assert len(writer.write(log)) == 1


def test_another_archive_at_the_path_is_neither_written_nor_read(path: Path) -> None:
    with SqliteLog.open(path.with_name("other.db")) as other:
        RecordWriter("other").write(other, 2)
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 2)
        shutil.copy(path.with_name("other.db"), path.with_name("copy.db"))
        os.replace(path.with_name("copy.db"), path)  # noqa: PTH105 - what such a mishap does
        with pytest.raises(LogUnavailable, match="moved or replaced"):
            RecordWriter("n").write(log)
        with pytest.raises(LogUnavailable, match="moved or replaced"):
            whole(log)
