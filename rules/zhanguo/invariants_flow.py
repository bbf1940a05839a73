"""What is true of the frames of every state that a match can reach (ZHG-INV-16, -18, -21, -22)."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED
from rules.zhanguo import frames as fr
from rules.zhanguo.pieces import HAND, KEPT, REGIONS, ROUNDS, SOLDIERS
from rules.zhanguo.state import State
from rules.zhanguo.tasks.dealing import is_dealt
from rules.zhanguo.tasks.rewards import ranking

_SETTING_UP: Final = (fr.FirstDue, fr.DealDue, fr.StartDue)
_PHASE_3: Final = (fr.OfferDue, fr.RewardDue, fr.PayDue, fr.ReturnDue)
_MOST: Final = 2
"""No effect brings more officials, workers or cards."""


def frame_problems(state: State) -> Iterator[str]:
    """Everything that is wrong with what is pending."""
    if not state.agenda:
        if state.round != ROUNDS or any(state.players[seat].hand.size for seat in state.table.humans):
            yield "the match is over before the last round"
        return
    *choices, base = state.agenda
    if not isinstance(base, fr.BaseFrame) or any(isinstance(frame, fr.BaseFrame) for frame in choices):
        yield "there is one base frame, at the bottom"
        return
    if isinstance(base, _SETTING_UP) != (state.round == 0) and not isinstance(base, fr.RoundDue):
        yield "rounds begin when everything is dealt and chosen"
    if isinstance(base, fr.SeatBase) and base.seat not in (*state.track, *state.column):
        yield "the seat that acts has no turn-order marker"
        return
    yield from _base_problems(state, base)
    for frame in choices:
        yield from _choice_problems(state, frame, base)


def _base_problems(state: State, base: fr.Base) -> Iterator[str]:
    if isinstance(base, fr.SeatBase) and base.seat == state.table.rival:
        window = isinstance(base, fr.SoldiersDue) and base.window is not fr.Window.TURN
        if not window and not isinstance(base, _PHASE_3):
            yield "Li Si is never asked"
    if isinstance(base, fr.DrawDue):
        yield from _draw_problems(state, base.seat)
    if isinstance(base, _PHASE_3):
        if any(state.players[seat].hand.size for seat in state.table.humans):
            yield "a hand has cards in phase 3"
        yield from _phase_3_problems(state, base)
    elif _is_misplaced(state, base):
        yield "that is asked at another time"


def _is_misplaced(state: State, base: fr.Base) -> bool:
    """Whether nothing is there that the frame is about."""
    match base:
        case fr.FirstDue():
            return bool(state.track) or state.table.rival is not None
        case fr.DealDue():
            return is_dealt(state)
        case fr.PlayDue():
            return not state.players[base.seat].hand.size
        case fr.ActDue() | fr.StepDue():
            return not state.court
        case fr.RevealDue():
            return not state.actions.left
        case _:
            return False


def _phase_3_problems(state: State, base: fr.Base) -> Iterator[str]:
    match base:
        case fr.OfferDue() | fr.RewardDue():
            if isinstance(base, fr.OfferDue) and base.seat not in ranking(state, base.row):
                yield "that reward is not offered to this seat"
            if any(seat is not None for seat in state.column[base.row :]):
                yield "a marker is in a row that is not offered yet"
        case fr.PayDue():
            if base.count > SOLDIERS:
                yield f"{base.count} soldiers of {SOLDIERS} were paid for"
        case fr.ReturnDue():
            if sum(state.players[base.seat].tokens) <= KEPT or any(player.large for player in state.players):
                yield "nothing is to be returned"
        case _:
            return


def _draw_problems(state: State, seat: Seat) -> Iterator[str]:
    """Hands are dealt one after the other, in turn order."""
    humans = state.humans
    at = humans.index(seat)
    sizes = [state.players[each].hand.size for each in humans]
    if state.table.draws is not RECORDED or sizes[at] >= HAND:
        yield "no card is drawn here"
    elif any(size != HAND for size in sizes[:at]) or any(sizes[at + 1 :]):
        yield "hands are dealt in turn order"


def _choice_problems(state: State, frame: fr.Frame, base: fr.Base) -> Iterator[str]:
    his_window = isinstance(base, fr.SoldiersDue) and base.window is fr.Window.PAY
    his_turn = isinstance(base, fr.RivalDue) or (his_window and state.acting == state.table.rival)
    if isinstance(frame, fr.RivalFrame):
        if state.table.rival is None or not his_turn:
            yield "Li Si is asked outside of his turn"
    elif not isinstance(base, (fr.StartDue, fr.StepDue, fr.RewardDue)) or state.acting == state.table.rival:
        yield "no effect is settled here"
    match frame:
        case fr.RecruitDue():
            wrong = not frame.types or not frame.regions or not 1 <= frame.count <= _MOST
        case fr.HireDue():
            wrong = not frame.regions or not 1 <= frame.count <= _MOST
        case fr.PlaceDue():
            wrong = not frame.regions or not 1 <= frame.count <= _MOST
        case fr.InstallDue():
            wrong = not frame.regions
        case fr.CalmDue():
            wrong = not 1 <= frame.times <= len(REGIONS)
        case fr.OfficialsDue() | fr.ResetDue():
            wrong = not 1 <= frame.most <= len(REGIONS)
        case fr.WorkersDue() | fr.TakeDue():
            wrong = not 1 <= frame.count <= len(REGIONS)
        case fr.CardDue():
            wrong = not any(state.deck)
        case _:
            wrong = False
    if wrong:
        yield "no effect asks that"
