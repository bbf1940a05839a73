"""Two simple players and a dealer, who play a match over gRPC; the same seed plays the same match."""

import random
from collections.abc import Iterator
from typing import Final

from tools.client import CHANCE, Accepted, Actor, Client, Illegal, Match, Seat

CAREFUL: Final = Seat(0)
"""Tries some moves out and takes the best; the others take any."""

_TRIED: Final = 6
"""So many moves the careful player tries out."""


class Contradiction(RuntimeError):
    """The server lists a move as legal and then refuses it."""

    def __init__(self, move: str, verdict: Illegal) -> None:
        super().__init__(f"{move} was listed as legal: {verdict}")


class Players:
    """Everybody at the table of a match of Qin whose draws are recorded."""

    def __init__(self, client: Client, match: Match, seed: int) -> None:
        self._client: Final = client
        self._match: Final = match
        self._choice: Final = random.Random(seed)  # noqa: S311 - a match to look at, not a secret

    def moves(self) -> Iterator[Accepted]:
        """What comes of every move, until the match is over."""
        awaiting, sequence = self._match.awaiting, self._match.sequence
        while awaiting:
            move = self._chosen(awaiting[0])
            stored = self._client.append(self._match.id, move, after=sequence)
            if isinstance(stored, Illegal):
                raise Contradiction(move, stored)
            awaiting, sequence = stored.awaiting, stored.sequence
            yield stored

    def _chosen(self, actor: Actor) -> str:
        moves = [move.text for move in self._client.legal_moves(self._match.id, actor)]
        if actor is CHANCE or actor != CAREFUL or len(moves) == 1:
            return self._choice.choice(moves)
        tried = self._choice.sample(moves, min(_TRIED, len(moves)))
        return min(tried, key=self._pagodas_left_after)

    def _pagodas_left_after(self, move: str) -> int:
        """Of the careful player: whoever has none left wins."""
        verdict = self._client.check(self._match.id, move)
        if isinstance(verdict, Illegal):
            raise Contradiction(move, verdict)
        return pagodas_left(verdict.position, self._match.name(CAREFUL))


def pagodas_left(position: str, seat: str) -> int:
    """How many pagodas a seat has not placed yet, as the position line tells it."""
    (told,) = (word for word in position.split(" ") if word.startswith(f"{seat}:"))
    return int(told.split(":")[1])
