"""The wall: its sections, the hordes before them, and the marks on a horde's spots."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from rules.great_wall.kinds import (
    ALL_CLANS,
    KINDS,
    MOST_SEATS,
    NOBODY,
    QIN,
    Clan,
    Figures,
    Horde,
    Kind,
)

EMPTY: Final = "."
WOUND: Final = "x"
SPEARS: Final = "1234rq"
"""A spearman's mark, by clan."""
_RIDERS: Final = {Clan(seat): ("ABCD"[seat], "EFGH"[seat]) for seat in range(MOST_SEATS)} | {QIN: ("I", "J")}
"""The marks of a clan's first and second horseman on a card, in reading order."""
_OWNERS: Final = {mark: Clan(clan) for clan, mark in enumerate(SPEARS)} | {
    mark: clan for clan, marks in _RIDERS.items() for mark in marks
}
_ALL_RIDERS: Final = frozenset(mark for marks in _RIDERS.values() for mark in marks)
MARKS: Final = frozenset((EMPTY, WOUND, *_OWNERS))


class Lying(Struct, frozen=True, array_like=True):
    """A horde before the wall: a mark for each of its spots, in reading order."""

    horde: Horde
    marks: str


class WallSection(Struct, frozen=True, array_like=True):
    """An open section of the wall."""

    level: int
    barricades: int
    hordes: tuple[Lying, ...]
    """From line 1, the nearest."""
    firing: tuple[int, ...]
    """Archers in slots, by clan."""
    rest: tuple[Figures, ...]
    """Soldiers in the rest zone, by seat."""


NO_ARCHERS: Final = (0,) * ALL_CLANS
NOBODY_RESTS: Final = (NOBODY,) * MOST_SEATS


def is_full(marks: str) -> bool:
    """Whether every spot is covered."""
    return EMPTY not in marks


def spots_of(marks: str, clan: Clan) -> int:
    """Spots that the soldiers of a clan cover; a horseman covers two."""
    return sum(_OWNERS.get(mark) == clan for mark in marks)


def owner_of(mark: str) -> Clan:
    """Whose soldier a mark is; raises KeyError for one that is no soldier."""
    return _OWNERS[mark]


def owners_on(marks: str) -> set[Clan]:
    """The clans with a soldier on the card."""
    return {_OWNERS[mark] for mark in marks if mark in _OWNERS}


def soldiers_on(marks: str, clan: Clan) -> Figures:
    """A clan's soldiers on the card."""
    first, second = _RIDERS.get(clan, (SPEARS, SPEARS))
    return marks.count(SPEARS[clan]), 0, (first in marks) + (second in marks)


def wounded(marks: str, spots: Iterable[int]) -> str:
    """With wounds on these spots."""
    return _with(marks, WOUND, spots)


def covered(marks: str, clan: Clan, kind: Kind, spots: tuple[int, ...]) -> str:
    """With a soldier on these spots; raises ValueError where no such soldier can be there."""
    if kind is Kind.SPEARMAN:
        return _with(marks, SPEARS[clan], spots)
    free = [mark for mark in _RIDERS.get(clan, ()) if mark not in marks]
    if not free:
        raise ValueError("no clan has a third horseman")
    return _in_order(_with(marks, free[0], spots), clan)


def without(marks: str, clan: Clan, gone: Figures) -> str:
    """With wounds in place of the first such soldiers in reading order (GW-KIL-01, GW-KIL-03)."""
    for kind in KINDS:
        for _ in range(gone[kind]):
            marks = _without_first(marks, clan, kind)
    return _in_order(marks, clan)


def _without_first(marks: str, clan: Clan, kind: Kind) -> str:
    own = SPEARS[clan] if kind is Kind.SPEARMAN else "".join(_RIDERS.get(clan, ()))
    first = next((mark for mark in marks if mark in own), None)
    if first is None or kind is Kind.ARCHER:
        raise ValueError("no such soldier is on the card")
    return marks.replace(first, WOUND, 1 if kind is Kind.SPEARMAN else -1)


def _in_order(marks: str, clan: Clan) -> str:
    """The horseman that comes first in reading order bears the first mark."""
    if clan not in _RIDERS:
        return marks
    first, second = _RIDERS[clan]
    if second in marks and (first not in marks or marks.index(second) < marks.index(first)):
        return marks.translate(str.maketrans(first + second, second + first))
    return marks


def _with(marks: str, mark: str, spots: Iterable[int]) -> str:
    found = list(marks)
    for spot in spots:
        found[spot] = mark
    return "".join(found)


def well_marked(marks: str, pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether the marks can be: each horseman on two spots side by side, named in reading order."""
    if not set(marks) <= MARKS:
        return False
    if _ALL_RIDERS.isdisjoint(marks):
        return True
    side_by_side = set(pairs)
    for clan, riders in _RIDERS.items():
        for rider in riders:
            places = tuple(at for at, mark in enumerate(marks) if mark == rider)
            if places and places not in side_by_side:
                return False
        if _in_order(marks, clan) != marks:
            return False
    return True
