"""Whether a position can be shown, whatever the game (law 10)."""

from typing import TypeVar
from xml.etree import ElementTree as ET

from rules.kernel.display import Highlights, TerminalSize
from rules.kernel.game import Game
from rules.kernel.svg import document

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


def assert_seats_are_told(game: Game[State, Move, Event], state: State) -> None:
    """Each seat and each other owner has an emblem and a name of its own, and all have the same facts."""
    seats, others, names = game.display.seats(state), game.display.others(state), game.setup(state).seats
    notes = (*seats, *(note for _, note in others))

    assert len(seats) == len(names)
    assert len(notes) == len({note.emblem for note in notes}) == len({*names, *(name for name, _ in others)})
    assert len({tuple(label for label, _ in note.facts) for note in notes}) == 1


def assert_shown(game: Game[State, Move, Event], state: State, highlights: Highlights[Move]) -> None:
    """The coloured text fits into 80 columns, and the picture is well-formed, a part a line."""
    for terminal in (TerminalSize(200), TerminalSize(80), TerminalSize(80, 24), TerminalSize(20, 5)):
        painted = game.display.paint(state, highlights, terminal)
        lines = ["".join(span.text for span in spans) for spans in painted]

        assert all(line.isprintable() for line in lines)
        assert max(len(line) for line in lines) <= max(terminal.columns, 80)
    drawing = game.display.picture(state, highlights)
    page = document(drawing, (), "", title="<&>", description='"')

    assert not any("\n" in part for part in drawing.parts)
    assert ET.fromstring(page).tag.endswith("svg")  # noqa: S314 - the text is our own
