"""Records of sealed matches, in full and as a spectator gets them, with every command."""

from pathlib import Path

import pytest

from records.files.record_file import write_record
from rules.kernel.actors import SPECTATOR
from tests.records.replay.test_sealed_draws import shown, whole
from tests.tools.running import run


@pytest.fixture(params=["whole", "shown"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    entries = list(whole()) if request.param == "whole" else shown(whole(), SPECTATOR)
    path = tmp_path / "record.jsonl"
    path.write_bytes(b"".join(write_record(entries)))
    return path


@pytest.mark.parametrize("at", [0, 1, 2, 40, 115])
def test_every_entry_can_be_shown(file: Path, at: int) -> None:
    done = run("show", file, "--at", str(at))

    assert done.exit_code == 0, done.output


def test_a_page_to_replay_it_is_written(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    assert run("replay", file, "--html", page).exit_code == 0
    assert "lays open all that was sealed" in page.read_text()


def test_it_is_imported_audited_and_exported_again(file: Path, tmp_path: Path) -> None:
    archive, out = tmp_path / "archive.db", tmp_path / "out"

    assert run("import", archive, file).exit_code == 0
    assert run("audit", archive).exit_code == 0
    assert run("export", archive, out, "--format", "record").exit_code == 0
    assert (out / "sealed.jsonl").read_bytes() == file.read_bytes()


def test_a_draw_that_is_concealed_in_one_of_two_records_is_no_contradiction(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_bytes(b"".join(write_record(whole())))
    other.write_bytes(b"".join(write_record(shown(whole(), SPECTATOR))))

    assert run("diff", one, other).exit_code == 0
