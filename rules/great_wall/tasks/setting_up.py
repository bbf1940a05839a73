"""Generals and advisors are chosen, and the match sets out."""

from collections.abc import Iterator, Sequence
from typing import Final

from rules.great_wall.decks import advisor_deck, generals_left
from rules.great_wall.events import (
    ActiveChosen,
    AdvisorsRevealed,
    GeneralChosen,
    GeneralRevealed,
    QinAdvised,
    StartTaken,
    TeaStacked,
)
from rules.great_wall.kinds import QIN, REED, Advisor, Clan, General, of_seat
from rules.great_wall.moves import ChooseActive, ChooseGeneral
from rules.great_wall.pending import (
    ActiveDue,
    AdvisorsDue,
    DrawDue,
    GeneralDue,
    OpenActiveDue,
    OpenGeneralDue,
    QinTrackDue,
    SetOut,
    Task,
)
from rules.great_wall.rulebook import course, setting_up
from rules.great_wall.state import State
from rules.great_wall.tasks.common import FINISHED, Case, Events, then
from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

_QIN_ADVISORS: Final = 2
_ON_TRACK: Final = 4
"""Advisors on the track (GW-SET-13)."""


def seat_who(actor: Actor) -> Seat:
    """The seat that acts; only seats are awaited where this is asked."""
    if not isinstance(actor, int):
        raise TypeError(f"{actor} is no seat")
    return actor


# Generals.


def _no_general(state: State, _: GeneralDue) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if state.secrets[seat].general is None)


def _generals_known(state: State, _: GeneralDue) -> Events:
    found = [(seat, state.secrets[seat].general) for seat in state.table.seats]
    known = [GeneralRevealed(seat, General(general)) for seat, general in found if isinstance(general, int)]
    return (*known, FINISHED) if len(known) == len(found) else ()


def _may_choose(state: State, seat: Seat, general: General) -> bool:
    dealt = state.secrets[seat].generals
    return general in dealt or None in dealt


def _refused(card: object, names: Sequence[str], why: str) -> Breach:
    """Why a card cannot be chosen."""
    return Breach(f"{names[card]} {why}" if isinstance(card, int) else "a card is to be named")


def _not_dealt(case: Case[GeneralDue, ChooseGeneral]) -> Breach | None:
    general, seat, table = case.move.general, seat_who(case.actor), case.state.table
    if isinstance(general, int) and _may_choose(case.state, seat, General(general)):
        return None
    return _refused(general, table.parts.general_names.names, f"was not dealt to {table.names[seat]}")


GENERAL: Final = task(
    State, GeneralDue, course.ASK_03, _no_general, happens=_generals_known, sealed=True
).takes(
    ChooseGeneral,
    (Check(setting_up.SET_12, _not_dealt),),
    each=lambda state, _: map(ChooseGeneral, state.table.parts.general_names.number_of.values()),
    then=lambda case: (GeneralChosen(seat_who(case.actor), case.move.general),),
)


def _general_taken(case: Case[OpenGeneralDue, ChooseGeneral]) -> Breach | None:
    general = case.move.general
    if general in generals_left(case.state):
        return None
    return _refused(general, case.state.table.parts.general_names.names, "is taken")


def _open_general(case: Case[OpenGeneralDue, ChooseGeneral]) -> Events:
    general = case.move.general
    revealed = (GeneralRevealed(case.task.seat, General(general)),) if isinstance(general, int) else ()
    return (*revealed, FINISHED)


OPEN_GENERAL: Final = task(State, OpenGeneralDue, course.ASK_03, its_seat).takes(
    ChooseGeneral,
    (Check(setting_up.SET_12, _general_taken),),
    each=lambda state, _: map(ChooseGeneral, generals_left(state)),
    then=_open_general,
)


# Advisors.


def _no_active(state: State, _: ActiveDue) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if state.secrets[seat].active is None)


def _actives_known(state: State, _: ActiveDue) -> Events:
    found = [(seat, state.secrets[seat].active) for seat in state.table.seats]
    known = [
        AdvisorsRevealed(seat, Advisor(active), _other(state.secrets[seat].advisors, Advisor(active)))
        for seat, active in found
        if isinstance(active, int)
    ]
    return (*known, FINISHED) if len(known) == len(found) else ()


def _other(dealt: tuple[Advisor | None, ...], active: Advisor) -> Advisor | None:
    """The dealt advisor that is not active; None where it is not known."""
    return next((advisor for advisor in dealt if advisor != active), None) if active in dealt else None


def _advisor_not_dealt(case: Case[ActiveDue, ChooseActive]) -> Breach | None:
    advisor, seat, table = case.move.advisor, seat_who(case.actor), case.state.table
    dealt = case.state.secrets[seat].advisors
    if isinstance(advisor, int) and (advisor in dealt or None in dealt):
        return None
    return _refused(advisor, table.parts.advisor_names.names, f"was not dealt to {table.names[seat]}")


ACTIVE: Final = task(State, ActiveDue, course.ASK_03, _no_active, happens=_actives_known, sealed=True).takes(
    ChooseActive,
    (Check(setting_up.SET_12, _advisor_not_dealt),),
    each=lambda state, _: map(ChooseActive, state.table.parts.advisor_names.number_of.values()),
    then=lambda case: (ActiveChosen(seat_who(case.actor), case.move.advisor),),
)


def _advisor_taken(case: Case[OpenActiveDue, ChooseActive]) -> Breach | None:
    advisor = case.move.advisor
    if advisor in advisor_deck(case.state):
        return None
    return _refused(advisor, case.state.table.parts.advisor_names.names, "is taken")


def _open_active(case: Case[OpenActiveDue, ChooseActive]) -> Events:
    advisor = case.move.advisor
    revealed = (AdvisorsRevealed(case.task.seat, Advisor(advisor), None),) if isinstance(advisor, int) else ()
    return (*revealed, FINISHED)


OPEN_ACTIVE: Final = task(State, OpenActiveDue, course.ASK_03, its_seat).takes(
    ChooseActive,
    (Check(setting_up.SET_12, _advisor_taken),),
    each=lambda state, _: map(ChooseActive, advisor_deck(state)),
    then=_open_active,
)


# The match sets out.


def tea_stack(state: State) -> tuple[Clan, ...]:
    """By the generals' tea values, Qin below the player and Reed at the bottom (GW-SET-18, GW-2P-06)."""
    generals = state.table.parts.generals

    def value(seat: Seat) -> int:
        general = state.players[seat].general
        return 0 if general is None else generals[general].tea

    players: Iterator[Clan] = map(of_seat, sorted(state.table.seats, key=lambda seat: (-value(seat), seat)))
    extra = ((QIN,) if state.table.has_qin else ()) + ((REED,) if state.table.has_reed else ())
    return (*players, *extra)


def _set_out(state: State, _: SetOut) -> Events:
    generals = state.table.parts.generals
    found: Events = (TeaStacked(tea_stack(state)),)
    for seat in state.table.seats:
        general = state.players[seat].general
        if general is not None:
            found += (StartTaken(seat, generals[general].start),)
    draws: list[Task] = []
    for seat in state.table.seats:
        general = state.players[seat].general
        draws.append(DrawDue(seat, 0 if general is None else generals[general].tactics))
    if state.table.has_qin:
        found += (QinAdvised(_QIN_ADVISORS),)
        draws.append(QinTrackDue())
    return (*found, then(AdvisorsDue(_ON_TRACK), *draws))


SET_OUT: Final = automatic(State, SetOut, setting_up.SET_15, _set_out)
