"""Li Si's soldiers (ZHG-SOL-70): placed by themselves, unless more tiles qualify than he has soldiers."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import RivalSoldierDue, SoldiersDue, Window
from rules.zhanguo.moves import PlaceSoldier
from rules.zhanguo.pieces import SPOT_NAMES
from rules.zhanguo.queries import free_slot, meets, open_spots
from rules.zhanguo.resolve import soldier_placed
from rules.zhanguo.state import State


def placements(state: State) -> tuple[e.Event, ...]:
    """The next soldier that stands by itself, or the question where it goes; nothing where none can."""
    rival = state.table.rival
    if rival is None or not state.players[rival].entrance:
        return ()
    spots = list(open_spots(state, rival))
    if not spots:
        return ()
    if len(spots) > state.players[rival].entrance:
        return (e.ChoicesDue((RivalSoldierDue(),)),)
    return soldier_placed(state, rival, spots[0])


def rival_window(state: State, due: SoldiersDue) -> tuple[e.Event, ...]:
    """Li Si's window: he places after his payments, and not after a reward (AMB-60)."""
    if due.seat != state.table.rival:
        return ()
    placed = placements(state) if due.window is Window.PAY else ()
    return placed or (e.WindowClosed(due.seat),)


def _awaits_human(state: State, _: RivalSoldierDue) -> tuple[Actor, ...]:
    return state.table.humans[:1] if state.table.rival is not None else ()


def _none_or_unmet(case: TaskCase[State, RivalSoldierDue, PlaceSoldier]) -> Breach | None:
    rival, spot = case.state.table.rival, case.move.spot
    name = SPOT_NAMES.names[spot]
    if rival is None or not case.state.players[rival].entrance:
        return Breach("Li Si has no soldier at the entrance")
    if not meets(case.state, rival, spot):
        return Breach(f"Li Si does not meet the condition on {name}", (name,))
    return None


def _no_slot(case: TaskCase[State, RivalSoldierDue, PlaceSoldier]) -> Breach | None:
    rival, spot = case.state.table.rival, case.move.spot
    name = SPOT_NAMES.names[spot]
    if rival in case.state.mausoleum[spot].slots:
        return Breach(f"a soldier of Li Si's is on {name} already", (name,))
    if rival is None or free_slot(case.state, rival, spot) is None:
        return Breach(f"no slot is free on {name}", (name,))
    return None


def _candidates(state: State, _: RivalSoldierDue) -> Iterator[PlaceSoldier]:
    rival = state.table.rival
    if rival is not None and state.players[rival].entrance:
        yield from map(PlaceSoldier, open_spots(state, rival))


def _placed(case: TaskCase[State, RivalSoldierDue, PlaceSoldier]) -> tuple[e.Event, ...]:
    rival = case.state.table.rival
    placed = () if rival is None else soldier_placed(case.state, rival, case.move.spot)
    return (e.ChoiceMade(()), *placed)


RIVAL_SOLDIER: Final = task(State, RivalSoldierDue, rulebook.SOL_70, _awaits_human).takes(
    PlaceSoldier,
    (Check(rulebook.MAU_03, _none_or_unmet), Check(rulebook.MAU_04, _no_slot)),
    each=_candidates,
    then=_placed,
    exact=True,
)
