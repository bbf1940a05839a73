"""The shape of a game: a frozen record of functions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.chance import Chance
from rules.kernel.display import BoardInfo, Display
from rules.kernel.edition import Edition, Ruling
from rules.kernel.rule import Illegal, Rule
from rules.kernel.series import Standings
from rules.kernel.setup import ComponentReport, ComponentSet, GameKey, Setup

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


def _nothing(_: object) -> str:
    return ""


def _never(_: str) -> bool:
    return False


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
    depends_on_turn: Callable[[str], bool] = _never
    """Whether read_move may read this text differently at another state of the match.

    For all other texts, any state of the match will do: they depend on seats and components only.
    """


@dataclass(frozen=True, slots=True)
class Perft(Generic[State]):
    """Counts of sequences of moves, to compare move generators by."""

    deepest: int
    """No sequence is longer."""
    count: Callable[[State, int], int]
    """How many sequences of so many moves go on from here."""
    divide: Callable[[State, int], Iterator[tuple[str, int]]]
    """The count below each first move, with that move in words; depth is at least 1."""


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
    seen_move: Callable[[State, Actor, Move, Viewer], Move]
    """A legal move as far as the viewer may know it, from the state before it."""
    seen_events: Callable[[State, tuple[Event, ...], Viewer], tuple[Event, ...]]
    """What it causes, likewise."""
    has_secrets: Callable[[State], bool]
    """Whether the match can ever hold something that some viewer may not know.

    It stays the same throughout a match. Where it is False, every viewer sees everything in full.
    """
    chance: Chance[State, Move]
    """How deals and draws come from what somebody else has shuffled."""
    notation: Notation[State, Move]
    draw: Callable[[State], str]
    """The position as a picture in plain text."""
    display: Display[State, Move, Event]
    perft: Perft[State]
    sight: Callable[[str], BoardInfo]
    """The board of components as a match header has them; raises BadSetup or Unreadable."""
    caution: Callable[[State], str] = _nothing
    """What must be told wherever the match is shown: that its components are invented. Empty as a rule."""
    series: Callable[[Sequence[State]], Standings] | None = None
    """Adds matches up, where the game has such series; raises BadSeries."""
    check_components: Callable[[str], ComponentReport] | None = None
    """Judges a component file, where the game has such files; raises UnreadableComponents."""
