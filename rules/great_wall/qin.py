"""Qin Jiushao, who acts by rule (GW-SOL)."""

from collections.abc import Callable, Iterator
from typing import Final

from rules.great_wall import operations as o
from rules.great_wall.aim import card_of, horde_at, lines
from rules.great_wall.events import (
    ArcherPosted,
    BarricadeBuilt,
    ClerkMoved,
    Covered,
    Event,
    ForemanUpgraded,
    LocationActivated,
    WallBuilt,
    WarehouseUsed,
    Wounded,
)
from rules.great_wall.evolve import fold
from rules.great_wall.kinds import (
    BUILDING,
    HIGHEST,
    PRODUCTION,
    QIN,
    REED,
    SLOTS,
    Cause,
    Kind,
    Location,
    Occasion,
    Section,
)
from rules.great_wall.occasions import assistants, honour, on_occasion
from rules.great_wall.pending import Activate, Task
from rules.great_wall.state import State
from rules.great_wall.wall import EMPTY

_FOR_A_WOUND: Final = 2
"""Honour that Qin gets in place of what is printed (GW-SOL-26)."""


def lowest_first(state: State) -> tuple[Location, ...]:
    """The locations of Qin's track, from what he wants most (GW-SOL-12)."""
    return tuple(token.location for token in reversed(state.of_qin.track))


def qin_operation(state: State, operation: o.Operation) -> tuple[tuple[Event, ...], tuple[Task, ...]]:
    """An operation of his own card."""
    match operation:
        case o.SendClerks():
            helped = any(card.clan != QIN and card.card == operation.bonus_card for card in state.track)
            return qin_clerks(state, operation.n + (operation.bonus if helped else 0)), ()
        case o.GainHonour():
            n = operation.n * (assistants(state, QIN) if operation.per_assistant else 1)
            return honour(QIN, n, Cause.CARD), ()
        case o.ActivateOne():
            wanted = next((place for place in lowest_first(state) if state.clerks(place, QIN)), None)
            if wanted is None:
                return (), ()
            return (LocationActivated(wanted, advanced=True),), (Activate(wanted, advanced=True),)
        case o.QinRecruits(kind, n):
            return _again(state, n, qin_archer if kind is Kind.ARCHER else qin_spearman), ()
        case o.QinBuilds():
            return _wall(state), ()
        case o.RaiseForemen(n):
            return _again(state, n, _foreman), ()
        case _:
            return (), ()


def _again(state: State, n: int, once: Callable[[State], tuple[Event, ...]]) -> tuple[Event, ...]:
    """The same several times, each time from what has come of it."""
    found: tuple[Event, ...] = ()
    for _ in range(n):
        more = once(state)
        found += more
        state = fold(state, more)
    return found


def qin_clerks(state: State, n: int) -> tuple[Event, ...]:
    """Clerks to the lowest locations that are not full, each to another (GW-SOL-22, AMB-26)."""
    found: tuple[Event, ...] = ()
    used: list[Location] = []
    for _ in range(n):
        goal = next(
            (place for place in lowest_first(state) if place not in used and not state.is_full(place)),
            None,
        )
        if goal is None:
            break
        source: Location | None = None
        if not state.of_qin.clerks:
            source = next(
                (
                    place
                    for place in reversed(lowest_first(state))
                    if state.clerks(place, QIN)
                    and place != goal
                    and place not in used
                    and not state.is_full(place)
                ),
                None,
            )
            if source is None:
                break
        moved = (ClerkMoved(QIN, source, goal),)
        used.append(goal)
        found += moved
        state = fold(state, moved)
    return found


def qin_sends_reed(state: State, n: int) -> tuple[Event, ...]:
    """Reed's clerks as Qin sends them where he is the overlord (GW-SOL-28, AMB-53)."""
    found: tuple[Event, ...] = ()
    used: list[Location] = []
    for _ in range(n):
        moved = next(_reed_moves(state, used), None)
        if moved is None:
            break
        used.append(moved.target)
        found += (moved,)
        state = fold(state, (moved,))
    return found


def _reed_moves(state: State, used: list[Location]) -> Iterator[ClerkMoved]:
    wanted = lowest_first(state)
    off_track = [place for place in state.table.board.order if place not in wanted]
    for source in (*off_track, *reversed(wanted)):
        if not state.clerks(source, REED) or source in used or state.is_full(source):
            continue
        goal = next(
            (place for place in wanted if not state.clerks(place, REED) and not state.is_full(place)), None
        )
        lower = source not in wanted or (goal is not None and wanted.index(goal) < wanted.index(source))
        if goal is not None and lower:
            yield ClerkMoved(REED, source, goal)


# Fighting and building.


def indicated(state: State) -> tuple[Section, ...]:
    """The open sections, that of the invasion indicator first."""
    sections = state.table.sections
    return tuple(sorted(sections, key=lambda section: (section != state.top, section)))


def _fill_order(state: State, section: Section, line: int) -> Iterator[int]:
    """The empty spots of a horde in the order in which he fills them (AMB-28)."""
    lying = horde_at(state, section, line)
    if lying is not None:
        card = card_of(state, lying)
        order = range(len(card.cells)) if state.table.rulings.fill_rows else card.by_columns
        yield from (spot for spot in order if lying.marks[spot] == EMPTY)


def _spear_place(state: State) -> Covered | None:
    """Where a spearman goes by his rules; the clan is to be put in."""
    for section in indicated(state):
        lying = horde_at(state, section, 1)
        spot = next(_fill_order(state, section, 1), None)
        if lying is None or spot is None:
            continue
        card = card_of(state, lying)
        if not card.is_immune(Kind.SPEARMAN, front=True):
            return Covered(QIN, Kind.SPEARMAN, section, 1, (card.cells[spot],))
    return None


def qin_spearman(state: State) -> tuple[Event, ...]:
    """A free spearman attacks, if one can (GW-SOL-26)."""
    place = _spear_place(state)
    if place is None or not state.of_qin.reserve[Kind.SPEARMAN]:
        return ()
    return (
        place,
        *honour(QIN, _FOR_A_WOUND, Cause.WOUND),
        *on_occasion(state, QIN, Occasion.RECRUIT),
        *on_occasion(state, QIN, Occasion.COVER),
    )


def reed_spearman_by_qin(state: State) -> tuple[Event, ...]:
    """A Reed spearman as Qin sends it; he gains nothing by it."""
    place = _spear_place(state)
    if place is None or not state.reed:
        return ()
    return (Covered(REED, Kind.SPEARMAN, place.section, 1, place.cells),)


def qin_archer(state: State) -> tuple[Event, ...]:
    """A free archer takes a slot of the indicated section, if one is free (GW-SOL-26)."""
    section = indicated(state)[0]
    if state.free_firing(section) <= 0 or not state.of_qin.reserve[Kind.ARCHER]:
        return ()
    return (
        ArcherPosted(QIN, section),
        *on_occasion(state, QIN, Occasion.RECRUIT),
        *qin_shot(state, section),
    )


def qin_shot(state: State, section: Section) -> tuple[Event, ...]:
    """An archer wounds the horde nearest the wall that it may wound."""
    for line in lines(state, section):
        lying = horde_at(state, section, line)
        spot = next(_fill_order(state, section, line), None)
        if lying is None or spot is None:
            continue
        card = card_of(state, lying)
        if not card.is_immune(Kind.ARCHER, front=line == 1):
            return (
                Wounded(QIN, section, line, card.cells[spot]),
                *honour(QIN, _FOR_A_WOUND, Cause.WOUND),
                *on_occasion(state, QIN, Occasion.SHOOT),
            )
    return ()


def qin_fires(state: State, section: Section) -> tuple[Event, ...]:
    """All his archers of a section, one after the other."""
    return _again(state, state.section(section).firing[QIN], lambda seen: qin_shot(seen, section))


def qin_recruits(state: State, n: int) -> tuple[Event, ...]:
    """A free spearman per clerk, as far as his reserve goes (GW-SOL-24)."""
    return _again(state, n, qin_spearman)


def _wall(state: State) -> tuple[Event, ...]:
    """The next part of the indicated section; what the warehouse lacks is free (GW-SOL-16, AMB-25)."""
    section = next((each for each in indicated(state) if state.section(each).level < HIGHEST), None)
    if section is None:
        return ()
    levels, level = state.table.parts.wall, state.section(section).level
    left, units = levels[level].next_cost, [0, 0, 0]
    for resource in BUILDING:
        units[resource] = min(left, state.ware[resource])
        left -= units[resource]
    wood, stone, gold = units
    return (
        *((WarehouseUsed((wood, stone, gold)),) if any(units) else ()),
        WallBuilt(QIN, section),
        *honour(QIN, levels[level + 1].honour, Cause.BUILDING),
        *on_occasion(state, QIN, Occasion.WALL),
    )


def barricade_by_qin(state: State) -> tuple[Event, ...]:
    """Reed's barricade where Qin is the overlord (AMB-55)."""
    for section in indicated(state):
        if state.section(section).barricades < SLOTS:
            return (BarricadeBuilt(REED, section),)
    return ()


def _foreman(state: State) -> tuple[Event, ...]:
    """His foreman below the highest level in the lowest production location rises."""
    for place in lowest_first(state):
        if place in PRODUCTION and 0 < state.foreman_level(QIN, place) < HIGHEST:
            return (
                ForemanUpgraded(QIN, place, None),
                *on_occasion(state, QIN, Occasion.UPGRADE),
            )
    return ()


def qin_order(state: State, eligible: tuple[Location, ...]) -> tuple[Location, ...]:
    """In which order his locations activate, fixed when the step begins (GW-SOL-25, AMB-27)."""
    mine = tuple(place for place in lowest_first(state) if place in eligible and state.clerks(place, QIN))
    return mine[::-1] if state.table.rulings.highest_first else mine
