"""What every move is, and the places that moves name."""

from typing import TypeAlias

from msgspec import Struct

from rules.great_wall.kinds import Cell, Horde, Kind, Section


class Asked(Struct, frozen=True):
    """What every move is: a value."""


class Spots(Asked, frozen=True):
    """One spot of a horde card, or the two that a horseman covers, in reading order."""

    section: Section
    line: int
    cells: tuple[Cell, ...]


class Slot(Asked, frozen=True):
    """A firing slot, where an archer finds nothing to wound."""

    section: Section


class Rest(Asked, frozen=True):
    """A rest zone."""

    section: Section


class OnHorde(Asked, frozen=True):
    """A claimed horde, on which shame tokens lie."""

    horde: Horde


Target: TypeAlias = Spots | Slot | Rest
Shamed: TypeAlias = Kind | OnHorde
"""Where a shame token lies: under a figure in reserve, or on a claimed horde."""
Pay: TypeAlias = tuple[int, int, int]
"""Wood, stone and gold: taken from a warehouse that holds enough, else added to all that it holds."""
