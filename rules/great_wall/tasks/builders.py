"""Barricades and walls."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.card_words import resources_in_words
from rules.great_wall.events import BarricadeBuilt, CardRecovered, Paid, WallBuilt, WarehouseUsed
from rules.great_wall.kinds import (
    BUILDING,
    HIGHEST,
    SLOTS,
    Cause,
    Holdings,
    Occasion,
    Section,
    Window,
    of_seat,
)
from rules.great_wall.moves import BuildBarricade, BuildWall, Done, Pay, RecoverOne
from rules.great_wall.occasions import has, honour, on_occasion, short_of
from rules.great_wall.parts import payments
from rules.great_wall.pending import AgainDue, BarricadesDue, BuildDue, Task
from rules.great_wall.rulebook import coop, course, places
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    in_window,
    only_done,
    playing,
    then,
)
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import its_seat, task

# Payments: from a warehouse that holds enough, else all of it and the rest from the screen (GW-BLD-05).


def _own_share(state: State, cost: int, pay: Pay) -> Holdings:
    """What a seat pays itself."""
    return (*pay, 0) if sum(state.ware) < cost else (0, 0, 0, 0)


def _wrong_pay(state: State, seat: Seat, cost: int, pay: Pay | None) -> Breach | None:
    if pay is None:
        return Breach(f"it costs {cost}, and no payment is named")
    missing = max(0, cost - sum(state.ware))
    holds = f"the warehouse holds {resources_in_words((*state.ware, 0)) or 'nothing'}"
    if missing:
        adds = f"so {state.table.names[seat]} adds {missing}, not {sum(pay)}"
        return breach_if(sum(pay) != missing, f"{holds}, {adds}")
    if sum(pay) != cost:
        return Breach(f"{holds}, so all {cost} are taken from there, not {sum(pay)}")
    return breach_if(any(pay[each] > state.ware[each] for each in BUILDING), f"{holds}, and no more")


def _not_held(state: State, seat: Seat, cost: int, pay: Pay | None) -> Breach | None:
    own = _own_share(state, cost, pay or (0, 0, 0))
    return None if has(state, seat, own) else Breach(short_of(state, seat, own))


def _ways(state: State, seat: Seat, cost: int) -> Iterator[Pay]:
    """Every payment, ascending by wood, stone and gold."""
    stored = sum(state.ware)
    if stored >= cost:
        yield from payments(cost, state.ware)
    else:
        held = state.players[seat].resources
        yield from payments(cost - stored, (cost,) * 4 if held is None else held)


def _paid(state: State, seat: Seat, cost: int, pay: Pay) -> Events:
    own = _own_share(state, cost, pay)
    units = state.ware if any(own) or sum(state.ware) < cost else pay
    used: Events = (WarehouseUsed(units),) if any(units) else ()
    return (*used, Paid(seat, own)) if any(own) else used


# Barricades.


def _no_room(state: State, section: Section) -> Breach | None:
    wall = state.sections[section]
    if wall is None:
        return Breach(f"the {section.word} section is closed", (section.letter,))
    return breach_if(wall.barricades >= SLOTS, f"{section.letter} has {SLOTS} barricades", section.letter)


def _barricade(state: State, seat: Seat, section: Section) -> Events:
    clan = of_seat(seat)
    return (
        BarricadeBuilt(clan, section),
        *honour(clan, state.table.parts.prices.barricade_honour, Cause.BUILDING),
        *on_occasion(state, clan, Occasion.BARRICADE),
    )


def with_room(state: State) -> Iterator[Section]:
    """Sections with fewer than three barricades."""
    return (section for section in state.table.sections if state.section(section).barricades < SLOTS)


def _bought(case: Case[BuildDue, BuildBarricade]) -> Events:
    state, due = case.state, case.task
    cost = state.table.parts.prices.barricade
    return (
        *_paid(state, due.seat, cost, case.move.pay or (0, 0, 0)),
        *_barricade(state, due.seat, case.move.section),
        then(*_rest(due, due.built)),
    )


def _rest(due: BuildDue, built: tuple[Section, ...]) -> tuple[Task, ...]:
    return (BuildDue(due.seat, due.left - 1, built),) if due.left > 1 else ()


def _barricades(state: State, due: BuildDue) -> Iterator[BuildBarricade]:
    for section in with_room(state):
        for pay in _ways(state, due.seat, state.table.parts.prices.barricade):
            yield BuildBarricade(section, pay)


# Walls.


def _complete(case: Case[BuildDue, BuildWall]) -> Breach | None:
    section = case.move.section
    wall = case.state.sections[section]
    if wall is None:
        return Breach(f"the {section.word} section is closed", (section.letter,))
    if section in case.task.built:
        return Breach(f"{section.letter} was built in this resolution", (section.letter,))
    return breach_if(wall.level >= HIGHEST, f"the wall of {section.letter} is complete", section.letter)


def _wall_cost(state: State, section: Section) -> int:
    wall = state.sections[section]
    return 0 if wall is None else state.table.parts.wall[wall.level].next_cost


def _built(case: Case[BuildDue, BuildWall]) -> Events:
    state, due, section = case.state, case.task, case.move.section
    clan, levels = of_seat(due.seat), state.table.parts.wall
    built = due.built if state.table.rulings.double_build else tuple(sorted((*due.built, section)))
    again: tuple[Task, ...] = (AgainDue(due.seat),) if state.table.coop else ()
    return (
        *_paid(state, due.seat, _wall_cost(state, section), case.move.pay),
        WallBuilt(clan, section),
        *honour(clan, levels[state.section(section).level + 1].honour, Cause.BUILDING),
        *on_occasion(state, clan, Occasion.WALL),
        then(*again, *_rest(due, built)),
    )


def _walls(state: State, due: BuildDue) -> Iterator[BuildWall]:
    for section in state.table.sections:
        if state.section(section).level < HIGHEST and section not in due.built:
            for pay in _ways(state, due.seat, _wall_cost(state, section)):
                yield BuildWall(section, pay)


def _barricade_cost(state: State) -> int:
    return state.table.parts.prices.barricade


BUILD: Final = (
    playing(task(State, BuildDue, course.ASK_03, its_seat), in_window(Window.RESOLVE))
    .takes(
        BuildBarricade,
        (Check(places.BLD_02, lambda case: _no_room(case.state, case.move.section)),),
        (
            Check(
                places.BLD_05,
                lambda case: _wrong_pay(
                    case.state, case.task.seat, _barricade_cost(case.state), case.move.pay
                ),
            ),
        ),
        (
            Check(
                places.BLD_02,
                lambda case: _not_held(
                    case.state, case.task.seat, _barricade_cost(case.state), case.move.pay
                ),
            ),
        ),
        each=_barricades,
        then=_bought,
        exact=True,
    )
    .takes(
        BuildWall,
        (Check(places.BLD_03, _complete),),
        (
            Check(
                places.BLD_05,
                lambda case: _wrong_pay(
                    case.state, case.task.seat, _wall_cost(case.state, case.move.section), case.move.pay
                ),
            ),
        ),
        (
            Check(
                places.BLD_03,
                lambda case: _not_held(
                    case.state, case.task.seat, _wall_cost(case.state, case.move.section), case.move.pay
                ),
            ),
        ),
        each=_walls,
        then=_built,
        exact=True,
    )
    .takes(Done, each=only_done, then=declined)
)


# Free barricades.


def _no_section(state: State, _: BarricadesDue) -> Events:
    return () if next(with_room(state), None) is not None else (FINISHED,)


def _paid_for_nothing(case: Case[BarricadesDue, BuildBarricade]) -> Breach | None:
    return breach_if(case.move.pay is not None, "this barricade is free")


def _free(case: Case[BarricadesDue, BuildBarricade]) -> Events:
    due = case.task
    rest = (BarricadesDue(due.seat, due.left - 1),) if due.left > 1 else ()
    return (*_barricade(case.state, due.seat, case.move.section), then(*rest))


BARRICADES: Final = (
    task(State, BarricadesDue, course.ASK_03, its_seat, happens=_no_section)
    .takes(
        BuildBarricade,
        (Check(places.BLD_02, lambda case: _no_room(case.state, case.move.section)),),
        (Check(places.BLD_05, _paid_for_nothing),),
        each=lambda state, _: (BuildBarricade(section, None) for section in with_room(state)),
        then=_free,
    )
    .takes(Done, each=only_done, then=declined)
)


# Co-op: a card comes back after a wall part.


def _none_discarded(state: State, due: AgainDue) -> Events:
    return () if state.players[due.seat].discarded else (FINISHED,)


def _not_discarded(case: Case[AgainDue, RecoverOne]) -> Breach | None:
    discarded = case.state.players[case.task.seat].discarded
    table = case.state.table
    name, card = table.names[case.task.seat], table.parts.strategy_names.names[case.move.card]
    return breach_if(case.move.card not in discarded, f"{name} has no {card} in the discard")


AGAIN: Final = (
    task(State, AgainDue, course.ASK_03, its_seat, happens=_none_discarded)
    .takes(
        RecoverOne,
        (Check(coop.COP_18, _not_discarded),),
        each=lambda state, due: map(RecoverOne, state.players[due.seat].discarded),
        then=lambda case: caused(CardRecovered(case.task.seat, case.move.card), FINISHED),
    )
    .takes(Done, each=only_done, then=declined)
)
