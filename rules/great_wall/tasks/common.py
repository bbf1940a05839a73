"""What the tasks of every family have in common."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias, TypeVar

from rules.great_wall.events import Declined, Event, TacticPlayed, TasksDue
from rules.great_wall.kinds import Advisor, Resource, Tactic, Window, of_seat
from rules.great_wall.moves import Done, PlayTactic
from rules.great_wall.occasions import has, only, short_of
from rules.great_wall.pending import Do, TacticEnd, Task
from rules.great_wall.rulebook import cards, course
from rules.great_wall.state import State
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, TaskKind, TaskOfSeat

Due = TypeVar("Due")
Asked = TypeVar("Asked")
Events: TypeAlias = tuple[Event, ...]
Case: TypeAlias = TaskCase[State, Due, Asked]


Seated = TypeVar("Seated", bound=TaskOfSeat)
Listed = TypeVar("Listed")


def then(*tasks: Task) -> TasksDue:
    """The task is done, and these come first now."""
    return TasksDue(tasks)


def caused(*events: Event) -> Events:
    """Events of any kinds."""
    return events


FINISHED: Final = then()
DONE: Final = (Done(),)


def declined(case: TaskCase[State, Seated, Done]) -> Events:
    """The seat does nothing more."""
    return (Declined(case.task.seat), FINISHED)


def only_done(_: State, __: object) -> tuple[Done, ...]:
    """What every optional question takes last."""
    return DONE


def breach_if(wrong: object, why: str, *places: str) -> Breach | None:
    """What is wrong, where something is."""
    return Breach(why, places) if wrong else None


# Tactics.


def unseen(state: State, seat: Seat, tactic: Tactic) -> int:
    """Copies that a seat does not know to be elsewhere than in its own unknown cards."""
    hand = state.players[seat].tactics
    resolving = [task.tactic for task in state.agenda if isinstance(task, TacticEnd)]
    seen = (*state.tactics.discard, *hand, *resolving).count(tactic)
    return state.table.parts.tactics[tactic].copies - seen


def may_hold(state: State, seat: Seat, tactic: Tactic) -> bool:
    """Whether the seat has the card, or an unknown one that may be it."""
    hand = state.players[seat].tactics
    return tactic in hand or (None in hand and unseen(state, seat, tactic) > 0)


def _hand(state: State, seat: Seat) -> Iterator[Tactic]:
    return (
        tactic
        for tactic in state.table.parts.tactic_names.number_of.values()
        if may_hold(state, seat, tactic)
    )


def in_hand(state: State, due: TaskOfSeat) -> Iterator[Tactic]:
    """The tactics that a seat may hold, in the order of the set."""
    return _hand(state, due.seat)


def not_on_track(state: State, advisor: Advisor) -> Breach | None:
    """Why an advisor can be neither hired nor dismissed."""
    if advisor in state.advisors.track:
        return None
    return Breach(f"{state.table.parts.advisor_names.names[advisor]} is not on the advisor track")


def not_in_hand(state: State, seat: Seat, tactic: Tactic) -> Breach | None:
    """Why a seat can neither play nor discard a tactic."""
    if may_hold(state, seat, tactic):
        return None
    return Breach(f"{state.table.names[seat]} does not hold {state.table.parts.tactic_names.names[tactic]}")


_PLAYED: Final = {
    Window.STRATEGY: "in the own turn, while the own strategy card is carried out",
    Window.RESOLVE: "at a location, when it is one's own turn to act there",
    Window.LOSSES: "when own soldiers are to die",
    Window.SHAME: "when a shame token is to be placed",
    Window.SUMMER: "in Summer, when shame or strategy cards are asked about",
    Window.FIRE: "in Winter, when own archers fire",
}
"""When a tactic of each window is played."""


def playing(
    kind: TaskKind[State, Seated, Listed, Event], window: Callable[[State, Seated], Window | None]
) -> TaskKind[State, Seated, Listed | PlayTactic, Event]:
    """The question takes tactics of a window, before anything else (GW-TAC-01)."""

    def not_here(case: TaskCase[State, Seated, PlayTactic]) -> Breach | None:
        wanted = window(case.state, case.task)
        card = case.state.table.parts.tactics[case.move.tactic]
        if wanted is None:
            return Breach("no tactic can be played at this question")
        if card.window is wanted:
            return None
        name = case.state.table.parts.tactic_names.names[case.move.tactic]
        return Breach(f"{name} is played {_PLAYED[card.window]}")

    def not_held(case: TaskCase[State, Seated, PlayTactic]) -> Breach | None:
        return not_in_hand(case.state, case.task.seat, case.move.tactic)

    def too_dear(case: TaskCase[State, Seated, PlayTactic]) -> Breach | None:
        if not case.move.boosted:
            return None
        cost = only(Resource.CHI, case.state.table.parts.tactics[case.move.tactic].boost)
        fits = has(case.state, case.task.seat, cost)
        return None if fits else Breach(short_of(case.state, case.task.seat, cost))

    def plays(state: State, due: Seated) -> Iterator[PlayTactic]:
        wanted = window(state, due)
        for tactic in _hand(state, due.seat) if wanted is not None else ():
            if state.table.parts.tactics[tactic].window is wanted:
                yield PlayTactic(tactic, boosted=False)
                yield PlayTactic(tactic, boosted=True)

    def played(case: TaskCase[State, Seated, PlayTactic]) -> Events:
        tactic, seat = case.move.tactic, case.task.seat
        card = case.state.table.parts.tactics[tactic]
        script = card.boosted if case.move.boosted else card.base
        again = case.state.agenda[0]
        return (
            TacticPlayed(seat, tactic, case.move.boosted),
            then(Do(of_seat(seat), script, 0), TacticEnd(seat, tactic), again),
        )

    return kind.takes(
        PlayTactic,
        (Check(cards.TAC_01, not_here),),
        (Check(cards.TAC_01, not_held),),
        (Check(cards.TAC_02, too_dear),),
        each=plays,
        then=played,
    )


def in_window(window: Window) -> Callable[[State, object], Window]:
    """A question that always has the same window."""
    return lambda _, __: window


ASKED: Final = course.ASK_03
