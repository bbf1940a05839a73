"""The use cases of the ledger, on every engine."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from records.codec.header import Retraction
from records.entry import MatchHeader, MatchId, RetractPolicy
from records.games.candidate import Candidate
from records.games.registry import UnknownGame
from records.games.state import Applied
from records.ledger import ledger as ledger_module
from records.ledger import room
from records.ledger.ledger import Ledger, Many
from records.ledger.notices import retract
from records.ledger.opening import new_match_id
from records.ledger.results import Appended, BadRequestId, IllegalAmong, NoSuchEntry, NoSuchMatch, RecordFull
from records.log.contract import Log, RequestReused, SequenceTaken
from records.log.sqlite import SqliteLog
from records.text import MAX_REQUEST_ID_CHARS, BadText
from records.verdict import Verified
from rules.kernel.actors import ARBITER, Seat
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownRuling
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup, GameKey
from tests.records.counting import CountingLog
from tests.records.matches import MOVES, Table, begin, header

NOWHERE = MatchId("nowhere")


class TestStarting:
    def test_a_match_begins_with_its_header(self, ledger: Ledger) -> None:
        opening = header(tags=(("Event", "Cup"),))

        begun = ledger.start(opening, "one")

        current = ledger.current(begun.entry.match)
        assert (begun.entry.sequence, begun.entry.position, begun.entry.request) == (0, 1, "one")
        assert (current.header, current.sequence, current.hash) == (opening, 0, begun.entry.hash)
        assert begun.state.awaiting() == (Seat(0),)

    def test_a_request_that_comes_again_begins_no_second_match(self, ledger: Ledger) -> None:
        first, second = ledger.start(header(), "one"), ledger.start(header(), "one")

        assert second == first
        assert list(ledger.log.matches()) == [first.entry.match]

    def test_a_request_for_one_match_cannot_begin_another(self, ledger: Ledger) -> None:
        ledger.start(header(), "one")

        with pytest.raises(RequestReused):
            ledger.start(header("map:R.."), "one")

    def test_a_ruling_at_its_default_is_not_recorded(self, ledger: Ledger) -> None:
        first = ledger.start(header(), "one")

        assert ledger.start(header(rulings=(("stuck", "pass"),)), "one") == first

    @pytest.mark.parametrize(
        ("opening", "fault"),
        [
            (replace(header(), game=GameKey("go")), UnknownGame),
            (replace(header(), setup=replace(header().setup, edition=EditionKey("qin/0"))), UnknownEdition),
            (header(rulings=(("luck", "good"),)), UnknownRuling),
            (header("lion"), BadSetup),
            (header(tags=(("Event", "a\nb"),)), BadText),
            (header(tags=(("Game", "go"),)), BadSetup),
            (header(tags=(("ruling", "stuck=end"),)), BadSetup),
            (header(tags=(("Result", "green"),)), BadSetup),
            (header(tags=(("Event", "a"), ("Event", "b"))), BadSetup),
            (header(tags=((";1", "a comment"),)), BadSetup),
        ],
    )
    def test_a_match_that_cannot_be_set_up_or_written_down_is_refused(
        self, ledger: Ledger, opening: MatchHeader, fault: type[Exception]
    ) -> None:
        with pytest.raises(fault):
            ledger.start(opening, "one")

        assert ledger.log.last_position() == 0

    def test_ids_of_matches_are_unlike_each_other_and_sort_by_age(self) -> None:
        ids = [new_match_id() for _ in range(1000)]

        assert len(set(ids)) == 1000
        assert sorted(identity[:8] for identity in ids) == [identity[:8] for identity in ids]
        assert all(
            re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f-]{16}", one) for one in ids
        )


class TestAppending:
    def test_a_legal_move_is_stored_with_what_it_causes(self, ledger: Ledger) -> None:
        table = begin(ledger)
        asked = table.read(MOVES[0])

        appended = ledger.append(table.match, 0, "first", asked)

        assert isinstance(appended, Appended)
        entry = appended.entry
        judged = ledger.state_at(table.match, 0).judge(asked)
        assert isinstance(judged, Applied)
        assert (entry.sequence, entry.position, entry.move, entry.request) == (1, 2, asked.data, "first")
        assert (entry.events, entry.state) == (judged.events, judged.after.digest())
        assert appended.state == ledger.state_at(table.match) == judged.after
        assert list(ledger.read(table.match))[1:] == [entry]

    def test_an_illegal_move_is_answered_and_nothing_is_stored(self, ledger: Ledger) -> None:
        table = begin(ledger)

        answer = table.ask("violet Re8Re9")

        assert isinstance(answer, Illegal)
        assert [violation.rule.id for violation in answer.violations] == ["QIN-TURN-1"]
        assert ledger.log.last_position() == 1

    @pytest.mark.parametrize("expected", [-1, 0, 1, 3, 99])
    def test_a_caller_that_does_not_know_the_last_entry_gets_its_number(
        self, ledger: Ledger, expected: int
    ) -> None:
        table = begin(ledger)
        table.play(*MOVES[:2])

        with pytest.raises(SequenceTaken) as raised:
            table.ask(MOVES[2], "other", expected)

        assert raised.value.actual == 2

    def test_a_repeat_is_answered_as_the_first_time_however_stale(self, ledger: Ledger) -> None:
        table = begin(ledger)
        asked = table.read(MOVES[0])
        first = ledger.append(table.match, 0, "r1", asked)
        table.last = 1
        table.play(*MOVES[1:4])

        assert ledger.append(table.match, 0, "r1", asked) == first
        assert ledger.append(table.match, 4, "r1", asked) == first
        assert Ledger(ledger.log).append(table.match, 4, "r1", asked) == first
        assert table.entries[-1].sequence == 4

    @pytest.mark.parametrize("expected", [0, 2])
    def test_the_same_request_for_something_else_is_refused(self, ledger: Ledger, expected: int) -> None:
        table = begin(ledger)
        table.play(*MOVES[:2])

        with pytest.raises(RequestReused) as raised:
            table.ask(MOVES[2], "r1", expected)

        assert raised.value.first.sequence == 1

    def test_an_illegal_move_does_not_use_up_its_request_id(self, ledger: Ledger) -> None:
        table = begin(ledger)
        table.ask("violet Re8Re9", "one")

        assert isinstance(table.ask("green Re8Re9", "one"), Appended)

    @pytest.mark.parametrize("request_id", ["", "x" * (MAX_REQUEST_ID_CHARS + 1)])
    def test_a_request_has_an_id_of_reasonable_length(self, ledger: Ledger, request_id: str) -> None:
        table = begin(ledger)

        with pytest.raises(BadRequestId):
            ledger.start(header(), request_id)
        with pytest.raises(BadRequestId):
            ledger.append(table.match, 0, request_id, table.read(MOVES[0]))
        with pytest.raises(BadRequestId):
            retract(ledger, table.match, 1, request_id, ARBITER, Retraction(0))

    def test_a_record_has_an_end(self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(room, "MOST_ENTRIES", 4)
        monkeypatch.setattr(room, "MOST_PLAYED_ENTRIES", 2)
        monkeypatch.setattr(ledger_module, "MOST_PLAYED_ENTRIES", 2)
        table = begin(ledger, header(retract=RetractPolicy.ANY_SEAT))
        table.play(*MOVES[:2])

        with pytest.raises(RecordFull):
            table.ask(MOVES[2])
        with pytest.raises(RecordFull):
            table.go_back(0, Seat(0))
        table.go_back(1)
        table.go_back(0)
        with pytest.raises(RecordFull):
            table.go_back(0)

    def test_a_match_that_does_not_exist_is_no_match(self, ledger: Ledger) -> None:
        asked = begin(ledger).read(MOVES[0])
        calls: list[Callable[[], object]] = [
            lambda: ledger.append(NOWHERE, 0, "one", asked),
            lambda: retract(ledger, NOWHERE, 1, "one", ARBITER, Retraction(0)),
            lambda: ledger.current(NOWHERE),
            lambda: ledger.state_at(NOWHERE),
            lambda: ledger.state_at(NOWHERE, 0),
            lambda: ledger.read(NOWHERE),
            lambda: ledger.audit(NOWHERE),
        ]
        for call in calls:
            with pytest.raises(NoSuchMatch):
                call()


class TestAppendingSeveral:
    def asked(self, table: Table, *texts: str) -> list[Candidate]:
        return [table.read(text) for text in texts]

    def test_all_are_stored_each_with_an_id_of_its_own(self, ledger: Ledger) -> None:
        table = begin(ledger)

        answer = ledger.append_many(table.match, 0, "all", self.asked(table, *MOVES))

        assert not isinstance(answer, IllegalAmong)
        assert [each.entry.request for each in answer] == ["all", "all/2", "all/3", "all/4", "all/5"]
        assert answer[-1].state == ledger.state_at(table.match)
        assert ledger.audit(table.match).verdict == Verified()

    def test_none_is_stored_where_one_is_illegal(self, ledger: Ledger) -> None:
        table = begin(ledger)

        answer = ledger.append_many(
            table.match, 0, "all", self.asked(table, MOVES[0], MOVES[1], "green Ra1Ra2", MOVES[3])
        )

        assert isinstance(answer, IllegalAmong)
        assert (answer.index, answer.verdict.violations[0].rule.id) == (2, "QIN-PLACE-1")
        assert ledger.log.last_position() == 1

    def test_a_repeat_is_one_of_all_of_them(self, ledger: Ledger) -> None:
        table = begin(ledger)
        asked = self.asked(table, *MOVES[:3])
        first = ledger.append_many(table.match, 0, "all", asked)

        assert ledger.append_many(table.match, 0, "all", asked) == first
        for other in (asked[:2], [*asked, asked[0]], [asked[0], asked[2]]):
            with pytest.raises(RequestReused):
                ledger.append_many(table.match, 0, "all", other)

    def test_no_moves_are_no_append(self, ledger: Ledger) -> None:
        table = begin(ledger)

        with pytest.raises(ValueError, match="at least one move"):
            ledger.append_many(table.match, 0, "none", [])


class TestAsking:
    def test_a_dry_run_stores_nothing(self, ledger: Ledger) -> None:
        table = begin(ledger)
        table.play(*MOVES[:2])

        legal = ledger.state_at(table.match).judge(table.read(MOVES[2]))
        illegal = ledger.state_at(table.match).judge(table.read("violet pass"))
        earlier = ledger.state_at(table.match, 1).judge(table.read("violet pass"))

        assert isinstance(legal, Applied)
        assert isinstance(illegal, Illegal)
        assert isinstance(earlier, Applied)
        assert ledger.current(table.match).sequence == 2

    def test_every_legal_move_is_one_that_can_be_appended(self, ledger: Ledger) -> None:
        table = begin(ledger, header("map:R...R/....."))
        table.play("green Rb1Bb2")

        state = ledger.state_at(table.match)
        moves = list(state.legal_moves(Seat(1)))

        assert list(state.legal_moves(Seat(0))) == []
        assert len(moves) > 10
        assert all(isinstance(state.judge(move), Applied) for move in moves)

    def test_every_state_of_a_match_can_be_read(self, ledger: Ledger) -> None:
        table = begin(ledger)
        stood = [ledger.state_at(table.match)] + [table.play(move).state for move in MOVES]

        for asked in (ledger, Ledger(ledger.log)):
            assert [asked.state_at(table.match, sequence) for sequence in range(6)] == stood
            assert asked.state_at(table.match) == stood[-1]

    @pytest.mark.parametrize("sequence", [-1, 3])
    def test_there_is_no_state_after_an_entry_that_there_is_not(self, ledger: Ledger, sequence: int) -> None:
        table = begin(ledger)
        table.play(*MOVES[:2])

        with pytest.raises(NoSuchEntry):
            ledger.state_at(table.match, sequence)


class TestTwoLedgersOnOneLog:
    """As with two servers on one file, started by mistake."""

    def test_what_one_stores_the_other_sees(self, log: Log) -> None:
        one, other = Ledger(log), Ledger(log)
        here = begin(one)
        there = Table(other, here.match)

        for number, move in enumerate(MOVES):
            table = (here, there)[number % 2]
            table.last = number
            table.play(move)

        assert one.current(here.match) == other.current(here.match)
        assert one.audit(here.match).verdict == Verified()

    def test_a_ledger_that_is_behind_is_refused_and_then_catches_up(self, log: Log) -> None:
        one, other = Ledger(log), Ledger(log)
        here = begin(one)
        there = Table(other, here.match)
        other.current(here.match)
        here.play(*MOVES[:2])

        with pytest.raises(SequenceTaken) as raised:
            other.append(here.match, 0, "late", one.state_at(here.match, 0).parse_text(MOVES[0]))
        there.last = raised.value.actual
        there.play(MOVES[2])

        assert there.entries[-1].sequence == 3

    def test_a_retraction_elsewhere_is_seen(self, log: Log) -> None:
        one, other = Ledger(log), Ledger(log)
        here = begin(one)
        here.play(*MOVES[:3])
        other.current(here.match)
        here.go_back(1)

        assert other.state_at(here.match) == one.state_at(here.match, 1)


class TestCache:
    def test_the_hot_path_reads_nothing_from_the_log(self, log: Log) -> None:
        counting = CountingLog(log)
        ledger = Ledger(counting)
        table = begin(ledger)
        asked = table.read(MOVES[0])
        counting.calls.clear()

        ledger.append(table.match, 0, "one", asked)

        assert counting.calls == ["write"]

    def test_catching_up_reads_only_what_is_new(self, log: Log) -> None:
        begin(Ledger(log)).play(*MOVES[:3])
        match = next(log.matches())
        counting = CountingLog(log)
        behind = Ledger(counting)
        behind.current(match)
        Table(Ledger(log), match, 3).play(MOVES[3])
        counting.read_from.clear()

        behind.current(match)

        assert counting.read_from == [4]

    @pytest.mark.parametrize("room", [0, 1, 2])
    def test_a_match_that_was_evicted_from_the_cache_continues(self, log: Log, room: int) -> None:
        ledger = Ledger(log, cache=room)
        tables = [begin(ledger, request=str(number)) for number in range(3)]

        for move in MOVES:
            for table in tables:
                table.play(move)

        assert all(ledger.audit(table.match).verdict == Verified() for table in tables)

    def test_the_size_of_a_cache_is_not_negative(self, log: Log) -> None:
        with pytest.raises(ValueError, match="-1 matches"):
            Ledger(log, cache=-1)


class TestManyThreads:
    def test_appends_from_many_threads_are_all_stored(self, log: Log) -> None:
        ledger = Ledger(log)
        tables = [begin(ledger, request=str(number)) for number in range(8)]
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda table: table.play(*MOVES), tables))

        assert {ledger.audit(table.match).verdict for table in tables} == {Verified()}
        assert log.last_position() == 8 * (1 + len(MOVES))

    def test_of_many_who_ask_for_the_same_place_one_gets_it(self, log: Log) -> None:
        ledger = Ledger(log)
        table = begin(ledger)
        asked = table.read(MOVES[0])

        def ask(number: int) -> Many | SequenceTaken:
            try:
                return ledger.append_many(table.match, 0, f"caller {number}", [asked])
            except SequenceTaken as taken:
                return taken

        with ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(ask, range(16)))

        assert sum(isinstance(answer, tuple) for answer in answers) == 1
        assert {answer.actual for answer in answers if isinstance(answer, SequenceTaken)} == {1}


def test_a_match_continues_after_its_file_is_opened_again(tmp_path: Path) -> None:
    with SqliteLog.open(tmp_path / "archive.db") as log:
        table = begin(Ledger(log))
        table.play(*MOVES[:3])
    with SqliteLog.open(tmp_path / "archive.db") as log:
        again = Table(Ledger(log), table.match, 3)
        again.play(*MOVES[3:])

        assert again.ledger.audit(table.match).verdict == Verified()
