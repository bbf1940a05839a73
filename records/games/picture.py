"""An SVG file of a state: the board, and the seats and other owners below it."""

from records.games.candidate import Candidate
from records.games.state import GameState
from rules.kernel.display import Highlights
from rules.kernel.svg import LegendLine, document


def svg(state: GameState, highlights: Highlights[Candidate], title: str) -> str:
    """The picture as the text of an SVG file."""
    display = state.display
    named = display.owners()
    described = [f"{name}: {', '.join((note.line, *note.holds))}." for name, note in named]
    return document(
        display.picture(highlights),
        [LegendLine(note.emblem, name, note.line) for name, note in named],
        display.turn(),
        title=title,
        description=" ".join(described),
        caution=display.caution(),
    )
