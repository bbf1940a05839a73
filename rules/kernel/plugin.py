"""How a game of another distribution describes itself: with the kernel, and nothing else of Shiji.

Its distribution names one Plugin per game as an entry point of the group GROUP:

    [project.entry-points."shiji.games"]
    goofspiel = "goofspiel:GOOFSPIEL"

The name is the key of the game. Messages and the bytes of states are derived from what a Plugin states.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from msgspec import Struct

from rules.kernel.actors import Actor
from rules.kernel.game import Game
from rules.kernel.setup import Setup
from rules.kernel.statements import Statements

State = TypeVar("State", bound=Struct)
Seen = TypeVar("Seen")
Table = TypeVar("Table")
Move = TypeVar("Move")
Event = TypeVar("Event")

GROUP: Final = "shiji.games"
"""The group of entry points in which games are found."""


def _itself(table: Hashable) -> Hashable:
    return table


@dataclass(frozen=True, slots=True)
class OwnLaw(Generic[Seen, Move, Event]):
    """A law of one game, tried beside those of every game."""

    name: str
    """A sentence: 'a card is bid once'."""
    broken: Callable[[Seen, Actor, Move, tuple[Event, ...], Seen], str | None]
    """What is wrong with an entry, from the states before and after it; None if the law holds."""


@dataclass(frozen=True, slots=True)
class Plugin(Generic[State, Table, Move, Event]):
    """A game, and what its messages and the bytes of its states are derived from."""

    game: Game[State, Move, Event]
    state: type[State]
    """A msgspec Struct; the digest of a state covers all its fields except those apart."""
    table: Callable[[State], Table]
    """What never changes in a match: seats and components."""
    moves: Statements[Table, Move]
    events: Statements[Table, Event]
    same_names: Callable[[Table], Hashable] = _itself
    """Equal for tables that have the same names for everything; by default only for equal tables."""
    apart: tuple[str, ...] = ("table",)
    """Fields of the state that never change in a match."""
    laws: tuple[OwnLaw[State, Move, Event], ...] = ()
    """Laws of its own."""
    setups: tuple[Setup, ...] = ()
    """Set-ups to try the laws on, besides those that follow from editions, components and seat counts."""

    @property
    def package(self) -> str:
        """The package of its messages: 'goofspiel.v1'."""
        return f"{self.game.about.key.replace('-', '_')}.v1"
