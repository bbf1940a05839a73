"""Draws a step of a record, as lines of text or as an SVG picture."""

from collections.abc import Iterator, Sequence

from records.audit.judged_file import FileReport
from records.games import picture
from rules.kernel.display import SeatNote, TerminalSize
from tools.report.steps import Step
from tools.terminal.output import BLANK, Line


def event_lines(step: Step) -> Iterator[Line]:
    """The comment on the entry, and what it did, with the rules that caused it."""
    if step.entry and step.entry.comment:
        yield Line(step.entry.comment, "comment", 2)
    for event in step.events:
        rules = f" ({', '.join(rule.id for rule in event.rules)})" if event.rules else ""
        yield Line(event.text + rules, "event", 2)


def headline(step: Step, judged: FileReport) -> Line:
    """The number and text of the entry."""
    return Line(step.heading(len(judged.entries)), style="bold red" if step.refused else "bold")


def plain_board(step: Step) -> Iterator[Line]:
    """The position in plain text."""
    for line in step.state.display.draw().split("\n"):
        yield Line(line, wraps=False)


def styled_board(step: Step, room: TerminalSize) -> tuple[Line, ...]:
    """The position in colours."""
    styled = step.state.display.styled_lines(step.highlights, room)
    return tuple(Line("".join(span.text for span in spans), wraps=False, spans=spans) for spans in styled)


def owner_lines(owners: Sequence[tuple[str, SeatNote]], seats: int) -> Iterator[Line]:
    """One line per seat, with its number, and per owner that is no seat."""
    width = max(len(name) for name, _ in owners)
    for number, (name, note) in enumerate(owners, start=1):
        before = f"{number if number <= seats else '-'} {name:<{width}}  "
        yield Line(before + note.line, hang=len(before), breaks_words=True)


def seat_lines(step: Step) -> Iterator[Line]:
    """One line per seat and per owner that is no seat, and whose turn it is."""
    display, seats = step.state.display, len(step.state.setup.seats)
    yield from owner_lines(display.owners(), seats)
    yield BLANK
    yield Line(display.turn(), style="bold")


def svg(step: Step, judged: FileReport) -> str:
    """The position as a self-contained picture, with the seats below the board."""
    title = f"{judged.header.game.about.title}, {step.heading(len(judged.entries))}"
    return picture.svg(step.state, step.highlights, title)
