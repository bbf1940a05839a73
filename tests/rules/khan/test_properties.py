"""What holds over whole matches, at two, three and four seats (section 12 of the digest)."""

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from rules.kernel.actors import CHANCE, SPECTATOR, Seat
from rules.kernel.setup import RECORDED, Setup
from rules.khan.cards import CARDS, HAND, UNKNOWN
from rules.khan.conquest import owners
from rules.khan.events import (
    ActionForfeited,
    ConsentRefused,
    Event,
    FinalPhaseTriggered,
    LeaderAnnounced,
    LeaderFled,
    LeaderRemoved,
    PiecePlaced,
    SpecialUsed,
    TurnBegan,
    YurtPlacedAnywhere,
    YurtPlacedByCard,
)
from rules.khan.game import KHAN
from rules.khan.moves import Conquer, DrawCard, Move, TurnCard
from rules.khan.rulebook import KHAN_1
from rules.khan.state import Acting, Conquering, State
from tests.rules.khan.strategies import NAMES, SET, KhanMatch, fewer, likes_to_conquer, matches
from tests.rules.laws import play, seeded

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


@SEATS
def test_cards_pieces_and_special_cards_are_conserved(seats: int) -> None:
    """Property 1."""

    @fewer
    @given(matches(seats=seats))
    def holds(match: KhanMatch) -> None:
        for state in match.states:
            assert state.pile + sum(state.discard) + sum(map(len, state.hands)) == CARDS
            assert sum(state.supply) + len(state.placed) == 38
            assert sum(piece.cells.bit_count() for piece in state.placed) < 154
        used = [event for event in events_of(match) if isinstance(event, SpecialUsed)]
        left = sum(map(sum, match.last.specials))
        assert len(used) + left == sum(map(sum, match.start.specials)) == {2: 16, 3: 15, 4: 16}[seats]

    holds()


def events_of(match: KhanMatch) -> list[Event]:
    return [event for step in match.steps for event in step.events]


@fewer
@given(matches())
def test_camps_only_shrink_and_only_by_step_1_or_with_the_leader(match: KhanMatch) -> None:
    """Property 3."""
    for step in match.steps:
        for before, after in zip(step.before.camps, step.after.camps, strict=True):
            assert after <= before
        lost = sum(step.before.camps) - sum(step.after.camps)
        chased = [event for event in step.events if isinstance(event, LeaderFled)]
        gone = any(isinstance(event, LeaderRemoved | FinalPhaseTriggered) for event in step.events)
        if not gone:
            assert lost == sum(1 for event in chased if event.from_camp)


@fewer
@given(matches())
def test_pieces_stay_and_cover_yurts_and_their_water(match: KhanMatch) -> None:
    """Property 8."""
    shapes, river = match.start.table.parts.shapes, match.start.table.parts.board.river
    for step in match.steps:
        assert step.before.covered & ~step.after.covered == 0
        for event in step.events:
            if isinstance(event, PiecePlaced):
                shape = shapes[event.shape]
                wet = (event.cells & river).bit_count()

                assert (event.cells & step.before.occupied).bit_count() == shape.size - wet
                if not step.before.table.rulings.loose_bridges:
                    assert wet == shape.printed.water


@fewer
@given(matches(), st.permutations(range(4)))
def test_the_owners_of_a_piece_do_not_depend_on_who_the_others_are(
    match: KhanMatch, order: list[int]
) -> None:
    """Property 7: seats renamed, the owners are renamed."""
    for step in match.steps:
        if isinstance(step.move, Conquer):
            state = step.before
            cells = state.table.parts.board.union(step.move.cells)
            seats = [place for place in order if place < len(state.table.names)]
            renamed = structs.replace(state, yurts=(*(state.yurts[seat] for seat in seats), state.neutral))

            assert sorted(seats[seat] for seat in owners(renamed, cells)) == list(owners(state, cells))


@fewer
@given(matches())
def test_a_refusal_changes_nothing_but_what_may_be_proposed(match: KhanMatch) -> None:
    """Property 9."""
    for step in match.steps:
        if any(isinstance(event, ConsentRefused) for event in step.events):
            before = structs.replace(step.before, proposal=None)

            assert structs.replace(step.after, refused=step.before.refused) == before
            assert len(step.after.refused) == len(step.before.refused) + 1


LETTERS = {
    YurtPlacedByCard: "A",
    LeaderAnnounced: "B",
    PiecePlaced: "C",
    YurtPlacedAnywhere: "D",
    ActionForfeited: "-",
}


@fewer
@given(matches())
def test_a_turn_is_two_single_actions_or_a_double_one_and_one_more_by_high_morale(match: KhanMatch) -> None:
    """Property 11."""
    word, final = "", False
    for event in events_of(match):
        if isinstance(event, TurnBegan):
            if word and not final:
                assert re.fullmatch(r"([ABC-]{2}|D)(M[ABC-])?", word), word
            word = ""
        final |= isinstance(event, FinalPhaseTriggered)
        if isinstance(event, SpecialUsed) and event.special == 0:
            word += "M"
        word += LETTERS.get(type(event), "")


@fewer
@given(matches())
def test_every_hand_has_four_cards_when_a_turn_of_the_main_phase_begins(match: KhanMatch) -> None:
    """Property 11."""
    for step in match.steps:
        began = [event for event in step.events if isinstance(event, TurnBegan)]
        if began and not step.after.triggered:
            assert [step.after.held(seat) for seat in step.after.table.seats] == [HAND] * len(
                step.after.table.names
            )


@fewer
@given(matches(draws=RECORDED))
def test_a_card_that_is_turned_or_drawn_is_one_that_is_left(match: KhanMatch) -> None:
    """By the faces alone: never more of a kind lie open or in hands than the set has."""
    for step in match.steps:
        if isinstance(step.move, TurnCard | DrawCard) and step.move.card is not None:
            state, card = step.after, step.move.card

            seen = state.discard[card] + sum(hand.count(card) for hand in state.hands)
            assert seen <= state.table.parts.copies[card]


class Dealer:
    """Shuffles whatever is to be shuffled, once, and deals from it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.orders: dict[tuple[str, int], tuple[str, ...]] = {}

    def due(self, state: State) -> Move | None:
        """What comes now; None where chance is not awaited."""
        if CHANCE not in KHAN.awaiting(state):
            return None
        (take,) = KHAN.chance.due(state)
        if (take.deck, take.round) not in self.orders:
            stock = list(KHAN.chance.stock(state, take.deck))
            self.chance.shuffle(stock)
            self.orders[take.deck, take.round] = tuple(stock)
        order = self.orders[take.deck, take.round]
        return KHAN.chance.bring(state, tuple(order[at] for at in take.places(len(order))))


@SEATS
def test_what_somebody_has_shuffled_is_always_legal_and_known(seats: int) -> None:
    start = KHAN.start(Setup(KHAN_1, NAMES[:seats], SET, RECORDED))
    dealer = Dealer(seeded(seats))

    def choose(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
        return dealer.due(state) or likes_to_conquer(chance, state, moves)

    match = play(KHAN, start, seeded(seats), choose)

    assert match.last.triggered
    assert not any(UNKNOWN in hand for state in match.states for hand in state.hands)
    assert sorted(dealer.orders["cards", 0]) == sorted(start.table.parts.card_names)
    for state in match.states:
        assert bool(KHAN.chance.due(state)) == (CHANCE in KHAN.awaiting(state))


@fewer
@given(matches(draws=RECORDED))
def test_nobody_else_sees_a_card_that_is_drawn(match: KhanMatch) -> None:
    """Property 15, for entries."""
    for step in match.steps:
        if isinstance(step.move, DrawCard):
            seat = next(
                seat for seat in match.start.table.seats if step.after.held(seat) != step.before.held(seat)
            )

            assert KHAN.seen_move(step.before, step.actor, step.move, SPECTATOR) == DrawCard(None)
            assert KHAN.seen_move(step.before, step.actor, step.move, seat) == step.move
            other = Seat((seat + 1) % len(match.start.table.names))
            seen = KHAN.seen_events(step.before, step.events, other)
            assert KHAN.fold(KHAN.view(step.before, other), seen) == KHAN.view(step.after, other)


@fewer
@given(matches())
def test_a_mover_owns_what_it_places(match: KhanMatch) -> None:
    for step in match.steps:
        for event in step.events:
            if isinstance(event, PiecePlaced):
                assert isinstance(step.before.turn, Acting | Conquering)
                assert event.seat == step.before.turn.seat
                assert event.seat in event.owners
