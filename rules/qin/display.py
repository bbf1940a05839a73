"""How Qin is shown."""

from typing import Final

from rules.kernel.display import Display, SeatNote
from rules.kernel.plan import emblem
from rules.qin.events import Event
from rules.qin.marking import touches
from rules.qin.moves import Move
from rules.qin.paint import KEY, paint
from rules.qin.palette import colours_by_seat
from rules.qin.state import State
from rules.qin.svg import picture
from rules.qin.words import facts, holdings, tell, turn


def seats(state: State) -> tuple[SeatNote, ...]:
    """A description of every seat, in turn order."""
    table = state.table
    return tuple(
        SeatNote(emblem(seat, colours), facts(state, seat), tuple(holdings(state, seat)))
        for seat, colours in zip(table.seats, colours_by_seat(table.names), strict=True)
    )


DISPLAY: Final[Display[State, Move, Event]] = Display(paint, picture, seats, turn, tell, KEY, touches=touches)
