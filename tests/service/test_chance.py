"""Matches in which the server deals, over the wire: to their end, over a restart, back and forth."""

from pathlib import Path

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import VERDICT_VERIFIED

from service.server_secret import Secret
from tests.service.calls import AUDITOR, Table, begin, refusal, request_id, seat, text
from tests.service.running import over_file

NAMES = ("green", "violet", "white", "black")


def dealt(stub: RecordServiceStub, seats: int = 2) -> Table:
    return begin(stub, chance=pb.CHANCE_SERVICE, seats=NAMES[:seats])


def first_legal(table: Table) -> str:
    """A move of whoever is awaited; empty once the match is over."""
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=table.match), page_size=1)
    return next((move.text for move in table.stub.ListLegalMoves(request).moves), "")


def hands(table: Table) -> list[str]:
    """Every hand, each as its own seat sees it."""
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


def test_each_seat_is_told_what_it_drew_and_nobody_else_is(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    mine = table.play(first_legal(table)).entries[-1]

    assert mine.text.startswith("draw ")
    assert "?" not in mine.text
    for viewer, sees in ((seat(0), mine.text), (seat(1), "draw ?"), (entries.Viewer(), "draw ?")):
        assert table.record(viewer)[-1].text == sees


def test_the_first_request_again_is_the_same_match_with_the_same_deal(stub: RecordServiceStub) -> None:
    request = pb.StartMatchRequest(
        request_id=request_id(), game="qin", seats=NAMES[:3], chance=pb.CHANCE_SERVICE
    )
    first = stub.StartMatch(request)
    table = Table(stub, first.match.match_id, first.match.sequence)
    before = hands(table)

    assert stub.StartMatch(request) == first
    assert hands(table) == before


def test_nobody_else_tells_what_chance_brings(stub: RecordServiceStub) -> None:
    table = dealt(stub)

    assert refusal(lambda: table.play("draw RB")).metadata["rules"] == "SHIJI-DEAL-1"
    check = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=table.match), move=text("draw RB"))
    assert [broken.rule_id for broken in stub.CheckMove(check).violations] == ["SHIJI-DEAL-1"]


def test_several_moves_are_dealt_between_and_all_of_them_stored(stub: RecordServiceStub) -> None:
    """What the first seat may place leaves a second place free for the next, on so wide a board."""
    table = dealt(stub)
    rehearsed: list[str] = []
    start = table.last
    for _ in range(3):
        rehearsed.append(first_legal(table))
        table.play(rehearsed[-1])
    table.last = stub.Retract(table.retracting(start)).appended.entries[-1].sequence
    request = pb.AppendMovesRequest(
        match_id=table.match,
        expected_sequence=table.last,
        request_id=request_id(),
        moves=[text(move) for move in rehearsed],
    )

    stored = [entry.text for entry in stub.AppendMoves(request).appended.entries]

    assert stored[::2] == rehearsed
    assert [said.partition(" ")[0] for said in stored[1::2]] == ["draw"] * 3


def test_going_back_brings_the_same_tiles_again(stub: RecordServiceStub) -> None:
    table = dealt(stub)
    start, before = table.last, hands(table)
    move = first_legal(table)
    table.play(move)
    after = hands(table)

    table.last = stub.Retract(table.retracting(start)).appended.entries[-1].sequence
    assert hands(table) == before
    table.play(move)
    assert hands(table) == after
    table.last = stub.Retract(table.retracting(table.last - 1)).appended.entries[-1].sequence
    assert hands(table) == after


def test_a_restart_goes_on_with_the_same_deal(path: Path) -> None:
    with over_file(path) as running:
        table = dealt(running.stub)
        table.play(first_legal(table))
        start, move, before = table.last, first_legal(table), hands(table)
        table.play(move)
        after = hands(table)
        table.last = running.stub.Retract(table.retracting(start)).appended.entries[-1].sequence
    with over_file(path) as running:
        table = Table(running.stub, table.match, table.last)
        assert hands(table) == before
        table.play(move)

        assert hands(table) == after


def test_without_the_secret_that_it_began_with_a_match_goes_no_further(path: Path) -> None:
    with over_file(path) as running:
        table = dealt(running.stub)
        move = first_legal(table)
    path.with_name(f"{path.name}.secret").unlink()
    Secret.load(path.with_name(f"{path.name}.secret"))
    with over_file(path) as running:
        table = Table(running.stub, table.match, table.last)

        assert refusal(lambda: table.play(move)).reason == "NO_DEALER"
        assert table.record()[-1].sequence == table.last
