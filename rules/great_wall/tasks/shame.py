"""Shame: gained, placed, shed, discarded."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.events import (
    Declined,
    MatchEnded,
    Paid,
    ShameGained,
    ShamePlaced,
    ShameRemoved,
    ShameReturned,
    ShameShed,
)
from rules.great_wall.kinds import KINDS, TOKENS, Cause, Ending, Kind, Occasion, Resource, Window, of_seat
from rules.great_wall.moves import Absolve, Cleanse, Done, OnHorde, PlaceShame, Shamed, Shed
from rules.great_wall.occasions import dishonour, has, on_occasion, only, short_of
from rules.great_wall.pending import AbsolveDue, CleanseDue, FreesDue, ShameDue, TakeShame
from rules.great_wall.rulebook import coop, course, shame
from rules.great_wall.state import State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    in_window,
    only_done,
    playing,
    then,
)
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

_HONOUR: Final = 5
"""Lost where a token cannot be taken or placed (GW-SHM-05, GW-SHM-06)."""
SHEDDING: Final = 10
"""Honour that a token costs in co-op (GW-COP-16)."""


def places_for(state: State, seat: Seat) -> Iterator[Shamed]:
    """Where a seat can place a token (GW-SHM-04)."""
    player = state.players[seat]
    yield from (kind for kind in KINDS if state.usable(seat, kind) > 0)
    if not state.table.coop:
        yield from (OnHorde(card.horde) for card in player.claimed if card.tokens < TOKENS)


def tokens_of(state: State, seat: Seat) -> Iterator[Shamed]:
    """Where a seat has tokens."""
    player = state.players[seat]
    yield from (kind for kind in KINDS if player.shamed[kind])
    yield from (OnHorde(card.horde) for card in player.claimed if card.tokens)


# Gaining.


def _take_shame(state: State, due: TakeShame) -> Events:
    rest = (TakeShame(due.seat, due.n - 1),) if due.n > 1 else ()
    if not due.n:
        return (FINISHED,)
    if state.pool:
        gained = (ShameGained(due.seat), *on_occasion(state, of_seat(due.seat), Occasion.SHAME))
        return (*gained, then(ShameDue(due.seat), *rest))
    if state.table.coop:
        return (MatchEnded(Ending.SHAME, ()),)
    return (*dishonour(state, of_seat(due.seat), _HONOUR, Cause.SHAME), then(*rest))


TAKE_SHAME: Final = automatic(State, TakeShame, shame.SHM_06, _take_shame)


def _has_place(state: State, seat: Seat) -> bool:
    return next(places_for(state, seat), None) is not None


def _removed(state: State, seat: Seat) -> Events:
    return (
        ShameRemoved(seat),
        *dishonour(state, of_seat(seat), _HONOUR, Cause.SHAME),
        FINISHED,
    )


def _no_place(state: State, due: ShameDue) -> Events:
    """The token leaves the game, unless honour can be given for it (GW-SHM-05, AMB-67)."""
    rich = state.table.coop and state.players[due.seat].honour >= SHEDDING
    return () if rich or _has_place(state, due.seat) else _removed(state, due.seat)


def _on_a_horde(case: Case[ShameDue, PlaceShame]) -> Breach | None:
    wrong = case.state.table.coop and isinstance(case.move.token, OnHorde)
    return breach_if(wrong, "in co-op no shame goes on hordes")


def _not_free(case: Case[ShameDue, PlaceShame]) -> Breach | None:
    free = case.move.token in tuple(places_for(case.state, case.task.seat))
    if free:
        return None
    if isinstance(case.move.token, Kind):
        name = case.state.table.names[case.task.seat]
        return Breach(f"{name} has no {case.move.token.word} without a token in reserve")
    table, horde = case.state.table, case.move.token.horde
    claimed = [card.horde for card in case.state.players[case.task.seat].claimed]
    name = table.parts.horde_names.names[horde]
    if horde in claimed:
        return Breach(f"{name} has {TOKENS} tokens already")
    return Breach(f"{name} is no horde that {table.names[case.task.seat]} has claimed")


def _not_coop(case: Case[ShameDue, Shed]) -> Breach | None:
    return None if case.state.table.coop else Breach("a token is placed; only in co-op can it be shed")


def _too_little_honour(case: Case[ShameDue, Shed]) -> Breach | None:
    honour = case.state.players[case.task.seat].honour
    name = case.state.table.names[case.task.seat]
    return breach_if(honour < SHEDDING, f"shedding costs {SHEDDING} honour ({name} has {honour})")


def _shed(case: Case[ShameDue, Shed]) -> Events:
    seat = case.task.seat
    return (ShameShed(seat), *dishonour(case.state, of_seat(seat), SHEDDING, Cause.SHAME), FINISHED)


def _can_be_placed(case: Case[ShameDue, Done]) -> Breach | None:
    return breach_if(_has_place(case.state, case.task.seat), "the token is placed or shed")


SHAME: Final = (
    playing(task(State, ShameDue, course.ASK_03, its_seat, happens=_no_place), in_window(Window.SHAME))
    .takes(
        PlaceShame,
        (Check(coop.COP_15, _on_a_horde),),
        (Check(shame.SHM_04, _not_free),),
        each=lambda state, due: map(PlaceShame, places_for(state, due.seat)),
        then=lambda case: caused(ShamePlaced(case.task.seat, case.move.token), FINISHED),
    )
    .takes(
        Shed,
        (Check(shame.SHM_04, _not_coop),),
        (Check(coop.COP_16, _too_little_honour),),
        each=lambda _, __: (Shed(),),
        then=_shed,
    )
    .takes(
        Done,
        (Check(course.ASK_03, _can_be_placed),),
        each=only_done,
        then=lambda case: (Declined(case.task.seat), *_removed(case.state, case.task.seat)),
    )
)


# Discarding.


def _none_held(state: State, due: CleanseDue | FreesDue | AbsolveDue) -> Events:
    return () if next(tokens_of(state, due.seat), None) is not None else (FINISHED,)


def _not_there(state: State, seat: Seat, token: Shamed) -> Breach | None:
    if token in tuple(tokens_of(state, seat)):
        return None
    horde = "" if isinstance(token, Kind) else state.table.parts.horde_names.names[token.horde]
    where = f"under a {token.word} in reserve" if isinstance(token, Kind) else f"on {horde}"
    return Breach(f"{state.table.names[seat]} has no token {where}")


def _no_chi(case: Case[CleanseDue, Cleanse]) -> Breach | None:
    cost = only(Resource.CHI, case.state.table.parts.prices.shame)
    if case.state.table.coop or has(case.state, case.task.seat, cost):
        return None
    return Breach(short_of(case.state, case.task.seat, cost))


def _no_honour(case: Case[CleanseDue, Cleanse]) -> Breach | None:
    honour, name = case.state.players[case.task.seat].honour, case.state.table.names[case.task.seat]
    short = case.state.table.coop and honour < SHEDDING
    return breach_if(short, f"a token costs {SHEDDING} honour ({name} has {honour})")


def _cleansed(case: Case[CleanseDue, Cleanse]) -> Events:
    state, seat = case.state, case.task.seat
    if state.table.coop:
        paid: Events = dishonour(state, of_seat(seat), SHEDDING, Cause.SHAME)
    else:
        paid = (Paid(seat, only(Resource.CHI, state.table.parts.prices.shame)),)
    return (*paid, ShameReturned(seat, case.move.token), then(CleanseDue(seat)))


CLEANSE: Final = (
    playing(task(State, CleanseDue, course.ASK_03, its_seat, happens=_none_held), in_window(Window.SUMMER))
    .takes(
        Cleanse,
        (Check(shame.SHM_07, lambda case: _not_there(case.state, case.task.seat, case.move.token)),),
        (Check(shame.SHM_07, _no_chi), Check(coop.COP_16, _no_honour)),
        each=lambda state, due: map(Cleanse, tokens_of(state, due.seat)),
        then=_cleansed,
    )
    .takes(Done, each=only_done, then=declined)
)


def _freed(case: Case[FreesDue, Cleanse]) -> Events:
    left = case.task.left - 1
    rest = (FreesDue(case.task.seat, left),) if left else ()
    return (ShameReturned(case.task.seat, case.move.token), then(*rest))


FREES: Final = (
    task(State, FreesDue, course.ASK_03, its_seat, happens=_none_held)
    .takes(
        Cleanse,
        (Check(shame.SHM_07, lambda case: _not_there(case.state, case.task.seat, case.move.token)),),
        each=lambda state, due: map(Cleanse, tokens_of(state, due.seat)),
        then=_freed,
    )
    .takes(Done, each=only_done, then=declined)
)
ABSOLVE: Final = task(State, AbsolveDue, course.ASK_03, its_seat, happens=_none_held).takes(
    Absolve,
    (Check(shame.SHM_07, lambda case: _not_there(case.state, case.task.seat, case.move.token)),),
    each=lambda state, due: map(Absolve, tokens_of(state, due.seat)),
    then=lambda case: caused(ShameReturned(case.task.seat, case.move.token), FINISHED),
)
