"""What the laws are tried on, and players that lean towards what chance hardly ever reaches."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from records.games.opaque import OpaqueMove, OpaqueState
from records.games.registry import find_game
from rules.great_wall import moves as m
from rules.great_wall.kinds import Location
from rules.great_wall.moves import Move
from rules.great_wall.state import State
from tools.laws.derived import WAYS, OpaqueTrial, derived_trial

_FIGHTING: dict[type[object], float] = {
    m.Attack: 9,
    m.Shoot: 9,
    m.Recruit: 9,
    m.WoundSpot: 9,
    m.Done: 0.2,
    m.Refuse: 0.1,
    m.Rise: 1,
}
_BUILDING: dict[type[object], float] = {
    m.BuildWall: 30,
    m.BuildBarricade: 0.3,
    m.Donate: 9,
    m.Upgrade: 4,
    m.Fulfil: 9,
    m.Agree: 9,
    m.Cleanse: 9,
    m.Shed: 9,
    m.Done: 0.2,
    m.Refuse: 0.1,
}
_HIRING: dict[type[object], float] = {m.HireAdvisor: 30, m.Done: 0.2}
_FIGHTING_PLACES = {Location.BARRACKS, Location.QUARRY, Location.SAWMILL}
_BUILDING_PLACES = {Location.BUILDERS, Location.QUARRY, Location.SAWMILL, Location.GOLD_MINE}
_HIRING_PLACES = {Location.EMBASSY, Location.GOLD_MINE}


def leaning(
    weights: dict[type[object], float], places: set[Location]
) -> Callable[[random.Random, State, Sequence[Move]], Move]:
    """Players that prefer some kinds of moves, and send their clerks to some locations."""

    def weight(move: Move) -> float:
        if isinstance(move, m.MoveClerk):
            return 6 if move.target in places and move.source not in places else 0.5
        if isinstance(move, m.Recruit):
            return 9 if isinstance(move.target, m.Spots) else 1
        return weights.get(type(move), 1)

    def way(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
        return chance.choices(moves, [weight(move) for move in moves])[0]

    return way


fighting = leaning(_FIGHTING, _FIGHTING_PLACES)
building = leaning(_BUILDING, _BUILDING_PLACES)
hiring = leaning(_HIRING, _HIRING_PLACES)


def _opaque(
    way: Callable[[random.Random, State, Sequence[Move]], Move],
) -> Callable[[random.Random, OpaqueState, Sequence[OpaqueMove]], OpaqueMove]:
    """A way for the laws, which do not know the types of a game."""
    return way  # type: ignore[return-value]  # states and moves of a game are only passed back to it


GREAT_WALL_TRIAL: OpaqueTrial = replace(
    derived_trial(find_game("great-wall")), ways=(*WAYS, _opaque(fighting), _opaque(building))
)
