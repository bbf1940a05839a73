"""How a match stands as a picture of its own, with its seats below the board."""

from records.arbiter import Standing
from rules.kernel.display import Marks
from rules.kernel.svg import LegendLine, document


def svg(standing: Standing, marks: Marks[bytes], title: str) -> str:
    """The picture as the text of an SVG file; bytes that are no move raise CorruptMove."""
    named = list(zip(standing.setup.seats, standing.seats(), strict=True))
    held = [f"{name}: {', '.join((note.line, *note.holds))}." for name, note in named]
    return document(
        standing.picture(marks),
        [LegendLine(note.emblem, name, note.line) for name, note in named],
        standing.turn(),
        title=f"{title} ({standing.caution()})" if standing.caution() else title,
        description=" ".join(held),
    )
