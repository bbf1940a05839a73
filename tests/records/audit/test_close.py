"""The close of a match: an end without a result."""

from msgspec import structs

from records.audit.record import audit_record
from records.entry import EntryKind, with_hash
from records.files.record_file import read_record
from records.verdict import CorruptAt, Verified
from tools.dev.golden_version_2 import FOLDER


def test_the_close_of_a_match_must_be_readable() -> None:
    record = read_record((FOLDER / "khan-plain.jsonl").read_bytes())
    last = record.entries[-1]
    closed = structs.replace(
        last,
        sequence=last.sequence + 1,
        kind=EntryKind.CLOSE.value,
        actor=-2,
        move=b"\x08\x06",
        events=b"",
        request="close",
        previous=last.hash,
    )

    found = audit_record(record.match, [*record.entries, with_hash(closed)]).verdict
    good = audit_record(
        record.match, [*record.entries, with_hash(structs.replace(closed, move=b"\x0a\x04late"))]
    )

    assert found == CorruptAt(last.sequence + 1, "the bytes are not a close of a match")
    assert good.verdict == Verified()
