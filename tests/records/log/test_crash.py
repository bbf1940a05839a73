"""A program that is killed at any moment loses nothing that it acknowledged and leaves nothing half done.

SHIJI_KILLS is how often programs are killed, a tenth of it here; `make crash` kills many more.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from records.entry import Entry, MatchId
from records.log.sqlite import SqliteLog
from tests.project.places import ROOT
from tests.records.log.load import COMMON, OPENED, TRIPLE
from tests.records.log.making import whole

KILLS = max(int(os.environ.get("SHIJI_KILLS", "20")) // 10, 8)


def loading(path: Path, name: str, output: Path, seconds: float = 600) -> subprocess.Popen[bytes]:
    """Start the program under load; it prints what it does to a file that outlives it."""
    with output.open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.records.log.load", path, name, str(seconds)], cwd=ROOT, stdout=out
        )


def acknowledged(output: Path) -> list[tuple[MatchId, int, str]]:
    """What the program has printed, in complete lines."""
    lines = output.read_text().splitlines(keepends=True)
    words = [line.split() for line in lines if line.endswith("\n") and line.strip() != OPENED]
    return [(MatchId(match), int(sequence), digest) for match, sequence, digest in words]


def wait_for(output: Path, size: int, program: subprocess.Popen[bytes]) -> None:
    """Wait until the program has printed `size` bytes."""
    deadline = time.monotonic() + 60
    while output.stat().st_size < size:
        assert program.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)


def assert_all_is_there(records: dict[MatchId, list[Entry]], output: list[tuple[MatchId, int, str]]) -> None:
    for match, sequence, digest in output:
        assert records[match][sequence].hash.hex() == digest


def assert_no_append_is_torn(records: dict[MatchId, list[Entry]]) -> None:
    """Every match but the common one grows by three entries at a time."""
    assert {len(record) % TRIPLE for match, record in records.items() if match != COMMON} <= {0}


@pytest.fixture
def chance() -> random.Random:
    """Another one in each run; a failure shows its seed."""
    seed = random.randrange(2**32)  # noqa: S311 - moments to kill at
    print(f"seed {seed}")  # noqa: T201 - pytest shows it if the test fails
    return random.Random(seed)  # noqa: S311 - as above


def test_a_program_killed_under_load_loses_nothing_that_it_acknowledged(
    path: Path, tmp_path: Path, chance: random.Random, record_property: Callable[[str, int], None]
) -> None:
    output: list[tuple[MatchId, int, str]] = []
    for number in range(KILLS):
        out = tmp_path / f"output-{number}"
        program = loading(path, f"p{number}", out)
        early = number % 4 == 3  # now and then while it opens the file and recovers
        wait_for(out, len(OPENED) + 1 if early else 500, program)
        time.sleep(chance.uniform(0, 0.05 if early else 0.4))
        program.send_signal(signal.SIGKILL)
        program.wait()
        output += acknowledged(out)

        with SqliteLog.open(path) as log:
            records = whole(log)
        assert_all_is_there(records, output)
        assert_no_append_is_torn(records)
    record_property("kills", KILLS)
    record_property("acknowledged entries", len(output))

    assert len(output) > KILLS * 4


def test_a_program_killed_while_it_makes_the_archive_leaves_one_that_opens(
    path: Path, tmp_path: Path, chance: random.Random, record_property: Callable[[str, int], None]
) -> None:
    kills = max(KILLS // 3, 3)
    record_property("kills", kills)
    for number in range(kills):
        program = loading(path, f"p{number}", tmp_path / "output")
        deadline = time.monotonic() + 60
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(chance.uniform(0, 0.02))
        program.send_signal(signal.SIGKILL)
        program.wait()

        with SqliteLog.open(path) as log:
            records = whole(log)
        assert_all_is_there(records, acknowledged(tmp_path / "output"))
        for file in tmp_path.iterdir():
            file.unlink()


def test_two_programs_on_one_file_are_both_right(path: Path, tmp_path: Path) -> None:
    outs = [tmp_path / "output-a", tmp_path / "output-b"]
    programs = [loading(path, out.name, out, seconds=2.5) for out in outs]

    assert [program.wait(60) for program in programs] == [0, 0]
    output = [acknowledged(out) for out in outs]
    with SqliteLog.open(path) as log:
        records = whole(log)
    assert_all_is_there(records, [*output[0], *output[1]])
    assert_no_append_is_torn(records)
    assert sum(map(len, records.values())) == len(output[0]) + len(output[1])
    winners = {entry.request.split("/")[0] for entry in records[COMMON][1:]}
    assert winners == {"output-a", "output-b"}


def test_a_second_program_sees_what_the_first_writes(path: Path, tmp_path: Path) -> None:
    program = loading(path, "p", tmp_path / "output", seconds=2)
    wait_for(tmp_path / "output", 500, program)
    with SqliteLog.open(path, read_only=True) as log:
        first = log.last_position()
        later = log.wait(after=first, timeout=30)
        seen = [*log.archive(after=first)]
    assert program.wait(60) == 0

    assert later > first
    assert [entry.position for entry in seen[:3]] == [first + 1, first + 2, first + 3][: len(seen)]
