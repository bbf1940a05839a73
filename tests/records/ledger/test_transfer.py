"""Records from files into a log and back, on every engine."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from records.audit.transcript import IllegalMove
from records.codec.header import Retraction
from records.entry import Entry
from records.files.comments import entry_comments, placed_comments, readable_tags
from records.files.record_file import UnreadableRecord, write_record
from records.files.tags import write_header
from records.files.transcript import Transcript, UnreadableTranscript, read_transcript, write_transcript
from records.games.registry import find_game
from records.ledger.ledger import Ledger
from records.ledger.notices import judge_retract
from records.ledger.transfer import (
    ImportConflict,
    Imported,
    RejectedRecord,
    VerifiedImport,
    as_transcript,
    judge,
    store,
)
from records.log.contract import Log
from records.log.memory import MemoryLog
from records.replay.fold import CorruptRecord, open_record
from records.replay.guards import GuardRejected
from records.text import MAX_TAG_VALUE_CHARS
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified
from rules.great_wall.component_checks import check_file
from rules.great_wall.reference import REFERENCE
from rules.great_wall.rulebook import GREAT_WALL_1
from rules.kernel.actors import ARBITER
from rules.kernel.setup import Setup
from tests.records.matches import MOVES, Table, begin, forged, header, ledger_in_memory, played
from tests.records.test_golden import FOLDER
from tests.records.texts import text

ANNOTATED = """\
; before everything
[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"] ; the first
[Rulings "stuck=end"]
[Board "map:R.."]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "green"]
[Event "The \\"cup\\""]

; after a tag
; and again
1. green Rb1Rc1 ; at once
; it is over
"""


def incoming(data: bytes | str) -> VerifiedImport:
    judged = judge(data.encode() if isinstance(data, str) else data)
    assert isinstance(judged, VerifiedImport)
    return judged


def file_of(entries: Sequence[Entry]) -> bytes:
    return b"".join(write_record(entries))


def bring(log: Log, data: bytes | str) -> Imported | ImportConflict:
    (outcome,) = store(log, [incoming(data)])
    return outcome


class TestTranscripts:
    def test_a_transcript_becomes_a_match(self, ledger: Ledger) -> None:
        imported = bring(ledger.log, text(*MOVES, Event="Cup"))

        assert isinstance(imported, Imported)
        assert (imported.entries, imported.added) == (5, 6)
        assert ledger.audit(imported.match).verdict == Verified()
        imported_header = ledger.current(imported.match).header
        assert replace(imported_header, entry_version=2) == header(tags=(("Event", "Cup"),))

    def test_a_stated_result_is_not_taken_back(self, ledger: Ledger) -> None:
        imported = bring(ledger.log, ANNOTATED)
        assert isinstance(imported, Imported)

        with pytest.raises(GuardRejected, match="how the match ended"):
            judge_retract(ledger, imported.match, 1, "back", ARBITER, Retraction(0, "a slip"))

        assert ledger.audit(imported.match).verdict == Verified()

    def test_the_match_continues_like_any_other(self, ledger: Ledger) -> None:
        imported = bring(ledger.log, text(*MOVES[:3]))
        assert isinstance(imported, Imported)

        Table(ledger, imported.match, 3).play(*MOVES[3:])

        assert ledger.audit(imported.match).verdict == Verified()

    def test_the_same_transcript_is_one_match_whatever_its_line_ends(self, log: Log) -> None:
        first = bring(log, text(*MOVES))
        again = bring(log, text(*MOVES).replace("\n", "\r\n"))

        assert isinstance(first, Imported)
        assert again == Imported(first.match, 5, 0)
        assert len(list(log.matches())) == 1

    def test_even_in_one_write(self, log: Log) -> None:
        one, other = store(log, [incoming(text(*MOVES)), incoming(text(*MOVES))])

        assert isinstance(one, Imported)
        assert other == Imported(one.match, 5, 0)

    def test_a_longer_transcript_is_another_match(self, log: Log) -> None:
        bring(log, text(*MOVES[:3]))
        bring(log, text(*MOVES))

        assert len(list(log.matches())) == 2

    @pytest.mark.parametrize("path", sorted(FOLDER.glob("*.shiji")), ids=lambda path: path.stem)
    def test_what_goes_in_comes_out(self, path: Path) -> None:
        ledger = ledger_in_memory()
        original = read_transcript(path.read_text())

        imported = bring(ledger.log, path.read_bytes())

        assert isinstance(imported, Imported)
        assert as_transcript(list(ledger.read(imported.match))) == original

    def test_comments_come_out_where_they_were(self) -> None:
        assert write_transcript(as_transcript(incoming(ANNOTATED).entries)) == ANNOTATED

    def test_comments_among_the_tags_have_names_that_people_understand(self) -> None:
        tags = open_record(incoming(ANNOTATED).entries[0]).header.tags

        assert readable_tags(tags) == {
            "Event": 'The "cup"',
            "Result": "green",
            "comment before everything": "before everything",
            "comment on the tag Edition": "the first",
            "comment after the tag Event": "after a tag\nand again",
            "comment on entry 1": "at once",
            "comment after entry 1": "it is over",
        }
        assert not [name for name in readable_tags(tags, without=range(1, 2)) if "entry" in name]
        assert entry_comments(tags) == {1: "at once it is over"}

    def test_a_number_too_long_for_an_entry_is_no_entry(self) -> None:
        (found,) = placed_comments([(f";{'9' * 5000}", "far away")])

        assert (found.text, found.entry) == ("far away", None)

    def test_comments_on_what_was_taken_back_are_kept(self) -> None:
        ledger = ledger_in_memory()
        imported = bring(ledger.log, text("green Re8Re9", "violet Yg8Bh8 ; a slip", "green pass"))
        assert isinstance(imported, Imported)
        Table(ledger, imported.match, 3).go_back(1)

        written = write_transcript(as_transcript(list(ledger.read(imported.match))))

        assert '[Result "*"]\n\n; a slip\n1. green Re8Re9\n' in written

    def test_a_stated_result_is_audited(self, ledger: Ledger) -> None:
        imported = bring(ledger.log, text("green Rb1Rc1", Board="map:R..", Result="green"))
        assert isinstance(imported, Imported)

        assert ("Result", "green") in ledger.current(imported.match).header.tags
        assert ledger.audit(imported.match).verdict == Verified()

    @pytest.mark.parametrize(
        ("data", "verdict", "entries"),
        [
            (text("green Re8Re9", "green pass"), IllegalAt, 2),
            (text("green Re8Re9", Result="green"), DivergedAt, 1),
        ],
    )
    def test_a_bad_one_is_not_stored(self, data: str, verdict: type[object], entries: int) -> None:
        judged = judge(data.encode())

        assert isinstance(judged, RejectedRecord)
        assert isinstance(judged.verdict, verdict)
        assert judged.entries == entries

    def test_an_unreadable_one_says_where(self) -> None:
        with pytest.raises(UnreadableTranscript, match="line 10, column 10"):
            judge(text("green Ge8Re9").encode())


class TestRecordFiles:
    def test_a_record_keeps_its_id_its_sequence_and_its_hashes(self, ledger: Ledger) -> None:
        record = played(*MOVES)
        begin(ledger, request="elsewhere").play(*MOVES[:2])

        imported = bring(ledger.log, file_of(record))

        stored = list(ledger.read(record[0].match))
        assert imported == Imported(record[0].match, 5, 6)
        assert [entry.hash for entry in stored] == [entry.hash for entry in record]
        assert [entry.position for entry in stored] == [4, 5, 6, 7, 8, 9]
        assert ledger.audit(record[0].match).verdict == Verified()

    def test_retractions_are_kept(self, ledger: Ledger) -> None:
        table = begin(ledger_in_memory())
        table.play(*MOVES[:3])
        table.go_back(1)
        table.play(MOVES[1])

        bring(ledger.log, file_of(table.entries))

        assert ledger.state_at(table.match) == table.ledger.state_at(table.match)

    def test_the_same_record_is_recognised(self, log: Log) -> None:
        record = played(*MOVES)
        bring(log, file_of(record))

        assert bring(log, file_of(record)) == Imported(record[0].match, 5, 0)
        assert bring(log, file_of(record[:3])) == Imported(record[0].match, 2, 0)
        assert log.last_position() == 6

    def test_a_longer_record_adds_its_new_entries(self, ledger: Ledger) -> None:
        record = played(*MOVES)
        bring(ledger.log, file_of(record[:3]))

        imported = bring(ledger.log, file_of(record))

        assert imported == Imported(record[0].match, 5, 3)
        assert ledger.audit(record[0].match).verdict == Verified()

    def test_another_record_under_the_same_id_is_refused(self, log: Log) -> None:
        record, other = played(*MOVES), played(*MOVES[:2], "green pass")
        bring(log, file_of(record))

        refused = bring(log, file_of(other))

        assert refused == ImportConflict(
            record[0].match, "the archive has another record of this match: they differ from entry 3 on"
        )
        assert log.last_position() == 6

    def test_another_match_with_the_same_request_is_refused(self, log: Log) -> None:
        record = played(*MOVES)
        Ledger(log).start(header("map:R.."), record[0].request)

        assert isinstance(bring(log, file_of(record)), ImportConflict)

    def test_a_forged_one_is_not_stored(self) -> None:
        illegal = judge(file_of(forged(played(*MOVES), 3, actor=1)))
        cut_off = judge(b"".join(list(write_record(played(*MOVES)))[:-1]))

        assert isinstance(illegal, RejectedRecord)
        assert isinstance(illegal.verdict, IllegalAt)
        assert isinstance(cut_off, RejectedRecord)
        assert isinstance(cut_off.verdict, CorruptAt)

    def test_an_unreadable_one_says_where(self) -> None:
        with pytest.raises(UnreadableRecord, match="line 1"):
            judge(b'{"format": 1}')


def test_several_records_are_stored_in_their_order(log: Log) -> None:
    texts = [text(*MOVES, Event=str(number)) for number in range(7)]

    outcomes = store(log, [*map(incoming, texts)])

    assert [outcome.match for outcome in outcomes] == list(log.matches())
    assert log.last_position() == 42


def test_a_damaged_record_is_no_transcript() -> None:
    record = played(*MOVES)

    with pytest.raises(IllegalMove):
        as_transcript(forged(record, 3, actor=1))
    with pytest.raises(CorruptRecord):
        as_transcript(record[1:])


def test_a_record_exported_and_imported_elsewhere_is_the_same() -> None:
    record = played(*MOVES)
    elsewhere = MemoryLog()

    bring(elsewhere, file_of(record))

    assert file_of(list(elsewhere.read(record[0].match))) == file_of(record)


def test_a_match_on_an_own_set_in_full_is_imported_though_no_other_tag_may_be_so_long() -> None:
    own = REFERENCE.replace('set_id = "great-wall-reference-0"', 'set_id = "mine"')
    setup = Setup(GREAT_WALL_1, ("green", "blue", "red"), check_file(own).tag)
    transcript = Transcript(write_header(find_game("great-wall"), setup))

    assert len(setup.components) > MAX_TAG_VALUE_CHARS
    assert isinstance(judge(write_transcript(transcript).encode()), VerifiedImport)
