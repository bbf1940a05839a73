"""No bit of an archive can flip unnoticed: it changes nothing that is stored, or the audit finds it.

SHIJI_FLIPS is the number of flips, SHIJI_FIRST the first of them; `make mutate` makes many.
"""

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from records.audit.archive import ArchiveAudit
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.log.contract import LogFault
from records.log.tree import Tree
from records.verdict import word
from tests.records.archives import open_log
from tests.records.bundles import LOG
from tests.tools.memo import remembering
from tools.dev.golden_version_2 import FOLDER

FLIPS = int(os.environ.get("SHIJI_FLIPS", "200"))
FIRST = int(os.environ.get("SHIJI_FIRST", "0"))
PER_TEST = 100
"""Flips per test: as many tests run side by side, and show how far a long run is."""

VERDICTS = {
    match: facts["verdict"]
    for match, facts in json.loads((FOLDER / "expected.json").read_text())["matches"].items()
}
"""The verdicts on the matches of the golden archive, one of which is a copy with parts left out."""

QUERIES = (
    "SELECT * FROM match ORDER BY number",
    "SELECT * FROM entry ORDER BY position",
    "SELECT * FROM person",
    "SELECT * FROM personal",
    "SELECT id, migration_set, name FROM _sqlite_migrations",
    "SELECT type, name, tbl_name, sql FROM sqlite_master",
    "PRAGMA user_version",
    "PRAGMA application_id",
)
"""All that is stored, but for the time of a migration: nothing rests on it, and nothing protects it."""

Stored = list[tuple[object, ...]]


def stored(path: Path) -> Stored:
    """Every value in the file, the schema included, as SQLite reads it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as raw:
        raw.text_factory = bytes
        return [row for query in QUERIES for row in raw.execute(query)]


def finding(path: Path, signed: Checkpoint) -> str | None:
    """What an audit with a checkpoint finds that it did not find in the golden; None if nothing."""
    try:
        audit = ArchiveAudit(partial(open_log, path), jobs=1)
        verdicts = {report.match: word(report.verdict) for report in audit.reports()}
        with open_log(path) as log:
            breach = Tree(log).breach(signed)
    except LogFault as fault:
        return str(fault)
    sound = verdicts == VERDICTS and not audit.summary.flaws
    return breach if sound else f"{verdicts}, {audit.summary.flaws}"


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the golden, since reading it makes files beside it."""
    return Path(shutil.copy(FOLDER / "mixed.db", tmp_path_factory.mktemp("flips")))


def test_the_archive_that_is_damaged_is_sound(archive: Path) -> None:
    with open_log(archive) as log:
        signed = parse_checkpoint(Tree(log).checkpoint(LOG).text)

    assert finding(archive, signed) is None


@pytest.mark.parametrize("chunk", range(-(-FLIPS // PER_TEST)))
def test_a_flipped_bit_changes_no_stored_value_or_is_found(
    archive: Path, tmp_path: Path, chunk: int, record_property: Callable[[str, int], None]
) -> None:
    with open_log(archive) as log:
        signed = parse_checkpoint(Tree(log).checkpoint(LOG).text)
    before, original = stored(archive), archive.read_bytes()
    dice = random.Random(FIRST // PER_TEST + chunk)  # noqa: S311 - tests want the same bits again
    flips = min(PER_TEST, FLIPS - chunk * PER_TEST)
    changed, unnoticed = 0, []
    with remembering():
        for number in range(flips):
            bit = dice.randrange(len(original) * 8)
            path = tmp_path / f"{number}.db"
            path.write_bytes(flipped(original, bit))
            try:
                same = stored(path) == before
            except (sqlite3.Error, UnicodeDecodeError):  # SQLite quotes damaged text in its errors
                same = False
            if not same:
                changed += 1
                if finding(path, signed) is None:
                    unnoticed.append(bit)
            for each in tmp_path.glob(f"{number}.db*"):
                each.unlink()
    record_property("bits flipped", flips)
    record_property("values changed", changed)
    record_property("unnoticed", len(unnoticed))

    assert unnoticed == []
    assert changed or flips < PER_TEST
