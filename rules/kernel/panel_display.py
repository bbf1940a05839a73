"""How a game is shown whose pictures are panels."""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from rules.kernel.display import (
    Display,
    EventText,
    Highlights,
    SeatNote,
    StyledLine,
    TerminalSize,
    VectorImage,
    no_places,
    no_words,
)
from rules.kernel.panel_svg import picture_panels
from rules.kernel.panel_text import plain_panels, styled_panels
from rules.kernel.panels import Panel, SeatTable

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

_COLUMNS: Final = 80
KEY: Final = "* the last move, ? refused, ! what a rule complains of"


def panel_display(  # noqa: PLR0913 - the last three have defaults
    panels: Callable[[State, Highlights[Move]], tuple[Panel, ...]],
    seats: Callable[[State], SeatTable],
    turn: Callable[[State], str],
    describe: Callable[[State, Event], EventText],
    key: str = KEY,
    *,
    touches: Callable[[State, Move], tuple[str, ...]] = no_places,
    explain: Callable[[State, Move], str] = no_words,
) -> Display[State, Move, Event]:
    """The panels of a position, with the table of its seats apart, which pages place themselves.

    Every seat has a row of the table, in turn order; owners that are no seats may stand anywhere between
    them, and follow the seats where the table is shown apart.
    """

    def styled_lines(state: State, marks: Highlights[Move], room: TerminalSize) -> tuple[StyledLine, ...]:
        return styled_panels(panels(state, marks), room)

    def picture(state: State, marks: Highlights[Move]) -> VectorImage:
        return picture_panels(panels(state, marks))

    def rows(state: State, *, are_seats: bool) -> Iterator[tuple[str, SeatNote]]:
        table = seats(state)
        for owner in table.owners:
            if owner.is_seat is are_seats:
                facts = tuple(zip(table.labels, owner.values, strict=True))
                yield owner.name, SeatNote(owner.emblem, facts, owner.holds)

    def notes(state: State) -> tuple[SeatNote, ...]:
        return tuple(note for _, note in rows(state, are_seats=True))

    def others(state: State) -> tuple[tuple[str, SeatNote], ...]:
        return tuple(rows(state, are_seats=False))

    return Display(styled_lines, picture, notes, turn, describe, key, others, panels, touches, explain)


def draw_panels(
    panels: Callable[[State, Highlights[Move]], tuple[Panel, ...]],
    seats: Callable[[State], SeatTable],
    turn: Callable[[State], str],
) -> Callable[[State], str]:
    """A position in plain text: its panels, its seats, and whose turn it is."""
    return lambda state: "\n".join(
        (plain_panels((*panels(state, Highlights()), seats(state)), _COLUMNS), "", turn(state))
    )
