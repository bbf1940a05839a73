"""StartMatch, AppendMove, AppendMoves, Play, Retract and ImportRecord: what they store and return."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from google.rpc.error_details_pb2 import BadRequest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import AuditReport, RuleViolations

from records.codec.qin import QIN_CODEC
from records.games import registry as games
from records.games.bound import bind
from records.games.known_games import KnownGames
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.text import MAX_NAME_CHARS, MAX_STATEMENT_CHARS
from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from rules.qin.events import Event
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.state import State
from service.bounds import MAX_MOVE_BYTES, MAX_MOVE_TEXT_CHARS, MAX_MOVES_PER_REQUEST
from tests.records.matches import MOVES, SEATS
from tests.service.calls import AUDITOR, Table, begin, refusal, request_id, text
from tests.service.running import serving_in_process

TRANSCRIPT = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Rulings ""]
[Board "bird"]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "*"]
[Event "%s"]

1. green Re8Re9
2. violet %s
"""


def starting() -> pb.StartMatchRequest:
    return pb.StartMatchRequest(request_id=request_id(), game="qin", seats=SEATS)


def bad_fields(detail: BadRequest) -> list[str]:
    return [each.field for each in detail.field_violations]


class TestStartMatch:
    def test_by_default_a_match_has_the_newest_edition_the_first_board_and_no_recorded_draws(
        self, stub: RecordServiceStub
    ) -> None:
        begun = stub.StartMatch(starting())

        header = begun.match.header
        assert (header.edition, header.components) == ("qin/1", "bird")
        assert header.draws == headers.DRAWS_UNRECORDED
        assert header.retract == headers.RETRACT_POLICY_ARBITER

    def test_the_response_has_the_header_and_the_state(self, stub: RecordServiceStub) -> None:
        begun = stub.StartMatch(starting())

        assert [entry.kind for entry in begun.entries] == [entries.ENTRY_KIND_HEADER]
        assert list(begun.match.awaiting) == [entries.Actor(seat=0, name="green")]
        assert "place:green" in begun.position
        assert list(begun.seat_tokens) == []

    def test_a_repeated_request_returns_the_same_match(self, stub: RecordServiceStub) -> None:
        request = starting()
        first = stub.StartMatch(request)
        Table(stub, first.match.match_id).play(*MOVES)

        assert stub.StartMatch(request) == first

    def test_tags_are_kept_in_their_order(self, stub: RecordServiceStub) -> None:
        tags = [headers.Tag(name="Event", value="史"), headers.Tag(name="Place", value="Xi'an")]
        request = starting()
        request.tags.extend(tags)

        assert list(stub.StartMatch(request).match.header.tags) == tags

    def test_a_bad_field_is_named(self, stub: RecordServiceStub) -> None:
        long_name = starting()
        long_name.seats[1] = "x" * (MAX_NAME_CHARS + 1)
        too_many_tags = starting()
        for name in ("Event", "Place"):
            too_many_tags.tags.add(name=name, value="x" * 10_000)
        lonely = starting()
        del lonely.seats[1:]
        unknown_chance = starting()
        unknown_chance.chance = 9  # type: ignore[assignment] # what a newer client may send
        unknown_policy = starting()
        unknown_policy.retract = 9  # type: ignore[assignment] # likewise
        nameless = starting()
        nameless.request_id = ""

        for request, path in (
            (long_name, "seats[1]"),
            (too_many_tags, "tags"),
            (lonely, "seats"),
            (unknown_chance, "chance"),
            (unknown_policy, "retract"),
            (nameless, "request_id"),
        ):
            error = refusal(partial(stub.StartMatch, request))
            assert error.code.name == "INVALID_ARGUMENT"
            assert bad_fields(error.detail(BadRequest)) == [path] == [error.metadata["field"]]


class TestAppendMove:
    def test_the_response_has_the_entry_and_the_new_state(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        appended = table.play("green Re8Re9")

        (entry,) = appended.entries
        assert (entry.sequence, entry.text) == (1, "green Re8Re9")
        assert entry.request_id
        assert entry.hash
        assert list(appended.awaiting) == [entries.Actor(seat=1, name="violet")]
        assert appended.position == table.state().position

    def test_a_move_may_be_sent_as_the_games_own_message(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        appended = table.play(table.legal()[0])

        assert appended.entries[0].text.startswith("green ")

    def test_a_repeated_request_gets_the_first_response_however_far_the_match_is(
        self, stub: RecordServiceStub
    ) -> None:
        table = begin(stub)
        request = table.append_request(MOVES[0])
        first = stub.AppendMove(request)
        table.last = 1
        table.play(*MOVES[1:])

        assert stub.AppendMove(request) == first

    def test_a_brief_response_omits_what_the_caller_knows(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        request = table.append_request(MOVES[0])
        request.brief = True

        appended = stub.AppendMove(request).appended

        stored = table.record()[1]
        (entry,) = appended.entries
        assert entry == entries.Entry(
            sequence=1, position=stored.position, state_digest=stored.state_digest, hash=stored.hash
        )
        assert appended.position == ""
        assert list(appended.awaiting) == [entries.Actor(seat=1, name="violet")]

    def test_an_illegal_move_lists_every_broken_rule_with_its_cells(self, stub: RecordServiceStub) -> None:
        error = refusal(lambda: begin(stub).play("green Ra2Rb2"))

        assert error.reason == "RULE_BROKEN"
        broken = error.detail(RuleViolations).violations
        assert [each.rule_id for each in broken] == error.metadata["rules"].split(",")
        assert len(broken) > 1
        assert all(each.source and each.text and each.why and each.places for each in broken)

    def test_a_violation_lists_the_rulings_in_force_that_concern_its_rule(
        self, stub: RecordServiceStub
    ) -> None:
        table = begin(stub, board="map:........./R.......R/........./.....R...")
        table.play("green Rb2Rc2", "violet Rg2Rh2", "green Rd2Re2", "violet Rf3Be3")

        error = refusal(lambda: table.play("green Yf1Rf2"))

        rulings = [ruling for each in error.detail(RuleViolations).violations for ruling in each.rulings]
        assert "major-conflict" in [ruling.name for ruling in rulings]

    def test_an_illegal_move_stores_nothing(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        refusal(lambda: table.play("green Ra2Rb2"))

        assert len(table.record()) == 1
        assert table.play("green Re8Re9").entries[0].sequence == 1

    def test_a_wrong_sequence_is_refused_with_the_actual_one(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES[:2])

        for expected in (0, 1, 3, 2**64 - 1):
            table.last = expected
            error = refusal(lambda: table.play("green Yd8Rd9"))
            assert (error.reason, error.metadata["actual_sequence"]) == ("SEQUENCE_TAKEN", "2")

    def test_a_bad_move_is_refused_with_its_field_or_column(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        long_text, no_move = text("x" * (MAX_MOVE_TEXT_CHARS + 1)), entries.Move()
        long_data = entries.Move(encoded=entries.EncodedMove(data=bytes(MAX_MOVE_BYTES + 1)))
        nobody = entries.Move(encoded=entries.EncodedMove(data=b"x"))
        no_office = entries.Move(
            encoded=entries.EncodedMove(actor=entries.Actor(office=entries.OFFICE_UNSPECIFIED), data=b"x")
        )

        for move, path in (
            (long_text, "move.text"),
            (no_move, "move"),
            (long_data, "move.encoded.data"),
            (nobody, "move.encoded.actor"),
            (no_office, "move.encoded.actor.office"),
        ):
            error = refusal(partial(table.play, move))
            assert (error.reason, bad_fields(error.detail(BadRequest))) == ("BAD_FIELD", [path])
        assert refusal(lambda: table.play("green hello")).metadata["column"] == "7"

    def test_a_seat_that_does_not_exist_is_out_of_turn(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        move = table.legal()[0]

        for number in (2, 2**15, 2**32 - 1):
            move.encoded.actor.seat = number
            assert refusal(lambda: table.play(move)).metadata["rules"] == "QIN-TURN-1"


class TestAppendMoves:
    def test_several_moves_are_stored_together(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        appended = stub.AppendMoves(several(table, *MOVES)).appended

        assert [entry.text for entry in appended.entries] == list(MOVES)
        assert appended.position == table.state().position

    def test_if_one_move_is_illegal_none_is_stored(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        error = refusal(lambda: stub.AppendMoves(several(table, *MOVES[:2], "green Ra1Rb1", *MOVES[3:])))

        assert error.metadata["index"] == "2"
        assert error.detail(RuleViolations).index == 2
        assert len(table.record()) == 1

    def test_an_unreadable_move_is_refused_with_its_index(self, stub: RecordServiceStub) -> None:
        request = several(begin(stub), *MOVES)
        request.moves[3].ClearField("form")

        assert refusal(lambda: stub.AppendMoves(request)).metadata["field"] == "moves[3]"

    def test_a_text_that_leaves_open_who_acts_is_read_after_the_moves_before_it(
        self, stub: RecordServiceStub
    ) -> None:
        dealt = begin(stub, chance=pb.CHANCE_RECORDED)
        deals = ("deal green RR YY BB", "deal violet RR YY BB")

        drawn = stub.AppendMoves(several(dealt, *deals, MOVES[0], "green draw RB", "violet Yg8Yh8")).appended
        ended = stub.AppendMoves(several(begin(stub), MOVES[0], "end")).appended
        early = refusal(lambda: stub.AppendMoves(several(begin(stub), "violet pass", "end")))

        assert drawn.entries[3].actor == entries.Actor(office=entries.OFFICE_CHANCE)
        assert ended.entries[1].actor == entries.Actor(seat=1, name="violet")
        assert (early.metadata["index"], early.metadata["rules"]) == ("0", "QIN-TURN-1")

    def test_every_move_is_judged_once_in_whatever_form_it_is_sent(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        judged: list[Move] = []

        def counted(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
            judged.append(move)
            return QIN.decide(state, actor, move)

        def played(state: State, actor: Actor, move: Move) -> tuple[tuple[Event, ...], State] | Illegal:
            judged.append(move)
            return QIN.played(state, actor, move)

        counting = replace(QIN, decide=counted, play=played)
        monkeypatch.setattr(games, "GAMES", KnownGames({}, [bind(counting, QIN_CODEC)]))
        with serving_in_process(Ledger(MemoryLog()), MemoryLog) as running:
            table = begin(running.stub)
            running.stub.AppendMoves(several(table, *MOVES))
            by_text, judged[:] = judged.copy(), []
            encoded = [
                entries.Move(encoded=entries.EncodedMove(actor=entry.actor, data=entry.move))
                for entry in table.record()[1:]
            ]
            request = several(begin(running.stub))
            request.moves.extend(encoded)
            running.stub.AppendMoves(request)

        assert len(by_text) == len(MOVES)
        assert judged == by_text

    def test_a_request_has_one_to_a_thousand_moves(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        for request in (several(table), several(table, *["green pass"] * (MAX_MOVES_PER_REQUEST + 1))):
            assert refusal(partial(stub.AppendMoves, request)).metadata["field"] == "moves"

    def test_a_repeated_request_gets_the_first_response_only_if_it_is_the_same(
        self, stub: RecordServiceStub
    ) -> None:
        table = begin(stub)
        request = several(table, *MOVES)
        first = stub.AppendMoves(request)
        fewer = pb.AppendMovesRequest()
        fewer.CopyFrom(request)
        del fewer.moves[3:]

        assert stub.AppendMoves(request) == first
        assert refusal(lambda: stub.AppendMoves(fewer)).reason == "REQUEST_REUSED"


def several(table: Table, *moves: str) -> pb.AppendMovesRequest:
    return pb.AppendMovesRequest(
        match_id=table.match,
        expected_sequence=table.last,
        request_id=request_id(),
        moves=[text(move) for move in moves],
    )


class TestPlay:
    def test_every_request_is_answered_in_order_and_a_refusal_does_not_end_the_stream(
        self, stub: RecordServiceStub
    ) -> None:
        table = begin(stub)
        requests = []
        for expected, move in ((0, MOVES[0]), (1, "violet Ra1Rb1"), (1, MOVES[1]), (7, MOVES[2])):
            table.last = expected
            requests.append(pb.PlayRequest(append=table.append_request(move)))
        requests.append(pb.PlayRequest())

        answers = list(stub.Play(iter(requests)))

        assert [answer.request_id for answer in answers] == [each.append.request_id for each in requests]
        reasons = [answer.refused.reason for answer in answers]
        assert reasons == ["", "RULE_BROKEN", "", "SEQUENCE_TAKEN", "BAD_FIELD"]
        assert answers[1].refused.violations
        assert answers[3].refused.metadata["actual_sequence"] == "2"
        assert answers[0].appended.entries[0].text == MOVES[0]

    def test_a_stream_without_a_request_ends_without_an_answer(self, stub: RecordServiceStub) -> None:
        assert list(stub.Play(iter(()))) == []


class TestRetract:
    def test_the_earlier_state_is_restored_and_no_entry_is_lost(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(MOVES[0])
        before = table.state().position
        table.play(*MOVES[1:3])

        appended = stub.Retract(table.retract_request(1, reason="a slip")).appended

        assert (appended.position, appended.entries[0].kind) == (before, entries.ENTRY_KIND_RETRACT)
        assert appended.entries[0].text == "arbiter goes back to entry 1"
        assert len(table.record()) == 5

    def test_a_repeated_request_gets_the_first_response(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES)
        request = table.retract_request(2)

        assert stub.Retract(request) == stub.Retract(request)

    def test_the_header_decides_who_may_retract(self, stub: RecordServiceStub) -> None:
        nobody = begin(stub, retract=headers.RETRACT_POLICY_NOBODY)
        anybody = begin(stub, retract=headers.RETRACT_POLICY_ANY_SEAT)
        for table in (nobody, anybody):
            table.play(*MOVES[:2])
        request = anybody.retract_request(0)
        request.actor.seat = 1
        stranger = anybody.retract_request(0)
        stranger.actor.seat = 2**20

        assert (
            refusal(lambda: stub.Retract(nobody.retract_request(0))).metadata["rules"] == "SHIJI-TAKEBACK-1"
        )
        assert refusal(lambda: stub.Retract(stranger)).metadata["rules"] == "SHIJI-TAKEBACK-1"
        assert stub.Retract(request).appended.entries[0].text == "violet goes back to entry 0"

    def test_only_an_earlier_entry_can_be_gone_back_to(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES[:2])

        for to_sequence in (2, 3, 2**64 - 1):
            error = refusal(partial(stub.Retract, table.retract_request(to_sequence)))
            assert error.reason == "NOTHING_TO_RETRACT"

    def test_a_long_reason_is_refused(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(MOVES[0])

        error = refusal(
            lambda: stub.Retract(table.retract_request(0, reason="x" * (MAX_STATEMENT_CHARS + 1)))
        )

        assert error.metadata["field"] == "reason"


class TestImportRecord:
    def test_a_transcript_is_stored_once(self, stub: RecordServiceStub) -> None:
        request = pb.ImportRecordRequest(content=(TRANSCRIPT % ("once", "Yg8Bh8")).encode())

        first, second = stub.ImportRecord(request), stub.ImportRecord(request)

        assert (first.entries, first.added, second.added) == (2, 3, 0)
        assert first.match_id == second.match_id
        assert [entry.text for entry in Table(stub, first.match_id).record()][1:] == list(MOVES[:2])

    def test_an_exported_record_file_is_recognised_on_import(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES)
        request = pb.ExportRecordRequest(match_id=table.match, format=pb.RECORD_FORMAT_RECORD)

        imported = stub.ImportRecord(pb.ImportRecordRequest(content=stub.ExportRecord(request).content))

        assert (imported.match_id, imported.entries, imported.added) == (table.match, 5, 0)

    def test_an_illegal_record_is_refused_with_its_first_bad_entry(self, stub: RecordServiceStub) -> None:
        content = (TRANSCRIPT % ("illegal", "Ya1Yb1")).encode()

        error = refusal(lambda: stub.ImportRecord(pb.ImportRecordRequest(content=content)))

        assert error.metadata == {"verdict": "illegal", "sequence": "2"}
        assert error.detail(AuditReport).first_bad == 2

    def test_an_unreadable_record_is_refused_with_its_line(self, stub: RecordServiceStub) -> None:
        for content in (b"", b"\xff\xfe", (TRANSCRIPT % ("bad", "hello")).encode(), b'{"format":'):
            error = refusal(partial(stub.ImportRecord, pb.ImportRecordRequest(content=content)))
            assert error.reason == "UNREADABLE_RECORD"
            assert int(error.metadata["line"]) >= 0

    def test_a_record_with_a_changed_header_is_corrupt_at_entry_0(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        request = pb.ExportRecordRequest(match_id=table.match, format=pb.RECORD_FORMAT_RECORD)
        content = stub.ExportRecord(request).content.replace(table.match.encode(), b"another")

        error = refusal(lambda: stub.ImportRecord(pb.ImportRecordRequest(content=content)))

        assert error.metadata == {"verdict": "corrupt", "sequence": "0"}


def test_an_auditor_sees_the_entries_that_were_stored(stub: RecordServiceStub) -> None:
    table = begin(stub)
    table.play(*MOVES)

    record = table.record(AUDITOR)

    assert [entry.sequence for entry in record] == list(range(6))
    assert all(after.previous_hash == before.hash for before, after in pairwise(record))
