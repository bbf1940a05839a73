"""What every engine guarantees."""

import threading
import time
from itertools import islice

import pytest
from msgspec import structs

from records.entry import Entry, EntryKind, MatchId, entry_hash, with_hash
from records.evidence.concealment import VIEW, Commitment, format_concealed
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.log.contract import (
    NEW,
    Append,
    BadAppend,
    Head,
    Log,
    LogUnavailable,
    RequestReused,
    SequenceTaken,
)
from records.log.listing import MatchListing
from records.log.tree import signed_checkpoint
from tests.records.log.making import NOON, RecordWriter, entry, only, refusal, whole

M = MatchId("m")


def test_an_empty_log_has_nothing(log: Log) -> None:
    assert whole(log) == {}
    assert log.head(M) is None
    assert list(log.read(M)) == []
    assert log.requested(M, "r") is None


def test_entries_come_back_as_they_were_given_with_their_positions(log: Log) -> None:
    writer = RecordWriter("m")
    given = writer.next(3)

    stored = only(log.write([given]))

    assert stored == tuple(
        structs.replace(entry, position=n) for n, entry in enumerate(given.entries, start=1)
    )
    assert list(log.read(M)) == list(stored)
    assert log.head(M) == Head(2, given.entries[2].hash)


def test_text_and_bytes_of_any_kind_come_back_unchanged(log: Log) -> None:
    header = only(log.write([Append(MatchId("史記 🀄"), NEW, (entry("史記 🀄", 0, request="é\n\0'"),))]))[0]
    odd = with_hash(
        Entry(
            match=header.match,
            sequence=1,
            kind=255,
            actor=-32768,
            move=bytes(range(256)),
            events=b"\0" * 70_000,
            state=b"",
            request="",
            recorded=-1,
            previous=header.hash,
        )
    )

    log.write([Append(header.match, 0, (odd,))])

    assert list(log.read(header.match)) == [header, structs.replace(odd, position=2)]
    assert log.requested(header.match, "é\n\0'") == header
    assert log.requested(header.match, "") == structs.replace(odd, position=2)


def test_the_archive_is_all_matches_in_the_order_of_writing(log: Log) -> None:
    one, other = RecordWriter("one"), RecordWriter("other")
    written = [*one.write(log, 2), *other.write(log), *one.write(log), *other.write(log, 3)]

    assert list(log.archive()) == written
    assert [stored.position for stored in written] == [1, 2, 3, 4, 5, 6, 7]
    assert list(log.archive(after=2, limit=3)) == written[2:5]
    assert list(log.archive(after=6)) == written[6:]
    assert list(log.archive(after=7)) == list(log.archive(after=99)) == list(log.archive(limit=0)) == []
    assert log.last_position() == 7


def test_hashes_are_those_of_the_entries_in_the_archive(log: Log) -> None:
    one, other = RecordWriter("one"), RecordWriter("other")
    written = [*one.write(log, 2), *other.write(log), *one.write(log), *other.write(log, 3)]
    hashes = [stored.hash for stored in written]

    assert list(log.hashes()) == hashes
    assert list(log.hashes(after=2, limit=3)) == hashes[2:5]
    assert list(log.hashes(after=7)) == list(log.hashes(after=99)) == list(log.hashes(limit=0)) == []


def test_a_match_is_read_from_any_sequence(log: Log) -> None:
    written = RecordWriter("m").write(log, 9)

    assert list(log.read(M, start=4)) == list(written[4:])
    assert list(log.read(M, start=4, limit=2)) == list(written[4:6])
    assert list(log.read(M, start=9)) == list(log.read(M, limit=0)) == []


def test_reading_shows_the_log_as_it_was_at_the_call(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log, 2500)
    reading, archive = log.read(M), log.archive()
    some = [*islice(reading, 10)], [*islice(archive, 10)]
    writer.write(log, 10)

    assert len(some[0]) + len([*reading]) == 2500
    assert len(some[1]) + len([*archive]) == 2500
    assert len([*log.read(M)]) == 2510


def test_a_listing_has_the_facts_of_the_headers_in_the_order_of_beginning(log: Log) -> None:
    for name in ("b", "a", "c"):
        RecordWriter(name).write(log, 2)

    assert list(log.listing(limit=1)) == [
        MatchListing(1, MatchId("b"), "qin", "qin/1", ("green", "violet"), NOON)
    ]
    assert [(row.number, row.match) for row in log.listing(after=1)] == [(2, "a"), (3, "c")]
    assert list(log.listing(after=3)) == []
    assert list(log.matches()) == ["b", "a", "c"]


def test_matches_are_found_by_positions_and_by_the_beginning_of_their_ids(log: Log) -> None:
    writers = [RecordWriter(name) for name in ("b1", "a", "b0", "B")]
    for writer in writers:
        writer.write(log, 2)
    writers[0].write(log, 1)

    assert [row.match for row in log.touched(0, 9)] == ["b1", "a", "b0", "B"]
    assert [row.match for row in log.touched(3, 5)] == ["a", "b0"]
    assert [row.number for row in log.touched(7, 100)] == [1, 4]
    assert list(log.touched(9, 100)) == []
    assert [(row.match, row.number) for row in log.named("b", 5)] == [("b0", 3), ("b1", 1)]
    assert [row.match for row in log.named("b", 1)] == ["b0"]
    assert [row.match for row in log.named("", 5)] == ["B", "a", "b0", "b1"]
    assert [*log.named("b%", 5), *log.named("c", 5), *log.named("\ud800", 5)] == []


def test_what_is_concealed_is_kept_and_hashed(log: Log) -> None:
    concealed = format_concealed([Commitment(VIEW, 2, bytes(range(32)))])
    first = entry("m", 0, concealed=format_concealed(()))
    drawn = entry("m", 1, first.hash, concealed=concealed)
    stored = only(log.write([Append(M, NEW, (first, drawn))]))

    assert [kept.concealed for kept in stored] == [b"\x02", concealed]
    assert whole(log) == {M: list(stored)}
    assert entry_hash(structs.replace(drawn, concealed=b"\x02")) != drawn.hash


def test_a_copy_is_listed_as_one(log: Log) -> None:
    for name in ("original", "copied"):
        append = RecordWriter(name).next(2)
        only(log.write([structs.replace(append, copy=name == "copied")]))
    assert [(listing.match, listing.copy) for listing in log.listing()] == [
        ("original", False),
        ("copied", True),
    ]

    writer = RecordWriter("copied")
    writer.done(Append(writer.match, NEW, tuple(log.read(writer.match))))
    writer.write(log)
    assert [listing.copy for listing in log.listing()] == [False, True]
    copies = [log.is_copy(MatchId(name)) for name in ("original", "copied", "neither", "\ud800")]
    assert copies == [False, True, False, False]


def test_a_header_that_this_build_cannot_read_is_kept_and_listed(log: Log) -> None:
    RecordWriter("m").write(log, move=b"\xff from the future")

    assert list(log.listing()) == [MatchListing(1, M, "", "", (), NOON)]
    assert next(log.read(M)).move == b"\xff from the future"


@pytest.mark.parametrize("expected", [0, 1, 3, 7])
def test_only_the_sequence_after_the_last_is_free(log: Log, expected: int) -> None:
    writer = RecordWriter("m")
    writer.write(log, 3)
    late = Append(M, expected, (entry("m", expected + 1, writer.hash, request="late"),))

    taken = refusal(log.write([late]))

    assert isinstance(taken, SequenceTaken)
    assert (taken.match, taken.actual) == ("m", 2)
    assert "last entry of match m is 2" in str(taken)
    assert len(whole(log)[M]) == 3


def test_a_match_begins_with_its_header(log: Log) -> None:
    taken = refusal(log.write([Append(M, 0, (entry("m", 1),))]))

    assert isinstance(taken, SequenceTaken)
    assert taken.actual == NEW
    assert "no match m" in str(taken)


def test_a_match_begins_once(log: Log) -> None:
    RecordWriter("m").write(log, 2)

    taken = refusal(log.write([RecordWriter("m").next(request="another")]))

    assert isinstance(taken, SequenceTaken)
    assert taken.actual == 1


def test_a_repeat_is_answered_with_the_first_entry(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    append = writer.next(request="r")
    first = only(log.write([append]))
    writer.done(append)
    writer.write(log, 2)

    assert only(log.write([append])) == first
    assert len(whole(log)[M]) == 4


def test_a_repeat_that_was_chained_anew_is_still_a_repeat(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    first = writer.write(log, request="r", move=b"pass")
    writer.write(log)

    assert only(log.write([writer.next(request="r", move=b"pass")])) == first
    assert len(whole(log)[M]) == 3


def test_a_repeat_of_several_is_answered_with_all_of_them(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    append = writer.next(3)
    first = only(log.write([append]))

    assert only(log.write([append])) == first
    assert only(log.write([Append(M, 0, append.entries[:1])])) == first[:1]


def test_a_repeated_start_is_answered_with_the_first_match(log: Log) -> None:
    first = RecordWriter("m").write(log, request="start")

    assert only(log.write([RecordWriter("another").next(request="start")])) == first
    assert list(log.matches()) == ["m"]


def test_of_two_starts_with_one_request_the_first_of_a_write_is_stored_whatever_their_names(log: Log) -> None:
    one, other = log.write([RecordWriter("n").next(request="start"), RecordWriter("m").next(request="start")])

    assert one == other
    assert list(log.matches()) == ["n"]


@pytest.mark.parametrize("change", ["move", "actor", "kind"])
def test_a_request_id_is_not_used_for_something_else(log: Log, change: str) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    first = writer.write(log, request="r")[0]
    other = writer.next(request="r").entries[0]
    changes = {"move": b"other", "actor": 1, "kind": EntryKind.RETRACT}
    changed = structs.replace(structs.replace(other, move=first.move), **{change: changes[change]})

    reused = refusal(log.write([Append(M, 1, (with_hash(changed),))]))

    assert isinstance(reused, RequestReused)
    assert reused.first == first
    assert len(whole(log)[M]) == 2


def test_a_repeat_with_more_entries_than_the_first_time_is_none(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    append = writer.next(2)
    first = only(log.write([Append(M, 0, append.entries[:1])]))

    reused = refusal(log.write([append]))

    assert isinstance(reused, RequestReused)
    assert reused.first == first[0]


def test_a_request_id_known_from_a_later_entry_is_refused_and_nothing_of_the_append_is_stored(
    log: Log,
) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    used = writer.write(log, request="fresh+")[0]

    reused = refusal(log.write([writer.next(2, request="fresh")]))

    assert isinstance(reused, RequestReused)
    assert reused.first == used
    assert len(whole(log)[M]) == 2


def test_the_request_id_of_a_header_is_not_used_for_another_header(log: Log) -> None:
    first = RecordWriter("m").write(log, request="start")[0]

    reused = refusal(log.write([RecordWriter("n").next(request="start", move=b"another header")]))

    assert isinstance(reused, RequestReused)
    assert reused.first == first
    assert log.head(MatchId("n")) is None


def test_the_request_id_of_a_header_is_not_used_again_in_its_match(log: Log) -> None:
    writer = RecordWriter("m")
    first = writer.write(log, request="start")[0]

    reused = refusal(log.write([writer.next(request="start")]))

    assert isinstance(reused, RequestReused)
    assert reused.first == first


def test_matches_do_not_share_request_ids_but_for_headers(log: Log) -> None:
    for name in ("m", "n"):
        writer = RecordWriter(name)
        writer.write(log)
        writer.write(log, request="r")

    assert log.requested(M, "r") == [*log.read(M)][1]
    assert log.requested(M, "m/0") == next(log.read(M))


def test_an_append_to_a_history_that_is_another_is_refused(log: Log) -> None:
    RecordWriter("m").write(log, 2)

    refused = refusal(log.write([Append(M, 1, (entry("m", 2, b"another history".ljust(32)),))]))

    assert isinstance(refused, BadAppend)
    assert str(refused) == "m has another entry 1 than the append follows"


def test_each_append_of_a_group_gets_its_own_answer(log: Log) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    first = writer.next(request="r")
    writer.done(first)
    second = writer.next()
    late = Append(M, 0, (entry("m", 1, first.entries[0].previous, request="late", move=b"late"),))
    reused = Append(M, 0, (entry("m", 1, first.entries[0].previous, request="r", move=b"other"),))

    answers = log.write([first, late, first, reused, second, RecordWriter("n").next(2)])

    assert [answer if isinstance(answer, tuple) else type(answer) for answer in answers] == [
        tuple(log.read(M, 1, 1)),
        SequenceTaken,
        tuple(log.read(M, 1, 1)),
        RequestReused,
        tuple(log.read(M, 2)),
        tuple(log.read(MatchId("n"))),
    ]
    assert len(whole(log)) == 2


def test_a_group_of_nothing_is_answered_with_nothing(log: Log) -> None:
    assert log.write([]) == []


def test_the_next_position_is_that_of_the_next_entry(log: Log) -> None:
    assert log.next_position(0) is None
    RecordWriter("m").write(log, 3)

    assert [log.next_position(after) for after in (-5, 0, 2, 3, 9)] == [1, 1, 3, None, None]


def test_waiting_ends_with_the_next_entry(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "records.log.sqlite._POLL_SECONDS", 60
    )  # so that polling for other programs does not find it
    writer = RecordWriter("m")
    writer.write(log)
    writing = threading.Timer(0.05, lambda: writer.write(log, 2))
    writing.start()

    newest = log.wait(after=1, timeout=30)
    writing.join()

    assert newest == 3


def test_waiting_ends_at_once_where_there_is_something_already(log: Log) -> None:
    RecordWriter("m").write(log, 2)

    assert log.wait(after=1, timeout=30) == 2


def test_waiting_ends_when_the_time_is_over(log: Log) -> None:
    begun = time.monotonic()

    assert log.wait(after=0, timeout=0.02) == 0
    assert time.monotonic() - begun >= 0.02


def test_following_misses_nothing_and_repeats_nothing(log: Log) -> None:
    writer = RecordWriter("m")
    writing = threading.Thread(target=lambda: [writer.write(log, 1 + n % 3) for n in range(50)])
    writing.start()
    seen: list[Entry] = []
    while len(seen) < 99:
        log.wait(after=len(seen), timeout=10)
        seen.extend(log.archive(after=len(seen)))
    writing.join()

    assert seen == whole(log)[M]


def test_every_method_of_a_closed_log_says_that_it_is_closed(log: Log) -> None:
    append = RecordWriter("m").next()
    log.write([append])
    waiting: list[BaseException] = []

    def wait() -> None:
        try:
            log.wait(after=1, timeout=30)
        except LogUnavailable as fault:
            waiting.append(fault)

    waiter = threading.Thread(target=wait)
    waiter.start()
    log.close()
    log.close()
    waiter.join()

    assert len(waiting) == 1
    for ask in (
        lambda: log.write([append]),
        lambda: log.head(M),
        lambda: log.is_copy(M),
        lambda: list(log.read(M)),
        lambda: log.requested(M, "m/0"),
        lambda: list(log.archive()),
        lambda: list(log.hashes()),
        lambda: list(log.listing()),
        log.last_position,
        lambda: log.next_position(0),
        lambda: log.wait(0, 1),
        log.flaws,
    ):
        with pytest.raises(LogUnavailable, match="closed"):
            ask()


def test_what_cannot_be_written_is_not_found(log: Log) -> None:
    RecordWriter("m").write(log)

    assert log.head(MatchId("\ud800")) is None
    assert log.requested(M, "\ud800") is None
    assert list(log.read(MatchId("\ud800"))) == []


def test_published_checkpoints_are_kept_by_size_and_never_replaced(log: Log) -> None:
    one, another = (
        SignerKey(name, SignatureType.ED25519, SecretKey(bytes(32))) for name in ("a/log", "b/log")
    )
    small, large = (signed_checkpoint(one, size, bytes(32)) for size in (1, 300))
    other = signed_checkpoint(another, 1, bytes(32))

    log.keep_checkpoints([large])
    log.keep_checkpoints([small, large])
    log.keep_checkpoints([other])

    assert list(log.checkpoints()) == [small, large]
    assert log.flaws() == ()
