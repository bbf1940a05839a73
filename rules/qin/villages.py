"""Who takes a village (QIN-VIL-1 to -7)."""

from collections.abc import Iterable

from rules.kernel.actors import Seat
from rules.qin.board import CellSet
from rules.qin.state import Province, due


def strengths(border: CellSet, provinces: Iterable[Province], seats: int) -> list[int]:
    """By seat: the pagodas due on the provinces beside a village (QIN-VIL-2)."""
    strength = [0] * seats
    for province in provinces:
        if province.cells & border:
            strength[province.owner] += due(province.cells)
    return strength


def leader(strength: list[int]) -> Seat | None:
    """The one seat that is stronger than each other one, if there is one."""
    most = max(strength)
    return Seat(strength.index(most)) if strength.count(most) == 1 else None
