"""Installing a governor (ZHG-CRT-30 to -34), at Court and free."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.annex import GOVERNOR_BONUSES
from rules.zhanguo.evolve import fold
from rules.zhanguo.frames import ActDue, InstallDue
from rules.zhanguo.main_board import GovernorSpot
from rules.zhanguo.moves import Install
from rules.zhanguo.pieces import BLANK, OFFICIALS, REGIONS, Action, Region
from rules.zhanguo.queries import acting, awaits_seat, passes_test
from rules.zhanguo.resolve import resolve
from rules.zhanguo.state import State


def _has_officials(state: State, seat: Seat, region: Region) -> bool:
    return all(state.players[seat].domains[region].officials)


def possible(state: State, seat: Seat) -> bool:
    """Whether a governor is left, and a region has an official of each type."""
    return any(_has_officials(state, seat, region) for region in REGIONS) and (state.governors_left(seat) > 0)


# Spaces


def is_open(state: State, spot: GovernorSpot, half: int) -> bool:
    """Whether a governor can go on a space; a ruling closes it with the other half of its tile (AMB-05)."""
    if state.table.rulings.half_closes and any(taken is not None for taken in spot.spaces):
        return False
    return spot.spaces[half] is None


def open_spaces(state: State, region: Region) -> Iterator[int]:
    """Spaces that can be taken, from the left, counted from 1."""
    return (number for number, spot, half in state.regions[region].spaces() if is_open(state, spot, half))


def _area_is_open(state: State, region: Region) -> bool:
    """Always, unless a ruling keeps it for when no bonus is left (AMB-47)."""
    if not state.table.rulings.area_last:
        return True
    return not any(
        spot.tile != BLANK and is_open(state, spot, half) for _, spot, half in state.regions[region].spaces()
    )


def _no_space(case: TaskCase[State, object, Install]) -> Breach | None:
    state, region, space = case.state, case.move.region, case.move.space
    if space is None:
        if _area_is_open(state, region):
            return None
        return Breach(f"a space with a bonus is free in {region.title}", (region.word,))
    found = next(((spot, half) for at, spot, half in state.regions[region].spaces() if at == space), None)
    if found is None:
        return Breach(f"{region.title} has no space {space}", (region.word,))
    spot, half = found
    if spot.spaces[half] is not None:
        return Breach(f"space {space} of {region.title} is taken", (region.word,))
    if not is_open(state, spot, half):
        return Breach(f"the other half of that tile in {region.title} is taken", (region.word,))
    return None


_SPACE: Final = (Check(rulebook.CRT_32, _no_space),)


def _places(state: State, region: Region) -> Iterator[Install]:
    for space in open_spaces(state, region):
        yield Install(region, space)
    if _area_is_open(state, region):
        yield Install(region, None)


def _installed(state: State, seat: Seat, move: Install, events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """The governor, the reset of the region (AMB-06: before the bonus), and the bonus of the space."""
    events += (e.GovernorInstalled(seat, move.region, move.space),)
    unrest = state.players[seat].domains[move.region].unrest
    if unrest:
        events += (e.UnrestLowered(seat, move.region, unrest),)
    if move.space is None:
        return events
    _, spot, half = next(found for found in state.regions[move.region].spaces() if found[0] == move.space)
    bonus = GOVERNOR_BONUSES[spot.tile][half]
    return (*events, *resolve(fold(state, events), seat, bonus, e.Source.BONUS))


# At Court


def _cannot_install(case: TaskCase[State, ActDue, Install]) -> Breach | None:
    seat, region = case.task.seat, case.move.region
    if not case.state.governors_left(seat):
        return Breach("no governor is left")
    officials = case.state.players[seat].domains[region].officials
    missing = [official.word for official in OFFICIALS if not officials[official]]
    if missing:
        return Breach(f"{region.title} lacks an official: {', '.join(missing)}", (region.word,))
    return None


CHECKS: Final = ((Check(rulebook.CRT_30, _cannot_install),), _SPACE)


def moves(state: State, due: ActDue) -> Iterator[Install]:
    """Every open space of every region with all three officials."""
    if state.governors_left(due.seat):
        for region in REGIONS:
            if _has_officials(state, due.seat, region):
                yield from _places(state, region)


def done(case: TaskCase[State, ActDue, Install]) -> tuple[e.Event, ...]:
    """One official of each type goes back, and the governor takes office."""
    seat, move = case.task.seat, case.move
    events: tuple[e.Event, ...] = (
        e.ActionTaken(seat, Action.GOVERNOR, passes_test(case.state, Action.GOVERNOR)),
        *(e.OfficialReturned(seat, official, move.region) for official in OFFICIALS),
    )
    return _installed(case.state, seat, move, events)


# Free


def _none_left(case: TaskCase[State, InstallDue, Install]) -> Breach | None:
    return None if case.state.governors_left(acting(case.state)) else Breach("no governor is left")


def _not_allowed(case: TaskCase[State, InstallDue, Install]) -> Breach | None:
    if case.move.region in case.task.regions:
        return None
    return Breach(f"the reward installs nobody in {case.move.region.title}", (case.move.region.word,))


def _free(state: State, due: InstallDue) -> Iterator[Install]:
    if state.governors_left(acting(state)):
        for region in due.regions:
            yield from _places(state, region)


INSTALL: Final = task(
    State, InstallDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    Install,
    (Check(rulebook.CRT_30, _none_left), Check(rulebook.REW_40, _not_allowed)),
    _SPACE,
    each=_free,
    then=lambda case: _installed(case.state, acting(case.state), case.move, (e.ChoiceMade(()),)),
    exact=True,
)
