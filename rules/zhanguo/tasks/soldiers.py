"""Soldiers that are placed: in the windows of ZHG-MAU-06, and by a reward whatever the condition says."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import SoldierDue, SoldiersDue
from rules.zhanguo.moves import Done, PlaceSoldier
from rules.zhanguo.pieces import SPOT_NAMES, SPOTS
from rules.zhanguo.queries import acting, awaits_seat, free_slot, meets, open_spots
from rules.zhanguo.resolve import soldier_placed
from rules.zhanguo.rival.soldiers import rival_window
from rules.zhanguo.state import State


def _none_or_unmet(case: TaskCase[State, object, PlaceSoldier]) -> Breach | None:
    seat, spot = acting(case.state), case.move.spot
    if not case.state.players[seat].entrance:
        return Breach("no soldier is at the entrance")
    if not isinstance(case.task, SoldierDue) and not meets(case.state, seat, spot):
        name = SPOT_NAMES.names[spot]
        return Breach(f"the condition on {name} is not met", (name,))
    return None


def _no_slot(case: TaskCase[State, object, PlaceSoldier]) -> Breach | None:
    seat, spot = acting(case.state), case.move.spot
    name = SPOT_NAMES.names[spot]
    if seat in case.state.mausoleum[spot].slots:
        return Breach(f"an own soldier is on {name} already", (name,))
    if free_slot(case.state, seat, spot) is None:
        return Breach(f"no slot is free on {name}", (name,))
    return None


_CHECKS: Final = (Check(rulebook.MAU_03, _none_or_unmet), Check(rulebook.MAU_04, _no_slot))


def _in_window(state: State, due: SoldiersDue) -> Iterator[PlaceSoldier]:
    if state.players[due.seat].entrance:
        yield from (PlaceSoldier(spot) for spot in open_spots(state, due.seat))


SOLDIERS: Final = (
    task(State, SoldiersDue, rulebook.EOT_01, awaits_seat, forced=True, happens=rival_window)
    .takes(
        PlaceSoldier,
        _CHECKS,
        each=_in_window,
        then=lambda case: soldier_placed(case.state, case.task.seat, case.move.spot),
        exact=True,
    )
    .takes(
        Done,
        each=lambda _, __: (Done(),),
        then=lambda case: (e.WindowClosed(case.task.seat),),
        exact=True,
    )
)


def _free(state: State, _: SoldierDue) -> Iterator[PlaceSoldier]:
    seat = acting(state)
    if state.players[seat].entrance:
        yield from (PlaceSoldier(spot) for spot in SPOTS if free_slot(state, seat, spot) is not None)


SOLDIER: Final = task(
    State, SoldierDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    PlaceSoldier,
    _CHECKS,
    each=_free,
    then=lambda case: (
        e.ChoiceMade(()),
        *soldier_placed(case.state, acting(case.state), case.move.spot),
    ),
    exact=True,
)
