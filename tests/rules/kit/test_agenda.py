"""The agenda: what is asked, made or lapses, and which rule a move breaks that comes at the wrong time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Never, TypeAlias

import pytest
from msgspec import Struct, structs

from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat
from rules.kernel.agenda import Agenda, BrokenAgenda, by_move, by_task
from rules.kernel.choices import SealedChoices
from rules.kernel.rule import Breach, Check, Illegal, Rule, RuleId, Violation
from rules.kernel.tasks import TaskCase, TaskKind, automatic, task
from tests.rules.kit.goofspiel import GOOFSPIEL, HAND, TURN, Bid, BidMade, Card, Event, Move, State
from tests.rules.laws import cited

GREEN, RED = Seat(0), Seat(1)


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


def words(state: Errands) -> str:
    return type(state.agenda[0]).__name__


def errands(
    *,
    public: Callable[[Errands], Errands] = lambda state: state,
    rule_of: Callable[[ErrandMove], Rule] | None = None,
) -> Agenda[Errands, Visit | Gift, ErrandMove, ErrandEvent]:
    return Agenda(
        Visit | Gift,
        VISIT,
        GIFT,
        pending=lambda state: state.agenda,
        fold=errands_after,
        public=public,
        out_of_turn=lambda _, __: Violation(TURN_1, "green is on its way"),
        not_now=by_task(words) if rule_of is None else by_move(rule_of, words),
    )


ERRANDS = errands()


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
    whole = errands(rule_of=lambda move: GIFT_2 if isinstance(move, Keep) else VISIT_2)
    visit, gift = Errands(0, (), (Visit(()),)), Errands(0, (0, 2), (Gift(),))

    assert cited(whole.decide(visit, GREEN, Keep())) == [GIFT_2.id]
    assert cited(whole.decide(gift, GREEN, GoHome())) == [VISIT_2.id]
    assert cited(whole.decide(visit, RED, Keep())) == [TURN_1.id]


def test_a_choice_that_only_a_secret_makes_for_a_seat_is_asked_all_the_same() -> None:
    """There is no room, which nobody else can know; of two houses one is closed, which everybody sees."""
    hidden = errands(public=lambda state: structs.replace(state, room=1))
    state = Errands(0, (0,), (Visit((0, 1)),))
    first = (Entered(2), GiftsDue(2))

    assert ERRANDS.decide(state, GREEN, Enter(2)) == (*first, PassedOn(0), Lapsed(), WentHome(by_itself=True))
    assert hidden.decide(state, GREEN, Enter(2)) == first
    asked = errands_after(state, first)
    assert hidden.awaiting(asked) == (GREEN,)
    assert list(hidden.legal_moves(asked, GREEN)) == [PassOn(0)]


# Sealed choices.

BIDS_DUE = GOOFSPIEL.game.notation.read_position(
    "goofspiel-0 prizes=5 pot=5 played=- green:0:-:1+2+3+4 red:0:-:1+2+8+9"
    " then=bids>draw:table>bids>draw:table>bids>draw:table>bids draws=recorded"
)
ONE, TWO = (Card(number) for number in (0, 1))


@pytest.fixture
def choices() -> SealedChoices[State, Move, Event]:
    assert GOOFSPIEL.game.choices is not None
    return GOOFSPIEL.game.choices


def bid(state: State, seat: Seat, card: Card) -> State:
    events = GOOFSPIEL.game.decide(state, seat, Bid(card))
    assert not isinstance(events, Illegal)
    return GOOFSPIEL.game.fold(state, events)


def test_seats_answer_a_sealed_task_in_any_order(choices: SealedChoices[State, Move, Event]) -> None:
    assert choices.open(BIDS_DUE)
    assert GOOFSPIEL.game.awaiting(BIDS_DUE) == (GREEN, RED)

    after_red = bid(BIDS_DUE, RED, TWO)
    assert GOOFSPIEL.game.awaiting(after_red) == (GREEN,)
    assert bid(after_red, GREEN, TWO) == bid(bid(BIDS_DUE, GREEN, TWO), RED, TWO)


def test_nobody_else_sees_an_answer_before_all_are_in() -> None:
    game, after = GOOFSPIEL.game, bid(BIDS_DUE, RED, TWO)

    for viewer in (GREEN, SPECTATOR):
        assert game.view(after, viewer).bids == ((), (None,))
        assert game.seen_events(BIDS_DUE, (BidMade(RED, TWO),), viewer) == (BidMade(RED, None),)
        assert game.seen_move(BIDS_DUE, RED, Bid(TWO), viewer) == Bid(None)
    assert game.seen_move(BIDS_DUE, RED, Bid(TWO), RED) == Bid(TWO)


def test_answers_that_nobody_knew_lead_to_the_same_once_they_are_revealed(
    choices: SealedChoices[State, Move, Event],
) -> None:
    game = GOOFSPIEL.game
    hidden = game.fold(BIDS_DUE, (BidMade(GREEN, None), BidMade(RED, None)))
    assert game.awaiting(hidden) == ()
    assert choices.settled(hidden, ()) == ()
    answers: tuple[Event, ...] = ()
    for seat, card in ((GREEN, ONE), (RED, TWO)):
        answer = choices.answer(BIDS_DUE, seat, Bid(card))
        assert not isinstance(answer, Illegal)
        answers += answer

    events = choices.settled(hidden, answers)

    assert game.fold(hidden, events) == bid(bid(BIDS_DUE, GREEN, ONE), RED, TWO)


def test_an_answer_that_breaks_a_rule_is_refused(choices: SealedChoices[State, Move, Event]) -> None:
    assert cited(choices.answer(BIDS_DUE, RED, Bid(Card(4)))) == [HAND.id]
    assert cited(choices.answer(BIDS_DUE, CHANCE, Bid(ONE))) == [TURN.id]


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
