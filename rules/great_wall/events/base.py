"""What every event is, and words that events use."""

import enum

from msgspec import Struct

from rules.great_wall.pending import Task


class Happening(Struct, frozen=True):
    """What every event is: a value."""


class Deck(enum.Enum):
    """A deck that can be shuffled anew."""

    HORDES = "hordes"
    ADVISORS = "advisors"
    TACTICS = "tactics"
    SOLO = "solo"


class Season(enum.Enum):
    """A part of the year."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


class Way(enum.Enum):
    """How soldiers march: rest to rest, slot to rest, slot to slot."""

    SHIFT = "shift"
    LOWER = "lower"
    CROSS = "cross"


class TasksDue(Happening, frozen=True):
    """The first task is done, and these come before the rest."""

    tasks: tuple[Task, ...]
