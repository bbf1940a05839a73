"""How a match stands as a picture of its own, with its seats below the board."""

from records.arbiter import Standing
from records.candidate import Candidate
from rules.kernel.display import Marks
from rules.kernel.svg import LegendLine, document


def svg(standing: Standing, marks: Marks[Candidate], title: str) -> str:
    """The picture as the text of an SVG file."""
    display = standing.display
    caution = display.caution()
    named = list(zip(standing.setup.seats, display.seats(), strict=True))
    held = [f"{name}: {', '.join((note.line, *note.holds))}." for name, note in named]
    return document(
        display.picture(marks),
        [LegendLine(note.emblem, name, note.line) for name, note in named],
        display.turn(),
        title=f"{title} ({caution})" if caution else title,
        description=" ".join(held),
    )
