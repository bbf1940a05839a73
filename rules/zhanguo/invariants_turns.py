"""What rounds and turns say about hands and the Court pile in every state (ZHG-INV-16, -18, -19, -31)."""

import enum
from collections import Counter
from collections.abc import Iterable, Iterator

from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED
from rules.zhanguo import frames as fr
from rules.zhanguo.pieces import ASPECTS, HAND, KEPT, OF_DECK, ROUNDS, Card, aspect_of, is_unification
from rules.zhanguo.state import State


class Phase(enum.Enum):
    """Where the match is in a round."""

    SETUP = enum.auto()
    DRAW = enum.auto()
    TURNS = enum.auto()
    REWARDS = enum.auto()
    END = enum.auto()
    """Between two rounds, or after the last."""


def base_of(state: State) -> fr.Frame | None:
    """The frame at the bottom; None once the match is over."""
    return state.agenda[-1] if state.agenda else None


def phase_of(state: State) -> Phase:
    """By the base frame."""
    match base_of(state):
        case fr.FirstDue() | fr.DealDue() | fr.StartDue():
            return Phase.SETUP
        case fr.DrawDue():
            return Phase.DRAW
        case fr.RoundDue() | None:
            return Phase.END if state.round else Phase.SETUP
        case fr.SoldiersDue() as base:
            return Phase.TURNS if base.window is fr.Window.TURN else Phase.REWARDS
        case fr.OfferDue() | fr.RewardDue() | fr.RowDue() | fr.PayDue() | fr.PaymentDue():
            return Phase.REWARDS
        case fr.ReturnDue() | fr.LimitDue():
            return Phase.REWARDS
        case _:
            return Phase.TURNS


def rival_turns(state: State) -> int:
    """Li Si's turns in this round, one whose card is revealed included; they follow from the human's hand."""
    phase, base = phase_of(state), base_of(state)
    if phase is Phase.REWARDS:
        return HAND
    if phase is not Phase.TURNS:
        return 0
    human = state.table.humans[0]
    played = HAND - state.players[human].hand.size
    is_first = state.table.rival in state.track[:1]
    match base:
        case fr.PlayDue() | fr.RivalDue():
            return played + is_first
        case _:
            return played - (not is_first)


def is_untouched(state: State) -> bool:
    """Whether nobody has had a turn in this round yet."""
    if not isinstance(base_of(state), (fr.PlayDue, fr.RevealDue)):
        return phase_of(state) in {Phase.SETUP, Phase.DRAW}
    is_played = any(state.players[seat].hand.size < HAND for seat in state.table.humans)
    return not is_played and (state.table.rival is None or not rival_turns(state))


# Hands


def hand_problems(state: State, seat: Seat) -> Iterator[str]:
    """What is wrong with a hand (ZHG-INV-16)."""
    name, hand, phase = state.table.names[seat], state.players[seat].hand, phase_of(state)
    if seat == state.table.rival:
        if hand.size:
            yield "Li Si has no hand"
        return
    if hand.size > HAND or max(hand.backs.unknown) > OF_DECK:
        yield f"the hand of {name} has more than {HAND} cards, or more than {OF_DECK} of an aspect"
    if state.table.draws is not RECORDED and hand.known:
        yield "a card is known to be in a hand, and draws are not recorded"
    if phase is Phase.DRAW and any(
        count != min(max(hand.size - OF_DECK * aspect, 0), OF_DECK)
        for aspect, count in zip(ASPECTS, hand.backs.unknown, strict=True)
    ):
        yield f"the cards of {name} are not drawn in the order of the decks"
    if phase not in {Phase.DRAW, Phase.TURNS} and hand.size:
        yield "a hand has cards outside of phases 1 and 2"
    if phase is Phase.TURNS and not isinstance(base_of(state), fr.TurnDue):
        yield from _turn_problems(state, seat)


def _turn_problems(state: State, seat: Seat) -> Iterator[str]:
    """Everybody has had the same number of turns, but for this lap."""
    before = {each: state.players[each].hand.size + _has_played(state, each) for each in state.table.humans}
    common = max(Counter(before.values()).items(), key=lambda each: (each[1], each[0]))[0]
    if before[seat] != common or not 0 < common <= HAND:
        held = state.players[seat].hand.size
        yield f"{state.table.names[seat]} has {held} cards in hand, not as many as turns left in the round"


def _has_played(state: State, seat: Seat) -> bool:
    """Whether a seat has played its card of this lap."""
    match base_of(state):
        case fr.PlayDue(seat=acting):
            return _place(state, seat) < _place(state, acting)
        case fr.ActDue(seat=acting) | fr.StepDue(seat=acting) | fr.SoldiersDue(seat=acting):
            return _place(state, seat) <= _place(state, acting)
        case _:
            return state.table.rival not in state.track[:1]  # Li Si's turn


def _place(state: State, seat: Seat) -> int:
    """In turn order; after all others without a marker on the track."""
    return state.track.index(seat) if seat in state.track else len(state.track)


# The round and the Court pile


def _by_aspect(cards: Iterable[Card]) -> tuple[int, ...]:
    aspects = [aspect_of(card) for card in cards if is_unification(card)]
    return tuple(aspects.count(aspect) for aspect in ASPECTS)


def at_court(state: State) -> tuple[int, ...]:
    """By aspect: the cards of the Court pile."""
    return _by_aspect(state.court)


def unified(state: State, seat: Seat) -> tuple[int, ...]:
    """By aspect: the Unification cards above the board of a seat."""
    return _by_aspect(placed.card for _, placed in state.players[seat].cards())


def played_at_court(state: State, seat: Seat, number: int) -> tuple[int, ...]:
    """By aspect: cards that a seat has laid at Court, if this is the round with that number."""
    is_drawing = phase_of(state) is Phase.DRAW
    hand = (0,) * len(ASPECTS) if is_drawing else state.players[seat].hand.backs.unknown
    drawn = OF_DECK * (number - 1 if is_drawing else number)
    return tuple(drawn - held - above for held, above in zip(hand, unified(state, seat), strict=True))


def _misfit(state: State, number: int) -> str | None:
    """Why the Court pile is not that of a round with this number."""
    laid = [played_at_court(state, seat, number) for seat in state.table.humans]
    lying = at_court(state)
    for aspect in ASPECTS:
        cards = f"cards of {aspect.word}"
        for seat, counts in zip(state.table.humans, laid, strict=True):
            if counts[aspect] < 0:
                return f"{state.table.names[seat]} has more {cards} than were drawn"
        expected = sum(counts[aspect] for counts in laid)
        if lying[aspect] < expected or (state.table.rival is None and lying[aspect] > expected):
            return f"{cards} at Court: {lying[aspect]}, not {expected}"
    return None


def round_problems(state: State) -> Iterator[str]:
    """Whether hands, boards and the Court pile are those of another round (ZHG-INV-19)."""
    if _misfit(state, state.round) is not None:
        others = [number for number in range(1, ROUNDS + 1) if _misfit(state, number) is None]
        if others:
            yield f"the cards in hands, above boards and at Court are those of round {others[0]}"


def court_problems(state: State) -> Iterator[str]:
    """Whether the Court pile is what was played and not unified (ZHG-INV-19, -31)."""
    why = _misfit(state, state.round)
    if why is not None:
        yield why


# Tokens


def limit_problems(state: State, seat: Seat) -> Iterator[str]:
    """Whether a seat still has what went back at the end of the last round (ZHG-INV-18)."""
    player, name, base = state.players[seat], state.table.names[seat], base_of(state)
    is_limited = is_untouched(state) or phase_of(state) is Phase.END
    if player.large and (is_limited or isinstance(base, fr.ReturnDue)):
        yield f"{name} has a large token after the end of a round"
    if isinstance(base, fr.ReturnDue):
        is_limited = _place(state, seat) < _place(state, base.seat)
    if is_limited and sum(player.tokens) > KEPT:
        yield f"{name} has more than {KEPT} tokens after the end of a round"
