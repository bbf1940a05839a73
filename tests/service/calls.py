"""Requests to test the service with, and what its refusals say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from service.errors import Reason
from tests.records.matches import SEATS
from tests.service.servers import Refusal, refused

SPECTATOR = entries.Viewer()
AUDITOR = entries.Viewer(onlooker=entries.ONLOOKER_AUDITOR)

_ids = count(1)


def request_id() -> str:
    """One that no other request of this process has."""
    return f"request {next(_ids)}"


def refusal(call: Callable[[], object]) -> Refusal:
    """The refusal that the call ends with; its reason stands for the code that it has."""
    with refused() as told:
        call()
    assert told.code == Reason[told.reason].value.code
    return told


def seat(number: int) -> entries.Viewer:
    """Who looks from this seat."""
    return entries.Viewer(seat=number)


def text(said: str) -> entries.Move:
    """A move in a transcript's words."""
    return entries.Move(text=said)


def begin(
    stub: RecordServiceStub,
    *,
    chance: pb.Chance.ValueType = pb.CHANCE_UNRECORDED,
    seats: Sequence[str] = SEATS,
    board: str = "bird",
    retract: headers.RetractPolicy.ValueType = headers.RETRACT_POLICY_UNSPECIFIED,
) -> "Table":
    """A new match of Qin."""
    request = pb.StartMatchRequest(
        request_id=request_id(), game="qin", components=board, seats=seats, chance=chance, retract=retract
    )
    begun = stub.StartMatch(request)
    return Table(stub, begun.match.match_id, begun.match.sequence)


@dataclass
class Table:
    """A match that is played over the wire."""

    stub: RecordServiceStub
    match: str
    last: int = 0

    def asked(self, move: entries.Move | str, request: str | None = None) -> pb.AppendMoveRequest:
        """The request for a move after the last one."""
        return pb.AppendMoveRequest(
            match_id=self.match,
            expected_sequence=self.last,
            request_id=request or request_id(),
            move=text(move) if isinstance(move, str) else move,
        )

    def play(self, *moves: entries.Move | str) -> pb.Appended:
        """The moves, one after the other; the answer to the last."""
        appended = pb.Appended()
        for move in moves:
            appended = self.stub.AppendMove(self.asked(move)).appended
            self.last = appended.entries[-1].sequence
        return appended

    def legal(self) -> list[entries.Move]:
        """Every legal move of whoever is awaited."""
        listed = self.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=self.match)))
        return [
            entries.Move(encoded=entries.EncodedMove(actor=listed.actor, data=move.data))
            for move in listed.moves
        ]

    def retracting(self, to_sequence: int, **told: str) -> pb.RetractRequest:
        """The request to go back."""
        return pb.RetractRequest(
            match_id=self.match,
            expected_sequence=self.last,
            request_id=told.get("request_id") or request_id(),
            to_sequence=to_sequence,
            reason=told.get("reason", ""),
        )

    def record(self, viewer: entries.Viewer = SPECTATOR, from_sequence: int = 0) -> list[entries.Entry]:
        """The entries that there are."""
        request = pb.ReadRecordRequest(match_id=self.match, from_sequence=from_sequence, viewer=viewer)
        return [answer.entry for answer in self.stub.ReadRecord(request)]

    def state(self, viewer: entries.Viewer = SPECTATOR) -> pb.GetStateResponse:
        """How it stands."""
        return self.stub.GetState(pb.GetStateRequest(match_id=self.match, viewer=viewer))
