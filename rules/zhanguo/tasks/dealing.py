"""Set-up by chance, one component per entry (ZHG-SET-04 to -20, ZHG-SET-22)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Breach, Check, Rule
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import dealt, rulebook
from rules.zhanguo import events as e
from rules.zhanguo.dealt import COMPONENT_NAMES, Component
from rules.zhanguo.evolve import DEALT_STARTS
from rules.zhanguo.frames import DealDue, FirstDue
from rules.zhanguo.moves import Deal, DrawFirstPlayer
from rules.zhanguo.pieces import (
    BLANK,
    BLANKS,
    BONUS_TILES,
    EMPEROR_TILES,
    FACES,
    MASTERS,
    MAUSOLEUM_TILES,
    REGIONS,
    SECTIONS,
    SPOTS,
    START_TILES,
    TARGETS,
    TILE_KINDS,
    GovernorTile,
    Region,
    Section,
    Spot,
    TargetKind,
    TileKind,
    tile_kind,
)
from rules.zhanguo.state import State

_IN_A_REGION: Final = {2: 1, 3: 1, 4: 2}
"""Governor tiles in each region, by number of players."""
_EMPERORS_MORE: Final = 2
"""Emperor tiles in play beyond the number of players."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What may be dealt next, and what becomes of it."""

    rule: Rule
    name: str
    """Of the shuffled components that it comes from."""
    dealt: int
    """How many came from it before."""
    components: tuple[Component, ...]
    happens: Callable[[Component], tuple[e.Event, ...]]


def due(state: State) -> Stock | None:
    """The stock from which the next component comes; None once everything is dealt."""
    found = (step(state) for step in _STEPS)
    return next((stock for stock in found if stock is not None), None)


def _targets(state: State) -> Stock | None:
    spot = next((spot for spot in SPOTS if state.mausoleum[spot].target is None), None)
    if spot is None:
        return None
    lying = {at.target for at in state.mausoleum}
    left = tuple(dealt.of_target(target) for target in TARGETS if target not in lying)

    def happens(component: Component, spot: Spot = spot) -> tuple[e.Event, ...]:
        target = dealt.target_of(component)
        return () if target is None else (e.TargetDealt(spot, target),)

    return Stock(rulebook.SET_05, "targets", spot, left, happens)


def _mausoleum_tiles(state: State) -> Stock | None:
    rule = rulebook.SET_05 if state.table.options.tokens else rulebook.SET_04
    for kind in TargetKind:
        for spot in SPOTS:
            at = state.mausoleum[spot]
            if at.tile is None and at.target is not None and at.target.kind is kind:
                lying = {other.tile for other in state.mausoleum}
                every = [tile for tile in MAUSOLEUM_TILES if tile_kind(tile) is kind]
                left = tuple(dealt.of_tile(tile) for tile in every if tile not in lying)
                return Stock(rule, f"mausoleum-{kind.word}", len(every) - len(left), left, _onto(spot))
    return None


def _onto(spot: Spot) -> Callable[[Component], tuple[e.Event, ...]]:
    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.tile_of(component)
        return () if tile is None else (e.MausoleumTileDealt(spot, tile),)

    return happens


def _wall_tiles(state: State) -> Stock | None:
    section = next((section for section in SECTIONS if state.walls[section].face is None), None)
    if section is None:
        return None
    lying = {wall.face // 2 for wall in state.walls if wall.face is not None}
    left = tuple(dealt.of_face(face) for face in FACES if face // 2 not in lying)

    def happens(component: Component, section: Section = section) -> tuple[e.Event, ...]:
        face = dealt.face_of(component)
        return () if face is None else (e.WallTileDealt(section, face),)

    return Stock(rulebook.SET_06, "walls", len(lying), left, happens)


def _emperor_tiles(state: State) -> Stock | None:
    lying = {tile for pile in state.emperors for tile in pile}
    if len(lying) >= state.table.players + _EMPERORS_MORE:
        return None
    left = tuple(dealt.of_emperor(tile) for tile in EMPEROR_TILES if tile not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.emperor_of(component)
        return () if tile is None else (e.EmperorTileDealt(tile),)

    return Stock(rulebook.SET_08, "emperors", len(lying), left, happens)


def _palace_tiles(state: State) -> Stock | None:
    spaces = state.table.printed.palace_spaces
    region = next((region for region in REGIONS if len(state.regions[region].tiles) < spaces[region]), None)
    if region is None:
        return None
    left = tuple(dealt.of_kind(kind) for kind in TILE_KINDS if _copies_left(state, kind))

    def happens(component: Component, region: Region = region) -> tuple[e.Event, ...]:
        kind = dealt.tile_kind_of(component)
        return () if kind is None else (e.PalaceTileDealt(region, kind),)

    lying = sum(len(at.tiles) for at in state.regions)
    return Stock(rulebook.SET_09, "palaces", lying, left, happens)


def _copies_left(state: State, kind: TileKind) -> int:
    return state.table.printed.copies[kind] - sum(region.tiles.count(kind) for region in state.regions)


def _governor_tiles(state: State) -> Stock | None:
    each = _IN_A_REGION[state.table.players]
    region = next((region for region in REGIONS if len(state.regions[region].spots) < each), None)
    if region is None:
        return None
    lying = [spot.tile for at in state.regions for spot in at.spots]
    blanks = blank_tiles(state.table.players)
    blanks_lying = lying.count(BLANK)
    left: list[GovernorTile] = []
    if len(lying) - blanks_lying < governor_tiles(state.table.players) - blanks:
        left += [tile for tile in BONUS_TILES if tile not in lying]
    if blanks_lying < blanks:
        left.append(BLANK)

    def happens(component: Component, region: Region = region) -> tuple[e.Event, ...]:
        tile = dealt.governor_of(component)
        return () if tile is None else (e.GovernorTileDealt(region, tile),)

    return Stock(rulebook.SET_10, "governors", len(lying), tuple(map(dealt.of_governor, left)), happens)


def governor_tiles(players: int) -> int:
    """Governor tiles in play."""
    return _IN_A_REGION[players] * len(REGIONS)


def blank_tiles(players: int) -> int:
    """Blank governor tiles in play: none where four spaces are left out (ZHG-SET-10)."""
    return 0 if players == 3 else BLANKS  # noqa: PLR2004 - with three players


def _masters(state: State) -> Stock | None:
    if len(state.masters) >= state.table.players:
        return None
    left = tuple(dealt.of_master(card) for card in MASTERS if card not in state.masters)

    def happens(component: Component) -> tuple[e.Event, ...]:
        card = dealt.extra_card_of(component)
        return () if card is None else (e.MasterDealt(card),)

    return Stock(rulebook.SET_11, "masters", len(state.masters), left, happens)


def _start_tiles(state: State) -> Stock | None:
    begun = bool(state.starts) and len(state.starts[-1]) < DEALT_STARTS
    at = len(state.starts) - begun
    if at >= len(state.humans):
        return None
    seat = state.humans[at]
    lying = {tile for tiles in state.starts for tile in tiles}
    left = tuple(dealt.of_start(tile) for tile in START_TILES if tile not in lying)

    def happens(component: Component, seat: Seat = seat) -> tuple[e.Event, ...]:
        tile = dealt.start_of(component)
        return () if tile is None else (e.StartTileDealt(seat, tile),)

    return Stock(rulebook.SET_20, "starts", len(lying), left, happens)


_STEPS: Final = (
    _targets,
    _mausoleum_tiles,
    _wall_tiles,
    _emperor_tiles,
    _palace_tiles,
    _governor_tiles,
    _masters,
    _start_tiles,
)
_RULES: Final = (
    rulebook.SET_05,
    rulebook.SET_04,
    rulebook.SET_06,
    rulebook.SET_08,
    rulebook.SET_09,
    rulebook.SET_10,
    rulebook.SET_11,
    rulebook.SET_20,
)


def _not_in_stock(rule: Rule) -> Check[TaskCase[State, DealDue, Deal]]:
    def test(case: TaskCase[State, DealDue, Deal]) -> Breach | None:
        stock = due(case.state)
        if stock is None or stock.rule is not rule or case.move.component in stock.components:
            return None
        name = COMPONENT_NAMES.names[case.move.component]
        return Breach(f"{name} cannot come now", (name,))

    return Check(rule, test)


def _deals(state: State, _: DealDue) -> Iterator[Deal]:
    stock = due(state)
    return iter(()) if stock is None else map(Deal, stock.components)


def _dealt(case: TaskCase[State, DealDue, Deal]) -> tuple[e.Event, ...]:
    stock = due(case.state)
    return () if stock is None else stock.happens(case.move.component)


def by_chance(_: State, __: object) -> tuple[Actor, ...]:
    """Chance answers."""
    return (CHANCE,)


DEAL: Final = task(State, DealDue, rulebook.SET_22, by_chance).takes(
    Deal, tuple(_not_in_stock(rule) for rule in _RULES), each=_deals, then=_dealt, exact=True
)
FIRST: Final = task(State, FirstDue, rulebook.SET_19, by_chance).takes(
    DrawFirstPlayer,
    each=lambda state, _: map(DrawFirstPlayer, state.table.seats),
    then=lambda case: (e.FirstPlayerDrawn(case.move.seat),),
    exact=True,
)
