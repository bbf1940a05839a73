"""Set-up by chance, one component per entry (ZHG-SET-04 to -20, ZHG-SET-22)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import CHANCE, Actor
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


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the set-up."""

    what: str
    """One of its components, in words."""
    rule: Callable[[State], Rule]
    pending: Callable[[State], bool]
    """Whether something of it is still to be dealt: cheap, as every check of a deal asks this."""
    stock: Callable[[State], Stock]


def _step(state: State) -> Step | None:
    for step in _STEPS:
        if step.pending(state):
            return step
    return None


def is_dealt(state: State) -> bool:
    """Whether the set-up is complete but for the choice of start tiles."""
    return _step(state) is None


def due(state: State) -> Stock | None:
    """The stock from which the next component comes; None once everything is dealt."""
    step = _step(state)
    return None if step is None else step.stock(state)


def _targets(state: State) -> Stock:
    spot = next(spot for spot in SPOTS if state.mausoleum[spot].target is None)
    lying = {at.target for at in state.mausoleum}
    left = tuple(dealt.of_target(target) for target in TARGETS if target not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        target = dealt.target_of(component)
        return () if target is None else (e.TargetDealt(spot, target),)

    return Stock(rulebook.SET_05, "targets", spot, left, happens)


def _tile_rule(state: State) -> Rule:
    return rulebook.SET_05 if state.table.options.tokens else rulebook.SET_04


def _mausoleum_tiles(state: State) -> Stock:
    free = [spot for spot in SPOTS if state.mausoleum[spot].tile is None]
    kind, spot = min((_kind_on(state, spot), spot) for spot in free)
    lying = {other.tile for other in state.mausoleum}
    every = [tile for tile in MAUSOLEUM_TILES if tile_kind(tile) is kind]
    left = tuple(dealt.of_tile(tile) for tile in every if tile not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.tile_of(component)
        return () if tile is None else (e.MausoleumTileDealt(spot, tile),)

    return Stock(_tile_rule(state), f"mausoleum-{kind.word}", len(every) - len(left), left, happens)


def _kind_on(state: State, spot: Spot) -> TargetKind:
    target = state.mausoleum[spot].target
    if target is None:
        raise ValueError("tiles are dealt once every spot has a target")
    return target.kind


def _wall_tiles(state: State) -> Stock:
    section = next(section for section in SECTIONS if state.walls[section].face is None)
    lying = {wall.face // 2 for wall in state.walls if wall.face is not None}
    left = tuple(dealt.of_face(face) for face in FACES if face // 2 not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        face = dealt.face_of(component)
        return () if face is None else (e.WallTileDealt(section, face),)

    return Stock(rulebook.SET_06, "walls", len(lying), left, happens)


def _emperor_tiles(state: State) -> Stock:
    lying = {tile for pile in state.emperors for tile in pile}
    left = tuple(dealt.of_emperor(tile) for tile in EMPEROR_TILES if tile not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.emperor_of(component)
        return () if tile is None else (e.EmperorTileDealt(tile),)

    return Stock(rulebook.SET_08, "emperors", len(lying), left, happens)


def _needs_palace_tile(state: State, region: Region) -> bool:
    return len(state.regions[region].tiles) < state.table.printed.palace_spaces[region]


def _palace_tiles(state: State) -> Stock:
    region = next(region for region in REGIONS if _needs_palace_tile(state, region))
    left = tuple(dealt.of_kind(kind) for kind in TILE_KINDS if _copies_left(state, kind))

    def happens(component: Component) -> tuple[e.Event, ...]:
        kind = dealt.tile_kind_of(component)
        return () if kind is None else (e.PalaceTileDealt(region, kind),)

    lying = sum(len(at.tiles) for at in state.regions)
    return Stock(rulebook.SET_09, "palaces", lying, left, happens)


def _copies_left(state: State, kind: TileKind) -> int:
    return state.table.printed.copies[kind] - sum([region.tiles.count(kind) for region in state.regions])


def _needs_governor_tile(state: State, region: Region) -> bool:
    return len(state.regions[region].spots) < _IN_A_REGION[state.table.players]


def _governor_tiles(state: State) -> Stock:
    region = next(region for region in REGIONS if _needs_governor_tile(state, region))
    lying = [spot.tile for at in state.regions for spot in at.spots]
    blanks = blank_tiles(state.table.players)
    blanks_lying = lying.count(BLANK)
    left: list[GovernorTile] = []
    if len(lying) - blanks_lying < governor_tiles(state.table.players) - blanks:
        left += [tile for tile in BONUS_TILES if tile not in lying]
    if blanks_lying < blanks:
        left.append(BLANK)

    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.governor_of(component)
        return () if tile is None else (e.GovernorTileDealt(region, tile),)

    return Stock(rulebook.SET_10, "governors", len(lying), tuple(map(dealt.of_governor, left)), happens)


def governor_tiles(players: int) -> int:
    """Governor tiles in play."""
    return _IN_A_REGION[players] * len(REGIONS)


def blank_tiles(players: int) -> int:
    """Blank governor tiles in play: none where four spaces are left out (ZHG-SET-10)."""
    return 0 if players == 3 else BLANKS  # noqa: PLR2004 - with three players


def _masters(state: State) -> Stock:
    left = tuple(dealt.of_master(card) for card in MASTERS if card not in state.masters)

    def happens(component: Component) -> tuple[e.Event, ...]:
        card = dealt.extra_card_of(component)
        return () if card is None else (e.MasterDealt(card),)

    return Stock(rulebook.SET_11, "masters", len(state.masters), left, happens)


def _seats_with_starts(state: State) -> int:
    """Seats that have all of their start tiles."""
    return len(state.starts) - (bool(state.starts) and len(state.starts[-1]) < DEALT_STARTS)


def _start_tiles(state: State) -> Stock:
    seat = state.humans[_seats_with_starts(state)]
    lying = {tile for tiles in state.starts for tile in tiles}
    left = tuple(dealt.of_start(tile) for tile in START_TILES if tile not in lying)

    def happens(component: Component) -> tuple[e.Event, ...]:
        tile = dealt.start_of(component)
        return () if tile is None else (e.StartTileDealt(seat, tile),)

    return Stock(rulebook.SET_20, "starts", len(lying), left, happens)


def _always(rule: Rule) -> Callable[[State], Rule]:
    return lambda _: rule


_STEPS: Final = (
    Step(
        "a Mausoleum token",
        _always(rulebook.SET_05),
        lambda state: None in [at.target for at in state.mausoleum],
        _targets,
    ),
    Step(
        "a Mausoleum tile",
        _tile_rule,
        lambda state: None in [at.tile for at in state.mausoleum],
        _mausoleum_tiles,
    ),
    Step(
        "a wall tile",
        _always(rulebook.SET_06),
        lambda state: None in [at.face for at in state.walls],
        _wall_tiles,
    ),
    Step(
        "an Emperor tile",
        _always(rulebook.SET_08),
        lambda state: sum(map(len, state.emperors)) < state.table.players + _EMPERORS_MORE,
        _emperor_tiles,
    ),
    Step(
        "a palace tile",
        _always(rulebook.SET_09),
        lambda state: sum([len(at.tiles) for at in state.regions]) < sum(state.table.printed.palace_spaces),
        _palace_tiles,
    ),
    Step(
        "a governor tile",
        _always(rulebook.SET_10),
        lambda state: sum([len(at.spots) for at in state.regions]) < governor_tiles(state.table.players),
        _governor_tiles,
    ),
    Step(
        "a Master", _always(rulebook.SET_11), lambda state: len(state.masters) < state.table.players, _masters
    ),
    Step(
        "a start tile",
        _always(rulebook.SET_20),
        lambda state: _seats_with_starts(state) < len(state.humans),
        _start_tiles,
    ),
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
        step = _step(case.state)
        if step is None or step.rule(case.state) is not rule:
            return None
        if case.move.component in step.stock(case.state).components:
            return None
        name = COMPONENT_NAMES.names[case.move.component]
        return Breach(f"{step.what} is due, and {name} is none that is left", (name,))

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
