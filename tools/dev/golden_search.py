"""Plays matches towards an aim: of many tries at each stage, the best are played on.

Random players hardly ever win a match alone or together; a golden transcript needs one that does.
"""

import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.kernel.game import Game
from tools.dev.golden_matches import Played

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Search(Generic[State, Move, Event]):
    """How a match is played towards an aim."""

    game: Game[State, Move, Event]
    aim: Callable[[State], float]
    """How well a match goes."""
    stage: Callable[[State], Hashable]
    """What changes between one stage of a match and the next."""
    play_on: Callable[[Played[State, Event], random.Random, Callable[[State], bool]], Played[State, Event]]
    """Plays a match on, by chance, until something holds."""
    kept: int = 6
    """Matches that are played on from each stage."""
    tries: int = 10
    """How often each of them is played on."""

    def play(self, begun: Played[State, Event], seed: int) -> Played[State, Event]:
        """The best match that was found."""
        chance = random.Random(seed)  # noqa: S311 - the same seed must play the same match again
        best = [begun]
        while any(self.game.awaiting(played.end) for played in best):
            best = sorted(self._next(best, chance), key=lambda played: -self.aim(played.end))[: self.kept]
        return best[0]

    def _next(self, best: list[Played[State, Event]], chance: random.Random) -> list[Played[State, Event]]:
        """Every try at the next stage; a match that is over stays as it is."""
        found = []
        for played in best:
            if self.game.awaiting(played.end):
                found += [self.play_on(played, chance, self._left(played.end)) for _ in range(self.tries)]
            else:
                found.append(played)
        return found

    def _left(self, begun: State) -> Callable[[State], bool]:
        """Whether a match has come to another stage."""
        now = self.stage(begun)
        return lambda state: self.stage(state) != now
