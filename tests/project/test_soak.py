"""The soak finds what it is there to find."""

import signal
from pathlib import Path

import pytest

from records.log.memory import MemoryLog
from tests.records.log.making import Scribe
from tools.dev.soak import Unwell, refuse_growth, refuse_losses, soak


def test_a_short_soak_with_a_killed_server_ends_well(tmp_path: Path) -> None:
    told = soak(4.0, tmp_path, ends=(signal.SIGKILL, signal.SIGTERM))

    assert "all verify; the server was ended 2 times" in told


def test_memory_that_settles_is_well() -> None:
    held = refuse_growth([50.0, 70.0, 90.0, 100.0, 101.0, 100.0, 101.0, 102.0, 101.0])

    assert held == "100.0, then 101.0 MB"


def test_memory_that_grows_is_found() -> None:
    with pytest.raises(Unwell, match="grew from 110 to 140 MB"):
        refuse_growth([80.0, 85.0, 90.0, 100.0, 110.0, 120.0, 130.0, 140.0, 150.0])


def test_an_acknowledged_move_that_is_not_there_is_found() -> None:
    log = MemoryLog()
    Scribe("m").write(log, 2, request="start")

    refuse_losses(log, {"m": ["start", "start+"]}, [1, 2])
    with pytest.raises(Unwell, match=r"does not have \['lost'\] exactly once"):
        refuse_losses(log, {"m": ["start", "lost"]}, [1, 2])


@pytest.mark.parametrize("followed", [[1, 3], [1, 1, 2], [2, 3]])
def test_a_follower_who_missed_or_repeated_an_entry_is_found(followed: list[int]) -> None:
    with pytest.raises(Unwell, match="missed or repeated"):
        refuse_losses(MemoryLog(), {}, followed)
