"""What a tile makes of the territories around it, and who owns the result."""

import enum

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.moves import PlaceTile
from rules.qin.rulings import Rulings
from rules.qin.state import Province, State
from rules.qin.tiles import Colour


class Growth(Struct, frozen=True, gc=False):
    """One group of two or more cells that a tile makes or enlarges."""

    colour: Colour
    cells: CellSet
    """The whole group, the tile's own cells included."""
    provinces: tuple[Province, ...]
    """The former provinces in it, by first cell."""
    tile: CellSet
    """The tile's own cells in it."""

    @property
    def singles(self) -> int:
        """How many former singles it takes in."""
        cells = self.cells ^ self.tile
        for province in self.provinces:
            cells ^= province.cells
        return cells.bit_count()


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
        touched = (near | board.near[second.cell]) & state.territories[first.colour]
        return [growth(state, first.colour, tile, touched)]
    grown = []
    if touched := near & state.territories[first.colour]:
        grown.append(growth(state, first.colour, board.bit[first.cell], touched))
    if touched := board.near[second.cell] & state.territories[second.colour]:
        grown.append(growth(state, second.colour, board.bit[second.cell], touched))
    return grown


def growth(state: State, colour: Colour, tile: CellSet, touched: CellSet) -> Growth:
    """The group of a tile's cells of one colour with the territories of that colour that they touch."""
    provinces = tuple([province for province in state.provinces[colour] if province.cells & touched])
    cells = tile | touched
    for province in provinces:
        cells |= province.cells
    for cluster in state.table.board.clusters[colour]:
        if cluster & touched:
            cells |= cluster
    return Growth(colour, cells, provinces, tile)


def owners(state: State, mover: Seat, grown: list[Growth]) -> list[Seat] | None:
    """Who owns each of the groups; None where one of them must not be joined."""
    found = []
    for group in grown:
        provinces = group.provinces
        if not provinces:
            found.append(mover)
        elif len(provinces) == 1:
            found.append(provinces[0].owner)
        else:
            owner = heir(state.table.rulings, mover, group)
            if isinstance(owner, Undecided):
                return None
            found.append(owner)
    return found


def heir(rulings: Rulings, mover: Seat, group: Growth) -> Seat | Undecided:
    """Who would own provinces joined into one group (QIN-ABSORB-2 to -6)."""
    majors = [province for province in group.provinces if province.major]
    if len(majors) > 1:
        return Undecided.TWO_MAJORS
    counts = cell_counts(rulings, mover, group)
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


def cell_counts(rulings: Rulings, mover: Seat, group: Growth) -> dict[Seat, int]:
    """The cells that count for each seat; those of the tile itself never do (QIN-ABSORB-3)."""
    counts: dict[Seat, int] = {}
    for province in group.provinces:
        before = counts.get(province.owner, 0)
        size = province.size
        counts[province.owner] = max(before, size) if rulings.count_largest else before + size
    if rulings.singles_to_mover and (singles := group.singles):
        before = counts.get(mover, 0)
        counts[mover] = max(before, 1) if rulings.count_largest else before + singles
    return counts
