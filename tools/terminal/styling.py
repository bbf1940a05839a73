"""Lines as a terminal shows them: in colour, and wrapped to its width."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.style import Style
from rich.text import Text

from rules.kernel.display import TextStyle
from tools.terminal.output import Line


def rendered(lines: Iterable[Line], columns: int) -> Iterator[Text]:
    """The lines in so many columns; what is too wide goes on below, aligned with its text."""
    for line in lines:
        if line.spans:
            text = Text(line.margin)
            for span in line.spans:
                text.append(span.text, _style(span.ink))
            yield text
        else:
            for number, part in enumerate(_wrapped(line, columns)):
                margin = " " * len(line.margin) if number else line.margin
                yield Text(margin + part, style=line.style)


def _style(ink: TextStyle) -> Style:
    return Style(color=ink.fore or None, bgcolor=ink.back or None, bold=ink.bold or None)


def _wrapped(line: Line, columns: int) -> list[str]:
    if not line.wraps:
        return [line.text]
    room = max(columns - len(line.margin), 20)
    return textwrap.wrap(line.text, room, break_long_words=False, break_on_hyphens=False) or [""]
