"""The shape of a game: a frozen record of functions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.display import Display
from rules.kernel.edition import Edition, Ruling
from rules.kernel.rule import Illegal, Rule
from rules.kernel.setup import ComponentSet, GameKey, Setup

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    """Seats from first to last; those level stand together."""
    reason: str


@dataclass(frozen=True, slots=True)
class Notation(Generic[State, Move]):
    """The text of moves and positions; reading raises Unreadable and never guesses."""

    write_move: Callable[[State, Actor, Move], str]
    """The move as it stands in a transcript, its actor included."""
    read_move: Callable[[State, str], tuple[Actor, Move]]
    write_position: Callable[[State], str]
    """One line that carries everything needed to go on from it."""
    read_position: Callable[[str], State]


@dataclass(frozen=True, slots=True)
class About:
    """What there is to read about a game."""

    key: GameKey
    title: str
    author: str
    editions: tuple[Edition, ...]
    rules: tuple[Rule, ...]
    rulings: tuple[Ruling, ...]
    components: tuple[ComponentSet, ...]
    """What the build ships; a match may bring its own."""


@dataclass(frozen=True, slots=True)
class Game(Generic[State, Move, Event]):
    """A title and its rules."""

    about: About
    longest: int
    """No match has more entries than this."""
    start: Callable[[Setup], State]
    """Raises BadSetup, UnknownEdition or UnknownRuling."""
    setup: Callable[[State], Setup]
    """What the match was laid out with."""
    decide: Callable[[State, Actor, Move], tuple[Event, ...] | Illegal]
    """Judges a move; changes nothing."""
    evolve: Callable[[State, Event], State]
    """Takes a fact as it is; judges nothing."""
    fold: Callable[[State, Iterable[Event]], State]
    """evolve, over several events."""
    legal_moves: Callable[[State, Actor], Iterator[Move]]
    """In a stated order; empty for an actor who is not awaited."""
    awaiting: Callable[[State], tuple[Actor, ...]]
    """Who must act now; nobody once the match is over."""
    outcome: Callable[[State], Outcome | None]
    problems: Callable[[State], tuple[str, ...]]
    """Every invariant that does not hold."""
    view: Callable[[State, Viewer], State]
    """The state as far as the viewer may know it; what is hidden reads as unknown."""
    notation: Notation[State, Move]
    draw: Callable[[State], str]
    """The position as a picture in plain text."""
    display: Display[State, Move, Event]
