"""What is printed on the components of a match, ready for play."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules.kernel.component_sets import require_sound_set
from rules.kernel.setup import BadSetup
from rules.zhanguo import annex
from rules.zhanguo.annex import WallFace
from rules.zhanguo.component_checks import faults
from rules.zhanguo.components import (
    ActionCardPart,
    ComponentFile,
    LiSiPart,
    NeedPart,
    SidePart,
    StartTilePart,
    find_file,
    set_tag,
)
from rules.zhanguo.effects import Effects
from rules.zhanguo.pieces import (
    ACTIONS,
    ASPECTS,
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SITES,
    TARGETS,
    TILE_KINDS,
    Action,
    ActionCard,
    Aspect,
    Card,
    EmperorTile,
    Face,
    MausoleumTile,
    Region,
    Section,
    Site,
    StartTile,
    Target,
    TileKind,
)

PAIR: Final = 2
"""The fewest players, who have a side of the main board of their own."""


class Symbol(enum.Enum):
    """A symbol of the elixir route (ZHG-VOC-04)."""

    ONE = "one option"
    TWO = "two options"
    MASTER = "a Master"


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a wall section, or of a Mausoleum tile."""

    value: int
    """Strokes, or points."""
    players: int
    """With fewer players it does not exist."""


@dataclass(frozen=True, slots=True)
class SoldierTile:
    """A Mausoleum tile."""

    need: NeedPart
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Emperor:
    """An Emperor tile."""

    site: Site
    triggers: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """The elixir route."""

    end: int
    symbols: Mapping[int, Symbol]
    vp: tuple[int, ...]
    """By space: the highest value reached."""


class SoloKind(enum.Enum):
    """A kind of solo Action cards."""

    UNIFICATION = "unification"
    ELIXIR = "elixir"
    GOVERNOR = "governor"
    PALACE = "palace"
    WALL = "wall"


class Manner(enum.Enum):
    """Where Li Si's governors go."""

    ONE_LEFT = "one_left"
    TWO_RIGHT = "two_right"
    AREA = "area"


@dataclass(frozen=True, slots=True)
class SoloAction:
    """A solo Action card; what is not of its kind is empty."""

    kind: SoloKind
    one_shot: bool
    boat: int
    regions: tuple[Region, ...]
    manner: Manner | None
    tile: bool
    large: tuple[Aspect, ...]
    sites: tuple[Site, ...]
    right_first: bool
    from_right: bool
    emperor: bool


@dataclass(frozen=True, slots=True)
class Level:
    """A Li Si card."""

    deck: tuple[ActionCard, ...]
    top: str
    under: str
    first: bool
    """Whether Li Si is first in the turn order."""
    boat: int
    unlocked: int


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """A component set for some number of players; there is one value for each."""

    tag: str
    name: str
    invented: bool
    players: int
    triggers: tuple[Action, ...]
    """By card."""
    abilities: tuple[Effects, ...]
    """By card."""
    emperors: tuple[Emperor, ...]
    faces: tuple[WallFace, ...]
    walls: tuple[tuple[Slot, ...], ...]
    """By section: slots from the left, all that are printed."""
    palace_spaces: tuple[int, ...]
    """By region: those that are used."""
    route: Route
    spots: tuple[Target, ...]
    tiles: tuple[SoldierTile, ...]
    usable_slots: tuple[tuple[int, ...], ...]
    """By Mausoleum tile: the slots for this number of players, from 1 at the top."""
    copies: tuple[int, ...]
    """By kind of palace tile."""
    starts: tuple[Effects, ...]
    solo_actions: tuple[SoloAction, ...]
    levels: tuple[Level, ...]

    def strokes(self, section: Section, slot: int) -> int | None:
        """Those of a slot that exists with this number of players."""
        slots = self.walls[section]
        return slots[slot].value if 0 <= slot < len(slots) and self.usable(slots[slot]) else None

    def usable(self, slot: Slot) -> bool:
        """Whether it exists with this number of players."""
        return slot.players <= self.players

    def ability(self, card: Card) -> Effects:
        """What it does."""
        return self.abilities[card]

    def start(self, tile: StartTile) -> Effects:
        """What it does."""
        return self.starts[tile]

    def face(self, face: Face) -> WallFace:
        """What is counted there."""
        return self.faces[face]

    def emperor(self, tile: EmperorTile) -> Emperor:
        """Its site and triggers."""
        return self.emperors[tile]

    def soldier_tile(self, tile: MausoleumTile) -> SoldierTile:
        """Its condition and slots."""
        return self.tiles[tile]


@lru_cache(maxsize=64)
def find_printed(components: str, players: int) -> Printed:
    """The set that a match header names or gives in full; raises BadSetup where it cannot be played."""
    return _printed(set_tag(find_file(components)), players)


@lru_cache(maxsize=64)
def _printed(tag: str, players: int) -> Printed:
    """By its tag, so that a set has one value whichever way a header calls it."""
    file = find_file(tag)
    require_sound_set(faults(file))
    side = file.side.p2 if players == PAIR else file.side.p34
    rows = [row.split(",") for row in file.cards]
    extra = (*file.alchemist, *file.master)
    effects = annex.ALCHEMIST_EFFECTS | annex.MASTER_EFFECTS
    action = {each.word: each for each in ACTIONS}
    return Printed(
        tag=tag,
        name=file.set.id,
        invented=file.invented,
        players=players,
        triggers=(*(action[row[1]] for row in rows), *(action[card.trigger] for card in extra)),
        abilities=(*(_ability(row) for row in rows), *(effects[card.effect] for card in extra)),
        emperors=tuple(
            Emperor(Site[tile.site], tuple(action[word] for word in tile.triggers)) for tile in file.emperor
        ),
        faces=tuple(annex.WALL_FACES[face] for tile in file.wall_tile for face in tile.faces),
        walls=tuple(tuple(Slot(*slot) for slot in side.wall[section.word]) for section in SECTIONS),
        palace_spaces=_palace_spaces(side, players),
        route=_route(file),
        spots=_spots(file),
        tiles=tuple(
            SoldierTile(tile.need, tuple(Slot(*slot) for slot in tile.slots)) for tile in file.mausoleum_tile
        ),
        usable_slots=tuple(
            tuple(at for at, (_, least) in enumerate(tile.slots, start=1) if least <= players)
            for tile in file.mausoleum_tile
        ),
        copies=_copies(file),
        starts=tuple(_start(tile) for tile in file.start_tile),
        solo_actions=tuple(_solo_action(card) for card in file.solo_action),
        levels=tuple(_level(card) for card in file.lisi),
    )


def _ability(row: list[str]) -> Effects:
    found = annex.ability(row[2], row[3])
    if found is None:
        raise BadSetup("components", f"cards: {','.join(row)} has no ability of the annex")
    return found


def _palace_spaces(side: SidePart, players: int) -> tuple[int, ...]:
    return tuple(sum(least <= players for least in side.palace_spaces[region.word]) for region in REGIONS)


def _route(file: ComponentFile) -> Route:
    part = file.elixir
    symbols = dict.fromkeys(part.one, Symbol.ONE)
    symbols |= dict.fromkeys(part.two, Symbol.TWO)
    symbols |= dict.fromkeys(part.master, Symbol.MASTER)
    values = [
        max((value for space, value in part.vp if space <= at), default=0) for at in range(part.length + 1)
    ]
    return Route(part.length, dict(sorted(symbols.items())), tuple(values))


def _spots(file: ComponentFile) -> tuple[Target, ...]:
    by_word = {target.word: target for target in TARGETS}
    placed = sorted(file.mausoleum_spot, key=lambda spot: (spot.row, spot.col))
    return tuple(by_word[spot.target] for spot in placed)


def _copies(file: ComponentFile) -> tuple[int, ...]:
    copies = {part.arg or TileKind.UNREST_ALL.word: part.copies for part in file.palace_tile}
    return tuple(copies[kind.word] for kind in TILE_KINDS)


def _start(part: StartTilePart) -> Effects:
    if part.kind == annex.OFFICIAL_START:
        return annex.start_with_official(next(each for each in OFFICIALS if each.word == part.official))
    if part.kind == annex.TOKEN_START:
        region = next(each for each in REGIONS if each.word == part.region)
        return annex.start_with_tokens(region, annex.printed_tokens(part.tokens) or ())
    return annex.PLAIN_START[part.kind]


def _solo_action(part: ActionCardPart) -> SoloAction:
    region = {each.word: each for each in REGIONS}
    aspect = {each.word: each for each in ASPECTS}
    return SoloAction(
        SoloKind(part.kind),
        one_shot=part.one_shot,
        boat=part.boat,
        regions=tuple(region[word] for word in part.regions),
        manner=Manner(part.manner) if part.manner else None,
        tile=part.tile,
        large=tuple(aspect[word] for word in part.large),
        sites=tuple(Site[word] for word in part.sites if word in {site.word for site in SITES}),
        right_first=part.first == "R",
        from_right=part.slot_from == "right",
        emperor=part.emperor,
    )


def _level(part: LiSiPart) -> Level:
    return Level(
        deck=tuple(ActionCard(number - 1) for number in sorted(part.deck)),
        top=part.top,
        under=part.under,
        first=part.order_space == 1,
        boat=part.boat,
        unlocked=part.unlocked,
    )
