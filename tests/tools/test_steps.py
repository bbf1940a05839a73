"""The steps of a record with takebacks."""

from pathlib import Path

import pytest

from records.audit.judged_file import FileReport
from records.files.record_file import write_record
from tests.records.matches import MOVES, begin, ledger_in_memory
from tools.report.file_verdict import judge_file
from tools.report.steps import Step, steps_of, taken_back


@pytest.fixture
def steps(tmp_path: Path) -> tuple[Step, ...]:
    """Three moves and back to the first, one move and back to before that takeback, one more move."""
    table = begin(ledger_in_memory())
    table.play(*MOVES[:3])
    table.go_back(1)
    table.play("violet Yg8Yh8")
    table.go_back(3)
    table.play(MOVES[3])
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"".join(write_record(table.entries)))
    judged = judge_file(str(path))
    assert isinstance(judged, FileReport)
    return steps_of(judged)


def test_a_takeback_restores_the_earlier_state(steps: tuple[Step, ...]) -> None:
    assert [step.back_to for step in steps] == [None, None, None, None, 1, None, 3, None]
    assert steps[4].state == steps[1].state
    assert steps[6].state == steps[3].state


def test_each_step_has_the_branch_most_recently_taken_back(steps: tuple[Step, ...]) -> None:
    last = [step.number if step else None for step in taken_back(steps)]

    assert last == [None, None, None, None, 3, 3, 5, 5]
