"""What effects do: the one place that interprets cards, tiles and rewards (ZHG-STM-04)."""

from typing import Final, TypeAlias, assert_never

from rules.kernel.actors import Seat
from rules.zhanguo import effects as f
from rules.zhanguo import events as e
from rules.zhanguo.evolve import fold
from rules.zhanguo.frames import (
    CalmDue,
    Frame,
    HireDue,
    InstallDue,
    MasterDue,
    OfficialsDue,
    PalaceDue,
    PlaceDue,
    RecruitDue,
    ResetDue,
    SoldierDue,
    SymbolDue,
    TakeDue,
    WallDue,
    WorkersDue,
)
from rules.zhanguo.pieces import ASPECTS, Aspect, Region, Spot
from rules.zhanguo.printed import Symbol
from rules.zhanguo.queries import counted, free_slot, slot_points
from rules.zhanguo.state import State

Result: TypeAlias = tuple[tuple[e.Event, ...], tuple[Frame, ...]]
"""What happens at once, and what is asked after it."""

_SYMBOL: Final[dict[Symbol, tuple[Frame, ...]]] = {
    Symbol.ONE: (SymbolDue(),),
    Symbol.TWO: (SymbolDue(), SymbolDue()),
    Symbol.MASTER: (MasterDue(),),
}


def resolve(
    state: State, seat: Seat, effects: f.Effects, source: e.Source, here: Region | None = None
) -> tuple[e.Event, ...]:
    """What effects cause one after the other; what they ask stands last, on top of everything pending."""
    events: tuple[e.Event, ...] = ()
    frames: tuple[Frame, ...] = ()
    for effect in effects:
        happened, asked = _result(state, seat, effect, source, here)
        state = fold(state, happened)
        events += happened
        frames += asked
    return (*events, e.ChoicesDue(frames)) if frames else events


def _result(  # noqa: C901 - one case per operation
    state: State, seat: Seat, effect: f.Effect, source: e.Source, here: Region | None
) -> Result:
    player = state.players[seat]
    match effect:
        case f.MoveBoat():
            return sailed(state, seat, effect.by)
        case f.RecruitOfficials():
            return _recruited(state, seat, effect, _where(effect.where, here))
        case f.HireWorkers():
            where = _where(effect.where, here)
            if len(where) > 1:
                return (), (HireDue(where, effect.count),)
            return tuple(e.WorkersHired(seat, region, effect.count) for region in where), ()
        case f.MoveOfficials():
            return (), (OfficialsDue(effect.most),)
        case f.MoveWorkers():
            return (), (WorkersDue(effect.count, effect.must),)
        case f.CalmRegions():
            return (), (CalmDue(effect.times, ()),)
        case f.CalmHere():
            restless = [region for region in _where(f.HERE, here) if player.domains[region].unrest]
            return tuple(e.UnrestLowered(seat, region, 1) for region in restless), ()
        case f.ResetRegions():
            return (), (ResetDue(effect.most),)
        case f.RaiseUnrest():
            return tuple(e.UnrestRaised(seat, region, 1) for region in _where(effect.where, here)), ()
        case f.TakeTokens():
            return (), (TakeDue(effect.count),)
        case f.GainTokens():
            return tuple(
                event
                for aspect in ASPECTS
                for event in gained(state, seat, aspect, effect.aspects.count(aspect))
            ), ()
        case f.ScoreEach():
            return scored(seat, effect.vp * counted(state, seat, effect.each, here), source), ()
        case f.ScoreRound():
            return scored(seat, state.round, source), ()
        case f.UnlockSoldiers():
            return unlocked(state, seat, effect.count), ()
        case f.PlaceAlchemists():
            return (), (PlaceDue(effect.count, _where(effect.where, here), must=True),)
        case f.PlaceSoldierFree():
            return (), (SoldierDue(),)
        case f.FreeGovernor():
            return (), (InstallDue(effect.where),)
        case f.FreePalace():
            return (), (PalaceDue(),)
        case f.FreeWall():
            return (), (WallDue(),)
        case _:
            assert_never(effect)


def _where(where: f.Where, here: Region | None) -> tuple[Region, ...]:
    if where != f.HERE:
        return where
    return () if here is None else (here,)


def _recruited(state: State, seat: Seat, effect: f.RecruitOfficials, where: tuple[Region, ...]) -> Result:
    if len(effect.types) > 1 or len(where) > 1:
        return (), (RecruitDue(effect.types, where, effect.count),)
    events = [
        event
        for official in effect.types
        for region in where
        for event in recruited(state, seat, e.OfficialsRecruited(seat, official, region, effect.count))
    ]
    return tuple(events), ()


def recruited(state: State, seat: Seat, wanted: e.OfficialsRecruited) -> tuple[e.Event, ...]:
    """Officials as far as the reserve goes (ZHG-ABL-23)."""
    count = min(wanted.count, state.players[seat].reserve(wanted.official))
    return (e.OfficialsRecruited(seat, wanted.official, wanted.region, count),) if count else ()


def gained(state: State, seat: Seat, aspect: Aspect, count: int) -> tuple[e.Event, ...]:
    """Tokens as far as the supply goes (ZHG-UNI-05)."""
    count = min(count, state.supply(aspect))
    return (e.TokensGained(seat, aspect, count),) if count else ()


def scored(seat: Seat, vp: int, source: e.Source) -> tuple[e.Event, ...]:
    """Points, if there are any."""
    return (e.PointsScored(seat, vp, source),) if vp else ()


def unlocked(state: State, seat: Seat, count: int) -> tuple[e.Event, ...]:
    """Soldiers, not more than are locked."""
    count = min(count, state.players[seat].locked)
    return (e.SoldiersUnlocked(seat, count),) if count else ()


def sailed(state: State, seat: Seat, by: int) -> Result:
    """The boat moves on as far as the route goes; its symbols are asked in their order (ZHG-CRT-21, -22)."""
    route, origin = state.table.printed.route, state.players[seat].boat
    to = min(origin + by, route.end)
    if to == origin:
        return (), ()
    asked = [frame for space in range(origin + 1, to + 1) for frame in _frames(route.symbols.get(space))]
    return (e.BoatMoved(seat, origin, to),), tuple(asked)


def _frames(symbol: Symbol | None) -> tuple[Frame, ...]:
    return () if symbol is None else _SYMBOL[symbol]


def soldier_placed(state: State, seat: Seat, spot: Spot) -> tuple[e.Event, ...]:
    """A soldier on the highest free slot, with its points (ZHG-MAU-03)."""
    slot = free_slot(state, seat, spot)
    if slot is None:
        return ()
    return (
        e.SoldierPlaced(seat, spot, slot),
        *scored(seat, slot_points(state, spot, slot), e.Source.SOLDIER),
    )
