"""Reads and writes the names of cells, cards, shapes, leaders and seats in Khan's messages."""

from collections.abc import Iterable
from typing import Final

from shiji.khan.v1 import khan_pb2 as pb

from records.codec.wire import Garbled
from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_name
from rules.kernel.text import quoted
from rules.khan.board import CellSet
from rules.khan.cards import REGIONS, SPECIALS, CardKind, Region, Special
from rules.khan.events import Cause
from rules.khan.kit import Kit
from rules.khan.notation import NOT_TOLD
from rules.khan.state import State

CELL_NAMES: Final = tuple(cell_name(Cell(number)) for number in range(ROWS * COLUMNS))
_CELLS: Final = {name: Cell(number) for number, name in enumerate(CELL_NAMES)}
_MAX_CELLS: Final = 99
"""The maximum number of cells in a message; more than any piece covers."""

REGION_WIRE: Final = dict(zip(REGIONS, list(pb.Region.values())[1:], strict=True))
_REGION_OF: Final = {wire: region for region, wire in REGION_WIRE.items()}
SPECIAL_WIRE: Final = dict(zip(SPECIALS, list(pb.Special.values())[1:], strict=True))
_SPECIAL_OF: Final = {wire: special for special, wire in SPECIAL_WIRE.items()}
CAUSE_WIRE: Final = {Cause.LAST_YURT: pb.CAUSE_LAST_YURT, Cause.BLOCKED: pb.CAUSE_BLOCKED}
_CAUSE_OF: Final = {wire: cause for cause, wire in CAUSE_WIRE.items()}


def read_cell(name: str) -> Cell:
    """A cell by its name."""
    cell = _CELLS.get(name)
    if cell is None:
        raise Garbled(f"cell: {quoted(name)} is no cell; expected one such as g7")
    return cell


def read_cells(names: Iterable[str]) -> tuple[Cell, ...]:
    """At least one cell, without repeats, in board order."""
    cells = tuple(sorted(map(read_cell, names)))
    if not cells or len(set(cells)) < len(cells) or len(cells) > _MAX_CELLS:
        raise Garbled("cells: expected the cells under a piece, each once")
    return cells


def read_set(kit: Kit, names: Iterable[str]) -> CellSet:
    """Cells of the board as a set."""
    return kit.board.union(read_cells(names))


def write_set(kit: Kit, cells: CellSet) -> list[str]:
    """Cells of the board from a set."""
    return [CELL_NAMES[cell] for cell in kit.board.each(cells)]


def read_card(kit: Kit, name: str) -> CardKind:
    """A card of the set."""
    card = kit.card_of.get(name)
    if card is None:
        raise Garbled(f"card: {quoted(name)} is no card of {kit.set_id}")
    return card


def read_drawn(kit: Kit, name: str) -> CardKind | None:
    """A card of the set, or None for one that is hidden or unrecorded."""
    return None if name == NOT_TOLD else read_card(kit, name)


def write_drawn(kit: Kit, card: CardKind | None) -> str:
    """The name of a card, or the mark for one that is hidden or unrecorded."""
    return NOT_TOLD if card is None else kit.card_names[card]


def read_shape(kit: Kit, name: str) -> int:
    """A shape of the set."""
    shape = kit.shape_of.get(name)
    if shape is None:
        raise Garbled(f"shape: {quoted(name)} is no shape of {kit.set_id}")
    return shape


def read_leader(kit: Kit, name: str) -> int:
    """A leader of the set."""
    leader = kit.leader_of.get(name)
    if leader is None:
        raise Garbled(f"leader: {quoted(name)} is no leader of {kit.set_id}")
    return leader


def read_seat(state: State, number: int) -> Seat:
    """A seat of the match."""
    if number >= len(state.table.names):
        raise Garbled(f"seat: there is no seat {number}, counting from 0")
    return Seat(number)


def read_seats(state: State, numbers: Iterable[int]) -> tuple[Seat, ...]:
    """Seats of the match."""
    return tuple(read_seat(state, number) for number in numbers)


def read_region(wire: pb.Region.ValueType) -> Region | None:
    """A region, or None if the field is not set."""
    if wire == pb.REGION_UNSPECIFIED:
        return None
    if wire not in _REGION_OF:
        raise Garbled(f"region: {wire} is no region")
    return _REGION_OF[wire]


def write_region(region: Region | None) -> pb.Region.ValueType:
    """The number of a region, or zero for None."""
    return pb.REGION_UNSPECIFIED if region is None else REGION_WIRE[region]


def read_special(wire: pb.Special.ValueType) -> Special:
    """A special card."""
    if wire not in _SPECIAL_OF:
        raise Garbled(f"special: {wire} is no special card")
    return _SPECIAL_OF[wire]


def read_cause(wire: pb.Cause.ValueType) -> Cause:
    """Why a leader left."""
    if wire not in _CAUSE_OF:
        raise Garbled(f"cause: {wire} is no cause")
    return _CAUSE_OF[wire]
