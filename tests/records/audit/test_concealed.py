"""Matches of version 2: what is hidden is bound by digests, and judged as far as it is shown or derived."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.audit.archive import ArchiveAudit
from records.codec.concealment import Hidden, encode_hidden
from records.codec.evidence import decode_seal, encode_seal
from records.codec.header import Retraction, decode_header, encode_header
from records.entry import (
    Concealment,
    Dealer,
    Entry,
    EntryKind,
    MatchId,
    RetractPolicy,
    TakebackPolicy,
    actor_number,
    entry_version,
    with_hash,
)
from records.evidence.concealment import (
    VIEW,
    Commitment,
    Part,
    PartHasher,
    Slot,
    format_concealed,
    parse_concealed,
    view_content,
)
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim
from records.ledger.builder import PreparedAppend
from records.ledger.notices import retract
from records.ledger.results import Appended, NotAllowed
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.replay.disclosure import hidden_of, in_full
from records.replay.policies import TAKEBACK_1
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified, VerifiedAsShown, word
from rules.kernel.actors import ARBITER, SPECTATOR, Seat, Viewer
from tests.records.audit.test_as_shown import BAD, forgeries
from tests.records.concealed import (
    DEALERS,
    GAMES,
    MATCH,
    audited,
    book,
    hidden_hands,
    play_on,
    record,
    shown,
    stripped,
    whole,
)
from tests.records.matches import forged

EVERY_KIND = pytest.mark.parametrize(
    ("game", "dealer"), [(game, dealer) for game in GAMES for dealer in DEALERS]
)
VIEWERS: tuple[Viewer, ...] = (SPECTATOR, Seat(0), Seat(1))
RECORDER = Dealer.RECORDER


def drawn(entries: tuple[Entry, ...]) -> list[int]:
    """The sequences of the entries with concealed parts."""
    return [entry.sequence for entry in entries if len(entry.concealed) > 1]


@EVERY_KIND
def test_what_a_ledger_writes_is_verified_in_full(game: str, dealer: Dealer) -> None:
    for entries in (record(game, dealer), whole(game, dealer)):
        assert {entry_version(entry) for entry in entries} == {2}
        assert audited(entries, complete=True) == Verified()


@EVERY_KIND
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_match_under_way_is_verified_as_far_as_a_viewer_is_shown(
    game: str, dealer: Dealer, viewer: Viewer
) -> None:
    entries = record(game, dealer, 60)
    verdict = audited(shown(entries, viewer))

    assert isinstance(verdict, VerifiedAsShown)
    bit = 1 << viewer if isinstance(viewer, int) else 0
    hidden = [
        entry.sequence
        for entry in entries
        if any(not each.audience & bit for each in parse_concealed(entry.concealed))
    ]
    assert [each.sequence for each in verdict.unjudged if "part" in each.why] == hidden != []


@EVERY_KIND
def test_an_archive_that_lost_a_part_is_corrupt(game: str, dealer: Dealer) -> None:
    entries = list(record(game, dealer, 30))
    place = drawn(tuple(entries))[-1]
    entries[place] = structs.replace(entries[place], secret=b"")

    verdict = audited(entries, complete=True)

    assert isinstance(verdict, CorruptAt)
    assert verdict.sequence == place


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_is_unsealed_is_judged_in_full_from_what_a_spectator_saw(game: str) -> None:
    entries = stripped(whole(game))

    assert entries[-1].kind == EntryKind.UNSEAL
    assert audited(entries) == Verified()
    assert isinstance(audited(entries, complete=True), CorruptAt)


@pytest.mark.parametrize("game", GAMES)
def test_an_end_without_its_secret_diverges(game: str) -> None:
    verdict = audited(whole(game)[:-1])

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == len(whole(game)) - 2


def test_a_secret_that_is_revealed_while_the_match_goes_on_diverges() -> None:
    entries = [*record(), structs.replace(whole()[-1], sequence=len(record()), state=record()[-1].state)]

    verdict = audited(forged(entries, len(entries) - 1))

    assert isinstance(verdict, DivergedAt)
    assert "goes on" in verdict.why


def test_a_seat_sees_its_own_part_and_a_spectator_none() -> None:
    entries = record()
    for place in drawn(entries):
        (commitment,) = parse_concealed(entries[place].concealed)
        owner = Seat(commitment.audience.bit_length() - 1)

        assert in_full(shown(entries, owner)[place]) == in_full(entries[place])
        assert hidden_of(shown(entries, owner)[place]).openings
        others: tuple[Viewer, ...] = (SPECTATOR, Seat(1 - owner))
        for viewer in others:
            assert shown(entries, viewer)[place].secret == b""


def test_a_draw_that_everybody_sees_is_opened_to_everybody() -> None:
    entries = record("khan")
    public = [
        entry
        for entry in entries
        if entry.kind == EntryKind.MOVE and entry.secret and len(entry.concealed) == 1
    ]

    assert public
    for entry in public:
        assert hidden_of(shown(entries, SPECTATOR)[entry.sequence]).openings


@pytest.mark.parametrize("tiles", ["RR RY BB", "RR ? ?", "? ? ?"])
def test_the_presence_of_a_part_does_not_tell_what_is_known(tiles: str) -> None:
    ledger = book(MemoryLog())
    ledger.start(hidden_hands(dealer=RECORDER), "start")
    deal = ledger.current(MATCH).state.parse_text(f"deal violet {tiles}")

    appended = ledger.append(MATCH, 0, "deal", deal)

    assert isinstance(appended, Appended)
    entry = appended.entry
    assert [(each.kind, each.audience) for each in parse_concealed(entry.concealed)] == [(VIEW, 2)]
    assert entry.move == ledger.state_at(MATCH, 0).parse_text("deal violet ? ? ?").data


# Forgers recompute every hash.


def with_part(
    entry: Entry, move: bytes, events: bytes, audience: int | None = None, salt: bytes = b"s" * 32
) -> Entry:
    """The entry with another concealed part, and a digest that fits it."""
    (commitment,) = parse_concealed(entry.concealed)
    audience = commitment.audience if audience is None else audience
    content = view_content(move, events)
    digest = PartHasher(entry.match).digest(
        Slot(entry.sequence, 0, VIEW, entry.actor, audience), salt, content
    )
    return structs.replace(
        entry,
        concealed=format_concealed([Commitment(VIEW, audience, digest)]),
        secret=encode_hidden(Hidden((Part(0, salt, content),), hidden_of(entry).openings)),
    )


Forgery = Callable[[tuple[Entry, ...]], Entry]


def another_tile(entries: tuple[Entry, ...]) -> Entry:
    """The first draw of the last seat brings what its previous one brought."""
    one, other = (entries[place] for place in drawn(entries)[-2:])
    return with_part(other, *in_full(one))


def a_wider_audience(entries: tuple[Entry, ...]) -> Entry:
    entry = entries[drawn(entries)[-1]]
    return with_part(entry, *in_full(entry), audience=3)


def nobody_to_see_it(entries: tuple[Entry, ...]) -> Entry:
    entry = entries[drawn(entries)[-1]]
    return with_part(entry, *in_full(entry), audience=0)


def shown_to_all(entries: tuple[Entry, ...]) -> Entry:
    """What was drawn is in the public part."""
    entry = entries[drawn(entries)[-1]]
    move, events = in_full(entry)
    return structs.replace(entry, move=move, events=events, concealed=format_concealed(()), secret=b"")


def no_part(entries: tuple[Entry, ...]) -> Entry:
    entry = entries[drawn(entries)[-1]]
    return structs.replace(entry, concealed=format_concealed(()), secret=b"")


def a_seats_move_with_a_part(entries: tuple[Entry, ...]) -> Entry:
    move = next(entry for entry in reversed(entries) if entry.actor >= 0)
    slot = Slot(move.sequence, 0, VIEW, move.actor, 1)
    content = view_content(move.move, move.events)
    digest = PartHasher(move.match).digest(slot, b"s" * 32, content)
    return structs.replace(
        move,
        concealed=format_concealed([Commitment(VIEW, 1, digest)]),
        secret=encode_hidden(Hidden((Part(0, b"s" * 32, content),))),
    )


FORGERIES: tuple[Forgery, ...] = (
    a_wider_audience,
    nobody_to_see_it,
    shown_to_all,
    no_part,
    a_seats_move_with_a_part,
)


def tampered(entries: tuple[Entry, ...], forge: Forgery) -> list[Entry]:
    changed = forge(entries)
    names = "move", "events", "concealed", "secret"
    return forged(entries, changed.sequence, **{name: getattr(changed, name) for name in names})


@pytest.mark.parametrize("forge", FORGERIES)
@pytest.mark.parametrize("moves", [12, 10_000], ids=["under way", "over"])
@EVERY_KIND
def test_no_forgery_is_verified(game: str, dealer: Dealer, moves: int, forge: Forgery) -> None:
    verdict = audited(tampered(record(game, dealer, moves), forge), complete=True)

    assert isinstance(verdict, CorruptAt | DivergedAt | IllegalAt)


@pytest.mark.parametrize("forge", [*FORGERIES, another_tile])
@pytest.mark.parametrize("game", GAMES)
def test_no_forgery_of_a_sealed_match_is_verified(game: str, forge: Forgery) -> None:
    """Where the recorder deals, they may record any tile that the rules allow; here the seal says which."""
    for moves in (12, 10_000):
        verdict = audited(tampered(record(game, moves=moves), forge), complete=True)

        assert isinstance(verdict, CorruptAt | DivergedAt | IllegalAt)
    assert audited(stripped(tampered(whole(game), forge))) != Verified()


@pytest.mark.parametrize("dealer", DEALERS)
def test_a_part_belongs_to_its_entry_alone(dealer: Dealer) -> None:
    entries = list(record(dealer=dealer))
    one, other = drawn(tuple(entries))[-2:]
    entries[other] = structs.replace(entries[other], secret=entries[one].secret)

    verdict = audited(entries)

    assert isinstance(verdict, CorruptAt)
    assert "commits to" in verdict.why


@given(st.data())
def test_no_byte_of_what_is_hidden_can_be_changed(data: st.DataObject) -> None:
    entries = list(record())
    place = data.draw(st.sampled_from(drawn(tuple(entries))))
    secret = bytearray(entries[place].secret)
    secret[data.draw(st.integers(0, len(secret) - 1))] ^= data.draw(st.integers(1, 255))
    entries[place] = structs.replace(entries[place], secret=bytes(secret))

    verdict = audited(entries, complete=True)

    # A longer encoding of the same message is harmless.
    assert verdict != Verified() or hidden_of(entries[place]) == hidden_of(record()[place])


def test_a_missing_opening_is_listed_until_the_match_is_unsealed() -> None:
    def unopened(entries: tuple[Entry, ...]) -> list[Entry]:
        return [
            structs.replace(entry, secret=encode_hidden(Hidden(hidden_of(entry).parts))) for entry in entries
        ]

    verdict = audited(unopened(record()))

    assert isinstance(verdict, VerifiedAsShown)
    assert [each.sequence for each in verdict.unjudged] == drawn(record())
    assert isinstance(audited(unopened(record()), complete=True), CorruptAt)
    assert audited(unopened(whole())) == Verified()


def test_an_opening_where_nothing_is_drawn_is_corrupt() -> None:
    entries = list(record())
    move = next(entry for entry in entries if entry.actor == 0)
    openings = hidden_of(entries[drawn(record())[0]]).openings
    entries[move.sequence] = structs.replace(move, secret=encode_hidden(Hidden((), openings)))

    assert isinstance(audited(entries), CorruptAt)


def test_another_version_than_the_headers_is_corrupt() -> None:
    entries = list(record())
    old = structs.replace(entries[-1], concealed=b"", secret=b"")

    for verdict in (audited([*entries[:-1], with_hash(old)]), audited(forged(entries, 0, concealed=b""))):
        assert isinstance(verdict, CorruptAt)


@pytest.mark.parametrize("field", ["move", "events"])
@pytest.mark.parametrize("concealment", Concealment)
def test_bytes_that_the_edition_would_not_write_are_corrupt(field: str, concealment: Concealment) -> None:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(replace(hidden_hands(dealer=RECORDER), concealment=concealment), "start")
    play_on(ledger, MATCH, 4)
    entries = list(log.read(MATCH))
    move = entries[3]
    longer = getattr(move, field)
    # The length of the first field, in two bytes instead of one.
    longer = longer[:1] + bytes((longer[1] | 0x80, 0)) + longer[2:]

    verdict = audited(forged(entries, 3, **{field: longer}))

    assert isinstance(verdict, CorruptAt)
    assert "bytes" in verdict.why


def test_an_open_match_shows_everything_to_everybody() -> None:
    log = MemoryLog()
    ledger = book(log)
    header = replace(hidden_hands(dealer=RECORDER), concealment=Concealment.OPEN)
    ledger.start(header, "start")
    play_on(ledger, MATCH, 20)
    entries = list(log.read(MATCH))

    assert not any(entry.secret or len(entry.concealed) > 1 for entry in entries)
    assert audited(entries, complete=True) == Verified()
    closed = encode_header(replace(header, concealment=Concealment.SECRETS))
    assert isinstance(audited(forged(entries, 0, move=closed)), DivergedAt)


def test_another_order_than_is_due_cannot_be_sealed() -> None:
    entries = list(record())
    sealed = decode_seal(entries[1].move)
    for other in (
        replace(sealed, deck="cards"),
        replace(sealed, number=65_536),
        replace(sealed, stock=("RR",)),
    ):
        verdict = audited(forged(entries, 1, move=encode_seal(other)))

        assert isinstance(verdict, DivergedAt)
        assert verdict.sequence == 1


def test_an_order_is_not_sealed_again_while_it_is_in_force() -> None:
    entries = list(record())
    again = replace(decode_seal(entries[1].move), number=1)
    second = structs.replace(entries[1], sequence=2, request="again", position=0, move=encode_seal(again))

    verdict = audited(forged([*entries[:2], second], 2))

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == 2


@pytest.mark.parametrize("game", GAMES)
@given(st.integers(0, 10**6))
def test_takebacks_by_the_arbiter_leave_a_record_that_verifies(game: str, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    match = MatchId(f"{game}-{seed}")
    log = MemoryLog()
    ledger = book(log, match)
    ledger.start(hidden_hands(game), "start")
    for number in range(4):
        play_on(ledger, match, dice.randrange(1, 8), seed + number)
        last = ledger.current(match).sequence
        retract(ledger, match, last, f"back {number}", ARBITER, Retraction(dice.randrange(last)))
    play_on(ledger, match, 5, seed)
    entries = list(log.read(match))

    assert audited(entries, complete=True) == Verified()
    assert book(log, match).current(match) == ledger.current(match)


@pytest.mark.parametrize("dealer", DEALERS)
def test_seats_sign_where_hands_are_hidden(dealer: Dealer) -> None:
    keys = [SecretKey(bytes([number]) * 32) for number in (1, 2)]
    log = MemoryLog()
    ledger = book(log)
    public = tuple((seat, key.public.raw) for seat, key in enumerate(keys))
    ledger.start(replace(hidden_hands(dealer=dealer), keys=public), "start")
    for _ in range(12):
        current = ledger.current(MATCH)
        (actor,) = current.state.awaiting()
        move = next(current.state.legal_moves(actor))
        claim = Claim(
            MATCH, current.sequence + 1, EntryKind.MOVE, actor_number(actor), current.hash, move.data, 2
        )
        signature = keys[actor].sign(claim.digest) if isinstance(actor, int) else b""
        request = f"move {current.sequence}"
        judged = ledger.judge_append(MATCH, current.sequence, request, [move], signature)
        assert isinstance(judged, PreparedAppend)
        ledger.store(judged)
    entries = list(log.read(MATCH))

    assert sum(bool(entry.signature) for entry in entries) >= 3
    assert audited(entries, complete=True) == Verified()
    assert isinstance(audited(shown(entries, SPECTATOR)), VerifiedAsShown)
    signed = next(entry.sequence for entry in entries if entry.signature)
    for false in (b"", b"s" * 64, entries[signed].signature[::-1]):
        verdict = audited(forged(entries, signed, signature=false))
        assert isinstance(verdict, CorruptAt)
        assert verdict.sequence == signed


class TestTakebacks:
    def began(self, policy: TakebackPolicy) -> tuple[MemoryLog, list[Entry]]:
        log = MemoryLog()
        ledger = book(log)
        header = replace(hidden_hands(), retract=RetractPolicy.ANY_SEAT, takebacks=policy)
        ledger.start(header, "start")
        play_on(ledger, MATCH, 1)
        last = ledger.current(MATCH).sequence
        if policy is TakebackPolicy.HIDDEN_ONLY:
            with pytest.raises(NotAllowed, match="past the draw"):
                retract(ledger, MATCH, last, "back", Seat(0), Retraction(3))
        else:
            retract(ledger, MATCH, last, "back", Seat(0), Retraction(3))
        return log, list(log.read(MATCH))

    def test_a_seat_does_not_take_back_past_a_draw(self) -> None:
        self.began(TakebackPolicy.HIDDEN_ONLY)

    def test_a_seat_does_where_the_match_allows_it(self) -> None:
        _, entries = self.began(TakebackPolicy.PAST_REVEALED)

        assert audited(entries) == Verified()

    def test_an_audit_finds_one_that_the_match_does_not_allow(self) -> None:
        _, entries = self.began(TakebackPolicy.PAST_REVEALED)
        strict = replace(decode_header(entries[0].move), takebacks=TakebackPolicy.HIDDEN_ONLY)
        verdict = audited(forged(stripped(entries), 0, move=encode_header(strict)))

        assert isinstance(verdict, IllegalAt)
        assert [each.rule for each in verdict.violations] == [TAKEBACK_1]


@pytest.mark.parametrize("dealer", DEALERS)
def test_false_events_are_refused_whatever_is_left_out(dealer: Dealer) -> None:
    """Nothing is unsealed yet, and no part shows the hands."""
    entries = tuple(stripped(record(dealer=dealer, moves=20)))
    found = {what: audited(false) for what, false in forgeries(entries)}

    assert len(found) > 10
    assert [what for what, verdict in found.items() if not isinstance(verdict, BAD)] == []


class TestCopiesInArchives:
    """An archive holds every part; only a match that is marked as a copy may lack some."""

    def audit(self, entries: Sequence[Entry], tmp_path: Path, *, copy: bool) -> tuple[list[str], list[str]]:
        """The verdicts and the flaws."""
        path = tmp_path / "archive.db"
        with SqliteLog.open(path) as log:
            log.write([Append(entries[0].match, NEW, tuple(entries), copy=copy)])
        audit = ArchiveAudit(lambda: SqliteLog.open(path, read_only=True), jobs=1)
        return [word(report.verdict) for report in audit.reports()], audit.summary.flaws

    def test_missing_parts_are_lost_where_the_match_is_no_copy(self, tmp_path: Path) -> None:
        assert self.audit(stripped(record()), tmp_path, copy=False) == (["corrupt"], [])

    def test_parts_that_can_be_derived_are_lost_too(self, tmp_path: Path) -> None:
        assert self.audit(stripped(whole()), tmp_path, copy=False) == (["corrupt"], [])

    def test_a_copy_is_verified_as_far_as_shown(self, tmp_path: Path) -> None:
        assert self.audit(stripped(record()), tmp_path, copy=True) == (["as-shown"], [])

    def test_a_copy_whose_parts_can_all_be_derived_is_verified(self, tmp_path: Path) -> None:
        assert self.audit(stripped(whole()), tmp_path, copy=True) == (["verified"], [])

    def test_a_copy_that_lacks_nothing_is_a_flaw(self, tmp_path: Path) -> None:
        verdicts, flaws = self.audit(record(), tmp_path, copy=True)

        assert verdicts == ["verified"]
        assert flaws == [f"match {MATCH} is marked as a copy, but nothing is left out of it"]
