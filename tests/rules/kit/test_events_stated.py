"""What events change and how they read: one statement for each class, none missing."""

from typing import Final, TypeAlias

import pytest
from msgspec import Struct
from msgspec.structs import replace

from rules.kernel.actors import Seat
from rules.kernel.nouns import Seats, number
from rules.kernel.phrases import fact
from rules.kernel.reducer import Reducer, reducer
from rules.kernel.rule import Rule, RuleId
from rules.kernel.sentences import sentences
from rules.kernel.statements import Misstated, Statements

RULE: Final = Rule(RuleId("TOY-1"), "A rule", "A text.", "L1")
OTHER: Final = Rule(RuleId("TOY-2"), "Another", "A text.", "L2")


class State(Struct, frozen=True):
    """Coins by seat."""

    coins: tuple[int, ...]


class Paid(Struct, frozen=True):
    """A seat was paid."""

    seat: Seat
    coins: int


class Ended(Struct, frozen=True):
    """It is over."""


Event: TypeAlias = Paid | Ended
SEAT: Final = Seats[State](lambda _: ("green", "red"))
EVENTS: Final[Statements[State, Event]] = Statements(
    Event, fact(Paid, SEAT, number("coins", 99)), fact(Ended)
)


def paid(state: State, event: Paid) -> State:
    return replace(
        state, coins=tuple(has + event.coins * (seat == event.seat) for seat, has in enumerate(state.coins))
    )


CHANGES: Final[Reducer[State, Event]] = (
    reducer(State).on(Paid, paid).on(Ended, lambda state, _: state).of(Event)
)


def by_coins(state: State, _: Ended) -> Rule:
    return RULE if any(state.coins) else OTHER


DESCRIBE: Final = (
    sentences(State)
    .on(Paid, "{seat} was paid {coins}", RULE)
    .on(
        Ended,
        lambda state, _: f"over with {sum(state.coins)}",
        lambda state, _: RULE if any(state.coins) else OTHER,
    )
    .of(EVENTS, lambda state: state)
)


def test_each_class_changes_the_state_by_its_function() -> None:
    events: list[Event] = [Paid(Seat(1), 3), Paid(Seat(0), 1), Ended()]

    assert CHANGES.fold(State((0, 0)), events) == State((1, 3))
    assert CHANGES.evolve(State((1, 3)), Ended()) == State((1, 3))


def test_parts_stand_in_sentences_as_their_terms_write_them() -> None:
    described = DESCRIBE(State((0, 0)), Paid(Seat(1), 3))

    assert (described.text, described.rules) == ("red was paid 3", (RULE,))


def test_a_function_may_choose_the_sentence_and_the_rule() -> None:
    assert DESCRIBE(State((1, 3)), Ended()).text == "over with 4"
    assert [DESCRIBE(State(coins), Ended()).rules for coins in ((1, 3), (0, 0))] == [(RULE,), (OTHER,)]


def test_an_event_without_a_change_is_refused() -> None:
    with pytest.raises(Misstated, match="Ended changes nothing"):
        reducer(State).on(Paid, paid).of(Event)


def test_an_event_with_two_changes_is_refused() -> None:
    with pytest.raises(Misstated, match="Paid is stated more than once"):
        reducer(State).on(Paid, paid).on(Paid, paid)


def test_bookkeeping_has_an_empty_sentence() -> None:
    describe = sentences(State).unsaid(Paid).on(Ended, "it is over").of(EVENTS, lambda state: state)

    texts = [describe(State((0, 0)), event).text for event in (Paid(Seat(1), 3), Ended())]

    assert texts == ["", "it is over"]


def test_an_event_without_a_sentence_is_refused() -> None:
    with pytest.raises(Misstated, match="Ended has no sentence"):
        sentences(State).on(Paid, "{seat} was paid", RULE).of(EVENTS, lambda state: state)


def test_a_sentence_with_a_part_that_its_event_lacks_is_refused() -> None:
    with pytest.raises(Misstated, match="Paid has no part gold"):
        sentences(State).on(Paid, "{gold}", RULE).on(Ended, "over", RULE).of(EVENTS, lambda state: state)
