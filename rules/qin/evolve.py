"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Iterable
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.setup import UNRECORDED
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
from rules.qin.growth import Growth
from rules.qin.moves import PlaceTile
from rules.qin.state import (
    DRAWING,
    LAST_PAGODA,
    OVER,
    PLACING,
    VACANT,
    ByColour,
    Placing,
    Province,
    Provinces,
    State,
    Table,
    Turn,
)
from rules.qin.tiles import (
    EACH,
    EMPTY,
    HAND,
    KIND,
    Colour,
    Hand,
    Kind,
    added,
    forgotten,
    hand_of,
    played,
)

_MOST: Final = 0xFF
"""The largest count that a state can have: digests count in bytes."""


def evolve(state: State, event: Event) -> State:
    """The state after one event; a supply may be below 0 until the next one (AMB-23)."""
    return fold(state, (event,), least=-_MOST)


def fold(state: State, events: Iterable[Event], least: int = 0) -> State:
    """The state after all events of a move; raises ValueError or IndexError where no match can have them.

    Each event changes some parts, and one state is made of them at the end.
    """
    table, free, territories = state.table, state.free, state.territories
    provinces, villages, supplies = state.provinces, state.villages, list(state.supplies)
    placed, hands, stock = state.placed, state.hands, state.stock
    drawn, turn, passes = state.drawn, state.turn, state.passes
    for event in events:
        if type(event) is TilePlaced:
            seat, first, second = event.seat, event.first, event.second
            one, other, bit = first.colour, second.colour, table.board.bit
            here, there = bit[first.cell], bit[second.cell]
            kind = KIND[one][other]
            free ^= here ^ there
            territories = _with_cells(territories, one, here, other, there)
            placed = _with_byte(placed, kind, placed[kind] + 1)
            turn, passes = PLACING[(seat + 1) % len(hands)], 0
            if stock and table.draws is UNRECORDED:
                # An unknown tile was played and an unknown one drawn: the hand reads the same.
                stock -= 1
            else:
                hands = _without_tile(hands, seat, kind, EACH - placed[kind])
                if stock:
                    turn = DRAWING[seat]
        elif type(event) is ProvinceFounded or type(event) is ProvinceExpanded:
            provinces = _with_province(provinces, event, event.placed)
            supplies[event.owner] -= event.placed
        elif type(event) is VillageConnected:
            villages = _with_byte(villages, event.village, event.owner + 1)
            supplies[event.owner] -= 1
        elif type(event) is ProvincesJoined:
            provinces = _with_province(provinces, event, event.placed - sum(event.returned))
            supplies[event.owner] -= event.placed
            _give_back(supplies, event.returned)
        elif type(event) is VillageConquered:
            villages = _with_byte(villages, event.village, event.owner + 1 if event.placed else VACANT)
            supplies[event.loser] += 1
            supplies[event.owner] -= event.placed
        elif type(event) is TileDrawn:
            hands = _with_hand(hands, event.seat, added(hands[event.seat], event.tile))
            drawn = _drawn(drawn, event.pile)
            turn, stock = PLACING[(event.seat + 1) % len(hands)], stock - 1
        elif type(event) is TilesDealt:
            hands = _with_hand(hands, event.seat, hand_of(event.tiles))
            turn = turn if EMPTY in hands else PLACING[0]
            stock -= len(event.tiles)
        elif type(event) is TurnPassed:
            turn = PLACING[(event.seat + 1) % len(hands)]
            passes = min(passes + 1, _MOST)
        elif type(event) is MatchEnded:
            hands, stock = _at_the_end(table, hands, stock, turn, event)
            turn = OVER[event.reason]
        else:
            assert_never(event)
    return State(
        table,
        free,
        territories,
        provinces,
        villages,
        _in_bounds(supplies, least),
        placed,
        hands,
        stock,
        drawn,
        turn,
        passes,
    )


def _in_bounds(supplies: list[int], least: int) -> tuple[int, ...]:
    for left in supplies:
        if not least <= left <= _MOST:
            raise ValueError(f"a seat has {left} pagodas left")
    return tuple(supplies)


def with_tile(board: Board, territories: ByColour[CellSet], tile: PlaceTile) -> ByColour[CellSet]:
    """The territories with a tile among them."""
    first, second, bit = tile.first, tile.second, board.bit
    return _with_cells(territories, first.colour, bit[first.cell], second.colour, bit[second.cell])


def _with_cells(
    territories: ByColour[CellSet], one: Colour, here: CellSet, other: Colour, there: CellSet
) -> ByColour[CellSet]:
    by_colour = list(territories)
    by_colour[one] |= here
    by_colour[other] |= there
    return tuple(by_colour)


def _with_province(provinces: Provinces, event: Growth, pagodas: int) -> Provinces:
    """Replaces the provinces that the event absorbs by the one that it describes, which has more pagodas."""
    cells, colour = event.cells, event.colour
    of_colour: list[Province] = []
    place = 0
    for province in provinces[colour]:
        theirs = province.cells
        if theirs & cells:
            pagodas += province.pagodas
        else:
            of_colour.append(province)
            # The first cell of the board is the highest bit.
            if theirs > cells:
                place += 1
    if not (cells and 0 <= pagodas <= _MOST):
        raise ValueError(f"a province of {cells.bit_count()} cells has {pagodas} pagodas")
    of_colour.insert(place, Province(cells, event.owner, pagodas))
    by_colour = list(provinces)
    by_colour[colour] = tuple(of_colour)
    return tuple(by_colour)


def _give_back(supplies: list[int], returned: tuple[int, ...]) -> None:
    for seat, back in enumerate(returned):
        supplies[seat] += back


def _drawn(drawn: bytes, pile: int | None) -> bytes:
    return drawn if pile is None else _with_byte(drawn, pile - 1, drawn[pile - 1] + 1)


def _at_the_end(
    table: Table, hands: tuple[Hand, ...], stock: int, turn: Turn, event: MatchEnded
) -> tuple[tuple[Hand, ...], int]:
    """Hands and stock: the mover's hand was refilled with the placement, but nothing is drawn (QIN-END-5)."""
    if event.reason is LAST_PAGODA and isinstance(turn, Placing) and table.draws is UNRECORDED:
        mover = Seat((turn.seat - 1) % len(hands))
        if sum(hands[mover]) == HAND:
            return _with_hand(hands, mover, hand_of((None,) * (HAND - 1))), stock + 1
    return hands, stock


def _without_tile(hands: tuple[Hand, ...], seat: Seat, kind: Kind, left: int) -> tuple[Hand, ...]:
    """The hands after a seat has placed a tile that leaves this many of its kind off the board."""
    hands = _with_hand(hands, seat, played(hands[seat], kind))
    if left >= HAND:
        return hands
    # No hand can have more than are left: what the record said of it was wrong, and those are not known.
    return tuple(
        [forgotten(hand, kind, hand[kind] - max(left, 0)) if hand[kind] > left else hand for hand in hands]
    )


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _with_byte(counts: bytes, place: int, value: int) -> bytes:
    changed = bytearray(counts)
    changed[place] = value
    return bytes(changed)
