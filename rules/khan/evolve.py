"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Iterable
from typing import Final, TypeVar, assert_never

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.setup import UNRECORDED
from rules.khan.ages import laid_aside
from rules.khan.cards import CARDS, HAND, UNKNOWN, CardKind, Hand, Special
from rules.khan.events import (
    ActionForfeited,
    CardDiscarded,
    CardDrawn,
    CardsDrawn,
    CardTurned,
    ConquestProposed,
    ConsentGiven,
    ConsentRefused,
    DeckReshuffled,
    DiscardingEnded,
    Event,
    FinalPhaseTriggered,
    FirstPlayerDrawn,
    LeaderAnnounced,
    LeaderFled,
    LeaderRemoved,
    MatchEnded,
    OpeningYurtPlaced,
    PiecePlaced,
    SpecialDeclined,
    SpecialRetired,
    SpecialUsed,
    TurnBegan,
    TurnPassed,
    YurtPlacedAnywhere,
    YurtPlacedByCard,
)
from rules.khan.state import (
    ACTIONS,
    Acting,
    Choosing,
    Conquering,
    Discarding,
    Drawing,
    Opening,
    Over,
    Piece,
    Proposal,
    Protection,
    Reservation,
    Restriction,
    Site,
    State,
    Support,
    Turn,
    Turning,
)

Thing = TypeVar("Thing")

_MOST: Final = 0xFF
"""The largest count that a state can have: digests count in bytes."""


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:  # noqa: C901 - one line per kind of event
    """The state after one event."""
    match event:
        case CardTurned():
            return _card_turned(state, event.card)
        case LeaderFled():
            return _leader_fled(state, event)
        case YurtPlacedByCard():
            after = _with_yurt(_card_laid_aside(state, event.seat, event.card), event.seat, event.cell)
            return _action_spent(after, event.seat)
        case PiecePlaced():
            return _piece_placed(state, event)
        case YurtPlacedAnywhere():
            turn = Discarding(event.seat) if state.held(event.seat) else Choosing(event.seat)
            return structs.replace(_with_yurt(state, event.seat, event.cell), turn=turn, left=0)
        case CardDiscarded():
            after = _card_laid_aside(state, event.seat, event.card)
            return after if after.held(event.seat) else structs.replace(after, turn=Choosing(event.seat))
        case DiscardingEnded():
            return structs.replace(state, turn=Choosing(event.seat))
        case LeaderAnnounced():
            return structs.replace(state, turn=Turning(event.seat, event.leader))
        case LeaderRemoved():
            return _leader_removed(state, event)
        case FinalPhaseTriggered():
            return _without_leaders(state)
        case SpecialRetired():
            return _special_retired(state, event)
        case SpecialUsed():
            return _special_used(state, event)
        case SpecialDeclined():
            return structs.replace(state, turn=Drawing(event.seat))
        case CardDrawn():
            return _drawn(state, event.seat, event.card, 1)
        case CardsDrawn():
            return _drawn(state, event.seat, None, event.count)
        case DeckReshuffled():
            return _reshuffled(state)
        case TurnBegan():
            return _turn_began(state, event.seat)
        case ConquestProposed():
            return _conquest_proposed(state, event)
        case ConsentGiven():
            return _consent_given(state, event.seat)
        case ConsentRefused():
            asked = () if state.proposal is None else (state.proposal.site,)
            return structs.replace(state, proposal=None, refused=state.refused + asked)
        case ActionForfeited():
            return _action_spent(state, event.seat)
        case TurnPassed():
            return structs.replace(state, left=0)
        case FirstPlayerDrawn():
            return structs.replace(state, turn=Opening(event.seat))
        case OpeningYurtPlaced():
            return _opening_yurt_placed(state, event)
        case MatchEnded():
            return structs.replace(state, turn=Over(), left=0)
        case _:
            assert_never(event)


def _with_yurt(state: State, seat: Seat, cell: Cell) -> State:
    bit = state.table.parts.board.bit[cell]
    return structs.replace(
        state, free=state.free & ~bit, yurts=_with(state.yurts, seat, state.yurts[seat] | bit)
    )


def _opening_yurt_placed(state: State, event: OpeningYurtPlaced) -> State:
    following = state.table.after(event.seat)
    after = _with_yurt(state, event.seat, event.cell)
    due = state.table.rounds * len(state.table.names)
    turn = Opening(following) if sum(map(int.bit_count, after.yurts)) < due else Drawing(following)
    return structs.replace(after, turn=turn)


def _drawn(state: State, seat: Seat, card: CardKind | None, count: int) -> State:
    if state.held(seat) + count > CARDS:
        raise ValueError(f"there are not {count} cards to draw")
    drawn = bytes((UNKNOWN if card is None else card,)) * count
    hands = _with(state.hands, seat, bytes(sorted(state.hands[seat] + drawn)))
    following = state.table.after(seat)
    # In the deal the next hand is still empty; later no hand is when another is being refilled.
    is_dealt = len(hands[seat]) >= HAND and not hands[following]
    turn = Drawing(following) if is_dealt else state.turn
    return structs.replace(state, hands=hands, pile=state.pile - count, turn=turn)


def _reshuffled(state: State) -> State:
    """What is in no hand becomes the pile; what is in hands stays apart from it (KHAN-DECK-1)."""
    if state.shuffles == _MOST:
        raise ValueError("no match has that many shuffles")
    copies, discard = state.table.parts.copies, state.discard
    return structs.replace(
        state,
        pile=sum(discard),
        discard=bytes(len(discard)),
        apart=bytes(copies[card] - discard[card] for card in range(len(copies))),
        old=bytes(map(len, state.hands)),
        either=(),
        shuffles=state.shuffles + 1,
    )


def _turn_began(state: State, seat: Seat) -> State:
    turn: Turn = Conquering(seat) if state.triggered else Turning(seat, None)
    return structs.replace(state, turn=turn, left=ACTIONS, morale=False, refused=(), retired=None)


def _card_turned(state: State, card: CardKind) -> State:
    return structs.replace(
        state,
        pile=state.pile - 1,
        discard=_discarded(state, card),
        hands=_without_surplus(state, state.hands, card),
    )


def _card_laid_aside(state: State, seat: Seat, card: CardKind) -> State:
    hand = state.hands[seat]
    laid = bytes((card if card in hand else UNKNOWN,))
    ages = laid_aside(state, seat, card)
    return structs.replace(
        state,
        hands=_without_surplus(state, _with(state.hands, seat, hand.replace(laid, b"", 1)), card),
        discard=_discarded(state, card),
        apart=ages.apart,
        old=ages.old,
        either=ages.either,
    )


def _discarded(state: State, card: CardKind) -> bytes:
    if state.discard[card] >= state.table.parts.copies[card]:
        raise ValueError(f"every {state.table.parts.card_names[card]} is discarded already")
    return _counted(state.discard, card, 1)


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


def _leader_fled(state: State, event: LeaderFled) -> State:
    bit = state.table.parts.board.bit
    origin, target = bit[event.origin], bit[event.target]
    if not (state.leaders[event.leader] and target):
        raise ValueError("the leader has left, or flees from the board")
    camps = _counted(state.camps, event.leader, -1) if event.from_camp else state.camps
    after = structs.replace(
        state,
        free=state.free & ~target,
        yurts=(*state.yurts[:-1], state.neutral | origin),
        leaders=_with(state.leaders, event.leader, target),
        camps=camps,
    )
    return _chased(after)


def _leader_removed(state: State, event: LeaderRemoved) -> State:
    after = structs.replace(
        state,
        yurts=(*state.yurts[:-1], state.neutral | state.leaders[event.leader]),
        leaders=_with(state.leaders, event.leader, 0),
        camps=_counted(state.camps, event.leader, -state.camps[event.leader]),
    )
    return _chased(after)


def _chased(state: State) -> State:
    """A leader has moved or left: in step 1 the actions follow, in action B the action is spent."""
    turn = state.turn
    if not isinstance(turn, Turning):
        return state
    if turn.leader is None:
        return structs.replace(state, turn=Acting(turn.seat))
    return _action_spent(state, turn.seat)


def _action_spent(state: State, seat: Seat) -> State:
    left = _one_fewer(state.left)
    if left:
        return structs.replace(state, left=left, turn=Acting(seat))
    return structs.replace(state, left=left, turn=Drawing(seat) if state.morale else Choosing(seat))


def _one_fewer(left: int) -> int:
    """Actions left after one more; a forged turn may have had none."""
    return max(left - 1, 0)


def _without_leaders(state: State) -> State:
    return structs.replace(
        state,
        yurts=(*state.yurts[:-1], state.neutral | sum(state.leaders)),
        leaders=(0,) * len(state.leaders),
        camps=bytes(len(state.camps)),
    )


def _conquest_proposed(state: State, event: ConquestProposed) -> State:
    if not state.supply[event.shape]:
        raise ValueError(f"no {state.table.parts.shapes[event.shape].id} is left")
    proposal = Proposal(Site(event.shape, event.cells), _in_order(event.asked))
    return structs.replace(state, proposal=proposal)


def _consent_given(state: State, seat: Seat) -> State:
    proposal = state.proposal
    if proposal is None:
        return state
    waiting = tuple(other for other in proposal.waiting if other != seat)
    return structs.replace(state, proposal=Proposal(proposal.site, waiting))


def _piece_placed(state: State, event: PiecePlaced) -> State:
    seat, cells = event.seat, event.cells
    active = state.active
    if active[seat] == Reservation(event.shape):
        # The reserved piece has been used, and nothing is left to reserve (AMB-12).
        active = _with(active, seat, None)
    after = structs.replace(
        state,
        yurts=tuple(of_one & ~cells for of_one in state.yurts),
        covered=state.covered | cells,
        supply=_counted(state.supply, event.shape, -1),
        placed=(*state.placed, Piece(Site(event.shape, cells), _in_order(event.owners))),
        active=active,
        proposal=None,
    )
    if isinstance(state.turn, Acting):
        return _action_spent(after, seat)
    return structs.replace(after, left=_one_fewer(state.left))


def _special_retired(state: State, event: SpecialRetired) -> State:
    if event.special is Special.MORALE:
        raise ValueError("High Morale is not in force for longer than an action")
    final = isinstance(state.turn, Conquering) or event.special is Special.EXPLORATION
    return structs.replace(
        state,
        active=_with(state.active, event.seat, None),
        retired=None if final else event.special,
    )


def _special_used(state: State, event: SpecialUsed) -> State:
    seat = event.seat
    specials = _with(state.specials, seat, _counted(state.specials[seat], event.special, -1))
    if event.special is Special.MORALE:
        return structs.replace(state, specials=specials, turn=Acting(seat), left=1, morale=True)
    return structs.replace(
        state, specials=specials, active=_with(state.active, seat, _imposed(event)), turn=Drawing(seat)
    )


def _in_order(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if list(seats) != sorted(set(seats)):
        raise ValueError("seats stand twice or out of order")
    return seats


def _imposed(event: SpecialUsed) -> Restriction:
    if event.shape is not None:
        return Reservation(event.shape)
    return Protection() if event.special is Special.PROTECTION else Support(event.region)


def _with(things: tuple[Thing, ...], place: int, thing: Thing) -> tuple[Thing, ...]:
    return (*things[:place], thing, *things[place + 1 :])


def _counted(counts: bytes, place: int, by: int) -> bytes:
    changed = bytearray(counts)
    changed[place] += by
    return bytes(changed)
