"""What is settled before the first move of a match."""

import enum
from dataclasses import dataclass
from typing import Final, NewType

from rules.kernel.edition import EditionKey

GameKey = NewType("GameKey", str)
"""'qin'"""


class Draws(enum.Enum):
    """Whether the record tells what chance brought."""

    UNRECORDED = "unrecorded"
    RECORDED = "recorded"


UNRECORDED: Final = Draws.UNRECORDED
RECORDED: Final = Draws.RECORDED


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a game needs to know to lay out a match."""

    edition: EditionKey
    seats: tuple[str, ...]
    """Names, in turn order."""
    components: str
    """The board or component set, by name or in full."""
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    """Only those that differ from the edition's default, sorted by name."""


class BadSetup(ValueError):
    """A match cannot be laid out like this."""

    def __init__(self, field: str, why: str, place: int = 0) -> None:
        super().__init__(why)
        self.field = field
        """Which part of the set-up is at fault: 'seats', 'components', …"""
        self.place = place
        """Which of several, from 0."""


@dataclass(frozen=True, slots=True)
class ComponentSet:
    """A printed thing as data, with where we have it from."""

    name: str
    kind: str
    """'board', 'cards', …"""
    provenance: str
    verified: bool
    """Whether somebody compared it with the printed thing."""
    notes: tuple[str, ...]
    """What a user must know: disputed cells, invented values."""
    data: str
