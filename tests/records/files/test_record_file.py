"""The record file of version 1: lossless, and judged the same everywhere."""

import json
import re
from functools import partial

import pytest
from msgspec import structs

from records.audit.file import audit_file
from records.entry import Entry, MatchId
from records.files.record_file import UnreadableRecord, is_record_file, read_record, write_record
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified
from tests.records.matches import MOVES, begin, forged, header, ledger_in_memory
from tests.records.matches import played as played_now
from tools.dev.version_1 import Version1Ledger

played = partial(played_now, kind=Version1Ledger)
RECORD = played(*MOVES)


def file_of(entries: list[Entry]) -> bytes:
    return b"".join(write_record(entries))


FILE = file_of(RECORD)
LINES = FILE.splitlines(keepends=True)


def bare(entries: tuple[Entry, ...] | list[Entry]) -> list[Entry]:
    """The entries without their position in an archive, which is not in a file."""
    return [structs.replace(entry, position=0) for entry in entries]


def edited(line: int, *gone: str, **changed: object) -> bytes:
    """The file with something of a line changed or gone, counting from 1."""
    fields = json.loads(LINES[line - 1]) | changed
    kept = {name: value for name, value in fields.items() if name not in gone}
    return b"".join((*LINES[: line - 1], json.dumps(kept).encode() + b"\n", *LINES[line:]))


def test_a_record_read_again_is_the_same() -> None:
    record = read_record(FILE)

    assert (record.match, record.last, record.head) == (RECORD[0].match, len(MOVES), RECORD[-1].hash)
    assert list(record.entries) == bare(RECORD)
    assert audit_file(record).verdict == Verified()


def test_the_first_line_has_the_format_the_match_and_its_last_entry() -> None:
    assert json.loads(LINES[0]) == {
        "format": "shiji-record/1",
        "match": "match-1",
        "last": 5,
        "head": RECORD[-1].hash.hex(),
    }


def test_people_can_read_what_happened() -> None:
    lines = [json.loads(line) for line in LINES[1:]]

    assert [line.get("text") for line in lines] == [None, *MOVES]
    assert lines[1]["told"][0] == {
        "tile_placed": {
            "seat": 0,
            "first": {"colour": "COLOUR_RED", "cell": "e8"},
            "second": {"colour": "COLOUR_RED", "cell": "e9"},
        }
    }


def test_a_retraction_is_described_too() -> None:
    table = begin(ledger_in_memory(kind=Version1Ledger))
    table.play(*MOVES[:2])
    table.go_back(1, reason="why")

    data = file_of(table.entries)

    assert json.loads(data.splitlines()[-1])["text"] == "arbiter goes back to entry 1"
    assert audit_file(read_record(data)).verdict == Verified()


def test_the_words_may_be_left_out_but_not_lie() -> None:
    silent = read_record(edited(4, "text", "told"))
    lying = read_record(edited(4, text="violet pass"))

    assert audit_file(silent).verdict == Verified()
    assert audit_file(lying).verdict == DivergedAt(
        2, "the file says 'violet pass' in words, but the move is 'violet Yg8Bh8'"
    )


@pytest.mark.parametrize("kept", [1, 3, len(MOVES)])
def test_a_file_that_was_cut_off_between_lines_is_corrupt(kept: int) -> None:
    report = audit_file(read_record(b"".join(LINES[: kept + 1])))

    assert isinstance(report.verdict, CorruptAt)
    assert (report.verdict.sequence, report.good) == (kept, kept - 1)


def test_a_file_with_more_than_its_first_line_promises_is_corrupt() -> None:
    shorter = file_of(RECORD[:4]).splitlines(keepends=True)

    report = audit_file(read_record(b"".join((*shorter, *LINES[5:]))))

    assert isinstance(report.verdict, CorruptAt)


CHANGES: dict[str, tuple[object, ...]] = {
    "sequence": (9, -1),
    "kind": (2, 300, 2**70),
    "actor": (0, 2**20),
    "move": ("", "AAAA"),
    "events": ("", "AAAA"),
    "state": ("00" * 32,),
    "request": ("other", ""),
    "recorded": (5, 2**70),
    "previous": ("00" * 32, ""),
    "hash": ("00" * 32, ""),
}


@pytest.mark.parametrize("field", CHANGES)
def test_no_field_can_be_changed(field: str) -> None:
    for value in CHANGES[field]:
        try:
            report = audit_file(read_record(edited(4, **{field: value})))
        except UnreadableRecord as fault:
            assert fault.line == 4  # noqa: PT017 - either is right, and both are checked
        else:
            assert isinstance(report.verdict, CorruptAt)
            assert report.verdict.sequence == 2


def test_a_record_under_another_match_id_is_corrupt() -> None:
    report = audit_file(read_record(edited(1, match="other")))

    assert isinstance(report.verdict, CorruptAt)


def test_an_illegal_record_is_reported_with_its_rule() -> None:
    report = audit_file(read_record(file_of(forged(RECORD, 3, actor=1))))

    assert isinstance(report.verdict, IllegalAt)
    assert report.verdict.sequence == 3


def test_only_the_first_entries_can_be_judged() -> None:
    report = audit_file(read_record(FILE), upto=2)

    assert (report.verdict, report.entries, report.good) == (Verified(), 2, 2)


@pytest.mark.parametrize(
    ("data", "line", "why"),
    [
        (b"{", 1, "truncated"),
        (b"{}", 1, "missing required field `format`"),
        (edited(1, format="shiji-record/3"), 1, "does not read version 3 of record files"),
        (edited(1, "last", format="shiji-record/12", later=1), 1, "does not read version 12 of record files"),
        (edited(1, format="shiji-record/x"), 1, "does not read the format 'shiji-record/x'"),
        (edited(1, head="xyz"), 1, "non-hexadecimal"),
        (edited(1, match="../../etc"), 1, "'../../etc' is not the id of a match"),
        (edited(1, match=""), 1, "'' is not the id of a match"),
        (edited(1, more=1), 1, "unknown field `more`"),
        (LINES[0], 2, "expected the header entry"),
        (FILE[:-20], 7, "truncated"),
        (edited(3, "hash"), 3, "missing required field `hash`"),
        (edited(3, more=1), 3, "unknown field `more`"),
        (edited(3, sequence="1"), 3, "Expected `int`"),
        (edited(3, move="&"), 3, "base64"),
        (edited(3, hash="xyz"), 3, "non-hexadecimal"),
        (FILE + b"\n", 8, "truncated"),
        (FILE.replace(b"green", b"gr\xffen"), 3, "utf-8"),
        (FILE[:-2] + b',"told":' + b"[" * 100_000, 7, "recursion depth"),
    ],
)
def test_an_unreadable_file_is_refused_with_the_line(data: bytes, line: int, why: str) -> None:
    with pytest.raises(UnreadableRecord, match=re.escape(why)) as raised:
        read_record(data)

    assert raised.value.line == line


def test_a_record_file_is_known_by_its_first_character() -> None:
    assert is_record_file(FILE)
    assert is_record_file(b"\n " + FILE)
    assert not is_record_file(b'[Format "shiji/1"]')
    assert not is_record_file(b"")


def test_windows_line_ends_do_no_harm() -> None:
    assert audit_file(read_record(FILE.replace(b"\n", b"\r\n"))).verdict == Verified()


def test_a_damaged_record_is_described_as_far_as_it_can_be_read() -> None:
    damaged = forged(RECORD, 3, events=b"\xff")

    lines = [json.loads(line) for line in write_record(damaged)][1:]

    assert [line.get("text") for line in lines] == [None, *MOVES[:2], None, None, None]
    assert isinstance(audit_file(read_record(file_of(damaged))).verdict, CorruptAt)


def test_the_match_of_the_file_is_that_of_its_entries() -> None:
    record = read_record(file_of(played(with_header=header("map:R.."))))

    assert {entry.match for entry in record.entries} == {MatchId("match-1")}
