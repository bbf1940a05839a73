"""Who acts in a match, and who looks at it."""

import enum
from typing import Final, Literal, NewType, TypeAlias

Seat = NewType("Seat", int)
"""A place at the table, from 0 in turn order."""


class Office(enum.Enum):
    """An actor that is no seat."""

    CHANCE = "chance"
    ARBITER = "arbiter"


CHANCE: Final = Office.CHANCE
"""Deals and draws: whatever the players do not choose."""

ARBITER: Final = Office.ARBITER
"""Corrects a record from outside the game."""

Actor: TypeAlias = Seat | Office


class Onlooker(enum.Enum):
    """Somebody who looks at a match without a seat in it."""

    SPECTATOR = "spectator"
    AUDITOR = "auditor"


SPECTATOR: Final = Onlooker.SPECTATOR
"""Sees what lies open on the table."""

AUDITOR: Final = Onlooker.AUDITOR
"""Sees everything that the record tells."""

Viewer: TypeAlias = Seat | Literal[Onlooker.SPECTATOR, Onlooker.AUDITOR]
