"""What chance brings where somebody has shuffled: rules never roll, they only say what lies where."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Chance(Generic[State, Move]):
    """How a game takes components from an order that somebody else has shuffled."""

    shuffle: Callable[[State], int]
    """Which shuffle of the match, from 0, the components that are due come from."""
    stock: Callable[[State], tuple[str, ...]]
    """What is shuffled, by public names in a stated order; asked before anything is taken from it."""
    fits: Callable[[State, tuple[str, ...]], bool]
    """Whether the match can go on with this order; if not, it is shuffled once more."""
    places: Callable[[State, int], range]
    """Which places of an order of this size are due; none where chance is not awaited."""
    bring: Callable[[State, tuple[str, ...]], Move]
    """The move that brings the components of these places."""
