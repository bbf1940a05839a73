"""How a game is shown: what its pictures and its words are made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from rules.kernel.rule import Rule

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

EMBLEM: Final = 28
"""How wide and high a seat's emblem is at most, its middle at 0, 0."""


@dataclass(frozen=True, slots=True)
class Highlights(Generic[Move]):
    """What a picture points out; a place that it does not have is passed over."""

    last: Move | None = None
    """The move that led to the position."""
    refused: Move | None = None
    """A move that was tried in the position, and is illegal."""
    places: tuple[str, ...] = ()
    """What a violation concerns, by public names."""


@dataclass(frozen=True, slots=True)
class EventText:
    """What an event did, in words, and the rules that made it so."""

    text: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class VectorImage:
    """A vector drawing: the elements of an SVG, each a line of its own, with no text but the game's own."""

    width: int
    height: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a piece of text looks in a terminal; colours as '#rrggbb', empty for the terminal's own."""

    fore: str = ""
    back: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line with a look of its own."""

    text: str
    ink: TextStyle = TextStyle()


StyledLine: TypeAlias = tuple[Span, ...]
"""A line."""


@dataclass(frozen=True, slots=True)
class TerminalSize:
    """What a terminal has room for."""

    columns: int
    rows: int | None = None
    """None where lines may scroll away."""


@dataclass(frozen=True, slots=True)
class SeatNote:
    """What can be said of a seat, beside its name."""

    emblem: str
    """An SVG element that stands for the seat in pictures: told by shape or sign as well as by colour."""
    facts: tuple[tuple[str, str], ...]
    """What is counted or held, each with its label; every seat of a match has the same labels."""
    holds: tuple[str, ...]
    """What it has on the board, in words."""

    @property
    def line(self) -> str:
        """The facts on one line: '22 pagodas left, 2 on the board, hand ? ? ?'."""
        return ", ".join(
            f"{value} {label}" if value.isdigit() else f"{label} {value}" for label, value in self.facts
        )


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board by itself, before anything stands on it."""

    name: str
    """As a match header has it."""
    size: str
    """In words: '13 × 13 cells, …'."""
    counts: tuple[tuple[str, int], ...]
    """The same as numbers, each with its name: columns and rows, and whatever else the game counts."""
    map: str
    """Rows from the top joined by '/', a character a cell."""
    key: str
    """What the characters mean."""


@dataclass(frozen=True, slots=True)
class Display(Generic[State, Move, Event]):
    """How a game is shown; none of these ever raises for a state that can be reached."""

    paint: Callable[[State, Highlights[Move], TerminalSize], tuple[StyledLine, ...]]
    """The board in coloured text, readable without the colours; wider than its room only if it must be."""
    picture: Callable[[State, Highlights[Move]], VectorImage]
    """The board as a vector drawing."""
    seats: Callable[[State], tuple[SeatNote, ...]]
    turn: Callable[[State], str]
    """Whose turn it is, or who has won."""
    tell: Callable[[State, Event], EventText]
    """What an event does to the state."""
    key: str
    """What the signs of a painted board mean."""
