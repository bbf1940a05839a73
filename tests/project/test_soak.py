"""The soak test passes with a healthy server, and finds growth and losses."""

import signal
from pathlib import Path

import pytest

from records.log.memory import MemoryLog
from tests.records.log.making import Scribe
from tools.dev.soak import SoakFailed, require_every_entry_once, require_stable_memory, soak


def test_a_short_soak_with_a_killed_server_passes(tmp_path: Path) -> None:
    report = soak(4.0, tmp_path, signals=(signal.SIGKILL, signal.SIGTERM))

    assert "all verify; the server was ended 2 times" in report


def test_memory_that_settles_is_accepted() -> None:
    memory = require_stable_memory([50.0, 70.0, 90.0, 100.0, 101.0, 100.0, 101.0, 102.0, 101.0])

    assert memory == "100.0, then 101.0 MB"


def test_memory_that_grows_is_found() -> None:
    with pytest.raises(SoakFailed, match="grew from 110 to 140 MB"):
        require_stable_memory([80.0, 85.0, 90.0, 100.0, 110.0, 120.0, 130.0, 140.0, 150.0])


def test_an_acknowledged_move_that_is_missing_is_found() -> None:
    log = MemoryLog()
    Scribe("m").write(log, 2, request="start")

    require_every_entry_once(log, {"m": ["start", "start+"]}, [1, 2])
    with pytest.raises(SoakFailed, match=r"does not have \['lost'\] exactly once"):
        require_every_entry_once(log, {"m": ["start", "lost"]}, [1, 2])


@pytest.mark.parametrize("followed", [[1, 3], [1, 1, 2], [2, 3]])
def test_a_follower_that_missed_or_repeated_an_entry_is_found(followed: list[int]) -> None:
    with pytest.raises(SoakFailed, match="missed or repeated"):
        require_every_entry_once(MemoryLog(), {}, followed)
