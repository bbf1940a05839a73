"""What is pending, as data: who is awaited, how moves are judged and which are legal follow from the tasks.

A state keeps its agenda as a tuple of tasks, the next one first: an effect is finished before its cause goes
on, so what it needs is put in front of the rest. Events change the agenda like everything else.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, TypeVar

from typing_extensions import TypeForm

from rules.kernel.actors import Actor
from rules.kernel.choices import SealedChoices
from rules.kernel.rule import Check, Illegal, Rule, Violation, broken
from rules.kernel.statements import alternatives
from rules.kernel.tasks import AnyTask, TaskCase

State = TypeVar("State")
Task = TypeVar("Task")
Move = TypeVar("Move")
Event = TypeVar("Event")
Kind = TypeVar("Kind")

_MOST: Final = 10_000
"""Things that happen of themselves in one entry; far more than any game needs."""


class BrokenAgenda(RuntimeError):
    """The tasks of a game contradict each other."""


def by_task(
    awaited: Callable[[State], str],
) -> Callable[[AnyTask[State, Move, Event], TaskCase[State, Task, Move]], tuple[Violation, ...]]:
    """A move of the wrong kind breaks the rule of the task that is open."""
    return lambda kind, case: (Violation(kind.rule, awaited(case.state)),)


def by_move(
    rule: Callable[[Move], Rule], awaited: Callable[[State], str]
) -> Callable[[AnyTask[State, Move, Event], TaskCase[State, Task, Move]], tuple[Violation, ...]]:
    """A move of the wrong kind breaks a rule of its own."""
    return lambda _, case: (Violation(rule(case.move), awaited(case.state)),)


def by_checks(
    *stages: tuple[Check[TaskCase[State, Task, Move]], ...],
) -> Callable[[AnyTask[State, Move, Event], TaskCase[State, Task, Move]], tuple[Violation, ...]]:
    """A move of the wrong kind breaks what the first stage finds that finds anything."""

    def not_now(_: AnyTask[State, Move, Event], case: TaskCase[State, Task, Move]) -> tuple[Violation, ...]:
        return next(filter(None, (broken(stage, case) for stage in stages)), ())

    return not_now


def due_now(agenda: tuple[object, ...], kind: type[Kind]) -> Kind | None:
    """The task that is due, if it is of this kind."""
    return agenda[0] if agenda and isinstance(agenda[0], kind) else None


class Agenda(Generic[State, Task, Move, Event]):
    """The tasks of a game, one kind for each class of the union, and everything that follows from them."""

    def __init__(  # noqa: PLR0913 - all of them are needed
        self,
        union: TypeForm[Task],
        *kinds: AnyTask[State, Move, Event],
        pending: Callable[[State], tuple[Task, ...]],
        fold: Callable[[State, Sequence[Event]], State],
        public: Callable[[State], State],
        out_of_turn: Callable[[State, Actor], Violation],
        not_now: Callable[[AnyTask[State, Move, Event], TaskCase[State, Task, Move]], tuple[Violation, ...]],
    ) -> None:
        """Everything that a game says about its tasks.

        pending      the agenda of a state, the next task first
        public       the state as a spectator sees it: by that alone a choice is made or lapses of itself
        out_of_turn  what an actor breaks who is not awaited
        not_now      what a move breaks that the task does not take: see by_task, by_move and by_checks
        """
        self._kinds: Final = {kind.kind: kind for kind in kinds}
        for of in alternatives(union):
            if sum(kind.kind is of for kind in kinds) != 1:
                raise TypeError(f"{of.__name__} needs to be one of the kinds of tasks, exactly once")
        if len(self._kinds) > len(alternatives(union)):
            raise TypeError("a kind of task is none of the union")
        self._pending: Final = pending
        self._fold: Final = fold
        self._public: Final = public
        self._out_of_turn: Final = out_of_turn
        self._not_now: Final = not_now

    @property
    def checked(self) -> frozenset[Rule]:
        """Every rule that a check of a task names."""
        return frozenset(rule for kind in self._kinds.values() for rule in kind.rules)

    def top(self, state: State) -> tuple[AnyTask[State, Move, Event], Task] | None:
        """The task that is due, with its kind; None once nothing is."""
        pending = self._pending(state)
        return (self._kinds[type(pending[0])], pending[0]) if pending else None

    def awaiting(self, state: State) -> tuple[Actor, ...]:
        """Who must act now."""
        top = self.top(state)
        return () if top is None else top[0].awaited(state, top[1])

    def sealed(self, state: State) -> bool:
        """Whether those who are awaited answer in secret."""
        top = self.top(state)
        return top is not None and top[0].sealed

    @property
    def choices(self) -> SealedChoices[State, Move, Event] | None:
        """How the seats of sealed tasks answer in secret; None if no task is sealed."""
        if not any(kind.sealed for kind in self._kinds.values()):
            return None
        return SealedChoices(self.sealed, self.answer, self.settled)

    def legal_moves(self, state: State, actor: Actor) -> Iterator[Move]:
        """In the order in which the task takes them."""
        top = self.top(state)
        if top is None or actor not in top[0].awaited(state, top[1]):
            return iter(())
        return top[0].listed(state, top[1], actor)

    def decide(self, state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
        """What a move causes with everything that follows of itself, or the rules that it breaks."""
        played = self.play(state, actor, move)
        return played if isinstance(played, Illegal) else played[0]

    def play(self, state: State, actor: Actor, move: Move) -> tuple[tuple[Event, ...], State] | Illegal:
        """As decide, with the state after all of it."""
        events = self.answer(state, actor, move)
        return events if isinstance(events, Illegal) else self._settled(state, events)

    def answer(self, state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
        """What a move alone causes, or the rules that it breaks."""
        top = self.top(state)
        if top is None or actor not in top[0].awaited(state, top[1]):
            return Illegal((self._out_of_turn(state, actor),))
        kind, due = top
        events = kind.judge(state, due, actor, move)
        if events is None:
            return Illegal(self._not_now(kind, TaskCase(state, due, actor, move)))
        return events

    def settled(self, state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """The events, and what follows from them until somebody has a choice."""
        return self._settled(state, events)[0]

    def _settled(self, state: State, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], State]:
        state = self._fold(state, events)
        for _ in range(_MOST):
            more = self.due(state)
            if not more:
                return events, state
            events += more
            state = self._fold(state, more)
        raise BrokenAgenda(f"{self._pending(state)[:1]} never comes to an end")

    def due(self, state: State) -> tuple[Event, ...]:
        """What happens next of itself; nothing where somebody must act, or the match is over."""
        top = self.top(state)
        if top is None:
            return ()
        kind, due = top
        return kind.happening(state, due) or (self._forced(state, kind, due) if kind.forced else ())

    def _forced(self, state: State, kind: AnyTask[State, Move, Event], due: Task) -> tuple[Event, ...]:
        """A choice with one answer is made, and one with none lapses, as everybody can see."""
        seen = self._public(state)
        awaited = kind.awaited(seen, due)
        if len(awaited) != 1:
            return ()
        moves = kind.listed(seen, due, awaited[0])
        only, other = next(moves, None), next(moves, None)
        if only is None:
            return kind.lapsing(state, due)
        if other is not None:
            return ()
        events = kind.judge(state, due, awaited[0], only, by_itself=True)
        if events is None or isinstance(events, Illegal):
            raise BrokenAgenda(f"{only} is the only answer to {due} as a spectator sees it, and is illegal")
        return events
