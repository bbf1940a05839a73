"""The agenda: what is asked, made or lapses, and which rule a move breaks that comes at the wrong time."""

from collections.abc import Sequence
from typing import Never

import pytest
from msgspec import Struct

from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat
from rules.kernel.agenda import Agenda, BrokenAgenda, by_task
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal, Rule, RuleId, Violation
from rules.kernel.setup import RECORDED, UNRECORDED, Setup
from rules.kernel.tasks import TaskKind, automatic, task
from tests.rules.kit.elixir import tasks as e
from tests.rules.kit.elixir import values as ev
from tests.rules.kit.elixir.game import ELIXIR
from tests.rules.kit.wall import tasks as w
from tests.rules.kit.wall import values as wv
from tests.rules.kit.wall.game import WALL
from tests.rules.laws import cited

GREEN, RED = Seat(0), Seat(1)
ELIXIR_START = ELIXIR.start(Setup(EditionKey("elixir/1"), ("green", "red"), "elixir-0", UNRECORDED))
WALL_START = WALL.start(Setup(EditionKey("wall/1"), ("green", "red"), "wall-0", UNRECORDED))


def elixir_at(line: str) -> ev.State:
    return ELIXIR.notation.read_position(f"elixir-0 {line}")


def done(state: ev.State, *texts: str) -> ev.State:
    for text in texts:
        actor, move = ELIXIR.notation.read_move(state, text)
        events = ELIXIR.decide(state, actor, move)
        assert not isinstance(events, Illegal), text
        state = ELIXIR.fold(state, events)
    return state


def then(state: ev.State) -> str:
    return ELIXIR.notation.write_position(state).partition("then=")[2]


def test_an_effect_is_finished_before_its_cause_goes_on() -> None:
    state = elixir_at(
        "court=1 masters=M1M2M3 green=3:1:A2:c?,l?:A1A3/-/- red=0:2:A1A2A3:w?,c?,l?:-/-/- then=step:green:-"
    )

    state = done(state, "green activate A1")
    assert then(state) == "symbol:green>master:green>step:green:A1"
    state = done(state, "green unlock")
    assert then(state) == "master:green>step:green:A1"
    state = done(state, "green master M2", "green activate A3")
    assert then(state) == "symbol:green>symbol:green>step:green:A1+A3"


def test_a_choice_with_one_answer_is_made_and_one_with_none_lapses() -> None:
    state = elixir_at(
        "court=1 masters=M1M2M3 green=6:1:-:c?,l?:A1A2/-/A3 red=0:2:A1A2A3:w?,c?,l?:-/-/-"
        " then=step:green:A1+A3"
    )

    _, move = ELIXIR.notation.read_move(state, "green activate A2")
    events = ELIXIR.decide(state, GREEN, move)

    assert not isinstance(events, Illegal)
    assert list(map(type, events)) == [
        ev.AbilityActivated,
        ev.BoatMoved,
        ev.ChoicesDue,
        ev.SoldierUnlocked,
        ev.ChoiceLapsed,
        ev.TurnEnded,
    ]
    assert events[-1] == ev.TurnEnded(GREEN, by_itself=True)


def test_a_turn_that_is_ended_by_a_move_is_not_ended_of_itself() -> None:
    state = elixir_at(
        "court=1 masters=M1M2M3 green=3:1:A2:c?,l?:A1A3/-/- red=0:2:A1A2A3:w?,c?,l?:-/-/- then=step:green:-"
    )

    assert ELIXIR.decide(state, GREEN, ev.Done()) == (ev.TurnEnded(GREEN, by_itself=False),)


@pytest.mark.parametrize(
    ("line", "text", "rule"),
    [
        ("then=symbol:green>step:green:-", "green done", e.CRT_23),
        ("then=master:green>step:green:-", "green unlock", e.CRT_25),
        ("then=step:green:-", "green search", e.ACT_01),
        ("then=step:green:-", "red done", e.STM_03),
        ("then=step:green:A1", "green activate A1", e.ACT_03),
        ("then=symbol:green>step:green:-", "green place A2 wei", e.CRT_23),
        ("then=symbol:green>step:green:-", "green place A2 chu", e.UNI_01),
    ],
)
def test_a_move_that_the_task_does_not_take_breaks_its_rule(line: str, text: str, rule: Rule) -> None:
    state = elixir_at(
        f"court=1 masters=M1M2M3 green=3:1:A2:c?,l?:A1A3/-/- red=0:2:A1A2A3:w?,c?,l?:-/-/- {line}"
    )
    actor, move = ELIXIR.notation.read_move(state, text)

    assert cited(ELIXIR.decide(state, actor, move)) == [rule.id]


def test_or_a_rule_of_the_move() -> None:
    assert cited(WALL.decide(WALL_START, GREEN, wv.MoveReed(wv.Section(0)))) == [w.REE_01.id]
    assert cited(WALL.decide(WALL_START, GREEN, wv.Done())) == [w.ASK_03.id]
    assert cited(WALL.decide(WALL_START, CHANCE, wv.Done())) == [w.ASK_02.id]


def test_a_hand_is_dealt_of_itself_where_draws_are_not_recorded() -> None:
    recorded = ELIXIR.start(Setup(EditionKey("elixir/1"), ("green", "red"), "elixir-0", RECORDED))

    assert ELIXIR.awaiting(ELIXIR_START) == (GREEN,)
    assert ELIXIR.awaiting(recorded) == (CHANCE,)


# Sealed choices.


def picked(state: wv.State, seat: Seat, strategy: wv.Strategy) -> wv.State:
    events = WALL.decide(state, seat, wv.PickStrategy(strategy))
    assert not isinstance(events, Illegal)
    return WALL.fold(state, events)


def test_seats_answer_a_sealed_task_in_any_order() -> None:
    assert w.AGENDA.sealed(WALL_START)
    assert WALL.awaiting(WALL_START) == (GREEN, RED)

    after_red = picked(WALL_START, RED, wv.DRILL)
    assert WALL.awaiting(after_red) == (GREEN,)
    assert picked(after_red, GREEN, wv.DRILL) == picked(picked(WALL_START, GREEN, wv.DRILL), RED, wv.DRILL)


def test_nobody_else_sees_an_answer_before_all_are_in() -> None:
    events = (wv.StrategyPicked(RED, wv.DRILL),)

    for viewer in (GREEN, SPECTATOR):
        seen = WALL.view(picked(WALL_START, RED, wv.DRILL), viewer)
        assert seen.players[RED].pick is wv.SEALED
        assert WALL.seen_events(WALL_START, events, viewer) == (wv.StrategyPicked(RED, wv.SEALED),)
        assert WALL.seen_move(WALL_START, RED, wv.PickStrategy(wv.DRILL), viewer) == wv.PickStrategy(
            wv.SEALED
        )
    assert WALL.seen_move(WALL_START, RED, wv.PickStrategy(wv.DRILL), RED) == wv.PickStrategy(wv.DRILL)


def test_answers_that_nobody_knew_lead_to_the_same_once_they_are_revealed() -> None:
    hidden = WALL.fold(WALL_START, (wv.StrategyPicked(GREEN, wv.SEALED), wv.StrategyPicked(RED, wv.SEALED)))
    assert WALL.awaiting(hidden) == ()
    assert w.AGENDA.due(hidden) == ()
    answers: tuple[wv.Event, ...] = ()
    for seat, strategy in ((GREEN, wv.ECONOMY), (RED, wv.DRILL)):
        answer = w.AGENDA.answer(WALL_START, seat, wv.PickStrategy(strategy))
        assert not isinstance(answer, Illegal)
        answers += answer

    events = w.AGENDA.settled(hidden, answers)

    open_play = picked(picked(WALL_START, GREEN, wv.ECONOMY), RED, wv.DRILL)
    assert WALL.fold(hidden, events) == open_play


def test_an_answer_that_breaks_a_rule_is_refused() -> None:
    answer = w.AGENDA.answer(WALL_START, RED, wv.PickStrategy(wv.SEALED))

    assert cited(answer) == [w.STR_01.id]


def test_a_seat_that_cannot_pay_is_asked_all_the_same() -> None:
    line = "wall-0 1 wall=0/0/0 reed=0 played=- track=drill green=0/0/?/economy+betrayal/0/-"
    state = WALL.notation.read_position(f"{line} then=upgrade:green>reed>yearend")

    assert WALL.awaiting(state) == (GREEN,)
    assert list(WALL.legal_moves(state, GREEN)) == [wv.Done()]


def test_an_overlord_answers_for_a_clan_that_is_never_awaited() -> None:
    line = "wall-0 1 wall=1/2/1 reed=0 played=- track=betrayal green=0/0/?/economy+drill/0/-"
    state = WALL.notation.read_position(f"{line} then=reed-builds:green>reed>yearend")

    assert list(WALL.legal_moves(state, GREEN)) == [wv.MoveReed(wv.Section(0)), wv.MoveReed(wv.Section(2))]
    verdict = WALL.decide(state, GREEN, wv.MoveReed(wv.Section(0)))

    assert not isinstance(verdict, Illegal)
    assert verdict[:2] == (wv.ReedBuilt(wv.Section(0)), wv.ReedScored(5))


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
