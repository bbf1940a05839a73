"""What happens to resources, honour, shame and tactics."""

from typing import Final

from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall.folds.change import (
    held,
    into,
    out_of_hand,
    plus,
    summed,
    with_honour,
    with_player,
    with_resources,
)
from rules.great_wall.folds.course import drained
from rules.great_wall.kinds import NOTHING, Holdings, Kind, Resource, Tactic
from rules.great_wall.moves import Shamed
from rules.great_wall.state import Claimed, Owed, Saves, State
from rules.kernel.actors import Seat
from rules.kernel.reducer import reducer


def _gained(state: State, event: e.Gained) -> State:
    resources = held(state.players[event.seat].resources, event.resource, event.n)
    return with_resources(state, event.seat, resources)


def _reward_owed(state: State, event: e.RewardOwed) -> State:
    owed = held(state.owed_to(event.seat), event.resource, event.n) or NOTHING
    return _with_owed(state, event.seat, owed)


def _with_owed(state: State, seat: Seat, owed: Holdings) -> State:
    others = [each for each in state.owed if each.seat != seat]
    if owed != NOTHING:
        others.append(Owed(seat, owed))
    return structs.replace(state, owed=tuple(sorted(others, key=lambda each: each.seat)))


def _owed_credited(state: State, event: e.OwedCredited) -> State:
    resources = summed(state.players[event.seat].resources, state.owed_to(event.seat))
    return with_resources(_with_owed(state, event.seat, NOTHING), event.seat, resources)


def _paid(state: State, event: e.Paid) -> State:
    resources = summed(state.players[event.seat].resources, event.resources, -1)
    return with_resources(state, event.seat, resources)


def _lost(state: State, event: e.Lost) -> State:
    resources = held(state.players[event.seat].resources, event.resource, -event.n)
    return with_resources(state, event.seat, resources)


def _honour_gained(state: State, event: e.HonourGained) -> State:
    return with_honour(state, event.clan, event.n)


def _honour_lost(state: State, event: e.HonourLost) -> State:
    return with_honour(state, event.clan, -event.n)


def _shame_gained(state: State, _: e.ShameGained) -> State:
    if not state.pool:
        raise ValueError("the pool is empty")
    return drained(state, state.pool - 1)


def _shame_placed(state: State, event: e.ShamePlaced) -> State:
    return _with_token(state, event.seat, event.token, 1)


def _with_token(state: State, seat: Seat, token: Shamed, n: int) -> State:
    player = state.players[seat]
    if isinstance(token, Kind):
        return with_player(state, seat, structs.replace(player, shamed=plus(player.shamed, token, n)))
    claimed = list(player.claimed)
    at = [each.horde for each in claimed].index(token.horde)
    if claimed[at].tokens + n < 0:
        raise ValueError("no token lies there")
    claimed[at] = Claimed(token.horde, claimed[at].tokens + n)
    return with_player(state, seat, structs.replace(player, claimed=tuple(claimed)))


def _shame_shed(state: State, _: e.ShameShed) -> State:
    return structs.replace(state, pool=state.pool + 1)


def _shame_removed(state: State, _: e.ShameRemoved) -> State:
    return structs.replace(state, removed=state.removed + 1)


def _shame_returned(state: State, event: e.ShameReturned) -> State:
    state = _with_token(state, event.seat, event.token, -1)
    return structs.replace(state, pool=state.pool + 1)


def _from_hand(state: State, seat: Seat, tactic: Tactic) -> State:
    player = state.players[seat]
    return with_player(state, seat, structs.replace(player, tactics=out_of_hand(player.tactics, tactic)))


def _discarded(state: State, tactic: Tactic) -> State:
    discard = into(state.tactics.discard, tactic)
    return structs.replace(state, tactics=structs.replace(state.tactics, discard=discard))


def _tactic_played(state: State, event: e.TacticPlayed) -> State:
    state = _from_hand(state, event.seat, event.tactic)
    if not event.boosted:
        return state
    boost = state.table.parts.tactics[event.tactic].boost
    return with_resources(state, event.seat, held(state.players[event.seat].resources, Resource.CHI, -boost))


def _tactic_spent(state: State, event: e.TacticSpent) -> State:
    return _discarded(state, event.tactic)


def _tactic_discarded(state: State, event: e.TacticDiscarded) -> State:
    return _discarded(_from_hand(state, event.seat, event.tactic), event.tactic)


def _saves_granted(state: State, event: e.SavesGranted) -> State:
    return _with_saves(state, event.seat, state.saves_of(event.seat) + event.n)


def _saves_used(state: State, event: e.SavesUsed) -> State:
    return _with_saves(state, event.seat, state.saves_of(event.seat) - event.n)


def _with_saves(state: State, seat: Seat, n: int) -> State:
    if n < 0:
        raise ValueError("the seat has fewer free saves than that")
    others = [each for each in state.saves if each.seat != seat]
    if n:
        others.append(Saves(seat, n))
    return structs.replace(state, saves=tuple(sorted(others, key=lambda each: each.seat)))


def _saves_lapsed(state: State, _: e.SavesLapsed) -> State:
    return structs.replace(state, saves=())


CHANGES: Final = (
    reducer(State)
    .on(e.Gained, _gained)
    .on(e.RewardOwed, _reward_owed)
    .on(e.OwedCredited, _owed_credited)
    .on(e.Paid, _paid)
    .on(e.Lost, _lost)
    .on(e.HonourGained, _honour_gained)
    .on(e.HonourLost, _honour_lost)
    .on(e.ShameGained, _shame_gained)
    .on(e.ShamePlaced, _shame_placed)
    .on(e.ShameShed, _shame_shed)
    .on(e.ShameRemoved, _shame_removed)
    .on(e.ShameReturned, _shame_returned)
    .on(e.TacticPlayed, _tactic_played)
    .on(e.TacticSpent, _tactic_spent)
    .on(e.TacticDiscarded, _tactic_discarded)
    .on(e.SavesGranted, _saves_granted)
    .on(e.SavesUsed, _saves_used)
    .on(e.SavesLapsed, _saves_lapsed)
)
