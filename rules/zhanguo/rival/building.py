"""Where Li Si builds: the walk over conditions of the Mausoleum (ZHG-SOL-40 to -63)."""

from collections.abc import Iterable

from rules.kernel.actors import Seat
from rules.zhanguo import events as e
from rules.zhanguo.court.governor import open_spaces
from rules.zhanguo.court.palace import PALACE_VP
from rules.zhanguo.evolve import fold
from rules.zhanguo.pieces import REGIONS, SPOTS, ActionCard, Region, Section, Site, Target
from rules.zhanguo.printed import Manner, SoloAction
from rules.zhanguo.queries import meets
from rules.zhanguo.scoring import TIES, governor_face
from rules.zhanguo.state import State

_LAST_GOVERNOR: ActionCard = ActionCard(13)
"""The Action card 14, whose deck has a rule for the last governor."""


def _unmet(state: State, seat: Seat, target: Target) -> bool:
    """Whether Li Si does not meet the whole condition on the spot of a region or site (AMB-33)."""
    return not any(state.mausoleum[spot].target is target and meets(state, seat, spot) for spot in SPOTS)


def _first_unmet(state: State, seat: Seat, regions: Iterable[Region]) -> Region | None:
    return next((region for region in regions if _unmet(state, seat, Target(region))), None)


def _has_majority(state: State, seat: Seat, region: Region) -> bool:
    """With equal numbers not, unless his face wins ties and there are governors (AMB-57)."""
    own = state.regions[region].governors(seat)
    most = max(state.regions[region].governors(other) for other in state.table.humans)
    return own > most or (own == most > 0 and governor_face(state) in TIES)


# Governors


def installed(state: State, seat: Seat, card: SoloAction) -> tuple[e.Event, ...]:
    """One or two governors in one region, each on a space or, where none is open, in the area."""
    region = _region_for_governor(state, seat, card)
    count = 2 if card.manner is Manner.TWO_RIGHT else 1
    events: tuple[e.Event, ...] = ()
    for _ in range(min(count, state.governors_left(seat))):
        spaces = [] if card.manner is Manner.AREA else list(open_spaces(state, region))
        at = -1 if card.manner is Manner.TWO_RIGHT else 0
        placed = e.GovernorInstalled(seat, region, spaces[at] if spaces else None)
        events += (placed,)
        state = fold(state, (placed,))
    return events


def _region_for_governor(state: State, seat: Seat, card: SoloAction) -> Region:
    unmet = _first_unmet(state, seat, card.regions)
    if unmet is not None:
        return unmet
    level = state.table.level
    if (
        level is not None
        and _LAST_GOVERNOR in level.deck
        and state.governors_left(seat) == 1
        # The card may not list every region; the rule asks for the conditions of all (ZHG-SOL-42).
        and _first_unmet(state, seat, REGIONS) is None
    ):
        for region in card.regions:
            if not _has_majority(state, seat, region):
                return region
    return card.regions[0]


# Palaces


def built_palace(state: State, seat: Seat, card: SoloAction) -> tuple[e.Event, ...]:
    """A palace with its points, a large token and perhaps a tile, which scores at the end."""
    if not state.palaces_left(seat):
        return ()
    unmet = _first_unmet(state, seat, card.regions)
    region = card.regions[0] if unmet is None else unmet
    large = next((aspect for aspect in card.large if state.holder(aspect) is None), None)
    tiles = state.regions[region].tiles
    return (
        e.PalaceBuilt(seat, region),
        e.PointsScored(seat, PALACE_VP, e.Source.PALACE),
        *(() if large is None else (e.LargeTaken(seat, large),)),
        *((e.RivalTileKept(seat, region, tiles[0]),) if card.tile and tiles else ()),
    )


# Walls


def built_wall(state: State, seat: Seat, card: SoloAction) -> tuple[e.Event, ...]:
    """A wall in the section that the arrow says, or in the other one of its site."""
    sites = [site for site in card.sites if _section(state, seat, site, card) is not None]
    if not state.walls_left(seat) or not sites:
        return ()
    unmet = [site for site in sites if _unmet(state, seat, Target(len(REGIONS) + site))]
    site = (unmet or sites)[0]
    section = _section(state, seat, site, card)
    if section is None:
        return ()
    slots = _free_slots(state, section)
    pile = state.emperors[site]
    removed = (e.EmperorTileRemoved(seat, pile[0]),) if card.emperor and pile else ()
    return e.WallBuilt(seat, section, slots[-1] if card.from_right else slots[0]), *removed


def _section(state: State, seat: Seat, site: Site, card: SoloAction) -> Section | None:
    first = Section(2 * site + card.right_first)
    for section in (first, first.other):
        if seat not in state.walls[section].slots and _free_slots(state, section):
            return section
    return None


def _free_slots(state: State, section: Section) -> list[int]:
    printed = state.table.printed
    return [
        at + 1
        for at, taken in enumerate(state.walls[section].slots)
        if taken is None and printed.strokes(section, at) is not None
    ]
