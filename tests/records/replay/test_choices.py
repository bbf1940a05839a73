"""Sealed choices: nobody learns a choice before all are made, and how they are opened."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.concealment import (
    Choose,
    Close,
    decode_choose,
    decode_reveal,
    encode_choose,
    encode_close,
)
from records.codec.header import Retraction
from records.entry import (
    ChoicePolicy,
    Concealment,
    Dealer,
    Entry,
    EntryKind,
    TakebackPolicy,
)
from records.evidence.concealment import CHOICE, Commitment, format_concealed, parse_choice, parse_concealed
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim
from records.ledger.builder import Notice, PreparedAppend
from records.ledger.choices import At, judge_choose
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, retract
from records.ledger.results import BatchCrossesDraw, IllegalAmong, NotAllowed
from records.ledger.transfer import as_transcript
from records.log.contract import RequestReused
from records.replay.choices import OpenedChoice, digest_of
from records.replay.disclosure import hidden_of
from records.replay.fold import rebuild
from records.replay.guards import GuardRejected
from records.replay.wording import describe_entries
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified
from rules.kernel.actors import ARBITER, SPECTATOR, Seat, Viewer
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws
from tests.records.replay.chosen import CHOSEN, audited, played, shown
from tests.records.transcripts import verify_transcript
from tests.rules.kit.goofspiel_records import (
    BLUE,
    DEALT,
    GREEN,
    MATCH,
    NEXT_PRIZE,
    RED,
    SALT,
    Table,
    goofspiel_header,
    register,
)

MODES = [
    (Draws.UNRECORDED, Dealer.RECORDER),
    (Draws.RECORDED, Dealer.RECORDER),
    (Draws.RECORDED, Dealer.SERVICE),
]


@pytest.fixture(autouse=True)
def _goofspiel_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def kinds(entries: list[Entry]) -> list[EntryKind]:
    return [EntryKind(entry.kind) for entry in entries]


class TestChoosing:
    def test_a_move_that_answers_a_sealed_question_is_sealed_by_the_service(self) -> None:
        table = Table()
        chosen = table.play("red bid 2").entry

        assert chosen.kind == EntryKind.CHOOSE
        assert decode_choose(chosen.move).held
        ((kind, audience),) = [(each.kind, each.audience) for each in parse_concealed(chosen.concealed)]
        assert (kind, audience) == (CHOICE, 1 << RED)
        (part,) = hidden_of(chosen).parts
        assert parse_choice(part.content) == table.read("red bid 2").data
        assert audited(table.entries) == Verified()

    def test_all_is_revealed_in_the_append_of_the_last_answer(self) -> None:
        table = Table()
        table.play(*CHOSEN)
        *_, last, reveal = table.entries

        assert kinds(table.entries)[DEALT + 1 :] == [*[EntryKind.CHOOSE] * 3, EntryKind.REVEAL_CHOICES]
        assert (reveal.request, reveal.recorded) == (f"{last.request}/2", last.recorded)
        assert [(each.seat, each.sequence) for each in decode_reveal(reveal.move)] == [
            (0, DEALT + 1),
            (1, DEALT + 3),
            (2, DEALT + 2),
        ]
        assert audited(table.entries) == Verified()

    def test_it_leads_to_the_same_state_as_open_moves(self) -> None:
        sealed, open_ = Table(), Table(goofspiel_header(concealment=Concealment.OPEN))
        sealed.play(*CHOSEN)
        open_.play(*CHOSEN)

        assert kinds(open_.entries)[DEALT + 1 :] == [EntryKind.MOVE] * 3
        assert sealed.ledger.current(MATCH).state == open_.ledger.current(MATCH).state
        assert audited(open_.entries) == Verified()

    def test_an_answer_that_breaks_a_rule_is_refused_and_stored_nowhere(self) -> None:
        table = Table()
        table.play(*CHOSEN, NEXT_PRIZE)

        answer = table.ledger.append_many(MATCH, table.last, "again", [table.read("green bid 1")])

        assert isinstance(answer, IllegalAmong)
        assert table.entries[-1].kind == EntryKind.MOVE

    def test_nobody_answers_twice(self) -> None:
        table = Table()
        table.play("red bid 2")

        answer = table.ledger.append_many(MATCH, DEALT + 1, "again", [table.read("red bid 1")])

        assert isinstance(answer, IllegalAmong)

    def test_a_batch_ends_with_a_choice(self) -> None:
        table = Table()
        moves = [table.read(text) for text in CHOSEN]

        with pytest.raises(BatchCrossesDraw, match="sealed choice") as refused:
            table.ledger.append_many(MATCH, DEALT, "all", moves)
        assert refused.value.index == 1

    def test_a_repeated_request_is_compared_with_what_was_chosen(self) -> None:
        table = Table()
        first = table.ledger.append_many(MATCH, DEALT, "bid", [table.read("red bid 2")])

        assert table.ledger.append_many(MATCH, DEALT, "bid", [table.read("red bid 2")]) == first
        with pytest.raises(RequestReused):
            table.ledger.append_many(MATCH, DEALT, "bid", [table.read("red bid 1")])

    def test_chosen_again_after_a_takeback_it_has_another_salt(self) -> None:
        table = Table()
        table.play("red bid 2")
        retract(table.ledger, MATCH, DEALT + 1, "back", RED, Retraction(DEALT))
        table.play("red bid 2")

        one, other = (entry for entry in table.entries if entry.kind == EntryKind.CHOOSE)
        assert one.concealed != other.concealed
        assert hidden_of(one).parts[0].salt != hidden_of(other).parts[0].salt
        assert audited(table.entries) == Verified()

    def test_a_seat_signs_the_digest_of_its_choice(self) -> None:
        key = SecretKey(b"k" * 32)
        table = Table(replace(goofspiel_header(), keys=((RED, key.public.raw),)))
        move = table.read("red bid 2")
        current = table.ledger.current(MATCH)
        digest = digest_of(MATCH, RED, DEALT + 1, OpenedChoice(SALT, move.data))
        line = format_concealed([Commitment(CHOICE, 1 << RED, digest)])[1:]
        asked = encode_choose(Choose(held=True))
        claim = Claim(MATCH, DEALT + 1, EntryKind.CHOOSE, RED, current.hash, asked, 2, line)
        at = At(MATCH, DEALT, "signed", key.sign(claim.digest))

        judged = judge_choose(table.ledger, at, move, SALT)

        assert isinstance(judged, PreparedAppend)
        with pytest.raises(GuardRejected):
            judge_choose(table.ledger, at, move, bytes(32))
        table.ledger.store(judged)
        assert audited(table.entries) == Verified()


class TestSecrecy:
    """Nobody else sees a choice before all are made: not in an entry, a view, an export or a state."""

    def world(self, choice: str) -> Table:
        table = Table(salts=lambda: b"s" * 32)
        table.play(f"red bid {choice}")
        return table

    @pytest.mark.parametrize("viewer", [SPECTATOR, GREEN, BLUE])
    def test_others_see_only_that_the_seat_has_chosen(self, viewer: Viewer) -> None:
        """Two matches that differ only in the choice look the same, but for the salted digest."""

        def seen(choice: str) -> list[Entry]:
            blank = {"concealed": b"", "hash": b"", "previous": b""}
            return [structs.replace(entry, **blank) for entry in shown(self.world(choice).entries, viewer)]

        assert seen("1") == seen("2")

    def test_the_digest_does_not_tell_the_choice_without_its_salt(self) -> None:
        digests = {self.world(choice).entries[DEALT + 1].concealed for choice in ("1", "2", "3")}
        salted = Table()
        salted.play("red bid 1")

        assert len(digests) == 3
        assert salted.entries[DEALT + 1].concealed not in digests

    def test_the_seat_sees_its_own(self) -> None:
        entries = self.world("2").entries

        assert shown(entries, RED) == entries

    def test_the_states_are_the_same(self) -> None:
        one, other = (self.world(choice).ledger.current(MATCH).state for choice in ("1", "2"))

        assert one == other
        assert one.position() == other.position()

    def test_the_words_are_the_same(self) -> None:
        texts = [list(describe_entries(self.world(choice).entries)) for choice in ("1", "2")]

        assert texts[0] == texts[1]
        assert texts[0][DEALT + 1][0] == "red chooses in secret"

    def test_a_choice_that_was_left_out_verifies_once_it_is_revealed(self) -> None:
        table = Table()
        table.play(*CHOSEN)

        assert audited(shown(table.entries, SPECTATOR), complete=False) == Verified()
        lost = audited(shown(table.entries, SPECTATOR))
        assert isinstance(lost, CorruptAt)
        assert lost.sequence == DEALT + 1


class TestOpening:
    def sealed(self) -> Table:
        """Red has sealed its choice itself; the service sealed the others'."""
        table = Table()
        table.seal("red bid 2")
        table.play("green bid 1", "blue bid 2")
        return table

    def test_a_seat_seals_and_opens_on_its_own_machine(self) -> None:
        table = self.sealed()
        assert table.ledger.current(MATCH).awaiting() == (RED,)
        assert table.entries[DEALT + 1].secret == b""
        assert audited(table.entries) == Verified()

        table.open("red bid 2")

        assert kinds(table.entries)[-2:] == [EntryKind.OPEN_CHOICE, EntryKind.REVEAL_CHOICES]
        assert audited(table.entries) == Verified()
        assert Ledger(table.log).current(MATCH) == table.ledger.current(MATCH)

    def test_an_opening_is_shown_to_nobody_else(self) -> None:
        table = Table()
        for text in CHOSEN:
            table.seal(text)
        table.open("red bid 2")

        for viewer in (SPECTATOR, GREEN):
            assert shown(table.entries, viewer)[-1].secret == b""
        assert shown(table.entries, RED)[-1] == table.entries[-1]

    def test_nothing_is_opened_before_all_have_chosen(self) -> None:
        table = Table()
        table.seal("red bid 2")

        with pytest.raises(GuardRejected, match="once all seats have chosen"):
            table.open("red bid 2")

    @pytest.mark.parametrize(("text", "salt"), [("red bid 1", SALT), ("red bid 2", b"x" * 32)])
    def test_another_opening_is_refused_and_stored_nowhere(self, text: str, salt: bytes) -> None:
        table = self.sealed()
        before = table.entries

        with pytest.raises(GuardRejected, match="not those that the seat sealed"):
            table.open(text, salt)
        assert table.entries == before

    def test_an_illegal_choice_is_refused_and_counts_as_not_opened(self) -> None:
        table = Table()
        table.play(*CHOSEN, NEXT_PRIZE)
        table.seal("red bid 2")  # it was spent in the first round
        table.play("green bid 2", "blue bid 1")
        before = table.entries

        assert isinstance(table.open("red bid 2"), Illegal)
        assert table.entries == before

    def test_a_choice_that_the_service_sealed_is_not_opened(self) -> None:
        table = self.sealed()

        with pytest.raises(GuardRejected, match="no choice itself"):
            table.open("green bid 1")


class TestSilentSeats:
    def test_by_default_the_match_waits(self) -> None:
        table = Table()
        table.play(*CHOSEN[:2])

        with pytest.raises(GuardRejected, match="does not answer for seats"):
            table.answer_for("red bid 2")

    def test_the_arbiter_answers_for_a_seat_that_never_chooses(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.play(*CHOSEN[:2])

        table.answer_for("red bid 3")

        assert kinds(table.entries)[-2:] == [EntryKind.ANSWER_FOR, EntryKind.REVEAL_CHOICES]
        assert [each.salt == b"" for each in decode_reveal(table.entries[-1].move)] == [False, True, False]
        assert audited(table.entries) == Verified()
        assert Ledger(table.log).current(MATCH) == table.ledger.current(MATCH)

    def test_the_arbiter_answers_for_a_seat_that_never_opens(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.seal("red bid 2")
        table.play("green bid 1", "blue bid 2")

        table.answer_for("red bid 3")

        assert audited(table.entries) == Verified()

    def test_the_arbiter_answers_last(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.play("green bid 1")

        with pytest.raises(GuardRejected, match="all others"):
            table.answer_for("red bid 2")

    def test_the_arbiter_breaks_no_rules_either(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.play(*CHOSEN, NEXT_PRIZE, "green bid 2", "blue bid 1")

        assert isinstance(table.answer_for("red bid 2"), Illegal)

    @pytest.mark.parametrize(("draws", "dealer"), MODES)
    def test_the_arbiter_closes_the_match(self, draws: Draws, dealer: Dealer) -> None:
        table = Table(goofspiel_header(draws, dealer))
        notice = Notice(EntryKind.CLOSE, ARBITER, encode_close(Close("red went home")))

        add_notice(table.ledger, MATCH, table.last, "close", notice)

        unsealed = [EntryKind.UNSEAL] if dealer is Dealer.SERVICE else []
        assert kinds(table.entries)[-1 - len(unsealed) :] == [EntryKind.CLOSE, *unsealed]
        assert audited(table.entries) == Verified()
        texts = [text for text, _ in describe_entries(table.entries)]
        assert "arbiter closes the match: red went home" in texts
        for again in (notice, Notice(EntryKind.REQUEST_TAKEBACK, RED, b"")):
            with pytest.raises((GuardRejected, NotAllowed)):
                add_notice(table.ledger, MATCH, table.last, "again", again)

    def test_a_match_whose_shares_never_came_is_closed_without_a_secret(self) -> None:
        table = Table(replace(goofspiel_header(Draws.RECORDED, Dealer.SERVICE), sharers=(RED,)))
        notice = Notice(EntryKind.CLOSE, ARBITER, encode_close(Close()))

        add_notice(table.ledger, MATCH, 0, "close", notice)

        assert kinds(table.entries) == [EntryKind.HEADER, EntryKind.CLOSE]
        assert audited(table.entries) == Verified()


class TestTakebacks:
    def test_a_question_that_was_taken_back_is_asked_again_as_the_match_stands_then(self) -> None:
        table = Table()
        table.play("red bid 2")
        retract(table.ledger, MATCH, table.last, "back", ARBITER, Retraction(DEALT, ""))

        assert table.ledger.current(MATCH).asked is None
        assert table.ledger.current(MATCH) == rebuild(table.entries)

    def test_a_seat_takes_back_to_before_the_first_choice(self) -> None:
        table = Table()
        table.play(*CHOSEN[:2])

        retract(table.ledger, MATCH, DEALT + 2, "back", GREEN, Retraction(DEALT))

        assert table.ledger.current(MATCH).awaiting() == (GREEN, RED, BLUE)
        table.play(*CHOSEN)
        assert audited(table.entries) == Verified()

    def test_nothing_goes_back_between_a_choice_and_its_reveal(self) -> None:
        table = Table()
        table.play(*CHOSEN)
        for to_sequence in range(DEALT + 1, DEALT + 4):
            with pytest.raises(GuardRejected, match="take back to before the first choice"):
                retract(table.ledger, MATCH, table.last, "back", ARBITER, Retraction(to_sequence))
        retract(table.ledger, MATCH, table.last, "back", ARBITER, Retraction(DEALT))
        with pytest.raises(GuardRejected):
            retract(table.ledger, MATCH, table.last, "forth", ARBITER, Retraction(DEALT + 2))

        retract(table.ledger, MATCH, table.last, "forth", ARBITER, Retraction(DEALT + 4))
        assert audited(table.entries) == Verified()

    def test_a_seat_does_not_take_back_past_a_reveal_unless_the_match_allows_it(self) -> None:
        strict, lenient = Table(), Table(goofspiel_header(takebacks=TakebackPolicy.PAST_REVEALED))
        strict.play(*CHOSEN)
        lenient.play(*CHOSEN)

        with pytest.raises(NotAllowed, match="past the reveal"):
            retract(strict.ledger, MATCH, DEALT + 4, "back", RED, Retraction(DEALT))
        retract(lenient.ledger, MATCH, DEALT + 4, "back", RED, Retraction(DEALT))
        assert audited(lenient.entries) == Verified()


@pytest.mark.parametrize(("draws", "dealer"), MODES)
@given(seed=st.integers(0, 10**6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_whatever_is_played_its_record_verifies(draws: Draws, dealer: Dealer, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    table = Table(goofspiel_header(draws, dealer))
    for _ in moves_of(table, dice, dice.randrange(5, 60)):
        pass
    entries = table.entries
    over = table.ledger.current(MATCH).state.outcome() is not None

    assert audited(entries) == Verified()
    assert Ledger(table.log, secrets=lambda _: b"S" * 32).current(MATCH) == table.ledger.current(MATCH)
    for viewer in (SPECTATOR, RED):
        seen = audited(shown(entries, viewer), complete=False)
        assert not isinstance(seen, CorruptAt | DivergedAt | IllegalAt), seen
        if over and dealer is Dealer.SERVICE:
            assert seen == Verified()
    if not any(entry.kind == EntryKind.CHOOSE for entry in entries[-2:]):
        assert verify_transcript(as_transcript(entries)).verdict == Verified()


def moves_of(table: Table, dice: random.Random, most: int) -> Iterator[None]:
    """Play random moves: open ones, choices that the service seals, and some that seats seal themselves."""
    sealed: dict[Seat, str] = {}
    for _ in range(most):
        current = table.ledger.current(MATCH)
        awaited = current.awaiting()
        if not awaited:
            return
        actor = dice.choice(awaited)
        if actor in current.guards.choices.to_open():
            assert isinstance(actor, int)
            table.open(sealed[actor])
        else:
            legal = list(current.state.legal_moves(actor))
            text = current.state.write_move(dice.choice(legal))
            if actor in current.state.asked_in_secret() and dice.randrange(2):
                assert isinstance(actor, int)
                sealed[actor] = text
                table.seal(text)
            else:
                table.play(text)
        yield


def test_a_reveal_is_described_with_every_choice() -> None:
    texts = [text for text, _ in describe_entries(played())]

    assert texts[DEALT + 4] == "chance reveals: green bid 1, red bid 2, blue bid 2"
