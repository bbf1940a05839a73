"""An archive of any version of the schema is readable for ever."""

import json
import shutil
from pathlib import Path

import pytest

from records.entry import MatchId
from records.log import schema
from records.log.contract import NEW, Append
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.records.log.making import RecordWriter, entry, whole
from tools.dev.golden_db import CHECKPOINT_SIZES, FOLDER, SIGNER, described

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


def test_a_golden_archive_is_read_as_it_always_was(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        whole(log)

        assert [described(entry) for entry in log.archive()] == golden_entries(archive)


def test_a_golden_archive_lists_its_matches(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        listing = [(row.match, row.game, row.edition, row.seats, row.copy) for row in log.listing()]

    assert listing[:3] == [
        ("m-1", "qin", "qin/1", ("green", "violet"), False),
        ("史記", "qin", "qin/1", ("green", "violet"), False),
        ("later", "", "", (), False),
    ]
    assert listing[3:] == (
        [] if archive.stem == "v1" else [("copied", "qin", "qin/1", ("green", "violet"), True)]
    )


def test_a_golden_archive_has_its_checkpoints(archive: Path) -> None:
    for read_only in (True, False):
        with SqliteLog.open(archive, read_only=read_only) as log:
            sizes = () if archive.stem in {"v1", "v2", "v3"} else CHECKPOINT_SIZES

            assert list(log.checkpoints()) == [Tree(log).checkpoint(SIGNER, size) for size in sizes]


def test_a_golden_archive_grows(archive: Path) -> None:
    before = len(golden_entries(archive))
    with SqliteLog.open(archive) as log:
        head = log.head(MatchId("史記"))
        assert head is not None
        writer = RecordWriter("史記")
        writer.sequence, writer.hash = head.sequence, head.hash
        writer.write(log, 2)

        assert sum(map(len, whole(log).values())) == before + 2


def test_a_golden_archive_is_read_without_being_written(archive: Path) -> None:
    content = archive.read_bytes()
    with SqliteLog.open(archive, read_only=True) as log:
        whole(log)

        assert [described(entry) for entry in log.archive()] == golden_entries(archive)
        assert len(list(log.listing())) == (3 if archive.stem == "v1" else 4)
    assert archive.read_bytes() == content


def test_an_older_archive_may_be_brought_up_to_date_while_it_is_read(archive: Path) -> None:
    with SqliteLog.open(archive, read_only=True) as reader:
        before = list(reader.archive())
        with SqliteLog.open(archive) as writer:
            concealing = entry("new", 0, concealed=b"\x02")
            writer.write([Append(concealing.match, NEW, (concealing,), copy=True)])

        assert [stored.concealed for stored in reader.archive(len(before))] == [b"\x02"]
        assert [row.copy for row in reader.listing()][-1]
