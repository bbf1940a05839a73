"""From a state and an event to the next state. Judges nothing."""

from typing import Final

from rules.great_wall.events import Event
from rules.great_wall.folds import army, course, holdings, places
from rules.great_wall.state import State
from rules.kernel.reducer import Reducer

_CHANGES: Final[Reducer[State, Event]] = (
    course.CHANGES.also(places.CHANGES).also(army.CHANGES).also(holdings.CHANGES).of(Event)
)
evolve: Final = _CHANGES.evolve
fold: Final = _CHANGES.fold
