"""Who acts in a match, and who views it."""

import enum
from typing import Final, Literal, NewType, TypeAlias

Seat = NewType("Seat", int)
"""A place at the table, from 0 in turn order."""


class Office(enum.Enum):
    """An actor that is not a seat."""

    CHANCE = "chance"
    ARBITER = "arbiter"


CHANCE: Final = Office.CHANCE
"""Deals and draws: everything that the players do not choose."""

ARBITER: Final = Office.ARBITER
"""Corrects a record from outside the game."""

Actor: TypeAlias = Seat | Office


class Onlooker(enum.Enum):
    """A viewer without a seat in the match."""

    SPECTATOR = "spectator"
    AUDITOR = "auditor"


SPECTATOR: Final = Onlooker.SPECTATOR
"""Sees everything face up on the table."""

AUDITOR: Final = Onlooker.AUDITOR
"""Sees the whole record."""

Viewer: TypeAlias = Seat | Literal[Onlooker.SPECTATOR, Onlooker.AUDITOR]
