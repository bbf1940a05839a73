"""Plays matches of Qin against a running server with random legal moves."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, Self, TypeVar

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

SEATS: Final = ("green", "violet")
"""Names of the seats, in seat order."""

ILLEGAL: Final = entries.Move(text="green Ra1Rm13")
"""A move that is always illegal: the halves of its tile are not adjacent."""

_MAX_CHOICES: Final = 200
"""Maximum number of legal moves that are listed to choose from: one page."""

CallResult = TypeVar("CallResult")


class CallPolicy(Protocol):
    """How calls are made: once, or repeatedly until the server can be reached."""

    def __call__(self, call: Callable[[], CallResult]) -> CallResult:
        """Make the call and return its result."""


def call_once(call: Callable[[], CallResult]) -> CallResult:
    """Make the call once, without catching errors."""
    return call()


@dataclass(slots=True)
class Table:
    """A match that is being played, with all requests that the server has acknowledged."""

    stub: RecordServiceStub
    name: str
    chance: random.Random
    match: str
    sequence: int
    over: bool
    policy: CallPolicy = call_once
    acknowledged: list[str] = field(default_factory=list)
    """Request ids, in the order of the answers."""

    @classmethod
    def begin(
        cls,
        stub: RecordServiceStub,
        name: str,
        dealt: "pb.Chance.ValueType" = pb.CHANCE_UNRECORDED,
        policy: CallPolicy = call_once,
    ) -> Self:
        """Start a match; its name is the prefix of its request ids and the seed of its moves."""
        request = pb.StartMatchRequest(request_id=f"{name} 0", game="qin", seats=SEATS, chance=dealt)
        match = policy(lambda: stub.StartMatch(request)).match
        chance = random.Random(name)  # noqa: S311 - the same name plays the same moves
        table = cls(stub, name, chance, match.match_id, match.sequence, not match.awaiting, policy)
        table.acknowledged.append(request.request_id)
        return table

    def move(self) -> str:
        """Play a legal move; returns its text, or an empty one if the match is over."""
        request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=self.match), page_size=_MAX_CHOICES)
        legal = self.policy(lambda: self.stub.ListLegalMoves(request))
        if not legal.moves:
            self.over = True
            return ""
        chosen = self.chance.choice(legal.moves)
        self.append(entries.Move(encoded=entries.EncodedMove(actor=legal.actor, data=chosen.data)))
        return chosen.text

    def append(self, move: entries.Move) -> None:
        """Append a move, which must be legal."""
        request = pb.AppendMoveRequest(
            match_id=self.match,
            expected_sequence=self.sequence,
            request_id=f"{self.name} {self.sequence + 1}",
            move=move,
        )
        appended = self.policy(lambda: self.stub.AppendMove(request)).appended
        self.acknowledged.append(request.request_id)
        self.sequence = appended.entries[-1].sequence
        self.over = not appended.awaiting
