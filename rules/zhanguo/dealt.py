"""Components as chance deals them: one list of names, in the order of the stocks (ZHG-SET-22)."""

from typing import Final, NewType

from rules.kernel.forms import Names
from rules.zhanguo.pieces import (
    ALCHEMISTS,
    BONUS_TILES,
    CARD_NAMES,
    EMPEROR_NAMES,
    EMPEROR_TILES,
    FACE_NAMES,
    FACES,
    GOVERNOR_NAMES,
    MASTERS,
    MAUSOLEUM_NAMES,
    MAUSOLEUM_TILES,
    START_NAMES,
    START_TILES,
    TARGETS,
    TILE_KINDS,
    Card,
    EmperorTile,
    Face,
    GovernorTile,
    MausoleumTile,
    StartTile,
    Target,
    TileKind,
)

Component = NewType("Component", int)

_STOCKS: Final = (
    tuple(target.word for target in TARGETS),
    MAUSOLEUM_NAMES.names,
    FACE_NAMES.names,
    EMPEROR_NAMES.names,
    tuple(kind.word for kind in TILE_KINDS),
    (*GOVERNOR_NAMES.names[1:], GOVERNOR_NAMES.names[0]),
    tuple(CARD_NAMES.names[card] for card in MASTERS),
    START_NAMES.names,
    tuple(CARD_NAMES.names[card] for card in ALCHEMISTS),
)
COMPONENT_NAMES: Final = Names([name for stock in _STOCKS for name in stock], Component)
_ENDS: Final = tuple(sum(map(len, _STOCKS[:at])) for at in range(len(_STOCKS) + 1))
_TARGETS, _TILES, _FACES, _EMPERORS, _KINDS, _GOVERNORS, _MASTERS, _STARTS, _ALCHEMISTS = _ENDS[:-1]


def of_target(target: Target) -> Component:
    """A Mausoleum token."""
    return Component(_TARGETS + target)


def of_tile(tile: MausoleumTile) -> Component:
    """A Mausoleum tile."""
    return Component(_TILES + tile)


def of_face(face: Face) -> Component:
    """A face of a wall tile."""
    return Component(_FACES + face)


def of_emperor(tile: EmperorTile) -> Component:
    """An Emperor tile."""
    return Component(_EMPERORS + tile)


def of_kind(kind: TileKind) -> Component:
    """A palace tile."""
    return Component(_KINDS + kind)


def of_governor(tile: GovernorTile) -> Component:
    """A governor tile; blank ones come after the others."""
    return Component(_GOVERNORS + (tile - 1) % (len(BONUS_TILES) + 1))


def of_master(card: Card) -> Component:
    """A Master Alchemist card."""
    return Component(_MASTERS + card - MASTERS[0])


def of_start(tile: StartTile) -> Component:
    """A start tile."""
    return Component(_STARTS + tile)


def of_alchemist(card: Card) -> Component:
    """An Alchemist card, of Li Si's or a Master that he holds."""
    return of_master(card) if card >= MASTERS[0] else Component(_ALCHEMISTS + card - ALCHEMISTS[0])


def target_of(component: Component) -> Target | None:
    """The Mausoleum token that it is, if it is one."""
    return TARGETS[component] if component < _TILES else None


def tile_of(component: Component) -> MausoleumTile | None:
    """The Mausoleum tile that it is, if it is one."""
    return MAUSOLEUM_TILES[component - _TILES] if _TILES <= component < _FACES else None


def face_of(component: Component) -> Face | None:
    """The face of a wall tile that it is, if it is one."""
    return FACES[component - _FACES] if _FACES <= component < _EMPERORS else None


def emperor_of(component: Component) -> EmperorTile | None:
    """The Emperor tile that it is, if it is one."""
    return EMPEROR_TILES[component - _EMPERORS] if _EMPERORS <= component < _KINDS else None


def tile_kind_of(component: Component) -> TileKind | None:
    """The kind of palace tile that it is, if it is one."""
    return TILE_KINDS[component - _KINDS] if _KINDS <= component < _GOVERNORS else None


def governor_of(component: Component) -> GovernorTile | None:
    """The governor tile that it is, if it is one."""
    if not _GOVERNORS <= component < _MASTERS:
        return None
    return GovernorTile((component - _GOVERNORS + 1) % (len(BONUS_TILES) + 1))


def extra_card_of(component: Component) -> Card | None:
    """The Alchemist or Master card that it is, if it is one."""
    if _MASTERS <= component < _STARTS:
        return MASTERS[component - _MASTERS]
    return ALCHEMISTS[component - _ALCHEMISTS] if component >= _ALCHEMISTS else None


def start_of(component: Component) -> StartTile | None:
    """The start tile that it is, if it is one."""
    return START_TILES[component - _STARTS] if _STARTS <= component < _ALCHEMISTS else None
