"""Forged sealed choices: no choice can be changed after it was made. Forgers recompute every hash."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.concealment import (
    AnswerFor,
    Hidden,
    RevealedChoice,
    decode_reveal,
    encode_answer,
    encode_hidden,
    encode_reveal,
)
from records.entry import (
    ChoicePolicy,
    Concealment,
    Entry,
    EntryKind,
    actor_number,
    with_hash,
)
from records.evidence.concealment import CHOICE, Commitment, format_concealed, parse_concealed
from records.replay.choices import OpenedChoice, digest_of
from records.replay.disclosure import hidden_of
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified
from rules.kernel.actors import CHANCE, SPECTATOR
from tests.records.matches import forged
from tests.records.replay.chosen import CHOSEN, audited, played, shown
from tests.rules.kit.goofspiel_records import (
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


@pytest.fixture(autouse=True)
def _goofspiel_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def revealed(entries: list[Entry], place: int = DEALT + 4) -> tuple[RevealedChoice, ...]:
    return decode_reveal(entries[place].move)


def with_reveal(
    entries: list[Entry], *, salt: bytes | None = None, move: bytes | None = None, sequence: int | None = None
) -> list[Entry]:
    """The record with something else revealed of red's choice."""
    green, red, blue = revealed(entries)
    other = RevealedChoice(red.seat, sequence or red.sequence, salt or red.salt, move or red.move)
    return forged(entries, DEALT + 4, move=encode_reveal((green, other, blue)))


class TestForgeries:
    def bad(self, entries: list[Entry], sequence: int, *words: str) -> None:
        for verdict in (audited(entries), audited(shown(entries, SPECTATOR), complete=False)):
            assert isinstance(verdict, CorruptAt | DivergedAt | IllegalAt)
            assert verdict.sequence == sequence
            if words and not isinstance(verdict, IllegalAt):
                assert all(word in verdict.why for word in words), verdict.why

    def test_a_tampered_commitment_is_found(self) -> None:
        entries = played()
        other = format_concealed([Commitment(CHOICE, 1 << GREEN, b"d" * 32)])

        tampered = forged(entries, DEALT + 1, concealed=other)

        assert isinstance(audited(tampered), CorruptAt)
        verdict = audited(shown(tampered, SPECTATOR), complete=False)
        assert isinstance(verdict, CorruptAt)
        assert verdict == CorruptAt(DEALT + 4, "seat 0 sealed another choice than the one revealed")

    def test_a_wrong_salt_is_found(self) -> None:
        self.bad(with_reveal(played(), salt=b"x" * 32), DEALT + 4, "seat 1", "another choice")

    def test_another_move_than_was_sealed_is_found(self) -> None:
        entries = played()
        other = revealed(entries)[0].move

        self.bad(with_reveal(entries, move=other), DEALT + 4, "seat 1", "another choice")

    def test_a_choice_in_the_name_of_another_entry_is_found(self) -> None:
        self.bad(with_reveal(played(), sequence=DEALT + 2), DEALT + 4, "seat 1")

    def test_a_reveal_without_a_seat_is_found(self) -> None:
        entries = played()

        self.bad(forged(entries, DEALT + 4, move=encode_reveal(revealed(entries)[:2])), DEALT + 4, "seat 2")

    def test_a_missing_reveal_is_found(self) -> None:
        self.bad(played()[: DEALT + 4], DEALT + 3, "nothing is revealed")

    def test_a_reveal_of_nothing_is_found(self) -> None:
        entries = played()
        early = structs.replace(entries[DEALT + 4], sequence=DEALT + 1, position=0)

        self.bad(forged([*entries[: DEALT + 1], early], DEALT + 1), DEALT + 1)

    def test_other_events_of_a_reveal_are_found(self) -> None:
        entries = played()
        other = Table()
        other.play("green bid 2", "red bid 2", "blue bid 2")

        self.bad(forged(entries, DEALT + 4, events=other.entries[DEALT + 4].events), DEALT + 4)

    def test_a_choice_that_shows_something_is_found(self) -> None:
        entries = played()
        open_ = Table(goofspiel_header(concealment=Concealment.OPEN))
        events = open_.play("green bid 1").entry.events

        self.bad(forged(entries, DEALT + 1, events=events), DEALT + 1)

    def test_an_open_move_where_seats_choose_in_secret_is_found(self) -> None:
        table = Table(goofspiel_header(concealment=Concealment.OPEN))
        table.play(*CHOSEN)
        sealed = Table().entries[0]

        self.bad(forged([sealed, *table.entries[1:]], 1), DEALT + 1, "in secret")

    def test_a_copied_digest_is_nobody_elses_choice(self) -> None:
        """Actor and sequence are in it, so it opens only where it was made."""
        table = Table()
        table.seal("green bid 1")
        (commitment,) = parse_concealed(table.entries[DEALT + 1].concealed)
        copied = digest_of(MATCH, RED, DEALT + 2, OpenedChoice(SALT, table.read("red bid 1").data))

        assert commitment.digest != copied

    def test_an_illegal_choice_is_illegal_and_names_the_seat(self) -> None:
        table = Table()
        table.play(*CHOSEN, NEXT_PRIZE)
        table.seal("red bid 2")  # it was spent in the first round
        table.play("green bid 2", "blue bid 1")
        entries = table.entries
        choices = [
            RevealedChoice(0, entries[-2].sequence, hidden_of(entries[-2]).parts[0].salt, b""),
            RevealedChoice(1, entries[-3].sequence, SALT, table.read("red bid 2").data),
            RevealedChoice(2, entries[-1].sequence, hidden_of(entries[-1]).parts[0].salt, b""),
        ]
        moves = {0: "green bid 2", 2: "blue bid 1"}
        revealed = tuple(
            replace(each, move=table.read(moves[each.seat]).data) if each.seat in moves else each
            for each in choices
        )
        last = entries[-1]
        reveal = Entry(
            MATCH,
            last.sequence + 1,
            EntryKind.REVEAL_CHOICES,
            actor_number(CHANCE),
            encode_reveal(revealed),
            b"",
            last.state,
            "reveal",
            last.recorded,
            last.hash,
            concealed=b"\x02",
        )

        verdict = audited([*entries, with_hash(reveal)])

        assert isinstance(verdict, IllegalAt)
        assert verdict.move == "red bid 2"

    def test_an_answer_by_the_arbiter_that_the_match_does_not_allow_is_found(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.play(*CHOSEN[:2])
        table.answer_for("red bid 2")
        strict = Table().entries[0]

        self.bad(forged([strict, *table.entries[1:]], 1), DEALT + 3, "does not answer")

    def test_an_answer_by_the_arbiter_is_revealed_as_it_was_given(self) -> None:
        table = Table(goofspiel_header(policy=ChoicePolicy.ARBITER))
        table.play(*CHOSEN[:2])
        table.answer_for("red bid 2")
        other = encode_answer(AnswerFor(RED, table.read("red bid 3").data))

        self.bad(forged(table.entries, DEALT + 3, move=other), DEALT + 4, "seat 1")

    @pytest.mark.parametrize("kind", [EntryKind.REVEAL_CHOICES, EntryKind.CHOOSE, EntryKind.ANSWER_FOR])
    def test_nobody_makes_them_in_anothers_name(self, kind: EntryKind) -> None:
        entries = played()
        wrong = {EntryKind.REVEAL_CHOICES: 0, EntryKind.CHOOSE: actor_number(CHANCE), EntryKind.ANSWER_FOR: 1}
        place = DEALT + (4 if kind is EntryKind.REVEAL_CHOICES else 1)

        verdict = audited(forged(entries, place, kind=kind, actor=wrong[kind]))

        assert isinstance(verdict, CorruptAt)

    @given(st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_no_byte_of_a_choice_or_a_reveal_can_be_changed(self, data: st.DataObject) -> None:
        entries = played()
        place = data.draw(st.integers(DEALT + 1, DEALT + 4))
        field = data.draw(st.sampled_from(["move", "events", "concealed", "secret", "actor", "kind"]))
        value = getattr(entries[place], field)
        if isinstance(value, int):
            changed: object = value + data.draw(st.sampled_from([-1, 1, 2]))
        else:
            raw = bytearray(value or b"\x00")
            raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
            changed = bytes(raw)

        verdict = audited(forged(entries, place, **{field: changed}))

        assert verdict != Verified() or (field == "secret" and _same_hidden(entries[place], changed))


def _same_hidden(entry: Entry, changed: object) -> bool:
    assert isinstance(changed, bytes)
    return hidden_of(structs.replace(entry, secret=changed)) == hidden_of(entry)


def test_a_choice_kept_outside_the_hash_must_fit_its_digest() -> None:
    entries = played()
    one, other = entries[DEALT + 1], entries[DEALT + 3]
    entries[DEALT + 1] = structs.replace(one, secret=encode_hidden(Hidden(hidden_of(other).parts)))

    verdict = audited(entries)

    assert isinstance(verdict, CorruptAt)
    assert verdict.sequence == DEALT + 1
