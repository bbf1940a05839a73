"""Archives and record files of every released schema and edition are read and verified for ever."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from records.audit.archive import ArchiveAudit
from records.audit.file import audit_file
from records.entry import MatchId
from records.files.record_file import read_record, write_record
from records.ledger.ledger import Ledger
from records.log import schema
from records.log.sqlite import SqliteLog
from records.verdict import Verified
from rules.qin.rulebook import EDITIONS
from tests.records.archives import open_log
from tools.dev.golden_records import ARCHIVES

DATABASES = sorted(ARCHIVES.glob("*.db"))
RECORDS = sorted(ARCHIVES.glob("*.jsonl"))


@pytest.fixture(params=DATABASES, ids=lambda path: path.stem)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy, since opening an old archive migrates it."""
    original = Path(request.param)
    for path in (original, original.with_suffix(".json")):
        shutil.copy(path, tmp_path / path.name)
    return tmp_path / original.name


def test_every_schema_and_edition_has_its_archive() -> None:
    names = {path.stem for path in DATABASES}

    assert names >= {f"schema-{len(schema.steps())}-{edition.key.replace('/', '-')}" for edition in EDITIONS}


def test_a_golden_archive_is_verified(archive: Path) -> None:
    with SqliteLog.open(archive):
        pass  # which brings the tables up to date
    expected = json.loads(archive.with_suffix(".json").read_text())

    audit = ArchiveAudit(partial(open_log, archive), jobs=1)
    reports = {report.match: report for report in audit.reports()}

    assert audit.summary.clean
    assert list(reports) == list(expected)
    for match, facts in expected.items():
        assert (reports[match].entries, reports[match].position) == (facts["entries"], facts["position"])


def test_a_golden_archive_is_folded_to_the_same_states(archive: Path) -> None:
    expected = json.loads(archive.with_suffix(".json").read_text())
    with SqliteLog.open(archive) as log:
        ledger = Ledger(log)
        for match, facts in expected.items():
            current = ledger.current(MatchId(match))

            assert (current.sequence, current.hash.hex()) == (facts["entries"], facts["head"])
            assert current.state.position() == facts["position"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_file_is_verified_and_written_the_same(path: Path) -> None:
    record = read_record(path.read_bytes())

    assert audit_file(record).verdict == Verified()
    assert b"".join(write_record(record.entries)) == path.read_bytes()
