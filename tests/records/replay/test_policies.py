"""Matches in which the service deals: nobody else supplies draws, and the same match is dealt the same."""

import hashlib
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.audit.record import audit_record
from records.codec.header import Retraction
from records.entry import Dealer, EntryKind, MatchHeader, MatchId, actor_of
from records.games.candidate import Candidate
from records.ledger.ledger import Ledger
from records.ledger.notices import retract
from records.ledger.results import IllegalAmong, NoDealer
from records.log.contract import RequestReused
from records.log.memory import MemoryLog
from records.replay.disclosure import for_viewer, hidden_of, in_full
from records.replay.policies import DEAL_1
from records.verdict import Verified
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Seat, Viewer
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup, Draws
from tests.records.matches import header


def secrets(match: MatchId) -> bytes:
    return hashlib.sha256(match.encode()).digest()


def dealt(rulings: tuple[tuple[str, str], ...] = ()) -> MatchHeader:
    plain = header(rulings=rulings)
    return replace(plain, setup=replace(plain.setup, draws=Draws.RECORDED), dealer=Dealer.SERVICE)


def ledger(log: MemoryLog | None = None) -> Ledger:
    return Ledger(log or MemoryLog(), secrets=secrets)


def first_move(book: Ledger, match: MatchId) -> Candidate:
    state = book.current(match).state
    return next(state.legal_moves(state.awaiting()[0]))


def test_the_first_hands_are_dealt_with_the_header() -> None:
    begun = ledger().start_dealt(dealt(), "one")

    assert [actor_of(each.entry.actor) for each in begun] == [ARBITER, CHANCE, CHANCE, CHANCE]
    assert begun[1].entry.kind == EntryKind.SEAL
    assert begun[-1].state.awaiting() == (Seat(0),)


def test_a_placement_is_followed_by_its_draw_in_one_append() -> None:
    book = ledger()
    match = book.start(dealt(), "one").entry.match

    answer = book.append_many(match, 3, "two", [first_move(book, match)])

    assert not isinstance(answer, IllegalAmong)
    assert [actor_of(each.entry.actor) for each in answer] == [Seat(0), CHANCE]


def test_nobody_else_supplies_a_draw() -> None:
    book = ledger()
    match = book.start(dealt(), "one").entry.match
    draw = book.current(match).state.parse_text("draw RB")

    verdict = book.append(match, 3, "two", draw)

    assert isinstance(verdict, Illegal)
    assert [violation.rule for violation in verdict.violations] == [DEAL_1]


def test_a_repeat_is_answered_with_the_same_match_and_the_same_draws() -> None:
    log = MemoryLog()
    book = ledger(log)
    begun = book.start_dealt(dealt(), "one")
    match = begun[0].entry.match
    move = first_move(book, match)
    played = book.append_many(match, 3, "two", [move])

    assert ledger(log).start_dealt(dealt(), "one") == begun
    assert ledger(log).append_many(match, 3, "two", [move]) == played


def test_the_same_request_for_another_match_is_refused() -> None:
    book = ledger()
    book.start(dealt(), "one")

    with pytest.raises(RequestReused):
        book.start(dealt((("fair-start", "redeal-all"),)), "one")


def test_going_back_brings_no_other_tiles() -> None:
    book = ledger()
    match = book.start(dealt(), "one").entry.match
    move = first_move(book, match)
    first = book.append_many(match, 3, "two", [move])
    retract(book, match, 5, "three", ARBITER, Retraction(3))

    again = book.append_many(match, 6, "four", [move])

    assert not isinstance(first, IllegalAmong)
    assert not isinstance(again, IllegalAmong)
    assert in_full(again[-1].entry) == in_full(first[-1].entry)
    assert hidden_of(again[-1].entry).openings == hidden_of(first[-1].entry).openings


def test_without_shuffled_components_nothing_is_dealt() -> None:
    with pytest.raises(NoDealer):
        Ledger(MemoryLog()).start(dealt(), "one")


def test_draws_that_are_not_recorded_cannot_be_dealt() -> None:
    with pytest.raises(BadSetup, match="must record its draws"):
        ledger().start(replace(header(), dealer=Dealer.SERVICE), "one")


@given(st.integers(0, 10**6), st.sampled_from(["off", "redeal-all"]))
def test_a_whole_match_is_dealt_legally(seed: int, fair: str) -> None:
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    log = MemoryLog()
    book = Ledger(log, secrets=secrets, new_id=lambda: MatchId(f"match-{seed}"))
    rulings = () if fair == "off" else (("fair-start", fair),)
    match = book.start(dealt(rulings), "start").entry.match
    for number in range(12):
        current = book.current(match)
        awaited = current.state.awaiting()
        if not awaited:
            break
        assert awaited != (CHANCE,)
        move = dice.choice(list(current.state.legal_moves(awaited[0])))
        book.append(match, current.sequence, f"move {number}", move)

    assert isinstance(audit_record(match, log.read(match)).verdict, Verified)


def test_a_draw_is_seen_by_the_seat_that_gets_it_and_by_no_other() -> None:
    book = ledger()
    match = book.start(dealt(), "one").entry.match
    answer = book.append_many(match, 3, "two", [first_move(book, match)])
    assert not isinstance(answer, IllegalAmong)
    (placed, drawn) = answer
    before = placed.state

    def seen(viewer: Viewer) -> str:
        move, _ = in_full(for_viewer(before, CHANCE, drawn.entry, viewer))
        return before.write_move(before.parse_bytes(CHANCE, move))

    assert seen(Seat(0)) == seen(AUDITOR) != "draw ?"
    assert seen(Seat(1)) == seen(SPECTATOR) == "draw ?"


def test_going_back_to_before_a_draw_brings_the_same_tile_once_more() -> None:
    book = ledger()
    match = book.start(dealt(), "one").entry.match
    placed = book.append_many(match, 3, "two", [first_move(book, match)])
    back = Retraction(4)
    retract(book, match, 5, "three", ARBITER, back)

    assert not isinstance(placed, IllegalAmong)
    assert book.current(match).state == placed[-1].state
    assert book.current(match).sequence == 7
    assert retract(book, match, 5, "three", ARBITER, back).entry.sequence == 6


def test_going_back_to_the_header_deals_the_same_hands_once_more() -> None:
    book = ledger()
    begun = book.start_dealt(dealt(), "one")
    match = begun[0].entry.match
    retract(book, match, 3, "two", ARBITER, Retraction(0))

    assert book.current(match).state == begun[-1].state


def test_a_match_that_another_dealer_began_cannot_be_continued() -> None:
    log = MemoryLog()
    match = ledger(log).start(dealt(), "one").entry.match

    other = Ledger(log, secrets=lambda match: secrets(MatchId(f"another {match}")))
    with pytest.raises(NoDealer):
        other.append_many(match, 3, "two", [first_move(other, match)])
    with pytest.raises(NoDealer):
        retract(other, match, 3, "two", ARBITER, Retraction(2))


def test_a_repeat_is_not_confused_with_a_later_request_named_like_its_second_entry() -> None:
    book = Ledger(MemoryLog())
    match = book.start(header(), "one").entry.match
    first = first_move(book, match)
    stored = book.append_many(match, 0, "a", [first])
    book.append_many(match, 1, "a/2", [first_move(book, match)])

    assert book.append_many(match, 0, "a", [first]) == stored
