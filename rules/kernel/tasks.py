"""What a game states about a kind of task: who is awaited, which moves it takes, and what they cause.

    SYMBOL = (
        task(State, Symbol, rulebook.CRT_23, its_seat, forced=True, lapses=lapsed)
        .takes(UnlockSoldier, (Check(CRT_23, none_locked),),
               each=lambda state, due: (UnlockSoldier(),),
               then=lambda case: (SoldierUnlocked(case.task.seat),))
        .takes(PlaceAlchemist, (Check(CRT_23, not_aside), Check(UNI_01, full)), each=placements, then=placed)
    )
    WINTER = automatic(State, Winter, rulebook.WIN_1, winter)

A task is a value on the agenda of a state (agenda.py); nothing else is pending.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, Generic, Never, Protocol, TypeVar

from msgspec import Struct
from typing_extensions import override

from rules.kernel.actors import CHANCE, Actor, Office, Seat
from rules.kernel.rule import Check, Illegal, Rule, broken

State = TypeVar("State")
Seen = TypeVar("Seen", covariant=True)
Due = TypeVar("Due", covariant=True)
Asked = TypeVar("Asked", covariant=True)
Task = TypeVar("Task")
Move = TypeVar("Move")
Event = TypeVar("Event")
Given = TypeVar("Given", contravariant=True)
Offered = TypeVar("Offered", covariant=True)
Caused = TypeVar("Caused", covariant=True)
Wider = TypeVar("Wider")
Further = TypeVar("Further")


class TaskCase(Struct, Generic[Seen, Due, Asked], frozen=True, gc=False):
    """What a check is asked about: an actor who answers a task with a move."""

    state: Seen
    task: Due
    actor: Actor
    move: Asked
    by_itself: bool = False
    """Whether the move is the only answer, and so is made without being asked for."""

    @property
    def seat(self) -> Seat:
        """The actor, where the task awaits seats."""
        if isinstance(self.actor, Office):
            raise TypeError(f"{self.actor.value} answers {self.task!r}, which is for seats")
        return self.actor


class TaskMove(Generic[Given, Task, Offered, Caused]):
    """A move that a task takes."""

    def __init__(
        self,
        kind: type[object],
        judge: Callable[[Given, Task, Actor, object, bool], tuple[Caused, ...] | Illegal],
        listed: Callable[[Given, Task, Actor], Iterator[Offered]],
        rules: tuple[Rule, ...] = (),
    ) -> None:
        self.kind: Final = kind
        self.judge: Final = judge
        self.listed: Final = listed
        self.rules: Final = rules
        """What its checks name."""


class AnyTask(Generic[Given, Offered, Caused]):
    """A kind of task whose class is closed over: what the agenda asks."""

    kind: type[object]
    rule: Rule
    """What a move of another kind breaks."""
    forced: bool
    sealed: bool
    rules: tuple[Rule, ...] = ()
    """What the checks of its answers name."""

    def awaited(self, state: Given, due: object) -> tuple[Actor, ...]:
        """Who must answer."""
        raise NotImplementedError

    def judge(
        self, state: Given, due: object, actor: Actor, move: object, *, by_itself: bool = False
    ) -> tuple[Caused, ...] | Illegal | None:
        """What the move causes, or the rules that it breaks; None for a move of another kind."""
        raise NotImplementedError

    def listed(self, state: Given, due: object, actor: Actor) -> Iterator[Offered]:
        """Every legal answer, in order."""
        raise NotImplementedError

    def happening(self, state: Given, due: object) -> tuple[Caused, ...]:
        """What happens of itself before anybody is asked; nothing, as a rule."""
        raise NotImplementedError

    def lapsing(self, state: Given, due: object) -> tuple[Caused, ...]:
        """What happens where no answer is possible."""
        raise NotImplementedError


class TaskKind(AnyTask[State, Offered, Caused], Generic[State, Task, Offered, Caused]):
    """A kind of task. Each `takes` adds a move, and what it causes, to the type."""

    def __init__(  # noqa: PLR0913 - all of them are what a task is; `task` has names and defaults for them
        self,
        kind: type[Task],
        rule: Rule,
        awaits: Callable[[State, Task], tuple[Actor, ...]],
        answers: "tuple[TaskMove[State, Task, Offered, Caused], ...]",
        *,
        happens: Callable[[State, Task], tuple[Caused, ...]],
        lapses: Callable[[State, Task], tuple[Caused, ...]],
        forced: bool,
        sealed: bool,
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.forced = forced
        self.sealed = sealed
        self._kind: Final = kind
        self._awaits: Final = awaits
        self._answers: Final = answers
        self.rules = tuple(rule for answer in answers for rule in answer.rules)
        self._judges: Final = {answer.kind: answer.judge for answer in answers}
        self._happens: Final = happens
        self._lapses: Final = lapses

    def takes(
        self: "TaskKind[State, Task, Wider, Event]",
        kind: type[Move],
        *stages: tuple[Check[TaskCase[State, Task, Move]], ...],
        each: Callable[[State, Task], Iterable[Move]] | None = None,
        then: Callable[[TaskCase[State, Task, Move]], tuple[Further, ...]],
        exact: bool = False,
    ) -> "TaskKind[State, Task, Wider | Move, Event | Further]":
        """A move, the checks before it stage by stage, its candidates in order, and what it causes.

        A move without parts is its own only candidate. Candidates that are `exact` are all legal, and their
        checks are not asked again in a listing.
        """
        candidates = each or (lambda _, __: (kind(),))
        tests = tuple(check.test for stage in stages for check in stage)

        def judge(
            state: State,
            due: Task,
            actor: Actor,
            move: object,
            by_itself: bool,  # noqa: FBT001 - positional is quicker
        ) -> tuple[Further, ...] | Illegal:
            if not isinstance(move, kind):
                raise TypeError(f"{move!r} is no {kind.__name__}")
            case = TaskCase(state, due, actor, move, by_itself)
            for stage in stages:
                for check in stage:
                    if check.test(case) is not None:
                        return Illegal(broken(stage, case))
            return then(case)

        def listed(state: State, due: Task, actor: Actor) -> Iterator[Move]:
            for move in candidates(state, due):
                case = TaskCase(state, due, actor, move)
                for test in tests:
                    if test(case) is not None:
                        break
                else:
                    yield move

        def listed_exactly(state: State, due: Task, _: Actor) -> Iterator[Move]:
            return iter(candidates(state, due))

        rules = tuple(check.rule for stage in stages for check in stage)
        answer = TaskMove(kind, judge, listed_exactly if exact else listed, rules)
        if kind in self._judges:
            raise TypeError(f"{self.kind.__name__} takes {kind.__name__} twice")
        return TaskKind(
            self._kind,
            self.rule,
            self._awaits,
            (*self._answers, answer),
            happens=self._happens,
            lapses=self._lapses,
            forced=self.forced,
            sealed=self.sealed,
        )

    def _due(self, due: object) -> Task:
        if not isinstance(due, self._kind):
            raise TypeError(f"{due!r} is no {self._kind.__name__}")
        return due

    @override
    def awaited(self, state: State, due: object) -> tuple[Actor, ...]:
        return self._awaits(state, self._due(due))

    @override
    def judge(
        self, state: State, due: object, actor: Actor, move: object, *, by_itself: bool = False
    ) -> tuple[Caused, ...] | Illegal | None:
        judge = self._judges.get(type(move))
        return None if judge is None else judge(state, self._due(due), actor, move, by_itself)

    @override
    def listed(self, state: State, due: object, actor: Actor) -> Iterator[Offered]:
        mine = self._due(due)
        # Lists have hundreds of moves, and each would pass through a generator here.
        return chain.from_iterable(answer.listed(state, mine, actor) for answer in self._answers)

    @override
    def happening(self, state: State, due: object) -> tuple[Caused, ...]:
        return self._happens(state, self._due(due))

    @override
    def lapsing(self, state: State, due: object) -> tuple[Caused, ...]:
        return self._lapses(state, self._due(due))


class TaskOfSeat(Protocol):
    """A task of one seat."""

    @property
    def seat(self) -> Seat:
        """The seat that answers."""
        ...


def its_seat(_: object, due: TaskOfSeat) -> tuple[Actor, ...]:
    """Who is awaited: the seat of the task."""
    return (due.seat,)


def by_chance(_: object, __: object) -> tuple[Actor, ...]:
    """Who is awaited: chance."""
    return (CHANCE,)


def task(  # noqa: PLR0913 - most have defaults
    _: type[State],
    kind: type[Task],
    rule: Rule,
    awaits: Callable[[State, Task], tuple[Actor, ...]],
    *,
    happens: Callable[[State, Task], tuple[Event, ...]] | None = None,
    forced: bool = False,
    lapses: Callable[[State, Task], tuple[Event, ...]] | None = None,
    sealed: bool = False,
) -> TaskKind[State, Task, Never, Event]:
    """A question. It takes nothing yet: add moves with `takes`.

    rule     what a move of another kind breaks
    awaits   who must answer; several answer in any order
    happens  what happens of itself before anybody is asked: a hand is refilled, a queue moves on
    forced   a single answer is taken without asking, and with none it lapses; decided by public facts only
    lapses   what happens then
    sealed   its seats answer in secret; what they choose is revealed together once all have answered
    """

    def nothing(_: State, __: Task) -> tuple[Event, ...]:
        return ()

    return TaskKind(
        kind,
        rule,
        awaits,
        (),
        happens=happens or nothing,
        lapses=lapses or nothing,
        forced=forced,
        sealed=sealed,
    )


def automatic(
    state: type[State], kind: type[Task], rule: Rule, does: Callable[[State, Task], tuple[Event, ...]]
) -> TaskKind[State, Task, Never, Event]:
    """A task that awaits nobody: what it does takes it off the agenda, or puts others before it."""
    return task(state, kind, rule, lambda _, __: (), happens=does)
