"""What cards, tiles and rewards do, as data: a closed list of operations (ZHG-STM-04)."""

import enum
from typing import Final, TypeAlias

from msgspec import Struct

from rules.zhanguo.pieces import REGIONS, Aspect, Official, Region

Where: TypeAlias = tuple[Region, ...]
"""The regions that may be chosen; HERE is the one in which the card lies."""
HERE: Final[Where] = ()
ANYWHERE: Final[Where] = REGIONS


class Counted(enum.Enum):
    """What points are given for."""

    ALCHEMIST_CARD = "alchemist_card"
    ALCHEMIST_CARD_HERE = "alchemist_card_here"
    SOLDIER_PLACED = "soldier_placed"
    GOVERNOR = "governor"
    WALL = "wall"
    PALACE = "palace"
    WRITING = "writing"
    CURRENCY = "currency"
    LAWS = "laws"


class MoveBoat(Struct, frozen=True):
    """The boat goes on, and the symbols on its way take effect."""

    by: int


class RecruitOfficials(Struct, frozen=True):
    """Officials come from the reserve: all of one type at once, or one after the other into one region."""

    types: tuple[Official, ...]
    where: Where
    count: int


class HireWorkers(Struct, frozen=True):
    """Workers come to one region, without unrest."""

    where: Where
    count: int


class MoveOfficials(Struct, frozen=True):
    """Officials may take this number of steps."""

    most: int


class MoveWorkers(Struct, frozen=True):
    """Workers take this number of steps."""

    count: int
    must: bool


class CalmRegions(Struct, frozen=True):
    """Unrest goes down by 1, in different regions."""

    times: int


class CalmHere(Struct, frozen=True):
    """Unrest goes down by 1 where the card lies."""


class ResetRegions(Struct, frozen=True):
    """Unrest may go down to 0 in this number of regions."""

    most: int


class RaiseUnrest(Struct, frozen=True):
    """Unrest goes up by 1 in each of the regions; where it cannot, nothing of the card or tile can happen."""

    where: Where


class TakeTokens(Struct, frozen=True):
    """Tokens of choice."""

    count: int


class GainTokens(Struct, frozen=True):
    """Printed tokens."""

    aspects: tuple[Aspect, ...]


class ScoreEach(Struct, frozen=True):
    """Points for each of something that the seat has."""

    vp: int
    each: Counted


class ScoreRound(Struct, frozen=True):
    """As many points as the number of the round."""


class UnlockSoldiers(Struct, frozen=True):
    """Locked soldiers go to the entrance."""

    count: int


class PlaceAlchemists(Struct, frozen=True):
    """Alchemist cards that are set aside go above the board; only the first of several has to."""

    count: int
    where: Where


class PlaceSoldierFree(Struct, frozen=True):
    """A soldier is placed whatever the condition says."""


class FreeGovernor(Struct, frozen=True):
    """A governor without officials."""

    where: Where


class FreePalace(Struct, frozen=True):
    """A palace without workers and architect, and without a large token."""


class FreeWall(Struct, frozen=True):
    """A wall without workers."""


Effect: TypeAlias = (
    MoveBoat
    | RecruitOfficials
    | HireWorkers
    | MoveOfficials
    | MoveWorkers
    | CalmRegions
    | CalmHere
    | ResetRegions
    | RaiseUnrest
    | TakeTokens
    | GainTokens
    | ScoreEach
    | ScoreRound
    | UnlockSoldiers
    | PlaceAlchemists
    | PlaceSoldierFree
    | FreeGovernor
    | FreePalace
    | FreeWall
)
Effects: TypeAlias = tuple[Effect, ...]
