"""The data that the script of a page shows, as JSON."""

import json
from collections.abc import Mapping, Sequence

from records.games.html import Html
from records.games.page_panels import PagePanels, page_panels
from tools.report.steps import Step


class Strings:
    """Stores every string once, under a number, because most of a picture repeats from step to step."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a string."""
        return self._numbers.setdefault(text, len(self._numbers))

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of several strings."""
        return [self.number(text) for text in texts]

    def all(self) -> list[str]:
        """All strings, in the order of their numbers."""
        return list(self._numbers)


def script_data(
    panes: Sequence[Sequence[Step]], entries: Sequence[int], *, common: int, together: str, first: int
) -> Html:
    """The data block of a page, for the content of a script element.

    Up to the step `common` all boards are the same, and one of them is shown under the name `together`; the
    page opens at the step `first`.
    """
    strings = Strings()
    frames = [
        [_frame(strings, step, count) for step in steps] for steps, count in zip(panes, entries, strict=True)
    ]
    block: Mapping[str, object] = {
        "common": common,
        "together": together,
        "first": first,
        "panes": frames,
        "strings": strings.all(),
    }
    # Without "<" no text of a record can end the script element or start a comment.
    return Html(json.dumps(block, separators=(",", ":")).replace("<", "\\u003c"))


def _shown(step: Step) -> PagePanels:
    display = step.state.display
    panels = display.panels(step.highlights)
    if not panels:
        return PagePanels(display.picture(step.highlights), ())
    return page_panels(panels)


def _frame(strings: Strings, step: Step, entries: int) -> dict[str, object]:
    state = step.state
    shown = _shown(step)
    notes = [note for _, note in state.display.owners()]
    return {
        "box": None if shown.board is None else [shown.board.width, shown.board.height],
        "board": [] if shown.board is None else strings.numbers(shown.board.parts),
        "beside": strings.numbers(shown.beside),
        "heading": strings.number(step.heading(entries)),
        "comment": strings.number(step.entry.comment) if step.entry and step.entry.comment else None,
        "explanation": strings.number(step.explanation) if step.explanation else None,
        "events": [
            [strings.number(event.text), strings.numbers([rule.id for rule in event.rules])]
            for event in step.events
        ],
        "refused": [
            [strings.number(violation.why), [strings.number(violation.rule.id)]]
            for violation in (step.refused.violations if step.refused else ())
        ],
        "turn": strings.number(state.display.turn()),
        "facts": [strings.numbers([value for _, value in note.facts]) for note in notes],
        "holds": [strings.numbers(note.holds) for note in notes],
        "position": strings.number(state.position()),
    }
