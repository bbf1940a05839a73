"""CheckMove, ListLegalMoves, GetMatch, ListMatches, GetState, ReadRecord, ExportRecord and the audits."""

from functools import partial
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import VERDICT_ILLEGAL, VERDICT_VERIFIED

from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, judge, store
from records.log.sqlite import SqliteLog
from service.methods.listing import READ_AT_ONCE
from tests.records.archives import add, make, open_log
from tests.records.matches import MOVES, forged, played
from tests.service.calls import Table, begin, refusal, request_id, seat, text
from tests.service.running import serving_in_process
from tools.dev.golden import FOLDER

TRANSCRIPT = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Rulings ""]
[Board "bird"]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "*"]

1. green Re8Re9
"""


@pytest.fixture
def table(stub: RecordServiceStub) -> Table:
    """A match after five moves."""
    played = begin(stub)
    played.play(*MOVES)
    return played


def at(table: Table, sequence: int | None = None) -> pb.MatchAt:
    return pb.MatchAt(match_id=table.match, sequence=sequence)


class TestCheckMove:
    def test_a_brief_verdict_has_no_position_but_all_violations(self, table: Table) -> None:
        legal = pb.CheckMoveRequest(stored=at(table, 1), move=text(MOVES[1]))
        foul = pb.CheckMoveRequest(stored=at(table), move=text("violet Ra2Rb2"))
        brief = pb.CheckMoveRequest(brief=True)

        assert table.stub.CheckMove(legal).position
        legal.MergeFrom(brief)
        assert table.stub.CheckMove(legal) == pb.CheckMoveResponse(legal=True)
        response = table.stub.CheckMove(foul)
        foul.MergeFrom(brief)
        assert table.stub.CheckMove(foul) == response
        assert response.violations

    def test_an_illegal_move_is_no_error_and_nothing_is_stored(self, table: Table) -> None:
        good = table.stub.CheckMove(pb.CheckMoveRequest(stored=at(table, 1), move=text(MOVES[1])))
        bad = table.stub.CheckMove(pb.CheckMoveRequest(stored=at(table), move=text("violet Ra2Rb2")))

        assert (good.legal, bad.legal) == (True, False)
        assert (
            good.position
            == table.stub.GetState(pb.GetStateRequest(match_id=table.match, sequence=2)).position
        )
        assert good.events
        assert bad.violations
        assert len(table.record()) == 6

    def test_a_move_is_checked_against_a_transcript_or_a_position(self, stub: RecordServiceStub) -> None:
        line = pb.PositionLine(game="qin", line=begin(stub).state().position)

        after = stub.CheckMove(pb.CheckMoveRequest(transcript=TRANSCRIPT, move=text(MOVES[1])))
        first = stub.CheckMove(pb.CheckMoveRequest(position=line, move=text(MOVES[0])))

        assert (after.legal, first.legal) == (True, True)
        assert list(after.awaiting) == [entries.Actor(seat=0, name="green")]

    def test_an_unreadable_subject_is_refused_with_its_location(self, stub: RecordServiceStub) -> None:
        for request, where in (
            (pb.CheckMoveRequest(move=text(MOVES[0])), {"field": "subject"}),
            (pb.CheckMoveRequest(transcript="hello", move=text(MOVES[0])), {"line": "1", "column": "1"}),
            (
                pb.CheckMoveRequest(position=pb.PositionLine(game="qin", line="x")),
                {"line": "1", "column": "1"},
            ),
            (pb.CheckMoveRequest(position=pb.PositionLine(game="go")), {"game": "go"}),
        ):
            assert refusal(partial(stub.CheckMove, request)).metadata == where


def listed(
    table: Table, stored: pb.MatchAt, wanted: pb.MoveFilter, size: int = 0, token: str = ""
) -> pb.ListLegalMovesResponse:
    """The moves that pass a filter."""
    request = pb.ListLegalMovesRequest(stored=stored, filter=wanted, page_size=size, page_token=token)
    return table.stub.ListLegalMoves(request)


class TestListLegalMoves:
    def test_pages_together_are_the_whole_list(self, table: Table) -> None:
        whole = table.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=at(table)))
        pages: list[str] = []
        request = pb.ListLegalMovesRequest(stored=at(table), page_size=100)
        while True:
            page = table.stub.ListLegalMoves(request)
            pages += [move.text for move in page.moves]
            request.page_token = page.next_page_token
            if not page.next_page_token:
                break

        assert pages == [move.text for move in whole.moves]
        assert whole.actor == entries.Actor(seat=1, name="violet")

    def test_every_move_of_the_list_is_legal_as_text_and_as_bytes(self, table: Table) -> None:
        listed = table.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=at(table), page_size=5))
        for move in listed.moves:
            encoded = entries.Move(encoded=entries.EncodedMove(actor=listed.actor, data=move.data))
            for form in (text(move.text), encoded):
                assert table.stub.CheckMove(pb.CheckMoveRequest(stored=at(table), move=form)).legal

    def test_an_actor_that_is_not_awaited_has_no_legal_moves(self, table: Table) -> None:
        for actor in (
            entries.Actor(seat=0),
            entries.Actor(seat=99),
            entries.Actor(office=entries.OFFICE_CHANCE),
        ):
            request = pb.ListLegalMovesRequest(stored=at(table), actor=actor)
            assert list(table.stub.ListLegalMoves(request).moves) == []

    @pytest.mark.parametrize("game", ["qin", "khan", "zhanguo", "great-wall"])
    def test_a_filter_leaves_the_moves_of_a_kind_that_are_about_all_places_and_have_all_words(
        self, table: Table, game: str
    ) -> None:
        begun = table.stub.StartMatch(
            pb.StartMatchRequest(
                request_id=request_id(), game=game, seats=["east", "south"], chance=pb.CHANCE_SERVICE
            )
        )
        stored = pb.MatchAt(match_id=begun.match.match_id)
        every = listed(table, stored, pb.MoveFilter())
        plain = table.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=stored))

        assert [move.text for move in every.moves] == [move.text for move in plain.moves]
        assert every.total_size == len(every.moves) == sum(kind.count for kind in every.kinds)
        assert list(every.places) == list(
            dict.fromkeys(place for move in every.moves for place in move.places)
        )
        for one in every.moves[::10]:
            wanted = pb.MoveFilter(
                places=one.places[:1], kind=one.kind, text=f" {one.text.split()[-1].upper()}  {one.text[:3]}"
            )
            left = listed(table, stored, wanted)
            expected = [
                move.text
                for move in every.moves
                if set(wanted.places) <= set(move.places)
                and move.kind == wanted.kind
                and all(word in move.text.lower() for word in wanted.text.lower().split())
            ]
            assert [move.text for move in left.moves] == expected
            assert one.text in expected

    def test_a_filtered_list_comes_in_pages_too(self, table: Table) -> None:
        wanted = pb.MoveFilter(text="r")
        whole = listed(table, at(table), wanted)
        first = listed(table, at(table), wanted, size=2)
        second = listed(table, at(table), wanted, size=2, token=first.next_page_token)

        assert [move.text for move in (*first.moves, *second.moves)] == [
            move.text for move in whole.moves[:4]
        ]
        assert first.total_size == second.total_size == len(whole.moves)
        assert not whole.next_page_token

    def test_a_kind_a_place_or_words_that_no_move_has_leave_none(self, table: Table) -> None:
        for wanted in (
            pb.MoveFilter(kind="fly"),
            pb.MoveFilter(places=["z99"]),
            pb.MoveFilter(text="no such words"),
        ):
            left = listed(table, at(table), wanted)
            assert (left.total_size, len(left.moves), left.next_page_token) == (0, 0, "")

    def test_a_negative_page_size_is_refused(self, table: Table) -> None:
        request = pb.ListLegalMovesRequest(stored=at(table), page_size=-1)

        assert refusal(lambda: table.stub.ListLegalMoves(request)).metadata == {"field": "page_size"}


class TestListMatches:
    def test_filters_and_pages(self, stub: RecordServiceStub) -> None:
        name = f"seat{request_id().split()[1]}"
        mine = [begin(stub, seats=(name, "violet")).match for _ in range(5)]
        begin(stub)

        def listed(**filters: object) -> list[str]:
            found, request = [], pb.ListMatchesRequest(seat=name, page_size=2, **filters)  # type: ignore[arg-type] # any field
            while True:
                page = stub.ListMatches(request)
                found += [match.match_id for match in page.matches]
                request.page_token = page.next_page_token
                if not page.next_page_token:
                    return found

        assert listed() == listed(game="qin") == listed(state=pb.MATCH_STATE_OPEN) == mine
        assert listed(state=pb.MATCH_STATE_OVER) == listed(game="khan") == []
        assert listed(start_time=Timestamp(seconds=1)) == listed(end_time=Timestamp(seconds=2**33)) == mine
        assert listed(end_time=Timestamp(seconds=1)) == []

    def test_a_page_is_whole_though_it_is_read_in_portions(self, stub: RecordServiceStub) -> None:
        word = f"league{request_id().split()[1]}"
        mine = [begin(stub, tags={"Place": word}).match for _ in range(2 * READ_AT_ONCE + 3)]

        def page(size: int, token: str = "") -> tuple[list[str], int, str]:
            found = stub.ListMatches(pb.ListMatchesRequest(text=word, page_size=size, page_token=token))
            return [match.match_id for match in found.matches], found.total_size, found.next_page_token

        whole = page(500)
        first = page(READ_AT_ONCE + 1)
        rest = page(500, first[2])

        assert whole == (mine, len(mine), "")
        assert (first[0] + rest[0], first[1], rest[1], rest[2]) == (mine, len(mine), len(mine), "")
        assert len(first[0]) == READ_AT_ONCE + 1

    def test_the_newest_come_first_on_request_and_are_found_by_prefix_and_words(
        self, stub: RecordServiceStub
    ) -> None:
        word = f"club{request_id().split()[1]}"
        mine = [begin(stub, tags={"Place": f"The {word.upper()}, first floor"}).match for _ in range(5)]

        def listed(**filters: object) -> tuple[list[str], int]:
            page = stub.ListMatches(pb.ListMatchesRequest(**filters))  # type: ignore[arg-type] # any field
            assert not page.total_size_approximate
            return [match.match_id for match in page.matches], page.total_size

        newest = pb.MATCH_ORDER_NEWEST_FIRST
        assert listed(text=word) == (mine, 5)
        assert listed(text=f"floor {word[:-1]}", order=newest, page_size=2) == (mine[:2:-1], 5)
        assert listed(text=f"{word} cellar") == ([], 0)
        assert listed(match_id_prefix=mine[2]) == ([mine[2]], 1)
        assert listed(match_id_prefix=mine[2], text="nobody") == ([], 0)

    def test_an_audit_is_noted_and_outdated_by_the_next_move(self, tmp_path: Path) -> None:
        path = tmp_path / "archive.db"
        (match,) = make(path, 1, MOVES[:1])

        def noted() -> tuple[entries.AuditState.ValueType, int]:
            (found,) = service.stub.ListMatches(pb.ListMatchesRequest()).matches
            (again,) = service.stub.ListMatches(pb.ListMatchesRequest(audit=found.audit)).matches
            assert again == found
            return found.audit, found.audited_sequence

        with SqliteLog.open(path) as log, serving_in_process(Ledger(log), partial(open_log, path)) as service:
            assert noted() == (entries.AUDIT_STATE_NONE, 0)
            service.stub.AuditMatch(pb.AuditMatchRequest(match_id=match))
            assert noted() == (entries.AUDIT_STATE_VERIFIED, 1)
            Table(service.stub, match, 1).play(MOVES[1])
            assert noted() == (entries.AUDIT_STATE_OUTDATED, 1)
            list(service.stub.AuditArchive(pb.AuditArchiveRequest()))
            assert noted() == (entries.AUDIT_STATE_VERIFIED, 2)

    def test_an_invalid_time_or_state_is_refused(self, stub: RecordServiceStub) -> None:
        for request, path in (
            (pb.ListMatchesRequest(start_time=Timestamp(seconds=2**60)), "start_time"),
            (pb.ListMatchesRequest(end_time=Timestamp(nanos=-5)), "end_time"),
            (pb.ListMatchesRequest(state=9), "state"),  # type: ignore[arg-type] # what a newer client may send
            (pb.ListMatchesRequest(audit=9), "audit"),  # type: ignore[arg-type] # what a newer client may send
            (pb.ListMatchesRequest(order=9), "order"),  # type: ignore[arg-type] # what a newer client may send
            (pb.ListMatchesRequest(text="x" * 4000), "text"),
            (pb.ListMatchesRequest(match_id_prefix="x" * 4000), "match_id_prefix"),
        ):
            assert refusal(partial(stub.ListMatches, request)).metadata == {"field": path}

    def test_a_game_that_nobody_knows_is_refused_with_those_that_are_known(
        self, stub: RecordServiceStub
    ) -> None:
        found = refusal(lambda: stub.ListMatches(pb.ListMatchesRequest(game="chess")))

        assert (found.reason, found.metadata) == ("BAD_FIELD", {"field": "game"})
        assert "no game is called 'chess'; known: qin, khan, zhanguo, great-wall;" in found.message


class TestGetState:
    def test_the_state_after_any_entry_is_returned_and_drawn_on_request(self, table: Table) -> None:
        request = pb.GetStateRequest(match_id=table.match, sequence=3, with_drawing=True, with_svg=True)

        state = table.stub.GetState(request)

        assert state.sequence == 3
        assert state.state_digest == table.record()[3].state_digest
        assert "violet" in state.turn
        assert state.drawing
        assert state.svg.startswith("<svg")
        assert not (plain := table.state()).drawing + plain.svg

    def test_a_viewer_seat_that_does_not_exist_is_refused(self, table: Table) -> None:
        assert refusal(lambda: table.state(seat(2))).metadata == {"field": "viewer.seat"}


def test_a_match_is_returned_with_its_header_and_current_state(table: Table) -> None:
    match = table.stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match

    assert (match.sequence, list(match.awaiting)) == (5, [entries.Actor(seat=1, name="violet")])
    assert [each.name for each in match.header.seats] == ["green", "violet"]


def test_a_record_is_read_from_any_entry_on(table: Table) -> None:
    assert [entry.sequence for entry in table.record(from_sequence=4)] == [4, 5]
    assert table.record(from_sequence=6) == []
    assert refusal(lambda: table.record(from_sequence=7)).reason == "NO_SUCH_ENTRY"


def test_a_move_can_be_checked_against_an_exported_transcript(table: Table) -> None:
    exported = table.stub.ExportRecord(pb.ExportRecordRequest(match_id=table.match))
    request = pb.CheckMoveRequest(transcript=exported.content.decode(), move=text("violet pass"))

    assert exported.file_name == f"{table.match}.shiji"
    assert table.stub.CheckMove(request) == table.stub.CheckMove(
        pb.CheckMoveRequest(stored=at(table), move=text("violet pass"))
    )


def test_a_match_and_the_archive_are_audited(table: Table) -> None:
    report = table.stub.AuditMatch(pb.AuditMatchRequest(match_id=table.match)).report
    parts = list(table.stub.AuditArchive(pb.AuditArchiveRequest(with_verified=True)))

    assert (report.verdict, report.entries, report.good) == (VERDICT_VERIFIED, 5, 5)
    assert table.match in [part.report.match_id for part in parts if part.HasField("report")]
    assert parts[-1].summary.clean
    assert sum(part.HasField("summary") for part in parts) == 1


def test_the_audit_of_the_archive_reports_what_that_of_the_match_does_but_no_position_before_the_end(
    tmp_path: Path,
) -> None:
    path = tmp_path / "archive.db"
    add(path, forged(played(*MOVES), 3, actor=1))
    ended = judge((FOLDER / "last-pagoda.shiji").read_bytes())
    assert isinstance(ended, VerifiedImport)
    with SqliteLog.open(path) as log, serving_in_process(Ledger(log), partial(open_log, path)) as service:
        store(log, [ended])
        parts = service.stub.AuditArchive(pb.AuditArchiveRequest(with_verified=True))
        illegal, over = [part.report for part in parts if part.HasField("report")]
        alone = [
            service.stub.AuditMatch(pb.AuditMatchRequest(match_id=each.match_id)).report
            for each in (illegal, over)
        ]

    assert (illegal.verdict, over.verdict) == (VERDICT_ILLEGAL, VERDICT_VERIFIED)
    assert over == alone[1]
    assert over.position
    assert illegal.violations[0].why == "it is green's turn to place"
    assert not illegal.position
    illegal.position = alone[0].position
    assert illegal == alone[0]
