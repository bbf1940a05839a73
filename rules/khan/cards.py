"""Leader cards and special cards: what is printed on them."""

import enum
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias


class Direction(enum.IntEnum):
    """The eight directions of flight, clockwise."""

    N = 0
    NE = 1
    E = 2
    SE = 3
    S = 4
    SW = 5
    W = 6
    NW = 7

    @property
    def step(self) -> tuple[int, int]:
        """Rows down and columns to the right."""
        return _STEPS[self]


_STEPS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


class _Worded(enum.IntEnum):
    @property
    def word(self) -> str:
        """'mountain'."""
        return self.name.lower()


class Region(_Worded):
    """The six kinds of land."""

    MOUNTAIN = 0
    ICE = 1
    TUNDRA = 2
    ROCK = 3
    SAND = 4
    FOREST = 5


REGIONS: Final = tuple(Region)


class Ground(_Worded):
    """Where a card lets its player invade; the first six are the regions."""

    MOUNTAIN = 0
    ICE = 1
    TUNDRA = 2
    ROCK = 3
    SAND = 4
    FOREST = 5
    RIVER = 6
    NEIGHBOUR = 7
    JOKER = 8


GROUND_OF: Final = {ground.word: ground for ground in Ground}

CARDS: Final = 72
EACH: Final = 9
"""Cards of one leader (KHAN-COMP-3)."""

HAND: Final = 4


Leader = NewType("Leader", int)
"""A leader by its place in the set."""


@dataclass(frozen=True, slots=True)
class Card:
    """The face of a leader card."""

    leader: Leader
    direction: Direction
    ground: Ground


CardKind = NewType("CardKind", int)
"""A face by its place in the set; equal cards share it."""

Hand: TypeAlias = bytes
"""The faces of its cards, sorted; a card that is not known is UNKNOWN, and so comes last."""

UNKNOWN: Final = 0xFF


class Special(enum.IntEnum):
    """The special cards."""

    MORALE = 0
    PROTECTION = 1
    SUPPORT = 2
    EXPLORATION = 3

    @property
    def letter(self) -> str:
        """As positions count them."""
        return self.name[0]

    @property
    def title(self) -> str:
        """As players call it."""
        return _TITLES[self]


_TITLES: Final = ("High Morale", "Great Khan's Protection", "Support of the Gods", "Exploration")

SPECIALS: Final = tuple(Special)

ALLOTMENT: Final = {2: bytes((2, 2, 2, 2)), 3: bytes((2, 1, 1, 1)), 4: bytes((1, 1, 1, 1))}
"""Special cards a seat, by the number of seats (KHAN-SETUP-3)."""
