"""Who acts in a match, and who views it."""

import enum
from typing import Final, Literal, Self, TypeAlias


class Seat(int):
    """A place at the table, from 0 in turn order; the seats of a response have their names."""

    name: str
    """As in the text of moves; empty if it was not given."""

    def __new__(cls, number: int, name: str = "") -> Self:
        """Equal to its number, whatever its name."""
        seat = super().__new__(cls, number)
        seat.name = name
        return seat

    def __reduce__(self) -> tuple[type["Seat"], tuple[int, str]]:
        return type(self), (int(self), self.name)

    def __str__(self) -> str:
        return self.name or f"seat {int(self)}"

    def __repr__(self) -> str:
        return f"Seat({int(self)}, {self.name!r})" if self.name else f"Seat({int(self)})"


class Office(enum.Enum):
    """An actor that is not a seat."""

    CHANCE = "chance"
    ARBITER = "arbiter"

    def __str__(self) -> str:
        return self.value


CHANCE: Final = Office.CHANCE
"""Deals and draws: everything that the players do not choose."""

ARBITER: Final = Office.ARBITER
"""Corrects a record from outside the game."""

Actor: TypeAlias = Seat | Office

_OFFICES: Final = {CHANCE: -1, ARBITER: -2}


def actor_number(actor: Actor) -> int:
    """The number that stands for an actor in an entry."""
    return _OFFICES[actor] if isinstance(actor, Office) else int(actor)


class Onlooker(enum.Enum):
    """A viewer without a seat in the match."""

    SPECTATOR = "spectator"
    AUDITOR = "auditor"


SPECTATOR: Final = Onlooker.SPECTATOR
"""Sees everything face up on the table."""

AUDITOR: Final = Onlooker.AUDITOR
"""Sees the whole record."""

Viewer: TypeAlias = Seat | Literal[Onlooker.SPECTATOR, Onlooker.AUDITOR]
