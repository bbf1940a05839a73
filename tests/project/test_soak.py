"""The soak test passes with a healthy server, and finds growth and losses."""

import signal
from pathlib import Path

import pytest

from records.log.memory import MemoryLog
from tests.records.log.making import RecordWriter
from tools.dev.soak import (
    SoakFailed,
    Usage,
    require_all_noted,
    require_every_entry_once,
    require_stable,
    soak,
)


def test_a_short_soak_with_a_killed_server_passes(tmp_path: Path) -> None:
    report = soak(16.0, tmp_path, signals=(signal.SIGKILL, signal.SIGTERM), growth=5.0)

    assert "all verify; the server was ended 2 times" in report
    assert "scenes over all methods" in report


def used(memory: float, threads: int = 10, files: int = 30) -> Usage:
    return Usage(memory, threads, files)


def test_memory_that_settles_is_accepted() -> None:
    found = require_stable([used(100), *[used(101)] * 50, *[used(105)] * 10])

    assert (
        found
        == "from a sixth of the run to its end: memory 101, then 105, threads 10, then 10, files 30, then 30"
    )


@pytest.mark.parametrize("more", [used(112), used(100, threads=20), used(100, files=42)])
def test_growth_is_found(more: Usage) -> None:
    with pytest.raises(SoakFailed, match=r"of the server grew from \d+ to \d+"):
        require_stable([*[used(100)] * 50, *[more] * 10])


def test_an_entry_that_a_visitor_saw_and_is_missing_is_found() -> None:
    log = MemoryLog()
    RecordWriter("m").write(log, 2)

    require_all_noted(log, {"m": {0, 1}})
    with pytest.raises(SoakFailed, match=r"match m does not have the entries \[2\]"):
        require_all_noted(log, {"m": {0, 2}})


def test_an_acknowledged_move_that_is_missing_is_found() -> None:
    log = MemoryLog()
    RecordWriter("m").write(log, 2, request="start")

    require_every_entry_once(log, {"m": ["start", "start+"]}, [1, 2])
    with pytest.raises(SoakFailed, match=r"does not have \['lost'\] exactly once"):
        require_every_entry_once(log, {"m": ["start", "lost"]}, [1, 2])


@pytest.mark.parametrize("followed", [[1, 3], [1, 1, 2], [2, 3]])
def test_a_follower_that_missed_or_repeated_an_entry_is_found(followed: list[int]) -> None:
    with pytest.raises(SoakFailed, match="missed or repeated"):
        require_every_entry_once(MemoryLog(), {}, followed)
