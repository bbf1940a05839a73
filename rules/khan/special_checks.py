"""Whether a seat may use a special card, and which it may."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase
from rules.khan import moves as m
from rules.khan import rulebook
from rules.khan.cards import REGIONS, Special
from rules.khan.conquest import is_barred
from rules.khan.state import MOST_SEATS, Choosing, Protection, State, Support

_TWO: Final = 2

SPECIAL_OF: Final[dict[type[m.SpecialMove], Special]] = {
    m.RaiseMorale: Special.MORALE,
    m.InvokeProtection: Special.PROTECTION,
    m.InvokeSupport: Special.SUPPORT,
    m.Explore: Special.EXPLORATION,
}
_Use: TypeAlias = TaskCase[State, Choosing, m.SpecialMove]


def _has_none(case: _Use) -> Breach | None:
    special = SPECIAL_OF[type(case.move)]
    if case.state.specials[case.task.seat][special]:
        return None
    name = case.state.table.names[case.task.seat]
    return Breach(f"{name} has no card {special.title}", (special.title,))


def _two_turns_running(case: _Use) -> Breach | None:
    special = SPECIAL_OF[type(case.move)]
    if len(case.state.table.names) > _TWO or case.state.retired is not special:
        return None
    return Breach(f"with two seats {special.title} cannot be used in two turns running")


def _others(case: _Use) -> list[Seat]:
    return [seat for seat in case.state.table.seats if seat != case.task.seat]


def _protection_fault(case: _Use) -> Breach | None:
    for other in _others(case):
        if isinstance(case.state.active[other], Protection):
            return Breach(f"{case.state.table.names[other]} is protected already")
    return _two_turns_running(case)


def _support_fault(case: TaskCase[State, Choosing, m.InvokeSupport]) -> Breach | None:
    region, names = case.move.region, case.state.table.names
    if (region is None) == (len(names) == MOST_SEATS):
        return Breach("with four seats, and only then, the Support of the Gods is for a region")
    for other in _others(case):
        if case.state.active[other] == Support(region):
            where = "" if region is None else f" in {region.word}"
            return Breach(f"{names[other]} protects the neutral yurts{where} already")
    return _two_turns_running(case)


def _reserved_tile_fault(case: TaskCase[State, Choosing, m.Explore]) -> Breach | None:
    number = case.move.shape
    name = case.state.table.parts.shapes[number].id
    if not case.state.supply[number]:
        return Breach(f"no {name} is left", (name,))
    if is_barred(case.state, case.task.seat, number):
        return Breach(f"{name} is reserved for another seat", (name,))
    return None


HELD_SPECIAL: Final = (Check(rulebook.SPEC_1, _has_none),)
PROTECT: Final = (Check(rulebook.SPEC_P, _protection_fault),)
SUPPORT: Final = (Check(rulebook.SPEC_S, _support_fault),)
EXPLORE: Final = (Check(rulebook.SPEC_E, _reserved_tile_fault),)


def supports(state: State, due: Choosing) -> Iterator[m.InvokeSupport]:
    """Whatever the Support of the Gods could be for."""
    if state.specials[due.seat][Special.SUPPORT]:
        regions = REGIONS if len(state.table.names) == MOST_SEATS else (None,)
        yield from map(m.InvokeSupport, regions)


def explorations(state: State, due: Choosing) -> Iterator[m.Explore]:
    """Whatever Exploration could reserve."""
    if state.specials[due.seat][Special.EXPLORATION]:
        yield from map(m.Explore, state.table.parts.shape_names.each)
