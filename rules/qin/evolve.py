"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.setup import Draws
from rules.qin.board import Board, CellSet
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
from rules.qin.moves import PlaceTile
from rules.qin.state import DRAWING, PLACING, VACANT, ByColour, Over, Province, State
from rules.qin.tiles import EMPTY, KIND, Hand, added, hand_of, played


_CELLS: Final = attrgetter("cells")


def evolve(state: State, event: Event) -> State:
    """The state after one event."""
    return fold(state, (event,))


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after several events, made in one go."""
    table, supplies, hands, stock = state.table, state.supplies, state.hands, state.stock
    territories, provinces, villages = state.territories, state.provinces, state.villages
    placed, drawn, turn, passes = state.placed, state.drawn, state.turn, state.passes
    for event in events:
        match event:
            case TilePlaced():
                territories = with_tile(table.board, territories, event)
                kind = KIND[event.first.colour][event.second.colour]
                placed = _with(placed, kind, placed[kind] + 1)
                passes = 0
                turn = PLACING[(event.seat + 1) % len(supplies)]
                if stock and table.draws is Draws.UNRECORDED:
                    # An unknown tile was played and an unknown one drawn: the hand reads the same.
                    stock -= 1
                else:
                    hands = _with_hand(hands, event.seat, played(hands[event.seat], kind))
                    if stock:
                        turn = DRAWING[event.seat]
            case ProvinceFounded() | ProvinceExpanded():
                provinces = _with_province(provinces, event, ())
                if event.placed:
                    supplies = _with(supplies, event.owner, supplies[event.owner] - event.placed)
            case ProvincesJoined():
                provinces = _with_province(provinces, event, event.returned)
                left = [supply + back for supply, back in zip(supplies, event.returned, strict=True)]
                left[event.owner] -= event.placed
                supplies = bytes(left)
            case VillageConnected():
                villages = _with(villages, event.village, event.owner + 1)
                supplies = _with(supplies, event.owner, supplies[event.owner] - 1)
            case VillageConquered():
                villages = _with(villages, event.village, event.owner + 1 if event.placed else VACANT)
                supplies = _with(supplies, event.loser, supplies[event.loser] + 1)
                supplies = _with(supplies, event.owner, supplies[event.owner] - event.placed)
            case TileDrawn():
                hands = _with_hand(hands, event.seat, added(hands[event.seat], event.tile))
                stock -= 1
                if event.pile is not None:
                    drawn = _with(drawn, event.pile - 1, drawn[event.pile - 1] + 1)
                turn = PLACING[(event.seat + 1) % len(supplies)]
            case TilesDealt():
                hands = _with_hand(hands, event.seat, hand_of(event.tiles))
                stock -= len(event.tiles)
                if EMPTY not in hands:
                    turn = PLACING[0]
            case TurnPassed():
                passes += 1
                turn = PLACING[(event.seat + 1) % len(supplies)]
            case MatchEnded():
                turn = Over(event.reason)
            case _:
                assert_never(event)
    return State(table, territories, provinces, villages, supplies, placed, hands, stock, drawn, turn, passes)


def with_tile(
    board: Board, territories: ByColour[CellSet], tile: TilePlaced | PlaceTile
) -> ByColour[CellSet]:
    """The territories with a tile among them."""
    by_colour = list(territories)
    by_colour[tile.first.colour] |= board.bit[tile.first.cell]
    by_colour[tile.second.colour] |= board.bit[tile.second.cell]
    red, yellow, blue = by_colour
    return red, yellow, blue


def _with_province(
    provinces: ByColour[tuple[Province, ...]],
    event: ProvinceFounded | ProvinceExpanded | ProvincesJoined,
    returned: tuple[int, ...],
) -> ByColour[tuple[Province, ...]]:
    """The provinces with those that the event swallows replaced by the one that it tells of."""
    cells = event.cells
    pagodas = event.placed - sum(returned)
    of_colour = []
    for province in provinces[event.colour]:
        if province.cells & cells:
            pagodas += province.pagodas
        else:
            of_colour.append(province)
    of_colour.append(Province(cells, event.owner, pagodas))
    # The first cell of the board is the highest bit.
    of_colour.sort(key=_CELLS, reverse=True)
    by_colour = list(provinces)
    by_colour[event.colour] = tuple(of_colour)
    reds, yellows, blues = by_colour
    return reds, yellows, blues


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _with(counts: bytes, place: int, value: int) -> bytes:
    return counts[:place] + bytes((value,)) + counts[place + 1 :]
