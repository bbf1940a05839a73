"""Li Si's turn: an Action card is revealed and resolved (ZHG-SOL-11 to -63)."""

from collections.abc import Iterator
from typing import Final, assert_never

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, automatic, task
from rules.zhanguo import dealt, rulebook
from rules.zhanguo import events as e
from rules.zhanguo.dealt import COMPONENT_NAMES
from rules.zhanguo.evolve import fold
from rules.zhanguo.frames import CardDue, Frame, RevealDue, RivalAlchemistDue, RivalDue, RivalMasterDue
from rules.zhanguo.moves import Deal, Reveal, RevealCard
from rules.zhanguo.pieces import (
    ACTION_CARD_NAMES,
    ASPECTS,
    CARD_NAMES,
    REGIONS,
    ROUNDS,
    UNIFICATION_CARDS,
    Card,
    Region,
    aspect_of,
    is_unification,
)
from rules.zhanguo.printed import SoloAction, SoloKind, Symbol
from rules.zhanguo.queries import acting, is_seen, seen_cards
from rules.zhanguo.resolve import gained, unlocked
from rules.zhanguo.rival.building import built_palace, built_wall, installed
from rules.zhanguo.rival.soldiers import placements
from rules.zhanguo.state import State

_OPTIONS: Final = {Symbol.ONE: 1, Symbol.TWO: 2, Symbol.MASTER: 0}
"""Choices that a symbol gives."""


def _by_chance(state: State, _: object) -> tuple[Actor, ...]:
    return (CHANCE,) if state.table.rival is not None else ()


def _region_of_round(state: State) -> Region:
    return REGIONS[min(max(state.round, 1), ROUNDS) - 1]


# The Action card


def _not_left(case: TaskCase[State, RevealDue, Reveal]) -> Breach | None:
    if case.move.card in case.state.actions.left:
        return None
    name = ACTION_CARD_NAMES.names[case.move.card]
    return Breach(f"the Action card {name} is not left in the deck", (name,))


def _revealed(case: TaskCase[State, RevealDue, Reveal]) -> tuple[e.Event, ...]:
    revealed = e.ActionRevealed(case.move.card)
    state = fold(case.state, (revealed,))
    return (revealed, *_resolved(state, acting(state), state.table.printed.solo_actions[case.move.card]))


def _resolved(state: State, seat: Seat, card: SoloAction) -> tuple[e.Event, ...]:
    match card.kind:
        case SoloKind.UNIFICATION:
            return (e.ChoicesDue((CardDue(),)),)
        case SoloKind.ELIXIR:
            return _sailed(state, seat, card.boat)
        case SoloKind.GOVERNOR:
            return installed(state, seat, card)
        case SoloKind.PALACE:
            return built_palace(state, seat, card)
        case SoloKind.WALL:
            return built_wall(state, seat, card)
        case _:
            assert_never(card.kind)


REVEAL: Final = task(State, RevealDue, rulebook.SOL_11, _by_chance).takes(
    Reveal,
    (Check(rulebook.SOL_11, _not_left),),
    each=lambda state, _: map(Reveal, state.actions.left),
    then=_revealed,
    exact=True,
)


def _card_ends(state: State, _: RivalDue) -> tuple[e.Event, ...]:
    """Once the card is settled, soldiers stand by themselves, and the turn is over (AMB-60)."""
    return placements(state) or (e.RivalTurnEnded(acting(state)),)


RIVAL: Final = automatic(State, RivalDue, rulebook.STM_03, _card_ends)

# Elixir cards


def _sailed(state: State, seat: Seat, by: int) -> tuple[e.Event, ...]:
    """All option symbols are decided together by the entrance; the Master comes after them (AMB-59)."""
    route, origin = state.table.printed.route, state.players[seat].boat
    to = min(origin + by, route.end)
    if to == origin:
        return ()
    symbols = [route.symbols[space] for space in range(origin + 1, to + 1) if space in route.symbols]
    options = sum(_OPTIONS[symbol] for symbol in symbols)
    events: tuple[e.Event, ...] = (e.BoatMoved(seat, origin, to),)
    frames: tuple[Frame, ...] = (RivalMasterDue(),) * symbols.count(Symbol.MASTER)
    if state.players[seat].entrance:
        frames = (RivalAlchemistDue(),) * options + frames
    else:
        events += unlocked(state, seat, options)
    return (*events, e.ChoicesDue(frames)) if frames else events


def _no_place(state: State, _: RivalAlchemistDue) -> tuple[e.Event, ...]:
    """Without a card or a place a soldier is unlocked instead (ZHG-SOL-33)."""
    seat = acting(state)
    player = state.players[seat]
    if player.aside and not player.domains[_region_of_round(state)].full:
        return ()
    return (e.ChoiceMade(()), *unlocked(state, seat, 1))


def _not_aside(case: TaskCase[State, RivalAlchemistDue, Deal]) -> Breach | None:
    card = dealt.extra_card_of(case.move.component)
    if card in case.state.players[acting(case.state)].aside:
        return None
    name = COMPONENT_NAMES.names[case.move.component]
    return Breach(f"{name} is not among Li Si's Alchemist cards", (name,))


def _alchemists(state: State, _: RivalAlchemistDue) -> Iterator[Deal]:
    return (Deal(dealt.of_alchemist(card)) for card in state.players[acting(state)].aside)


def _alchemist_placed(case: TaskCase[State, RivalAlchemistDue, Deal]) -> tuple[e.Event, ...]:
    card = dealt.extra_card_of(case.move.component)
    placed = () if card is None else (_placed(case.state, card),)
    return (e.ChoiceMade(()), *placed)


def _placed(state: State, card: Card) -> e.Event:
    return e.AlchemistPlaced(acting(state), card, _region_of_round(state))


RIVAL_ALCHEMIST: Final = task(State, RivalAlchemistDue, rulebook.SOL_32, _by_chance, happens=_no_place).takes(
    Deal,
    (Check(rulebook.SOL_32, _not_aside),),
    each=_alchemists,
    then=_alchemist_placed,
    exact=True,
)


def _no_master(state: State, _: RivalMasterDue) -> tuple[e.Event, ...]:
    return () if state.masters else (e.ChoiceLapsed(),)


def _not_available(case: TaskCase[State, RivalMasterDue, Deal]) -> Breach | None:
    if dealt.extra_card_of(case.move.component) in case.state.masters:
        return None
    name = COMPONENT_NAMES.names[case.move.component]
    return Breach(f"{name} is no available Master", (name,))


def _master_taken(case: TaskCase[State, RivalMasterDue, Deal]) -> tuple[e.Event, ...]:
    card = dealt.extra_card_of(case.move.component)
    taken = () if card is None else (e.MasterTaken(acting(case.state), card),)
    return (e.ChoiceMade(()), *taken)


RIVAL_MASTER: Final = task(State, RivalMasterDue, rulebook.SOL_34, _by_chance, happens=_no_master).takes(
    Deal,
    (Check(rulebook.SOL_34, _not_available),),
    each=lambda state, _: (Deal(dealt.of_master(card)) for card in state.masters),
    then=_master_taken,
    exact=True,
)

# Unification cards


def _not_his(case: TaskCase[State, CardDue, RevealCard]) -> Breach | None:
    card = case.move.card
    if is_unification(card) and case.state.deck[aspect_of(card)]:
        return None
    name = CARD_NAMES.names[card]
    return Breach(f"none of Li Si's six cards that are left can be {name}", (name,))


def _seen(case: TaskCase[State, CardDue, RevealCard]) -> Breach | None:
    if not is_seen(case.state, case.move.card):
        return None
    name = CARD_NAMES.names[case.move.card]
    return Breach(f"{name} is seen elsewhere", (name,))


def _his_cards(state: State, _: CardDue) -> Iterator[RevealCard]:
    seen = seen_cards(state)
    for number in range(UNIFICATION_CARDS):
        card = Card(number)
        if state.deck[aspect_of(card)] and card not in seen:
            yield RevealCard(card)


def _played(case: TaskCase[State, CardDue, RevealCard]) -> tuple[e.Event, ...]:
    """Into the first free place up to the region of the round, or to Court (ZHG-SOL-20, -21)."""
    state, card = case.state, case.move.card
    seat = acting(state)
    domains = state.players[seat].domains
    for region in REGIONS[: _region_of_round(state) + 1]:
        if not domains[region].full:
            before = domains[region].position(alchemists=not state.table.rulings.alchemists_ignored)
            tokens = gained(state, seat, aspect_of(card), before + 1)
            return e.ChoiceMade(()), e.RivalCardUnified(seat, card, region), *tokens
    each = [event for aspect in ASPECTS for event in gained(state, seat, aspect, 1)]
    return e.ChoiceMade(()), e.RivalCardAtCourt(seat, card), *each


CARD: Final = task(State, CardDue, rulebook.SOL_20, _by_chance).takes(
    RevealCard,
    (Check(rulebook.SOL_10, _not_his), Check(rulebook.CMP_18, _seen)),
    each=_his_cards,
    then=_played,
    exact=True,
)
