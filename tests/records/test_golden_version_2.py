"""Goldens of both versions of entries: read, verified and written the same for ever."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.archive import ArchiveAudit
from records.audit.bundle import read_bundle
from records.codec.concealment import decode_hidden
from records.entry import Entry, EntryKind, MatchId
from records.files.record_file import read_record, rewrite_record, write_record
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice
from records.ledger.redaction import redacted, viewer_named
from records.ledger.results import RecordIsCopy
from records.ledger.transfer import Imported, RejectedRecord, VerifiedImport, judge, store
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.replay.fold import open_record
from records.verdict import VerifiedAsShown, word
from rules.kernel.actors import ARBITER, AUDITOR
from tests.records.archives import open_log
from tools.dev.golden_version_2 import BUNDLED, CASES, COPIED, FOLDER, REDACTED, SECRET, described_file, stage
from tools.dev.staged import closing_notice

EXPECTED = json.loads((FOLDER / "expected.json").read_text())
RECORDS = sorted(FOLDER.glob("*.jsonl"))
BARE = [path for path in RECORDS if path.stem.endswith("-bare")]
UNDER_WAY = [f"{match}-{viewer}" for match in REDACTED for viewer in ("spectator", "green")]


def entries_of(name: str) -> list[Entry]:
    return list(read_record((FOLDER / f"{name}.jsonl").read_bytes()).entries)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A copy, since a golden is never opened for writing."""
    shutil.copy(FOLDER / "mixed.db", tmp_path)
    return tmp_path / "mixed.db"


def test_there_is_a_golden_of_each_kind_of_entry_full_and_redacted() -> None:
    written = {entry.kind for path in RECORDS for entry in read_record(path.read_bytes()).entries}

    assert written == set(EntryKind)
    assert {path.name for path in FOLDER.iterdir()} == {
        "mixed.db",
        "expected.json",
        "choices.jsonl",
        *EXPECTED["files"],
    }
    assert set(UNDER_WAY) | set(CASES) <= {path.stem for path in RECORDS}


@pytest.mark.parametrize("name", EXPECTED["files"])
def test_a_golden_file_is_judged_as_when_it_was_written(name: str) -> None:
    assert described_file(FOLDER / name) == EXPECTED["files"][name]


def test_what_is_left_out_decides_the_verdict() -> None:
    verdicts = {name: facts["verdict"] for name, facts in EXPECTED["files"].items()}

    shown_in_part = {f"{name}.jsonl" for name in UNDER_WAY}
    assert {name for name, verdict in verdicts.items() if verdict == "as-shown"} == shown_in_part
    assert {verdicts[name] for name in verdicts.keys() - shown_in_part} == {"verified"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_file_is_written_the_same(path: Path) -> None:
    record = read_record(path.read_bytes())

    assert b"".join(write_record(record.entries)) == path.read_bytes()


@pytest.mark.parametrize("name", BUNDLED)
def test_a_golden_bundle_holds_the_record_file(name: str) -> None:
    bundle = read_bundle((FOLDER / f"{name}.bundle").read_bytes())

    assert bundle.record.version == bundle.version == (1 if name.startswith("v1") else 2)
    assert b"".join(rewrite_record(bundle.record)) == (FOLDER / f"{name}.jsonl").read_bytes()


@pytest.mark.parametrize("name", sorted(set(CASES) - {"plain"}))
def test_this_build_records_the_same_match_in_the_same_bytes(name: str) -> None:
    log = MemoryLog()
    stage(log, name, CASES[name])

    played = redacted(list(log.read(MatchId(name))), AUDITOR)

    assert b"".join(write_record(played)) == (FOLDER / f"{name}.jsonl").read_bytes()


@pytest.mark.parametrize("match", REDACTED)
@pytest.mark.parametrize("name", ["spectator", "green"])
def test_a_viewer_is_shown_what_it_always_was(match: str, name: str) -> None:
    entries = entries_of(match)

    shown = redacted(entries, viewer_named(open_record(entries[0]).header, name))

    assert b"".join(write_record(shown)) == (FOLDER / f"{match}-{name}.jsonl").read_bytes()


def test_the_mixed_archive_is_audited_as_when_it_was_written(archive: Path) -> None:
    audit = ArchiveAudit(partial(open_log, archive), jobs=1)

    found = {
        report.match: {
            "verdict": word(report.verdict),
            "entries": report.entries,
            "position": report.position,
            "copy": report.match == COPIED,
        }
        for report in audit.reports()
    }

    assert found == EXPECTED["matches"]
    assert audit.summary.flaws == []
    assert [match for match, facts in found.items() if facts["verdict"] != "verified"] == [COPIED]


def test_matches_of_both_versions_are_played_on_but_a_copy_is_not(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        ledger = Ledger(log, secrets=lambda _: SECRET)
        for name in ("v1-plain", "v1-sealed", "plain", "sealed", "khan-sealed"):
            match = MatchId(name)
            current = ledger.current(match)
            move = next(iter(current.state.legal_moves(current.state.awaiting()[0])))
            ledger.append(match, current.sequence, "golden goes on", move)
        last = ledger.current(COPIED).sequence
        with pytest.raises(RecordIsCopy):
            add_notice(ledger, COPIED, last, "close", closing_notice(ARBITER, "it is late"))
        assert ledger.current(COPIED).sequence == last
    audit = ArchiveAudit(partial(open_log, archive), jobs=1)

    verdicts = {report.match: word(report.verdict) for report in audit.reports()}

    assert [match for match, verdict in verdicts.items() if verdict != "verified"] == [COPIED]


@pytest.mark.parametrize("path", BARE, ids=lambda path: path.stem)
def test_an_import_derives_what_an_unsealed_record_leaves_out(path: Path) -> None:
    incoming = judge(path.read_bytes())

    assert isinstance(incoming, VerifiedImport)
    assert incoming.lacking == ()
    original = entries_of(path.stem.removesuffix("-bare"))
    if original[0].concealed:
        assert [_parts(entry) for entry in incoming.entries] == [_parts(entry) for entry in original]
    else:
        assert list(incoming.entries) == original


def _parts(entry: Entry) -> tuple[object, ...]:
    return decode_hidden(entry.secret).parts if entry.secret else ()


@pytest.mark.parametrize("name", UNDER_WAY)
def test_a_redacted_record_is_imported_as_a_copy_only(name: str) -> None:
    data = (FOLDER / f"{name}.jsonl").read_bytes()
    log = MemoryLog()

    refused, accepted = judge(data), judge(data, as_shown=True)

    assert isinstance(refused, RejectedRecord)
    assert isinstance(refused.verdict, VerifiedAsShown)
    assert isinstance(accepted, VerifiedImport)
    assert accepted.lacking
    (stored,) = store(log, [accepted])
    assert isinstance(stored, Imported)
    assert stored.copy
    assert log.is_copy(stored.match)


@pytest.mark.parametrize("match", [match for match in REDACTED if "sealed" in match])
def test_the_server_that_dealt_completes_a_redacted_record(match: str) -> None:
    data = (FOLDER / f"{match}-spectator.jsonl").read_bytes()

    own = judge(data, secrets=lambda _: SECRET)
    another = judge(data, secrets=lambda _: b"T" * 32)

    assert isinstance(own, VerifiedImport)
    assert [structs.replace(entry, position=0) for entry in own.entries] == entries_of(match)
    assert isinstance(another, RejectedRecord)
