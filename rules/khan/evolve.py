"""From a state and a fact to the next state. Judges nothing."""

from typing import Final

from msgspec.structs import replace

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.places import counted, with_one
from rules.kernel.reducer import Reducer, reducer
from rules.kernel.setup import UNRECORDED
from rules.khan import events as e
from rules.khan import state as s
from rules.khan.ages import laid_aside
from rules.khan.cards import CARDS, HAND, UNKNOWN, CardKind, Hand, Special
from rules.khan.state import State

_MOST: Final = 0xFF
"""The largest count that a state can have: digests count in bytes."""


def _with_yurt(state: State, seat: Seat, cell: Cell) -> State:
    bit = state.table.parts.board.bit[cell]
    return replace(state, free=state.free & ~bit, yurts=with_one(state.yurts, seat, state.yurts[seat] | bit))


def _opening_yurt_placed(state: State, event: e.OpeningYurtPlaced) -> State:
    following = state.table.after(event.seat)
    after = _with_yurt(state, event.seat, event.cell)
    due = state.table.rounds * len(state.table.names)
    turn = s.Opening(following) if sum(map(int.bit_count, after.yurts)) < due else s.Drawing(following)
    return replace(after, turn=turn)


def _drawn(state: State, seat: Seat, card: CardKind | None, count: int) -> State:
    if state.held(seat) + count > CARDS:
        raise ValueError(f"there are not {count} cards to draw")
    drawn = bytes((UNKNOWN if card is None else card,)) * count
    hands = with_one(state.hands, seat, bytes(sorted(state.hands[seat] + drawn)))
    following = state.table.after(seat)
    # In the deal the next hand is still empty; later no hand is when another is being refilled.
    is_dealt = len(hands[seat]) >= HAND and not hands[following]
    turn = s.Drawing(following) if is_dealt else state.turn
    return replace(state, hands=hands, pile=state.pile - count, turn=turn)


def _reshuffled(state: State) -> State:
    """What is in no hand becomes the pile; what is in hands stays apart from it (KHAN-DECK-1)."""
    if state.shuffles == _MOST:
        raise ValueError("no match has that many shuffles")
    copies, discard = state.table.parts.copies, state.discard
    return replace(
        state,
        pile=sum(discard),
        discard=bytes(len(discard)),
        apart=bytes(copies[card] - discard[card] for card in range(len(copies))),
        old=bytes(map(len, state.hands)),
        either=(),
        shuffles=state.shuffles + 1,
    )


def _turn_began(state: State, seat: Seat) -> State:
    turn: s.Turn = s.Conquering(seat) if state.triggered else s.Turning(seat, None)
    return replace(state, turn=turn, left=s.ACTIONS, morale=False, refused=(), retired=None)


def _card_turned(state: State, card: CardKind) -> State:
    return replace(
        state,
        pile=state.pile - 1,
        discard=_discarded(state, card),
        hands=_without_surplus(state, state.hands, card),
    )


def _card_laid_aside(state: State, seat: Seat, card: CardKind) -> State:
    hand = state.hands[seat]
    laid = bytes((card if card in hand else UNKNOWN,))
    ages = laid_aside(state, seat, card)
    return replace(
        state,
        hands=_without_surplus(state, with_one(state.hands, seat, hand.replace(laid, b"", 1)), card),
        discard=_discarded(state, card),
        apart=ages.apart,
        old=ages.old,
        either=ages.either,
    )


def _discarded(state: State, card: CardKind) -> bytes:
    if state.discard[card] >= state.table.parts.copies[card]:
        raise ValueError(f"every {state.table.parts.card_names[card]} is discarded already")
    return counted(state.discard, card, 1)


def _without_surplus(state: State, hands: tuple[Hand, ...], card: CardKind) -> tuple[Hand, ...]:
    """The hands once one more card of a face is discarded.

    A hand cannot have more of them than are left: what the record said of it was wrong, and these cards are
    not known. They may show up in a hand that the one who laid the card aside could not see.
    """
    left = state.table.parts.copies[card] - state.discard[card] - 1
    if state.table.draws is UNRECORDED or max([hand.count(card) for hand in hands]) <= left:
        return hands
    face, unknown = bytes((card,)), bytes((UNKNOWN,))
    return tuple(
        bytes(sorted(hand.replace(face, unknown, max(hand.count(card) - left, 0)))) for hand in hands
    )


def _leader_fled(state: State, event: e.LeaderFled) -> State:
    bit = state.table.parts.board.bit
    origin, target = bit[event.origin], bit[event.target]
    if not (state.leaders[event.leader] and target):
        raise ValueError("the leader has left, or flees from the board")
    camps = counted(state.camps, event.leader, -1) if event.from_camp else state.camps
    after = replace(
        state,
        free=state.free & ~target,
        yurts=(*state.yurts[:-1], state.neutral | origin),
        leaders=with_one(state.leaders, event.leader, target),
        camps=camps,
    )
    return _chased(after)


def _leader_removed(state: State, event: e.LeaderRemoved) -> State:
    after = replace(
        state,
        yurts=(*state.yurts[:-1], state.neutral | state.leaders[event.leader]),
        leaders=with_one(state.leaders, event.leader, 0),
        camps=counted(state.camps, event.leader, -state.camps[event.leader]),
    )
    return _chased(after)


def _chased(state: State) -> State:
    """A leader has moved or left: in step 1 the actions follow, in action B the action is spent."""
    turn = state.turn
    if not isinstance(turn, s.Turning):
        return state
    if turn.leader is None:
        return replace(state, turn=s.Acting(turn.seat))
    return _action_spent(state, turn.seat)


def _action_spent(state: State, seat: Seat) -> State:
    left = max(state.left - 1, 0)  # a forged turn may have had none
    if left:
        return replace(state, left=left, turn=s.Acting(seat))
    return replace(state, left=left, turn=s.Drawing(seat) if state.morale else s.Choosing(seat))


def _without_leaders(state: State) -> State:
    return replace(
        state,
        yurts=(*state.yurts[:-1], state.neutral | sum(state.leaders)),
        leaders=(0,) * len(state.leaders),
        camps=bytes(len(state.camps)),
    )


def _conquest_proposed(state: State, event: e.ConquestProposed) -> State:
    if not state.supply[event.shape]:
        raise ValueError(f"no {state.table.parts.shapes[event.shape].id} is left")
    proposal = s.Proposal(s.Site(event.shape, event.cells), _in_order(event.asked))
    return replace(state, proposal=proposal)


def _consent_given(state: State, seat: Seat) -> State:
    proposal = state.proposal
    if proposal is None:
        return state
    waiting = tuple(other for other in proposal.waiting if other != seat)
    return replace(state, proposal=s.Proposal(proposal.site, waiting))


def _piece_placed(state: State, event: e.PiecePlaced) -> State:
    seat, cells = event.seat, event.cells
    active = state.active
    if active[seat] == s.Reservation(event.shape):
        # The reserved piece has been used, and nothing is left to reserve (AMB-12).
        active = with_one(active, seat, None)
    after = replace(
        state,
        yurts=tuple(of_one & ~cells for of_one in state.yurts),
        covered=state.covered | cells,
        supply=counted(state.supply, event.shape, -1),
        placed=(*state.placed, s.Piece(s.Site(event.shape, cells), _in_order(event.owners))),
        active=active,
        proposal=None,
    )
    if isinstance(state.turn, s.Acting):
        return _action_spent(after, seat)
    return replace(after, left=max(state.left - 1, 0))


def _special_retired(state: State, event: e.SpecialRetired) -> State:
    if event.special is Special.MORALE:
        raise ValueError("High Morale is not in force for longer than an action")
    final = isinstance(state.turn, s.Conquering) or event.special is Special.EXPLORATION
    return replace(
        state, active=with_one(state.active, event.seat, None), retired=None if final else event.special
    )


def _special_used(state: State, event: e.SpecialUsed) -> State:
    seat = event.seat
    specials = with_one(state.specials, seat, counted(state.specials[seat], event.special, -1))
    if event.special is Special.MORALE:
        return replace(state, specials=specials, turn=s.Acting(seat), left=1, morale=True)
    return replace(
        state, specials=specials, active=with_one(state.active, seat, _imposed(event)), turn=s.Drawing(seat)
    )


def _in_order(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if list(seats) != sorted(set(seats)):
        raise ValueError("seats stand twice or out of order")
    return seats


def _imposed(event: e.SpecialUsed) -> s.Restriction:
    if event.shape is not None:
        return s.Reservation(event.shape)
    return s.Protection() if event.special is Special.PROTECTION else s.Support(event.region)


def _invaded(state: State, event: e.YurtPlacedByCard) -> State:
    after = _with_yurt(_card_laid_aside(state, event.seat, event.card), event.seat, event.cell)
    return _action_spent(after, event.seat)


def _invaded_anywhere(state: State, event: e.YurtPlacedAnywhere) -> State:
    turn = s.Discarding(event.seat) if state.held(event.seat) else s.Choosing(event.seat)
    return replace(_with_yurt(state, event.seat, event.cell), turn=turn, left=0)


def _card_discarded(state: State, event: e.CardDiscarded) -> State:
    after = _card_laid_aside(state, event.seat, event.card)
    return after if after.held(event.seat) else replace(after, turn=s.Choosing(event.seat))


def _consent_refused(state: State, _: e.ConsentRefused) -> State:
    asked = () if state.proposal is None else (state.proposal.site,)
    return replace(state, proposal=None, refused=state.refused + asked)


_CHANGES: Final[Reducer[State, e.Event]] = (
    reducer(State)
    .on(e.FirstPlayerDrawn, lambda state, event: replace(state, turn=s.Opening(event.seat)))
    .on(e.OpeningYurtPlaced, _opening_yurt_placed)
    .on(e.CardDrawn, lambda state, event: _drawn(state, event.seat, event.card, 1))
    .on(e.CardsDrawn, lambda state, event: _drawn(state, event.seat, None, event.count))
    .on(e.DeckReshuffled, lambda state, _: _reshuffled(state))
    .on(e.TurnBegan, lambda state, event: _turn_began(state, event.seat))
    .on(e.CardTurned, lambda state, event: _card_turned(state, event.card))
    .on(e.LeaderFled, _leader_fled)
    .on(e.LeaderRemoved, _leader_removed)
    .on(e.FinalPhaseTriggered, lambda state, _: _without_leaders(state))
    .on(e.YurtPlacedByCard, _invaded)
    .on(e.LeaderAnnounced, lambda state, event: replace(state, turn=s.Turning(event.seat, event.leader)))
    .on(e.YurtPlacedAnywhere, _invaded_anywhere)
    .on(e.CardDiscarded, _card_discarded)
    .on(e.DiscardingEnded, lambda state, event: replace(state, turn=s.Choosing(event.seat)))
    .on(e.ConquestProposed, _conquest_proposed)
    .on(e.ConsentGiven, lambda state, event: _consent_given(state, event.seat))
    .on(e.ConsentRefused, _consent_refused)
    .on(e.PiecePlaced, _piece_placed)
    .on(e.ActionForfeited, lambda state, event: _action_spent(state, event.seat))
    .on(e.SpecialRetired, _special_retired)
    .on(e.SpecialUsed, _special_used)
    .on(e.SpecialDeclined, lambda state, event: replace(state, turn=s.Drawing(event.seat)))
    .on(e.TurnPassed, lambda state, _: replace(state, left=0))
    .on(e.MatchEnded, lambda state, _: replace(state, turn=s.Over(), left=0))
    .of(e.Event)
)
evolve: Final = _CHANGES.evolve
fold: Final = _CHANGES.fold
