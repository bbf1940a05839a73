"""What is fixed before the first move of a match."""

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
    """Whether the results of chance are recorded."""

    UNRECORDED = "unrecorded"
    RECORDED = "recorded"


UNRECORDED: Final = Draws.UNRECORDED
RECORDED: Final = Draws.RECORDED


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a game needs to start a match."""

    edition: EditionKey
    seats: tuple[str, ...]
    """Names, in turn order."""
    components: str
    """The board or component set, by name or in full."""
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    """Only the rulings that differ from the edition's default, sorted by name."""
    options: tuple[tuple[str, str], ...] = ()
    """Only the options of the rulebook that differ from their default, sorted by name."""


class BadSetup(ValueError):
    """A match cannot be started with this setup."""

    def __init__(self, field: str, why: str, place: int = 0) -> None:
        super().__init__(why)
        self.field = field
        """The part of the setup that is wrong: 'seats', 'components', …"""
        self.place = place
        """The index of the wrong item, if the part has several."""


def require_valid_seats(
    title: str, names: tuple[str, ...], numbers: Collection[int], *, reserved: Collection[str] = ()
) -> None:
    """Raises BadSetup for a wrong number of seats, or a name that is invalid, repeated or reserved."""
    if len(names) not in numbers:
        fewest, most = min(numbers), max(numbers)
        wanted = (
            f"{fewest} to {most} seats" if fewest < most else "one seat" if most == 1 else f"{most} seats"
        )
        raise BadSetup("seats", f"{title} is for {wanted}, not {len(names)}")
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
    """A printed component as data, with its source."""

    name: str
    kind: str
    """'board', 'cards', …"""
    provenance: str
    verified: bool
    """Whether it was compared with the printed component."""
    notes: tuple[str, ...]
    """Caveats for users: disputed cells, invented values."""
    data: str


@dataclass(frozen=True, slots=True)
class ComponentFault:
    """A place in a component file that does not agree with the rulebook."""

    check: str
    """The check of the game that found it: 'CHK-2'."""
    field: str
    """'board.cells'"""
    why: str
    warning: bool = False
    """Whether a match can still be played with the set."""


@dataclass(frozen=True, slots=True)
class ComponentReport:
    """The contents of a component file, and everything that is wrong with it."""

    name: str
    provenance: str
    hash: str
    """SHA-256 of the canonical text, in hexadecimal."""
    tag: str
    """The set as given in a match header."""
    faults: tuple[ComponentFault, ...]

    @property
    def playable(self) -> bool:
        """Whether a match can be played with it."""
        return all(fault.warning for fault in self.faults)


class UnreadableComponents(ValueError):
    """The text is not a component file of this game."""
