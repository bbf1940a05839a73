"""Tea house, embassy, logistics and academy."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.card_words import counted
from rules.great_wall.events import (
    AdvisorHired,
    ClerkHired,
    Paid,
    SoldiersMoved,
    TeaRose,
    Way,
)
from rules.great_wall.kinds import KINDS, Holdings, Kind, Occasion, Resource, Role, Window, of_seat
from rules.great_wall.moves import (
    Cross,
    Done,
    HireAdvisor,
    HireClerk,
    Lower,
    March,
    Rise,
    Shift,
    Study,
)
from rules.great_wall.occasions import has, on_occasion, only, short_of
from rules.great_wall.pending import (
    AdvisorsDue,
    DrawDue,
    HireDue,
    MarchDue,
    RiseDue,
    ShiftDue,
    StudyDue,
    Task,
)
from rules.great_wall.rulebook import course, places
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    in_window,
    not_on_track,
    only_done,
    playing,
    then,
)
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import its_seat, task

# Tea house.


def _on_top(state: State, due: RiseDue) -> Events:
    return (FINISHED,) if state.tea[:1] == (of_seat(due.seat),) else ()


def _risen(case: Case[RiseDue, Rise]) -> Events:
    clan = of_seat(case.task.seat)
    return (TeaRose(clan, case.state.tea.index(clan) if case.task.alone else 1), FINISHED)


RISE: Final = (
    playing(task(State, RiseDue, course.ASK_03, its_seat, happens=_on_top), in_window(Window.RESOLVE))
    .takes(Rise, each=lambda _, __: (Rise(),), then=_risen)
    .takes(Done, each=only_done, then=declined)
)


# Embassy.


def _left(due: HireDue) -> tuple[Task, ...]:
    return (HireDue(due.seat, due.left - 1),) if due.left > 1 else ()


def _no_clerk(case: Case[HireDue, HireClerk]) -> Breach | None:
    space = case.state.players[case.task.seat].space
    name = case.state.table.names[case.task.seat]
    return None if space else Breach(f"{name} has no clerk left in the clerk space")


def _clerk_cost(state: State) -> Holdings:
    return only(Resource.GOLD, state.table.parts.prices.clerk)


def _advisor_cost(state: State, seat: Seat) -> Holdings:
    """As many gold as advisors after the hire (GW-EMB-02)."""
    player = state.players[seat]
    return only(Resource.GOLD, len(player.active) + len(player.assistants) + 1)


def _too_dear(state: State, seat: Seat, cost: Holdings) -> Breach | None:
    return None if has(state, seat, cost) else Breach(short_of(state, seat, cost))


def _clerk_hired(case: Case[HireDue, HireClerk]) -> Events:
    seat = case.task.seat
    return (
        Paid(seat, _clerk_cost(case.state)),
        ClerkHired(seat),
        *on_occasion(case.state, of_seat(seat), Occasion.HIRE),
        then(*_left(case.task)),
    )


def _not_on_track(case: Case[HireDue, HireAdvisor]) -> Breach | None:
    return not_on_track(case.state, case.move.advisor)


def _advisor_hired(case: Case[HireDue, HireAdvisor]) -> Events:
    seat = case.task.seat
    return (
        Paid(seat, _advisor_cost(case.state, seat)),
        AdvisorHired(seat, case.move.advisor, case.move.role),
        *on_occasion(case.state, of_seat(seat), Occasion.HIRE),
        then(AdvisorsDue(1), *_left(case.task)),
    )


def _hires(state: State, _: HireDue) -> Iterator[HireAdvisor]:
    for advisor in state.advisors.track:
        yield from (HireAdvisor(advisor, role) for role in Role)


HIRE: Final = (
    playing(task(State, HireDue, course.ASK_03, its_seat), in_window(Window.RESOLVE))
    .takes(
        HireClerk,
        (Check(places.EMB_01, _no_clerk),),
        (
            Check(
                places.EMB_01,
                lambda case: _too_dear(case.state, case.task.seat, _clerk_cost(case.state)),
            ),
        ),
        each=lambda _, __: (HireClerk(),),
        then=_clerk_hired,
    )
    .takes(
        HireAdvisor,
        (Check(places.EMB_03, _not_on_track),),
        (
            Check(
                places.EMB_02,
                lambda case: _too_dear(case.state, case.task.seat, _advisor_cost(case.state, case.task.seat)),
            ),
        ),
        each=_hires,
        then=_advisor_hired,
    )
    .takes(Done, each=only_done, then=declined)
)


# Logistics.


def _no_march(case: Case[MarchDue, March]) -> Breach | None:
    origin, goal = case.move.origin, case.move.goal
    if origin is goal:
        return Breach("a march leads to another section", (goal.letter,))
    closed = [section for section in (origin, goal) if case.state.sections[section] is None]
    return breach_if(closed, "a closed section takes no part", *(section.letter for section in closed))


def _marched(case: Case[MarchDue, March]) -> Events:
    due = case.task
    rest = (MarchDue(due.seat, due.left - 1),) if due.left > 1 else ()
    return (then(ShiftDue(due.seat, case.move.origin, case.move.goal), *rest),)


def _marches(state: State, _: MarchDue) -> Iterator[March]:
    for origin in state.table.sections:
        for goal in state.table.sections:
            if origin is not goal:
                yield March(origin, goal)


MARCH: Final = (
    playing(task(State, MarchDue, course.ASK_03, its_seat), in_window(Window.RESOLVE))
    .takes(March, (Check(places.LOG_01, _no_march),), each=_marches, then=_marched)
    .takes(Done, each=only_done, then=declined)
)


def _resting(state: State, due: ShiftDue, kind: Kind) -> int:
    return state.section(due.origin).rest[due.seat][kind]


def _in_slots(state: State, due: ShiftDue) -> int:
    return state.section(due.origin).firing[due.seat]


def _moved(due: ShiftDue, kind: Kind, n: int, way: Way) -> Events:
    return (SoldiersMoved(due.seat, kind, n, due.origin, due.goal, way), then(due))


def _too_many(case: Case[ShiftDue, Shift]) -> Breach | None:
    there = _resting(case.state, case.task, case.move.kind)
    if 1 <= case.move.n <= there:
        return None
    name, figures = case.state.table.names[case.task.seat], counted(case.move.kind, there)
    return Breach(f"{name} has {figures} resting in {case.task.origin.letter}")


def _none(n: int) -> Breach | None:
    return breach_if(n < 1, "at least one soldier is moved")


def _archers_of(case: Case[ShiftDue, Lower] | Case[ShiftDue, Cross]) -> str:
    archers = counted(Kind.ARCHER, _in_slots(case.state, case.task))
    return f"{case.state.table.names[case.task.seat]} has {archers} in the slots of {case.task.origin.letter}"


def _too_many_archers(case: Case[ShiftDue, Lower]) -> Breach | None:
    there = _in_slots(case.state, case.task)
    return Breach(f"{_archers_of(case)}; those that rest stay so") if case.move.n > there else None


def _cannot_cross(case: Case[ShiftDue, Cross]) -> Breach | None:
    there, free = _in_slots(case.state, case.task), case.state.free_firing(case.task.goal)
    if case.move.n > there:
        return Breach(f"{_archers_of(case)}; those that rest may not go to a slot")
    return breach_if(case.move.n > free, f"{free} slots are free in {case.task.goal.letter}")


def _shifts(state: State, due: ShiftDue) -> Iterator[Shift]:
    for kind in KINDS:
        yield from (Shift(kind, n) for n in range(1, _resting(state, due, kind) + 1))


def _crossings(state: State, due: ShiftDue) -> Iterator[Cross]:
    most = min(_in_slots(state, due), state.free_firing(due.goal))
    return (Cross(n) for n in range(1, most + 1))


SHIFT: Final = (
    task(State, ShiftDue, course.ASK_03, its_seat)
    .takes(
        Shift,
        (Check(places.LOG_01, _too_many),),
        each=_shifts,
        then=lambda case: _moved(case.task, case.move.kind, case.move.n, Way.SHIFT),
    )
    .takes(
        Lower,
        (
            Check(places.LOG_01, lambda case: _none(case.move.n)),
            Check(places.LOG_02, _too_many_archers),
        ),
        each=lambda state, due: (Lower(n) for n in range(1, _in_slots(state, due) + 1)),
        then=lambda case: _moved(case.task, Kind.ARCHER, case.move.n, Way.LOWER),
    )
    .takes(
        Cross,
        (Check(places.LOG_01, lambda case: _none(case.move.n)), Check(places.LOG_02, _cannot_cross)),
        each=_crossings,
        then=lambda case: _moved(case.task, Kind.ARCHER, case.move.n, Way.CROSS),
    )
    .takes(Done, each=only_done, then=declined)
)


# Academy.


def _too_eager(case: Case[StudyDue, Study]) -> Breach | None:
    most = case.task.most
    name = case.state.table.names[case.task.seat]
    return breach_if(case.move.n > most, f"{name} draws at most {most}: one tactic per clerk")


STUDY: Final = playing(task(State, StudyDue, course.ASK_03, its_seat), in_window(Window.RESOLVE)).takes(
    Study,
    (Check(places.ACA_01, _too_eager),),
    each=lambda _, due: map(Study, range(due.most + 1)),
    then=lambda case: caused(then(DrawDue(case.task.seat, case.move.n))),
)
