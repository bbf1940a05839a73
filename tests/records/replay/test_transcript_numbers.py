"""The numbers of entries in a record and in its transcript, which leaves out what does not stand."""

import pytest

from records.audit.branches import read_branch
from records.audit.compare import compare
from records.files.record_file import write_record
from records.files.transcript import read_transcript, write_transcript
from records.ledger.transfer import as_transcript
from records.replay.fold import BadRecord
from records.replay.transcript_numbers import number_words, shifts, transcript_numbers
from tests.records.matches import MOVES, begin, ledger_in_memory, played
from tests.records.matches import Table as PlainTable
from tests.rules.kit.goofspiel_records import DEALT, Table, register


def corrected() -> PlainTable:
    """A match with a move, entry 3, that was taken back by entry 4."""
    table = begin(ledger_in_memory())
    table.play(*MOVES[:2], "green pass")
    table.go_back(2)
    table.play(*MOVES[2:])
    return table


def test_a_record_without_takebacks_and_notices_is_numbered_like_its_transcript() -> None:
    entries = played(*MOVES)
    numbers = transcript_numbers(entries)

    assert [list(each) for each in numbers.values()] == [[1], [2], [3], [4], [5]]
    assert shifts(numbers) == []
    assert ";" not in write_transcript(as_transcript(entries))


def test_after_a_takeback_both_numbers_are_known_and_the_transcript_says_where_they_part() -> None:
    table = corrected()
    numbers = transcript_numbers(table.entries)
    lines = write_transcript(as_transcript(table.entries)).splitlines()

    words = [number_words(numbers.get(sequence), sequence) for sequence in range(1, 8)]
    assert words == [
        "",
        "",
        "not in the transcript",
        "not in the transcript",
        *(f"{number} in the transcript" for number in (3, 4, 5)),
    ]
    assert shifts(numbers) == [5]
    match = table.entries[0].match
    assert lines[-4:] == [
        f"3. {MOVES[2]} ; entry 5 of match {match}",
        f"4. {MOVES[3]}",
        f"5. {MOVES[4]}",
        f"; match {match} has 7 entries: a transcript leaves out takebacks, notices and seals",
    ]


def test_a_takeback_that_a_forger_moved_before_its_goal_is_corrupt_and_stops_no_reader() -> None:
    header, first, _second, _third, back, *_rest = corrected().entries

    with pytest.raises(BadRecord, match="goes back to entry 2, which is not earlier"):
        transcript_numbers([header, first, back])


def test_choices_that_are_revealed_together_are_several_entries_of_a_transcript(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    register(monkeypatch)
    table = Table()
    table.play("green bid 1", "blue bid 2", "red bid 2")
    entries = table.entries
    numbers = transcript_numbers(entries)
    reveal = entries[-1].sequence

    assert numbers[reveal] == range(DEALT + 1, DEALT + 4)
    assert number_words(numbers[reveal], reveal) == "14 to 16 in the transcript"
    assert number_words(numbers.get(DEALT + 1), DEALT + 1) == "not in the transcript"


def test_a_record_with_sealed_choices_is_the_same_as_its_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    table = Table()
    table.play("green bid 1", "blue bid 2", "red bid 2")
    record = read_branch(b"".join(write_record(table.entries)))
    text = write_transcript(as_transcript(table.entries))
    compared = compare(record, read_branch(text.encode()))

    assert read_transcript(text).entries[DEALT].text == "green bid 1"
    assert compared.same
    assert (compared.common, compared.agreed) == (DEALT + 3, (DEALT + 4, DEALT + 3))
