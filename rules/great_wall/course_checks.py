"""What may be pending: whether an agenda is one that a match can have."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall import pending as p
from rules.great_wall.kinds import REED, SECTIONS, Clan, Sealed, Section
from rules.great_wall.pending import Task
from rules.great_wall.state import State
from rules.great_wall.tasks.coop import no_means
from rules.kernel.inconsistency import Inconsistency

_YEAR: Final = (p.Spring(), p.Summer(), p.Autumn(), p.Winter(), p.YearEnd())
_END: Final = (p.EndCheck(), p.NextYear())
_COURSE: Final = (*map(type, _YEAR), *map(type, _END))
_SET_UP: Final = (
    p.ArtefactsDue,
    p.RequestsDue,
    p.TopDue,
    p.HordesDue,
    p.DealDue,
    p.AdviseDue,
    p.GeneralDue,
    p.ActiveDue,
    p.OpenGeneralDue,
    p.OpenActiveDue,
    p.SetOut,
)
_OF_QIN: Final = (p.QinTrackDue, p.SoloDue, p.EnlistDue, p.QinAt, p.QinFires)
_OF_REED: Final = (p.ReedAt, p.ReedSpearDue, p.ReedBarricadeDue, p.DismissDue, p.AbsolveDue)
_OF_COOP: Final = (p.RequestsDue, p.EventDue, p.FulfilDue, p.AgreeDue, p.AgainDue, p.Free)
_NOT_COOP: Final = (p.ArtefactsDue, p.RecoverDue)
_RECORDED: Final = (p.DealDue, p.AdviseDue, p.GeneralDue, p.ActiveDue)
_UNRECORDED: Final = (p.OpenGeneralDue, p.OpenActiveDue)
_DEALT: Final = 2


def course_problems(state: State) -> Iterator[Inconsistency]:
    """GW-I-31, GW-I-34: what is wrong with what is pending."""
    if (state.result is None) != bool(state.agenda):
        yield Inconsistency("ask", "a match that is over has nothing pending, and any other has")
        return
    if state.result is not None:
        return
    kinds = [type(task) for task in state.agenda]
    yield from _tail_problems(state, kinds)
    for place, task in enumerate(state.agenda):
        if not _fits_mode(state, task) or not _is_sane(state, task):
            why = f"{type(task).__name__} cannot be pending in this match"
            yield Inconsistency("then" if place else "ask", why)
    deferred = any(isinstance(task, p.Settle | p.BatchEnd) for task in state.agenda)
    if state.owed and not deferred:
        yield Inconsistency("owed", "something is owed outside of a resolution")
    if state.saves and p.BatchEnd not in kinds:
        yield Inconsistency("saves", "soldiers are saved where none die")
    yield from _secret_problems(state, kinds)


def _tail_problems(state: State, kinds: list[type[Task]]) -> Iterator[Inconsistency]:
    """The rest of the year stands at the end, and set-up comes before everything else."""
    course = tuple(task for task in state.agenda if isinstance(task, _COURSE))
    in_order = course == _END or (bool(course) and course == _YEAR[-len(course) :])
    if not in_order or state.agenda[-len(course) :] != course:
        yield Inconsistency("then" if state.then else "ask", "what is pending is no part of a year")
    if p.Spring in kinds and state.time >= state.table.final_slot:
        yield Inconsistency("time", "no further year can begin")
    set_up = p.SetOut in kinds
    if set_up != (not state.tea):
        yield Inconsistency("tea", "the tea stack is made when the match sets out")
    if set_up:
        before = kinds[: kinds.index(p.SetOut)]
        if state.time or any(kind not in _SET_UP for kind in before) or p.Spring in kinds:
            yield Inconsistency(
                "then" if kinds[0] in _SET_UP else "ask",
                "something is pending that does not belong to the set-up",
            )
    turns = [task.clan for task in state.agenda if isinstance(task, p.TurnOver)]
    if len(turns) > 1:
        yield Inconsistency("then", "two turns go on")


def _fits_mode(state: State, task: Task) -> bool:
    table = state.table
    return not (
        (isinstance(task, _OF_QIN) and not table.has_qin)
        or (isinstance(task, _OF_REED) and not table.has_reed)
        or (isinstance(task, _OF_COOP) and not table.coop)
        or (isinstance(task, _NOT_COOP) and table.coop)
        or (isinstance(task, _RECORDED) and not table.recorded)
        or (isinstance(task, _UNRECORDED) and table.recorded)
    )


def _is_sane(state: State, task: Task) -> bool:
    """Whether the parts of a task name what is in the match."""
    clan = getattr(task, "clan", None)
    sections = [getattr(task, name, None) for name in ("section", "origin", "goal")]
    closed = any(isinstance(each, Section) and each not in state.table.sections for each in sections)
    if closed or (clan is not None and clan not in state.table.clans):
        return False
    match task:
        case p.Collect():
            return len(set(task.clans)) == len(task.clans) and set(task.clans) <= set(state.tea)
        case p.ClerksDue():
            return task.clan in {Clan(task.seat), REED} and list(task.used) == sorted(set(task.used))
        case p.ActsDue() | p.UpgradesDue():
            done = task.done if isinstance(task, p.ActsDue) else task.used
            return list(done) == sorted(set(done))
        case p.OrderDue():
            return len(task.shot) == len(SECTIONS)
        case p.BuildDue():
            return list(task.built) == sorted(set(task.built)) and set(task.built) <= set(
                state.table.sections
            )
        case p.ShiftDue():
            return task.origin is not task.goal
        case p.PlaceDue():
            return any(card.clan == Clan(task.seat) and not card.space for card in state.track)
        case p.FulfilDue() | p.AgreeDue():
            return state.coop is not None and _is_sane_request(state, task)
        case p.Free():
            return _is_sane_step(state, task)
        case p.TopDue():
            return bool(state.hordes.size)
        case _:
            return True


def _is_sane_request(state: State, task: p.FulfilDue | p.AgreeDue) -> bool:
    if isinstance(task, p.AgreeDue) and not _is_sane_proposal(state, task):
        return False
    lists = [task.done, task.refused, *((task.agreed,) if isinstance(task, p.AgreeDue) else ())]
    return all(list(each) == sorted(set(each)) for each in lists)


def _is_sane_proposal(state: State, task: p.AgreeDue) -> bool:
    """Whether the request can be proposed, and those who have agreed can pay: the last one pays for all."""
    open_now = state.in_coop.requests
    return (
        task.request in open_now
        and task.request not in task.refused
        and state.table.parts.requests[task.request].scope == "each"
        and len(task.agreed) < len(state.table.seats)
        and all(no_means(state, seat, task.request) is None for seat in task.agreed)
    )


def _is_sane_step(state: State, task: p.Free) -> bool:
    at_location = task.step not in {p.Step.FIRE, p.Step.OTHERS, p.Step.PLACE}
    placing = [card.clan for card in state.track if not card.space]
    return (
        bool(task.seats)
        and len(set(task.seats)) == len(task.seats)
        and at_location == (task.location is not None)
        and (task.step is p.Step.FIRE) == (task.section is not None)
        and (task.step is p.Step.OTHERS) == (task.script is not None)
        and (task.step is not p.Step.PLACE or all(Clan(seat) in placing for seat in task.seats))
    )


def _secret_problems(state: State, kinds: list[type[Task]]) -> Iterator[Inconsistency]:
    """What was dealt or answered belongs to the question that is open."""
    generals_due = {task.seat for task in state.agenda if isinstance(task, p.DealDue)}
    advisors_due = {task.seat for task in state.agenda if isinstance(task, p.AdviseDue)}
    for seat, secret in zip(state.table.seats, state.secrets, strict=True):
        generals = _DEALT if p.GeneralDue in kinds and seat not in generals_due else 0
        advisors = _DEALT if p.ActiveDue in kinds and seat not in advisors_due else 0
        if (len(secret.generals), len(secret.advisors)) != (generals, advisors):
            yield Inconsistency("secrets", "other cards are dealt than the open question needs")
        first = kinds[0]
        if secret.general is not None and not (
            first is p.GeneralDue and _among(secret.general, secret.generals)
        ):
            yield Inconsistency("secrets", "a general is chosen that was not dealt")
        if secret.active is not None and not (
            first is p.ActiveDue and _among(secret.active, secret.advisors)
        ):
            yield Inconsistency("secrets", "an advisor is chosen that was not dealt")
        hand = state.players[seat].strategies
        if secret.pick is not None and not (first is p.PickDue and _among(secret.pick, hand)):
            yield Inconsistency("secrets", "a strategy is picked that is not in the hand")


def _among(chosen: int | Sealed, cards: tuple[int | None, ...]) -> bool:
    return isinstance(chosen, Sealed) or chosen in cards or None in cards
