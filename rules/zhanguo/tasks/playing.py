"""A turn: playing a card (ZHG-PLY, ZHG-UNI), taking a Court action, activating abilities (ZHG-ACT)."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, automatic, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.court import elixir, governor, hire, palace, recruit, wall
from rules.zhanguo.evolve import fold
from rules.zhanguo.frames import ActDue, PlayDue, StepDue, TurnDue
from rules.zhanguo.moves import (
    Activate,
    BuildPalace,
    BuildWall,
    Done,
    Forfeit,
    Hire,
    Install,
    MoveOfficial,
    PlayAtCourt,
    Recruit,
    Search,
    Unify,
)
from rules.zhanguo.pieces import (
    ASPECTS,
    CARD_NAMES,
    OF_ASPECT,
    REGIONS,
    UNREST,
    Card,
    Region,
    aspect_of,
    is_unification,
)
from rules.zhanguo.queries import (
    acting,
    awaits_seat,
    face_up_cards,
    holds_unknown,
    is_face_up,
    triggers,
)
from rules.zhanguo.resolve import gained, resolve
from rules.zhanguo.state import State
from rules.zhanguo.tasks.moving import moved, no_official, not_neighbours, official_moves

# What can be played


def position(state: State, seat: Seat, region: Region) -> int:
    """Cards before the next one in a region, as far as they count (ZHG-UNI-02, AMB-04)."""
    alchemists = not state.table.rulings.alchemists_ignored
    return state.players[seat].domains[region].position(alchemists=alchemists)


def _takes_card(state: State, seat: Seat, region: Region) -> bool:
    domain = state.players[seat].domains[region]
    return not domain.full and domain.unrest + position(state, seat, region) <= UNREST


def can_act(state: State, seat: Seat) -> bool:
    """Whether some Court action can be carried out; the search stops at the first."""
    return any(action.possible(state, seat) for action in (recruit, elixir, governor, hire, palace, wall))


def can_play(state: State, seat: Seat) -> bool:
    """Whether some placement or Court action is possible, whatever the cards (ZHG-PLY-02)."""
    return any(_takes_card(state, seat, region) for region in REGIONS) or can_act(state, seat)


def _playable(state: State, seat: Seat) -> list[Card]:
    """Cards of the hand, and those that an unknown one may be by what its seat sees (ZHG-HID-03)."""
    hand = state.players[seat].hand
    if not any(hand.unknown):
        return list(hand.known)
    seen = face_up_cards(state)
    cards = set(hand.known)
    for aspect in ASPECTS:
        if hand.unknown[aspect]:
            numbers = range(aspect * OF_ASPECT, (aspect + 1) * OF_ASPECT)
            cards.update(Card(number) for number in numbers if number not in seen)
    return sorted(cards)


# Checks


def _full(case: TaskCase[State, PlayDue, Unify]) -> Breach | None:
    region = case.move.region
    if not case.state.players[case.task.seat].domains[region].full:
        return None
    return Breach(f"{region.title} holds three cards", (region.word,))


def _too_restless(case: TaskCase[State, PlayDue, Unify]) -> Breach | None:
    seat, region = case.task.seat, case.move.region
    unrest, more = case.state.players[seat].domains[region].unrest, position(case.state, seat, region)
    if unrest + more <= UNREST:
        return None
    return Breach(
        f"{region.title} is at unrest {unrest}, and {more} more would exceed {UNREST}", (region.word,)
    )


def _not_in_hand(case: TaskCase[State, PlayDue, Unify | PlayAtCourt | Forfeit]) -> Breach | None:
    card, hand = case.move.card, case.state.players[case.task.seat].hand
    if card in hand.known or (is_unification(card) and holds_unknown(hand, card)):
        return None
    name = CARD_NAMES.names[card]
    return Breach(f"{name} is not in the hand", (name,))


def _seen_elsewhere(case: TaskCase[State, PlayDue, Unify | PlayAtCourt | Forfeit]) -> Breach | None:
    card, hand = case.move.card, case.state.players[case.task.seat].hand
    if card in hand.known or not is_unification(card) or not holds_unknown(hand, card):
        return None
    if not is_face_up(case.state, card):  # other hands are not asked: the answer would tell of them
        return None
    name = CARD_NAMES.names[card]
    return Breach(f"{name} is seen elsewhere", (name,))


_CARD: Final = (Check(rulebook.PLY_01, _not_in_hand), Check(rulebook.CMP_18, _seen_elsewhere))


def _no_action(case: TaskCase[State, PlayDue, PlayAtCourt]) -> Breach | None:
    return None if can_act(case.state, case.task.seat) else Breach("no Court action can be carried out")


def _can_play(case: TaskCase[State, PlayDue, Forfeit]) -> Breach | None:
    if can_play(case.state, case.task.seat):
        return Breach("a card can be placed or played at Court")
    return None


# Playing a card


def _unifications(state: State, due: PlayDue) -> Iterator[Unify]:
    regions = [region for region in REGIONS if _takes_card(state, due.seat, region)]
    if regions:
        yield from (Unify(card, region) for card in _playable(state, due.seat) for region in regions)


def _court_cards(state: State, due: PlayDue) -> Iterator[PlayAtCourt]:
    if can_act(state, due.seat):
        yield from map(PlayAtCourt, _playable(state, due.seat))


def _forfeits(state: State, due: PlayDue) -> Iterator[Forfeit]:
    if not can_play(state, due.seat):
        yield from map(Forfeit, _playable(state, due.seat))


def _unified(case: TaskCase[State, PlayDue, Unify]) -> tuple[e.Event, ...]:
    """The card, as many tokens as its position says, and unrest for all but the first (ZHG-UNI-02, -03)."""
    seat, card, region = case.task.seat, case.move.card, case.move.region
    before = position(case.state, seat, region)
    unrest = (e.UnrestRaised(seat, region, before),) if before else ()
    return (
        e.CardUnified(seat, card, region),
        *gained(case.state, seat, aspect_of(card), before + 1),
        *unrest,
    )


PLAY: Final = (
    task(State, PlayDue, rulebook.PLY_01, awaits_seat)
    .takes(
        Unify,
        (Check(rulebook.UNI_01, _full),),
        (Check(rulebook.UNI_04, _too_restless),),
        _CARD,
        each=_unifications,
        then=_unified,
        exact=True,
    )
    .takes(
        PlayAtCourt,
        (Check(rulebook.CRT_02, _no_action),),
        _CARD,
        each=_court_cards,
        then=lambda case: (e.CardPlayedAtCourt(case.task.seat, case.move.card),),
        exact=True,
    )
    .takes(
        Forfeit,
        (Check(rulebook.PLY_02, _can_play),),
        _CARD,
        each=_forfeits,
        then=lambda case: (e.PlayForfeited(case.task.seat, case.move.card),),
        exact=True,
    )
)

# The Court action

ACT: Final = (
    task(State, ActDue, rulebook.CRT_02, awaits_seat)
    .takes(Recruit, *recruit.CHECKS, each=recruit.moves, then=recruit.done, exact=True)
    .takes(Search, *elixir.CHECKS, each=elixir.moves, then=elixir.done, exact=True)
    .takes(Install, *governor.CHECKS, each=governor.moves, then=governor.done, exact=True)
    .takes(Hire, *hire.CHECKS, each=hire.moves, then=hire.done, exact=True)
    .takes(BuildPalace, *palace.CHECKS, each=palace.moves, then=palace.done, exact=True)
    .takes(BuildWall, *wall.CHECKS, each=wall.moves, then=wall.done, exact=True)
)

# The activation step


def _not_above_board(case: TaskCase[State, StepDue, Activate]) -> Breach | None:
    if case.state.players[case.task.seat].find(case.move.card) is not None:
        return None
    name = CARD_NAMES.names[case.move.card]
    return Breach(f"{name} is not above the own board", (name,))


def _not_triggered(case: TaskCase[State, StepDue, Activate]) -> Breach | None:
    found = case.state.players[case.task.seat].find(case.move.card)
    name = CARD_NAMES.names[case.move.card]
    if not case.task.test:
        return Breach("the number played did not pass the test")
    if found is not None and case.task.action in triggers(case.state, found[1]):
        return None
    return Breach(f"{name} is not triggered by {case.task.action.word}", (name,))


def _used(case: TaskCase[State, StepDue, Activate]) -> Breach | None:
    if case.move.card not in case.task.used:
        return None
    name = CARD_NAMES.names[case.move.card]
    return Breach(f"{name} was activated in this turn", (name,))


def _locked(case: TaskCase[State, StepDue, Activate]) -> Breach | None:
    player = case.state.players[case.task.seat]
    found = player.find(case.move.card)
    if found is None or player.domains[found[0]].unrest < UNREST:
        return None
    return Breach(f"{found[0].title} is at unrest {UNREST}", (found[0].word,))


def _activations(state: State, due: StepDue) -> Iterator[Activate]:
    if not due.test:
        return
    domains = state.players[due.seat].domains
    cards = [
        placed.card
        for domain in domains
        if domain.cards and domain.unrest < UNREST
        for placed in domain.cards
        if placed.card not in due.used and due.action in triggers(state, placed)
    ]
    yield from map(Activate, sorted(cards))


def _activated(case: TaskCase[State, StepDue, Activate]) -> tuple[e.Event, ...]:
    seat, card = case.task.seat, case.move.card
    found = case.state.players[seat].find(card)
    used = e.AbilityActivated(seat, card)
    ability = case.state.table.printed.ability(card)
    here = None if found is None else found[0]
    return (used, *resolve(fold(case.state, (used,)), seat, ability, e.Source.ABILITY, here))


def _activated_before(case: TaskCase[State, StepDue, MoveOfficial]) -> Breach | None:
    return Breach("an ability was activated in this turn") if case.task.used else None


def _step_moves(state: State, due: StepDue) -> Iterator[MoveOfficial]:
    return iter(()) if due.used else official_moves(state, due)


STEP: Final = (
    task(State, StepDue, rulebook.ACT_01, awaits_seat, forced=True)
    .takes(
        Activate,
        (Check(rulebook.ACT_01, _not_above_board),),
        (
            Check(rulebook.ACT_01, _not_triggered),
            Check(rulebook.ACT_03, _used),
            Check(rulebook.ACT_04, _locked),
        ),
        each=_activations,
        then=_activated,
        exact=True,
    )
    .takes(
        MoveOfficial,
        (
            Check(rulebook.VOC_01, not_neighbours),
            Check(rulebook.ACT_07, no_official),
            Check(rulebook.ACT_09, _activated_before),
        ),
        each=_step_moves,
        then=lambda case: (moved(case.state, case.move), e.ActivationEnded(acting(case.state))),
        exact=True,
    )
    .takes(
        Done,
        each=lambda _, __: (Done(),),
        then=lambda case: (e.ActivationEnded(case.task.seat),),
        exact=True,
    )
)

# The next turn


def _next_turn(state: State, due: TurnDue) -> tuple[e.Event, ...]:
    """The next seat in turn order with cards; without any, rewards begin (ZHG-EOT-01)."""
    order, rival = state.track, state.table.rival
    if due.after is None:
        return _turn_of(state, order[0])
    if rival is not None:
        human = state.table.humans[0]
        if due.after == rival:
            return (e.TurnBegan(human),) if state.players[human].hand.size else (e.RewardsBegan(),)
        # Li Si has no hand: where he is first in turn order, the human's last card is the end of the round.
        last = order[0] == rival and not state.players[human].hand.size
        return (e.RewardsBegan(),) if last else (e.RivalTurnBegan(),)
    at = order.index(due.after) + 1
    for seat in order[at:] + order[:at]:
        if state.players[seat].hand.size:
            return (e.TurnBegan(seat),)
    return (e.RewardsBegan(),)


def _turn_of(state: State, seat: Seat) -> tuple[e.Event, ...]:
    return (e.RivalTurnBegan(),) if seat == state.table.rival else (e.TurnBegan(seat),)


TURN: Final = automatic(State, TurnDue, rulebook.STM_03, _next_turn)
