"""Simple players and a dealer, which play a match over gRPC; the same seed plays the same match."""

import random
from collections.abc import Iterator
from typing import Final

from shiji.client import CHANCE, Accepted, Actor, Client, Illegal, Match, Seat

CAREFUL: Final = Seat(0)
"""The seat of Qin that compares several moves and plays the best; the other seats play at random."""

UNKNOWN: Final = "?"
"""Stands in a move for what the record does not show."""

_COMPARED_MOVES: Final = 6
"""Maximum number of moves that the careful player compares: few, because each one costs a call."""


class Contradiction(RuntimeError):
    """The server lists a move as legal and then refuses it."""

    def __init__(self, move: str, verdict: Illegal) -> None:
        super().__init__(f"{move} was listed as legal: {verdict}")


class Players:
    """All seats of a match and its dealer, who choose among their legal moves at random."""

    def __init__(self, client: Client, match: Match, seed: int) -> None:
        self._client: Final = client
        self._match: Final = match
        self._random: Final = random.Random(seed)  # noqa: S311 - a match to look at, not a secret
        self.sent: Final[list[str]] = []
        """The moves of all seats so far, as they were sent."""

    def moves(self) -> Iterator[Accepted]:
        """Plays to the end of the match and yields the result of each move."""
        awaiting, sequence = self._match.awaiting, self._match.sequence
        while awaiting:
            move = self._choose(awaiting[0])
            stored = self._client.append(self._match.id, move, after=sequence)
            if isinstance(stored, Illegal):
                raise Contradiction(move, stored)
            if awaiting[0] is not CHANCE:
                self.sent.append(move)
            awaiting, sequence = stored.awaiting, stored.sequence
            yield stored

    def _listed(self, actor: Actor) -> list[str]:
        return [move.text for move in self._client.legal_moves(self._match.id, actor)]

    def _choose(self, actor: Actor) -> str:
        """A legal move; the dealer shows what was drawn, if that is legal."""
        moves = self._listed(actor)
        return self._random.choice([move for move in moves if UNKNOWN not in move] or moves)


class QinPlayers(Players):
    """The first seat of a match of Qin compares moves; its draws are recorded, or not known."""

    def _choose(self, actor: Actor) -> str:
        moves = self._listed(actor)
        if actor is CHANCE or actor != CAREFUL or len(moves) == 1:
            return self._random.choice(moves)
        compared = self._random.sample(moves, min(_COMPARED_MOVES, len(moves)))
        return min(compared, key=self._pagodas_left_after)

    def _pagodas_left_after(self, move: str) -> int:
        """Pagodas that the careful player would have left: the player with none left wins."""
        verdict = self._client.check(self._match.id, move)
        if isinstance(verdict, Illegal):
            raise Contradiction(move, verdict)
        return pagodas_left(verdict.position, self._match.name(CAREFUL))


def pagodas_left(position: str, seat: str) -> int:
    """Number of pagodas that a seat has not placed yet, read from a position line."""
    (section,) = (word for word in position.split(" ") if word.startswith(f"{seat}:"))
    return int(section.split(":")[1])
