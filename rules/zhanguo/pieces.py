"""What the box holds and what it is called: regions, officials, cards, tiles and places."""

import enum
from typing import Final, NewType

from rules.kernel.forms import Names


class _Word(enum.IntEnum):
    """A member of a closed list of the rules; its number is its place in canonical order."""

    @property
    def word(self) -> str:
        """As moves, positions and component files have it."""
        return self.name.lower()


class Region(_Word):
    """From west to east; neighbours are consecutive (ZHG-VOC-01)."""

    CHU = 0
    WEI = 1
    ZHAO = 2
    QI = 3
    YAN = 4

    @property
    def title(self) -> str:
        """'Chu', as a sentence has it."""
        return self.name.capitalize()


class Aspect(_Word):
    """An aspect of Unification."""

    WRITING = 0
    CURRENCY = 1
    LAWS = 2


class Official(_Word):
    """A type of officials."""

    ALCHEMIST = 0
    ARCHITECT = 1
    GENERAL = 2


class Action(_Word):
    """A Court action; the first three are the low ones (ZHG-VOC-02)."""

    RECRUIT = 0
    ELIXIR = 1
    GOVERNOR = 2
    HIRE = 3
    PALACE = 4
    WALL = 5


class CardKind(_Word):
    """What a card above a player board counts as (ZHG-VOC-03)."""

    WRITING = 0
    CURRENCY = 1
    LAWS = 2
    ALCHEMIST_CARD = 3


class TileKind(_Word):
    """A kind of palace tiles: those of a kind of cards, and the one that costs unrest."""

    WRITING = 0
    CURRENCY = 1
    LAWS = 2
    ALCHEMIST_CARD = 3
    UNREST_ALL = 4

    @property
    def letter(self) -> str:
        """As a position has it."""
        return self.name[0].lower()


class Site(_Word):
    """A wall site, with a pile of Emperor tiles."""

    A = 0
    B = 1
    C = 2

    @property
    def word(self) -> str:
        """Sites have capital letters."""
        return self.name


class Section(_Word):
    """The left or the right half of a wall site."""

    AL = 0
    AR = 1
    BL = 2
    BR = 3
    CL = 4
    CR = 5

    @property
    def word(self) -> str:
        """As its site, with L or R."""
        return self.name

    @property
    def site(self) -> Site:
        """The site that it is a half of."""
        return Site(self // 2)

    @property
    def other(self) -> "Section":
        """The other half of its site."""
        return Section(self ^ 1)


class TargetKind(_Word):
    """What a spot of the Mausoleum is about."""

    REGION = 0
    WALL = 1
    ELIXIR = 2


class Target(_Word):
    """What the condition on a spot of the Mausoleum is asked of."""

    CHU = 0
    WEI = 1
    ZHAO = 2
    QI = 3
    YAN = 4
    A = 5
    B = 6
    C = 7
    ELIXIR = 8

    @property
    def word(self) -> str:
        """As the region or the site; the elixir is one of its own."""
        return self.name if self.kind is TargetKind.WALL else self.name.lower()

    @property
    def kind(self) -> TargetKind:
        """Which kind of tile it takes."""
        return _KINDS[self]

    @property
    def region(self) -> Region | None:
        """The region that it names, if it is one."""
        return REGIONS[self] if self < len(REGIONS) else None

    @property
    def site(self) -> Site | None:
        """The wall site that it names, if it is one."""
        return SITES[self - len(REGIONS)] if _KINDS[self] is TargetKind.WALL else None


_KINDS: Final = (TargetKind.REGION,) * len(Region) + (TargetKind.WALL,) * len(Site) + (TargetKind.ELIXIR,)
"""By target."""


REGIONS: Final = tuple(Region)
ASPECTS: Final = tuple(Aspect)
OFFICIALS: Final = tuple(Official)
ACTIONS: Final = tuple(Action)
CARD_KINDS: Final = tuple(CardKind)
TILE_KINDS: Final = tuple(TileKind)
SITES: Final = tuple(Site)
SECTIONS: Final = tuple(Section)
TARGETS: Final = tuple(Target)
LOW: Final = (Action.RECRUIT, Action.ELIXIR, Action.GOVERNOR)

Card = NewType("Card", int)
"""A card: 0 to 119 are the Unification cards 1 to 120, then A1 to A5, then M1 to M5."""
EmperorTile = NewType("EmperorTile", int)
Face = NewType("Face", int)
"""A face of a wall tile: W1a, W1b, W2a, …"""
GovernorTile = NewType("GovernorTile", int)
"""0 is a blank one."""
StartTile = NewType("StartTile", int)
MausoleumTile = NewType("MausoleumTile", int)
Spot = NewType("Spot", int)
"""A spot of the Mausoleum, row by row: a1, b1, c1, a2, …"""
ActionCard = NewType("ActionCard", int)
"""A solo Action card; 0 is the card 1."""

OF_ASPECT: Final = 40
UNIFICATION_CARDS: Final = OF_ASPECT * len(ASPECTS)
_ALCHEMIST_CARDS: Final = 5
ALCHEMISTS: Final = tuple(Card(UNIFICATION_CARDS + at) for at in range(_ALCHEMIST_CARDS))
MASTERS: Final = tuple(Card(UNIFICATION_CARDS + _ALCHEMIST_CARDS + at) for at in range(5))
BLANK: Final = GovernorTile(0)
BLANKS: Final = 2
BONUS_TILES: Final = tuple(GovernorTile(at) for at in range(1, 11))
EMPEROR_TILES: Final = tuple(EmperorTile(at) for at in range(6))
FACES: Final = tuple(Face(at) for at in range(14))
START_TILES: Final = tuple(StartTile(at) for at in range(10))
MAUSOLEUM_TILES: Final = tuple(MausoleumTile(at) for at in range(9))
LINE: Final = 3
"""Spots of the Mausoleum in a row or a column."""
SPOTS: Final = tuple(Spot(at) for at in range(LINE * LINE))
ROUNDS: Final = 5
COURT_STEP: Final = 3
"""Spaces that a search moves the boat."""
FULL: Final = 3
"""Cards that a region takes."""
UNREST: Final = 3
"""The highest level of unrest."""
GOVERNORS, PALACES, WALLS, SOLDIERS = 7, 6, 6, 9
"""Pieces of a colour."""
OF_TYPE: Final = 4
"""Officials of each type."""
OF_DECK: Final = 2
"""Cards that a seat draws from each deck."""
HAND: Final = OF_DECK * len(ASPECTS)
KEPT: Final = 5
"""Tokens that a seat keeps at the end of a round."""
UNLOCK: Final = 3
"""What a soldier costs in tokens, by value."""

_unification = [str(number) for number in range(1, UNIFICATION_CARDS + 1)]
CARD_NAMES: Final = Names(
    [*_unification, *(f"A{at}" for at in range(1, 6)), *(f"M{at}" for at in range(1, 6))], Card, "the game"
)
UNIFICATION_NAMES: Final = Names(_unification, Card, "the game")
EMPEROR_NAMES: Final = Names([f"E{at}" for at in range(1, 7)], EmperorTile)
FACE_NAMES: Final = Names([f"W{tile}{side}" for tile in range(1, 8) for side in "ab"], Face)
GOVERNOR_NAMES: Final = Names([f"G{at}" for at in range(11)], GovernorTile)
START_NAMES: Final = Names([f"S{at}" for at in range(1, 11)], StartTile)
MAUSOLEUM_NAMES: Final = Names(
    [*(f"MR{at}" for at in range(1, 6)), *(f"MW{at}" for at in range(1, 4)), "ME1"], MausoleumTile
)
SPOT_NAMES: Final = Names([f"{column}{row}" for row in range(1, 4) for column in "abc"], Spot)
ACTION_CARD_NAMES: Final = Names([str(number) for number in range(1, 25)], ActionCard)


def aspect_of(card: Card) -> Aspect:
    """The aspect of a Unification card (ZHG-CMP-18)."""
    return ASPECTS[card // OF_ASPECT]


def is_unification(card: Card) -> bool:
    """Whether it is one of the 120, and so no Alchemist card."""
    return card < UNIFICATION_CARDS


def is_master(card: Card) -> bool:
    """Whether it is a Master Alchemist card."""
    return card >= MASTERS[0]


def kind_of(card: Card) -> CardKind:
    """What it counts as above a board."""
    return CARD_KINDS[card // OF_ASPECT] if is_unification(card) else CardKind.ALCHEMIST_CARD


def tile_kind(tile: MausoleumTile) -> TargetKind:
    """What a Mausoleum tile is about: MR1 to MR5, MW1 to MW3, ME1."""
    return TARGETS[tile].kind


def neighbours(region: Region) -> tuple[Region, ...]:
    """One step to the west and one to the east (ZHG-VOC-01)."""
    return REGIONS[max(region - 1, 0) : region] + REGIONS[region + 1 : region + 2]


def are_neighbours(one: Region, other: Region) -> bool:
    """Whether a piece can go from one to the other in a step."""
    return abs(one - other) == 1
