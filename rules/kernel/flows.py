"""Whether something can flow round a small network within its bounds."""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple


class Arc(NamedTuple):
    """A way from one node to another, and how much may flow along it."""

    start: str
    end: str
    least: int
    most: int


def is_feasible(arcs: Iterable[Arc]) -> bool:
    """Whether a circulation of whole numbers respects every bound.

    What must flow at least is taken as given and leaves nodes with too much or too little; whether the rest
    can even that out is decided by the largest flow from a source to a sink.
    """
    room: dict[str, dict[str, int]] = {}
    surplus: dict[str, int] = {}
    for start, end, least, most in arcs:
        if least > most:
            return False
        _widen(room, start, end, most - least)
        surplus[end] = surplus.get(end, 0) + least
        surplus[start] = surplus.get(start, 0) - least
    for node, much in surplus.items():
        _widen(room, "source", node, max(much, 0))
        _widen(room, node, "sink", max(-much, 0))
    wanted = sum(much for much in surplus.values() if much > 0)
    while wanted and (path := _path(room)):
        for start, end in pairwise(path):
            room[start][end] -= 1
            room[end][start] += 1
        wanted -= 1
    return not wanted


def _widen(room: dict[str, dict[str, int]], start: str, end: str, by: int) -> None:
    from_start, from_end = room.setdefault(start, {}), room.setdefault(end, {})
    from_start[end] = from_start.get(end, 0) + by
    from_end.setdefault(start, 0)


def _path(room: dict[str, dict[str, int]]) -> list[str]:
    """A shortest way from the source to the sink with room for one more, or nothing."""
    before = {"source": "source"}
    queue = deque(before)
    while queue and "sink" not in before:
        node = queue.popleft()
        for following, left in room.get(node, {}).items():
            if left and following not in before:
                before[following] = node
                queue.append(following)
    if "sink" not in before:
        return []
    path = ["sink"]
    while path[-1] != "source":
        path.append(before[path[-1]])
    return path[::-1]
