"""What the ledger does with matches of both versions of entries."""

from dataclasses import replace

import pytest
from msgspec import structs

from records.audit.record import audit_record
from records.codec.evidence import TakebackRequest, encode_request
from records.codec.header import decode_header
from records.codec.shape import CorruptMove
from records.entry import Dealer, Entry, EntryKind, MatchId, RetractPolicy, entry_version, with_hash
from records.games.candidate import Candidate
from records.ledger.builder import Notice
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice
from records.ledger.results import Appended, NotAllowed, RecordIsCopy
from records.log.contract import NEW, Append, RequestReused
from records.log.memory import MemoryLog
from records.replay.deriving import with_derived
from records.replay.disclosure import in_full
from records.replay.fold import CorruptRecord
from records.verdict import Verified
from rules.kernel.actors import Seat
from tests.records.concealed import (
    DEALERS,
    GAMES,
    MATCH,
    book,
    hidden_hands,
    play_on,
    record,
    stripped,
    whole,
)
from tests.records.matches import begin, header
from tests.records.replay.test_policies import secrets
from tools.dev.version_1 import Version1Ledger


def log_of(entries: list[Entry], *, copy: bool = False) -> MemoryLog:
    log = MemoryLog()
    log.write([Append(entries[0].match, NEW, tuple(entries), copy=copy)])
    return log


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize("game", GAMES)
def test_an_old_match_goes_on_in_its_own_version(game: str, dealer: Dealer) -> None:
    log = MemoryLog()
    old = Version1Ledger(log, secrets=secrets, new_id=lambda: MATCH)
    old.start(hidden_hands(game, dealer), "start")
    play_on(old, MATCH, 4)

    play_on(book(log), MATCH, 20)

    entries = list(log.read(MATCH))
    assert len(entries) > 20
    assert {entry_version(entry) for entry in entries} == {1}
    assert audit_record(MATCH, entries, complete=True).verdict == Verified()


def test_a_start_that_an_older_build_has_stored_is_answered_with_its_match() -> None:
    log = MemoryLog()
    first = Version1Ledger(log, new_id=lambda: MATCH).start(header(), "start")

    again = Ledger(log).start(header(), "start")

    assert again.entry == first.entry
    assert decode_header(again.entry.move).entry_version == 1
    with pytest.raises(RequestReused):
        Ledger(log).start(replace(header(), retract=RetractPolicy.NOBODY), "start")


class TestLoading:
    """Someone who can write the archive cannot make its server play on from something else."""

    def refused(self, entries: list[Entry]) -> None:
        with pytest.raises(CorruptRecord):
            book(log_of(entries)).current(MATCH)

    @pytest.mark.parametrize("dealer", DEALERS)
    def test_lost_parts_are_noticed(self, dealer: Dealer) -> None:
        self.refused(stripped(record(dealer=dealer)))

    def test_lost_draws_of_an_old_match_are_noticed(self) -> None:
        log = MemoryLog()
        Version1Ledger(log, secrets=secrets, new_id=lambda: MATCH).start(hidden_hands(), "start")

        self.refused(stripped(list(log.read(MATCH))))

    def test_another_service_s_match_is_read_without_its_secret(self) -> None:
        assert Ledger(log_of(list(record()))).current(MATCH).sequence == len(record()) - 1

    def test_draws_that_were_not_sealed_are_noticed(self) -> None:
        """A forger who knows another match's secret makes a record that verifies while under way."""
        log = MemoryLog()
        other = Ledger(log, secrets=lambda _: b"o" * 32, new_id=lambda: MATCH)
        other.start(hidden_hands(), "start")
        theirs = list(log.read(MATCH))
        ours = record()
        assert audit_record(MATCH, theirs, complete=True).verdict == Verified()
        mixed = [ours[0]]
        for entry in theirs[1:]:
            mixed.append(with_hash(structs.replace(entry, previous=mixed[-1].hash)))

        self.refused(mixed)

    def test_a_version_changed_midway_is_noticed(self) -> None:
        entries = list(record(dealer=Dealer.RECORDER))

        self.refused([*entries[:-1], with_hash(structs.replace(entries[-1], concealed=b"", secret=b""))])


class TestCopies:
    def test_a_copy_is_read_and_nothing_is_added_to_it(self) -> None:
        copied = stripped(record(dealer=Dealer.RECORDER))
        ledger = book(log_of(copied, copy=True))
        current = ledger.current(MATCH)
        asked = next(current.state.legal_moves(current.state.awaiting()[0]))

        assert current.copy
        with pytest.raises(RecordIsCopy, match="copy"):
            ledger.append(MATCH, current.sequence, "move", asked)
        notice = Notice(EntryKind.REQUEST_TAKEBACK, Seat(0), encode_request(TakebackRequest(0)))
        with pytest.raises(RecordIsCopy):
            add_notice(ledger, MATCH, current.sequence, "back", notice)


class TestRequests:
    def dealt(self, tiles: str) -> tuple[Ledger, Candidate]:
        ledger = book(MemoryLog())
        ledger.start(hidden_hands(dealer=Dealer.RECORDER), "start")
        asked = ledger.current(MATCH).state.parse_text(f"deal green {tiles}")
        ledger.append(MATCH, 0, "deal", asked)
        return ledger, asked

    def test_a_repeated_request_is_answered_as_the_first_time(self) -> None:
        ledger, asked = self.dealt("RR RY BB")
        first = ledger.current(MATCH)

        again = ledger.append(MATCH, 0, "deal", asked)

        assert isinstance(again, Appended)
        assert again.entry.hash == first.hash
        assert in_full(again.entry)[0] == asked.data

    @pytest.mark.parametrize("cached", [4096, 0])
    def test_a_request_with_other_hidden_tiles_is_another_one(self, cached: int) -> None:
        """Both look the same to a spectator."""
        ledger, _ = self.dealt("RR RY BB")
        other = ledger.state_at(MATCH, 0).parse_text("deal green RR RY YY")

        with pytest.raises(RequestReused):
            Ledger(ledger.log, cache=cached).append(MATCH, 0, "deal", other)

    def test_a_request_for_a_takeback_past_a_draw_is_refused(self) -> None:
        ledger = book(MemoryLog())
        ledger.start(hidden_hands(), "start")
        play_on(ledger, MATCH, 1)
        last = ledger.current(MATCH).sequence

        def ask(to_sequence: int) -> None:
            content = encode_request(TakebackRequest(to_sequence))
            add_notice(ledger, MATCH, last, "ask", Notice(EntryKind.REQUEST_TAKEBACK, Seat(0), content))

        with pytest.raises(NotAllowed, match="past the draw"):
            ask(last - 2)


def test_bytes_that_the_edition_would_not_write_are_refused() -> None:
    table = begin(Ledger(MemoryLog()))
    asked = table.read("green Re8Re9")
    longer = asked.data[:1] + bytes((asked.data[1] | 0x80, 0)) + asked.data[2:]
    same = table.ledger.current(table.match).state.parse_bytes(Seat(0), longer)
    assert same.move == asked.move

    with pytest.raises(CorruptMove, match="encode it again"):
        table.ledger.append(table.match, 0, "move", same)
    with pytest.raises(CorruptMove):
        table.ledger.append_many(table.match, 0, "moves", [same, table.read("violet Yg8Bh8")])


@pytest.mark.parametrize("game", GAMES)
def test_a_record_with_parts_left_out_is_completed_from_its_secret(game: str) -> None:
    for entries in (record(game), whole(game)):
        assert list(with_derived(stripped(entries), secrets(MATCH))) == list(entries)


def test_another_secret_completes_nothing() -> None:
    with pytest.raises(CorruptRecord):
        list(with_derived(stripped(record()), secrets(MatchId("another"))))
