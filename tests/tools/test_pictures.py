"""Pictures are the same as the golden files; `python -m tools.dev.pictures` draws those again."""

from pathlib import Path

import pytest

from tests.project.places import ROOT
from tests.tools.running import run
from tools.dev.pictures import GOLDEN, pictures

PICTURES = dict(pictures())


@pytest.mark.parametrize("path", PICTURES, ids=str)
def test_a_picture_is_drawn_as_before(path: Path) -> None:
    assert PICTURES[path] == (ROOT / path).read_text(encoding="utf-8")


def test_no_picture_is_left_over() -> None:
    assert {path for path in PICTURES if path.is_relative_to(GOLDEN)} == {
        path.relative_to(ROOT) for path in (ROOT / GOLDEN).iterdir()
    }


def test_a_picture_never_replaces_the_record_that_it_shows(tmp_path: Path) -> None:
    record = tmp_path / "match.shiji"
    before = (ROOT / "docs/examples/first.shiji").read_bytes()
    record.write_bytes(before)

    result = run("show", record, "--svg", record)

    assert result.exit_code != 0
    assert "is the record itself" in result.output
    assert record.read_bytes() == before
