"""What the script of a page shows, as JSON."""

import json
from collections.abc import Mapping, Sequence

from tools.page.html import Html
from tools.report.steps import Step


class Strings:
    """Every string once, by its number: most of a picture is what it was a step before."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a string."""
        return self._numbers.setdefault(text, len(self._numbers))

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of several."""
        return [self.number(text) for text in texts]

    def all(self) -> list[str]:
        """The strings by number."""
        return list(self._numbers)


def script_data(
    panes: Sequence[Sequence[Step]], entries: Sequence[int], *, common: int, together: str, first: int
) -> Html:
    """The data block of a page: its boards, up to where they are alike, and where the page opens."""
    strings = Strings()
    told = [
        [_frame(strings, step, count) for step in steps] for steps, count in zip(panes, entries, strict=True)
    ]
    block: Mapping[str, object] = {
        "common": common,
        "together": together,
        "first": first,
        "panes": told,
        "strings": strings.all(),
    }
    # No "<" means no end of the script element and no comment, whatever a record says.
    return Html(json.dumps(block, separators=(",", ":")).replace("<", "\\u003c"))


def _frame(strings: Strings, step: Step, entries: int) -> dict[str, object]:
    state = step.state
    drawing = state.display.picture(step.marks)
    notes = state.display.seats()
    return {
        "box": [drawing.width, drawing.height],
        "board": strings.numbers(drawing.parts),
        "heading": strings.number(step.heading(entries)),
        "comment": strings.number(step.entry.comment) if step.entry and step.entry.comment else None,
        "events": [
            [strings.number(told.text), strings.numbers([rule.id for rule in told.rules])]
            for told in step.told
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
