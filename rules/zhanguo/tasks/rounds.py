"""Start tiles, hands and rounds (ZHG-SET-20, ZHG-RND)."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.rule import Breach, Check
from rules.kernel.setup import RECORDED
from rules.kernel.tasks import TaskCase, automatic, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import DrawDue, RoundDue, StartDue
from rules.zhanguo.moves import ChooseStart, DrawCard
from rules.zhanguo.pieces import (
    CARD_NAMES,
    OF_ASPECT,
    ROUNDS,
    START_NAMES,
    Aspect,
    Card,
    aspect_of,
    is_unification,
)
from rules.zhanguo.queries import awaits_seat, is_seen, seen_cards
from rules.zhanguo.resolve import resolve
from rules.zhanguo.scoring import totals, winners
from rules.zhanguo.state import State
from rules.zhanguo.tasks.dealing import by_chance

# Start tiles


def _not_dealt(case: TaskCase[State, StartDue, ChooseStart]) -> Breach | None:
    if case.move.tile in case.state.start_tiles(case.task.seat):
        return None
    name = START_NAMES.names[case.move.tile]
    return Breach(f"{name} was not dealt to {case.state.table.names[case.task.seat]}", (name,))


def _chosen(case: TaskCase[State, StartDue, ChooseStart]) -> tuple[e.Event, ...]:
    seat, tile = case.task.seat, case.move.tile
    effects = case.state.table.printed.start(tile)
    return (e.StartTileChosen(seat, tile), *resolve(case.state, seat, effects, e.Source.BONUS))


def _settled(state: State, due: StartDue) -> tuple[e.Event, ...]:
    """Once its tile is chosen and resolved, the frame is answered."""
    return () if state.start_tiles(due.seat) else (e.StartTileSettled(due.seat),)


START: Final = task(State, StartDue, rulebook.SET_20, awaits_seat, happens=_settled).takes(
    ChooseStart,
    (Check(rulebook.SET_20, _not_dealt),),
    each=lambda state, due: map(ChooseStart, sorted(state.start_tiles(due.seat))),
    then=_chosen,
    exact=True,
)

# Hands


def due_aspect(state: State, due: DrawDue) -> Aspect:
    """Two cards of each aspect come in turn (ZHG-HID-03)."""
    return Aspect(min(state.players[due.seat].hand.size // 2, max(Aspect)))


def _wrong_aspect(case: TaskCase[State, DrawDue, DrawCard]) -> Breach | None:
    card, aspect = case.move.card, due_aspect(case.state, case.task)
    if card is None or (is_unification(card) and aspect_of(card) is aspect):
        return None
    name = CARD_NAMES.names[card]
    return Breach(f"a card of {aspect.word} is due, and {name} is none", (name,))


def _seen(case: TaskCase[State, DrawDue, DrawCard]) -> Breach | None:
    card = case.move.card
    if card is None or not is_seen(case.state, card):
        return None
    name = CARD_NAMES.names[card]
    return Breach(f"{name} is seen elsewhere", (name,))


def _draws(state: State, due: DrawDue) -> Iterator[DrawCard]:
    aspect, seen = due_aspect(state, due), seen_cards(state)
    for number in range(aspect * OF_ASPECT, (aspect + 1) * OF_ASPECT):
        if number not in seen:
            yield DrawCard(Card(number))
    yield DrawCard(None)


DRAW: Final = task(State, DrawDue, rulebook.RND_02, by_chance).takes(
    DrawCard,
    (Check(rulebook.RND_02, _wrong_aspect), Check(rulebook.CMP_18, _seen)),
    each=_draws,
    then=lambda case: (e.CardDrawn(case.task.seat, case.move.card),),
    exact=True,
)

# Rounds


def _next_round(state: State, _: RoundDue) -> tuple[e.Event, ...]:
    if state.round >= ROUNDS:
        return (e.MatchEnded(totals(state), winners(state)),)
    began = e.RoundBegan(state.round + 1)
    return (began,) if state.table.draws is RECORDED else (began, e.HandsDealt())


ROUND: Final = automatic(State, RoundDue, rulebook.STM_03, _next_round)
