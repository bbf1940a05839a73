"""A second game through the service, which knows no game by name."""

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub
from shiji.verdict.v1.verdict_pb2 import VERDICT_VERIFIED

from tests.rules.laws import seeded
from tests.service.calls import AUDITOR, SPECTATOR, Table, refusal, request_id, seat, text

NAMES = ("red", "yellow", "blue", "green")
PREFERRED = ("conquer", "protection", "explore", "invade", "chase")
"""Kinds of moves that are preferred, so that a random match makes progress."""


def begin(stub: RecordServiceStub, chance: pb.Chance.ValueType, seats: int = 2) -> Table:
    """A new match of Khan, with the reference set."""
    request = pb.StartMatchRequest(request_id=request_id(), game="khan", seats=NAMES[:seats], chance=chance)
    begun = stub.StartMatch(request)
    return Table(stub, begun.match.match_id, begun.match.sequence)


def listed(table: Table) -> list[str]:
    """The first thousand legal moves of the actor whose turn it is."""
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=table.match), page_size=1000)
    return [move.text for move in table.stub.ListLegalMoves(request).moves]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_match_dealt_by_the_server_is_played_to_its_end_and_verifies(
    stub: RecordServiceStub, seats: int
) -> None:
    table, chance = begin(stub, pb.CHANCE_SERVICE, seats), seeded(seats)
    while moves := listed(table):
        preferred = [move for move in moves if move.split()[1] == chance.choice(PREFERRED)]
        appended = table.play(chance.choice(preferred or moves))
        assert entries.OFFICE_CHANCE not in [actor.office for actor in appended.awaiting]

    match = stub.GetMatch(pb.GetMatchRequest(match_id=table.match)).match
    assert match.outcome.reason == "no-conquest"
    assert match.header.components.startswith("khan-reference-0#sha256=")
    assert stub.AuditMatch(pb.AuditMatchRequest(match_id=table.match)).report.verdict == VERDICT_VERIFIED
    assert not [entry.text for entry in table.record(AUDITOR) if "?" in entry.text]


def test_only_its_seat_sees_a_drawn_card_and_everybody_sees_a_turned_one(stub: RecordServiceStub) -> None:
    table = begin(stub, pb.CHANCE_SERVICE)
    for _ in range(6):
        table.play(listed(table)[0])
    texts = {viewer: [entry.text for entry in table.record(seen)] for viewer, seen in VIEWERS.items()}

    assert sum(line == "draw ?" for line in texts["spectator"]) == 8
    assert sum(line == "draw ?" for line in texts["first"]) == 4
    assert sum(line == "draw ?" for line in texts["second"]) == 4
    assert texts["spectator"][-1].startswith("turn ")
    assert len({lines[-1] for lines in texts.values()}) == 1


VIEWERS = {"spectator": SPECTATOR, "first": seat(0), "second": seat(1)}


def test_an_illegal_move_is_refused_with_the_rule_that_it_breaks(stub: RecordServiceStub) -> None:
    table = begin(stub, pb.CHANCE_UNRECORDED)
    table.play("first red")

    assert refusal(lambda: table.play("red yurt e1")).metadata["rules"] == "KHAN-FREE-1"
    check = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=table.match), move=text("yellow yurt a1"))
    assert [broken.rule_id for broken in stub.CheckMove(check).violations] == ["KHAN-TURN-1"]
