"""How Qin is shown."""

from typing import Final

from rules.kernel.display import Display, SeatNote
from rules.kernel.plan import emblem
from rules.qin.events import Event
from rules.qin.marking import touches
from rules.qin.moves import Move
from rules.qin.palette import colours_by_seat
from rules.qin.state import State
from rules.qin.svg import picture
from rules.qin.terminal_board import KEY, styled_lines
from rules.qin.words import describe, facts, holdings, turn


def seats(state: State) -> tuple[SeatNote, ...]:
    """A description of every seat, in turn order."""
    table = state.table
    return tuple(
        SeatNote(emblem(seat, colours), facts(state, seat), tuple(holdings(state, seat)))
        for seat, colours in zip(table.seats, colours_by_seat(table.names), strict=True)
    )


DISPLAY: Final[Display[State, Move, Event]] = Display(
    styled_lines, picture, seats, turn, describe, KEY, touches=touches
)
