"""What a tile makes of the territories around it, and who owns the result."""

import enum
from typing import Final, TypeAlias, final

from mypy_extensions import mypyc_attr

from rules.kernel.actors import Seat
from rules.kernel.value import Value
from rules.qin.board import CellSet
from rules.qin.events import ProvinceExpanded, ProvinceFounded, ProvincesJoined
from rules.qin.moves import PlaceTile
from rules.qin.rulings import Rulings
from rules.qin.state import MAJOR, Province, State, due
from rules.qin.tiles import Colour

Growth: TypeAlias = ProvinceFounded | ProvinceExpanded | ProvincesJoined
"""A group that a tile makes or enlarges, as the event that it is if no supply runs out."""


class Undecided(enum.Enum):
    """Why provinces cannot be joined."""

    TIE = "tie"
    TWO_MAJORS = "two-majors"
    MAJOR_NOT_AHEAD = "major-not-ahead"


@final
@mypyc_attr(acyclic=True)
class Barred(Value):
    """A join that must not be made (QIN-ABSORB-4, -5, -6)."""

    __match_args__ = ("reason", "colour", "provinces", "singles")
    __slots__ = __match_args__

    def __init__(
        self, reason: Undecided, colour: Colour, provinces: tuple[Province, ...], singles: int
    ) -> None:
        self.reason: Final = reason
        self.colour: Final = colour
        self.provinces: Final = provinces
        """The provinces that it would join, by first cell."""
        self.singles: Final = singles
        """Number of singles that it would absorb."""


def growths(state: State, mover: Seat, move: PlaceTile) -> list[Growth | Barred]:
    """Every group of two or more cells with the tile; at most one per half, exactly one for a plain tile."""
    board, territories = state.table.board, state.territories
    first, second = move.first, move.second
    cell, too, near = first.cell, second.cell, board.near
    one, other = first.colour, second.colour
    if one is other:
        tile = board.bit[cell] | board.bit[too]
        return [growth(state, mover, one, tile, (near[cell] | near[too]) & territories[one])]
    grown = []
    if touched := near[cell] & territories[one]:
        grown.append(growth(state, mover, one, board.bit[cell], touched))
    if touched := near[too] & territories[other]:
        grown.append(growth(state, mover, other, board.bit[too], touched))
    return grown


def growth(state: State, mover: Seat, colour: Colour, tile: CellSet, touched: CellSet) -> Growth | Barred:
    """The group of a tile's cells of one colour with the territories of that colour that they touch."""
    cells = tile | touched
    if not touched:
        return ProvinceFounded(mover, colour, cells, due(cells))
    for cluster in state.table.board.clusters[colour]:
        if cluster & touched:
            cells |= cluster
    grown: Province | None = None
    for province in state.provinces[colour]:
        if province.cells & touched:
            if grown is not None:
                return _join(state, mover, colour, cells, touched)
            grown = province
    if grown is None:
        return ProvinceFounded(mover, colour, cells, due(cells))
    cells |= grown.cells
    return ProvinceExpanded(grown.owner, colour, cells, due(cells) - grown.pagodas)


def joinable(state: State, mover: Seat, colour: Colour, tile: CellSet, touched: CellSet) -> bool:
    """Whether growth() of the same would not be barred."""
    provinces = _touched(state, colour, touched)
    if len(provinces) < 2:  # noqa: PLR2004 - a join takes two
        return True
    rulings = state.table.rulings
    if rulings.singles_to_mover:
        return not isinstance(growth(state, mover, colour, tile, touched), Barred)
    return not isinstance(heir(rulings, mover, provinces, 0), Undecided)


def _touched(state: State, colour: Colour, touched: CellSet) -> tuple[Province, ...]:
    """The provinces that have one of these cells, by first cell."""
    return tuple([province for province in state.provinces[colour] if province.cells & touched])


def _join(
    state: State, mover: Seat, colour: Colour, cells: CellSet, touched: CellSet
) -> ProvincesJoined | Barred:
    """The join of the provinces touched through these cells: the tile's own, and those that it touches."""
    provinces = _touched(state, colour, touched)
    swallowed = cells & state.territories[colour]
    for province in provinces:
        swallowed &= ~province.cells
        cells |= province.cells
    singles = swallowed.bit_count()
    owner = heir(state.table.rulings, mover, provinces, singles)
    if isinstance(owner, Undecided):
        return Barred(owner, colour, provinces, singles)
    back = [0] * len(state.supplies)
    for province in provinces:
        back[province.owner] += province.pagodas
    # Own pagodas are used again first (QIN-ABSORB-7), so there is no phantom last pagoda (AMB-13).
    kept = min(back[owner], due(cells))
    back[owner] -= kept
    return ProvincesJoined(owner, colour, cells, due(cells) - kept, tuple(back))


def heir(rulings: Rulings, mover: Seat, provinces: tuple[Province, ...], singles: int) -> Seat | Undecided:
    """The owner of a group that joins these provinces and absorbs these singles (QIN-ABSORB-2 to -6)."""
    majors = [province for province in provinces if province.cells.bit_count() >= MAJOR]
    if len(majors) > 1:
        return Undecided.TWO_MAJORS
    counts = cell_counts(rulings, mover, provinces, singles)
    most = max(counts.values())
    ahead = [seat for seat in counts if counts[seat] == most]
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
