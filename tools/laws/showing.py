"""Whether a position can be shown, whatever the game (law 10)."""

from dataclasses import replace
from typing import Final, TypeVar
from xml.etree import ElementTree as ET

from rules.kernel.display import Highlights, TerminalSize
from rules.kernel.game import Game
from rules.kernel.svg import document
from tools.laws.trial import require, require_same
from tools.report.drawing import owner_lines
from tools.terminal.output import Line

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

_COLUMNS: Final = 80
"""Of the narrowest terminal that everything is written for."""


def require_seats_shown(game: Game[State, Move, Event], state: State) -> None:
    """Each seat and each other owner has an emblem and a name of its own, and all have the same facts.

    The facts have the same labels throughout a match: a page has one table for all of its positions. In a
    terminal they are wrapped, and no word of theirs is too long for that.
    """
    notes = game.display.seats(state)
    others = game.display.others(state)
    names = game.setup(state).seats
    all_notes = (*notes, *(note for _, note in others))

    require_same("notes on seats, and seats", len(notes), len(names))
    different = len({*names, *(name for name, _ in others)})
    require_same("different names, and owners", different, len(all_notes))
    require_same("different emblems, and owners", len({note.emblem for note in all_notes}), len(all_notes))
    start = game.display.seats(game.start(game.setup(state)))
    labels = {tuple(label for label, _ in note.facts) for note in (*all_notes, *start)}
    require_same("different lists of facts, and one", len(labels), 1)
    lines = [*owner_lines([*zip(names, notes, strict=True), *others], len(names))]
    for line in (*lines, Line(game.display.turn(state))):
        # A longer word would be broken where it is shown, as somebody's name may have to be.
        for part in replace(line, breaks_words=False).wrapped(_COLUMNS):
            require(part.isprintable(), f"{part!r} cannot be printed")
            require(len(part) <= _COLUMNS, f"{part!r} has {len(part)} columns, more than {_COLUMNS}")


def require_shown(game: Game[State, Move, Event], state: State, highlights: Highlights[Move]) -> None:
    """The coloured text fits into 80 columns, and the picture is well-formed, a part a line."""
    for terminal in (TerminalSize(200), TerminalSize(80), TerminalSize(80, 24), TerminalSize(20, 5)):
        styled = game.display.styled_lines(state, highlights, terminal)
        for line in ("".join(span.text for span in spans) for spans in styled):
            require(line.isprintable(), f"{line!r} cannot be printed")
            most = max(terminal.columns, _COLUMNS)
            require(len(line) <= most, f"{line!r} has {len(line)} columns, more than {most}")
    drawing = game.display.picture(state, highlights)
    require(not any("\n" in part for part in drawing.parts), "a part of the picture has several lines")
    page = document(drawing, (), "", title="<&>", description='"')
    try:
        ET.fromstring(page)  # noqa: S314 - the text is the game's own
    except ET.ParseError as fault:
        require(holds=False, why=f"the picture is no SVG: {fault}")
