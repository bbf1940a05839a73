"""What each class of events changes in the state, stated once for each; nothing is judged."""

from collections.abc import Callable, Iterable
from typing import Final, Generic, Never, TypeVar, cast

from typing_extensions import TypeForm

from rules.kernel.statements import Misstated, alternatives

State = TypeVar("State")
Known = TypeVar("Known", contravariant=True)
Event = TypeVar("Event")
Further = TypeVar("Further")


class Reducer(Generic[State, Known]):
    """The changes of a game, one function for each class of events: see `reducer`."""

    def __init__(self, changes: dict[type[object], Callable[[State, object], State]]) -> None:
        self._changes: Final = changes

    def on(
        self, kind: type[Further], change: Callable[[State, Further], State]
    ) -> "Reducer[State, Known | Further]":
        """The state after an event of this class."""
        if kind in self._changes:
            raise Misstated(f"{kind.__name__} is stated more than once")
        return Reducer({**self._changes, kind: cast("Callable[[State, object], State]", change)})

    def also(self, other: "Reducer[State, Further]") -> "Reducer[State, Known | Further]":
        """Together with the changes of another area, stated in a module of its own."""
        for kind in other._changes:  # noqa: SLF001 - of its own class
            if kind in self._changes:
                raise Misstated(f"{kind.__name__} is stated more than once")
        return Reducer({**self._changes, **other._changes})  # noqa: SLF001 - of its own class

    def of(self, union: TypeForm[Event]) -> "Reducer[State, Event]":
        """The same for all events of a union, each of which has its function."""
        for kind in alternatives(union):
            if kind not in self._changes:
                raise Misstated(f"{kind.__name__} changes nothing; say so with `on`")
        return Reducer(self._changes)

    def evolve(self, state: State, event: Known) -> State:
        """The state after one event."""
        return self._changes[type(event)](state, event)

    def fold(self, state: State, events: Iterable[Known]) -> State:
        """The state after several events."""
        changes = self._changes
        for event in events:
            state = changes[type(event)](state, event)
        return state


def reducer(_: type[State]) -> Reducer[State, Never]:
    """No change yet: add one for each class of events with `on`, and end with `of`."""
    return Reducer({})
