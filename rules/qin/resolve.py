"""What a legal placement causes: provinces, then villages, pagoda by pagoda (section 4 of the digest)."""

from collections.abc import Sequence

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
from rules.qin.growth import Barred, Growth, growths
from rules.qin.moves import PlaceTile
from rules.qin.state import EndReason, State
from rules.qin.villages import Taking, takings


def caused(state: State, seat: Seat, move: PlaceTile) -> tuple[Event, ...]:
    """Everything that a placement causes up to the draw; nothing at all where it would make a barred join."""
    grown: list[Growth] = []
    changed = asked = 0
    for group in growths(state, seat, move):
        if type(group) is Barred:
            return ()
        grown.append(group)
        changed |= group.cells
        asked += group.placed
    tile = TilePlaced(seat, move.first, move.second)
    if not grown:
        return (tile,)
    supplies, table = state.supplies, state.table
    if len(grown) > 1:
        _sort_by_turn(grown, seat, len(supplies))
    changed &= table.board.village_borders
    taken = takings(state, seat, grown, changed) if changed else ()
    if min(supplies) > asked + len(taken):
        return (tile, *grown, *taken)
    if table.rulings.settled:
        return (tile, *_settled(state, seat, grown, taken))
    return (tile, *_staged(state, grown, taken))


def _sort_by_turn(grown: list[Growth], mover: Seat, seats: int) -> None:
    """The mover's first, then clockwise; of one owner, by colour."""
    grown.sort(key=lambda group: ((group.owner - mover) % seats, group.colour))


class _Supplies:
    """The supplies while pagodas move; the first to be emptied ends the match (QIN-END-1)."""

    def __init__(self, supplies: tuple[int, ...]) -> None:
        self.left = list(supplies)
        self.emptied: Seat | None = None

    def take_back(self, events: Sequence[Growth] | Sequence[Taking]) -> None:
        """Pagodas go back before any is put down (AMB-23)."""
        for event in events:
            if isinstance(event, ProvincesJoined):
                for seat, count in enumerate(event.returned):
                    self.left[seat] += count
            elif isinstance(event, VillageConquered):
                self.left[event.loser] += 1

    def put(self, seat: Seat, owed: int) -> int:
        """Put pagodas down one at a time, none once the match has ended, and say how many it were."""
        if self.emptied is not None or not owed:
            return 0
        placed = min(owed, self.left[seat])
        self.left[seat] -= placed
        if not self.left[seat]:
            self.emptied = seat
        return placed

    def end(self) -> list[Event]:
        """The end of the match, if a supply is empty."""
        return [] if self.emptied is None else [MatchEnded(EndReason.LAST_PAGODA, (self.emptied,))]


def _staged(state: State, grown: Sequence[Growth], taken: Sequence[Taking]) -> list[Event]:
    """Provinces first, then villages; the last pagoda ends the match there and then (AMB-24)."""
    supplies = _Supplies(state.supplies)
    supplies.take_back(grown)
    events: list[Event] = [_grown(group, supplies) for group in grown]
    if supplies.emptied is None:
        supplies.take_back(taken)
        for taking in taken:
            events += _taken(taking, supplies)
    return events + supplies.end()


def _settled(state: State, seat: Seat, grown: Sequence[Growth], taken: Sequence[Taking]) -> list[Event]:
    """All returns first, then each seat in turn puts down what it owes (AMB-25, last-pagoda=settled)."""
    supplies = _Supplies(state.supplies)
    supplies.take_back(grown)
    supplies.take_back(taken)
    on_provinces: list[Event] = []
    on_villages: list[Event] = []
    for turn in range(len(state.supplies)):
        placing = (seat + turn) % len(state.supplies)
        on_provinces += [_grown(group, supplies) for group in grown if group.owner == placing]
        for taking in taken:
            if taking.owner == placing:
                on_villages += _taken(taking, supplies)
    return on_provinces + on_villages + supplies.end()


def _grown(group: Growth, supplies: _Supplies) -> Event:
    """The growth with the pagodas that its owner could still put down."""
    placed = supplies.put(group.owner, group.placed)
    match group:
        case ProvinceFounded():
            return ProvinceFounded(group.owner, group.colour, group.cells, placed)
        case ProvinceExpanded():
            return ProvinceExpanded(group.owner, group.colour, group.cells, placed)
        case ProvincesJoined():
            return ProvincesJoined(group.owner, group.colour, group.cells, placed, group.returned)


def _taken(taking: Taking, supplies: _Supplies) -> list[Event]:
    """The taking if its pagoda could still be put down; a conquered village loses the old one in any case."""
    placed = supplies.put(taking.owner, 1)
    match taking:
        case VillageConnected():
            return [taking] if placed else []
        case VillageConquered():
            return [VillageConquered(taking.owner, taking.loser, taking.village, placed)]
