"""What is settled before the first move of a match."""

import enum
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NewType

from rules.kernel.edition import EditionKey
from rules.kernel.text import quoted

_SEAT_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")

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


def require_valid_seats(
    title: str, names: tuple[str, ...], numbers: Collection[int], *, reserved: Collection[str] = ()
) -> None:
    """BadSetup where there are too few or too many, or a name is none, stands twice or is reserved."""
    if len(names) not in numbers:
        raise BadSetup("seats", f"{title} is for {min(numbers)} to {max(numbers)} seats, not {len(names)}")
    for place, name in enumerate(names):
        if not _SEAT_NAME.fullmatch(name):
            why = f"{quoted(name)} is no seat name; expected letters, digits, - and _"
            raise BadSetup("seats", why, place)
        if name in reserved:
            raise BadSetup("seats", f"no seat can be called {name}: other entries begin so", place)
        if name in names[:place]:
            raise BadSetup("seats", f"two seats are called {name}", place)


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


@dataclass(frozen=True, slots=True)
class ComponentFault:
    """What in a component file does not agree with the rulebook, and where."""

    check: str
    """Which of the game's checks found it: 'CHK-2'."""
    field: str
    """'board.cells'"""
    why: str
    warning: bool = False
    """Whether the set can be played with all the same."""


@dataclass(frozen=True, slots=True)
class ComponentReport:
    """What a component file holds, and everything that is wrong with it."""

    name: str
    provenance: str
    hash: str
    """SHA-256 of the canonical text, in hexadecimal."""
    tag: str
    """How a match header gives the set."""
    faults: tuple[ComponentFault, ...]

    @property
    def playable(self) -> bool:
        """Whether a match can be laid out with it."""
        return all(fault.warning for fault in self.faults)


class UnreadableComponents(ValueError):
    """The text is no component file of this game."""
