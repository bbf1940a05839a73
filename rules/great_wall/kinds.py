"""The nouns that belong to the rules: resources, soldiers, sections, locations, clans and kinds of cards."""

import enum
from collections.abc import Iterable
from typing import Final, NewType, TypeAlias

from rules.kernel.actors import Seat


class Resource(enum.IntEnum):
    """What players hold behind their screens; holdings are counted in this order."""

    WOOD = 0
    STONE = 1
    GOLD = 2
    CHI = 3

    @property
    def word(self) -> str:
        """'wood'."""
        return self.name.lower()


RESOURCES: Final = tuple(Resource)
BUILDING: Final = RESOURCES[:3]
"""What walls and barricades are paid with, and what a warehouse holds."""

Holdings: TypeAlias = tuple[int, int, int, int]
"""Wood, stone, gold and chi."""
NOTHING: Final[Holdings] = (0, 0, 0, 0)


class Kind(enum.IntEnum):
    """Soldiers; figures are counted in this order."""

    SPEARMAN = 0
    ARCHER = 1
    HORSEMAN = 2

    @property
    def word(self) -> str:
        """'spearman'."""
        return self.name.lower()


KINDS: Final = tuple(Kind)

Figures: TypeAlias = tuple[int, int, int]
"""Spearmen, archers and horsemen."""
NOBODY: Final[Figures] = (0, 0, 0)
ARMY: Final[Figures] = (10, 4, 2)
"""The soldiers of a clan (GW-CMP-03 to -05)."""
REED_ARMY: Final = 10
CLERKS: Final = 8
IN_CLERK_SPACE: Final = 3
REED_CLERKS: Final = 3
BARRICADES: Final = 9
SLOTS: Final = 3
"""Barricades of a section, and lines of hordes before it."""
HIGHEST: Final = 3
"""Level of a wall or a foreman."""
HAND: Final = 5
"""Tactics in a hand (GW-CRD-11)."""
TOKENS: Final = 2
"""Shame slots of a claimed horde (GW-CRD-13)."""


class Section(enum.IntEnum):
    """The three sections of the wall, from left to right."""

    LEFT = 0
    CENTRE = 1
    RIGHT = 2

    @property
    def word(self) -> str:
        """'left'."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """'L'."""
        return self.name[0]


SECTIONS: Final = tuple(Section)


class Location(enum.IntEnum):
    """Where clerks work, and the warehouse."""

    SAWMILL = 0
    QUARRY = 1
    GOLD_MINE = 2
    TEMPLE = 3
    BARRACKS = 4
    TEA_HOUSE = 5
    BUILDERS = 6
    EMBASSY = 7
    LOGISTICS = 8
    ACADEMY = 9
    WAREHOUSE = 10

    @property
    def word(self) -> str:
        """'gold-mine'."""
        return self.name.lower().replace("_", "-")


LOCATIONS: Final = tuple(Location)[:10]
"""Where clerks work."""
PRODUCTION: Final = LOCATIONS[:4]
"""Those that give wood, stone, gold and chi, in this order."""
LOCATION_OF: Final = {location.word: location for location in LOCATIONS}

Clan = NewType("Clan", int)
"""A seat by its number, or one of the two clans that nobody plays."""
REED: Final = Clan(4)
QIN: Final = Clan(5)
ALL_CLANS: Final = 6
MOST_SEATS: Final = 4


def of_seat(seat: Seat) -> Clan:
    """The clan that a seat plays."""
    return Clan(seat)


def seat_of(clan: Clan) -> Seat | None:
    """The seat that plays a clan; None for Reed and Qin."""
    return Seat(clan) if clan < MOST_SEATS else None


def seats_of(clans: Iterable[Clan]) -> tuple[Seat, ...]:
    """Those of the clans that somebody plays."""
    return tuple(Seat(clan) for clan in clans if clan < MOST_SEATS)


class Role(enum.Enum):
    """What an advisor becomes."""

    ACTIVE = "active"
    ASSISTANT = "assistant"


class Token(enum.IntEnum):
    """What lies on Qin's track: the location that he wants."""

    WOOD = 0
    STONE = 1
    GOLD = 2
    CHI = 3
    WOUND = 4

    @property
    def word(self) -> str:
        """'wood'."""
        return self.name.lower()

    @property
    def location(self) -> Location:
        """Sawmill, quarry, gold mine, temple and barracks (GW-SOL-12)."""
        return LOCATIONS[self]


TRACK_TOKENS: Final = tuple(Token)


class Window(enum.Enum):
    """At which of its holder's questions a tactic may be played."""

    STRATEGY = "strategy"
    RESOLVE = "resolve"
    LOSSES = "losses"
    SHAME = "shame"
    SUMMER = "summer"
    FIRE = "fire"


class Occasion(enum.Enum):
    """When a general or an active advisor gives something."""

    UPGRADE = "upgrade"
    DONATE = "donate"
    RECRUIT = "recruit"
    COVER = "cover"
    SHOOT = "shoot"
    BARRICADE = "barricade"
    WALL = "wall"
    HIRE = "hire"
    TACTIC = "tactic"
    CLAIM = "claim"
    SHARE = "share"
    KILLED = "killed"
    SAVED = "saved"
    SHAME = "shame"
    INCOME = "income"
    HOLD = "hold"


class Cause(enum.Enum):
    """Why honour or resources come or go."""

    CARD = "card"
    OCCASION = "occasion"
    SPOT = "spot"
    PRODUCTION = "production"
    DONATION = "donation"
    BUILDING = "building"
    SOLDIERS = "soldiers"
    ARCHERS = "archers"
    SUMMER = "summer"
    SHAME = "shame"
    REQUEST = "request"
    WOUND = "wound"
    HORDE = "horde"
    ARTEFACT = "artefact"


class Ending(enum.Enum):
    """Why a match ended."""

    WALLS = "walls"
    POOL = "pool"
    TIME = "time"
    REQUESTS = "requests"
    SHAME = "shame"


Horde = NewType("Horde", int)
General = NewType("General", int)
Advisor = NewType("Advisor", int)
Strategy = NewType("Strategy", int)
"""A card of a player, or Reed's; Qin's have the names of the players'."""
Tactic = NewType("Tactic", int)
Artefact = NewType("Artefact", int)
Request = NewType("Request", int)
EventCard = NewType("EventCard", int)
Script = NewType("Script", int)
"""A list of operations on a card, by its place among all lists of a set."""
Cell = NewType("Cell", int)
"""A cell of a horde card's grid, row by row."""

COLUMNS: Final = 26
ROWS: Final = 9


class Sealed(enum.Enum):
    """A choice that is made and not yet known."""

    SEALED = "?"


SEALED: Final = Sealed.SEALED
