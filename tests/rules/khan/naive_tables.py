"""Tables of the plain model, laid out by hand."""

from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_position import HAND, UNKNOWN, Turn
from tests.rules.khan.naive_set import CellXY, Footprint, write_cells

NAMES = ("yellow", "red", "green", "blue")
Y, R, G, B = range(4)
N = None
FAR: dict[str, CellXY] = {"rus": (0, 0), "leader-3": (0, 9), "leader-4": (0, 13)}
"""Three more leaders, well out of the way; with them the fifth has not left."""


def table(
    seats: int = 4,
    yurts: dict[CellXY, int | None] | None = None,
    *,
    leaders: dict[str, CellXY] | None = None,
    turn: Turn | None = None,
) -> Naive:
    """A table with these yurts, and with FAR for leaders unless some are given."""
    match = Naive(NAMES[:seats])
    match.yurts = dict(yurts or {})
    match.leaders = dict(FAR if leaders is None else leaders)
    match.camps = {leader: 5 if leader in match.leaders else 0 for leader in match.camps}
    match.hands = [[UNKNOWN] * HAND for _ in match.names]
    match.turn = turn or Turn("act", Y, 2)
    return match


def with_seljuk(cell: CellXY, yurts: dict[CellXY, int | None] | None = None, camp: int = 5) -> Naive:
    """Step 1 with five leaders, one of them the Seljuk."""
    leaders = {**FAR, "leader-5": (3, 13), "seljuk": cell}
    match = table(4, yurts, leaders=leaders, turn=Turn("turn", Y))
    match.camps["seljuk"] = camp
    return match


def owners(match: Naive, cells: Footprint) -> str:
    """The first letters of those who would own a piece there."""
    return "".join(sorted(match.names[seat][0] for seat in match.owners_of(tuple(sorted(cells)))))


def conquer(shape: str, *cells: CellXY) -> str:
    return f"conquer {shape} {write_cells(cells)}"


def played(match: Naive, *moves: str) -> Naive:
    """The match after these moves of the awaited actors."""
    for move in moves:
        match.play(match.awaiting()[0], move)
    return match


def protected(yurts: dict[CellXY, int | None], *active: str, seats: int = 4) -> Naive:
    """Red to act, with these restrictions in force."""
    match = table(seats, yurts, turn=Turn("act", R, 2))
    match.active[: len(active)] = active
    return match
