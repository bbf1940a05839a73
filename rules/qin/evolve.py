"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.setup import Draws
from rules.qin.events import (
    Event,
    MatchEnded,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TileDrawn,
    TilePlaced,
    TilesDealt,
    TurnPassed,
    VillageConnected,
    VillageConquered,
)
from rules.qin.state import DRAWING, PLACING, VACANT, Over, Province, State
from rules.qin.tiles import EMPTY, KIND, Hand, added, hand_of, played

_CELLS: Final = attrgetter("cells")


def evolve(state: State, event: Event) -> State:
    """The state after one event."""
    return fold(state, (event,))


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after several events."""
    draft = _Draft(state)
    for event in events:
        match event:
            case TilePlaced():
                draft.place(event)
            case ProvinceFounded() | ProvinceExpanded():
                draft.grow(event)
            case ProvincesJoined():
                draft.grow(event, event.returned)
            case VillageConnected():
                draft.occupy(event.village, event.owner, 1)
            case VillageConquered():
                draft.supplies[event.loser] += 1
                draft.occupy(event.village, event.owner, event.placed)
            case TileDrawn():
                draft.draw(event)
            case TilesDealt():
                draft.deal(event)
            case TurnPassed():
                draft.pass_by(event)
            case MatchEnded():
                draft.turn = Over(event.reason)
            case _:
                assert_never(event)
    return draft.state()


class _Draft:
    """A state under way, so that the events of one entry make one new value and not one each."""

    __slots__ = (
        "before",
        "drawn",
        "hands",
        "passes",
        "placed",
        "provinces",
        "stock",
        "supplies",
        "territories",
        "turn",
        "villages",
    )

    def __init__(self, state: State) -> None:
        self.before = state
        self.territories = list(state.territories)
        self.provinces = list(state.provinces)
        self.villages = state.villages
        self.supplies = list(state.supplies)
        self.placed = state.placed
        self.hands = state.hands
        self.stock = state.stock
        self.drawn = state.drawn
        self.turn = state.turn
        self.passes = state.passes

    def state(self) -> State:
        red, yellow, blue = self.territories
        reds, yellows, blues = self.provinces
        return State(
            self.before.table,
            (red, yellow, blue),
            (reds, yellows, blues),
            self.villages,
            bytes(self.supplies),
            self.placed,
            self.hands,
            self.stock,
            self.drawn,
            self.turn,
            self.passes,
        )

    def place(self, event: TilePlaced) -> None:
        table = self.before.table
        seat, first, second = event.seat, event.first, event.second
        self.territories[first.colour] |= table.board.bit[first.cell]
        self.territories[second.colour] |= table.board.bit[second.cell]
        kind = KIND[first.colour][second.colour]
        self.placed = _with(self.placed, kind, self.placed[kind] + 1)
        self.passes = 0
        self.turn = PLACING[(seat + 1) % len(self.supplies)]
        if self.stock and table.draws is Draws.UNRECORDED:
            # An unknown tile was played and an unknown one drawn: the hand reads the same.
            self.stock -= 1
            return
        self._set_hand(seat, played(self.hands[seat], kind))
        if self.stock:
            self.turn = DRAWING[seat]

    def grow(
        self, event: ProvinceFounded | ProvinceExpanded | ProvincesJoined, returned: tuple[int, ...] = ()
    ) -> None:
        cells, owner = event.cells, event.owner
        pagodas = event.placed
        provinces = []
        for province in self.provinces[event.colour]:
            if province.cells & cells:
                pagodas += province.pagodas
            else:
                provinces.append(province)
        for seat, count in enumerate(returned):
            pagodas -= count
            self.supplies[seat] += count
        provinces.append(Province(cells, owner, pagodas))
        provinces.sort(key=_CELLS, reverse=True)
        self.provinces[event.colour] = tuple(provinces)
        self.supplies[owner] -= event.placed

    def occupy(self, village: int, owner: Seat, placed: int) -> None:
        self.villages = _with(self.villages, village, owner + 1 if placed else VACANT)
        self.supplies[owner] -= placed

    def draw(self, event: TileDrawn) -> None:
        self._set_hand(event.seat, added(self.hands[event.seat], event.tile))
        self.stock -= 1
        if event.pile is not None:
            self.drawn = _with(self.drawn, event.pile - 1, self.drawn[event.pile - 1] + 1)
        self.turn = PLACING[(event.seat + 1) % len(self.supplies)]

    def deal(self, event: TilesDealt) -> None:
        self._set_hand(event.seat, hand_of(event.tiles))
        self.stock -= len(event.tiles)
        if EMPTY not in self.hands:
            self.turn = PLACING[0]

    def pass_by(self, event: TurnPassed) -> None:
        self.passes += 1
        self.turn = PLACING[(event.seat + 1) % len(self.supplies)]

    def _set_hand(self, seat: Seat, hand: Hand) -> None:
        self.hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])


def _with(counts: bytes, place: int, value: int) -> bytes:
    return counts[:place] + bytes((value,)) + counts[place + 1 :]
