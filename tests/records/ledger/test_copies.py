"""Records with parts left out: completed where that is possible, else kept as copies."""

from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.archive import ArchiveAudit
from records.codec.concealment import Hidden, decode_hidden, encode_hidden
from records.entry import Entry, MatchId, with_hash
from records.evidence.concealment import format_concealed, parse_concealed
from records.files.record_file import read_record, write_record
from records.ledger.ledger import Ledger
from records.ledger.redaction import redacted
from records.ledger.transfer import (
    ImportConflict,
    Imported,
    RejectedRecord,
    VerifiedImport,
    judge,
    store,
)
from records.log.contract import NEW, Append, Log
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.replay.completion import lacking_parts
from records.replay.fold import open_record
from records.verdict import CorruptAt, VerifiedAsShown, word
from rules.kernel.actors import SPECTATOR
from tests.records.archives import damage, open_log
from tools.dev.golden_version_2 import CASES, FOLDER, SECRET, stage

MATCH = MatchId("sealed")


def file_of(entries: list[Entry]) -> bytes:
    return b"".join(write_record(entries))


def whole(match: str = MATCH) -> list[Entry]:
    return list(read_record((FOLDER / f"{match}.jsonl").read_bytes()).entries)


def shown(upto: int | None = None) -> bytes:
    """A spectator's file of the match, or of its first entries."""
    return file_of(redacted(whole(), SPECTATOR)[:upto])


def incoming(data: bytes, *, as_shown: bool = False) -> VerifiedImport:
    judged = judge(data, as_shown=as_shown)
    assert isinstance(judged, VerifiedImport), judged
    return judged


def bring(log: Log, data: bytes) -> Imported | ImportConflict:
    (result,) = store(log, [incoming(data, as_shown=True)])
    return result


def rechained(entries: list[Entry]) -> list[Entry]:
    chain: list[Entry] = []
    for entry in entries:
        chain.append(with_hash(structs.replace(entry, previous=chain[-1].hash) if chain else entry))
    return chain


def test_a_copy_is_extended_by_a_longer_record() -> None:
    log, length = MemoryLog(), len(whole())

    first, again, longer = bring(log, shown(length - 3)), bring(log, shown(length - 3)), bring(log, shown())

    assert first == Imported(MATCH, length - 4, length - 3, copy=True)
    assert again == Imported(MATCH, length - 4, 0, copy=True)
    assert longer == Imported(MATCH, length - 1, 3, copy=True)
    assert [entry.hash for entry in log.read(MATCH)] == [entry.hash for entry in whole()]


def test_a_copy_is_never_completed() -> None:
    log = MemoryLog()
    bring(log, shown())

    assert bring(log, file_of(whole())) == Imported(MATCH, len(whole()) - 1, 0, copy=True)
    assert log.is_copy(MATCH)
    assert not any(entry.secret for entry in log.read(MATCH))


def test_a_match_that_an_archive_has_in_full_is_not_extended_by_a_record_with_parts_left_out() -> None:
    log, length = MemoryLog(), len(whole())
    bring(log, file_of(whole()[: length - 3]))

    refused, extended = bring(log, shown()), bring(log, file_of(whole()))

    assert isinstance(refused, ImportConflict)
    assert "the file leaves out parts of entry" in refused.why
    assert extended == Imported(MATCH, length - 1, 3, copy=False)


def test_a_record_that_lacks_nothing_is_no_copy() -> None:
    log = MemoryLog()

    assert bring(log, file_of(whole())) == Imported(MATCH, len(whole()) - 1, len(whole()))
    assert not log.is_copy(MATCH)


@pytest.mark.parametrize("match", ["sealed", "khan-sealed"])
def test_a_forged_commitment_is_found_by_the_server_that_dealt(match: str) -> None:
    entries = redacted(whole(match), SPECTATOR)
    drawn = next(entry for entry in entries if len(entry.concealed) > 1)
    *others, last = parse_concealed(drawn.concealed)
    field = format_concealed([*others, structs.replace(last, digest=bytes(32))])
    entries[drawn.sequence] = structs.replace(drawn, concealed=field)
    forged = file_of(rechained(entries))

    own, stranger = judge(forged, secrets=lambda _: SECRET), judge(forged)

    assert isinstance(own, RejectedRecord)
    assert isinstance(own.verdict, CorruptAt)
    assert own.at == drawn.sequence
    assert isinstance(stranger, RejectedRecord)
    assert isinstance(stranger.verdict, VerifiedAsShown)


def test_a_copy_is_read_by_the_server_that_dealt() -> None:
    log = MemoryLog()
    bring(log, shown())

    current = Ledger(log, secrets=lambda _: SECRET).current(MATCH)

    assert current.sequence == len(whole()) - 1
    assert current.copy


@pytest.mark.parametrize("match", CASES)
def test_an_archive_lacks_nothing_of_what_was_played_in_it(match: str) -> None:
    log = MemoryLog()
    stage(log, match, CASES[match])
    entries = list(log.read(MatchId(match)))

    assert lacking_parts(open_record(entries[0]).header, entries) == ()


def audited(path: Path) -> tuple[dict[str, str], list[str]]:
    audit = ArchiveAudit(partial(open_log, path), jobs=1)
    return {report.match: word(report.verdict) for report in audit.reports()}, audit.summary.flaws


@pytest.mark.parametrize("match", ["sealed", "recorded", "plain", "v1-sealed"])
def test_a_copy_that_lacks_nothing_is_a_flaw_of_the_archive(match: str, tmp_path: Path) -> None:
    path, entries = tmp_path / "archive.db", tuple(whole(match))
    with SqliteLog.open(path) as log:
        log.write([Append(entries[0].match, NEW, entries, copy=True)])

    verdicts, flaws = audited(path)

    assert verdicts == {match: "verified"}
    assert flaws == [f"match {match} is marked as a copy, but nothing is left out of it"]


def test_a_copy_that_is_no_longer_marked_as_one_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with SqliteLog.open(path) as log:
        bring(log, shown())
    assert audited(path) == ({MATCH: "as-shown"}, [])
    damage(path, "UPDATE match SET copy = 0")

    verdicts, _ = audited(path)

    assert verdicts == {MATCH: "corrupt"}


def test_openings_without_what_they_open_are_no_evidence() -> None:
    entries = whole()
    drawn = next(entry for entry in entries if len(entry.concealed) > 1)
    openings = decode_hidden(drawn.secret).openings
    entries[drawn.sequence] = structs.replace(drawn, secret=encode_hidden(Hidden((), openings)))

    judged = judge(file_of(entries), as_shown=True)

    assert openings
    assert isinstance(judged, RejectedRecord)
    assert judged.verdict == CorruptAt(
        drawn.sequence, "the entry opens sealed places, and does not show what was drawn from them"
    )
