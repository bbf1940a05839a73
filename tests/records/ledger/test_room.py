"""How many notices each seat makes, and the room that moves and the arbiter always have."""

import pytest

from records.codec.evidence import Dispute, TakebackRequest, encode_dispute, encode_request
from records.entry import EntryKind, RetractPolicy
from records.ledger import ledger as ledgers
from records.ledger import room
from records.ledger.builder import Notice
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice
from records.ledger.results import RecordFull, TooManyNotices
from records.ledger.room import MOST_NOTICES, MOST_NOTICES_EACH, notices_each
from records.replay.fold import MOST_ENTRIES, MOST_PLAYED_ENTRIES, rebuild
from records.verdict import Verified
from rules.kernel.actors import ARBITER, Actor, Seat
from tests.records.matches import MOVES, Table, begin, header, ledger_in_memory

GREEN, VIOLET = Seat(0), Seat(1)


def dispute(table: Table, actor: Actor) -> None:
    notice = Notice(EntryKind.OPEN_DISPUTE, actor, encode_dispute(Dispute(0, "why?")))
    table.last = add_notice(table.ledger, table.match, table.last, f"n{table.last}", notice).entry.sequence


def ask_back(table: Table, actor: Actor) -> None:
    notice = Notice(EntryKind.REQUEST_TAKEBACK, actor, encode_request(TakebackRequest(0, "a slip")))
    table.last = add_notice(table.ledger, table.match, table.last, f"n{table.last}", notice).entry.sequence


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match in which each actor makes three notices."""
    monkeypatch.setattr(room, "MOST_NOTICES_EACH", 3)
    table = begin(ledger_in_memory(), header(retract=RetractPolicy.ANY_SEAT))
    table.play(*MOVES[:2])
    return table


def test_a_seat_makes_so_many_notices_and_the_others_as_many_again(table: Table) -> None:
    for _ in range(3):
        dispute(table, GREEN)
    with pytest.raises(TooManyNotices, match="at most 3"):
        dispute(table, GREEN)
    with pytest.raises(TooManyNotices):
        ask_back(table, GREEN)
    dispute(table, VIOLET)
    dispute(table, ARBITER)

    assert table.ledger.audit(table.match).verdict == Verified()


def test_takebacks_of_a_seat_count_and_those_of_the_arbiter_do_not(table: Table) -> None:
    for _ in range(2):
        table.go_back(0, GREEN)
    dispute(table, GREEN)
    with pytest.raises(TooManyNotices):
        table.go_back(0, GREEN)
    for _ in range(5):
        table.go_back(0, ARBITER)


def test_a_seat_that_has_made_all_its_notices_plays_on(table: Table) -> None:
    for _ in range(3):
        ask_back(table, VIOLET)
    table.play(*MOVES[2:])

    assert table.last == len(MOVES) + 3


def test_a_server_that_starts_again_has_counted_the_same(table: Table) -> None:
    for _ in range(3):
        dispute(table, GREEN)
    restarted = Ledger(table.ledger.log)

    assert restarted.current(table.match) == table.ledger.current(table.match) == rebuild(table.entries)
    with pytest.raises(TooManyNotices):
        dispute(Table(restarted, table.match, table.last), GREEN)


def test_a_record_from_before_the_limit_is_read_verified_and_played_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_NOTICES_EACH", 9)
    for _ in range(7):
        dispute(table, GREEN)
    monkeypatch.setattr(room, "MOST_NOTICES_EACH", 3)
    restarted = Table(Ledger(table.ledger.log), table.match, table.last)
    with pytest.raises(TooManyNotices):
        dispute(restarted, GREEN)
    restarted.play(MOVES[2])

    assert restarted.ledger.audit(table.match).verdict == Verified()


def test_the_arbiter_has_room_in_a_record_that_is_full_for_everybody_else(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_ENTRIES", 4)
    monkeypatch.setattr(room, "MOST_PLAYED_ENTRIES", 3)
    monkeypatch.setattr(ledgers, "MOST_PLAYED_ENTRIES", 3)
    dispute(table, GREEN)
    with pytest.raises(RecordFull):
        table.play(MOVES[2])
    with pytest.raises(RecordFull):
        dispute(table, GREEN)
    table.go_back(2, ARBITER)
    with pytest.raises(RecordFull):
        table.go_back(2, ARBITER)


@pytest.mark.parametrize("seats", [1, 2, 4, 8, 32])
def test_all_notices_of_all_seats_leave_most_of_a_record_for_moves(seats: int) -> None:
    assert 100 <= notices_each(seats) <= MOST_NOTICES_EACH
    assert notices_each(seats) * (seats + 1) <= MOST_NOTICES + MOST_NOTICES_EACH
    assert MOST_NOTICES + MOST_NOTICES_EACH < MOST_PLAYED_ENTRIES // 3 < MOST_PLAYED_ENTRIES < MOST_ENTRIES
