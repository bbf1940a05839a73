"""Printing: plain lines for files and pipes, coloured and wrapped lines for a terminal."""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TextIO

import click

from records.text import escaped
from rules.kernel.display import StyledLine
from tools.terminal.private_files import replace_text


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output; a terminal wraps it with the continuation aligned to the text."""

    text: str
    label: str = ""
    """Printed in a column before the text."""
    indent: int = 0
    style: str = ""
    """A style of rich; ignored outside a terminal."""
    wraps: bool = True
    """Whether it may be wrapped to fit a terminal; the lines of a board may not."""
    spans: StyledLine = ()
    """Styled text that a terminal shows instead of `text`."""
    hang: int = 0
    """Columns of the text that continuation lines leave blank, such as those of a name before it."""
    breaks_words: bool = False
    """Whether a word that is longer than a line of the terminal is broken; addresses stay whole."""

    def __post_init__(self) -> None:
        """Escape what steers a terminal: much of what is printed comes out of files."""
        object.__setattr__(self, "text", escaped(self.text))
        object.__setattr__(
            self, "spans", tuple(replace(each, text=escaped(each.text)) for each in self.spans)
        )

    @property
    def margin(self) -> str:
        """The indentation and the label."""
        return " " * self.indent + (f"{self.label:<9} " if self.label else "")

    def wrapped(self, columns: int) -> list[str]:
        """The text in parts that fit into these columns with the margin, unless it may not be wrapped."""
        if not self.wraps:
            return [self.text]
        room = max(columns - len(self.margin), 20)
        parts = textwrap.wrap(
            self.text,
            room,
            subsequent_indent=" " * min(self.hang, room // 2),
            break_long_words=self.breaks_words,
            break_on_hyphens=False,
        )
        return parts or [""]


BLANK: Final = Line("")
"""An empty line."""

STANDARD_OUTPUT: Final = "-"
"""The path that means standard output."""


def show(lines: Iterable[Line], *, err: bool = False) -> None:
    """Print the lines on standard output, or on standard error."""
    stream = sys.stderr if err else sys.stdout
    if is_terminal(stream):
        _show_on_terminal(lines, err=err)
        return
    for line in lines:
        click.echo((line.margin + line.text).rstrip(), err=err)


def show_error(text: str) -> None:
    """Print a message on standard error, as `click` prints the errors that end a command."""
    click.echo(escaped(text), err=True)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; it is None if it was already closed when Python started."""
    return stream is not None and stream.isatty()


def shows_colour(stream: TextIO | None) -> bool:
    """Whether a coloured board can be shown; the environment variable NO_COLOR forbids it (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and shows_lines(stream)


def shows_lines(stream: TextIO | None) -> bool:
    """Whether a terminal can show box-drawing characters."""
    encoding = stream.encoding.lower() if stream is not None else ""
    return encoding.replace("-", "") == "utf8" and os.environ.get("TERM") != "dumb"


def show_json(value: Mapping[str, object]) -> None:
    """Print an object on one line, in ASCII so that it does not depend on the locale."""
    click.echo(json.dumps(value))


def save_text(path: str, text: str, sources: Iterable[str], *, private: bool) -> None:
    """Write text to a file, or to standard output for '-'.

    An existing file is replaced, unless it is one of the sources that the text was made from. A `private`
    file, which may show hidden hands, is readable only by its owner.
    """
    if path == STANDARD_OUTPUT:
        click.echo(text, nl=False)
        return
    try:
        for source in sources:
            if Path(path).exists() and Path(source).exists() and Path(path).samefile(source):
                raise click.ClickException(f"{file_name(path)} is the record itself; choose another file")
        replace_text(Path(path), text, private=private)
    except OSError as fault:
        raise click.ClickException(
            f"{file_name(path)} cannot be written: {fault.strerror or fault}"
        ) from None


def file_name(path: str) -> str:
    """A path that is safe to print: control characters and undecodable bytes are escaped."""
    return path if path.isprintable() else ascii(path)


def plural(count: int, one: str, many: str) -> str:
    """A count with its noun: '1 entry', '2 entries'."""
    return f"{count} {one if count == 1 else many}"


def _show_on_terminal(lines: Iterable[Line], *, err: bool) -> None:
    from rich import console  # noqa: PLC0415 - slow to import, and a pipe does not need it

    from tools.terminal.styling import render  # noqa: PLC0415 - imports rich

    terminal = console.Console(stderr=err, highlight=False)
    for text in render(lines, shutil.get_terminal_size().columns):
        terminal.print(text, soft_wrap=True)
