"""Building a palace (ZHG-CRT-50 to -56), at Court and free, with the tile and the large token."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.annex import TILE_VP, UNREST_TILE_VP
from rules.zhanguo.frames import ActDue, Frame, LargeDue, PalaceDue, TileDue
from rules.zhanguo.moves import BuildPalace, TakeLarge, TakePalaceTile
from rules.zhanguo.pieces import (
    ASPECTS,
    REGIONS,
    TILE_KINDS,
    UNREST,
    Action,
    CardKind,
    Official,
    Region,
    TileKind,
    kind_of,
)
from rules.zhanguo.player_board import Domain
from rules.zhanguo.queries import acting, awaits_seat, passes_test, regions_with
from rules.zhanguo.resolve import scored
from rules.zhanguo.state import State

WORKERS: Final = 2
"""Workers from the region itself; a third comes from elsewhere."""
PALACE_VP: Final = 6


def _sites(state: State, seat: Seat) -> Iterator[Region]:
    domains = state.players[seat].domains
    for region in REGIONS:
        if domains[region].workers >= WORKERS and domains[region].officials[Official.ARCHITECT]:
            yield region


def possible(state: State, seat: Seat) -> bool:
    """Whether a palace is left and can be paid for somewhere."""
    helpers = regions_with(state, seat, 1)
    return len(helpers) > 1 and next(_sites(state, seat), None) is not None and state.palaces_left(seat) > 0


def _cannot_build(case: TaskCase[State, ActDue, BuildPalace]) -> Breach | None:
    seat, region = case.task.seat, case.move.region
    domain = case.state.players[seat].domains[region]
    if not case.state.palaces_left(seat):
        return Breach("no palace is left")
    if not domain.officials[Official.ARCHITECT]:
        return Breach(f"no architect is in {region.title}", (region.word,))
    if domain.workers < WORKERS:
        return Breach(f"{region.title} has {domain.workers} workers, not {WORKERS}", (region.word,))
    return None


def _no_third(case: TaskCase[State, ActDue, BuildPalace]) -> Breach | None:
    third = case.move.third
    if third is None:
        return Breach("the region of the third worker is not named")
    if third is case.move.region:
        return Breach("the third worker comes from another region", (third.word,))
    if not case.state.players[case.task.seat].domains[third].workers:
        return Breach(f"no worker is in {third.title}", (third.word,))
    return None


CHECKS: Final = ((Check(rulebook.CRT_50, _cannot_build), Check(rulebook.CRT_51, _no_third)),)


def moves(state: State, due: ActDue) -> Iterator[BuildPalace]:
    """Every region with an architect and two workers, with every region of a third."""
    if state.palaces_left(due.seat):
        helpers = regions_with(state, due.seat, 1)
        for region in _sites(state, due.seat):
            for third in helpers:
                if third is not region:
                    yield BuildPalace(region, third)


def done(case: TaskCase[State, ActDue, BuildPalace]) -> tuple[e.Event, ...]:
    """Workers go, the palace stands, a tile and a large token follow."""
    seat, move = case.task.seat, case.move
    third = (e.WorkersSpent(seat, move.third, 1),) if move.third is not None else ()
    return (
        e.ActionTaken(seat, Action.PALACE, passes_test(case.state, Action.PALACE)),
        e.WorkersSpent(seat, move.region, WORKERS),
        *third,
        *_built(seat, move.region, (TileDue(move.region), LargeDue())),
    )


def _built(seat: Seat, region: Region, asked: tuple[Frame, ...]) -> tuple[e.Event, ...]:
    return (
        e.PalaceBuilt(seat, region),
        e.PointsScored(seat, PALACE_VP, e.Source.PALACE),
        e.ChoicesDue(asked),
    )


# Free


def _none_left(case: TaskCase[State, PalaceDue, BuildPalace]) -> Breach | None:
    return None if case.state.palaces_left(acting(case.state)) else Breach("no palace is left")


def _worker_named(case: TaskCase[State, PalaceDue, BuildPalace]) -> Breach | None:
    return None if case.move.third is None else Breach("a free palace takes no worker")


def _free(state: State, _: PalaceDue) -> Iterator[BuildPalace]:
    if state.palaces_left(acting(state)):
        yield from (BuildPalace(region, None) for region in REGIONS)


def _built_free(case: TaskCase[State, PalaceDue, BuildPalace]) -> tuple[e.Event, ...]:
    region = case.move.region
    return (e.ChoiceMade(()), *_built(acting(case.state), region, (TileDue(region),)))


PALACE: Final = task(
    State, PalaceDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    BuildPalace,
    (Check(rulebook.CRT_50, _none_left), Check(rulebook.REW_40, _worker_named)),
    each=_free,
    then=_built_free,
    exact=True,
)


# The palace tile


def tile_points(domain: Domain, kind: TileKind) -> int:
    """What a palace tile gives for the cards of its region (ZHG-CRT-55, -56)."""
    if kind is TileKind.UNREST_ALL:
        return UNREST_TILE_VP * len(domain.cards)
    return TILE_VP * sum(kind_of(placed.card) is CardKind(kind) for placed in domain.cards)


def _domain(state: State, region: Region) -> Domain:
    return state.players[acting(state)].domains[region]


def _too_restless(case: TaskCase[State, TileDue, TakePalaceTile]) -> Breach | None:
    region = case.task.region
    if case.move.kind is TileKind.UNREST_ALL and _domain(case.state, region).unrest >= UNREST:
        return Breach(f"{region.title} is at unrest {UNREST}", (region.word,))
    return None


def _not_takeable(case: TaskCase[State, TileDue, TakePalaceTile]) -> Breach | None:
    region = case.task.region
    if case.move.kind not in case.state.regions[region].tiles:
        return Breach(f"no such tile is left in {region.title}", (region.word,))
    return _too_restless(case)


def _tiles(state: State, due: TileDue) -> Iterator[TakePalaceTile]:
    restless = _domain(state, due.region).unrest >= UNREST
    for kind in TILE_KINDS:
        if kind in state.regions[due.region].tiles and not (restless and kind is TileKind.UNREST_ALL):
            yield TakePalaceTile(kind)


def _tile_taken(case: TaskCase[State, TileDue, TakePalaceTile]) -> tuple[e.Event, ...]:
    seat, region, kind = acting(case.state), case.task.region, case.move.kind
    events: tuple[e.Event, ...] = (e.ChoiceMade(()), e.PalaceTileTaken(seat, region, kind))
    if kind is TileKind.UNREST_ALL:
        events += (e.UnrestRaised(seat, region, 1),)
    return (*events, *scored(seat, tile_points(_domain(case.state, region), kind), e.Source.PALACE_TILE))


TILE: Final = task(
    State, TileDue, rulebook.CRT_53, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    TakePalaceTile,
    (Check(rulebook.CRT_53, _not_takeable), Check(rulebook.UNR_02, _too_restless)),
    each=_tiles,
    then=_tile_taken,
    exact=True,
)


# The large token


def _none_on_board(case: TaskCase[State, LargeDue, TakeLarge]) -> Breach | None:
    if case.state.holder(case.move.aspect) is None:
        return None
    return Breach(f"the large token of {case.move.aspect.word} is not on the board")


def _large_taken(case: TaskCase[State, LargeDue, TakeLarge]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.LargeTaken(acting(case.state), case.move.aspect)


LARGE: Final = task(
    State, LargeDue, rulebook.CRT_54, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    TakeLarge,
    (Check(rulebook.CRT_54, _none_on_board),),
    each=lambda state, _: (TakeLarge(aspect) for aspect in ASPECTS if state.holder(aspect) is None),
    then=_large_taken,
    exact=True,
)
