"""Matches in which the server deals: to their end, after a restart, after retractions."""

from functools import partial
from pathlib import Path

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import VERDICT_VERIFIED

from service.server_secret import ServerSecret
from tests.service.calls import AUDITOR, Table, begin, refusal, request_id, seat, text
from tests.service.running import serving_file

NAMES = ("green", "violet", "white", "black")


def dealt(stub: RecordServiceStub, seats: int = 2) -> Table:
    return begin(stub, chance=pb.CHANCE_SERVICE, seats=NAMES[:seats])


def first_legal(table: Table) -> str:
    """The first legal move of the actor whose turn it is; empty once the match is over."""
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=table.match), page_size=1)
    return next((move.text for move in table.stub.ListLegalMoves(request).moves), "")


def hands(table: Table) -> list[str]:
    """The position as each seat sees it, which together show every hand."""
    number = len(table.stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match.header.seats)
    return [table.state(seat(each)).position for each in range(number)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_is_dealt_to_its_end_and_then_shown_and_verified(stub: RecordServiceStub, seats: int) -> None:
    table = dealt(stub, seats)
    while move := first_legal(table):
        appended = table.play(move)
        assert entries.OFFICE_CHANCE not in [actor.office for actor in appended.awaiting]

    report = stub.AuditMatch(pb.AuditMatchRequest(match_id=table.match)).report
    assert report.verdict == VERDICT_VERIFIED
    assert stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match.outcome.reason
    assert not [entry.text for entry in table.record(AUDITOR) if "?" in entry.text]


def test_only_the_seat_that_drew_a_tile_sees_it(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    mine = table.play(first_legal(table)).entries[-1]

    assert mine.text.startswith("draw ")
    assert "?" not in mine.text
    for viewer, sees in ((seat(0), mine.text), (seat(1), "draw ?"), (entries.Viewer(), "draw ?")):
        assert table.record(viewer)[-1].text == sees


def test_a_repeated_start_returns_the_same_match_with_the_same_deal(stub: RecordServiceStub) -> None:
    request = pb.StartMatchRequest(
        request_id=request_id(), game="qin", seats=NAMES[:3], chance=pb.CHANCE_SERVICE
    )
    first = stub.StartMatch(request)
    table = Table(stub, first.match.match_id, first.match.sequence)
    before = hands(table)

    assert stub.StartMatch(request) == first
    assert hands(table) == before


def test_callers_cannot_make_the_moves_of_chance(stub: RecordServiceStub) -> None:
    table = dealt(stub)

    assert refusal(lambda: table.play("draw RB")).metadata["rules"] == "SHIJI-DEAL-1"
    check = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=table.match), move=text("draw RB"))
    assert [broken.rule_id for broken in stub.CheckMove(check).violations] == ["SHIJI-DEAL-1"]


@pytest.mark.parametrize("probe", ["violet Yg8Bh8", "violet Ra1Rb1", "end", "nonsense"])
def test_a_batch_ends_before_the_service_deals_whatever_would_follow(
    stub: RecordServiceStub, probe: str
) -> None:
    """Otherwise the refusal of the second move would reveal what was drawn, and nothing would be stored."""
    table = dealt(stub)
    request = pb.AppendMovesRequest(
        match_id=table.match,
        expected_sequence=table.last,
        request_id=request_id(),
        moves=[text(first_legal(table)), text(probe)],
    )

    error = refusal(lambda: stub.AppendMoves(request))

    assert error.reason in {"BAD_FIELD", "UNREADABLE_MOVE"}
    assert (error.reason == "UNREADABLE_MOVE") == (probe == "nonsense")
    assert probe == "nonsense" or error.metadata["field"] == "moves[1]"
    assert table.record()[-1].sequence == table.last
    del request.moves[1]
    stored = stub.AppendMoves(request).appended.entries
    assert [entry.text.split()[0] for entry in stored] == ["green", "draw"]


def test_the_id_of_a_draw_cannot_be_asked_for(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    stub.AppendMove(table.append_request(first_legal(table), request="mine"))

    for asked in ("draw RB", "draw RR", "draw ?"):
        error = refusal(partial(stub.AppendMove, table.append_request(asked, request="mine/2")))
        assert error.reason == "REQUEST_REUSED"


def test_an_id_that_only_looks_derived_is_an_id_like_any_other(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    request = table.append_request(first_legal(table), request="game/2")

    assert stub.AppendMove(request) == stub.AppendMove(request)


def test_a_seat_does_not_take_back_past_a_draw_but_the_arbiter_does(stub: RecordServiceStub) -> None:
    table = begin(stub, chance=pb.CHANCE_SERVICE, retract=headers.RETRACT_POLICY_ANY_SEAT)
    start = table.last
    table.play(first_legal(table))
    request = table.retract_request(start)
    request.actor.seat = 0

    error = refusal(lambda: stub.Retract(request))

    assert error.metadata["rules"] == "SHIJI-TAKEBACK-1"
    assert f"past the draw in entry {table.last}" in error.message
    request.ClearField("actor")
    assert stub.Retract(request).appended.entries[0].sequence == table.last + 1


def test_after_a_retraction_the_same_tiles_are_drawn_again(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    start, before = table.last, hands(table)
    move = first_legal(table)
    table.play(move)
    after = hands(table)

    table.last = stub.Retract(table.retract_request(start)).appended.entries[-1].sequence
    assert hands(table) == before
    table.play(move)
    assert hands(table) == after
    table.last = stub.Retract(table.retract_request(table.last - 1)).appended.entries[-1].sequence
    assert hands(table) == after


def test_a_match_continues_with_the_same_deal_after_a_restart(path: Path) -> None:
    with serving_file(path) as running:
        table = dealt(running.stub)
        table.play(first_legal(table))
        start, move, before = table.last, first_legal(table), hands(table)
        table.play(move)
        after = hands(table)
        table.last = running.stub.Retract(table.retract_request(start)).appended.entries[-1].sequence
    with serving_file(path) as running:
        table = Table(running.stub, table.match, table.last)
        assert hands(table) == before
        table.play(move)

        assert hands(table) == after


def test_a_match_cannot_continue_without_the_secret_that_it_started_with(path: Path) -> None:
    with serving_file(path) as running:
        table = dealt(running.stub)
        move = first_legal(table)
    path.with_name(f"{path.name}.secret").unlink()
    ServerSecret.load(path.with_name(f"{path.name}.secret"))
    with serving_file(path) as running:
        table = Table(running.stub, table.match, table.last)

        assert refusal(lambda: table.play(move)).reason == "NO_DEALER"
        assert table.record()[-1].sequence == table.last
