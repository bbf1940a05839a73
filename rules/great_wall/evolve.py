"""From a state and an event to the next state. Judges nothing."""

from typing import Final

from rules.great_wall.events import Event
from rules.great_wall.folds import army, course, holdings, places
from rules.great_wall.state import State
from rules.kernel.folding import Folding

FOLDING: Final[Folding[State, Event]] = Folding(
    Event, *course.FOLDS, *places.FOLDS, *army.FOLDS, *holdings.FOLDS
)
evolve: Final = FOLDING.evolve
fold: Final = FOLDING.fold
