"""From a state and a move to what happens, or to every rule that forbids it."""

from typing import TypeAlias, TypeVar, assert_never

from rules.kernel.actors import Actor, Office, Seat
from rules.kernel.rule import Check, Illegal, broken
from rules.khan.checks import (
    ASKED_BEFORE,
    DISCARDED,
    FINAL_PASS,
    FREE,
    GROUND,
    GROUND_UNDER,
    GUARDED,
    HUNT_OPEN,
    LEFT_OVER,
    MAJORITY,
    ON_BOARD,
    PASSING,
    PIECE,
    PLAYED,
    SEATED,
    SHUFFLED,
    Conquest,
    Hunt,
    InHand,
    Named,
    OnCell,
    OnTop,
    Word,
)
from rules.khan.conquest import needed, owners
from rules.khan.events import (
    ActionForfeited,
    CardDiscarded,
    ConquestProposed,
    ConsentGiven,
    ConsentRefused,
    DiscardingEnded,
    Event,
    FirstPlayerDrawn,
    LeaderAnnounced,
    OpeningYurtPlaced,
    PiecePlaced,
    SpecialDeclined,
    SpecialUsed,
    TurnPassed,
    YurtPlacedAnywhere,
    YurtPlacedByCard,
)
from rules.khan.flow import drawn, settled, turned
from rules.khan.moves import (
    Agree,
    ChanceMove,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Explore,
    Finish,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    Pass,
    PlaceYurt,
    RaiseMorale,
    Refuse,
    SeatMove,
    SpecialMove,
    TurnCard,
)
from rules.khan.special_checks import HELD_SPECIAL, USE, use_of
from rules.khan.state import Acting, Conquering, Discarding, State
from rules.khan.steps import ANSWER, POWER, STEP, TURN, Asking, fits

Case = TypeVar("Case")
Verdict: TypeAlias = tuple[Event, ...] | Illegal


def decide(state: State, actor: Actor, move: Move) -> Verdict:
    """The events that the move causes, or the rules that it breaks."""
    asking = Asking(state, actor, move)
    if fits(asking):
        if isinstance(move, ChanceMove):
            return _by_chance(state, move)
        if not isinstance(actor, Office):
            return _by_seat(state, actor, move)
    # Whatever does not fit breaks a rule of one of these stages.
    return _unless(asking, TURN, POWER, ANSWER, STEP) or Illegal(())


def _by_chance(state: State, move: ChanceMove) -> Verdict:
    match move:
        case DrawFirstPlayer():
            return _unless(Named(state, move.seat), SEATED) or _settled(state, FirstPlayerDrawn(move.seat))
        case TurnCard():
            refused = _unless(OnTop(state, move.card), LEFT_OVER, SHUFFLED)
            return refused or _settled(state, *turned(state, move.card))
        case DrawCard():
            refused = None if move.card is None else _unless(OnTop(state, move.card), LEFT_OVER, SHUFFLED)
            return refused or _settled(state, *drawn(state, move.card))
        case _:
            assert_never(move)


def _by_seat(state: State, seat: Seat, move: SeatMove) -> Verdict:
    match move:
        case PlaceYurt():
            refused = _unless(OnCell(state, seat, move.cell), FREE)
            return refused or _settled(state, OpeningYurtPlaced(seat, move.cell))
        case Invade():
            refused = _unless(OnCell(state, seat, move.cell, move.card), FREE, GROUND) or _unless(
                InHand(state, seat, move.card), PLAYED
            )
            return refused or _settled(state, YurtPlacedByCard(seat, move.card, move.cell))
        case Chase():
            refused = _unless(Hunt(state, move.leader), HUNT_OPEN, ON_BOARD)
            return refused or _settled(state, LeaderAnnounced(seat, move.leader))
        case Conquer():
            return _conquer(state, seat, move)
        case InvadeAnywhere():
            refused = _unless(OnCell(state, seat, move.cell), FREE)
            return refused or _settled(state, YurtPlacedAnywhere(seat, move.cell))
        case Discard():
            refused = _unless(InHand(state, seat, move.card), DISCARDED)
            return refused or _settled(state, CardDiscarded(seat, move.card))
        case Finish():
            discarding = isinstance(state.turn, Discarding)
            return _settled(state, DiscardingEnded(seat) if discarding else SpecialDeclined(seat))
        case RaiseMorale() | InvokeProtection() | InvokeSupport() | Explore():
            return _use(state, seat, move)
        case Agree():
            return _agree(state, seat)
        case Refuse():
            return _settled(state, ConsentRefused(seat))
        case Pass():
            return _pass(state, seat)
        case _:
            assert_never(move)


def _conquer(state: State, seat: Seat, move: Conquer) -> Verdict:
    refused = _unless(Conquest(state, seat, move), PIECE, GROUND_UNDER, MAJORITY, GUARDED, ASKED_BEFORE)
    if refused:
        return refused
    cells = state.table.kit.board.union(move.cells)
    asked = needed(state, seat, cells)
    if asked:
        return _settled(state, ConquestProposed(seat, move.shape, cells, asked))
    return _settled(state, PiecePlaced(seat, move.shape, cells, owners(state, cells)))


def _agree(state: State, seat: Seat) -> Verdict:
    given, proposal, turn = ConsentGiven(seat), state.proposal, state.turn
    if proposal is None or len(proposal.waiting) > 1 or not isinstance(turn, Acting | Conquering):
        return _settled(state, given)
    site = proposal.site
    return _settled(state, given, PiecePlaced(turn.seat, site.shape, site.cells, owners(state, site.cells)))


def _use(state: State, seat: Seat, move: SpecialMove) -> Verdict:
    use = use_of(state, seat, move)
    refused = _unless(use, HELD_SPECIAL, USE)
    return refused or _settled(state, SpecialUsed(seat, use.special, use.region, use.shape))


def _pass(state: State, seat: Seat) -> Verdict:
    final = isinstance(state.turn, Conquering)
    refused = _unless(Word(state, seat), FINAL_PASS if final else PASSING)
    return refused or _settled(state, TurnPassed(seat) if final else ActionForfeited(seat))


def _settled(state: State, *events: Event) -> tuple[Event, ...]:
    return settled(state, events)


def _unless(case: Case, *stages: tuple[Check[Case], ...]) -> Illegal | None:
    """What the first stage finds that finds anything."""
    for stage in stages:
        violations = broken(stage, case)
        if violations:
            return Illegal(violations)
    return None
