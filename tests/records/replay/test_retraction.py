"""Taking entries back, by further entries."""

import pytest

from records.codec.header import Retraction
from records.entry import EntryKind, RetractPolicy
from records.ledger.ledger import Ledger
from records.ledger.notices import retract
from records.ledger.results import NotAllowed, NothingToRetract
from records.log.contract import RequestReused, SequenceTaken
from records.verdict import Verified
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from tests.records.matches import MOVES, begin, header

ANY_SEAT = header(retract=RetractPolicy.ANY_SEAT)


def test_a_retraction_restores_the_earlier_state(ledger: Ledger) -> None:
    table = begin(ledger)
    after_one = table.play(MOVES[0]).state
    table.play(*MOVES[1:4])

    back = table.go_back(1, reason="the wrong tile")

    assert (back.entry.sequence, back.entry.kind, back.entry.events) == (5, EntryKind.RETRACT, b"")
    assert back.state == ledger.state_at(table.match) == after_one
    assert back.entry.state == after_one.digest()


def test_what_was_taken_back_is_still_in_the_record(ledger: Ledger) -> None:
    table = begin(ledger)
    stood = [table.play(move).state for move in MOVES[:4]]
    table.go_back(1)

    assert [ledger.state_at(table.match, sequence) for sequence in (1, 2, 3, 4)] == stood
    assert len(table.entries) == 6


def test_play_goes_on_from_there(ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:4])
    table.go_back(1)

    table.play(*MOVES[1:])

    straight = begin(ledger, request="other")
    straight.play(*MOVES)
    for asked in (ledger, Ledger(ledger.log)):
        assert asked.state_at(table.match) == asked.state_at(straight.match)
    assert ledger.audit(table.match).verdict == Verified()


def test_a_retraction_can_be_taken_back_too(ledger: Ledger) -> None:
    table = begin(ledger)
    after_four = table.play(*MOVES[:4]).state
    table.go_back(1)

    for to_sequence in (4, 5):
        back = table.go_back(to_sequence)

        expected = after_four if to_sequence == 4 else ledger.state_at(table.match, 1)
        assert back.state == Ledger(ledger.log).state_at(table.match) == expected
    assert ledger.audit(table.match).verdict == Verified()


def test_all_can_be_taken_back(ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES)

    assert table.go_back(0).state == ledger.state_at(table.match, 0)


@pytest.mark.parametrize(
    ("policy", "actor"),
    [
        (RetractPolicy.ARBITER, Seat(0)),
        (RetractPolicy.ARBITER, CHANCE),
        (RetractPolicy.NOBODY, ARBITER),
        (RetractPolicy.NOBODY, Seat(1)),
        (RetractPolicy.ANY_SEAT, CHANCE),
        (RetractPolicy.ANY_SEAT, Seat(2)),
    ],
)
def test_an_actor_whom_the_header_does_not_allow_takes_nothing_back(
    ledger: Ledger, policy: RetractPolicy, actor: Actor
) -> None:
    table = begin(ledger, header(retract=policy))
    table.play(*MOVES[:2])

    with pytest.raises(NotAllowed) as raised:
        table.go_back(1, actor)

    assert raised.value.violation.rule.id == "SHIJI-TAKEBACK-1"
    assert len(table.entries) == 3


@pytest.mark.parametrize("actor", [ARBITER, Seat(0), Seat(1)])
def test_where_the_header_says_so_any_seat_takes_back(ledger: Ledger, actor: Actor) -> None:
    table = begin(ledger, ANY_SEAT)
    table.play(*MOVES[:2])

    assert table.go_back(1, actor).entry.sequence == 3
    assert ledger.audit(table.match).verdict == Verified()


@pytest.mark.parametrize("to_sequence", [-1, 2, 3])
def test_there_must_be_something_to_take_back(ledger: Ledger, to_sequence: int) -> None:
    table = begin(ledger)
    table.play(*MOVES[:2])

    with pytest.raises(NothingToRetract):
        table.go_back(to_sequence)


def test_a_retraction_needs_the_last_entry_too(ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:3])

    with pytest.raises(SequenceTaken) as raised:
        retract(ledger, table.match, 2, "back", ARBITER, Retraction(1))

    assert raised.value.actual == 3


def test_a_repeated_retraction_is_answered_as_the_first_time(ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:3])
    first = retract(ledger, table.match, 3, "back", ARBITER, Retraction(1, "why"))
    table.last = 4
    table.play(MOVES[1])

    assert retract(ledger, table.match, 3, "back", ARBITER, Retraction(1, "why")) == first
    with pytest.raises(RequestReused):
        retract(ledger, table.match, 3, "back", ARBITER, Retraction(2, "why"))
    with pytest.raises(RequestReused):
        ledger.append(table.match, 3, "back", table.read(MOVES[2]))
