"""What a tile makes of the territories around it, and who owns the result."""

import enum
from typing import NamedTuple

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.moves import PlaceTile
from rules.qin.rulings import Rulings
from rules.qin.state import Province, State
from rules.qin.tiles import Colour


class Growth(NamedTuple):
    """One group of two or more cells that a tile makes or enlarges."""

    colour: Colour
    cells: CellSet
    """The whole group, the tile's own cells included."""
    provinces: tuple[Province, ...]
    """The former provinces in it, by first cell."""
    singles: int
    """How many former singles it takes in."""


class Undecided(enum.Enum):
    """Why provinces cannot be joined."""

    TIE = "tie"
    TWO_MAJORS = "two-majors"
    MAJOR_NOT_AHEAD = "major-not-ahead"


def growths(state: State, move: PlaceTile) -> list[Growth]:
    """Every group of two or more cells that the tile is part of; none or one a half, one for a plain tile."""
    board = state.table.board
    first, second = move.first, move.second
    near = board.near[first.cell]
    if first.colour == second.colour:
        tile = board.bit[first.cell] | board.bit[second.cell]
        return [_growth(state, first.colour, tile, near | board.near[second.cell])]
    grown = []
    if near & state.territories[first.colour]:
        grown.append(_growth(state, first.colour, board.bit[first.cell], near))
    near = board.near[second.cell]
    if near & state.territories[second.colour]:
        grown.append(_growth(state, second.colour, board.bit[second.cell], near))
    return grown


def _growth(state: State, colour: Colour, tile: CellSet, near: CellSet) -> Growth:
    touched = near & state.territories[colour]
    cells = tile | touched
    provinces = tuple([province for province in state.provinces[colour] if province.cells & touched])
    for province in provinces:
        cells |= province.cells
    singles = swallowed(state, colour, touched, provinces)
    return Growth(colour, cells | singles, provinces, singles.bit_count())


def swallowed(state: State, colour: Colour, touched: CellSet, provinces: tuple[Province, ...]) -> CellSet:
    """Those of the touched territories that belong to nobody; starts printed side by side come together."""
    for province in provinces:
        touched &= ~province.cells
    for cluster in state.table.board.clusters[colour]:
        if cluster & touched:
            touched |= cluster
    return touched


def owners(state: State, mover: Seat, grown: list[Growth]) -> list[Seat] | None:
    """Who owns each of the groups; None where one of them must not be joined."""
    found = []
    for growth in grown:
        provinces = growth.provinces
        if not provinces:
            found.append(mover)
        elif len(provinces) == 1:
            found.append(provinces[0].owner)
        else:
            owner = heir(state.table.rulings, mover, provinces, growth.singles)
            if isinstance(owner, Undecided):
                return None
            found.append(owner)
    return found


def heir(rulings: Rulings, mover: Seat, provinces: tuple[Province, ...], singles: int) -> Seat | Undecided:
    """Who would own the provinces joined into one (QIN-ABSORB-2 to -6)."""
    majors = [province for province in provinces if province.major]
    if len(majors) > 1:
        return Undecided.TWO_MAJORS
    counts = cell_counts(rulings, mover, provinces, singles)
    most = max(counts.values())
    ahead = [seat for seat, count in counts.items() if count == most]
    if majors:
        keeper = majors[0].owner
        if ahead != [keeper]:
            if not rulings.major_keeps:
                return Undecided.MAJOR_NOT_AHEAD
            del counts[keeper]
        ahead = [keeper]
    if len(ahead) > 1 or (rulings.any_tie and len(set(counts.values())) < len(counts)):
        return Undecided.TIE
    return ahead[0]


def cell_counts(
    rulings: Rulings, mover: Seat, provinces: tuple[Province, ...], singles: int
) -> dict[Seat, int]:
    """The cells that count for each seat; those of the tile itself never do (QIN-ABSORB-3)."""
    counts: dict[Seat, int] = {}
    for province in provinces:
        before = counts.get(province.owner, 0)
        size = province.size
        counts[province.owner] = max(before, size) if rulings.count_largest else before + size
    if rulings.singles_to_mover and singles:
        before = counts.get(mover, 0)
        counts[mover] = max(before, 1) if rulings.count_largest else before + singles
    return counts
