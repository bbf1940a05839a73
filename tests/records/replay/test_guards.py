"""Signed records: an actor with a key signs every request, and nobody else can sign for that actor."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.audit.record import audit_record
from records.codec.header import KeyRotation, Retraction, encode_retraction, encode_rotation
from records.codec.qin import QIN_CODEC
from records.entry import Entry, EntryKind, MatchHeader, MatchId, RetractPolicy, actor_number, with_hash
from records.evidence import signing
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim
from records.files.record_file import write_record
from records.games.bound import bind
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.ledger.builder import Notice, PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, judge_retract
from records.log.memory import MemoryLog
from records.replay.fold import CorruptRecord, rebuild
from records.replay.guards import GuardRejected, guards_of
from records.verdict import CorruptAt, Verified
from rules.kernel.actors import ARBITER, Actor, Seat
from rules.kernel.setup import BadSetup, Draws
from rules.qin.game import QIN
from tests.records.matches import MOVES, header
from tests.tools.running import run
from tools.dev.version_1 import Version1Ledger

GREEN, VIOLET, OTHER, JUDGE = (SecretKey(bytes([number]) * 32) for number in range(1, 5))
BY_ARBITER = actor_number(ARBITER)


def keyed() -> MatchHeader:
    keys = ((0, GREEN.public.raw), (BY_ARBITER, JUDGE.public.raw))
    return replace(header(), keys=keys, retract=RetractPolicy.ANY_SEAT)


class Table:
    """A match in which green and the arbiter sign, and violet does not."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.ledger = Ledger(self.log)
        self.match = self.ledger.start(keyed(), "start").entry.match

    @property
    def entries(self) -> list[Entry]:
        return list(self.log.read(self.match))

    def read(self, text: str) -> Candidate:
        return self.ledger.current(self.match).state.parse_text(text)

    def claim(self, kind: EntryKind, actor: Actor, move: bytes) -> Claim:
        current = self.ledger.current(self.match)
        sequence, version = current.sequence + 1, current.header.entry_version
        return Claim(self.match, sequence, kind, actor_number(actor), current.hash, move, version)

    def play(self, text: str, key: SecretKey | None = None) -> None:
        asked = self.read(text)
        signature = key.sign(self.claim(EntryKind.MOVE, asked.actor, asked.data).digest) if key else b""
        self.ask(asked, signature)

    def ask(self, asked: Candidate, signature: bytes) -> None:
        sequence = self.ledger.current(self.match).sequence
        ready = self.ledger.judge_append(self.match, sequence, f"r{sequence}", (asked,), signature)
        assert isinstance(ready, PreparedAppend), ready
        self.ledger.settle(ready, self.log.write([ready.append])[0])

    def rotate(self, old: SecretKey, new: SecretKey) -> None:
        current = self.ledger.current(self.match)
        rotation = signing.RotationClaim(self.match, current.sequence + 1, 0, current.hash, new.public)
        content = encode_rotation(KeyRotation(new.public.raw, new.sign(rotation.digest)))
        notice = Notice(EntryKind.ROTATE_KEY, Seat(0), content, old.sign(rotation.digest))
        add_notice(self.ledger, self.match, current.sequence, f"r{current.sequence}", notice)


@pytest.fixture
def table() -> Table:
    return Table()


def verdict(entries: list[Entry]) -> object:
    return audit_record(entries[0].match, entries).verdict


def test_a_signed_match_verifies(table: Table) -> None:
    table.play(MOVES[0], GREEN)
    table.play(MOVES[1])

    assert isinstance(verdict(table.entries), Verified)
    assert rebuild(table.entries) == table.ledger.current(table.match)


@pytest.mark.parametrize("key", [None, VIOLET])
def test_a_move_that_is_not_signed_by_its_seat_is_never_stored(table: Table, key: SecretKey | None) -> None:
    with pytest.raises(GuardRejected):
        table.play(MOVES[0], key)

    assert len(table.entries) == 1


def test_a_signature_of_an_actor_without_a_key_proves_nothing_and_is_refused(table: Table) -> None:
    table.play(MOVES[0], GREEN)

    with pytest.raises(GuardRejected, match="has no key in this match"):
        table.play(MOVES[1], VIOLET)


@given(st.binary(max_size=80))
def test_no_other_bytes_are_a_signature(signature: bytes) -> None:
    table = Table()

    with pytest.raises(GuardRejected):
        table.ask(table.read(MOVES[0]), signature)


def test_a_signature_is_good_in_its_match_and_at_its_place_only(table: Table) -> None:
    other = Table()
    asked = table.read(MOVES[0])
    elsewhere = GREEN.sign(other.claim(EntryKind.MOVE, asked.actor, asked.data).digest)
    later = replace(table.claim(EntryKind.MOVE, asked.actor, asked.data), sequence=2)

    for signature in (elsewhere, GREEN.sign(later.digest)):
        with pytest.raises(GuardRejected):
            table.ask(asked, signature)


def test_of_several_moves_only_the_first_can_be_signed(table: Table) -> None:
    first = table.read(MOVES[0])
    signature = GREEN.sign(table.claim(EntryKind.MOVE, first.actor, first.data).digest)
    second = table.read(MOVES[1])

    ready = table.ledger.judge_append(table.match, 0, "two", (first, second), signature)

    assert isinstance(ready, PreparedAppend)
    assert [bool(entry.signature) for entry in ready.append.entries] == [True, False]


def test_going_back_is_signed_too(table: Table) -> None:
    table.play(MOVES[0], GREEN)
    retraction = Retraction(0, "a slip")
    claim = table.claim(EntryKind.RETRACT, Seat(0), encode_retraction(retraction))

    with pytest.raises(GuardRejected):
        judge_retract(table.ledger, table.match, 1, "back", Seat(0), retraction)
    ready = judge_retract(
        table.ledger, table.match, 1, "back", Seat(0), retraction, signature=GREEN.sign(claim.digest)
    )
    assert isinstance(ready, PreparedAppend)
    table.ledger.settle(ready, table.log.write([ready.append])[0])

    assert isinstance(verdict(table.entries), Verified)


def test_after_a_change_of_keys_the_new_one_signs_and_the_old_one_does_not(table: Table) -> None:
    table.rotate(GREEN, OTHER)

    with pytest.raises(GuardRejected):
        table.play(MOVES[0], GREEN)
    table.play(MOVES[0], OTHER)

    assert isinstance(verdict(table.entries), Verified)
    assert rebuild(table.entries) == table.ledger.current(table.match)


def test_only_the_holder_of_a_key_changes_it(table: Table) -> None:
    with pytest.raises(GuardRejected):
        table.rotate(VIOLET, OTHER)


def test_a_change_of_keys_is_not_undone_by_going_back(table: Table) -> None:
    table.rotate(GREEN, OTHER)
    table.play(MOVES[0], OTHER)
    claim = table.claim(EntryKind.RETRACT, Seat(0), encode_retraction(Retraction(0)))
    ready = judge_retract(
        table.ledger, table.match, 2, "back", Seat(0), Retraction(0), signature=OTHER.sign(claim.digest)
    )
    assert isinstance(ready, PreparedAppend)
    table.ledger.settle(ready, table.log.write([ready.append])[0])

    table.play(MOVES[0], OTHER)

    assert isinstance(verdict(table.entries), Verified)
    assert rebuild(table.entries) == table.ledger.current(table.match)


def test_a_forger_with_the_whole_file_cannot_sign(table: Table) -> None:
    table.play(MOVES[0], GREEN)
    table.play(MOVES[1])
    first, signed, last = table.entries
    for forged in (b"", VIOLET.sign(b""), signed.signature[::-1]):
        changed = with_hash(structs.replace(signed, signature=forged))
        chain = [first, changed, with_hash(structs.replace(last, previous=changed.hash))]

        assert isinstance(verdict(chain), CorruptAt)
        with pytest.raises(CorruptRecord):
            rebuild(chain)


def test_a_signature_in_a_record_without_keys_is_corrupt() -> None:
    log = MemoryLog()
    ledger = Ledger(log)
    first = ledger.start(header(), "start").entry
    asked = ledger.current(first.match).state.parse_text(MOVES[0])
    ledger.append(first.match, 0, "one", asked)
    entries = list(log.read(first.match))
    signed = with_hash(structs.replace(entries[1], signature=bytes(64)))

    assert isinstance(verdict([first, signed]), CorruptAt)


def test_a_report_says_how_much_of_a_record_is_signed(table: Table, tmp_path: Path) -> None:
    table.play(MOVES[0], GREEN)
    table.play(MOVES[1])
    file = tmp_path / "signed.jsonl"
    file.write_bytes(b"".join(write_record(table.entries)))

    assert "signed    1 of 2 entries\n" in run("verify", file).output
    assert "signed    1 of 2 entries\n" in run("diff", file, file).output


def test_invalid_keys_are_refused() -> None:
    ledger = Ledger(MemoryLog())

    with pytest.raises(BadSetup, match="32 bytes"):
        ledger.start(replace(keyed(), keys=((0, b"short"),)), "one")


def test_where_hands_are_hidden_seats_sign_in_version_2_and_not_in_version_1() -> None:
    hidden = replace(keyed(), setup=replace(keyed().setup, draws=Draws.RECORDED))

    assert Ledger(MemoryLog()).start(hidden, "one").entry.sequence == 0
    with pytest.raises(BadSetup, match="hidden"):
        Version1Ledger(MemoryLog()).start(hidden, "two")


def test_where_a_game_of_version_1_keeps_secrets_without_draws_nobody_signs_either() -> None:
    old = replace(keyed(), entry_version=1)
    open_start = find_game("qin").start(old.setup)
    secretive = bind(replace(QIN, has_secrets=lambda _: True), QIN_CODEC).start(old.setup)

    assert guards_of(old, MatchId("one"), open_start).keys.keys
    with pytest.raises(BadSetup, match="hidden"):
        guards_of(old, MatchId("one"), secretive)
