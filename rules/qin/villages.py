"""Who takes which village once provinces have grown (QIN-VIL-1 to -7)."""

from collections.abc import Sequence
from typing import TypeAlias

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.events import ProvincesJoined, VillageConnected, VillageConquered
from rules.qin.growth import Growth
from rules.qin.state import VACANT, State, due

Taking: TypeAlias = VillageConnected | VillageConquered
"""A village that changes hands, as the event that it is if no supply runs out."""


def takings(state: State, mover: Seat, grown: Sequence[Growth], changed: CellSet) -> list[Taking]:
    """The villages beside changed cells that change hands; the mover's first, then clockwise, by letter.

    Changed are cells beside villages, as bits.
    """
    board, owners = state.table.board, state.villages
    taken = board.land ^ state.free
    # A single growth only strengthens its owner, who loses nothing; a join may weaken an owner elsewhere.
    alone = len(grown) == 1 and type(grown[0]) is not ProvincesJoined
    gainer = grown[0].owner + 1 if alone else -1
    judged = 0
    found: list[Taking] = []
    while changed:
        bit = changed & -changed
        changed ^= bit
        for number in board.villages_beside[bit]:
            owner = owners[number]
            if owner == gainer or judged >> number & 1:
                continue
            judged |= 1 << number
            border = board.villages[number].border
            if alone and not border & taken & ~grown[0].cells:
                taker: Seat | None = grown[0].owner
            else:
                taker = leader(strengths(state, border, grown))
            if taker is None or taker + 1 == owner:
                continue
            if owner == VACANT:
                found.append(VillageConnected(taker, number))
            else:
                found.append(VillageConquered(taker, Seat(owner - 1), number, 1))
    return _by_turn(found, mover, len(state.supplies)) if len(found) > 1 else found


def _by_turn(found: list[Taking], mover: Seat, seats: int) -> list[Taking]:
    return sorted(found, key=lambda taking: ((taking.owner - mover) % seats, taking.village))


def strengths(state: State, border: CellSet, grown: Sequence[Growth] = ()) -> list[int]:
    """By seat: the pagodas due on provinces beside a village (QIN-VIL-2), once these groups have grown."""
    strength = [0] * len(state.supplies)
    swallowed = 0
    for group in grown:
        swallowed |= group.cells
        if group.cells & border:
            strength[group.owner] += due(group.cells)
    territories = state.territories
    for colour, of_colour in enumerate(state.provinces):
        if beside := territories[colour] & border:
            for province in of_colour:
                cells = province.cells
                if cells & beside and not cells & swallowed:
                    strength[province.owner] += due(cells)
    return strength


def leader(strength: list[int]) -> Seat | None:
    """The one seat that is stronger than each other one, if there is one."""
    most = max(strength)
    return Seat(strength.index(most)) if strength.count(most) == 1 else None
