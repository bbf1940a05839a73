"""The audit of one record: a record that was tampered with is never verified."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.audit.record import audit_record
from records.audit.rule_change import RuleChange
from records.codec.header import Retraction, encode_header, encode_retraction
from records.codec.qin import QIN_CODEC
from records.entry import Entry, EntryKind, MatchHeader, MatchId, RetractPolicy, with_hash
from records.games.bound import bind
from records.games.registry import find_game
from records.ledger.transfer import VerifiedImport, judge
from records.log.contract import LogUnreadable, UnreadableEntry
from records.replay.fold import BadRecord, CorruptRecord, UnknownEntry, rebuild
from records.verdict import AuditReport, CorruptAt, DivergedAt, IllegalAt, Verdict, Verified
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownRuling
from rules.qin.game import QIN
from tests.records.matches import MOVES, begin, disputed, forged, header, ledger_in_memory, played
from tests.records.test_golden import FOLDER

RECORD = played(*MOVES)
MATCH = RECORD[0].match
LAST = len(MOVES)


def audit(entries: list[Entry]) -> AuditReport:
    return audit_record(MATCH, entries)


def with_retraction(with_header: MatchHeader | None = None) -> list[Entry]:
    table = begin(ledger_in_memory(), with_header)
    table.play(*MOVES[:3])
    table.go_back(1, reason="a slip")
    table.play(*MOVES[1:3])
    return table.entries


def test_a_record_is_verified_with_its_last_state() -> None:
    report = audit(RECORD)

    assert (report.match, report.verdict, report.entries, report.good) == (MATCH, Verified(), LAST, LAST)
    assert report.header == header()
    assert report.state == rebuild(RECORD).state


def test_a_header_alone_is_a_record() -> None:
    report = audit(RECORD[:1])

    assert (report.verdict, report.entries, report.good) == (Verified(), 0, 0)


def test_nothing_at_all_is_no_record() -> None:
    report = audit([])

    assert isinstance(report.verdict, CorruptAt)
    assert (report.entries, report.header, report.state) == (0, None, None)


def test_a_bad_record_yields_its_longest_good_prefix() -> None:
    changed = [*RECORD[:3], structs.replace(RECORD[3], recorded=1), *RECORD[4:]]

    report = audit(changed)

    assert isinstance(report.verdict, CorruptAt)
    assert (report.verdict.sequence, report.good, report.entries) == (3, 2, LAST)
    assert report.state == rebuild(RECORD[:3]).state


def flipped(value: object) -> Iterator[object]:
    """The value with each of its bytes changed in turn, and with one more and one fewer."""
    if isinstance(value, int):
        yield from (value ^ 1, value ^ 1 << 7, value + 2**62, -5 - value)
    elif isinstance(value, bytes):
        for at in range(len(value)):
            yield value[:at] + bytes([value[at] ^ 0x10]) + value[at + 1 :]
        yield value + b"\0"
        yield value[:-1] or b"\0"
    elif isinstance(value, str):
        yield from (value[:-1] + "~", value + "~", "", "\ud800")


FIELDS = [field for field in Entry.__struct_fields__ if field != "position"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("sequence", [0, 1, LAST])
def test_no_field_of_any_entry_can_be_changed(field: str, sequence: int) -> None:
    for value in flipped(getattr(RECORD[sequence], field)):
        changed = [*RECORD]
        changed[sequence] = structs.replace(RECORD[sequence], **{field: value})

        report = audit(changed)

        assert isinstance(report.verdict, CorruptAt)
        assert report.verdict.sequence <= sequence + 1
        with pytest.raises(BadRecord):
            rebuild(changed)


@pytest.mark.parametrize(
    "entries",
    [
        RECORD[1:],
        [*RECORD[:2], *RECORD[3:]],
        [RECORD[0], RECORD[2], RECORD[1], *RECORD[3:]],
        [*RECORD[:3], RECORD[2], *RECORD[3:]],
        [RECORD[0], RECORD[0], *RECORD[1:]],
        list(reversed(RECORD)),
    ],
    ids=["header removed", "removed", "swapped", "doubled", "header doubled", "reversed"],
)
def test_no_entry_can_be_removed_moved_or_doubled(entries: list[Entry]) -> None:
    assert isinstance(audit(entries).verdict, CorruptAt)


def test_an_entry_of_another_match_does_not_belong() -> None:
    stranger = with_hash(structs.replace(RECORD[2], match=MatchId("other")))

    report = audit([*RECORD[:2], stranger])

    assert report.verdict == CorruptAt(2, "the entry belongs to match other")


def test_two_records_of_a_match_cannot_be_spliced() -> None:
    other = played(MOVES[0], "violet pass", *MOVES[2:3])

    report = audit([*RECORD[:3], other[3]])

    assert report.verdict == CorruptAt(
        3, "the entry does not continue the one before it: the hash chain is broken"
    )


def test_positions_must_rise() -> None:
    report = audit([*RECORD[:2], structs.replace(RECORD[2], position=2), *RECORD[3:]])

    assert isinstance(report.verdict, CorruptAt)
    assert report.verdict.sequence == 2


def test_a_request_id_stands_for_one_entry() -> None:
    assert audit(forged(RECORD, 4, request="r2")).verdict == CorruptAt(4, "entry 2 has the same request id")


def test_an_entry_of_an_unknown_kind_stops_the_audit_and_the_ledger() -> None:
    record = forged(RECORD, 2, kind=99)

    assert audit(record).verdict == CorruptAt(2, "this build does not know entries of kind 99")
    with pytest.raises(UnknownEntry):
        rebuild(record)


UNKNOWN_FIELD = b"\xfa\x7f\x00"


@pytest.mark.parametrize("events", [b"\x0a\x03" + UNKNOWN_FIELD, RECORD[2].events + UNKNOWN_FIELD])
def test_an_unknown_event_stops_the_audit_and_the_ledger(events: bytes) -> None:
    record = forged(RECORD, 2, events=events)

    verdict = audit(record).verdict

    assert isinstance(verdict, CorruptAt)
    assert verdict.sequence == 2
    with pytest.raises(UnknownEntry):
        rebuild(record)


class TestForging:
    """Records whose hashes are all good."""

    def test_an_illegal_move_is_reported_with_its_rules(self) -> None:
        move = rebuild(RECORD[:3]).state.parse_text("green Ra1Ba2").data

        report = audit(forged(RECORD, 3, move=move))

        assert isinstance(report.verdict, IllegalAt)
        assert (report.verdict.sequence, report.verdict.move, report.good) == (3, "green Ra1Ba2", 2)
        assert [v.rule.id for v in report.verdict.violations] == ["QIN-PLACE-1", "QIN-PLACE-3", "QIN-PLACE-5"]

    def test_a_move_by_another_seat_is_illegal(self) -> None:
        verdict = audit(forged(RECORD, 3, actor=1)).verdict

        assert isinstance(verdict, IllegalAt)
        assert [v.rule.id for v in verdict.violations] == ["QIN-TURN-1"]

    def test_an_unknown_actor_is_corrupt(self) -> None:
        assert audit(forged(RECORD, 3, actor=2)).verdict == CorruptAt(
            3, "there is no seat 2: the match has seats 0 to 1"
        )
        assert isinstance(audit(forged(RECORD, 3, actor=-9)).verdict, CorruptAt)

    def test_nobody_but_seats_and_chance_makes_moves(self) -> None:
        assert audit(forged(RECORD, 3, actor=-2)).verdict == CorruptAt(
            3, "only a seat or chance makes a move"
        )

    def test_events_that_differ_are_reported_beside_those_of_the_rules(self) -> None:
        report = audit(forged(RECORD, 3, events=RECORD[1].events))

        assert isinstance(report.verdict, DivergedAt)
        assert (report.verdict.sequence, report.good) == (3, 2)
        assert any('"cell": "e8"' in event for event in report.verdict.recorded)
        assert any('"cell": "d8"' in event for event in report.verdict.ruled)

    def test_events_left_out_are_a_divergence(self) -> None:
        verdict = audit(forged(RECORD, 3, events=b"")).verdict

        assert isinstance(verdict, DivergedAt)
        assert verdict.recorded == ()

    def test_another_digest_is_a_divergence(self) -> None:
        assert isinstance(audit(forged(RECORD, 3, state=RECORD[2].state)).verdict, DivergedAt)
        assert isinstance(audit(forged(RECORD, 0, state=bytes(32))).verdict, DivergedAt)

    def test_bytes_that_are_no_move_or_no_events_are_corrupt(self) -> None:
        assert isinstance(audit(forged(RECORD, 3, move=b"\xff")).verdict, CorruptAt)
        assert isinstance(audit(forged(RECORD, 3, events=b"\xff")).verdict, CorruptAt)

    def test_an_unreadable_header_leaves_no_state(self) -> None:
        report = audit(forged(RECORD, 0, move=b"\xff"))

        assert isinstance(report.verdict, CorruptAt)
        assert (report.verdict.sequence, report.header, report.state) == (0, None, None)

    def test_a_header_is_the_arbiters_and_causes_nothing(self) -> None:
        assert isinstance(audit(forged(RECORD, 0, actor=0)).verdict, CorruptAt)
        assert isinstance(audit(forged(RECORD, 0, events=b"\x0a\x00")).verdict, CorruptAt)

    @pytest.mark.parametrize(
        "tags",
        [
            (("Event", "a\nb"),),
            (("no name", ""),),
            (("Event", "one"), ("Event", "two")),
            (("Game", "go"),),
            ((";1", "\x1b[2J"),),
            (("", ""),),
        ],
    )
    def test_tags_that_no_transcript_can_have_are_corrupt(self, tags: tuple[tuple[str, str], ...]) -> None:
        verdict = audit(forged(RECORD, 0, move=encode_header(header(tags=tags)))).verdict

        assert isinstance(verdict, CorruptAt)
        assert verdict.sequence == 0

    def test_a_second_header_is_corrupt(self) -> None:
        verdict = audit(forged(RECORD, 3, kind=EntryKind.HEADER, move=RECORD[0].move)).verdict

        assert isinstance(verdict, CorruptAt)
        assert verdict.sequence == 3
        with pytest.raises(CorruptRecord):
            rebuild(forged(RECORD, 3, kind=EntryKind.HEADER))

    def test_a_header_with_anything_unknown_stops(self) -> None:
        for content in (
            encode_header(header()).replace(b"qin", b"tan", 1),
            encode_header(header()).replace(b"qin/1", b"qin/7"),
            encode_header(header(rulings=(("luck", "good"),))),
            encode_header(header()) + UNKNOWN_FIELD,
        ):
            record = forged(RECORD, 0, move=content)

            verdict = audit(record).verdict

            assert isinstance(verdict, CorruptAt)
            assert verdict.sequence == 0
            with pytest.raises(UnknownEntry):
                rebuild(record)

    @given(st.data())
    def test_no_bytes_ever_make_the_audit_raise(self, data: st.DataObject) -> None:
        sequence = data.draw(st.integers(0, LAST))
        field = data.draw(st.sampled_from(["move", "events", "state"]))
        good: bytes = getattr(RECORD[sequence], field)
        start = data.draw(st.integers(0, len(good)))
        stop = data.draw(st.integers(start, len(good)))
        bad = good[:start] + data.draw(st.binary(max_size=8)) + good[stop:]

        report = audit(forged(RECORD, sequence, **{field: bad}))

        assert (report.verdict == Verified()) <= (bad == good or field != "state")
        assert report.good <= LAST


def test_a_state_that_no_match_can_reach_is_a_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(rebuild(RECORD).state), "problems", lambda _: ("a cell has two colours",))

    assert audit(RECORD).verdict == DivergedAt(
        LAST, "the match cannot be in this state: a cell has two colours"
    )


def test_nobody_asks_an_impossible_state_for_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise IndexError("a forged state has no outcome")

    state = type(rebuild(RECORD).state)
    monkeypatch.setattr(state, "problems", lambda _: ("a supply is negative",))
    monkeypatch.setattr(state, "outcome", fail)

    report = audit(RECORD).detached()

    assert isinstance(report.verdict, DivergedAt)
    assert (report.outcome, report.winners) == (None, ())


class TestRetractions:
    def test_what_was_taken_back_is_judged_all_the_same(self) -> None:
        record = with_retraction()

        assert audit(record).verdict == Verified()
        assert audit(record).state == rebuild(record).state
        assert isinstance(audit(forged(record, 3, actor=1)).verdict, IllegalAt)

    def test_a_retraction_that_the_header_does_not_allow_breaks_a_rule(self) -> None:
        for policy in (RetractPolicy.ARBITER, RetractPolicy.NOBODY):
            opening = encode_header(header(retract=policy))
            verdict = audit(forged(forged(with_retraction(), 4, actor=0), 0, move=opening)).verdict

            assert isinstance(verdict, IllegalAt)
            assert verdict.sequence == 4
            assert [v.rule.id for v in verdict.violations] == ["SHIJI-TAKEBACK-1"]
            assert verdict.move.endswith("goes back to entry 1")

    def test_chance_takes_nothing_back(self) -> None:
        record = forged(with_retraction(header(retract=RetractPolicy.ANY_SEAT)), 4, actor=-1)

        assert audit(record).verdict == CorruptAt(4, "only a seat or the arbiter makes a retraction")

    def test_a_header_changed_to_forbid_them_shows(self) -> None:
        record = forged(with_retraction(), 0, move=encode_header(header(retract=RetractPolicy.NOBODY)))

        verdict = audit(record).verdict

        assert isinstance(verdict, IllegalAt)
        assert verdict.violations[0].why == "in this match nothing is taken back"

    @pytest.mark.parametrize("to_sequence", [4, 5, 2**63])
    def test_nothing_goes_back_to_what_is_later(self, to_sequence: int) -> None:
        record = forged(with_retraction(), 4, move=encode_retraction(Retraction(to_sequence)))

        assert isinstance(audit(record).verdict, CorruptAt)
        with pytest.raises(CorruptRecord):
            rebuild(record)

    def test_going_back_elsewhere_than_the_digest_says_is_a_divergence(self) -> None:
        verdict = audit(forged(with_retraction(), 4, move=encode_retraction(Retraction(2)))).verdict

        assert isinstance(verdict, DivergedAt)
        assert verdict.sequence == 4

    def test_a_retraction_causes_nothing_and_is_readable(self) -> None:
        assert isinstance(audit(forged(with_retraction(), 4, events=RECORD[1].events)).verdict, CorruptAt)
        assert isinstance(audit(forged(with_retraction(), 4, move=b"\xff")).verdict, CorruptAt)
        assert isinstance(audit(forged(with_retraction(), 4, actor=-9)).verdict, CorruptAt)


class TestStatedResult:
    @pytest.mark.parametrize(
        ("result", "verdict"),
        [
            ("green", Verified()),
            ("*", Verified()),
            ("violet", DivergedAt(1, "the record states that violet won, but by the rules it was green")),
            ("white", DivergedAt(1, "'white' is no seat; expected green, violet or *")),
        ],
    )
    def test_it_is_compared_with_the_one_that_comes_out(self, result: str, verdict: Verdict) -> None:
        record = played("green Rb1Rc1", with_header=header("map:R.."))
        stating = encode_header(header("map:R..", tags=(("Result", result),)))

        report = audit_record(MATCH, forged(record, 0, move=stating))

        assert report.verdict == verdict


class TestDamagedStorage:
    """A log that cannot read all entries."""

    def reading(self, fault: Exception) -> Iterator[Entry]:
        yield from RECORD[:3]
        raise fault

    def test_the_record_is_corrupt_where_it_cannot_be_read(self) -> None:
        report = audit_record(MATCH, self.reading(LogUnreadable("the page is damaged")))

        assert report.verdict == CorruptAt(3, "the page is damaged")
        assert (report.good, report.entries) == (2, 3)

    def test_the_log_may_know_which_entry_it_is(self) -> None:
        report = audit_record(MATCH, self.reading(UnreadableEntry("entry 4 is hurt", sequence=4)))

        assert report.verdict == CorruptAt(4, "entry 4 is hurt")

    def test_what_is_wrong_before_comes_first(self) -> None:
        report = audit_record(MatchId("other"), self.reading(LogUnreadable("the page is damaged")))

        assert isinstance(report.verdict, CorruptAt)
        assert report.verdict.sequence == 0


class TestRuleChange:
    """Audits of a record under other rules."""

    def test_a_record_that_would_read_the_same_does(self) -> None:
        change = RuleChange(rulings=(("stuck", "end"),))

        assert audit_record(MATCH, disputed(), change=change).verdict == Verified()
        assert audit_record(MATCH, disputed(), change=RuleChange(EditionKey("qin/1"))).verdict == Verified()

    def test_a_move_that_would_be_illegal_is_reported_with_its_rule(self) -> None:
        change = RuleChange(rulings=(("major-conflict", "illegal"),))

        report = audit_record(MATCH, disputed(), change=change)

        assert isinstance(report.verdict, IllegalAt)
        assert report.verdict.sequence == 5
        assert [v.rule.id for v in report.verdict.violations] == ["QIN-ABSORB-6"]

    @pytest.mark.parametrize(
        ("name", "ruling", "verdict", "entry"),
        [
            ("largest-counts", "join-count=sum", DivergedAt, 56),
            ("settled", "last-pagoda=staged", DivergedAt, 61),
            ("stuck-ends", "stuck=pass", DivergedAt, 9),
            ("any-tie", "join-tie=lead", DivergedAt, 69),
            ("singles-to-the-mover", "singles=nobody", IllegalAt, 42),
            ("two-recorded-six-piles", "piles=4", IllegalAt, 6),
        ],
    )
    def test_golden_matches_of_a_ruling_would_go_otherwise_without_it(
        self, name: str, ruling: str, verdict: type[DivergedAt | IllegalAt], entry: int
    ) -> None:
        incoming = judge((FOLDER / f"{name}.shiji").read_bytes())
        assert isinstance(incoming, VerifiedImport)
        ruled, _, value = ruling.partition("=")

        report = audit_record(
            incoming.entries[0].match, incoming.entries, change=RuleChange(rulings=((ruled, value),))
        )

        assert isinstance(report.verdict, verdict)
        assert (report.verdict.sequence, report.good) == (entry, entry - 1)

    def test_a_game_ignores_the_rulings_of_another(self) -> None:
        stranger = bind(replace(QIN, about=replace(QIN.about, editions=(), rulings=())), QIN_CODEC)
        setup = header(rulings=(("piles", "6"),)).setup
        change = RuleChange(EditionKey("qin/1"), (("stuck", "end"),))

        assert change.applied(stranger, replace(setup, edition=EditionKey("other/1"))) == replace(
            setup, edition=EditionKey("other/1")
        )
        assert change.applied(find_game("qin"), setup).rulings == (("piles", "6"), ("stuck", "end"))

    def test_a_change_that_no_game_knows_is_refused(self) -> None:
        with pytest.raises(UnknownEdition, match="known: qin/1"):
            RuleChange(EditionKey("qin/9"))
        with pytest.raises(UnknownRuling, match="called 'luck'"):
            RuleChange(rulings=(("luck", "good"),))
        with pytest.raises(UnknownRuling, match="it takes pass or end"):
            RuleChange(rulings=(("stuck", "swap"),))
