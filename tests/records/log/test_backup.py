"""Copies that are made while the archive is in use, as the documentation says."""

import shutil
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

from records.log.contract import BadAppend
from records.log.sqlite import SqliteLog
from tests.records.log.making import RecordWriter, refusal, whole


def by_backup(path: Path, copy: Path) -> None:
    command = shutil.which("sqlite3")
    if command is None:
        pytest.skip("there is no sqlite3 command")
    subprocess.run([command, path, f".backup {copy}"], check=True)


def by_vacuum(path: Path, copy: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("VACUUM INTO ?", (str(copy),))
    connection.close()


@pytest.mark.parametrize("copied", [by_backup, by_vacuum])
def test_a_copy_made_while_the_archive_grows_is_an_archive_of_its_own(
    path: Path, tmp_path: Path, copied: object
) -> None:
    assert callable(copied)
    copy = tmp_path / "copy.db"
    done = threading.Event()
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log, 50)

        def grow() -> None:
            while not done.is_set():
                writer.write(log, 3)

        growing = threading.Thread(target=grow)
        growing.start()
        copied(path, copy)
        done.set()
        growing.join()
        record = whole(log)[writer.match]

    with SqliteLog.open(copy) as log:
        copied_record = whole(log)[writer.match]
        assert 50 <= len(copied_record) <= len(record)
        assert copied_record == record[: len(copied_record)]
        assert len(copied_record) % 3 == 2
        RecordWriter("n").write(log)


def test_an_archive_that_is_restored_while_it_is_open_is_not_mixed_with_what_was_there(
    path: Path, tmp_path: Path
) -> None:
    with SqliteLog.open(tmp_path / "other.db") as other:
        RecordWriter("m").write(other, 3, move=b"another history")
    with SqliteLog.open(path) as log:
        writer = RecordWriter("m")
        writer.write(log, 3)
        source, target = sqlite3.connect(tmp_path / "other.db"), sqlite3.connect(path)
        source.backup(target)
        source.close()
        target.close()

        refused = refusal(log.write([writer.next()]))

        assert isinstance(refused, BadAppend)
        assert [stored.move for stored in whole(log)[writer.match]] == [b"another history"] * 3
