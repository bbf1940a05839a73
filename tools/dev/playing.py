"""Plays matches of Qin against a running server, any legal move at a time."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, Self, TypeVar

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

SEATS: Final = ("green", "violet")

ILLEGAL: Final = entries.Move(text="green Ra1Rm13")
"""Two halves of a tile that lie apart."""

_CHOICES: Final = 200
"""A move is chosen among so many."""

Answer = TypeVar("Answer")


class Calling(Protocol):
    """How calls are made: at once, or over and over until the server is there again."""

    def __call__(self, call: Callable[[], Answer]) -> Answer:
        """The answer of the call."""


def at_once(call: Callable[[], Answer]) -> Answer:
    """Make the call; what it raises is raised."""
    return call()


@dataclass(slots=True)
class Table:
    """A match that is being played, with every request that the server said it has stored."""

    stub: RecordServiceStub
    name: str
    chance: random.Random
    match: str
    sequence: int
    over: bool
    calling: Calling = at_once
    acknowledged: list[str] = field(default_factory=list)
    """Request ids, in the order of the answers."""

    @classmethod
    def begin(
        cls,
        stub: RecordServiceStub,
        name: str,
        dealt: "pb.Chance.ValueType" = pb.CHANCE_UNRECORDED,
        calling: Calling = at_once,
    ) -> Self:
        """A new match; its name begins its request ids and is the seed of its moves."""
        request = pb.StartMatchRequest(request_id=f"{name} 0", game="qin", seats=SEATS, chance=dealt)
        match = calling(lambda: stub.StartMatch(request)).match
        chance = random.Random(name)  # noqa: S311 - the same moves each time
        table = cls(stub, name, chance, match.match_id, match.sequence, not match.awaiting, calling)
        table.acknowledged.append(request.request_id)
        return table

    def move(self) -> str:
        """Play a legal move; how it is written, or nothing where the match is over."""
        asked = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=self.match), page_size=_CHOICES)
        legal = self.calling(lambda: self.stub.ListLegalMoves(asked))
        if not legal.moves:
            self.over = True
            return ""
        chosen = self.chance.choice(legal.moves)
        self.append(entries.Move(encoded=entries.EncodedMove(actor=legal.actor, data=chosen.data)))
        return chosen.text

    def append(self, move: entries.Move) -> None:
        """Have the server store a move."""
        request = pb.AppendMoveRequest(
            match_id=self.match,
            expected_sequence=self.sequence,
            request_id=f"{self.name} {self.sequence + 1}",
            move=move,
        )
        appended = self.calling(lambda: self.stub.AppendMove(request)).appended
        self.acknowledged.append(request.request_id)
        self.sequence = appended.entries[-1].sequence
        self.over = not appended.awaiting
