"""How seats answer a question at the same time and in secret."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class SealedChoices(Generic[State, Move, Event]):
    """What a game states about questions that seats answer in secret, until all have answered.

    What everybody sees of an answer, by the game's views, is the same for every answer of a seat.
    """

    open: Callable[[State], bool]
    """Whether the seats that are awaited answer in secret."""
    answer: Callable[[State, Actor, Move], tuple[Event, ...] | Illegal]
    """What an answer alone causes, without what follows once all are in; or the rules that it breaks."""
    settled: Callable[[State, tuple[Event, ...]], tuple[Event, ...]]
    """These events, and after them what follows of itself."""
