"""Requests to test the service with, and the errors that it returns."""

from collections.abc import Callable, Mapping, Sequence
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
    """An id that no other request of this process has."""
    return f"request {next(_ids)}"


def refusal(call: Callable[[], object]) -> Refusal:
    """The error that the call ends with; its code must be the one of its reason."""
    with refused() as error:
        call()
    assert error.code == Reason[error.reason].value.code
    return error


def seat(number: int) -> entries.Viewer:
    """The viewer of this seat."""
    return entries.Viewer(seat=number)


def text(move: str) -> entries.Move:
    """A move in the notation of transcripts."""
    return entries.Move(text=move)


def begin(  # noqa: PLR0913 - all but the first have defaults
    stub: RecordServiceStub,
    *,
    chance: pb.Chance.ValueType = pb.CHANCE_UNRECORDED,
    seats: Sequence[str] = SEATS,
    board: str = "bird",
    retract: headers.RetractPolicy.ValueType = headers.RETRACT_POLICY_UNSPECIFIED,
    tags: Mapping[str, str] | None = None,
) -> "Table":
    """A new match of Qin."""
    request = pb.StartMatchRequest(
        request_id=request_id(), game="qin", components=board, seats=seats, chance=chance, retract=retract
    )
    for name, value in (tags or {}).items():
        request.tags.add(name=name, value=value)
    begun = stub.StartMatch(request)
    return Table(stub, begun.match.match_id, begun.match.sequence)


@dataclass
class Table:
    """A match that is played through the service."""

    stub: RecordServiceStub
    match: str
    last: int = 0

    def append_request(self, move: entries.Move | str, request: str | None = None) -> pb.AppendMoveRequest:
        """The request to append a move after the last entry."""
        return pb.AppendMoveRequest(
            match_id=self.match,
            expected_sequence=self.last,
            request_id=request or request_id(),
            move=text(move) if isinstance(move, str) else move,
        )

    def play(self, *moves: entries.Move | str) -> pb.Appended:
        """Appends the moves one by one; returns the response to the last."""
        appended = pb.Appended()
        for move in moves:
            appended = self.stub.AppendMove(self.append_request(move)).appended
            self.last = appended.entries[-1].sequence
        return appended

    def legal(self) -> list[entries.Move]:
        """Every legal move of the actor whose turn it is."""
        listed = self.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=self.match)))
        return [
            entries.Move(encoded=entries.EncodedMove(actor=listed.actor, data=move.data))
            for move in listed.moves
        ]

    def retract_request(self, to_sequence: int, *, request: str = "", reason: str = "") -> pb.RetractRequest:
        """The request to go back to an entry."""
        return pb.RetractRequest(
            match_id=self.match,
            expected_sequence=self.last,
            request_id=request or request_id(),
            to_sequence=to_sequence,
            reason=reason,
        )

    def record(self, viewer: entries.Viewer = SPECTATOR, from_sequence: int = 0) -> list[entries.Entry]:
        """The stored entries, as the viewer sees them."""
        request = pb.ReadRecordRequest(match_id=self.match, from_sequence=from_sequence, viewer=viewer)
        return [answer.entry for answer in self.stub.ReadRecord(request)]

    def state(self, viewer: entries.Viewer = SPECTATOR) -> pb.GetStateResponse:
        """The current state, as the viewer sees it."""
        return self.stub.GetState(pb.GetStateRequest(match_id=self.match, viewer=viewer))
