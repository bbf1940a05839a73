"""Views derived from the fields that a game declares secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.views import NotDeclared, Views, hidden, hidden_from_all, secret, secret_choice

VIEWERS: tuple[Viewer, ...] = (Seat(0), Seat(1), SPECTATOR, AUDITOR)


class Player(Struct, frozen=True):
    coins: int | None
    honour: int


class State(Struct, frozen=True):
    hands: tuple[bytes, ...]
    players: tuple[Player, ...]
    deck: tuple[int | None, ...]
    turn: Seat


class Card(Struct, frozen=True):
    back: str
    face: int | None


class Draw(Struct, frozen=True):
    card: Card


class Drawn(Struct, frozen=True):
    seat: Seat
    card: Card


class Shared(Struct, frozen=True):
    number: int | None
    open: bool


class Bid(Struct, frozen=True):
    card: int | None
    coins: int | None


class Paid(Struct, frozen=True):
    seat: Seat
    coins: int


def back_of(card: Card) -> Card:
    return Card(card.back, None)


def the_pair(_: State, shared: Shared) -> tuple[Seat, ...] | None:
    """Asks for what it may not know, too: it is hidden by then."""
    assert shared.number is None
    return None if shared.open else (Seat(0), Seat(1))


def as_unknown(hand: bytes) -> bytes:
    return b"?" * len(hand)


def face_down(deck: tuple[int | None, ...]) -> tuple[None, ...]:
    return (None,) * len(deck)


VIEWS: Views[State, Draw | Shared | Bid, Drawn | Paid] = Views(
    State,
    hidden("hands", as_unknown),
    hidden("players.coins", lambda _: None),
    hidden_from_all("deck", face_down),
    secret(Draw, "card", lambda state, _: state.turn, back_of),
    secret(Drawn, "card", lambda _, event: event.seat, back_of),
    secret(Shared, "number", the_pair),
    secret_choice(Bid, "card"),
    secret_choice(Bid, "coins"),
)


def audiences(state: State, actor: Actor, *parts: Struct) -> list[set[Seat]]:
    """Who may see each secret of a move and its events."""
    found = (each.audience(state, actor, part) for part in parts for each in VIEWS.secrets)
    return [set(audience) for audience in found if audience is not None]


STATES = st.builds(
    State,
    st.tuples(st.binary(max_size=3), st.binary(max_size=3)),
    st.tuples(*[st.builds(Player, st.integers(0, 9), st.integers(0, 9))] * 2),
    st.lists(st.integers(0, 9)).map(tuple),
    st.sampled_from((Seat(0), Seat(1))),
)
CARDS = st.builds(Card, st.sampled_from(("w", "l")), st.integers(0, 9))


@given(STATES)
def test_each_seat_sees_its_own_and_the_auditor_everything(state: State) -> None:
    for seat in (Seat(0), Seat(1)):
        seen, other = VIEWS.state(state, seat), Seat(1 - seat)

        assert (seen.hands[seat], seen.players[seat]) == (state.hands[seat], state.players[seat])
        assert seen.hands[other] == b"?" * len(state.hands[other])
        assert seen.players[other] == Player(None, state.players[other].honour)
        assert seen.deck == (None,) * len(state.deck)
    assert VIEWS.state(state, AUDITOR) is state


@given(STATES)
def test_a_view_of_a_view_is_the_same(state: State) -> None:
    for viewer in VIEWERS:
        seen = VIEWS.state(state, viewer)

        assert VIEWS.state(seen, viewer) == seen


@given(STATES, CARDS)
def test_the_back_is_public_where_the_face_is_not(state: State, card: Card) -> None:
    seen = {viewer: VIEWS.move(state, Seat(0), Draw(card), viewer) for viewer in VIEWERS}

    assert seen[state.turn] == seen[AUDITOR] == Draw(card)
    assert seen[SPECTATOR] == seen[Seat(1 - state.turn)] == Draw(Card(card.back, None))


@given(STATES, CARDS)
def test_events_are_hidden_one_by_one(state: State, card: Card) -> None:
    events = (Paid(Seat(0), 3), Drawn(Seat(1), card))

    assert VIEWS.events(state, events, Seat(1)) == events
    assert VIEWS.events(state, events, Seat(0)) == (events[0], Drawn(Seat(1), Card(card.back, None)))


@given(STATES, CARDS, st.integers(0, 9) | st.none())
def test_who_may_see_an_entry_does_not_depend_on_what_it_hides(
    state: State, card: Card, number: int | None
) -> None:
    drawn = Drawn(Seat(1), card)
    shared = Shared(number, open=False)

    assert audiences(state, CHANCE, Draw(card), Paid(Seat(0), 1), drawn) == [{state.turn}, {Seat(1)}]
    assert audiences(state, CHANCE, shared) == [{Seat(0), Seat(1)}]
    assert audiences(state, CHANCE, Shared(number, open=True)) == []


@given(STATES, st.integers(0, 9), st.integers(0, 9))
def test_a_secret_choice_is_seen_by_the_seat_that_makes_it_and_by_nobody_else(
    state: State, card: int, coins: int
) -> None:
    seen = {viewer: VIEWS.move(state, Seat(1), Bid(card, coins), viewer) for viewer in VIEWERS}

    assert seen[Seat(1)] == seen[AUDITOR] == Bid(card, coins)
    assert seen[Seat(0)] == seen[SPECTATOR] == Bid(None, None)
    assert audiences(state, Seat(1), Bid(card, coins)) == [{Seat(1)}, {Seat(1)}]
    assert audiences(state, Seat(0), Bid(None, None)) == [{Seat(0)}, {Seat(0)}]
    assert audiences(state, ARBITER, Bid(card, coins)) == [set(), set()]


def test_a_secret_of_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotDeclared, match="Draw has no part crad; it has card"):
        secret(Draw, "crad", lambda _, __: None)
    with pytest.raises(NotDeclared, match="State has no field hand"):
        Views(State, hidden("hand", as_unknown))
