"""What happens to clerks, foremen, tea markers and advisors."""

from typing import Final

from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall.folds.change import (
    held,
    into,
    out_of,
    with_clerk_reserve,
    with_clerks,
    with_firing,
    with_player,
    with_qin,
    with_reserve,
    with_resources,
    with_rest,
    with_section,
)
from rules.great_wall.kinds import (
    HIGHEST,
    QIN,
    REED,
    RESOURCES,
    Clan,
    Figures,
    Kind,
    Resource,
    Role,
    seat_of,
)
from rules.great_wall.state import Foreman, State
from rules.kernel.reducer import reducer


def one(kind: Kind, n: int = 1) -> Figures:
    """Soldiers of one kind."""
    spearmen, archers, horsemen = (n if each == kind else 0 for each in range(3))
    return spearmen, archers, horsemen


def _clerk_moved(state: State, event: e.ClerkMoved) -> State:
    if event.source is None:
        state = with_clerk_reserve(state, event.clan, -1)
    else:
        state = with_clerks(state, event.source, event.clan, -1)
    return with_clerks(state, event.target, event.clan, 1)


def _location_activated(state: State, _: e.LocationActivated) -> State:
    return state


def _collected(state: State, event: e.Collected) -> State:
    resources = held(state.players[event.seat].resources, event.resource, event.n)
    return with_resources(state, event.seat, resources)


def _foreman_upgraded(state: State, event: e.ForemanUpgraded) -> State:
    foremen = list(state.of_qin.foremen if event.clan == QIN else state.players[event.clan].foremen)
    foreman = foremen[event.location]
    if event.kind is not None:
        if foreman is not None:
            raise ValueError("the clan has a foreman there")
        foremen[event.location] = Foreman(1, event.kind)
        state = with_reserve(state, event.clan, one(event.kind), -1)
    elif foreman is None or foreman.level >= HIGHEST:
        raise ValueError("no foreman can rise there")
    else:
        foremen[event.location] = Foreman(foreman.level + 1, foreman.kind)
    seat = seat_of(event.clan)
    if seat is None:
        return with_qin(state, structs.replace(state.of_qin, foremen=tuple(foremen)))
    return with_player(state, seat, structs.replace(state.players[seat], foremen=tuple(foremen)))


def _donated(state: State, event: e.Donated) -> State:
    if event.resource is Resource.CHI:
        raise ValueError("chi is never donated")
    wood, stone, gold = (
        have + (resource == event.resource) for resource, have in zip(RESOURCES, state.ware, strict=False)
    )
    state = structs.replace(state, ware=(wood, stone, gold))
    seat = seat_of(event.clan)
    if seat is None:
        return state
    return with_resources(state, seat, held(state.players[seat].resources, event.resource, -1))


def _clerks_returned(state: State, event: e.ClerksReturned) -> State:
    for number, n in enumerate(state.at[event.location]):
        clan = Clan(number)
        if n and clan != REED:
            state = with_clerks(state, event.location, clan, -n)
            state = with_clerk_reserve(state, clan, n)
    return state


def _token_advanced(state: State, event: e.TokenAdvanced) -> State:
    qin = state.of_qin
    return with_qin(state, structs.replace(qin, track=(event.token, *out_of(qin.track, event.token))))


def _tea_rose(state: State, event: e.TeaRose) -> State:
    at = state.tea.index(event.clan)
    to = max(0, at - event.places)
    others = out_of(state.tea, event.clan)
    return structs.replace(state, tea=(*others[:to], event.clan, *others[to:]))


def _clerk_hired(state: State, event: e.ClerkHired) -> State:
    player = state.players[event.seat]
    if not player.space:
        raise ValueError("no clerk is left in the clerk space")
    player = structs.replace(player, space=player.space - 1, clerks=player.clerks + 1)
    return with_player(state, event.seat, player)


def _advisor_hired(state: State, event: e.AdvisorHired) -> State:
    deck, player = state.advisors, state.players[event.seat]
    state = structs.replace(state, advisors=structs.replace(deck, track=out_of(deck.track, event.advisor)))
    if event.role is Role.ACTIVE:
        player = structs.replace(player, active=into(player.active, event.advisor))
    else:
        later = into(player.assistants[1:], event.advisor)
        player = structs.replace(player, assistants=player.assistants[:1] + later)
    return with_player(state, event.seat, player)


def _advisor_dismissed(state: State, event: e.AdvisorDismissed) -> State:
    deck = state.advisors
    deck = structs.replace(
        deck, track=out_of(deck.track, event.advisor), discard=into(deck.discard, event.advisor)
    )
    return structs.replace(state, advisors=deck)


def _soldiers_moved(state: State, event: e.SoldiersMoved) -> State:
    moving = one(event.kind, event.n)
    origin, clan = state.section(event.origin), Clan(event.seat)
    if event.way is e.Way.SHIFT:
        origin = with_rest(origin, event.seat, moving, -1)
    else:
        origin = with_firing(origin, clan, -event.n)
    state = with_section(state, event.origin, origin)
    goal = state.section(event.goal)
    if event.way is e.Way.CROSS:
        goal = with_firing(goal, clan, event.n)
    else:
        goal = with_rest(goal, event.seat, moving)
    return with_section(state, event.goal, goal)


CHANGES: Final = (
    reducer(State)
    .on(e.ClerkMoved, _clerk_moved)
    .on(e.LocationActivated, _location_activated)
    .on(e.Collected, _collected)
    .on(e.ForemanUpgraded, _foreman_upgraded)
    .on(e.Donated, _donated)
    .on(e.ClerksReturned, _clerks_returned)
    .on(e.TokenAdvanced, _token_advanced)
    .on(e.TeaRose, _tea_rose)
    .on(e.ClerkHired, _clerk_hired)
    .on(e.AdvisorHired, _advisor_hired)
    .on(e.AdvisorDismissed, _advisor_dismissed)
    .on(e.SoldiersMoved, _soldiers_moved)
)
