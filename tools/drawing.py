"""A step of a record as lines to print, or as a picture."""

from collections.abc import Iterator

from records import picture
from rules.kernel.display import Room
from tools.output import BLANK, Line
from tools.steps import Step
from tools.verdicts import Judged


def event_lines(step: Step) -> Iterator[Line]:
    """What the entry did, with the rules that made it so."""
    for told in step.told:
        rules = f" ({', '.join(rule.id for rule in told.rules)})" if told.rules else ""
        yield Line(told.text + rules, "event", 2)


def headline(step: Step, judged: Judged) -> Line:
    """Which entry it is, with its comment."""
    comment = f" ; {step.entry.comment}" if step.entry and step.entry.comment else ""
    return Line(step.heading(len(judged.entries)) + comment, style="bold red" if step.refused else "bold")


def plain_board(step: Step) -> Iterator[Line]:
    """The position in plain text."""
    for line in step.standing.display.draw().split("\n"):
        yield Line(line, wraps=False)


def painted_board(step: Step, room: Room) -> tuple[Line, ...]:
    """The board in colours."""
    painted = step.standing.display.paint(step.marks, room)
    return tuple(Line("".join(span.text for span in spans), wraps=False, spans=spans) for spans in painted)


def seat_lines(step: Step) -> Iterator[Line]:
    """A line a seat, and whose turn it is."""
    display, names = step.standing.display, step.standing.setup.seats
    width = max(len(name) for name in names)
    for number, (name, note) in enumerate(zip(names, display.seats(), strict=True), start=1):
        yield Line(f"{number} {name:<{width}}  {note.line}", wraps=False)
    yield BLANK
    yield Line(display.turn(), style="bold")


def svg(step: Step, judged: Judged) -> str:
    """The board as a picture of its own, with its seats below it."""
    title = f"{judged.header.arbiter.about.title}, {step.heading(len(judged.entries))}"
    return picture.svg(step.standing, step.marks, title)
