"""Which cards can be in hands and which in the draw pile, once the discards have been shuffled (KHAN-DECK-1).

When they are shuffled, everybody knows which cards stay in hands: all others. So a card laid aside later was
held since before the shuffle (it is old) or was drawn since (it is fresh), and mostly its face shows which.
With equal cards it may be open; such a card is kept in State.either. Nothing here depends on what the hands
of others are known to hold, except what chance can bring.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel.actors import Seat
from rules.kernel.flows import Arc, is_feasible
from rules.kernel.places import counted
from rules.khan.cards import UNKNOWN, CardKind
from rules.khan.state import Laid, State


class Ages(NamedTuple):
    """What everybody knows of the cards that were in hands at the last shuffle."""

    apart: bytes
    """By face: cards not known to have been laid aside."""
    old: bytes
    """By seat: how many of them it has."""
    either: tuple[Laid, ...]


def laid_aside(state: State, seat: Seat, card: CardKind) -> Ages:
    """What is known once a seat has laid a card aside."""
    now = Ages(state.apart, state.old, state.either)
    if not (state.old[seat] or state.either):
        return now
    as_old = _as_old(now, seat, card)
    if _is_plain(state, (card,)):
        return as_old or now
    as_fresh = _as_fresh(state, now, seat)
    copies, discard = state.table.parts.copies, counted(state.discard, card, 1)
    could_be_old = as_old is not None and _is_possible(copies, discard, as_old)
    could_be_fresh = as_fresh is not None and _is_possible(copies, discard, as_fresh)
    if could_be_old and could_be_fresh:
        return now._replace(either=(*now.either, Laid(seat, card, _most_fresh(state, seat))))
    return (as_fresh if could_be_fresh else as_old) or now


def may_hold(state: State, seat: Seat, card: CardKind) -> bool:
    """Whether, by its own view, a seat holds a card or has an unknown one that can be this card."""
    hand = state.hands[seat]
    if card in hand:
        return _can_lay_aside(state, seat, (card,))
    return UNKNOWN in hand and _can_lay_aside(state, seat, (card, *hand.rstrip(bytes((UNKNOWN,)))))


def may_come(state: State, card: CardKind) -> bool:
    """Whether the top card of the draw pile can be of this face."""
    return is_in_pile(state, card) and is_left(state, card)


def is_in_pile(state: State, card: CardKind) -> bool:
    """Whether a card of this face may have been shuffled into the draw pile and not been seen since."""
    if not state.either:
        return state.fresh(card) > 0
    now = Ages(state.apart, state.old, state.either)
    return _is_possible(state.table.parts.copies, counted(state.discard, card, 1), now)


def is_left(state: State, card: CardKind) -> bool:
    """Whether a card of this face is neither discarded nor known to be in a hand.

    Where hands as they are recorded leave no card for the pile, they are recorded wrongly and say nothing.
    """
    if state.unseen(card) > 0:
        return True
    faces = state.table.parts.faces.each
    return not any(state.unseen(face) > 0 and is_in_pile(state, face) for face in faces)


def are_consistent(state: State) -> bool:
    """Whether every card that was laid aside can have been held or drawn."""
    now = Ages(state.apart, state.old, state.either)
    return _is_possible(state.table.parts.copies, state.discard, now)


def _is_plain(state: State, cards: Sequence[CardKind]) -> bool:
    """Whether the face of each card shows its age."""
    return not state.either and not any(state.apart[card] and state.fresh(card) > 0 for card in cards)


def _can_lay_aside(state: State, seat: Seat, cards: tuple[CardKind, ...]) -> bool:
    """Whether a seat can hold all these cards at once, by what everybody has seen since the last shuffle."""
    if not state.either:
        # The same as with _is_plain, in one pass: this is asked of every face in a list of moves.
        old, fits = 0, True
        for card in cards:
            apart, fresh = state.apart[card], state.fresh(card)
            if apart and fresh > 0:
                break
            old += apart > 0
            fits = fits and cards.count(card) <= (apart or fresh)
        else:
            return fits and old <= state.old[seat] and len(cards) - old <= state.held(seat) - state.old[seat]
    discard, most = state.discard, _most_fresh(state, seat)
    for card in cards:
        discard = counted(discard, card, 1)
    held = tuple(Laid(seat, card, most) for card in cards)
    return _is_possible(
        state.table.parts.copies, discard, Ages(state.apart, state.old, (*state.either, *held))
    )


def _most_fresh(state: State, seat: Seat) -> int:
    """The fresh cards of a hand if all that is open was old, and those that are open: no more were fresh."""
    return state.held(seat) - state.old[seat] + sum(laid.seat == seat for laid in state.either)


def _as_old(now: Ages, seat: Seat, card: CardKind) -> Ages | None:
    if not (now.apart[card] and now.old[seat]):
        return None
    return Ages(counted(now.apart, card, -1), counted(now.old, seat, -1), now.either)


def _as_fresh(state: State, now: Ages, seat: Seat) -> Ages | None:
    """One fresh card fewer was left for those that this seat laid aside before."""
    most = _most_fresh(state, seat) - 1
    if most < 0:
        return None
    places = [place for place, laid in enumerate(now.either) if laid.seat == seat]
    if not places:
        return now
    either = list(now.either)
    last = either[places[-1]]
    either[places[-1]] = Laid(seat, last.card, min(last.most, most))
    return now._replace(either=tuple(either))


def _is_possible(copies: bytes, discard: bytes, ages: Ages) -> bool:
    """Whether the open cards can be divided into old and fresh ones so that everything fits.

    Old ones flow from their faces to the seats that laid them aside: from each face at most those set apart,
    and at least those for which no fresh card is left; to each seat at most its old cards, and of the first
    that many at least those that cannot have been fresh.
    """
    faces = {laid.card for laid in ages.either}
    least = [apart + gone - all_ for apart, gone, all_ in zip(ages.apart, discard, copies, strict=True)]
    if any(short > 0 for card, short in enumerate(least) if card not in faces):
        return False
    arcs = [Arc("from", f"face {card}", max(least[card], 0), ages.apart[card]) for card in sorted(faces)]
    for seat, old in enumerate(ages.old):
        theirs = [laid for laid in ages.either if laid.seat == seat]
        for number, laid in enumerate(theirs, start=1):
            here = f"seat {seat} {number}"
            after = f"seat {seat} {number + 1}" if number < len(theirs) else "to"
            arcs.append(Arc(f"face {laid.card}", here, 0, 1))
            arcs.append(Arc(here, after, max(number - laid.most, 0), old))
    return is_feasible((*arcs, Arc("to", "from", 0, len(ages.either))))
