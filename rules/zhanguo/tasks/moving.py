"""Officials and workers who move (ZHG-ABL-22)."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import Frame, OfficialsDue, WorkersDue
from rules.zhanguo.moves import Done, MoveOfficial, MoveWorker
from rules.zhanguo.pieces import OFFICIALS, REGIONS, are_neighbours, neighbours
from rules.zhanguo.queries import acting, awaits_seat
from rules.zhanguo.state import State


def not_neighbours(case: TaskCase[State, object, MoveOfficial | MoveWorker]) -> Breach | None:
    """A piece goes one step."""
    origin, to = case.move.origin, case.move.to
    if are_neighbours(origin, to):
        return None
    return Breach(f"{origin.title} and {to.title} are not neighbours", (origin.word, to.word))


def no_official(case: TaskCase[State, object, MoveOfficial]) -> Breach | None:
    """Somebody has to be there."""
    origin, official = case.move.origin, case.move.official
    if case.state.players[acting(case.state)].domains[origin].officials[official]:
        return None
    return Breach(f"no {official.word} is in {origin.title}", (origin.word,))


def official_moves(state: State, _: object) -> Iterator[MoveOfficial]:
    """Every official, one step to each side."""
    domains = state.players[acting(state)].domains
    for official in OFFICIALS:
        for origin in REGIONS:
            if domains[origin].officials[official]:
                for to in neighbours(origin):
                    yield MoveOfficial(official, origin, to)


def moved(state: State, move: MoveOfficial) -> e.Event:
    """What happens to the official."""
    return e.OfficialMoved(acting(state), move.official, move.origin, move.to)


def _steps_left(due: OfficialsDue) -> tuple[Frame, ...]:
    return (OfficialsDue(due.most - 1),) if due.most > 1 else ()


OFFICIAL_STEPS: Final = (
    task(State, OfficialsDue, rulebook.STM_01, awaits_seat, forced=True)
    .takes(
        MoveOfficial,
        (Check(rulebook.VOC_01, not_neighbours), Check(rulebook.ABL_22, no_official)),
        each=official_moves,
        then=lambda case: (e.ChoiceMade(_steps_left(case.task)), moved(case.state, case.move)),
        exact=True,
    )
    .takes(Done, each=lambda _, __: (Done(),), then=lambda _: (e.ChoiceMade(()),), exact=True)
)


def _no_worker(case: TaskCase[State, WorkersDue, MoveWorker]) -> Breach | None:
    origin = case.move.origin
    if case.state.players[acting(case.state)].domains[origin].workers:
        return None
    return Breach(f"no worker is in {origin.title}", (origin.word,))


def _worker_moves(state: State, _: WorkersDue) -> Iterator[MoveWorker]:
    domains = state.players[acting(state)].domains
    for origin in REGIONS:
        if domains[origin].workers:
            for to in neighbours(origin):
                yield MoveWorker(origin, to)


def _worker_moved(case: TaskCase[State, WorkersDue, MoveWorker]) -> tuple[e.Event, ...]:
    due, move = case.task, case.move
    rest = (WorkersDue(due.count - 1, due.must),) if due.count > 1 else ()
    return e.ChoiceMade(rest), e.WorkerMoved(acting(case.state), move.origin, move.to)


def _has_to(case: TaskCase[State, WorkersDue, Done]) -> Breach | None:
    return Breach("a worker has to move") if case.task.must else None


WORKER_STEPS: Final = (
    task(
        State, WorkersDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
    )
    .takes(
        MoveWorker,
        (Check(rulebook.VOC_01, not_neighbours), Check(rulebook.ABL_22, _no_worker)),
        each=_worker_moves,
        then=_worker_moved,
        exact=True,
    )
    .takes(
        Done,
        (Check(rulebook.ABL_25, _has_to),),
        each=lambda _, due: () if due.must else (Done(),),
        then=lambda _: (e.ChoiceMade(()),),
        exact=True,
    )
)
