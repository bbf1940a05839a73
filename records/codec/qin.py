"""Protobuf codec for Qin's moves and events; the codec of the game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from shiji.qin.v1 import qin_pb2 as pb

from records.codec.qin_events import split_quickly, write_quickly
from records.codec.qin_state import state_bytes
from records.codec.shape import Codec, CorruptEvents, CorruptMove, UnknownEvents
from records.codec.wire import Garbled, UnknownField, as_json, parse
from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_name
from rules.kernel.text import Unreadable, Word, quoted
from rules.qin.board import Board, CellSet, read_map
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
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.notation import read_tile, write_tile
from rules.qin.state import EndReason, State
from rules.qin.tiles import TILES, Colour, Kind

_CELL_NAMES: Final = tuple(cell_name(Cell(number)) for number in range(ROWS * COLUMNS))
_CELLS: Final = {name: Cell(number) for number, name in enumerate(_CELL_NAMES)}
_COLOURS: Final = {Colour.RED: pb.COLOUR_RED, Colour.YELLOW: pb.COLOUR_YELLOW, Colour.BLUE: pb.COLOUR_BLUE}
_COLOUR_OF: Final = {wire: colour for colour, wire in _COLOURS.items()}
_REASONS: Final = {
    EndReason.LAST_PAGODA: pb.END_REASON_LAST_PAGODA,
    EndReason.NO_PLACEMENT: pb.END_REASON_NO_PLACEMENT,
}
_REASON_OF: Final = {wire: reason for reason, wire in _REASONS.items()}
_CACHED_MOVES: Final = 16_384
"""Moves kept decoded and encoded: several times the placements of the largest board."""
_CACHED_EVENTS: Final = 4096
"""Events kept decoded, about two megabytes: those of some 35 matches, which are then read again in half the
time. With 2,048 the 24 matches of the benchmark push each other out."""


def encode_move(_: State, move: Move) -> bytes:
    """Encode a move."""
    return _encoded(move)


@lru_cache(maxsize=_CACHED_MOVES)
def _encoded(move: Move) -> bytes:
    match move:
        case PlaceTile():
            message = pb.Move(
                place_tile=pb.PlaceTile(first=_write_half(move.first), second=_write_half(move.second))
            )
        case Pass():
            message = pb.Move(pass_turn=pb.Pass())
        case DeclareEnd():
            message = pb.Move(declare_end=pb.DeclareEnd())
        case DealTiles():
            message = pb.Move(deal_tiles=pb.DealTiles(seat=move.seat, tiles=map(write_tile, move.tiles)))
        case DrawTile():
            message = pb.Move(draw_tile=pb.DrawTile(tile=write_tile(move.tile), pile=move.pile or 0))
        case _:
            assert_never(move)
    return message.SerializeToString(deterministic=True)


def decode_move(state: State, data: bytes) -> Move:
    """Decode a move; raises CorruptMove."""
    try:
        move = _decoded(data)
        if isinstance(move, DealTiles):
            _read_seat(len(state.table.names), move.seat)
    except Garbled as fault:
        raise CorruptMove(str(fault)) from None
    return move


@lru_cache(maxsize=_CACHED_MOVES)
def _decoded(data: bytes) -> Move:
    """The move, for any match. Cached: a board has a few thousand placements, which recur all the time."""
    message = pb.Move()
    parse(message, data)
    return _read_move(message)


def _read_move(message: pb.Move) -> Move:
    which = message.WhichOneof("move")
    match which:
        case "place_tile":
            tile = message.place_tile
            return PlaceTile(_read_half(tile.first, "first"), _read_half(tile.second, "second"))
        case "pass_turn":
            return Pass()
        case "declare_end":
            return DeclareEnd()
        case "deal_tiles":
            deal = message.deal_tiles
            return DealTiles(Seat(deal.seat), _read_tiles(deal.tiles))
        case "draw_tile":
            return DrawTile(_read_tile(message.draw_tile.tile), message.draw_tile.pile or None)
        case None:
            raise Garbled("move: expected one of place_tile, pass_turn, declare_end, deal_tiles, draw_tile")
        case _:
            assert_never(which)


def encode_events(state: State, events: tuple[Event, ...]) -> bytes:
    """Encode the events of one entry."""
    quick = write_quickly(state.table.board, events)
    return write_by_message(state.table.board, events) if quick is None else quick


def write_by_message(board: Board, events: tuple[Event, ...]) -> bytes:
    """The same bytes for any events, through the generated messages."""
    message = pb.Events()
    for event in events:
        _write_event(board, event, message.events.add())
    return message.SerializeToString(deterministic=True)


def _write_event(board: Board, event: Event, into: pb.Event) -> None:
    match event:
        case TilePlaced():
            placed = into.tile_placed
            placed.seat = event.seat
            _fill_half(placed.first, event.first)
            _fill_half(placed.second, event.second)
        case ProvinceFounded():
            _fill_province(board, into.province_founded, event)
        case ProvinceExpanded():
            _fill_province(board, into.province_expanded, event)
        case ProvincesJoined():
            _fill_province(board, into.provinces_joined, event)
            into.provinces_joined.returned.extend(event.returned)
        case VillageConnected():
            into.village_connected.owner = event.owner
            into.village_connected.village = board.villages[event.village].letter
        case VillageConquered():
            conquered = into.village_conquered
            conquered.owner = event.owner
            conquered.loser = event.loser
            conquered.village = board.villages[event.village].letter
            conquered.placed = event.placed
        case TilesDealt():
            into.tiles_dealt.seat = event.seat
            into.tiles_dealt.tiles.extend(map(write_tile, event.tiles))
        case TileDrawn():
            drawn = into.tile_drawn
            drawn.seat = event.seat
            drawn.tile = write_tile(event.tile)
            drawn.pile = event.pile or 0
        case TurnPassed():
            into.turn_passed.seat = event.seat
            into.turn_passed.SetInParent()
        case MatchEnded():
            into.match_ended.reason = _REASONS[event.reason]
            into.match_ended.winners.extend(event.winners)
        case _:
            assert_never(event)


def decode_events(state: State, data: bytes) -> tuple[Event, ...]:
    """Decode the events of one entry; raises CorruptEvents."""
    rows, seats = state.table.board.map, len(state.table.names)
    try:
        messages = split_quickly(data)
        if messages is None:
            messages = _split(data)
        return tuple([_event(rows, seats, message) for message in messages])
    except UnknownField as fault:
        raise UnknownEvents(str(fault)) from None
    except Garbled as fault:
        _require_known_fields(data)
        raise CorruptEvents(str(fault)) from None


def _require_known_fields(data: bytes) -> None:
    """Raises UnknownEvents if an event has an unknown field, which may change the meaning of all of them."""
    try:
        parse(pb.Events(), data)
    except UnknownField as fault:
        raise UnknownEvents(str(fault)) from None
    except Garbled:
        return


def _split(data: bytes) -> list[bytes]:
    """The bytes of each event of one entry, through the generated messages."""
    message = pb.Events()
    parse(message, data)
    return [event.SerializeToString() for event in message.events]


@lru_cache(maxsize=_CACHED_EVENTS)
def _event(rows: str, seats: int, data: bytes) -> Event:
    """Decode one event on a board with these rows. Cached: most events recur all the time."""
    message = pb.Event()
    parse(message, data)
    return _read_event(read_map(rows), seats, message)


def _read_event(board: Board, seats: int, message: pb.Event) -> Event:
    which = message.WhichOneof("event")
    match which:
        case "tile_placed":
            placed = message.tile_placed
            return TilePlaced(
                _read_seat(seats, placed.seat),
                _read_half(placed.first, "first"),
                _read_half(placed.second, "second"),
            )
        case "province_founded":
            return ProvinceFounded(*_read_province(board, seats, message.province_founded))
        case "province_expanded":
            return ProvinceExpanded(*_read_province(board, seats, message.province_expanded))
        case "provinces_joined":
            joined = message.provinces_joined
            return ProvincesJoined(*_read_province(board, seats, joined), tuple(joined.returned))
        case "village_connected":
            connected = message.village_connected
            return VillageConnected(
                _read_seat(seats, connected.owner), _read_village(board, connected.village)
            )
        case "village_conquered":
            conquered = message.village_conquered
            return VillageConquered(
                _read_seat(seats, conquered.owner),
                _read_seat(seats, conquered.loser),
                _read_village(board, conquered.village),
                conquered.placed,
            )
        case "tiles_dealt":
            dealt = message.tiles_dealt
            return TilesDealt(_read_seat(seats, dealt.seat), _read_tiles(dealt.tiles))
        case "tile_drawn":
            drawn = message.tile_drawn
            return TileDrawn(_read_seat(seats, drawn.seat), _read_tile(drawn.tile), drawn.pile or None)
        case "turn_passed":
            return TurnPassed(_read_seat(seats, message.turn_passed.seat))
        case "match_ended":
            ended = message.match_ended
            if ended.reason not in _REASON_OF:
                raise Garbled(f"reason: {ended.reason} is no reason")
            winners = tuple(_read_seat(seats, seat) for seat in ended.winners)
            return MatchEnded(_REASON_OF[ended.reason], winners)
        case None:
            raise Garbled("event: expected one of the events, found none")
        case _:
            assert_never(which)


def events_as_json(data: bytes) -> tuple[str, ...]:
    """Each event as JSON, for people; raises CorruptEvents."""
    message = pb.Events()
    try:
        parse(message, data)
    except Garbled as fault:
        raise CorruptEvents(str(fault)) from None
    return tuple(as_json(event) for event in message.events)


_Province = pb.ProvinceFounded | pb.ProvinceExpanded | pb.ProvincesJoined


def _fill_province(
    board: Board, into: _Province, event: ProvinceFounded | ProvinceExpanded | ProvincesJoined
) -> None:
    into.owner = event.owner
    into.colour = _COLOURS[event.colour]
    into.cells.extend([_CELL_NAMES[cell] for cell in board.each(event.cells)])
    into.placed = event.placed


def _read_province(board: Board, seats: int, message: _Province) -> tuple[Seat, Colour, CellSet, int]:
    cells = 0
    for name in message.cells:
        cells |= board.bit[_read_cell(name)]
    return _read_seat(seats, message.owner), _read_colour(message.colour), cells, message.placed


def _fill_half(into: pb.Half, half: Half) -> None:
    into.colour = _COLOURS[half.colour]
    into.cell = _CELL_NAMES[half.cell]


def _write_half(half: Half) -> pb.Half:
    return pb.Half(colour=_COLOURS[half.colour], cell=_CELL_NAMES[half.cell])


def _read_half(message: pb.Half, field: str) -> Half:
    colour = _COLOUR_OF.get(message.colour)
    cell = _CELLS.get(message.cell)
    if colour is None or cell is None:
        raise Garbled(
            f"{field}: expected a colour and a cell such as g7, found"
            f" {pb.Colour.Name(message.colour) if message.colour in pb.Colour.values() else message.colour}"
            f" and {quoted(message.cell)}"
        )
    return Half(colour, cell)


def _read_colour(wire: pb.Colour.ValueType) -> Colour:
    if wire not in _COLOUR_OF:
        raise Garbled(f"colour: {wire} is no colour of a territory")
    return _COLOUR_OF[wire]


def _read_cell(name: str) -> Cell:
    cell = _CELLS.get(name)
    if cell is None:
        raise Garbled(f"cells: {quoted(name)} is no cell")
    return cell


def _read_seat(seats: int, number: int) -> Seat:
    if number >= seats:
        raise Garbled(f"seat: there is no seat {number}, counting from 0")
    return Seat(number)


def _read_village(board: Board, letter: str) -> int:
    for number, village in enumerate(board.villages):
        if village.letter == letter:
            return number
    raise Garbled(f"village: the board has no village {quoted(letter)}")


def _read_tile(text: str) -> Kind | None:
    try:
        return read_tile(Word(text, 1))
    except Unreadable as fault:
        raise Garbled(f"tile: {fault.why}") from None


def _read_tiles(texts: Sequence[str]) -> tuple[Kind | None, ...]:
    if len(texts) > TILES:
        raise Garbled(f"tiles: there are only {TILES}, found {len(texts)}")
    return tuple(_read_tile(text) for text in texts)


QIN_CODEC: Final = Codec(
    encode_move, decode_move, encode_events, decode_events, events_as_json, pb.Events, state_bytes
)
