"""An archive of any version of the schema is opened and read for ever."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from records.entry import MatchId
from records.log import schema
from records.log.contract import LogUnreadable
from records.log.sqlite import SqliteLog
from tests.records.log.making import Scribe, whole
from tools.dev.golden_db import FOLDER, described

ARCHIVES = sorted(FOLDER.glob("*.db"))


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.stem)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a golden archive."""
    golden: Path = request.param
    return Path(shutil.copy(golden, tmp_path))


def golden_entries(archive: Path) -> list[dict[str, str | int]]:
    return [json.loads(line) for line in (FOLDER / f"{archive.stem}.jsonl").read_text().splitlines()]


def test_there_is_an_archive_of_every_version() -> None:
    assert [path.stem for path in ARCHIVES] == [f"v{n}" for n in range(1, len(schema.steps()) + 1)]


def test_a_golden_archive_tells_what_it_always_told(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        whole(log)

        assert [described(entry) for entry in log.archive()] == golden_entries(archive)


def test_a_golden_archive_lists_its_matches(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        listing = [(told.match, told.game, told.edition, told.seats) for told in log.listing()]

    assert listing == [
        ("m-1", "qin", "qin/1", ("green", "violet")),
        ("史記", "qin", "qin/1", ("green", "violet")),
        ("later", "", "", ()),
    ]


def test_a_golden_archive_grows(archive: Path) -> None:
    before = len(golden_entries(archive))
    with SqliteLog.open(archive) as log:
        head = log.head(MatchId("史記"))
        assert head is not None
        scribe = Scribe("史記")
        scribe.sequence, scribe.hash = head.sequence, head.hash
        scribe.write(log, 2)

        assert sum(map(len, whole(log).values())) == before + 2


def test_a_golden_archive_of_this_version_is_read_without_being_written(archive: Path) -> None:
    content = archive.read_bytes()
    older = archive.stem != f"v{len(schema.steps())}"
    refused = pytest.raises(LogUnreadable, match="older version") if older else nullcontext()
    with refused, SqliteLog.open(archive, read_only=True) as log:
        assert len(whole(log)) == 3
    assert archive.read_bytes() == content
