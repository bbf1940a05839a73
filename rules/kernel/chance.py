"""How draws are taken from components that were shuffled outside of the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Chance(Generic[State, Move]):
    """How a game takes components from an order that the caller has shuffled; rules never shuffle."""

    shuffle: Callable[[State], int]
    """The number of the shuffle, from 0 in the match, that the components due now come from."""
    stock: Callable[[State], tuple[str, ...]]
    """The components to shuffle, by public names in a defined order; called before any of them is taken."""
    fits: Callable[[State, tuple[str, ...]], bool]
    """Whether the rules accept this order; if not, the components are shuffled again."""
    places: Callable[[State, int], range]
    """The places of an order of this size that are due; empty if chance is not awaited."""
    bring: Callable[[State, tuple[str, ...]], Move]
    """The move that deals or draws the components at these places."""
