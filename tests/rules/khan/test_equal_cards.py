"""Sets with equal cards: what can have been in a hand after a shuffle (KHAN-DECK-1)."""

import random

from hypothesis import given
from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.setup import Draws, Setup
from rules.khan.ages import may_hold
from rules.khan.cards import UNKNOWN, CardKind, Leader
from rules.khan.events import CardDiscarded, CardsDrawn, CardTurned, DeckReshuffled, Event, YurtPlacedByCard
from rules.khan.game import KHAN
from rules.khan.moves import (
    Chase,
    Discard,
    DrawFirstPlayer,
    Finish,
    Invade,
    InvadeAnywhere,
    Move,
    PlaceYurt,
    TurnCard,
)
from rules.khan.rulebook import KHAN_1
from rules.khan.state import ACTIONS, Acting, Beginning, Choosing, Discarding, Opening, State, Turning
from tests.rules.khan.strategies import EQUAL_SET, NAMES
from tests.rules.laws import accepted, chances

FACES = tuple(CardKind(number) for number in range(3))


class Table:
    """A match whose cards nobody records: what lies on the table and in the hands all the same."""

    def __init__(self, seats: int, chance: random.Random, *rulings: tuple[str, str]) -> None:
        setup = Setup(KHAN_1, NAMES[:seats], EQUAL_SET, Draws.UNRECORDED, rulings)
        self.chance = chance
        self.state = KHAN.start(setup)
        copies = self.state.table.parts.copies
        self.pile = [card for card in self.state.table.parts.faces.each for _ in range(copies[card])]
        self.hands: list[list[CardKind]] = [[] for _ in range(seats)]
        self.discards: list[CardKind] = []
        chance.shuffle(self.pile)

    def play(self, move: Move) -> None:
        """Make a move, which must be legal, since it is made with the cards that are there."""
        actor = KHAN.awaiting(self.state)[0]
        events = accepted(KHAN, self.state, actor, move)
        assert events is not None, f"{move} is refused"

        for event in events:
            self._happen(event)
        self.state = KHAN.fold(self.state, events)

    def _happen(self, event: Event) -> None:
        match event:
            case CardTurned():
                self.discards.append(self.pile.pop())
            case CardsDrawn():
                self.hands[event.seat] += [self.pile.pop() for _ in range(event.count)]
            case DeckReshuffled():
                self.pile, self.discards = self.discards, []
                self.chance.shuffle(self.pile)
            case YurtPlacedByCard() | CardDiscarded():
                self.hands[event.seat].remove(event.card)
                self.discards.append(event.card)
            case _:
                pass

    def next_move(self) -> Move | None:
        """A move that takes many cards; None once the final phase comes."""
        state, chance = self.state, self.chance
        turn, parts = state.turn, state.table.parts
        free = parts.board.each(state.free)
        match turn:
            case Beginning():
                return DrawFirstPlayer(chance.choice(state.table.seats))
            case Opening():
                return PlaceYurt(chance.choice(free))
            case Turning():
                return TurnCard(self.pile[-1])
            case Discarding():
                hand = self.hands[turn.seat]
                return Discard(chance.choice(hand)) if chance.randrange(5) else Finish()
            case Choosing():
                return Finish()
            case Acting():
                return self._action(turn.seat, state)
            case _:
                return None

    def _action(self, seat: Seat, state: State) -> Move | None:
        board = state.table.parts.board
        moves: list[Move] = [
            Invade(cell, card)
            for card in self.hands[seat]
            for cell in board.each(state.free & state.table.openings[card])[:1]
        ]
        if state.left == ACTIONS and state.free:
            moves += [InvadeAnywhere(board.first(state.free))] * 3
        moves += [Chase(Leader(leader)) for leader, cell in enumerate(state.leaders) if cell][:1]
        return self.chance.choice(moves) if moves else None


@given(chances())
def test_what_is_really_in_a_hand_can_be_there(chance: random.Random) -> None:
    rulings = chance.choice(((), (("reshuffle", "when-empty"),)))
    table = Table(chance.randint(2, 4), chance, *rulings)
    while (move := table.next_move()) is not None:
        table.play(move)

        for seat, hand in zip(table.state.table.seats, table.hands, strict=True):
            assert [card for card in hand if not may_hold(table.state, seat, card)] == []
        assert KHAN.problems(table.state) == ()
    assert table.state.shuffles > 0


def test_a_card_counts_as_drawn_since_the_shuffle_if_the_equal_one_turns_up_elsewhere() -> None:
    """Red lays a card aside that it may have held before the shuffle; then yellow, who drew none since."""
    state = _after_a_shuffle()
    red, yellow = state.table.seats
    state = KHAN.fold(state, [CardDiscarded(red, FACES[0])])

    assert may_hold(state, yellow, FACES[0])
    assert not may_hold(state, yellow, FACES[1])

    state = KHAN.fold(state, [CardDiscarded(yellow, FACES[0])])

    assert KHAN.problems(state) == ()
    # Red's was drawn since, so all cards set apart are still where they were, but for yellow's.
    assert not may_hold(state, yellow, FACES[0])
    assert may_hold(state, red, FACES[2])


def _after_a_shuffle() -> State:
    """Red has one card of before the shuffle, yellow four; a card of face 0 is among them, others are not."""
    state = KHAN.start(Setup(KHAN_1, NAMES[:2], EQUAL_SET, Draws.UNRECORDED))
    apart = bytearray(len(state.apart))
    apart[0], apart[2], apart[6] = 1, 1, 3
    cards = sum(state.table.parts.copies)
    hands = (bytes((UNKNOWN,)) * 4,) * 2
    return structs.replace(
        state, hands=hands, pile=cards - 8, apart=bytes(apart), old=bytes((1, 4)), turn=Discarding(Seat(0))
    )
