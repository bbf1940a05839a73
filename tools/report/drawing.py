"""A step of a record as lines to print, or as a picture."""

from collections.abc import Iterator

from records.games import picture
from rules.kernel.display import TerminalSize
from tools.report.file_report import FileReport
from tools.report.steps import Step
from tools.terminal.output import BLANK, Line


def event_lines(step: Step) -> Iterator[Line]:
    """What the entry did, with the rules that made it so."""
    for told in step.told:
        rules = f" ({', '.join(rule.id for rule in told.rules)})" if told.rules else ""
        yield Line(told.text + rules, "event", 2)


def headline(step: Step, judged: FileReport) -> Line:
    """Which entry it is, with its comment."""
    comment = f" ; {step.entry.comment}" if step.entry and step.entry.comment else ""
    return Line(step.heading(len(judged.entries)) + comment, style="bold red" if step.refused else "bold")


def plain_board(step: Step) -> Iterator[Line]:
    """The position in plain text."""
    for line in step.state.display.draw().split("\n"):
        yield Line(line, wraps=False)


def painted_board(step: Step, room: TerminalSize) -> tuple[Line, ...]:
    """The board in colours."""
    painted = step.state.display.paint(step.marks, room)
    return tuple(Line("".join(span.text for span in spans), wraps=False, spans=spans) for spans in painted)


def seat_lines(step: Step) -> Iterator[Line]:
    """A line a seat, and whose turn it is."""
    display, names = step.state.display, step.state.setup.seats
    width = max(len(name) for name in names)
    for number, (name, note) in enumerate(zip(names, display.seats(), strict=True), start=1):
        yield Line(f"{number} {name:<{width}}  {note.line}", wraps=False)
    yield BLANK
    yield Line(display.turn(), style="bold")


def svg(step: Step, judged: FileReport) -> str:
    """The board as a picture of its own, with its seats below it."""
    title = f"{judged.header.game.about.title}, {step.heading(len(judged.entries))}"
    return picture.svg(step.state, step.marks, title)
