"""Disputes and takebacks: they stay in the record, and bind the actors."""

from dataclasses import replace

import pytest

from records.audit.record import audit_record
from records.codec.evidence import (
    Dispute,
    Resolution,
    TakebackGrant,
    TakebackRequest,
    encode_dispute,
    encode_grant,
    encode_request,
    encode_resolution,
)
from records.codec.header import Retraction
from records.entry import DisputePolicy, EntryKind, RetractPolicy
from records.ledger.builder import Notice
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, retract
from records.ledger.results import NotAllowed
from records.log.memory import MemoryLog
from records.replay.fold import rebuild
from records.replay.guards import GuardRejected, MatchFrozen
from records.replay.wording import describe_entries
from records.verdict import CorruptAt, IllegalAt, Verified
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from tests.records.matches import MOVES, header


class Table:
    def __init__(self, policy: DisputePolicy = DisputePolicy.GO_ON, moves: int = 2) -> None:
        self.log = MemoryLog()
        self.ledger = Ledger(self.log)
        opening = replace(header(), disputes=policy, retract=RetractPolicy.NOBODY)
        self.match = self.ledger.start(opening, "start").entry.match
        for text in MOVES[:moves]:
            self.play(text)

    @property
    def last(self) -> int:
        return self.ledger.current(self.match).sequence

    def play(self, text: str) -> None:
        asked = self.ledger.current(self.match).state.parse_text(text)
        self.ledger.append(self.match, self.last, f"r{self.last}", asked)

    def say(self, kind: EntryKind, actor: Actor, content: bytes) -> int:
        notice = Notice(kind, actor, content)
        return add_notice(self.ledger, self.match, self.last, f"r{self.last}", notice).entry.sequence

    def dispute(self, actor: Actor = Seat(0), at: int = 1) -> int:  # noqa: B008 - a seat is a number
        return self.say(EntryKind.OPEN_DISPUTE, actor, encode_dispute(Dispute(at, "that was my cell")))

    def settle(self, dispute: int, actor: Actor = ARBITER) -> int:
        content = encode_resolution(Resolution(dispute, "it was not"))
        return self.say(EntryKind.RESOLVE_DISPUTE, actor, content)

    def ask(self, seat: int, to_sequence: int) -> int:
        content = encode_request(TakebackRequest(to_sequence, "a slip"))
        return self.say(EntryKind.REQUEST_TAKEBACK, Seat(seat), content)

    def grant(self, seat: int, request: int) -> int:
        return self.say(EntryKind.GRANT_TAKEBACK, Seat(seat), encode_grant(TakebackGrant(request)))

    def verify(self) -> None:
        entries = list(self.log.read(self.match))
        assert isinstance(audit_record(self.match, entries).verdict, Verified)
        assert rebuild(entries) == self.ledger.current(self.match)


def test_a_dispute_does_not_change_the_match_and_stays_in_the_record() -> None:
    table = Table()
    before = table.ledger.current(table.match).state

    dispute = table.dispute()
    table.settle(dispute)

    assert table.ledger.current(table.match).state == before
    texts = [text for text, _ in describe_entries(list(table.log.read(table.match)))]
    assert texts[3:] == [
        "green disputes entry 1: that was my cell",
        "arbiter settles the dispute of entry 3: it was not",
    ]
    table.verify()


def test_a_match_goes_on_while_a_dispute_is_open() -> None:
    table = Table()
    table.dispute()

    table.play(MOVES[2])

    table.verify()


def test_a_match_that_is_to_freeze_waits_until_the_dispute_is_settled() -> None:
    table = Table(DisputePolicy.FREEZE)
    first, second = table.dispute(), table.dispute(Seat(1), 2)

    table.settle(first)
    with pytest.raises(MatchFrozen, match=f"entry {second}"):
        table.play(MOVES[2])
    table.settle(second)
    table.play(MOVES[2])

    table.verify()


@pytest.mark.parametrize("at", [3, 99])
def test_nobody_disputes_an_entry_that_does_not_exist(at: int) -> None:
    with pytest.raises(GuardRejected):
        Table().dispute(at=at)


def test_chance_disputes_nothing_and_only_the_arbiter_settles() -> None:
    table = Table()
    with pytest.raises(GuardRejected):
        table.dispute(CHANCE)
    dispute = table.dispute()

    for actor in (Seat(0), Seat(1), CHANCE):
        with pytest.raises(GuardRejected, match="only the arbiter"):
            table.settle(dispute, actor)
    with pytest.raises(GuardRejected, match="did not open a dispute"):
        table.settle(dispute - 1)
    table.settle(dispute)
    with pytest.raises(GuardRejected, match="did not open a dispute"):
        table.settle(dispute)


def test_what_all_others_have_granted_is_taken_back_whatever_the_header_says() -> None:
    table = Table()
    with pytest.raises(NotAllowed):
        retract(table.ledger, table.match, 2, "back", Seat(1), Retraction(1))
    request = table.ask(1, 1)
    with pytest.raises(NotAllowed):
        retract(table.ledger, table.match, 3, "back", Seat(1), Retraction(1))
    table.grant(0, request)

    with pytest.raises(NotAllowed):
        retract(table.ledger, table.match, 4, "farther", Seat(1), Retraction(0))
    retract(table.ledger, table.match, 4, "back", Seat(1), Retraction(1))

    assert table.ledger.current(table.match).state == table.ledger.state_at(table.match, 1)
    with pytest.raises(NotAllowed):
        retract(table.ledger, table.match, 5, "again", Seat(1), Retraction(1))
    table.verify()


def test_a_request_is_open_until_the_next_move() -> None:
    table = Table()
    request = table.ask(1, 1)
    table.play(MOVES[2])

    with pytest.raises(GuardRejected, match="any more"):
        table.grant(0, request)


def test_nobody_grants_their_own_request_or_twice_or_another() -> None:
    table = Table()
    request = table.ask(1, 1)

    with pytest.raises(GuardRejected):
        table.grant(1, request)
    with pytest.raises(GuardRejected):
        table.grant(0, request - 1)
    table.grant(0, request)
    with pytest.raises(GuardRejected):
        table.grant(0, request)


def test_nobody_asks_to_go_back_to_where_the_match_is() -> None:
    with pytest.raises(GuardRejected):
        Table().ask(1, 2)


def test_a_retraction_that_nobody_granted_is_illegal_in_an_audit_too() -> None:
    free, strict = Table(), Table()
    free.grant(0, free.ask(1, 1))
    retract(free.ledger, free.match, 4, "back", Seat(1), Retraction(1))
    stolen = list(free.log.read(free.match))
    without_grant = [*list(strict.log.read(strict.match)), stolen[-1]]

    verdict = audit_record(strict.match, without_grant).verdict

    assert isinstance(verdict, IllegalAt | CorruptAt)


def test_bytes_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(GuardRejected):
        Table().say(EntryKind.OPEN_DISPUTE, Seat(0), b"\xff")
