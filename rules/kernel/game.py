"""The interface of a game: a frozen record of functions."""

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
    """Seats from first to last; tied seats are in one group."""
    reason: str


@dataclass(frozen=True, slots=True)
class Notation(Generic[State, Move]):
    """The text form of moves and positions; reading raises Unreadable and never guesses."""

    write_move: Callable[[State, Actor, Move], str]
    """The move as in a transcript, including its actor."""
    read_move: Callable[[State, str], tuple[Actor, Move]]
    write_position: Callable[[State], str]
    """One line that contains everything needed to continue from the position."""
    read_position: Callable[[str], State]
    depends_on_turn: Callable[[str], bool] = _never
    """Whether read_move may read this text differently in another state of the match.

    All other texts can be read in any state of the match: they depend only on seats and components.
    """


@dataclass(frozen=True, slots=True)
class Perft(Generic[State]):
    """Counts of move sequences, for comparing move generators."""

    deepest: int
    """Maximum depth."""
    count: Callable[[State, int], int]
    """The number of move sequences of the given length from the given state."""
    divide: Callable[[State, int], Iterator[tuple[str, int]]]
    """The count for each first move, with that move in words; depth is at least 1."""


@dataclass(frozen=True, slots=True)
class About:
    """General information about a game."""

    key: GameKey
    title: str
    author: str
    editions: tuple[Edition, ...]
    rules: tuple[Rule, ...]
    rulings: tuple[Ruling, ...]
    components: tuple[ComponentSet, ...]
    """The component sets that this build ships; a match may bring its own."""


@dataclass(frozen=True, slots=True)
class Game(Generic[State, Move, Event]):
    """A game: its rules, notation and display."""

    about: About
    longest: int
    """Maximum number of entries of a match."""
    start: Callable[[Setup], State]
    """The first state of a match; raises BadSetup, UnknownEdition or UnknownRuling."""
    setup: Callable[[State], Setup]
    """The setup that the match was started with."""
    decide: Callable[[State, Actor, Move], tuple[Event, ...] | Illegal]
    """Judges a move: the events that it causes, or the rules that it breaks."""
    evolve: Callable[[State, Event], State]
    """Applies an event without judging it."""
    fold: Callable[[State, Iterable[Event]], State]
    """Applies several events."""
    legal_moves: Callable[[State, Actor], Iterator[Move]]
    """In a defined order; empty for an actor that is not awaited."""
    awaiting: Callable[[State], tuple[Actor, ...]]
    """Who must act now; empty once the match is over."""
    outcome: Callable[[State], Outcome | None]
    problems: Callable[[State], tuple[str, ...]]
    """Every invariant that is broken, in words."""
    view: Callable[[State, Viewer], State]
    """The state as the viewer may see it; hidden parts are unknown."""
    seen_move: Callable[[State, Actor, Move, Viewer], Move]
    """A legal move as the viewer may see it; the state is the one before the move."""
    seen_events: Callable[[State, tuple[Event, ...], Viewer], tuple[Event, ...]]
    """The events of a move as the viewer may see them; the state is the one before the move."""
    has_secrets: Callable[[State], bool]
    """Whether the match can ever contain something that a viewer may not see.

    It does not change during a match. If it is False, every viewer sees everything.
    """
    chance: Chance[State, Move]
    """How deals and draws are taken from shuffled components."""
    notation: Notation[State, Move]
    draw: Callable[[State], str]
    """The position as a picture in plain text."""
    display: Display[State, Move, Event]
    perft: Perft[State]
    board_info: Callable[[str], BoardInfo]
    """The board that the components of a match header describe; raises BadSetup or Unreadable."""
    caution: Callable[[State], str] = _nothing
    """A warning to show with the match, such as that its components are invented; usually empty."""
    series: Callable[[Sequence[State]], Standings] | None = None
    """The standings after several matches, if the game has series; raises BadSeries."""
    check_components: Callable[[str], ComponentReport] | None = None
    """Checks a component file, if the game has such files; raises UnreadableComponents."""
