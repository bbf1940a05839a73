"""What a legal placement causes: provinces, then villages, pagoda by pagoda (section 4 of the digest)."""

from collections.abc import Iterable
from typing import NamedTuple

from rules.kernel.actors import Seat
from rules.qin.events import (
    Event,
    MatchEnded,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TilePlaced,
    VillageConnected,
    VillageConquered,
)
from rules.qin.growth import Growth
from rules.qin.moves import PlaceTile
from rules.qin.state import EndReason, Province, State, due
from rules.qin.villages import leader, strengths


class _Claim(NamedTuple):
    """A growth with its owner, and the pagodas that are due."""

    turn: int
    """How far clockwise the owner sits from the mover."""
    colour: int
    growth: Growth
    owner: Seat
    owed: int
    """Pagodas that the owner must add."""
    returned: tuple[int, ...]


class _Taking(NamedTuple):
    """A village that changes hands."""

    turn: int
    village: int
    owner: Seat
    loser: Seat | None


class _Supplies:
    """The supplies while pagodas move; the first to be emptied ends the match (QIN-END-1)."""

    def __init__(self, supplies: bytes) -> None:
        self.left = list(supplies)
        self.emptied: Seat | None = None

    def put(self, seat: Seat, owed: int) -> int:
        """Put pagodas down one at a time, none once the match has ended, and say how many it were."""
        if self.emptied is not None or owed <= 0:
            return 0
        count = min(owed, self.left[seat])
        self.left[seat] -= count
        if not self.left[seat]:
            self.emptied = seat
        return count


def resolve(
    state: State, seat: Seat, move: PlaceTile, grown: list[Growth], owners: list[Seat]
) -> tuple[Event, ...]:
    """Everything that the placement causes up to the draw, owners being those of the groups that it makes."""
    events: list[Event] = [TilePlaced(seat, move.first, move.second)]
    if not grown:
        return tuple(events)
    claims = [_claim(state, seat, growth, owner) for growth, owner in zip(grown, owners, strict=True)]
    if len(claims) > 1:
        claims.sort()
    supplies = _Supplies(state.supplies)
    for claim in claims:
        if claim.returned:
            for owner, count in enumerate(claim.returned):
                supplies.left[owner] += count
    if state.table.rulings.settled:
        _settle(state, seat, claims, supplies, events)
    else:
        for claim in claims:
            events.append(_province_event(claim, supplies.put(claim.owner, claim.owed)))
        if supplies.emptied is None:
            takings = _takings(state, seat, claims)
            _give_back(takings, supplies)
            for taking in takings:
                _take(taking, supplies.put(taking.owner, 1), events)
    if supplies.emptied is not None:
        events.append(MatchEnded(EndReason.LAST_PAGODA, (supplies.emptied,)))
    return tuple(events)


def _claim(state: State, seat: Seat, growth: Growth, owner: Seat) -> _Claim:
    """Own pagodas are used again first (QIN-ABSORB-7), so no phantom last pagoda (AMB-13)."""
    seats = len(state.supplies)
    owed = due(growth.cells)
    returned: tuple[int, ...] = ()
    if len(growth.provinces) == 1:
        owed -= growth.provinces[0].pagodas
    elif growth.provinces:
        standing = [0] * seats
        for province in growth.provinces:
            standing[province.owner] += province.pagodas
        kept = min(standing[owner], owed)
        owed -= kept
        standing[owner] -= kept
        returned = tuple(standing)
    return _Claim((owner - seat) % seats, growth.colour, growth, owner, owed, returned)


def _province_event(claim: _Claim, placed: int) -> Event:
    growth = claim.growth
    if not growth.provinces:
        return ProvinceFounded(claim.owner, growth.colour, growth.cells, placed)
    if len(growth.provinces) == 1:
        return ProvinceExpanded(claim.owner, growth.colour, growth.cells, placed)
    return ProvincesJoined(claim.owner, growth.colour, growth.cells, placed, claim.returned)


def _takings(state: State, seat: Seat, claims: list[_Claim]) -> list[_Taking]:
    """The villages that change hands, judged on the provinces as they will be (QIN-VIL-6)."""
    board = state.table.board
    changed = 0
    for claim in claims:
        changed |= claim.growth.cells
    if not changed & board.village_borders:
        return []
    after = _provinces_after(state, claims)
    seats = len(state.supplies)
    takings = []
    for number, village in enumerate(board.villages):
        if village.border & changed:
            taker = leader(strengths(village.border, after, seats))
            loser = state.village_owner(number)
            if taker is not None and taker != loser:
                takings.append(_Taking((taker - seat) % seats, number, taker, loser))
    return sorted(takings, key=lambda taking: taking[:2])


def _provinces_after(state: State, claims: list[_Claim]) -> list[Province]:
    gone = {province.cells for claim in claims for province in claim.growth.provinces}
    after = [
        province for of_colour in state.provinces for province in of_colour if province.cells not in gone
    ]
    after += [Province(claim.growth.cells, claim.owner, 0) for claim in claims]
    return after


def _give_back(takings: Iterable[_Taking], supplies: _Supplies) -> None:
    for taking in takings:
        if taking.loser is not None:
            supplies.left[taking.loser] += 1


def _take(taking: _Taking, placed: int, events: list[Event]) -> None:
    if taking.loser is not None:
        events.append(VillageConquered(taking.owner, taking.loser, taking.village, placed))
    elif placed:
        events.append(VillageConnected(taking.owner, taking.village))


def _settle(state: State, seat: Seat, claims: list[_Claim], supplies: _Supplies, events: list[Event]) -> None:
    """All returns first, then each seat in turn puts down what it owes (AMB-25, last-pagoda=settled)."""
    takings = _takings(state, seat, claims)
    _give_back(takings, supplies)
    village_events: list[Event] = []
    for turn in range(len(state.supplies)):
        for claim in claims:
            if claim.turn == turn:
                events.append(_province_event(claim, supplies.put(claim.owner, claim.owed)))
        for taking in takings:
            if taking.turn == turn:
                _take(taking, supplies.put(taking.owner, 1), village_events)
    events += village_events
