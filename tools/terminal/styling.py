"""Colours lines and wraps them to the width of a terminal."""

from collections.abc import Iterable, Iterator

from rich.style import Style
from rich.text import Text

from rules.kernel.display import TextStyle
from tools.terminal.output import Line


def render(lines: Iterable[Line], columns: int) -> Iterator[Text]:
    """The lines wrapped to a number of columns, with continuation lines aligned to the text."""
    for line in lines:
        if line.spans:
            text = Text(line.margin)
            for span in line.spans:
                text.append(span.text, _style(span.style))
            yield text
        else:
            for number, part in enumerate(line.wrapped(columns)):
                margin = " " * len(line.margin) if number else line.margin
                yield Text(margin + part, style=line.style)


def _style(style: TextStyle) -> Style:
    return Style(color=style.fore or None, bgcolor=style.back or None, bold=style.bold or None)
