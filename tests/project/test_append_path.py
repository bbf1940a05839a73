"""How many of our files one AppendMove runs through: few enough to follow it by reading."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from tests.project.places import ROOT
from tests.records.matches import MOVES
from tests.service.calls import begin
from tests.service.running import serving_file

ON_THE_PATH = {
    "service/rpc.py",
    "service/admission.py",
    "service/methods/append.py",
    "service/messages.py",
    "service/intake.py",
    "records/ledger/ledger.py",
    "records/ledger/builder.py",
    "records/entry.py",
    "records/games/state.py",
    "records/log/sqlite.py",
}
"""The ten files of the design."""

OF_THE_GAME = ("rules/", "records/codec/")
"""Folders of the rules of the games, and of how they are encoded."""


class Tracer:
    """Collects the files of ours whose functions are called while it is on."""

    def __init__(self) -> None:
        self._files: set[str] | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if self._files is not None and event == "call":
            self._files.add(frame.f_code.co_filename)

    @contextmanager
    def on(self, seen: Counter[str]) -> Iterator[None]:
        """Counts each file once that is used in the block."""
        self._files = files = set[str]()
        yield
        self._files = None
        ours = (Path(file).relative_to(ROOT).as_posix() for file in files if Path(file).is_relative_to(ROOT))
        seen.update(
            file
            for file in ours
            if file.startswith(("service/", "records/", "rules/")) and not file.startswith(OF_THE_GAME)
        )


def test_an_append_runs_through_the_ten_files_of_the_design(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.intake.SLOW_WRITE_SECONDS", 1e9)  # a thread would write, on a busy disk
    tracer, seen = Tracer(), Counter[str]()
    threading.setprofile(tracer)  # of the threads that start from now on, and so of the service
    try:
        with serving_file(tmp_path / "archive.db") as service:
            match = begin(service.stub)
            for text in MOVES:
                with tracer.on(seen):
                    match.play(text)
    finally:
        threading.setprofile(None)

    # What runs from time to time beside the calls, such as the watch for other writers, is not on their path.
    assert {file for file, calls in seen.items() if calls > len(MOVES) / 2} == ON_THE_PATH
