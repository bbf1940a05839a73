"""Sealed matches: the order is fixed, every draw proves its place, and nobody sees more than allowed."""

import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.audit.record import audit_record
from records.codec.evidence import (
    Concealed,
    decode_concealed,
    decode_seal,
    encode_commitment,
    encode_concealed,
    encode_seal,
    encode_secret,
    encode_share,
)
from records.codec.header import Retraction
from records.entry import Dealer, Entry, EntryKind, MatchHeader, MatchId, with_hash
from records.evidence.sealing import commit_share, seal
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.ledger.builder import Notice
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, retract
from records.ledger.transfer import VerifiedImport, as_transcript, judge, store
from records.log.memory import MemoryLog
from records.replay.disclosure import for_viewer
from records.replay.fold import CorruptRecord, rebuild
from records.replay.guards import GuardRejected
from records.verdict import AuditReport, CorruptAt, DivergedAt, Verified, VerifiedAsShown
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Seat, Viewer
from rules.kernel.setup import Draws
from tests.records.matches import header
from tests.records.replay.test_policies import secrets
from tests.records.transcripts import verify_transcript
from tools.dev.version_1 import Version1Ledger

MATCH = MatchId("sealed")


def sealed(sharers: tuple[int, ...] = (), **rulings: str) -> MatchHeader:
    plain = header(rulings=tuple((name.replace("_", "-"), value) for name, value in rulings.items()))
    setup = replace(plain.setup, draws=Draws.RECORDED)
    return replace(plain, setup=setup, dealer=Dealer.SERVICE, sharers=sharers)


def book(log: MemoryLog, match: MatchId = MATCH) -> Ledger:
    return Version1Ledger(log, secrets=secrets, new_id=lambda: match, clock=lambda: 0)


def play_on(ledger: Ledger, match: MatchId, moves: int, seed: int = 0) -> None:
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    for number in range(moves):
        current = ledger.current(match)
        awaited = current.state.awaiting()
        if not awaited:
            return
        legal = list(current.state.legal_moves(awaited[0]))
        ledger.append(match, current.sequence, f"move {number}", dice.choice(legal))


@cache
def record(moves: int = 6, seed: int = 0) -> tuple[Entry, ...]:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(sealed(), "start")
    play_on(ledger, MATCH, moves, seed)
    return tuple(log.read(MATCH))


@cache
def whole() -> tuple[Entry, ...]:
    return record(200)


def audited(entries: list[Entry] | tuple[Entry, ...]) -> AuditReport:
    return audit_record(entries[0].match, entries)


def rechained(entries: list[Entry]) -> list[Entry]:
    """With hashes that fit, as a forger who has the whole file can make them."""
    chain: list[Entry] = []
    for entry in entries:
        previous = chain[-1].hash if chain else entry.previous
        chain.append(with_hash(structs.replace(entry, previous=previous)))
    return chain


def shown(entries: tuple[Entry, ...], viewer: Viewer) -> list[Entry]:
    """The record as the viewer gets it."""
    return [
        for_viewer(rebuild(entries[:place]).state, CHANCE, entry, viewer) if entry.secret else entry
        for place, entry in enumerate(entries)
    ]


def test_the_order_is_sealed_before_the_first_hand() -> None:
    assert [entry.kind for entry in record()[:4]] == [
        EntryKind.HEADER,
        EntryKind.SEAL,
        EntryKind.MOVE,
        EntryKind.MOVE,
    ]
    assert len(decode_seal(record()[1].move).stock) == 72


def test_a_match_that_is_over_is_unsealed() -> None:
    assert whole()[-1].kind == EntryKind.UNSEAL
    assert audited(whole()).verdict == Verified()


def test_nothing_is_played_after_that() -> None:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(sealed(), "start")
    play_on(ledger, MATCH, 200)

    with pytest.raises(GuardRejected, match="is revealed"):
        retract(ledger, MATCH, ledger.current(MATCH).sequence, "back", ARBITER, Retraction(3))


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1), SPECTATOR])
def test_a_record_without_what_one_may_not_see_has_the_same_hashes(viewer: Viewer) -> None:
    for entries in (record(), whole()):
        assert [entry.hash for entry in shown(entries, viewer)] == [entry.hash for entry in entries]


def test_an_auditor_sees_all_of_it() -> None:
    assert shown(record(), AUDITOR) == list(record())


def test_a_spectators_record_shows_no_tile_that_is_still_in_a_hand() -> None:
    written = b"".join(write_record(shown(record(0), SPECTATOR)))

    assert b'"text":"deal green ? ? ?"' in written
    assert [each.sequence for each in audited(shown(record(0), SPECTATOR)).unjudged] == [2, 3]


def with_secret(entry: Entry, concealed: Concealed) -> Entry:
    return structs.replace(entry, secret=encode_concealed(concealed))


def test_another_tile_than_was_sealed_shows() -> None:
    entries = list(record())
    concealed = decode_concealed(entries[2].secret)
    order = seal(MATCH, 0, decode_seal(entries[1].move).stock, b"\x07" * 32)
    others = tuple(order.open(opening.index) for opening in concealed.openings)
    entries[2] = with_secret(entries[2], replace(concealed, openings=others))

    verdict = audited(entries).verdict

    assert isinstance(verdict, DivergedAt)
    assert "was not sealed" in verdict.why


def test_another_move_than_the_places_hold_shows() -> None:
    entries = list(record())
    one, other = (decode_concealed(entry.secret) for entry in entries[2:4])
    entries[2] = with_secret(entries[2], replace(one, move=other.move, events=other.events))

    assert not isinstance(audited(entries).verdict, Verified)


def test_a_place_that_was_drawn_before_shows() -> None:
    entries = list(record())
    draws = [place for place, entry in enumerate(entries) if entry.secret][2:]
    first, second = draws[0], draws[1]
    again = decode_concealed(entries[first].secret).openings
    entries[second] = with_secret(
        entries[second], replace(decode_concealed(entries[second].secret), openings=again)
    )

    verdict = audited(entries).verdict

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == second
    assert "were due" in verdict.why


@given(st.data())
def test_no_byte_of_a_secret_can_be_changed(data: st.DataObject) -> None:
    entries = list(record())
    place = data.draw(st.sampled_from([place for place, entry in enumerate(entries) if entry.secret]))
    secret = bytearray(entries[place].secret)
    secret[data.draw(st.integers(0, len(secret) - 1))] ^= data.draw(st.integers(1, 255))
    entries[place] = structs.replace(entries[place], secret=bytes(secret))
    report = audited(entries)

    # A longer encoding of the same message is harmless.
    assert not isinstance(report.verdict, Verified) or _same(bytes(secret), record()[place].secret)


def _same(one: bytes, other: bytes) -> bool:
    try:
        return decode_concealed(one) == decode_concealed(other)
    except ValueError:
        return False


def test_a_secret_where_nothing_is_sealed_is_corrupt() -> None:
    log = MemoryLog()
    ledger = Ledger(log)
    first = ledger.start(header(), "start").entry
    stranger = structs.replace(first, secret=b"x")

    assert isinstance(audited([stranger]).verdict, CorruptAt)


def test_a_service_that_chose_among_orders_is_found_out_in_the_end() -> None:
    entries = list(whole())
    first = decode_seal(entries[1].move)
    seed = _seed(entries)
    second = seal(MATCH, first.number + 1, first.stock, seed)
    entries[1] = structs.replace(
        entries[1], move=encode_seal(replace(first, number=first.number + 1, root=second.seal.root))
    )

    verdict = audited(rechained(entries)).verdict

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == 1


def _seed(entries: list[Entry]) -> bytes:
    sealing = rebuild(entries[:1]).guards.sealing
    assert sealing is not None
    return sealing.seed(secrets(MATCH))


def test_another_secret_than_the_service_committed_to_is_corrupt() -> None:
    entries = list(whole())
    entries[-1] = structs.replace(entries[-1], move=encode_secret(b"\x09" * 32))

    verdict = audited(rechained(entries)).verdict

    assert isinstance(verdict, CorruptAt)
    assert verdict.sequence == len(entries) - 1


def test_a_root_that_the_seed_does_not_yield_is_corrupt_in_the_end() -> None:
    entries = list(whole())
    entries[1] = structs.replace(
        entries[1], move=encode_seal(replace(decode_seal(entries[1].move), root=bytes(32)))
    )
    stripped = [structs.replace(entry, secret=b"") for entry in entries]

    assert isinstance(audited(rechained(stripped)).verdict, CorruptAt)


class TestShares:
    SHARES = (b"\x01" * 32, b"\x02" * 32)

    def begin(self) -> tuple[Ledger, MemoryLog]:
        log = MemoryLog()
        ledger = book(log)
        ledger.start(sealed((0, 1)), "start")
        return ledger, log

    def commit(self, ledger: Ledger, seat: int, commitment: bytes | None = None) -> None:
        content = encode_commitment(commitment or commit_share(MATCH, seat, self.SHARES[seat]))
        self.say(ledger, EntryKind.COMMIT_SHARE, seat, content)

    def reveal(self, ledger: Ledger, seat: int, share: bytes | None = None) -> None:
        self.say(ledger, EntryKind.REVEAL_SHARE, seat, encode_share(share or self.SHARES[seat]))

    def say(self, ledger: Ledger, kind: EntryKind, seat: int, content: bytes) -> None:
        sequence = ledger.current(MATCH).sequence
        add_notice(ledger, MATCH, sequence, f"r{sequence}", Notice(kind, Seat(seat), content))

    def test_nothing_is_dealt_before_all_shares_are_revealed(self) -> None:
        ledger, log = self.begin()
        for seat in (0, 1):
            self.commit(ledger, seat)
        self.reveal(ledger, 1)
        assert len(list(log.read(MATCH))) == 4

        self.reveal(ledger, 0)

        assert [entry.kind for entry in log.read(MATCH)][5:] == [
            EntryKind.SEAL,
            EntryKind.MOVE,
            EntryKind.MOVE,
        ]
        play_on(ledger, MATCH, 200)
        assert isinstance(audited(list(log.read(MATCH))).verdict, Verified)

    def test_a_share_changes_the_order(self) -> None:
        roots = set()
        for share in (b"\x01" * 32, b"\x05" * 32):
            ledger, log = self.begin()
            self.commit(ledger, 0, commit_share(MATCH, 0, share))
            self.commit(ledger, 1)
            self.reveal(ledger, 0, share)
            self.reveal(ledger, 1)
            roots.add(decode_seal(list(log.read(MATCH))[5].move).root)

        assert len(roots) == 2

    def test_nobody_reveals_before_all_have_committed(self) -> None:
        ledger, _ = self.begin()
        self.commit(ledger, 0)

        with pytest.raises(GuardRejected, match="after all seats have committed"):
            self.reveal(ledger, 0)

    def test_nobody_reveals_another_share_or_twice(self) -> None:
        ledger, _ = self.begin()
        for seat in (0, 1):
            self.commit(ledger, seat)

        with pytest.raises(GuardRejected, match="another share"):
            self.reveal(ledger, 0, b"\x07" * 32)
        self.reveal(ledger, 0)
        with pytest.raises(GuardRejected, match="once"):
            self.reveal(ledger, 0)

    def test_nobody_commits_twice_or_without_being_named(self) -> None:
        ledger, _ = self.begin()
        self.commit(ledger, 0)

        with pytest.raises(GuardRejected, match="once"):
            self.commit(ledger, 0)
        with pytest.raises(GuardRejected):
            self.commit(ledger, 1, b"short")


def test_a_sealed_record_goes_through_files_and_other_archives() -> None:
    incoming = judge(b"".join(write_record(whole())))
    assert isinstance(incoming, VerifiedImport)
    log = MemoryLog()
    store(log, [incoming])

    assert tuple(entry.secret for entry in log.read(MATCH)) == tuple(entry.secret for entry in whole())
    text = write_transcript(as_transcript(whole()))
    assert "?" not in text.split("\n\n")[1]
    assert isinstance(verify_transcript(as_transcript(whole())).verdict, Verified)


@given(st.integers(0, 10**6))
def test_whatever_is_played_the_record_is_rebuilt_and_verifies(seed: int) -> None:
    log = MemoryLog()
    ledger = book(log, MatchId(f"match-{seed}"))
    match = ledger.start(sealed(fair_start="redeal-all"), "start").entry.match
    play_on(ledger, match, seed % 20, seed)
    entries = list(log.read(match))

    assert rebuild(entries) == ledger.current(match)
    assert isinstance(audited(entries).verdict, Verified)
    assert isinstance(audited(shown(tuple(entries), SPECTATOR)).verdict, VerifiedAsShown)


def test_hashes_are_over_what_everybody_sees() -> None:
    entries = record()
    for entry in entries:
        assert with_hash(structs.replace(entry, secret=b"")).hash == entry.hash


def test_a_forged_draw_is_refused_on_the_way_back() -> None:
    entries = list(record())
    entries[2] = structs.replace(entries[2], secret=b"\xff")

    with pytest.raises(CorruptRecord):
        rebuild(entries)
