"""Whether a seat may use a special card, and which it may."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check, broken
from rules.khan import rulebook
from rules.khan.cards import REGIONS, Region, Special
from rules.khan.conquest import is_barred
from rules.khan.moves import Explore, InvokeProtection, InvokeSupport, RaiseMorale, SpecialMove
from rules.khan.state import MOST_SEATS, Protection, State, Support

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Use:
    """A special card that a seat asks to use."""

    state: State
    seat: Seat
    special: Special
    region: Region | None = None
    """What the Support of the Gods would be for."""
    shape: int | None = None
    """What Exploration would reserve."""


def _has_none(case: Use) -> Breach | None:
    if case.state.specials[case.seat][case.special]:
        return None
    name = case.state.table.names[case.seat]
    return Breach(f"{name} has no card {case.special.title}", (case.special.title,))


def _two_turns_running(case: Use) -> Breach | None:
    if len(case.state.table.names) > _TWO or case.state.retired is not case.special:
        return None
    return Breach(f"with two seats {case.special.title} cannot be used in two turns running")


def _others(case: Use) -> list[Seat]:
    return [seat for seat in case.state.table.seats if seat != case.seat]


def _protects_amiss(case: Use) -> Breach | None:
    if case.special is not Special.PROTECTION:
        return None
    for other in _others(case):
        if isinstance(case.state.active[other], Protection):
            return Breach(f"{case.state.table.names[other]} is protected already")
    return _two_turns_running(case)


def _supports_amiss(case: Use) -> Breach | None:
    if case.special is not Special.SUPPORT:
        return None
    region, names = case.region, case.state.table.names
    if (region is None) == (len(names) == MOST_SEATS):
        return Breach("with four seats, and only then, the Support of the Gods is for a region")
    for other in _others(case):
        if case.state.active[other] == Support(region):
            where = "" if region is None else f" in {region.word}"
            return Breach(f"{names[other]} protects the neutral yurts{where} already")
    return _two_turns_running(case)


def _reserves_amiss(case: Use) -> Breach | None:
    number = case.shape
    if number is None:
        return None
    name = case.state.table.kit.shapes[number].id
    if not case.state.supply[number]:
        return Breach(f"no {name} is left", (name,))
    if is_barred(case.state, case.seat, number):
        return Breach(f"{name} is reserved for another seat", (name,))
    return None


HELD_SPECIAL: Final = (Check(rulebook.SPEC_1, _has_none),)
USE: Final = (
    Check(rulebook.SPEC_P, _protects_amiss),
    Check(rulebook.SPEC_S, _supports_amiss),
    Check(rulebook.SPEC_E, _reserves_amiss),
)


def use_of(state: State, seat: Seat, move: SpecialMove) -> Use:
    """The special card that a move asks for, as it is judged."""
    match move:
        case RaiseMorale():
            return Use(state, seat, Special.MORALE)
        case InvokeProtection():
            return Use(state, seat, Special.PROTECTION)
        case InvokeSupport():
            return Use(state, seat, Special.SUPPORT, region=move.region)
        case Explore():
            return Use(state, seat, Special.EXPLORATION, shape=move.shape)
        case _:
            assert_never(move)


def usable(state: State, seat: Seat) -> Iterator[SpecialMove]:
    """Every special card that a seat may use, with what it is for."""
    for move in _every_use(state, state.specials[seat]):
        if not broken(USE, use_of(state, seat, move)):
            yield move


def _every_use(state: State, held: bytes) -> Iterator[SpecialMove]:
    """Whatever could be asked for with these cards."""
    if held[Special.MORALE]:
        yield RaiseMorale()
    if held[Special.PROTECTION]:
        yield InvokeProtection()
    if held[Special.SUPPORT]:
        regions = REGIONS if len(state.table.names) == MOST_SEATS else (None,)
        yield from (InvokeSupport(region) for region in regions)
    if held[Special.EXPLORATION]:
        yield from (Explore(shape) for shape in range(len(state.supply)))
