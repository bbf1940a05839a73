"""A second game over the wire: nothing in the service knows it by name."""

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import VERDICT_VERIFIED

from tests.rules.laws import seeded
from tests.service.calls import AUDITOR, SPECTATOR, Table, refusal, request_id, seat, text

NAMES = ("red", "yellow", "blue", "green")
LIKED = ("conquer", "protection", "explore", "invade", "chase")


def begin(stub: RecordServiceStub, chance: pb.Chance.ValueType, seats: int = 2) -> Table:
    """A match on the set that the build ships."""
    request = pb.StartMatchRequest(request_id=request_id(), game="khan", seats=NAMES[:seats], chance=chance)
    begun = stub.StartMatch(request)
    return Table(stub, begun.match.match_id, begun.match.sequence)


def listed(table: Table) -> list[str]:
    """The first of the legal moves of whoever is awaited."""
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=table.match), page_size=1000)
    return [move.text for move in table.stub.ListLegalMoves(request).moves]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_match_that_the_server_deals_goes_to_its_end_and_is_verified(
    stub: RecordServiceStub, seats: int
) -> None:
    table, chance = begin(stub, pb.CHANCE_SERVICE, seats), seeded(seats)
    while moves := listed(table):
        liked = [move for move in moves if move.split()[1] == chance.choice(LIKED)]
        appended = table.play(chance.choice(liked or moves))
        assert entries.OFFICE_CHANCE not in [actor.office for actor in appended.awaiting]

    match = stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match
    assert match.outcome.reason == "no-conquest"
    assert match.header.components.startswith("khan-reference-0#sha256=")
    assert stub.AuditMatch(pb.AuditMatchRequest(match_id=table.match)).report.verdict == VERDICT_VERIFIED
    assert not [entry.text for entry in table.record(AUDITOR) if "?" in entry.text]


def test_a_drawn_card_is_seen_by_its_seat_and_a_turned_one_by_everybody(stub: RecordServiceStub) -> None:
    table = begin(stub, pb.CHANCE_SERVICE)
    for _ in range(6):
        table.play(listed(table)[0])
    told = {viewer: [entry.text for entry in table.record(seen)] for viewer, seen in VIEWERS.items()}

    assert sum(line == "draw ?" for line in told["spectator"]) == 8
    assert sum(line == "draw ?" for line in told["first"]) == 4
    assert sum(line == "draw ?" for line in told["second"]) == 4
    assert told["spectator"][-1].startswith("turn ")
    assert len({lines[-1] for lines in told.values()}) == 1


VIEWERS = {"spectator": SPECTATOR, "first": seat(0), "second": seat(1)}


def test_an_illegal_move_is_refused_with_the_rule_that_it_breaks(stub: RecordServiceStub) -> None:
    table = begin(stub, pb.CHANCE_UNRECORDED)
    table.play("first red")

    assert refusal(lambda: table.play("red yurt e1")).metadata["rules"] == "KHAN-FREE-1"
    check = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=table.match), move=text("yellow yurt a1"))
    assert [broken.rule_id for broken in stub.CheckMove(check).violations] == ["KHAN-TURN-1"]
