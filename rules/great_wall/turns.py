"""Whose turn it is, and who acts for the Reed Clan."""

from rules.great_wall.kinds import REED, Clan, Window, of_seat, seat_of
from rules.great_wall.pending import ActsDue, BatchEnd, Free, Settle, StartActs, TacticEnd, TurnOver
from rules.great_wall.state import State
from rules.kernel.actors import Seat


def active(state: State) -> Clan | None:
    """The clan whose turn it is; None between turns."""
    return next((task.clan for task in state.agenda if isinstance(task, TurnOver)), None)


def overlord(state: State) -> Clan:
    """Who acts for Reed: the active clan, or on Reed's own turn the top of the others (GW-2P-12)."""
    clan = active(state)
    if clan is None or clan == REED:
        return next(other for other in state.tea if other != REED)
    return clan


def chooser(state: State, clan: Clan) -> Seat:
    """The seat that decides where a clan's turn leaves a choice; Qin decides nothing."""
    seat = seat_of(overlord(state) if clan == REED else clan)
    return Seat(0) if seat is None else seat


def is_deferred(state: State) -> bool:
    """Whether resources gained now are owed until a resolution ends (GW-EFX-04, AMB-62)."""
    for task in state.agenda:
        if isinstance(task, TacticEnd):
            return False
        if isinstance(task, Settle | BatchEnd):
            return True
    return False


def strategy_window(state: State, seat: Seat) -> Window | None:
    """Whether a question of the strategy step belongs to the seat's own card on its own turn."""
    if active(state) != of_seat(seat):
        return None
    for task in state.agenda[1:]:
        if isinstance(task, TacticEnd) or (isinstance(task, Free) and task.script is not None):
            return None
        if isinstance(task, StartActs | ActsDue):
            return Window.STRATEGY
    return None
