"""Values that pictures and descriptions of a game consist of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from rules.kernel.rule import Rule

if TYPE_CHECKING:  # panels are made of values of this module
    from rules.kernel.panels import Panel

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

EMBLEM: Final = 28
"""Maximum width and height of a seat's emblem, in SVG units; its middle is at 0, 0."""


@dataclass(frozen=True, slots=True)
class Highlights(Generic[Move]):
    """What a picture highlights; places that are not on the board are ignored."""

    last: Move | None = None
    """The move that led to the position."""
    refused: Move | None = None
    """A move that was refused in the position."""
    places: tuple[str, ...] = ()
    """The places that a violation concerns, by public names."""


@dataclass(frozen=True, slots=True)
class EventText:
    """The description of an event, and the rules that caused it."""

    text: str
    """Empty for bookkeeping, which accounts of a match leave out."""
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """Where a place lies in an image, in its units."""

    name: str
    """Its public name, as moves and violations have it."""
    left: float
    top: float
    side: float


@dataclass(frozen=True, slots=True)
class VectorImage:
    """The elements of an SVG, one per line; all text in it comes from the game, none from a record."""

    width: int
    height: int
    parts: tuple[str, ...]
    places: tuple[DrawnPlace, ...] = ()
    """What can be pointed at in it."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of text in a terminal; colours as '#rrggbb', empty for the terminal's default."""

    fore: str = ""
    back: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a line with one style."""

    text: str
    style: TextStyle = TextStyle()


StyledLine: TypeAlias = tuple[Span, ...]
"""One line of text in a terminal."""


@dataclass(frozen=True, slots=True)
class TerminalSize:
    """The size of a terminal, in characters."""

    columns: int
    rows: int | None = None
    """None if the height does not matter because the output may scroll."""


@dataclass(frozen=True, slots=True)
class SeatNote:
    """The description of a seat, without its name."""

    emblem: str
    """An SVG element that represents the seat in pictures, recognisable without its colour."""
    facts: tuple[tuple[str, str], ...]
    """Counts and holdings as (label, value); every seat of a match has the same labels."""
    holds: tuple[str, ...]
    """What the seat has on the board, in words."""

    @property
    def line(self) -> str:
        """The facts on one line: '22 pagodas left, 2 on the board, hand ? ? ?'."""
        return ", ".join(
            f"{value} {label}" if value.isdigit() else f"{label} {value}" for label, value in self.facts
        )


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """An empty board."""

    name: str
    """As in a match header."""
    size: str
    """In words: '13 × 13 cells, …'."""
    counts: tuple[tuple[str, int], ...]
    """Columns, rows and other numbers of the board, as (name, number)."""
    map: str
    """Rows from the top joined by '/', one character per cell."""
    key: str
    """What the characters mean."""


def _no_others(_: object) -> tuple[()]:
    return ()


def no_places(_: object, __: object) -> tuple[()]:
    """No place: for a game whose pictures name none."""
    return ()


def no_words(_: object, __: object) -> str:
    """No words: for a game whose moves need none."""
    return ""


@dataclass(frozen=True, slots=True)
class Display(Generic[State, Move, Event]):
    """How a game is shown; none of these functions raises for a reachable state."""

    styled_lines: Callable[[State, Highlights[Move], TerminalSize], tuple[StyledLine, ...]]
    """The board in coloured text, readable without colours; fits into the terminal if possible."""
    picture: Callable[[State, Highlights[Move]], VectorImage]
    """The board as an SVG image."""
    seats: Callable[[State], tuple[SeatNote, ...]]
    turn: Callable[[State], str]
    """Whose turn it is, or who won."""
    describe: Callable[[State, Event], EventText]
    """Describes an event; the state is the one before it."""
    key: str
    """The legend of `styled_lines`."""
    others: Callable[[State], tuple[tuple[str, SeatNote], ...]] = _no_others
    """Owners that are no seats, such as an automaton, by name; they have the same labels as the seats.

    They are the same in every state of a match, and in the same order.
    """
    panels: "Callable[[State, Highlights[Move]], tuple[Panel, ...]] | None" = None
    """What `styled_lines` and `picture` draw, for pages with their own layout; None if nothing is shown."""
    touches: Callable[[State, Move], tuple[str, ...]] = no_places
    """The places that a move is about, by the public names that pictures, panels and violations have."""
    explain: Callable[[State, Move], str] = no_words
    """The names of the cards that a move chooses and what they do, where its text has only their ids."""
