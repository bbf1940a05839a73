"""Goals of exploratory players of The Great Wall: to please the Emperor, to beat Qin, to last."""

import math
from collections.abc import Callable, Hashable
from typing import Final

from rules.great_wall.evolve import fold
from rules.great_wall.kinds import PRODUCTION, QIN, Clan, Ending, Kind
from rules.great_wall.pending import Turn
from rules.great_wall.scoring import final_scoring
from rules.great_wall.state import Player, State

_SURE: Final = 10_000
"""For a match that has ended as it should; no position is worth nearly as much."""
_PROMISING: Final = {"upgrade": 10, "cover": 4, "donate": 4}
"""Honour to be expected from each assistant of generals with these occasions, over a whole match."""


def stage(state: State) -> Hashable:
    """What changes between one turn of a match and the next."""
    return state.time, sum(isinstance(task, Turn) for task in state.agenda), not state.tea


def to_please_the_emperor(state: State) -> float:
    """Requests fulfilled, means for the next ones, and a pool that is not empty."""
    coop, result = state.in_coop, state.result
    if result is not None:
        return _SURE if result.winners else 100 * len(coop.fulfilled) + 10 * state.time - _SURE
    found = 40 * len(coop.fulfilled) + 2.5 * min(state.pool, 16)
    found += sum(_means(state, player) for player in state.players)
    found += 3 * min(3, sum(len(player.claimed) for player in state.players))
    return found + sum(3 * wall.level - 2 * len(wall.hordes) for wall in state.sections if wall is not None)


def _means(state: State, player: Player) -> float:
    """What a seat can give: requests ask for two of a resource, some honour or a soldier."""
    left = state.table.final_slot - state.time
    found = sum(2 * min(amount, 2) + 0.4 * min(amount, 6) for amount in player.resources or ())
    found += 0.8 * min(player.honour, 4) + 0.2 * min(player.honour, 24) - 1.5 * sum(player.shamed)
    found += 0.6 * _levels(player) * math.sqrt(left)
    rare = (Kind.ARCHER, Kind.HORSEMAN)
    return found + sum(2 * (player.reserve[kind] > player.shamed[kind]) for kind in rare)


def to_beat_qin(state: State) -> float:
    """More honour than Qin if the match ended now, and means to gain more."""
    if not state.tea:
        return 0
    after = state if state.result else fold(state, final_scoring(state))
    ahead: float = after.honour(Clan(0)) - after.honour(QIN)
    if state.result is not None:
        won = _SURE if state.result.winners else 0
        return ahead + won - _SURE * (not state.pool)
    player, left = state.players[0], state.table.final_slot - state.time
    if player.general is not None:
        occasion = state.table.parts.generals[player.general].on.value
        ahead += _PROMISING.get(occasion, 0) * len(player.assistants) * left / 5
    ahead -= 0.5 * sum(state.clerks(each, QIN) * state.foreman_level(QIN, each) for each in PRODUCTION)
    qins = sum(foreman.level for foreman in state.of_qin.foremen if foreman is not None)
    held = 0.5 * sum(player.resources or ()) + sum(state.ware) + len(player.tactics)
    return ahead + 4 * min(state.pool, 6) + held + 2 * left * (_levels(player) - qins)


def _levels(player: Player) -> int:
    return sum(foreman.level for foreman in player.foremen if foreman is not None)


def to_end_by(ending: Ending) -> Callable[[State], float]:
    """A match that lasts, and ends in this way."""

    def lasting(state: State) -> float:
        if state.result is not None:
            return _SURE if state.result.cause is ending else -_SURE
        return state.pool + 3 * state.time

    return lasting
