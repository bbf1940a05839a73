"""What a legal placement causes: provinces, then villages, pagoda by pagoda (section 4 of the digest)."""

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
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


class _Taking(Struct, frozen=True, gc=False):
    """A village that changes hands."""

    turn: int
    """How far clockwise the new owner sits from the mover."""
    village: int
    owner: Seat
    loser: Seat | None


class _Supplies:
    """The supplies while pagodas move; the first to be emptied ends the match (QIN-END-1)."""

    __slots__ = ("emptied", "left")

    def __init__(self, supplies: bytes) -> None:
        self.left = list(supplies)
        self.emptied: Seat | None = None

    def put(self, seat: Seat, owed: int) -> int:
        """Put pagodas down one at a time, none once the match has ended, and say how many it were."""
        if owed <= 0 or self.emptied is not None:
            return 0
        left = self.left[seat] - owed
        if left <= 0:
            self.emptied = seat
            owed += left
            left = 0
        self.left[seat] = left
        return owed

    def take_back(self, counts: tuple[int, ...]) -> None:
        """Pagodas that come back, by seat."""
        for seat, count in enumerate(counts):
            self.left[seat] += count


def resolve(
    state: State, seat: Seat, move: PlaceTile, grown: list[Growth], owned: list[Seat]
) -> tuple[Event, ...]:
    """Everything that the placement causes up to the draw; owned are the owners of the groups it makes."""
    tile = TilePlaced(seat, move.first, move.second)
    if not grown:
        return (tile,)
    if len(grown) > 1:
        grown, owned = _clockwise(seat, len(state.supplies), grown, owned)
    supplies = _Supplies(state.supplies)
    events: list[Event] = [tile]
    if state.table.rulings.settled:
        _settle(state, seat, grown, owned, supplies, events)
    else:
        _stage(state, seat, grown, owned, supplies, events)
    if supplies.emptied is not None:
        events.append(MatchEnded(EndReason.LAST_PAGODA, (supplies.emptied,)))
    return tuple(events)


def _stage(  # noqa: PLR0913 - the state, who moves, what grows, and what is being written
    state: State,
    seat: Seat,
    grown: list[Growth],
    owned: list[Seat],
    supplies: _Supplies,
    events: list[Event],
) -> None:
    """Provinces first, then villages; returns before placements in each stage (AMB-23)."""
    returned = [_returned(group, owner, supplies) for group, owner in zip(grown, owned, strict=True)]
    for group, owner, back in zip(grown, owned, returned, strict=True):
        events.append(_province_event(group, owner, supplies.put(owner, _owed(group, owner)), back))
    if supplies.emptied is None and (changed := _newly_beside_villages(state, grown)):
        takings = _takings(state, seat, grown, owned, changed)
        _give_back(takings, supplies)
        for taking in takings:
            _take(taking, supplies.put(taking.owner, 1), events)


def _settle(  # noqa: PLR0913 - as for _stage
    state: State,
    seat: Seat,
    grown: list[Growth],
    owned: list[Seat],
    supplies: _Supplies,
    events: list[Event],
) -> None:
    """All returns first, then each seat in turn puts down what it owes (AMB-25, last-pagoda=settled)."""
    returned = [_returned(group, owner, supplies) for group, owner in zip(grown, owned, strict=True)]
    changed = _newly_beside_villages(state, grown)
    takings = _takings(state, seat, grown, owned, changed) if changed else []
    _give_back(takings, supplies)
    on_villages: list[Event] = []
    for turn in range(len(state.supplies)):
        placing = (seat + turn) % len(state.supplies)
        for group, owner, back in zip(grown, owned, returned, strict=True):
            if owner == placing:
                events.append(_province_event(group, owner, supplies.put(owner, _owed(group, owner)), back))
        for taking in takings:
            if taking.turn == turn:
                _take(taking, supplies.put(taking.owner, 1), on_villages)
    events += on_villages


def _clockwise(
    seat: Seat, seats: int, grown: list[Growth], owned: list[Seat]
) -> tuple[list[Growth], list[Seat]]:
    """The groups in the order in which their owners put pagodas down: the mover first, by colour."""
    order = sorted(
        range(len(grown)), key=lambda number: ((owned[number] - seat) % seats, grown[number].colour)
    )
    return [grown[number] for number in order], [owned[number] for number in order]


def _owed(group: Growth, owner: Seat) -> int:
    """Pagodas that the owner must add; his own are used again first, so no phantom last pagoda (AMB-13)."""
    owed = due(group.cells)
    for province in group.provinces:
        if province.owner == owner:
            owed -= province.pagodas
    return owed


def _returned(group: Growth, owner: Seat, supplies: _Supplies) -> tuple[int, ...]:
    """Pagodas that joined provinces give back, by seat, and already given (QIN-ABSORB-7); else none."""
    if len(group.provinces) < 2:  # noqa: PLR2004 - a join takes two
        return ()
    back = [0] * len(supplies.left)
    for province in group.provinces:
        back[province.owner] += province.pagodas
    back[owner] = max(0, back[owner] - due(group.cells))
    supplies.take_back(tuple(back))
    return tuple(back)


def _province_event(group: Growth, owner: Seat, placed: int, returned: tuple[int, ...]) -> Event:
    if not group.provinces:
        return ProvinceFounded(owner, group.colour, group.cells, placed)
    if len(group.provinces) == 1:
        return ProvinceExpanded(owner, group.colour, group.cells, placed)
    return ProvincesJoined(owner, group.colour, group.cells, placed, returned)


def _newly_beside_villages(state: State, grown: list[Growth]) -> CellSet:
    """The cells beside villages whose strength may have changed; of a mere expansion only the new cells."""
    changed = 0
    for group in grown:
        changed |= group.cells
        if len(group.provinces) == 1 and due(group.cells) == group.provinces[0].pagodas:
            changed ^= group.provinces[0].cells
    return changed & state.table.board.village_borders


def _takings(
    state: State, seat: Seat, grown: list[Growth], owned: list[Seat], changed: CellSet
) -> list[_Taking]:
    """The villages that change hands, judged on the provinces as they will be (QIN-VIL-6)."""
    gone = {province.cells for group in grown for province in group.provinces}
    after = [
        province for of_colour in state.provinces for province in of_colour if province.cells not in gone
    ]
    after += [
        Province(group.cells, owner, due(group.cells)) for group, owner in zip(grown, owned, strict=True)
    ]
    seats = len(state.supplies)
    takings = []
    for number, village in enumerate(state.table.board.villages):
        if village.border & changed:
            taker = leader(strengths(village.border, after, seats))
            loser = state.village_owner(number)
            if taker is not None and taker != loser:
                takings.append(_Taking((taker - seat) % seats, number, taker, loser))
    return sorted(takings, key=lambda taking: (taking.turn, taking.village))


def _give_back(takings: list[_Taking], supplies: _Supplies) -> None:
    for taking in takings:
        if taking.loser is not None:
            supplies.left[taking.loser] += 1


def _take(taking: _Taking, placed: int, events: list[Event]) -> None:
    if taking.loser is not None:
        events.append(VillageConquered(taking.owner, taking.loser, taking.village, placed))
    elif placed:
        events.append(VillageConnected(taking.owner, taking.village))
