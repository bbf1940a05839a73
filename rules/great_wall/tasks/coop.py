"""Co-op: requests, and steps that seats do in any order."""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from rules.great_wall.card_words import figures_in_words
from rules.great_wall.events import (
    Declined,
    Event,
    Paid,
    RequestAgreed,
    RequestFulfilled,
    RequestProposed,
    RequestRefused,
    SacrificeMade,
)
from rules.great_wall.evolve import fold
from rules.great_wall.kinds import KINDS, Cause, Request, of_seat
from rules.great_wall.moves import Agree, Done, Fulfil, Move, Refuse
from rules.great_wall.occasions import dishonour, has, short_of
from rules.great_wall.pending import AgreeDue, Free, FulfilDue, Task
from rules.great_wall.rounds import begun
from rules.great_wall.rulebook import clerks, coop, course
from rules.great_wall.state import State
from rules.great_wall.tasks.common import FINISHED, Case, Events, breach_if, only_done, then
from rules.great_wall.tasks.setting_up import seat_who
from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Breach, Check, Illegal
from rules.kernel.tasks import AnyTask, task

# Requests.


def _wanting(state: State, due: FulfilDue) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if seat not in due.done)


def _no_more(state: State, due: FulfilDue) -> Events:
    over = not state.in_coop.requests or len(due.done) == len(state.table.seats)
    return (FINISHED,) if over else ()


def _not_open(case: Case[FulfilDue, Fulfil]) -> Breach | None:
    request = case.move.request
    name = case.state.table.parts.request_names.names[request]
    if request in case.task.refused:
        return Breach(f"{name} was refused in this step")
    return breach_if(request not in case.state.in_coop.requests, f"{name} does not lie open")


def no_means(state: State, seat: Seat, request: Request) -> Breach | None:
    """What a seat lacks for a request; holdings that are not known will do."""
    card = state.table.parts.requests[request]
    honour, name = state.players[seat].honour, state.table.names[seat]
    if not has(state, seat, card.pay):
        return Breach(short_of(state, seat, card.pay))
    if honour < card.honour:
        return Breach(f"it costs {card.honour} honour ({name} has {honour})")
    if all(state.usable(seat, kind) >= card.sacrifice[kind] for kind in KINDS):
        return None
    return Breach(f"it takes {figures_in_words(card.sacrifice)}, more than {name} has usable in reserve")


def _is_so(state: State, request: Request) -> bool:
    """Whether the board is as a request needs it."""
    card = state.table.parts.requests[request]
    walls = [state.section(section) for section in state.table.sections]
    crowded = card.hordes_a_section is not None and any(
        len(wall.hordes) > card.hordes_a_section for wall in walls
    )
    return (
        sum(len(player.claimed) for player in state.players) >= card.claimed
        and sum(wall.level for wall in walls) >= card.wall_levels
        and not crowded
    )


def _missing(state: State, request: Request) -> str:
    """What the board has to be like."""
    card = state.table.parts.requests[request]
    most = card.hordes_a_section
    needs = (
        f"{card.claimed} claimed hordes" if card.claimed else "",
        f"{card.wall_levels} wall levels in all" if card.wall_levels else "",
        "" if most is None else f"at most {most} hordes before each section",
    )
    return f"it needs {' and '.join(filter(None, needs))}"


def _cannot_fulfil(case: Case[FulfilDue, Fulfil]) -> Breach | None:
    request = case.move.request
    scope = case.state.table.parts.requests[request].scope
    if scope == "state":
        return None if _is_so(case.state, request) else Breach(_missing(case.state, request))
    return no_means(case.state, seat_who(case.actor), request) if scope == "one" else None


def _pays(state: State, seat: Seat, request: Request) -> Events:
    card = state.table.parts.requests[request]
    return (
        *((Paid(seat, card.pay),) if any(card.pay) else ()),
        *dishonour(state, of_seat(seat), card.honour, Cause.REQUEST),
        *((SacrificeMade(seat, card.sacrifice),) if any(card.sacrifice) else ()),
    )


def _proposed(case: Case[FulfilDue, Fulfil]) -> Events:
    due, request = case.task, case.move.request
    scope = case.state.table.parts.requests[request].scope
    if scope == "each":
        asked = AgreeDue(request, (), due.done, due.refused)
        return (RequestProposed(seat_who(case.actor), request), then(asked))
    paid = _pays(case.state, seat_who(case.actor), request) if scope == "one" else ()
    return (*paid, RequestFulfilled(request), then(FulfilDue((), due.refused)))


def _enough(case: Case[FulfilDue, Done]) -> Events:
    seat = seat_who(case.actor)
    done = tuple(sorted((*case.task.done, seat)))
    return (Declined(seat), then(FulfilDue(done, case.task.refused)))


FULFIL: Final = (
    task(State, FulfilDue, course.ASK_03, _wanting, happens=_no_more)
    .takes(
        Fulfil,
        (Check(coop.COP_08, _not_open),),
        (Check(coop.COP_09, _cannot_fulfil),),
        each=lambda state, _: map(Fulfil, state.in_coop.requests),
        then=_proposed,
    )
    .takes(Done, each=only_done, then=_enough)
)


def _undecided(state: State, due: AgreeDue) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if seat not in due.agreed)


def _no_means(case: Case[AgreeDue, Agree]) -> Breach | None:
    return no_means(case.state, seat_who(case.actor), case.task.request)


def _agreed(case: Case[AgreeDue, Agree]) -> Events:
    state, due = case.state, case.task
    agreed = tuple(sorted((*due.agreed, seat_who(case.actor))))
    agreement = RequestAgreed(seat_who(case.actor), due.request)
    if len(agreed) < len(state.table.seats):
        return (agreement, then(AgreeDue(due.request, agreed, due.done, due.refused)))
    paid = [event for seat in agreed for event in _pays(state, seat, due.request)]
    return (agreement, *paid, RequestFulfilled(due.request), then(FulfilDue((), due.refused)))


def _refused(case: Case[AgreeDue, Refuse]) -> Events:
    due = case.task
    refused = tuple(sorted((*due.refused, due.request)))
    return (RequestRefused(seat_who(case.actor), due.request), then(FulfilDue(due.done, refused)))


AGREE: Final = (
    task(State, AgreeDue, course.ASK_03, _undecided)
    .takes(Agree, (Check(coop.COP_09, _no_means),), each=lambda _, __: (Agree(),), then=_agreed)
    .takes(Refuse, each=lambda _, __: (Refuse(),), then=_refused)
)


# Steps in any order.


class FreeKind(AnyTask[State, Move, Event]):
    """A step that seats do in any order: a seat is judged as if its own question were open."""

    kind: type[object] = Free
    rule = clerks.LOC_04
    forced = False
    sealed = False

    def __init__(self, kinds: dict[type[object], AnyTask[State, Move, Event]]) -> None:
        self._kinds: Final = kinds

    @staticmethod
    def _due(due: object) -> Free:
        if not isinstance(due, Free):
            raise TypeError(f"{due!r} is no step in any order")
        return due

    def _top(self, state: State) -> tuple[AnyTask[State, Move, Event], Task]:
        first = state.agenda[0]
        return self._kinds[type(first)], first

    def _started(self, state: State, due: Free, seat: Seat) -> tuple[Events, State, bool]:
        """A seat begins: what happens up to the next question, and whether the seat is asked it."""
        rest = len(state.agenda) - (len(due.seats) == 1)
        events: Events = (then(*begun(state, due, seat)),)
        state = fold(state, events)
        while len(state.agenda) > rest:
            kind, first = self._top(state)
            more = kind.happening(state, first)
            if not more:
                return events, state, seat in kind.awaited(state, first)
            events += more
            state = fold(state, more)
        return events, state, False

    @override
    def awaited(self, state: State, due: object) -> tuple[Actor, ...]:
        return tuple(sorted(self._due(due).seats))

    @override
    def judge(
        self, state: State, due: object, actor: Actor, move: object, *, by_itself: bool = False
    ) -> tuple[Event, ...] | Illegal | None:
        events, after, _ = self._started(state, self._due(due), seat_who(actor))
        kind, first = self._top(after)
        more = kind.judge(after, first, actor, move, by_itself=by_itself)
        return more if more is None or isinstance(more, Illegal) else events + more

    @override
    def listed(self, state: State, due: object, actor: Actor) -> Iterator[Move]:
        _, after, _ = self._started(state, self._due(due), seat_who(actor))
        kind, first = self._top(after)
        return kind.listed(after, first, actor)

    @override
    def happening(self, state: State, due: object) -> tuple[Event, ...]:
        """The last seat begins of itself, and one that is asked nothing, or only after chance was."""
        free = self._due(due)
        for seat in free.seats:
            if len(free.seats) == 1 or not self._started(state, free, seat)[2]:
                return (then(*begun(state, free, seat)),)
        return () if free.seats else (FINISHED,)

    @override
    def lapsing(self, state: State, due: object) -> tuple[Event, ...]:
        return ()
