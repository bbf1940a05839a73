"""What generals and active advisors give on an occasion, and how honour changes."""

from collections.abc import Iterator

from rules.great_wall.events import Event, Gained, HonourGained, HonourLost, RewardOwed
from rules.great_wall.kinds import QIN, REED, Cause, Clan, Holdings, Occasion, Resource, seat_of
from rules.great_wall.operations import Gain
from rules.great_wall.parts import GeneralCard
from rules.great_wall.state import State
from rules.great_wall.turns import is_deferred
from rules.kernel.actors import Seat


def assistants(state: State, clan: Clan) -> int:
    """Assistants of a clan."""
    if clan == REED:
        return 0
    return len(state.of_qin.assistants if clan == QIN else state.players[clan].assistants)


def _cards(state: State, clan: Clan) -> Iterator[GeneralCard]:
    parts, seat = state.table.parts, seat_of(clan)
    if clan == QIN:
        yield parts.qin_general
    elif seat is not None:
        player = state.players[seat]
        if player.general is not None:
            yield parts.generals[player.general]
        for advisor in player.active:
            yield parts.advisors[advisor]


def on_occasion(state: State, clan: Clan, occasion: Occasion, times: int = 1) -> tuple[Event, ...]:
    """Honour at once; resources at once too, or owed while a simultaneous resolution goes on."""
    found: list[Event] = []
    if not times:
        return ()
    for card in _cards(state, clan):
        if card.on is not occasion:
            continue
        for reward in card.rewards:
            n = times * reward.n * (assistants(state, clan) if reward.per_assistant else 1)
            seat = seat_of(clan)
            if not isinstance(reward, Gain):
                found += honour(clan, n, Cause.OCCASION)
            elif seat is not None:
                found += resources(state, seat, reward.resource, n, Cause.OCCASION)
    return tuple(found)


def resources(state: State, seat: Seat, resource: Resource, n: int, cause: Cause) -> tuple[Event, ...]:
    """Resources that come in the course of a resolution."""
    if not n:
        return ()
    if is_deferred(state):
        return (RewardOwed(seat, resource, n, cause),)
    return (Gained(seat, resource, n, cause),)


def honour(clan: Clan, n: int, cause: Cause) -> tuple[Event, ...]:
    """More honour; Reed never gains any (GW-2P-07)."""
    return (HonourGained(clan, n, cause),) if n > 0 and clan != REED else ()


def dishonour(state: State, clan: Clan, n: int, cause: Cause) -> tuple[Event, ...]:
    """Less honour, down to nothing (AMB-34)."""
    lost = min(n, state.honour(clan))
    return (HonourLost(clan, lost, cause),) if lost else ()


def has(state: State, seat: Seat, cost: Holdings) -> bool:
    """Whether a seat can pay; holdings that are not known will do."""
    held = state.players[seat].resources
    return held is None or all(have >= n for have, n in zip(held, cost, strict=True))


def short_of(state: State, seat: Seat, cost: Holdings) -> str:
    """What a seat lacks, in words."""
    held = state.players[seat].resources or (0, 0, 0, 0)
    lacking = [
        f"{n} {resource.word} ({state.table.names[seat]} has {have})"
        for resource, have, n in zip(Resource, held, cost, strict=True)
        if n > have
    ]
    return f"it costs {', '.join(lacking)}" if lacking else "it costs more than is held"


def only(resource: Resource, n: int) -> Holdings:
    """Holdings of one resource."""
    wood, stone, gold, chi = (n if each == resource else 0 for each in Resource)
    return wood, stone, gold, chi
