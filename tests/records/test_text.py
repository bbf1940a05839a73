"""Text that enters a record cannot steer a terminal; what is in one already is shown escaped."""

import pickle
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.audit.record import audit_record
from records.codec.evidence import (
    Dispute,
    Resolution,
    TakebackRequest,
    encode_commitment,
    encode_dispute,
    encode_request,
    encode_resolution,
    encode_secret,
)
from records.codec.header import Retraction, encode_header
from records.entry import Entry, EntryKind, Personal, with_hash
from records.evidence.personal_commitment import Fact
from records.evidence.sealing import commit_share
from records.files.record_file import UnreadableRecord, write_record
from records.files.transcript import UnreadableTranscript
from records.ledger.builder import Notice
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, retract
from records.ledger.results import BadRequestId
from records.ledger.transfer import VerifiedImport, judge
from records.log.memory import MemoryLog
from records.log.people import MemoryRegister
from records.replay.entry_text import check_header, entry_text_fault
from records.replay.guards import GuardRejected
from records.text import (
    MAX_PERSONAL_VALUE_CHARS,
    MAX_REQUEST_ID_CHARS,
    MAX_STATEMENT_CHARS,
    MAX_TAG_VALUE_CHARS,
    BadText,
    check_text,
    escaped,
    text_fault,
)
from records.verdict import CorruptAt, Verified
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from tests.records.matches import MOVES, begin, header
from tests.records.replay.test_sealed_draws import MATCH, book, sealed
from tests.tools.running import run

STEERING = [
    "\a",
    "\x1b",
    "\n",
    "\t",
    "\x7f",
    "\x9b",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u061c",
]
BIDI_CONTROLS = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


@given(st.characters())
def test_exactly_controls_line_separators_and_direction_controls_are_refused(character: str) -> None:
    refused = unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"} or ord(character) in BIDI_CONTROLS

    assert (text_fault(character, 1) is not None) == refused
    assert (escaped(character) != character) == refused


@given(st.text(st.characters() | st.sampled_from(STEERING)))
def test_escaped_text_can_be_stored_and_is_escaped_once(text: str) -> None:
    shown = escaped(text)

    assert text_fault(shown, len(shown)) is None
    assert escaped(shown) == shown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ring \a", "character 6 is U+0007, a control character: leave it out"),
        ("\u202eevil", "character 1 is U+202E, a control of the direction of text: leave it out"),
        ("a\u2028b", "character 2 is U+2028, a line separator: leave it out"),
        ("\ud800", "character 1 is U+D800, no character that UTF-8 can write: leave it out"),
        ("", "it has 1 to 10 characters, not 0"),
        ("x" * 11, "it has 1 to 10 characters, not 11"),
    ],
)
def test_a_refused_text_is_reported_with_its_place(text: str, why: str) -> None:
    with pytest.raises(BadText) as raised:
        check_text("claim", text, 10, least=1)

    assert str(raised.value) == f"claim: {why}"
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # noqa: S301 - our own


def test_names_of_people_in_any_script_may_be_stored() -> None:
    for name in ("司馬遷", "Søren", "עברית", "क्ष", "👩‍👩‍👧", 'O\'Brien; "Bob" \\o/'):
        assert text_fault(name, MAX_PERSONAL_VALUE_CHARS) is None
        assert escaped(name) == name


def notices(text: str) -> list[Notice]:
    return [
        Notice(EntryKind.OPEN_DISPUTE, Seat(0), encode_dispute(Dispute(1, text))),
        Notice(EntryKind.RESOLVE_DISPUTE, ARBITER, encode_resolution(Resolution(3, text))),
        Notice(EntryKind.REQUEST_TAKEBACK, Seat(1), encode_request(TakebackRequest(1, text))),
    ]


@pytest.mark.parametrize(
    "text", [*(f"a{steering}b" for steering in STEERING), "x" * (MAX_STATEMENT_CHARS + 1)]
)
def test_nobody_can_state_such_text_in_a_record(text: str) -> None:
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES[:2])
    ledger, last = table.ledger, len(table.entries) - 1

    for notice in notices(text):
        with pytest.raises(BadText):
            add_notice(ledger, table.match, last, "n", notice)
    with pytest.raises(BadText, match="reason"):
        retract(ledger, table.match, last, "r", ARBITER, Retraction(1, text))
    with pytest.raises(BadRequestId):
        retract(ledger, table.match, last, text, ARBITER, Retraction(1, "a slip"))
    assert len(table.entries) == last + 1


@pytest.mark.parametrize("steering", STEERING)
def test_no_header_and_no_register_takes_such_text(steering: str) -> None:
    plain, bad = header(), f"a{steering}b"
    headers = [
        replace(plain, tags=(("Event", bad),)),
        replace(plain, tags=((bad, "x"),)),
        replace(plain, setup=replace(plain.setup, seats=("green", bad))),
        replace(plain, setup=replace(plain.setup, components=bad)),
        replace(plain, setup=replace(plain.setup, rulings=((bad, "x"),))),
        replace(plain, people=(Personal(0, bad, bytes(32)),)),
    ]

    check_header(plain)
    for changed in headers:
        with pytest.raises(BadText):
            check_header(changed)
    for fact in (Fact(bad, "name", "x"), Fact("p", bad, "x"), Fact("p", "name", bad), Fact("p", "name", "")):
        with pytest.raises(BadText, match=r"people\[1\]"):
            MemoryRegister().remember([Fact("p", "name", "Anna"), fact])


def test_a_tag_with_an_override_of_direction_begins_no_match() -> None:
    with pytest.raises(BadText, match=r"tags\[0\]\.value: character 1 is U\+202E"):
        Ledger(MemoryLog()).start(replace(header(), tags=(("Event", "\u202eevil"),)), "start")


def disputed(claim: str) -> list[Entry]:
    """A record from before text was checked: a sound one with a claim that nobody could state now."""
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES[:2])
    add_notice(table.ledger, table.match, len(table.entries) - 1, "n", notices("something")[0])
    *before, last = table.entries
    return [*before, with_hash(structs.replace(last, move=encode_dispute(Dispute(1, claim))))]


@pytest.mark.parametrize("claim", ["ring \a\x1b]0;owned\a", "a\u202eb", "two; parts", " blanks ", "a\nb", ""])
def test_an_old_record_with_such_text_verifies_and_is_shown_escaped(claim: str, tmp_path: Path) -> None:
    entries = disputed(claim)
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"".join(write_record(entries)))

    assert audit_record(entries[0].match, entries).verdict == Verified()
    for command in (("verify", file), ("show", file), ("diff", file, file), ("replay", file)):
        result = run(*command)

        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert escaped(result.stdout.replace("\n", "")) == result.stdout.replace("\n", "")
    assert escaped(claim).strip() in run("show", file).stdout
    assert run("verify", file).exit_code == 0


def test_a_tag_of_an_old_record_is_shown_escaped(tmp_path: Path) -> None:
    (first,) = begin(Ledger(MemoryLog())).entries
    changed = replace(header(), tags=(("Event", "a\u202eb"),))
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"".join(write_record([with_hash(structs.replace(first, move=encode_header(changed)))])))

    shown = run("verify", file)
    assert shown.exit_code == 0
    assert r"a\u202eb" in shown.stdout
    assert "\u202e" not in shown.stdout


def test_a_key_that_no_record_file_has_is_shown_escaped(tmp_path: Path) -> None:
    lines = b"".join(write_record(disputed("x"))).splitlines(keepends=True)
    lines[1] = lines[1].replace(b"{", '{"a\u202eb": 1, '.encode(), 1)
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"".join(lines))

    shown = run("verify", file)
    assert shown.exit_code == 2
    assert "\u202e" not in shown.output
    assert r"a\u202eb" in shown.output


@pytest.mark.parametrize("claim", ["ring \a", "a\u202eb"])
def test_such_a_record_is_not_imported_and_the_line_is_named(claim: str) -> None:
    data = b"".join(write_record(disputed(claim)))

    with pytest.raises(UnreadableRecord, match=r"line 5: claim: character"):
        judge(data)
    assert isinstance(judge(b"".join(write_record(disputed("two; parts")))), VerifiedImport)


def test_request_ids_of_an_imported_record_are_checked_too() -> None:
    entry = begin(Ledger(MemoryLog())).entries[0]
    derived = "x" * MAX_REQUEST_ID_CHARS + "/12"

    assert entry_text_fault(structs.replace(entry, request=derived)) is None
    for request in ("a\x1bb", "x" * (MAX_REQUEST_ID_CHARS + 100)):
        assert entry_text_fault(structs.replace(entry, request=request)) is not None
    assert entry_text_fault(structs.replace(entry, move=b"\xff")) is None  # for the audit to report


TRANSCRIPT = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Board "bird"]
[Seats "green violet"]
[Event "{event}"]
; {line}

1. green Re8Re9 ; {comment}
"""


@pytest.mark.parametrize(
    ("tags", "place"),
    [
        ({"event": "\u202eevil"}, r"line 6, column 1: character 1 is U\+202E"),
        ({"comment": "a\u2028b"}, r"line 9, column 4: character 2 is U\+2028"),
        ({"line": "a\u202eb"}, r"tags\[1\]\.value: character 2 is U\+202E"),
        ({"event": "x" * (MAX_TAG_VALUE_CHARS + 1)}, "line 6, column 1: it has at most 16384"),
    ],
)
def test_a_transcript_with_such_text_is_not_imported(tags: dict[str, str], place: str) -> None:
    plain = {"event": "x", "line": "x", "comment": "x"}

    assert isinstance(judge(TRANSCRIPT.format(**plain).encode()), VerifiedImport)
    with pytest.raises(UnreadableTranscript, match=place):
        judge(TRANSCRIPT.format(**plain | tags).encode())


@pytest.mark.parametrize("actor", [Seat(2), Seat(500), Seat(32_767), Seat(32_768), Seat(2**31), CHANCE])
def test_only_seats_of_the_match_and_the_arbiter_dispute(actor: Actor) -> None:
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES[:2])

    with pytest.raises(GuardRejected, match=r"there is no seat|only a seat or the arbiter makes a dispute"):
        add_notice(
            table.ledger,
            table.match,
            2,
            "n",
            Notice(EntryKind.OPEN_DISPUTE, actor, encode_dispute(Dispute(1, "x"))),
        )


@pytest.mark.parametrize("kind", [EntryKind.UNSEAL, EntryKind.OPEN_DISPUTE])
def test_a_record_with_an_entry_by_a_seat_that_is_not_there_is_corrupt(kind: EntryKind) -> None:
    entries = disputed("x")
    move = encode_secret(bytes(32)) if kind is EntryKind.UNSEAL else entries[-1].move
    forged = with_hash(structs.replace(entries[-1], actor=500, kind=kind, move=move))
    verdict = audit_record(forged.match, [*entries[:-1], forged]).verdict

    assert isinstance(verdict, CorruptAt)
    assert verdict.sequence == 3


def test_a_commitment_that_no_share_can_open_is_refused() -> None:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(sealed(sharers=(0, 1)), "start")
    first = commit_share(MATCH, 0, b"g" * 32)
    pledge = ledger.current(MATCH).header.pledge
    add_notice(ledger, MATCH, 0, "0", Notice(EntryKind.COMMIT_SHARE, Seat(0), encode_commitment(first)))

    for commitment in (first, pledge, bytes(32), bytes(31), b""):
        with pytest.raises(GuardRejected):
            add_notice(
                ledger, MATCH, 1, "1", Notice(EntryKind.COMMIT_SHARE, Seat(1), encode_commitment(commitment))
            )
    mine = commit_share(MATCH, 1, b"v" * 32)
    add_notice(ledger, MATCH, 1, "1", Notice(EntryKind.COMMIT_SHARE, Seat(1), encode_commitment(mine)))
    assert ledger.current(MATCH).sequence == 2
