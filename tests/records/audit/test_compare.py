"""Two records of one match."""

import pytest
from msgspec import structs

from records.audit.compare import Branch, Setting, compare, written
from records.audit.record import audit_record
from records.audit.transcript import verify_entries
from records.entry import Entry, MatchId, with_hash
from records.files.tags import read_header
from rules.kernel.actors import SPECTATOR
from tests.records.matches import MOVES, begin, forged, header, ledger_in_memory, played
from tests.records.replay.test_sealed_draws import record as sealed_record
from tests.records.replay.test_sealed_draws import shown
from tests.records.texts import transcript


def branch(*moves: str, **tags: str) -> Branch:
    parsed = transcript(*moves, **tags)
    opening = read_header(parsed)
    report = verify_entries(opening, parsed.entries)
    return Branch(report, texts=written(opening.start, parsed.entries))


def stored(entries: list[Entry]) -> Branch:
    return Branch(audit_record(entries[0].match, entries), tuple(entries))


def test_equal_records_are_the_same() -> None:
    compared = compare(branch(*MOVES), branch(*MOVES, Event="Cup"))

    assert (compared.settings, compared.common, compared.one, compared.other) == ((), 5, None, None)
    assert compared.same
    assert not compared.contradict


def test_either_half_may_come_first() -> None:
    assert compare(branch("green Re8Be9"), branch("green Be9Re8")).same


@pytest.mark.parametrize("turned", [False, True])
def test_a_record_that_continues_another_does_not_contradict_it(*, turned: bool) -> None:
    shorter, longer = branch(*MOVES[:3]), branch(*MOVES)

    compared = compare(longer, shorter) if turned else compare(shorter, longer)

    assert (compared.common, {compared.one, compared.other}) == (3, {None, MOVES[3]})
    assert not compared.same
    assert not compared.contradict


def test_the_first_difference_of_two_records_is_reported() -> None:
    compared = compare(branch(*MOVES[:2], "green pass"), branch(*MOVES[:4]))

    assert (compared.common, compared.one, compared.other) == (2, "green pass", MOVES[2])
    assert compared.contradict


def test_entries_after_an_illegal_one_are_compared_unchanged() -> None:
    one = branch("green Re8Re9", "green pass", "green Be9Re8")
    other = branch("green Re8Re9", "green pass", "green Re8Be9")

    assert compare(one, other).common == 2
    assert compare(one, one).same


def test_matches_with_different_setups_contradict_each_other() -> None:
    one = branch(*MOVES)
    other = branch(*MOVES, Rulings="stuck=end", Board="bird", Draws="unrecorded")

    compared = compare(one, other)

    assert compared.settings == (Setting("rulings", "", "stuck=end"),)
    assert compared.common == 5
    assert compared.contradict


def test_stored_records_are_compared_by_their_hashes_from_the_header_on() -> None:
    one, other = stored(played(*MOVES)), stored(played(*MOVES[:2], "green pass"))

    compared = compare(one, other)

    assert (compared.identical, compared.common) == (3, 2)
    assert (compared.one, compared.other) == (MOVES[2], "green pass")
    assert compare(one, one).identical == len(MOVES) + 1


def test_two_records_of_one_match_with_other_hashes_contradict_each_other() -> None:
    record = played(*MOVES)

    compared = compare(stored(record), stored(forged(record, 0, recorded=5)))

    assert (compared.identical, compared.common) == (0, 5)
    assert compared.header == ("recorded", "hash")
    assert compared.contradict


def test_the_same_moves_recorded_as_another_match_are_the_same() -> None:
    record = played(*MOVES)
    other: list[Entry] = []
    for entry in record:
        previous = other[-1].hash if other else entry.previous
        other.append(with_hash(structs.replace(entry, match=MatchId("other"), previous=previous)))

    compared = compare(stored(record), stored(other))

    assert (compared.identical, compared.common) == (0, 5)
    assert compared.same


@pytest.mark.parametrize("field", ["events", "state", "recorded", "request", "signature"])
@pytest.mark.parametrize("rehashed", [False, True])
def test_a_record_and_its_forgery_never_agree(field: str, *, rehashed: bool) -> None:
    record = played(*MOVES)
    false = {"events": b"", "state": bytes(32), "recorded": 5, "request": "false", "signature": b"s"}[field]
    other = forged(record, 3, **{field: false})
    if not rehashed:
        other = [*record[:3], structs.replace(record[3], **{field: false}), *record[4:]]

    compared = compare(stored(record), stored(other))

    assert compared.contradict
    assert (compared.common, compared.identical) == (2, 3)
    assert field in compared.fields


def test_two_secrets_of_one_draw_contradict_each_other() -> None:
    entries = list(sealed_record())
    place = next(place for place, entry in enumerate(entries) if entry.secret)
    false = structs.replace(entries[place], secret=entries[place].secret + b"\0")

    compared = compare(stored(entries), stored([*entries[:place], false, *entries[place + 1 :]]))

    assert compared.contradict
    assert (compared.identical, compared.fields) == (place, ("secret",))


def test_a_draw_that_only_one_record_shows_is_no_difference() -> None:
    entries = sealed_record()

    compared = compare(stored(list(entries)), stored(shown(entries, SPECTATOR)))

    assert compared.same
    assert (compared.identical, compared.common) == (len(entries), len(entries) - 1)


def test_a_transcript_is_compared_with_the_moves_that_were_not_taken_back() -> None:
    table = begin(ledger_in_memory())
    table.play(*MOVES[:3])
    table.go_back(1)
    table.play("violet Yg8Yh8")
    table.go_back(3)
    table.play(MOVES[3])

    compared = compare(stored(table.entries), branch(*MOVES))

    assert compared.compared == ((1, 2, 3, 7), (1, 2, 3, 4, 5))
    assert (compared.identical, compared.common, compared.one, compared.other) == (0, 4, None, MOVES[4])
    assert compare(stored(table.entries), stored(played(*MOVES))).common == 3


def test_a_record_whose_header_cannot_be_read_is_compared_by_its_hashes() -> None:
    record = played(*MOVES, with_header=header())
    unreadable = forged(record, 0, move=b"\xff")

    assert compare(stored(unreadable), stored(record)).identical == 0
    assert compare(stored(unreadable), stored(unreadable)).identical == len(record)
