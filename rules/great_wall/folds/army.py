"""What happens to soldiers, hordes and the wall."""

from typing import Final

from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall.folds.change import (
    added,
    with_firing,
    with_marks,
    with_player,
    with_qin,
    with_reserve,
    with_rest,
    with_section,
)
from rules.great_wall.folds.course import with_horde_discarded
from rules.great_wall.folds.places import one
from rules.great_wall.kinds import (
    ALL_CLANS,
    HIGHEST,
    NOBODY,
    REED,
    SLOTS,
    Cell,
    Clan,
    Horde,
    Kind,
    Section,
    seat_of,
)
from rules.great_wall.state import Claimed, State
from rules.great_wall.wall import WallSection, covered, soldiers_on, without, wounded
from rules.kernel.reducer import reducer


def _recruited(state: State, event: e.Recruited) -> State:
    state = with_reserve(state, Clan(event.seat), one(event.kind), -1)
    wall = with_rest(state.section(event.section), event.seat, one(event.kind))
    return with_section(state, event.section, wall)


def _leaves_rest(state: State, clan: Clan, kind: Kind, section: Section) -> State:
    seat = seat_of(clan)
    if seat is None:
        return with_reserve(state, clan, one(kind), -1)
    return with_section(state, section, with_rest(state.section(section), seat, one(kind), -1))


def spots_at(state: State, section: Section, line: int, cells: tuple[Cell, ...]) -> tuple[int, ...]:
    """The spots of a horde by their cells; raises ValueError where there is none."""
    if line < 1:
        raise ValueError("lines are counted from 1")
    lying = state.section(section).hordes[line - 1]
    known = state.table.parts.hordes[lying.horde].cells
    return tuple(known.index(cell) for cell in cells)


def _covered(state: State, event: e.Covered) -> State:
    spots = spots_at(state, event.section, event.line, event.cells)
    state = _leaves_rest(state, event.clan, event.kind, event.section)
    wall = state.section(event.section)
    marks = covered(wall.hordes[event.line - 1].marks, event.clan, event.kind, spots)
    return with_section(state, event.section, with_marks(wall, event.line, marks))


def _archer_posted(state: State, event: e.ArcherPosted) -> State:
    state = _leaves_rest(state, event.clan, Kind.ARCHER, event.section)
    return with_section(state, event.section, with_firing(state.section(event.section), event.clan, 1))


def _wounded(state: State, event: e.Wounded) -> State:
    spots = spots_at(state, event.section, event.line, (event.cell,))
    wall = state.section(event.section)
    marks = wounded(wall.hordes[event.line - 1].marks, spots)
    return with_section(state, event.section, with_marks(wall, event.line, marks))


def _barricade_built(state: State, event: e.BarricadeBuilt) -> State:
    wall = state.section(event.section)
    if wall.barricades >= SLOTS:
        raise ValueError("the section has all its barricades")
    return with_section(state, event.section, structs.replace(wall, barricades=wall.barricades + 1))


def _wall_built(state: State, event: e.WallBuilt) -> State:
    wall = state.section(event.section)
    if wall.level >= HIGHEST:
        raise ValueError("the wall is complete")
    return with_section(state, event.section, structs.replace(wall, level=wall.level + 1))


def _warehouse_used(state: State, event: e.WarehouseUsed) -> State:
    wood, stone, gold = (have - n for have, n in zip(state.ware, event.units, strict=True))
    if min(wood, stone, gold) < 0:
        raise ValueError("the warehouse holds less than that")
    return structs.replace(state, ware=(wood, stone, gold))


def _horde_defeated(state: State, _: e.HordeDefeated) -> State:
    return state


def line_of(wall: WallSection, horde: Horde) -> int:
    """The line of a horde, from 1; raises ValueError where it does not lie."""
    return [lying.horde for lying in wall.hordes].index(horde) + 1


def _soldiers_lost(state: State, event: e.SoldiersLost) -> State:
    wall = state.section(event.section)
    gone = added(event.killed, event.saved)
    if event.horde is None:
        if gone != one(Kind.ARCHER, gone[Kind.ARCHER]):
            raise ValueError("only archers stand in slots")
        wall = with_firing(wall, event.clan, -gone[Kind.ARCHER])
    else:
        line = line_of(wall, event.horde)
        wall = with_marks(wall, line, without(wall.hordes[line - 1].marks, event.clan, gone))
    seat = seat_of(event.clan)
    if seat is None:
        return with_reserve(with_section(state, event.section, wall), event.clan, gone)
    wall = with_rest(wall, seat, event.saved)
    return with_reserve(with_section(state, event.section, wall), event.clan, event.killed)


def _soldiers_rested(state: State, event: e.SoldiersRested) -> State:
    line = line_of(state.section(event.section), event.horde)
    for number in range(ALL_CLANS):
        clan = Clan(number)
        wall = state.section(event.section)
        marks = wall.hordes[line - 1].marks
        resting = soldiers_on(marks, clan)
        if resting == NOBODY:
            continue
        wall = with_marks(wall, line, without(marks, clan, resting))
        seat = seat_of(clan)
        if seat is None:
            state = with_reserve(with_section(state, event.section, wall), clan, resting)
        else:
            state = with_section(state, event.section, with_rest(wall, seat, resting))
    return state


def _taken_away(state: State, section: Section, horde: Horde) -> State:
    wall = state.section(section)
    line = line_of(wall, horde)
    hordes = wall.hordes[: line - 1] + wall.hordes[line:]
    return with_section(state, section, structs.replace(wall, hordes=hordes))


def _horde_claimed(state: State, event: e.HordeClaimed) -> State:
    if event.clan == REED:
        raise ValueError("Reed claims no horde")
    state = _taken_away(state, event.section, event.horde)
    seat, card = seat_of(event.clan), Claimed(event.horde, 0)
    if seat is None:
        qin = state.of_qin
        return with_qin(state, structs.replace(qin, claimed=in_set_order(qin.claimed, card)))
    player = state.players[seat]
    return with_player(state, seat, structs.replace(player, claimed=in_set_order(player.claimed, card)))


def in_set_order(claimed: tuple[Claimed, ...], card: Claimed) -> tuple[Claimed, ...]:
    """With one claimed horde more."""
    return tuple(sorted((*claimed, card), key=lambda each: each.horde))


def _horde_discarded(state: State, event: e.HordeDiscarded) -> State:
    return with_horde_discarded(_taken_away(state, event.section, event.horde), event.horde)


def _section_held(state: State, _: e.SectionHeld) -> State:
    return state


def _section_breached(state: State, _: e.SectionBreached) -> State:
    return state


def _barricades_cleared(state: State, _: e.BarricadesCleared) -> State:
    for section in state.table.sections:
        wall = structs.replace(state.section(section), barricades=0)
        state = with_section(state, section, wall)
    return state


CHANGES: Final = (
    reducer(State)
    .on(e.Recruited, _recruited)
    .on(e.Covered, _covered)
    .on(e.ArcherPosted, _archer_posted)
    .on(e.Wounded, _wounded)
    .on(e.BarricadeBuilt, _barricade_built)
    .on(e.WallBuilt, _wall_built)
    .on(e.WarehouseUsed, _warehouse_used)
    .on(e.HordeDefeated, _horde_defeated)
    .on(e.SoldiersLost, _soldiers_lost)
    .on(e.SoldiersRested, _soldiers_rested)
    .on(e.HordeClaimed, _horde_claimed)
    .on(e.HordeDiscarded, _horde_discarded)
    .on(e.SectionHeld, _section_held)
    .on(e.SectionBreached, _section_breached)
    .on(e.BarricadesCleared, _barricades_cleared)
)
