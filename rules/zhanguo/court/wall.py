"""Building a wall (ZHG-CRT-60 to -66), at Court and free, with the Emperor tile."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import ActDue, EmperorDue, WallDue
from rules.zhanguo.moves import BuildWall, PutEmperor
from rules.zhanguo.pieces import CARD_NAMES, SECTIONS, Action, Card, Section
from rules.zhanguo.queries import acting, awaits_seat, passes_test, regions_with
from rules.zhanguo.state import State


def slots(state: State, seat: Seat) -> Iterator[tuple[Section, int, int]]:
    """Slots that a seat may build on, whatever they cost: section, slot from 1, strokes."""
    for section in SECTIONS:
        built = state.walls[section].slots
        if seat in built:
            continue
        for at, taken in enumerate(built):
            strokes = state.table.printed.strokes(section, at)
            if taken is None and strokes is not None:
                yield section, at + 1, strokes


def possible(state: State, seat: Seat) -> bool:
    """Whether a wall is left, and the workers for some slot are there."""
    payers = len(regions_with(state, seat, 1))
    if not payers or not state.walls_left(seat):
        return False
    return any(strokes <= payers for _, _, strokes in slots(state, seat))


# Where


def _no_wall(case: TaskCase[State, object, BuildWall]) -> Breach | None:
    if not case.state.walls_left(acting(case.state)):
        return Breach("no wall is left")
    section = case.move.section
    if not 1 <= case.move.slot <= len(case.state.walls[section].slots):
        return Breach(f"{section.word} has no slot {case.move.slot}", (section.word,))
    return None


def _taken(case: TaskCase[State, object, BuildWall]) -> Breach | None:
    section, built = case.move.section, case.state.walls[case.move.section].slots
    if acting(case.state) in built:
        return Breach(f"an own wall is in {section.word} already", (section.word,))
    if 1 <= case.move.slot <= len(built) and built[case.move.slot - 1] is not None:
        return Breach(f"slot {case.move.slot} of {section.word} is taken", (section.word,))
    return None


def _for_more_players(case: TaskCase[State, object, BuildWall]) -> Breach | None:
    section, slot = case.move.section, case.move.slot
    printed = case.state.table.printed
    if 1 <= slot <= len(printed.walls[section]) and printed.strokes(section, slot - 1) is None:
        return Breach(f"slot {slot} of {section.word} is for more players", (section.word,))
    return None


_WHERE: Final = (
    Check(rulebook.CRT_61, _no_wall),
    Check(rulebook.CRT_63, _taken),
    Check(rulebook.SET_07, _for_more_players),
)


def _not_paid(case: TaskCase[State, ActDue, BuildWall]) -> Breach | None:
    move = case.move
    strokes = case.state.table.printed.strokes(move.section, move.slot - 1)
    if len(move.regions) != strokes:
        cost = "1 worker" if strokes == 1 else f"{strokes} workers"
        return Breach(f"slot {move.slot} of {move.section.word} costs {cost}", (move.section.word,))
    for at, region in enumerate(move.regions):
        if region in move.regions[:at]:
            return Breach(f"{region.title} pays twice", (region.word,))
        if not case.state.players[case.task.seat].domains[region].workers:
            return Breach(f"no worker is in {region.title}", (region.word,))
    return None


CHECKS: Final = (_WHERE, (Check(rulebook.CRT_62, _not_paid),))


def moves(state: State, due: ActDue) -> Iterator[BuildWall]:
    """Every slot that can be paid for, with every set of regions that pays."""
    if state.walls_left(due.seat):
        payers = regions_with(state, due.seat, 1)
        for section, slot, strokes in slots(state, due.seat):
            for regions in combinations(payers, strokes):
                yield BuildWall(section, slot, regions)


def done(case: TaskCase[State, ActDue, BuildWall]) -> tuple[e.Event, ...]:
    """Workers go, the wall stands, and an Emperor tile may follow."""
    seat, move = case.task.seat, case.move
    return (
        e.ActionTaken(seat, Action.WALL, passes_test(case.state, Action.WALL)),
        *(e.WorkersSpent(seat, region, 1) for region in move.regions),
        *_built(case.state, seat, move),
    )


def _built(state: State, seat: Seat, move: BuildWall) -> tuple[e.Event, ...]:
    wall = e.WallBuilt(seat, move.section, move.slot)
    pile = state.emperors[move.section.site]
    if not pile or not _claims(state, move.section) or next(_bearers(state, seat), None) is None:
        return (wall,)
    return wall, e.EmperorTileTaken(seat, pile[0]), e.ChoicesDue((EmperorDue(pile[0]),))


def _claims(state: State, section: Section) -> bool:
    """Whether the next wall there is the first one: in the section, or by a ruling on the site (AMB-01)."""
    sections = (section, section.other) if state.table.rulings.claim_by_site else (section,)
    return all(taken is None for each in sections for taken in state.walls[each].slots)


# Free


def _workers_named(case: TaskCase[State, WallDue, BuildWall]) -> Breach | None:
    return Breach("a free wall takes no workers") if case.move.regions else None


def _free(state: State, _: WallDue) -> Iterator[BuildWall]:
    seat = acting(state)
    if state.walls_left(seat):
        for section, slot, _strokes in slots(state, seat):
            yield BuildWall(section, slot, ())


WALL: Final = task(
    State, WallDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    BuildWall,
    _WHERE,
    (Check(rulebook.REW_40, _workers_named),),
    each=_free,
    then=lambda case: (e.ChoiceMade(()), *_built(case.state, acting(case.state), case.move)),
    exact=True,
)


# The Emperor tile


def _bearers(state: State, seat: Seat) -> Iterator[Card]:
    """Own cards above the board without a tile, in canonical order."""
    return iter(sorted(placed.card for _, placed in state.players[seat].cards() if placed.emperor is None))


def _no_bearer(case: TaskCase[State, EmperorDue, PutEmperor]) -> Breach | None:
    name = CARD_NAMES.names[case.move.card]
    if case.state.players[acting(case.state)].find(case.move.card) is None:
        return Breach(f"{name} is not above the own board", (name,))
    return None


def _has_tile(case: TaskCase[State, EmperorDue, PutEmperor]) -> Breach | None:
    found = case.state.players[acting(case.state)].find(case.move.card)
    if found is None or found[1].emperor is None:
        return None
    name = CARD_NAMES.names[case.move.card]
    return Breach(f"an Emperor tile is on {name} already", (name,))


def _put(case: TaskCase[State, EmperorDue, PutEmperor]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.EmperorTilePlaced(acting(case.state), case.task.tile, case.move.card)


EMPEROR: Final = task(
    State, EmperorDue, rulebook.CRT_64, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    PutEmperor,
    (Check(rulebook.CRT_64, _no_bearer), Check(rulebook.CRT_65, _has_tile)),
    each=lambda state, _: (PutEmperor(card) for card in _bearers(state, acting(state))),
    then=_put,
    exact=True,
)
