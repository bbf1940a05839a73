"""The one interpreter of what cards do."""

from typing import assert_never

from rules.great_wall import operations as o
from rules.great_wall.events import Gained, Lost, SavesGranted, TeaRose
from rules.great_wall.kinds import QIN, REED, SECTIONS, Cause, Clan, seat_of
from rules.great_wall.occasions import assistants, honour
from rules.great_wall.pending import (
    AdvanceDue,
    BarricadesDue,
    ClerksDue,
    CopyDue,
    Do,
    DrawDue,
    FreesDue,
    OrderDue,
    Settle,
    TakeDue,
    TakeShame,
    Task,
    UpgradesDue,
    WoundsDue,
)
from rules.great_wall.qin import qin_clerks, qin_operation, qin_sends_reed
from rules.great_wall.state import State
from rules.great_wall.tasks.common import Events, then
from rules.great_wall.turns import active, overlord
from rules.kernel.actors import Seat

QIN_CLERKS = 2
"""Clerks that Qin moves whenever others move some on another's turn (GW-SOL-21, AMB-56)."""


def perform(state: State, due: Do) -> Events:
    """The next operation of a list, for a clan."""
    script = state.table.parts.scripts[due.script]
    if due.at >= len(script):
        return (then(),)
    operation = script[due.at]
    rest: tuple[Task, ...] = (Do(due.clan, due.script, due.at + 1),) if due.at + 1 < len(script) else ()
    seat = seat_of(due.clan)
    if seat is not None:
        events, tasks = _of_seat(state, seat, operation)
    elif due.clan == REED:
        events, tasks = _of_reed(state, operation)
    elif active(state) == QIN:
        events, tasks = qin_operation(state, operation)
    else:
        moved = isinstance(operation, o.SendClerks)
        events, tasks = (qin_clerks(state, QIN_CLERKS) if moved else ()), ()
    return (*events, then(*tasks, *rest))


def _of_reed(state: State, operation: o.Operation) -> tuple[Events, tuple[Task, ...]]:
    """Reed does nothing of a card but move clerks (GW-2P-13)."""
    if not isinstance(operation, o.SendClerks):
        return (), ()
    lord = seat_of(overlord(state))
    if lord is None:
        return qin_sends_reed(state, operation.n), ()
    return (), (ClerksDue(lord, REED, operation.n, ()),)


def _of_seat(state: State, seat: Seat, operation: o.Operation) -> tuple[Events, tuple[Task, ...]]:
    clan = Clan(seat)
    match operation:
        case o.Gain() | o.LoseSome() | o.GainHonour() | o.GrantSaves() | o.RiseInTea():
            return _at_once(state, seat, operation), ()
        case o.SendClerks():
            return (), (ClerksDue(seat, clan, _clerks(state, clan, operation), ()),)
        case o.QinRecruits() | o.QinBuilds():
            return (), ()
        case _:
            return (), _asked(seat, operation)


def _clerks(state: State, clan: Clan, operation: o.SendClerks) -> int:
    """More where another clan has the named card on the track (GW-SOL-19)."""
    helped = any(card.clan != clan and card.card == operation.bonus_card for card in state.track)
    return operation.n + (operation.bonus if helped else 0)


def _at_once(
    state: State, seat: Seat, operation: o.Gain | o.LoseSome | o.GainHonour | o.GrantSaves | o.RiseInTea
) -> Events:
    clan = Clan(seat)
    match operation:
        case o.Gain():
            n = operation.n * (assistants(state, clan) if operation.per_assistant else 1)
            return (Gained(seat, operation.resource, n, Cause.CARD),) if n else ()
        case o.LoseSome():
            held = state.players[seat].resources
            n = operation.n if held is None else min(operation.n, held[operation.resource])
            return (Lost(seat, operation.resource, n),) if n else ()
        case o.GainHonour():
            n = operation.n * (assistants(state, clan) if operation.per_assistant else 1)
            return honour(clan, n, Cause.CARD)
        case o.GrantSaves():
            return (SavesGranted(seat, operation.n),)
        case o.RiseInTea():
            places = min(operation.n, state.tea.index(clan))
            return (TeaRose(clan, places),) if places else ()
        case _:
            assert_never(operation)


def _asked(
    seat: Seat,
    operation: o.TakeAny
    | o.DrawCards
    | o.ActivateOne
    | o.AttackOrder
    | o.CopyCard
    | o.RaiseForemen
    | o.FreeBarricades
    | o.DealWounds
    | o.CleanseFreely
    | o.GainShame,
) -> tuple[Task, ...]:
    match operation:
        case o.TakeAny(n, chi_too):
            return (TakeDue(seat, n, chi_too),)
        case o.DrawCards(n):
            return (DrawDue(seat, n),)
        case o.ActivateOne():
            return (AdvanceDue(seat),)
        case o.AttackOrder():
            return (OrderDue(seat, (0,) * len(SECTIONS)), Settle(seat))
        case o.CopyCard(otherwise):
            return (CopyDue(seat, otherwise),)
        case o.RaiseForemen(n):
            return (UpgradesDue(seat, n, ()),)
        case o.FreeBarricades(n):
            return (BarricadesDue(seat, n),)
        case o.DealWounds(n, line):
            return (WoundsDue(seat, n, line),)
        case o.CleanseFreely(n):
            return (FreesDue(seat, n),)
        case o.GainShame(n):
            return (TakeShame(seat, n),)
        case _:
            assert_never(operation)
