"""Events, turns and seats in words."""

from collections.abc import Iterator
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_name
from rules.kernel.display import EventText
from rules.kernel.text import listed
from rules.qin import rulebook
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
from rules.qin.notation import write_tile
from rules.qin.outcome import outcome
from rules.qin.state import MAJOR, Dealing, Drawing, EndReason, Over, Placing, State, due
from rules.qin.tiles import Colour, tiles_in

_ENDED_FIRST: Final = "but the match ended before"


def describe(state: State, event: Event) -> EventText:
    """The event in words, with the rules that caused it; the state is the one before it."""
    names = state.table.names
    match event:
        case TilePlaced():
            return EventText(f"{names[event.seat]} placed {_tile(event)}", (rulebook.TURN_1,))
        case ProvinceFounded():
            return _founded(state, event)
        case ProvinceExpanded():
            return _expanded(state, event)
        case ProvincesJoined():
            return _joined(state, event)
        case VillageConnected():
            letter = state.table.board.villages[event.village].letter
            return EventText(f"{names[event.owner]} connected the vacant village {letter}", (rulebook.VIL_3,))
        case VillageConquered():
            return _conquered(state, event)
        case TilesDealt():
            tiles = " ".join(write_tile(tile) for tile in event.tiles)
            return EventText(f"{names[event.seat]} was dealt {tiles}", (rulebook.SETUP_2,))
        case TileDrawn():
            tile = "a tile that the record does not tell" if event.tile is None else event.tile.name
            pile = "" if event.pile is None else f" from pile {event.pile}"
            return EventText(f"{names[event.seat]} drew {tile}{pile}", (rulebook.DRAW_1,))
        case TurnPassed():
            return EventText(f"{names[event.seat]} passed", (rulebook.TURN_2,))
        case MatchEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


def _tile(event: TilePlaced) -> str:
    first, second = sorted((event.first, event.second), key=lambda half: half.cell)
    one, other = cell_name(first.cell), cell_name(second.cell)
    if first.colour is second.colour:
        return f"{colour_name(first.colour)} on {one} and {other}"
    return f"{colour_name(first.colour)} on {one} and {colour_name(second.colour)} on {other}"


def _founded(state: State, event: ProvinceFounded) -> EventText:
    owed = due(event.cells)
    major = event.cells.bit_count() >= MAJOR
    pagodas = f"with {_pagodas(owed)}"
    if event.placed < owed:
        pagodas = f"{_ENDED_FIRST} {'both pagodas were' if owed > 1 else 'its pagoda was'} put down"
    return EventText(
        f"{state.table.names[event.owner]} founded a {colour_name(event.colour)}"
        f" {'major ' if major else ''}province of {_cells(state, event.cells)}, {pagodas}",
        (rulebook.FOUND_1, rulebook.FOUND_3) if major else (rulebook.FOUND_1,),
    )


def _expanded(state: State, event: ProvinceExpanded) -> EventText:
    grown = (
        f"the {colour_name(event.colour)} province of {state.table.names[event.owner]}"
        f" grew to {_cells(state, event.cells)}"
    )
    old = state.province_at(event.cells & state.territories[event.colour])
    if old is None or old.major or event.cells.bit_count() < MAJOR:
        return EventText(grown, (rulebook.EXPAND_1,))
    second = "with a second pagoda" if event.placed else f"{_ENDED_FIRST} its second pagoda was put down"
    return EventText(f"{grown} and became major, {second}", (rulebook.EXPAND_1, rulebook.MAJOR_1))


def _joined(state: State, event: ProvincesJoined) -> EventText:
    names = state.table.names
    parts = [
        f"{names[province.owner]} ({province.size})"
        for province in state.provinces[event.colour]
        if province.cells & event.cells
    ]
    text = (
        f"the {colour_name(event.colour)} provinces of {listed(parts)} joined:"
        f" {names[event.owner]} has the whole major of {_cells(state, event.cells)}"
    )
    if event.placed:
        text += f", with {event.placed} more pagoda{'s' if event.placed > 1 else ''}"
    for name, back in zip(names, event.returned, strict=False):
        if back:
            text += f"; {name} took back {_pagodas(back)}"
    return EventText(text, (rulebook.ABSORB_2, rulebook.ABSORB_7))


def _conquered(state: State, event: VillageConquered) -> EventText:
    names = state.table.names
    letter = state.table.board.villages[event.village].letter
    text = f"{names[event.owner]} conquered the village {letter} from {names[event.loser]}"
    if not event.placed:
        text += f", {_ENDED_FIRST} the new pagoda was put down"
    return EventText(text, (rulebook.VIL_4,))


def _ended(state: State, event: MatchEnded) -> EventText:
    won = listed([state.table.names[seat] for seat in event.winners])
    match event.reason:
        case EndReason.LAST_PAGODA:
            return EventText(f"{won} has put down the last pagoda and won the match", (rulebook.END_1,))
        case EndReason.NO_PLACEMENT:
            together = " together" if len(event.winners) > 1 else ""
            return EventText(
                f"nobody can place a tile: {won} won{together}, with the most pagodas on the board",
                (rulebook.END_3, rulebook.END_4),
            )
        case _:
            assert_never(event.reason)


_WHY_OVER: Final = {
    EndReason.LAST_PAGODA: "the last pagoda is on the board",
    EndReason.NO_PLACEMENT: "nobody can place a tile",
}


def turn(state: State) -> str:
    """Whose turn it is, or who won."""
    now, names = state.turn, state.table.names
    match now:
        case Dealing():
            return "the first hands are to be dealt"
        case Placing():
            return f"{names[now.seat]} to place"
        case Drawing():
            return f"{names[now.seat]} to draw"
        case Over():
            ended = outcome(state)
            winners = listed([names[seat] for seat in ended.winners]) if ended else ""
            return f"{winners} won: {_WHY_OVER[now.reason]}"
        case _:
            assert_never(now)


def facts(state: State, seat: Seat) -> tuple[tuple[str, str], ...]:
    """What a seat has, on the board and off it."""
    hand = " ".join(write_tile(tile) for tile in tiles_in(state.hands[seat]))
    return (
        ("pagodas left", str(state.supplies[seat])),
        ("on the board", str(state.on_board(seat))),
        ("hand", hand or "-"),
    )


def holdings(state: State, seat: Seat) -> Iterator[str]:
    """The provinces and villages of a seat."""
    for colour, of_colour in zip(Colour, state.provinces, strict=True):
        for province in of_colour:
            if province.owner == seat:
                major = "major " if province.major else ""
                yield f"{colour_name(colour)} {major}province of {_cells(state, province.cells)}"
    for number, village in enumerate(state.table.board.villages):
        if state.village_owner(number) == seat:
            yield f"village {village.letter}"


def colour_name(colour: Colour) -> str:
    """'red'."""
    return colour.name.lower()


def _cells(state: State, cells: CellSet) -> str:
    return f"{cells.bit_count()} cells at {cell_name(state.table.board.first(cells))}"


def _pagodas(count: int) -> str:
    return "1 pagoda" if count == 1 else f"{count} pagodas"
