"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.setup import UNRECORDED
from rules.qin.board import CellSet
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
from rules.qin.growth import Growth
from rules.qin.moves import PlaceTile
from rules.qin.state import (
    DRAWING,
    LAST_PAGODA,
    PLACING,
    VACANT,
    ByColour,
    Drawing,
    Over,
    Placing,
    Province,
    State,
)
from rules.qin.tiles import EMPTY, HAND, KIND, Counts, Hand, added, hand_of, played


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """The state after one event."""
    match event:
        case TilePlaced():
            return _tile_placed(state, event)
        case ProvinceFounded() | ProvinceExpanded() | ProvincesJoined():
            return _province_grown(state, event)
        case VillageConnected():
            return _village_taken(state, event.owner, event.village, 1)
        case VillageConquered():
            supplies = _with(state.supplies, event.loser, state.supplies[event.loser] + 1)
            before = structs.replace(state, supplies=supplies)
            return _village_taken(before, event.owner, event.village, event.placed)
        case TileDrawn():
            return _tile_drawn(state, event)
        case TilesDealt():
            return _tiles_dealt(state, event)
        case TurnPassed():
            return structs.replace(state, turn=_after(state, event.seat), passes=state.passes + 1)
        case MatchEnded():
            return _match_ended(state, event)
        case _:
            assert_never(event)


def _after(state: State, seat: Seat) -> Placing:
    return PLACING[(seat + 1) % len(state.supplies)]


def _tile_placed(state: State, event: TilePlaced) -> State:
    table, seat, first, second = state.table, event.seat, event.first, event.second
    bit = table.board.bit
    kind = KIND[first.colour][second.colour]
    hands, stock = state.hands, state.stock
    turn: Placing | Drawing = PLACING[(seat + 1) % len(hands)]
    if stock and table.draws is UNRECORDED:
        # An unknown tile was played and an unknown one drawn: the hand reads the same.
        stock -= 1
    else:
        hands = _with_hand(hands, seat, played(hands[seat], kind))
        if stock:
            turn = DRAWING[seat]
    return State(
        table,
        state.free ^ bit[first.cell] ^ bit[second.cell],
        with_tile(state, event),
        state.provinces,
        state.villages,
        state.supplies,
        _with(state.placed, kind, state.placed[kind] + 1),
        hands,
        stock,
        state.drawn,
        turn,
        0,
    )


def with_tile(state: State, tile: TilePlaced | PlaceTile) -> ByColour[CellSet]:
    """The territories with a tile among them."""
    first, second, bit = tile.first, tile.second, state.table.board.bit
    by_colour = list(state.territories)
    by_colour[first.colour] |= bit[first.cell]
    by_colour[second.colour] |= bit[second.cell]
    return by_colour[0], by_colour[1], by_colour[2]


def _province_grown(state: State, event: Growth) -> State:
    """The provinces that the event swallows give way to the one that it tells of."""
    cells, pagodas, colour = event.cells, event.placed, event.colour
    supplies = list(state.supplies)
    supplies[event.owner] -= pagodas
    of_colour = []
    place = 0
    for province in state.provinces[colour]:
        if province.cells & cells:
            pagodas += province.pagodas
        else:
            of_colour.append(province)
            # The first cell of the board is the highest bit.
            if province.cells > cells:
                place += 1
    if isinstance(event, ProvincesJoined):
        for seat, back in enumerate(event.returned):
            supplies[seat] += back
            pagodas -= back
    of_colour.insert(place, Province(cells, event.owner, pagodas))
    by_colour = list(state.provinces)
    by_colour[colour] = tuple(of_colour)
    return State(
        state.table,
        state.free,
        state.territories,
        (by_colour[0], by_colour[1], by_colour[2]),
        state.villages,
        tuple(supplies),
        state.placed,
        state.hands,
        state.stock,
        state.drawn,
        state.turn,
        state.passes,
    )


def _village_taken(state: State, owner: Seat, village: int, placed: int) -> State:
    return structs.replace(
        state,
        villages=_with_byte(state.villages, village, owner + 1 if placed else VACANT),
        supplies=_with(state.supplies, owner, state.supplies[owner] - placed),
    )


def _tile_drawn(state: State, event: TileDrawn) -> State:
    drawn = state.drawn
    if event.pile is not None:
        drawn = _with_byte(drawn, event.pile - 1, drawn[event.pile - 1] + 1)
    return structs.replace(
        state,
        hands=_with_hand(state.hands, event.seat, added(state.hands[event.seat], event.tile)),
        stock=state.stock - 1,
        drawn=drawn,
        turn=_after(state, event.seat),
    )


def _tiles_dealt(state: State, event: TilesDealt) -> State:
    hands = _with_hand(state.hands, event.seat, hand_of(event.tiles))
    turn = state.turn if EMPTY in hands else PLACING[0]
    return structs.replace(state, hands=hands, stock=state.stock - len(event.tiles), turn=turn)


def _match_ended(state: State, event: MatchEnded) -> State:
    hands, stock = state.hands, state.stock
    if (
        event.reason is LAST_PAGODA
        and isinstance(state.turn, Placing)
        and state.table.draws is UNRECORDED
        and sum(hands[mover := Seat((state.turn.seat - 1) % len(hands))]) == HAND
    ):
        # The mover's hand was refilled with the placement, but nothing is drawn any more (QIN-END-5).
        hands = _with_hand(hands, mover, hand_of((None,) * (HAND - 1)))
        stock += 1
    return structs.replace(state, hands=hands, stock=stock, turn=Over(event.reason))


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _with(counts: Counts, place: int, value: int) -> Counts:
    changed = list(counts)
    changed[place] = value
    return tuple(changed)


def _with_byte(counts: bytes, place: int, value: int) -> bytes:
    changed = bytearray(counts)
    changed[place] = value
    return bytes(changed)
