"""Records of sealed matches, in full and as a spectator gets them, with every command."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from records.files.record_file import write_record
from records.log.contract import NEW, Append
from records.log.sqlite import SqliteLog
from rules.kernel.actors import SPECTATOR
from tests.records.replay.test_sealed_draws import record, shown, whole
from tests.tools.running import run


@pytest.fixture(params=["whole", "shown"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    entries = list(whole()) if request.param == "whole" else shown(whole(), SPECTATOR)
    path = tmp_path / "record.jsonl"
    path.write_bytes(b"".join(write_record(entries)))
    return path


@pytest.fixture
def under_way(tmp_path: Path) -> Path:
    """A spectator's file of a match that is not over."""
    path = tmp_path / "under-way.jsonl"
    path.write_bytes(b"".join(write_record(shown(record(), SPECTATOR))))
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
    assert (out / "sealed.jsonl").read_bytes() == b"".join(write_record(whole()))


def test_a_draw_that_is_concealed_in_one_of_two_records_is_no_contradiction(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_bytes(b"".join(write_record(whole())))
    other.write_bytes(b"".join(write_record(shown(whole(), SPECTATOR))))

    assert run("diff", one, other).exit_code == 0


def test_a_match_that_was_unsealed_is_verified_whatever_the_file_leaves_out(file: Path) -> None:
    assert run("verify", file).exit_code == 0


def test_a_match_under_way_is_verified_as_far_as_shown(under_way: Path) -> None:
    result = run("verify", under_way)

    assert result.exit_code == 3
    assert "verified as far as shown, 8 of 15 entries not judged in full" in result.stdout
    assert "unjudged  what was drawn is not shown: entries 2, 3, 5" in result.stdout
    assert run("verify", under_way, "--as-shown").exit_code == 0


def test_json_lists_what_was_not_judged(under_way: Path) -> None:
    found = json.loads(run("verify", under_way, "--json").stdout)

    assert found["verdict"] == "as-shown"
    assert found["unjudged"][0] == {"entry": 2, "why": "what was drawn is not shown"}
    assert len(found["unjudged"]) == 8


def test_a_worse_verdict_decides_the_exit_code(under_way: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(under_way.read_bytes().replace(b'"actor":0', b'"actor":1'))

    assert run("verify", under_way, damaged, "--as-shown").exit_code == 1
    assert run("verify", under_way, tmp_path / "none").exit_code == 2


def test_two_such_records_are_compared_as_far_as_shown(under_way: Path) -> None:
    assert run("diff", under_way, under_way).exit_code == 3
    assert run("diff", under_way, under_way, "--as-shown").exit_code == 0


def test_the_page_says_what_was_not_judged(under_way: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    assert run("replay", under_way, "--html", page).exit_code == 0
    assert "what was drawn is not shown: entries 2, 3" in page.read_text()


def test_such_a_record_is_not_imported(under_way: Path, tmp_path: Path) -> None:
    result = run("import", tmp_path / "archive.db", under_way)

    assert result.exit_code == 1
    assert "an archive holds everything that was drawn" in " ".join(result.stdout.split())


def test_an_archive_whose_secrets_were_removed_is_not_clean(tmp_path: Path) -> None:
    file, archive = tmp_path / "record.jsonl", tmp_path / "archive.db"
    file.write_bytes(b"".join(write_record(record())))
    assert run("import", archive, file).exit_code == 0
    assert run("audit", archive).exit_code == 0
    with closing(sqlite3.connect(archive)) as connection:
        for trigger in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger[0]}")
        connection.execute("UPDATE entry SET secret = x''")
        connection.commit()

    result = run("audit", archive, "--as-shown")

    assert result.exit_code == 1
    assert "lacks what was drawn" in result.stdout


def test_a_copy_is_audited_as_far_as_shown(tmp_path: Path) -> None:
    archive, entries = tmp_path / "archive.db", tuple(shown(record(), SPECTATOR))
    with SqliteLog.open(archive) as log:
        log.write([Append(entries[0].match, NEW, entries, copy=True)])

    for further in ((), ("--since", "1")):
        result = run("audit", archive, *further)
        assert result.exit_code == 3
        assert "verified as far as shown, 8 of 15 entries" in result.stdout
        assert run("audit", archive, *further, "--as-shown").exit_code == 0
