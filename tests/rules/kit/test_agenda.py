"""The agenda: what is asked, made or lapses, and which rule a move breaks that comes at the wrong time."""

from collections.abc import Iterable, Sequence
from typing import Never, TypeAlias

import pytest
from msgspec import Struct, structs

from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat
from rules.kernel.agenda import Agenda, BrokenAgenda, by_task
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Breach, Check, Illegal, Rule, RuleId, Violation
from rules.kernel.setup import RECORDED, UNRECORDED, Setup
from rules.kernel.tasks import TaskCase, TaskKind, automatic, task
from tests.rules.kit.caravans import tasks as ct
from tests.rules.kit.caravans import values as cv
from tests.rules.kit.caravans.game import CARAVANS
from tests.rules.laws import cited

GREEN, RED = Seat(0), Seat(1)
CARAVANS_START = CARAVANS.start(Setup(EditionKey("caravans/1"), ("green", "red"), "caravans-0", UNRECORDED))


# Errands: green enters houses, each of which gives as many gifts as its number says; a gift is kept while
# there is room, or passed on to a house that is open, and one that can be neither lapses.


class Visit(Struct, frozen=True):
    seen: tuple[int, ...]


class Gift(Struct, frozen=True):
    pass


class Enter(Struct, frozen=True):
    house: int


class Keep(Struct, frozen=True):
    pass


class PassOn(Struct, frozen=True):
    house: int


class GoHome(Struct, frozen=True):
    pass


class Entered(Struct, frozen=True):
    house: int


class GiftsDue(Struct, frozen=True):
    gifts: int


class Kept(Struct, frozen=True):
    pass


class PassedOn(Struct, frozen=True):
    house: int


class Lapsed(Struct, frozen=True):
    pass


class WentHome(Struct, frozen=True):
    by_itself: bool


ErrandMove: TypeAlias = Enter | Keep | PassOn | GoHome
ErrandEvent: TypeAlias = Entered | GiftsDue | Kept | PassedOn | Lapsed | WentHome


class Errands(Struct, frozen=True):
    room: int
    open: tuple[int, ...]
    agenda: tuple[Visit | Gift, ...]


def errands_after(state: Errands, events: Iterable[ErrandEvent]) -> Errands:
    for event in events:
        rest = state.agenda[1:]
        match event:
            case Entered():
                (visit,) = (due for due in state.agenda if isinstance(due, Visit))
                state = structs.replace(state, agenda=(Visit((*visit.seen, event.house)), *rest))
            case GiftsDue():
                state = structs.replace(state, agenda=(Gift(),) * event.gifts + state.agenda)
            case Kept():
                state = structs.replace(state, room=state.room - 1, agenda=rest)
            case PassedOn():
                left = tuple(house for house in state.open if house != event.house)
                state = structs.replace(state, open=left, agenda=rest)
            case Lapsed() | WentHome():
                state = structs.replace(state, agenda=rest)
    return state


TURN_1, VISIT_1, VISIT_2, GIFT_1, GIFT_2 = (
    Rule(RuleId(key), "", "", "") for key in ("TURN-1", "VISIT-1", "VISIT-2", "GIFT-1", "GIFT-2")
)
HOUSES = (0, 1, 2)


def no_such_house(case: TaskCase[Errands, Visit, Enter]) -> Breach | None:
    return None if case.move.house in HOUSES else Breach("there is no such house")


def entered(case: TaskCase[Errands, Visit, Enter]) -> Breach | None:
    return Breach("it was entered before") if case.move.house in case.task.seen else None


def full(case: TaskCase[Errands, Gift, Keep]) -> Breach | None:
    return None if case.state.room else Breach("there is no room")


def closed(case: TaskCase[Errands, Gift, PassOn]) -> Breach | None:
    return None if case.move.house in case.state.open else Breach("it is closed")


def welcomed(case: TaskCase[Errands, Visit, Enter]) -> tuple[Entered | GiftsDue, ...]:
    return Entered(case.move.house), GiftsDue(case.move.house)


VISIT = (
    task(Errands, Visit, VISIT_1, lambda _, __: (GREEN,), forced=True)
    .takes(
        Enter,
        (Check(VISIT_1, no_such_house),),
        (Check(VISIT_2, entered),),
        each=lambda _, __: map(Enter, HOUSES),
        then=welcomed,
    )
    .takes(GoHome, each=lambda _, __: (GoHome(),), then=lambda case: (WentHome(case.by_itself),))
)
GIFT = (
    task(Errands, Gift, GIFT_1, lambda _, __: (GREEN,), forced=True, lapses=lambda _, __: (Lapsed(),))
    .takes(Keep, (Check(GIFT_1, full),), each=lambda _, __: (Keep(),), then=lambda _: (Kept(),))
    .takes(
        PassOn,
        (Check(GIFT_2, closed),),
        each=lambda _, __: map(PassOn, HOUSES),
        then=lambda case: (PassedOn(case.move.house),),
    )
)
ERRANDS: Agenda[Errands, Visit | Gift, ErrandMove, ErrandEvent] = Agenda(
    Visit | Gift,
    VISIT,
    GIFT,
    pending=lambda state: state.agenda,
    fold=errands_after,
    public=lambda state: state,
    out_of_turn=lambda _, __: Violation(TURN_1, "green is on its way"),
    not_now=by_task(lambda state: type(state.agenda[0]).__name__),
)


def done(state: Errands, *moves: ErrandMove) -> Errands:
    for move in moves:
        events = ERRANDS.decide(state, GREEN, move)
        assert not isinstance(events, Illegal), move
        state = errands_after(state, events)
    return state


def test_an_effect_is_finished_before_its_cause_goes_on() -> None:
    state = done(Errands(5, HOUSES, (Visit(()),)), Enter(2))

    assert state.agenda == (Gift(), Gift(), Visit((2,)))
    state = done(state, Keep())
    assert state.agenda == (Gift(), Visit((2,)))
    state = done(state, PassOn(0), Enter(1))
    assert state.agenda == (Gift(), Visit((2, 1)))


def test_a_choice_with_one_answer_is_made_and_one_with_none_lapses() -> None:
    state = Errands(1, (), (Visit((0, 1)),))

    assert ERRANDS.decide(state, GREEN, Enter(2)) == (
        Entered(2),
        GiftsDue(2),
        Kept(),
        Lapsed(),
        WentHome(by_itself=True),
    )


def test_a_turn_that_is_ended_by_a_move_is_not_ended_of_itself() -> None:
    state = Errands(1, HOUSES, (Visit(()),))

    assert ERRANDS.decide(state, GREEN, GoHome()) == (WentHome(by_itself=False),)


@pytest.mark.parametrize(
    ("due", "seat", "move", "rule"),
    [
        ((Gift(), Visit(())), GREEN, GoHome(), GIFT_1),
        ((Visit(()),), GREEN, Keep(), VISIT_1),
        ((Visit(()),), RED, GoHome(), TURN_1),
        ((Visit((1,)),), GREEN, Enter(7), VISIT_1),
        ((Visit((1,)),), GREEN, Enter(1), VISIT_2),
        ((Gift(), Visit(())), GREEN, Keep(), GIFT_1),
        ((Gift(), Visit(())), GREEN, PassOn(1), GIFT_2),
    ],
)
def test_a_move_that_the_task_does_not_take_breaks_its_rule(
    due: tuple[Visit | Gift, ...], seat: Seat, move: ErrandMove, rule: Rule
) -> None:
    assert cited(ERRANDS.decide(Errands(0, (0, 2), due), seat, move)) == [rule.id]


def test_or_a_rule_of_the_move() -> None:
    assert cited(CARAVANS.decide(CARAVANS_START, GREEN, cv.MoveGuild(cv.Stage(0)))) == [ct.GUI_01.id]
    assert cited(CARAVANS.decide(CARAVANS_START, GREEN, cv.Done())) == [ct.ASK_03.id]
    assert cited(CARAVANS.decide(CARAVANS_START, CHANCE, cv.Done())) == [ct.ASK_02.id]


def test_a_hand_is_dealt_of_itself_where_draws_are_not_recorded() -> None:
    recorded = CARAVANS.start(Setup(EditionKey("caravans/1"), ("green", "red"), "caravans-0", RECORDED))

    assert CARAVANS.awaiting(CARAVANS_START) == (GREEN, RED)
    assert CARAVANS.awaiting(recorded) == (CHANCE,)


# Sealed choices.


def picked(state: cv.State, seat: Seat, route: cv.Route) -> cv.State:
    events = CARAVANS.decide(state, seat, cv.PickRoute(route))
    assert not isinstance(events, Illegal)
    return CARAVANS.fold(state, events)


def test_seats_answer_a_sealed_task_in_any_order() -> None:
    assert ct.AGENDA.sealed(CARAVANS_START)
    assert CARAVANS.awaiting(CARAVANS_START) == (GREEN, RED)

    after_red = picked(CARAVANS_START, RED, cv.DESERT)
    assert CARAVANS.awaiting(after_red) == (GREEN,)
    assert picked(after_red, GREEN, cv.DESERT) == picked(
        picked(CARAVANS_START, GREEN, cv.DESERT), RED, cv.DESERT
    )


def test_nobody_else_sees_an_answer_before_all_are_in() -> None:
    events = (cv.RoutePicked(RED, cv.DESERT),)

    for viewer in (GREEN, SPECTATOR):
        seen = CARAVANS.view(picked(CARAVANS_START, RED, cv.DESERT), viewer)
        assert seen.players[RED].pick is cv.SEALED
        assert CARAVANS.seen_events(CARAVANS_START, events, viewer) == (cv.RoutePicked(RED, cv.SEALED),)
        assert CARAVANS.seen_move(CARAVANS_START, RED, cv.PickRoute(cv.DESERT), viewer) == cv.PickRoute(
            cv.SEALED
        )
    assert CARAVANS.seen_move(CARAVANS_START, RED, cv.PickRoute(cv.DESERT), RED) == cv.PickRoute(cv.DESERT)


def test_answers_that_nobody_knew_lead_to_the_same_once_they_are_revealed() -> None:
    hidden = CARAVANS.fold(CARAVANS_START, (cv.RoutePicked(GREEN, cv.SEALED), cv.RoutePicked(RED, cv.SEALED)))
    assert CARAVANS.awaiting(hidden) == ()
    assert ct.AGENDA.due(hidden) == ()
    answers: tuple[cv.Event, ...] = ()
    for seat, route in ((GREEN, cv.COAST), (RED, cv.DESERT)):
        answer = ct.AGENDA.answer(CARAVANS_START, seat, cv.PickRoute(route))
        assert not isinstance(answer, Illegal)
        answers += answer

    events = ct.AGENDA.settled(hidden, answers)

    open_play = picked(picked(CARAVANS_START, GREEN, cv.COAST), RED, cv.DESERT)
    assert CARAVANS.fold(hidden, events) == open_play


def test_an_answer_that_breaks_a_rule_is_refused() -> None:
    answer = ct.AGENDA.answer(CARAVANS_START, RED, cv.PickRoute(cv.SEALED))

    assert cited(answer) == [ct.ROU_01.id]


def test_a_seat_that_cannot_pay_is_asked_all_the_same() -> None:
    line = "caravans-0 1 road=0/0/0 guild=0 played=- track=desert green=0/0/?/coast+river/0/-"
    state = CARAVANS.notation.read_position(f"{line} then=upgrade:green>guild>yearend")

    assert CARAVANS.awaiting(state) == (GREEN,)
    assert list(CARAVANS.legal_moves(state, GREEN)) == [cv.Done()]


def test_a_host_answers_for_an_owner_that_is_never_awaited() -> None:
    line = "caravans-0 1 road=1/2/1 guild=0 played=- track=river green=0/0/?/coast+desert/0/-"
    state = CARAVANS.notation.read_position(f"{line} then=guild-builds:green>guild>yearend")

    assert list(CARAVANS.legal_moves(state, GREEN)) == [cv.MoveGuild(cv.Stage(0)), cv.MoveGuild(cv.Stage(2))]
    verdict = CARAVANS.decide(state, GREEN, cv.MoveGuild(cv.Stage(0)))

    assert not isinstance(verdict, Illegal)
    assert verdict[:2] == (cv.GuildBuilt(cv.Stage(0)), cv.GuildScored(5))


# Agendas that contradict themselves.


class Loop(Struct, frozen=True):
    pass


class Ask(Struct, frozen=True):
    pass


class Turned(Struct, frozen=True):
    pass


class Counter(Struct, frozen=True):
    agenda: tuple[Loop | Ask, ...]


RULE = Rule(RuleId("X-1"), "", "", "")
LOOP = automatic(Counter, Loop, RULE, lambda _, __: (Turned(),))


def nobody(_: Counter, __: Ask) -> tuple[Actor, ...]:
    return ()


def fold(state: Counter, _: Sequence[Turned]) -> Counter:
    return state


def agenda(*kinds: object) -> Agenda[Counter, Loop | Ask, Ask, Turned]:
    return Agenda(
        Loop | Ask,
        *kinds,  # type: ignore[arg-type] # some of them are wrong on purpose
        pending=lambda state: state.agenda,
        fold=fold,
        public=lambda state: state,
        out_of_turn=lambda _, __: Violation(RULE, ""),
        not_now=by_task(lambda _: ""),
    )


def test_every_class_of_tasks_has_one_kind() -> None:
    ask: TaskKind[Counter, Ask, Never, Never] = task(Counter, Ask, RULE, nobody)

    with pytest.raises(TypeError, match="Ask needs to be one of the kinds of tasks, exactly once"):
        agenda(LOOP)
    with pytest.raises(TypeError, match="Loop needs to be one of the kinds of tasks, exactly once"):
        agenda(LOOP, LOOP, ask)


def test_a_task_that_never_comes_to_an_end_is_reported() -> None:
    whole = agenda(LOOP, task(Counter, Ask, RULE, nobody))

    with pytest.raises(BrokenAgenda, match=r"Loop.* never comes to an end"):
        whole.settled(Counter((Loop(),)), ())


def test_a_task_takes_a_move_once() -> None:
    ask = task(Counter, Ask, RULE, nobody).takes(Ask, each=lambda _, __: (), then=lambda _: (Turned(),))

    with pytest.raises(TypeError, match="Ask takes Ask twice"):
        ask.takes(Ask, each=lambda _, __: (), then=lambda _: (Turned(),))
