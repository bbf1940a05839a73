"""From a state and an event to the next state, by one function for each kind of event."""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from typing_extensions import TypeForm

from rules.kernel.statements import alternatives

State = TypeVar("State")
Event = TypeVar("Event")
Kind = TypeVar("Kind")


class Fold(Generic[State]):
    """What a kind of event does to a state."""

    def __init__(self, kind: type[object], then: Callable[[State, object], State]) -> None:
        self.kind: Final = kind
        self.then: Final = then


def on(kind: type[Kind], then: Callable[[State, Kind], State]) -> Fold[State]:
    """The function for a kind of event; it judges nothing."""

    def applied(state: State, event: object) -> State:
        if not isinstance(event, kind):
            raise TypeError(f"{event!r} is no {kind.__name__}")
        return then(state, event)

    return Fold(kind, applied)


class Folding(Generic[State, Event]):
    """A function for every event of a union, and for nothing else."""

    def __init__(self, union: TypeForm[Event], *folds: Fold[State]) -> None:
        self._of: Final = {fold.kind: fold.then for fold in folds}
        kinds = set(alternatives(union))
        if len(self._of) < len(folds) or set(self._of) != kinds:
            wrong = sorted(kind.__name__ for kind in kinds ^ set(self._of)) or ["one of them"]
            raise TypeError(f"every kind of event is folded exactly once; look at {', '.join(wrong)}")

    def evolve(self, state: State, event: Event) -> State:
        """Applies an event without judging it."""
        return self._of[type(event)](state, event)

    def fold(self, state: State, events: Iterable[Event]) -> State:
        """Applies several, one after the other."""
        folds = self._of
        for event in events:
            state = folds[type(event)](state, event)
        return state
