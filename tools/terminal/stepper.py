"""Steps through a record interactively in a terminal."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from rich.console import Console, Group
from rich.text import Text

from records.audit.judged_file import FileReport, verdict_words
from records.verdict import why
from rules.kernel.display import TerminalSize
from tools.report.drawing import event_lines, headline, plain_board, seat_lines, styled_board
from tools.report.file_report import STYLES, violation_lines
from tools.report.steps import Step, steps_of
from tools.terminal.keyboard import CLOSED, key_presses
from tools.terminal.output import BLANK, Line, file_name, shows_lines
from tools.terminal.styling import render

HELP: Final = "←→ step  Home End  12 Enter jump  v violation  ↑↓ scroll  q quit"
"""The keys, as the last line of the screen shows them."""

_SEAT_PANEL_COLUMNS: Final = 22
"""Minimum width of the panel of seats beside the board; in a narrower one its lines break too often."""


@dataclass(frozen=True, slots=True)
class View:
    """What is on the screen: which step, how far it is scrolled, what has been typed."""

    last: int
    """Number of the last step."""
    entries: int
    """Number of entries in the record, judged or not."""
    violation: int | None = None
    """Number of the refused entry."""
    at: int = 0
    """Number of the step that is shown."""
    typed: str = ""
    """Digits of an entry number typed so far."""
    scrolled: int = 0
    """Number of lines scrolled off at the top."""
    note: str = ""
    """Shown in place of the help until the next key."""
    quit: bool = False


def press(view: View, key: str) -> View:
    """The view after a key press; a key without a meaning clears the note and the digits typed."""
    view = replace(view, note="")
    if len(key) == 1 and key in "0123456789":
        return replace(view, typed=(view.typed + key)[-6:])
    if key == "enter":
        return _jump(view) if view.typed else _go(view, view.at + 1)
    if key == "backspace" and view.typed:
        return replace(view, typed=view.typed[:-1])
    view = replace(view, typed="")
    match key:
        case "right" | " " | "n" | "l":
            return _go(view, view.at + 1)
        case "left" | "backspace" | "b" | "p" | "h":
            return _go(view, view.at - 1)
        case "home" | "g":
            return _go(view, 0)
        case "end" | "G":
            return _go(view, view.last)
        case "down" | "j":
            return replace(view, scrolled=view.scrolled + 1)
        case "up" | "k":
            return replace(view, scrolled=max(view.scrolled - 1, 0))
        case "page-down":
            return replace(view, scrolled=view.scrolled + 10)
        case "page-up":
            return replace(view, scrolled=max(view.scrolled - 10, 0))
        case "v":
            if view.violation is None:
                return replace(view, note="no entry breaks a rule")
            return _go(view, view.violation)
        case "q" | "closed":
            return replace(view, quit=True)
        case _:
            return view


def _go(view: View, at: int) -> View:
    return replace(view, at=min(max(at, 0), view.last), scrolled=0)


def _jump(view: View) -> View:
    wanted = int(view.typed)
    view = replace(_go(view, wanted), typed="")
    if wanted > view.entries:
        return replace(view, note=f"the last entry is {view.entries}")
    if wanted > view.last:
        return replace(view, note=f"entries after {view.last} are not judged")
    return view


def step_through(judged: FileReport) -> None:
    """Show the record until the user quits."""
    steps = steps_of(judged)
    last = steps[-1]
    view = View(last.number, len(judged.entries), last.number if last.refused else None)
    console = Console(highlight=False)
    with key_presses(sys.stdin.fileno()) as keys, console.screen() as screen:
        while not view.quit:
            size = shutil.get_terminal_size()
            view, texts = draw_screen(judged, steps, view, size, styled=shows_lines(sys.stdout))
            screen.update(Group(*texts))
            view = press(view, next(keys, CLOSED))


def draw_screen(
    judged: FileReport, steps: tuple[Step, ...], view: View, size: os.terminal_size, *, styled: bool
) -> tuple[View, list[Text]]:
    """The view and all lines of the screen; the view's scrolling is limited to the length of the text.

    The board is legible without colours, so rich may leave them out where NO_COLOR is set.
    """
    columns, rows = size
    step = steps[view.at]
    # The verdict comes first, so that a long path is what gets truncated.
    title = Line(
        f"{verdict_words(judged)}  {file_name(judged.path)}", style=STYLES[judged.verdict], wraps=False
    )
    caution = step.state.display.caution()
    head = list(
        render(
            (
                title,
                replace(headline(step, judged), wraps=False),
                *([Line(caution, style="bold yellow")] if caution else []),
            ),
            columns,
        )
    )
    room = max(rows - len(head) - 1, 1)
    description = list(render(_description(judged, step), columns))
    body = (
        _board_with_seats(step, columns, room - len(description))
        if styled
        else list(render(plain_board(step), columns))
    )
    if description and len(body) + len(description) < room:
        body.append(Text())
    body += description
    view = replace(view, scrolled=min(view.scrolled, max(len(body) - room, 0)))
    shown = body[view.scrolled : view.scrolled + room]
    shown += [Text()] * (room - len(shown))
    more = len(body) - view.scrolled - room
    foot = view.note or (f"go to entry {view.typed}▏ Enter" if view.typed else HELP)
    if more > 0 and not (view.note or view.typed):
        foot = f"↓ {more} more  {HELP}"
    lines = [*head, *shown, Text(foot, style="reverse")]
    for line in lines:
        line.no_wrap = True
        line.truncate(columns, overflow="ellipsis")
    return view, lines


def _description(judged: FileReport, step: Step) -> Iterator[Line]:
    """The events of a step, or why it was refused."""
    yield from event_lines(step)
    if step.refused:
        yield from violation_lines(judged.header, step.refused)
    elif step.number == judged.report.good and judged.verdict != "verified":
        yield Line(why(judged.report.verdict) or "", "why", 2)


def _board_with_seats(step: Step, columns: int, rows: int) -> list[Text]:
    """The coloured board, with the seats beside it if there is enough width, otherwise below."""
    below = list(render(seat_lines(step), columns))
    board = styled_board(step, TerminalSize(columns, rows - len(below) - 1))
    width = max(len(line.text) for line in board)
    if columns - width - 2 >= _SEAT_PANEL_COLUMNS:
        return list(_side_by_side(board, width, list(render(_seat_panel(step), columns - width - 2))))
    return [*render((*board, BLANK), columns), *below]


def _side_by_side(board: tuple[Line, ...], width: int, panel: list[Text]) -> Iterator[Text]:
    for left, right in zip_longest(render(board, width), panel, fillvalue=Text()):
        left.pad_right(width + 2 - left.cell_len)
        yield left + right


def _seat_panel(step: Step) -> Iterator[Line]:
    display, names = step.state.display, step.state.setup.seats
    for number, (name, note) in enumerate(zip(names, display.seats(), strict=True), start=1):
        yield Line(f"{number} {name}", style="bold", wraps=False)
        yield Line(note.line, indent=1)
    yield BLANK
    yield Line(display.turn(), style="bold")
